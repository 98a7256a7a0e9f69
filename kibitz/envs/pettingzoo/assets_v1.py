"""Cover Your Assets by rules version 1, for PettingZoo."""

from kibitz.envs.pettingzoo.table import environments

env, raw_env = environments(__name__)

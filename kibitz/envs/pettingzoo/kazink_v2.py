"""Kazink! by rules version 2, for PettingZoo."""

from kibitz.envs.pettingzoo.table import environments

env, raw_env = environments(__name__)

"""Teach a network MATCH!: sb3-contrib's MaskablePPO, against opponents that play by chance.

pip install 'kibitz[sb3,plots]'
python train_match.py --steps 655360 --curve learning.svg
"""

import argparse
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

import kibitz
from kibitz.envs.sb3 import SeatVecEnv, player

ROUND = 5 * 64 * 128  # steps between two measurements


Point = tuple[int, float, float, tuple[float, float]]  # steps, seconds, share of the points, its interval


def share_of_wins(model: Any, games: int = 200) -> tuple[float, tuple[float, float]]:
    """The model's share of the points in new games, each deal from both seats."""
    outcome = kibitz.arena("match", [player(model), "random"], games=games, seed=1_000)
    return outcome.points[0], outcome.intervals[0]


def train(steps: int, seed: int = 1, measured: int = 200) -> tuple[Any, list[Point]]:
    """A model, and how it got there: a point after every round."""
    torch.set_num_threads(1)
    began = time.monotonic()
    envs = SeatVecEnv("match", num_envs=128, seed=seed, opponents="random", seat=None)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        learning_rate=lambda left: 1e-4 + 1e-3 * left,
        gamma=1.0,  # only the end of a game is worth anything
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
    )
    curve: list[Point] = [(0, 0.0, *share_of_wins(model, measured))]

    def measure(*_: Any) -> bool:
        if model.num_timesteps % ROUND == 0:
            share, interval = share_of_wins(model, measured)
            curve.append((model.num_timesteps, time.monotonic() - began, share, interval))
            print("{:8} steps  {:4.0f} s  {:.1%}".format(*curve[-1][:3]), flush=True)
        return True

    model.learn(steps, callback=measure)
    envs.close()
    return model, curve


def draw(curve: list[Point], file: str) -> None:
    """The curve with its 95 % intervals."""
    from matplotlib.figure import Figure

    steps, seconds, shares, intervals = zip(*curve)
    figure = Figure((8, 4), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(steps, *(100 * np.array(intervals).T), color="#1b6e5a", alpha=0.2, linewidth=0)
    axes.plot(steps, 100 * np.array(shares), color="#1b6e5a")
    axes.axhline(90, color="#333333", linewidth=0.8, linestyle=":")
    axes.set(
        xlabel=f"steps ({seconds[-1]:.0f} s in all)", ylabel="points against random, in %", ylim=(40, 100)
    )
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, metadata={"Date": None} if str(file).endswith(".svg") else None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=655_360)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", default="match-ppo.zip")
    parser.add_argument("--curve", help="a picture of how it went, .svg or .png")
    asked = parser.parse_args()
    model, curve = train(asked.steps, asked.seed)
    model.save(asked.model)
    if asked.curve:
        draw(curve, asked.curve)
    print("{:.1%} against random, 95 % interval {:.1%} to {:.1%}".format(curve[-1][2], *curve[-1][3]))

"""Compile what is measured, in a process of its own: machine code loaded from disk is what players run.

A process that compiles kernels itself runs them slower than one that finds them on disk: 114 against 90 ns a
decision in playouts of Ka-Ching!. `python -m bench.warm_up [GAME]...`; without a name, all games.
"""

import sys

import kibitz
from kibitz.warmup import steps


def main() -> None:
    for name in sys.argv[1:] or kibitz.games():
        for step in steps(name, programs=True):
            step()


if __name__ == "__main__":
    main()

"""Compile what is measured, in a process of its own: machine code loaded from disk is what players run.

A process that compiles kernels itself runs them slower than one that finds them on disk: 114 against 90 ns a
decision in playouts of Ka-Ching!.
"""

import kibitz
from bench.measure import GAMES
from kibitz.bots.player import LEVELS


def main() -> None:
    for name in GAMES:
        kibitz.playouts(name, games=1, seed=1)
        game = kibitz.game(name)
        state = game.deal(seed=1)
        bots = [kibitz.bot(level, game, seed=1) for level in LEVELS]
        while not state.over:
            moves = [bot.choose(state.observation(state.turn)) for bot in bots]
            state.play(moves[0])


if __name__ == "__main__":
    main()

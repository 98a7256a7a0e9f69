"""A digest of games and of bots' moves, to compare the compiled with the interpreted rules.

python -m tests.core.sample_games     prints it
"""

import hashlib
import random

import kibitz
from kibitz.core.game import Game
from tests import tiny

GAMES_EACH = 20
MOST_MOVES = 300  # of a game
BOT_MOVES_EACH = 12
NODES = 25


def digest_of_games(game: Game) -> str:
    """Random games from fixed seeds: every byte of every state, and all logs."""
    told = hashlib.sha256()
    for seed in range(GAMES_EACH):
        chooser = random.Random(seed)
        state = game.deal(chooser.choice(game.players), seed)
        while not state.over and len(state.history) < MOST_MOVES:
            told.update(bytes(state))
            state.play(chooser.choice(state.legal_moves))
        told.update(bytes(state) + repr([state.log(seat) for seat in (None, 0, 1)]).encode())
    return told.hexdigest()


def bots_moves(game: Game, level: str) -> list[str]:
    """What a bot plays against itself at the beginning of a game, and towards the end of it."""
    state = game.deal(seed=1)
    chooser = random.Random(1)
    bot = kibitz.bot(level, game, seed=1, nodes=NODES)
    for number in range(100):
        if state.turn is None:
            break
        if number < BOT_MOVES_EACH // 2 or number % 9 == 0:
            state.play(bot.choose(state.observation(state.turn)))
        else:
            state.play(chooser.choice(state.legal_moves))
    return [str(move) for move in state.history]


def sample() -> list[str]:
    """A line for each game and bot."""
    lines = []
    for game in map(kibitz.game, kibitz.games()):
        lines.append(f"{game.name} games {digest_of_games(game)}")
        for level in ("random", "easy", "medium"):
            lines.append(f"{game.name} {level} {' '.join(bots_moves(game, level))}")
    return lines


if __name__ == "__main__":
    kibitz.register(tiny.GAME)
    print("\n".join(sample()))

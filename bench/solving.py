"""From how many cards on Ka-Ching! is solved in a second and in a minute: `python -m bench.solving`."""

import time

import click

import kibitz
from kibitz.core.state import State

GAME = "kaching"


def middle_game(seed: int, cards: int) -> State | None:
    """A round that medium bots have played until so many cards are left in the columns."""
    game = kibitz.game(GAME)
    state, medium = game.deal(seed=seed), kibitz.bot("medium", game, seed)
    while not state.over and state.fields().heights.sum() > cards:
        state.play(medium.choose(state.observation(state.turn)))
    return None if state.over else state


@click.command()
@click.option("--cards", default="12,14,16,18,20", show_default=True, help="Cards left in the columns.")
@click.option("--rounds", default=10, show_default=True, help="Positions of each.")
@click.option("--seconds", default=60.0, show_default=True, help="For each position at most.")
def main(cards: str, rounds: int, seconds: float) -> None:
    """Solve positions of the middle game; tell how many took at most a second of the processor, or 60."""
    print("cards left | positions | in 1 s | in 60 s | slowest")
    for left in map(int, cards.split(",")):
        states = [state for seed in range(1, rounds + 1) if (state := middle_game(seed, left))]
        times = [seconds_to_solve(state, seconds) for state in states]
        solved = [taken for taken in times if taken is not None]
        soon, later = (sum(taken <= most for taken in solved) for most in (1, 60))
        slowest = f"{max(solved, default=0):.1f} s"
        print(f"{left} | {len(states)} | {soon} | {later} | {slowest}", flush=True)


def seconds_to_solve(state: State, most: float) -> float | None:
    """How long it takes the processor; None if it isn't solved in that time."""
    began = time.process_time()
    try:
        kibitz.solve(state, most)
    except kibitz.KibitzError:
        return None
    return time.process_time() - began


if __name__ == "__main__":
    main()

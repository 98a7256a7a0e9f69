"""Write whole games of each kind as readable text, to be kept beside its tests and compared.

    python scripts/write_playthroughs.py            write them
    python scripts/write_playthroughs.py --check    fail if a committed one differs from what is played

A playthrough shows at a glance what a change in the rules does to a game. Moves are picked by chance from a
fixed seed; after each stand what it changed, what was said about it, and what is legal next. Every so often
the whole position is drawn, with what the seats see of it, and a move that is refused there. Later rounds
are played, too, but of them only the results are written.

A game has one, `playthrough.txt`, dealt by default; where that would be long, `playthroughs.json` beside the
tests says which there are: for each file a seed, the players and the options.
"""

import argparse
import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kibitz
from kibitz.core.chance import pick
from kibitz.core.events import turns
from kibitz.core.game import Game
from kibitz.core.secret import bot_generator
from kibitz.core.sentences import Speaker
from kibitz.core.state import State

ROOT = Path(__file__).resolve().parent.parent
ONE = {"playthrough.txt": {"seed": 1}}
MOVES_BETWEEN_PICTURES = 12
LONG = 6  # a list that is too long to be written after each move


def settings(game: Game) -> dict[str, dict[str, Any]]:
    """A game's playthroughs: for each file how it is dealt."""
    file = Path(__file__).resolve().parent.parent / "tests" / "games" / game.name / "playthroughs.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else ONE


def playthroughs(game: Game) -> dict[Path, str]:
    """All playthroughs of a game, and where they are kept."""
    folder = ROOT / "tests" / "games" / game.name
    return {folder / name: playthrough(game, **how) for name, how in settings(game).items()}


def playthrough(game: Game, seed: int, players: int | None = None, **given: Any) -> str:
    """A game from the deal to the end."""
    state = game.deal(players, seed, **given)
    options = ", ".join(f"{name} {compact(value)}" for name, value in state.position()["options"].items())
    lines = [
        f"{game.title}, rules version {game.rules_version}",
        f"Seed {seed}, {state.players} players; {options or 'no options'}.",
    ]
    lines += ["", *sentences(state), *picture(state)]
    chooser = bot_generator(seed, game.name)
    while not state.over:
        lines += step(state, int(pick(chooser, len(state.legal_moves))))
    lines += ["", *picture(state), "", *result(state)]
    return "\n".join(lines) + "\n"


def step(state: State, choice: int) -> Iterator[str]:
    """One move, and a picture if it is time for one; of later rounds only the move that ends them."""
    seat, move, before = state.turn, state.legal_moves[choice], state.position()
    state.play(move)
    if before["round"] > 1 and before["round"] == state.round and not state.over:
        return
    yield ""
    yield f"{len(state.history)}. p{seat}: {move}"
    yield from sentences(state)
    yield from changes(before, state.position())
    if not state.over:
        yield from legal(state)
        if len(state.history) % MOVES_BETWEEN_PICTURES == 0:
            yield ""
            yield from picture(state)


def changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """What is otherwise than before; of a pile, the cards that came or went on its top."""
    for key, value in after.items():
        was = before[key]
        if value == was:
            continue
        if not isinstance(value, list) or min(len(value), len(was)) <= LONG:
            yield f"  {key}: {compact(value)}"
        elif value == was[: len(value)]:
            yield f"  {key}: {len(value)}, without {compact(was[len(value) :])}"
        elif was == value[: len(was)]:
            yield f"  {key}: {len(value)}, with {compact(value[len(was) :])}"
        else:
            yield f"  {key}: {compact(value)}"


def sentences(state: State) -> Iterator[str]:
    """What is said about the last move."""
    speaker = Speaker(state.game.words("en"), [f"p{seat}" for seat in range(state.players)])
    for sentence in state.game.text.sentences(turns(state.log(None))[-1]):
        yield f"  {speaker.tell(sentence)}"


def legal(state: State) -> Iterator[str]:
    """What may be done now."""
    yield f"  legal: {', '.join(map(str, state.legal_moves))}"


def picture(state: State) -> Iterator[str]:
    """The whole position, what each viewer sees otherwise, and one refusal."""
    position = state.position()
    yield f"--- after {len(state.history)} moves ---"
    yield from (
        f"{key}: {compact(value)}" for key, value in position.items() if key not in ("game", "options")
    )
    for seat in (None, *range(state.players)):
        viewer = "a spectator" if seat is None else f"p{seat}"
        other = {key: value for key, value in state.view(seat).items() if value != position[key]}
        hidden = "; ".join(f"{key} {compact(value)}" for key, value in other.items())
        yield f"{viewer} sees: {hidden or 'everything'}"
    if not state.over:
        yield from refusal(state)
    yield "---"
    if not state.over and not state.history:
        yield from legal(state)


def refusal(state: State) -> Iterator[str]:
    """One of the moves that aren't legal, and why."""
    illegal = [move for move in state.game.moves if move not in state.legal_moves]
    move = illegal[len(state.history) * 7 % len(illegal)]
    try:
        state.copy().play(move)
    except kibitz.IllegalMove as error:
        yield f"refused: {move}: {error.reason} ({error.code}; {error.rule})"


def result(state: State) -> Iterator[str]:
    """How it ended."""
    assert state.ending is not None
    yield f"Over: {state.ending.sentence}"
    winners = " and ".join(f"p{seat}" for seat in state.winners)
    yield f"Scores {compact(list(state.scores))}, won by {winners}."
    yield f"Position {state.hash}"


def compact(value: Any) -> str:
    """JSON for the eye: lists without brackets, `-` for nothing."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "-"
        case dict():
            return ", ".join(f"{key} {compact(inner)}" for key, inner in value.items()) or "-"
        case list() if any(isinstance(inner, list | dict) for inner in value):
            return " | ".join(compact(inner) for inner in value)
        case list() if len(value) > LONG and set(value) == {"?"}:
            return f"{len(value)} times ?"
        case list():
            return " ".join(map(compact, value)) or "-"
        case _:
            return str(value)


def difference(game: Game) -> str:
    """What the committed playthroughs have otherwise; nothing if they are the same."""
    return "\n".join(
        line
        for file, played in playthroughs(game).items()
        for line in difflib.unified_diff(
            (file.read_text(encoding="utf-8") if file.exists() else "").splitlines(),
            played.splitlines(),
            "kept",
            "played",
            lineterm="",
        )
    )


def main() -> int:
    """Write or check all of them."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if one differs")
    check = parser.parse_args().check
    differences = 0
    for game in map(kibitz.game, kibitz.games()):
        if check:
            if found := difference(game):
                differences += 1
                print(found)
        else:
            for file, played in playthroughs(game).items():
                file.write_text(played, encoding="utf-8")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

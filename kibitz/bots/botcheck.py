"""Whether a program keeps to the protocol by which Kibitz talks to bots: `kibitz botcheck`."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.bots.programs import GRACE, SHOWN, Program, ProgramBot, ProgramFailed
from kibitz.core.game import Game
from kibitz.core.numbers import above_zero
from kibitz.core.state import Observation

ASKED = {
    "stop": "it answers when it is told to `stop`",
    "nodes": "it answers `go` with a number of nodes",
    "clock": "it answers `go` with a clock",
}


@dataclass(frozen=True)
class CheckedPoint:
    """One thing that `botcheck` looked at."""

    what: str
    complaint: str | None = None  # None: it is as it should be


def check_program(
    command: str, games: Sequence[Game], seconds: float, times: int = 2
) -> Iterator[CheckedPoint]:
    """Whether a program keeps to the protocol: it shakes hands, plays games to their end, and goes."""
    seconds = above_zero("seconds", seconds)
    try:
        program = Program(command)
        program.shake_hands()
        names = [line.removeprefix("id name ") for line in program.told if line.startswith("id name ")]
        yield CheckedPoint(f"it is ready, and calls itself {names[0] if names else 'nothing'}")
        strange = [line for line in program.told if not line.startswith(("id ", "option ", "info "))]
        if not names or strange:
            said = f"{strange[0][:SHOWN]!r} is none of these" if strange else "`id name NAME` is missing"
            yield CheckedPoint("it says `id`, `option` or `info` before `ready`", said)
        program.send(["quit"], time.monotonic() + GRACE)
        gone = program.wait(GRACE + seconds)
        yield CheckedPoint("it goes at `quit`", None if gone else "it goes on running")
        program.close()
    except ProgramFailed as failure:
        yield CheckedPoint("it answers `kibitz 1` with `ready`", failure.data["what"])
        return
    for how in ASKED:
        yield _answers(command, games[0], how, seconds)
    for game in games:
        for number in range(times):
            players = game.players[number % len(game.players)]
            yield _played(command, game, players, number, seconds)


class Interrupted(ProgramBot):
    """A program that has a minute, and is told to stop at once."""

    def _decision(self, observation: Observation) -> list[str]:
        return [*super()._decision(observation)[:-1], "go movetime=60000", "stop"]


def _answers(command: str, game: Game, how: str, seconds: float) -> CheckedPoint:
    """One decision, asked for in another way."""
    state = game.deal(seed=1)
    assert state.turn is not None
    kind = Interrupted if how == "stop" else ProgramBot
    nodes, bank = 100 if how == "nodes" else None, 60.0 if how == "clock" else None
    bot = kind(game, command, 1, seconds, nodes=nodes, bank=bank)
    try:
        bot.choose(state.observation(state.turn))
    except ProgramFailed as failure:
        return CheckedPoint(ASKED[how], failure.data["what"])
    finally:
        bot.close()
    return CheckedPoint(ASKED[how])


def _played(command: str, game: Game, players: int, seed: int, seconds: float) -> CheckedPoint:
    """A game of the program among others who play by chance; one round, since by chance some never end."""
    short: dict[str, Any] = {option.name: 1 for option in game.options if option.name == "rounds"}
    state = game.deal(players, seed, **short)
    bot = ProgramBot(game, command, seed, seconds)
    what = f"it plays a game of {game.title} with {players} players"
    try:
        while state.turn is not None:
            if state.turn == seed % players:
                state.play(bot.choose(state.observation(state.turn)))
            else:
                state.play(state.legal_moves[(7 * len(state.history)) % len(state.legal_moves)])
        bot.tell_end(state.observation(seed % players))
    except ProgramFailed as failure:
        return CheckedPoint(what, f"at its move {len(state.history)}: {failure.data['what']}")
    finally:
        bot.close()
    return CheckedPoint(what)

"""The log in words, with the players' names in it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from kibitz.core.words import Words

if TYPE_CHECKING:
    from kibitz.bots.advice import Advice, Reason
    from kibitz.core.events import AnyEvent, RoundScored
    from kibitz.core.game import Game
    from kibitz.core.sentences import Sentence


class Narrator:
    """Words what happened; the viewer is spoken to (`.you`, `.to-you`) where the catalogue can."""

    def __init__(self, game: "Game", words: Words, names: Sequence[str], seat: int | None = None) -> None:
        self.game = game
        self.words = words
        self.names = names
        self.seat = seat

    def lines(self, log: Sequence["AnyEvent"]) -> tuple[str, ...]:
        """The whole log, line by line."""
        return tuple(line for turn in self.game.turns(log) for line in self._turn(turn))

    def _turn(self, turn: Sequence["AnyEvent"]) -> Iterator[str]:
        """A move with what it caused; why a round ended is followed by what it brought everybody."""
        from kibitz.core.events import RoundScored

        scored = (event for event in turn if isinstance(event, RoundScored))
        for sentence in self.game.text.sentences(turn):
            yield self.line(sentence)
            if sentence.key.startswith("ending."):
                yield self.result(next(scored))

    def line(self, sentence: "Sentence") -> str:
        """One sentence, cards as they are typed."""
        from kibitz.core.sentences import Speaker

        return Speaker(self.words, self.names, self.seat).tell(sentence)

    def result(self, scored: "RoundScored") -> str:
        """What a round brought everybody."""
        return " · ".join(
            f"{self.names[score.seat]}: "
            + ", ".join(
                f"{self.words(f'step.{step.name}')} {self.words('points', amount=step.amount)}"
                for step in score.steps
            )
            for score in scored.seats
        )


# Advice


def percent(chance: float) -> str:
    """A chance, in whole percents."""
    return f"{100 * chance:.0f} %"


def advice_lines(advice: Sequence["Advice"], narrator: Narrator) -> Iterator[str]:
    """The moves, best first: what each does, how likely it wins, and what speaks for it."""
    for one in advice:
        told = " ".join(map(narrator.line, one.told)) or str(one.move)
        hint = narrator.words("terminal.hint", move=str(one.move), chance=percent(one.chance), told=told)
        yield " ".join([hint, *because(one.reasons, narrator)])


def because(reasons: Sequence["Reason"], narrator: Narrator) -> Iterator[str]:
    """What speaks for a move or against it, in sentences; those that begin alike follow one opening."""

    def opening(reason: "Reason") -> tuple[str, str]:
        return reason.opening, percent(reason.share) if reason.opening.endswith("likely") else ""

    for (words, share), alike in groupby(reasons, opening):
        told = " ".join(narrator.line(reason.sentence) for reason in alike)
        yield narrator.words(f"terminal.reason.{words}", told=told, share=share) if words else told

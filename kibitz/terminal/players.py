"""Who sits where: people and bots, as a record names them and as the screen does."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.core.words import Words

if TYPE_CHECKING:
    from kibitz.bots.player import Bot
    from kibitz.core.game import Game

HUMAN = "human"  # in a record's seats; a bot is `bot:medium`
BOT = "bot:"
FORGOTTEN = "–"  # as a server records somebody whom nobody knows any more


def seated(players: int, own_seat: int, level: str, hotseat: bool) -> tuple[str, ...]:
    """The seats of a new game, as its record will name them."""
    return tuple(HUMAN if hotseat or seat == own_seat else BOT + level for seat in range(players))


def level_of(seat: str) -> str | None:
    """The level of the bot on a seat; None if a person sits there."""
    return seat.removeprefix(BOT) if seat.startswith(BOT) else None


def bots_of(game: "Game", seats: Sequence[str], seed: int | None, searching: bool = True) -> dict[int, "Bot"]:
    """The bots by seat; with a seed, each has one of its own that follows from it."""
    from kibitz.bots.player import bot, without_search

    levels = {seat: level_of(name) for seat, name in enumerate(seats)}
    if not searching:
        levels = {seat: level and without_search(level) for seat, level in levels.items()}
    seeds = {seat: None if seed is None else seed * len(seats) + seat for seat in levels}
    return {seat: bot(level, game, seed=seeds[seat]) for seat, level in levels.items() if level is not None}


def names_of(seats: Sequence[str], words: Words, viewer: int | None = None) -> tuple[str, ...]:
    """The names on the screen: `You`, `Medium bot`, `Player 2`; bots alike are counted."""
    plain = [_name(seat, number, words, viewer) for number, seat in enumerate(seats)]
    return tuple(
        f"{name} {plain[: seat + 1].count(name)}" if plain.count(name) > 1 else name
        for seat, name in enumerate(plain)
    )


def _name(seat: str, number: int, words: Words, viewer: int | None) -> str:
    level = level_of(seat)
    if number == viewer:
        return words("terminal.you")
    if seat in (HUMAN, ""):
        return words("terminal.player", number=number + 1)
    if seat.split(" (")[0] == FORGOTTEN:
        return words("terminal.forgotten")
    if level is None:
        return seat
    key = f"terminal.bot.{level}"
    return words(key) if key in words else words("terminal.bot", level=level)

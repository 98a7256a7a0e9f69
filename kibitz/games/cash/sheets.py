"""The score of CASH for people with real cards, who count what lies at their table.

A sheet is JSON. It is checked that a box can have so many cards, and told what every step brings.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.forms import codes_of
from kibitz.core.layout import MAX_ROUNDS
from kibitz.core.words import catalogue
from kibitz.games.cash import box
from kibitz.games.cash.scoring import NUM_LINES, NUM_STEPS, Step, count_round
from kibitz.games.cash.table import MOST_TARGET, RECESSIONS, SEATS, TARGET, TAXES

COUNTED = {  # what a sheet asks of each player beside cash, and the card it is
    "venture": box.VENTURE,
    "taxman": box.TAXMAN,
    "crash": box.CRASH,
    "recession": box.RECESSION,
    "bankruptcy": box.BANKRUPTCY,
    "venture_held": box.VENTURE,
}
CASH_KEYS = ("tabled", "insured", "hand")
NOT_INSURABLE = "cash-150"
MOST_INSURED = sum(box.figure(cover) * int(box.COPIES[box.NUMBER[cover]]) for cover in box.COVER_NAMES)
ROUND_KEYS = ("players", "recession", "tax")
GAME_KEYS = ("rounds", "target")


class BadSheet(KibitzError):
    """A score sheet that can't be: `code` and `data` are for the catalogues, `key` says where."""

    def __init__(self, code: str, key: str, **data: Any) -> None:
        reason = catalogue("en", __package__)(f"refusal.{code}", where=key, **data)
        super().__init__(code, reason, {"where": key, **data})
        self.key = key

    def within(self, place: str) -> "BadSheet":
        """The same of a sheet that is part of another."""
        told = {name: value for name, value in self.data.items() if name != "where"}
        return type(self)(self.code, f"{place}.{self.key}", **told)


def score_sheet(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Score one round from what lies on the table and in the hands.

    The sheet is `{"players": [...], "recession": 75, "tax": "harsh"}` (the last two may be left out). A
    player is an object that may have `tabled` (uninsured), `insured` and `hand`: how many cash cards of each
    kind (`{"cash-25": 2}`); and `venture`, `taxman` (tabled), `crash`, `recession`, `bankruptcy`,
    `venture_held` (in hand): how many. What is left out is 0. The answer has the steps and the sum for each
    player, in order, and `warnings`: what is more than our box has, as a real one may hold others. Refused is
    only what no box could hold.
    """
    _known_keys(sheet, ROUND_KEYS, "sheet")
    players = _listed(sheet.get("players"))
    recession = _choice(sheet, "recession", RECESSIONS)
    tax = TAXES.index(_choice(sheet, "tax", TAXES))
    lines = np.zeros((len(players), NUM_LINES), np.int64)
    counted = Counted()
    for seat, player in enumerate(players):
        lines[seat] = _line(player, f"players[{seat}]", counted)
    steps = np.zeros((len(players), NUM_STEPS), np.int64)
    count_round(lines, len(players), recession, tax, steps)
    return {
        "players": [
            {"steps": dict(zip(codes_of(Step), row, strict=True)), "total": sum(row)}
            for row in steps.tolist()
        ],
        "warnings": counted.warnings(),
    }


class Counted:
    """The cards of all players so far, each with the place where it was last written down."""

    def __init__(self) -> None:
        self.cards: dict[str, int] = {}
        self.places: dict[str, str] = {}
        self.insured = 0  # dollars

    def add(self, name: str, count: int, path: str) -> None:
        """So many more of a card."""
        if count > 0:
            self.cards[name] = self.cards.get(name, 0) + count
            self.places[name] = path

    def warnings(self) -> list[dict[str, Any]]:
        """What is more than our box has, in the form of refusals."""
        most = {name: int(box.COPIES[box.NUMBER[name]]) for name in self.cards}
        bad = [
            BadSheet("sheet-too-many", self.places[name], card=name, most=most[name], got=count)
            for name, count in self.cards.items()
            if count > most[name]
        ]
        if self.insured > MOST_INSURED:
            bad.append(BadSheet("sheet-insured", "players", most=MOST_INSURED, got=self.insured))
        return [_as_warning(each) for each in bad]


def _as_warning(bad: BadSheet) -> dict[str, Any]:
    return {"code": bad.code, "reason": bad.reason, "key": bad.key, "data": bad.data}


def score_rounds(sheets: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Score several rounds of the same players; each answer also has the running `totals`."""
    totals: list[int] = []
    answers = []
    for number, sheet in enumerate(sheets):
        answer = _score_round(sheet, number)
        points = [player["total"] for player in answer["players"]]
        if totals and len(points) != len(totals):
            raise BadSheet(
                "sheet-same-players", f"rounds[{number}].players", most=len(totals), got=len(points)
            )
        totals = [total + more for total, more in zip(totals or [0] * len(points), points, strict=True)]
        answers.append({**answer, "totals": totals})
    return answers


def score_game(sheet: Any) -> dict[str, Any]:
    """Score a game so far: `{"rounds": [sheet, ...], "target": 1000000}`; the target may be left out.

    The answer has the `rounds` as `score_rounds` gives them and the `winners`: a list that is empty until
    one is alone at the top with the target [C2], or after a tie there, whatever the total.
    """
    _known_keys(sheet, GAME_KEYS, "sheet")
    rounds, target = sheet.get("rounds"), sheet.get("target", TARGET)
    if not isinstance(rounds, list) or not 1 <= len(rounds) <= MAX_ROUNDS:
        raise BadSheet("sheet-rounds", "rounds", most=MAX_ROUNDS)
    if type(target) is not int or not 1 <= target <= MOST_TARGET:
        raise BadSheet("sheet-target", "target", most=MOST_TARGET, got=repr(target)[:40])
    answers = score_rounds(rounds)
    *before, totals = [answer["totals"] for answer in answers]
    tied = any(max(earlier) >= target and len(_leaders(earlier)) > 1 for earlier in before)
    decided = len(_leaders(totals)) == 1 and (tied or max(totals) >= target)
    return {"rounds": answers, "winners": _leaders(totals) if decided else []}


def _leaders(totals: Sequence[int]) -> list[int]:
    """Who has the highest total."""
    return [player for player, total in enumerate(totals) if total == max(totals)]


def _score_round(sheet: Any, number: int) -> dict[str, Any]:
    """Score a round; what is wrong with it is told with the round's number."""
    place = f"rounds[{number}]"
    try:
        answer = score_sheet(sheet)
    except BadSheet as bad:
        raise bad.within(place) from None
    for warning in answer["warnings"]:
        warning["key"] = warning["data"]["where"] = f"{place}.{warning['key']}"
    return answer


def _line(player: Any, path: str, counted: Counted) -> list[int]:
    """One player's line, counted with those of the others."""
    _known_keys(player, (*CASH_KEYS, *COUNTED), path)
    cash = {key: _cash(player.get(key, {}), f"{path}.{key}", counted) for key in CASH_KEYS}
    if player.get("insured", {}).get(NOT_INSURABLE):
        raise BadSheet("sheet-uninsurable", f"{path}.insured", card=NOT_INSURABLE)
    counted.insured += cash["insured"]
    counts = {
        key: _count(player.get(key, 0), f"{path}.{key}", box.CARDS[card], counted)
        for key, card in COUNTED.items()
    }
    return [
        cash["tabled"] + cash["insured"],
        counts["venture"],
        counts["taxman"],
        cash["hand"],
        counts["crash"],
        counts["recession"],
        counts["bankruptcy"],
        counts["venture_held"],
    ]


def _cash(cards: Any, path: str, counted: Counted) -> int:
    _known_keys(cards, box.CASH_NAMES, path)
    return sum(
        _count(count, f"{path}.{name}", name, counted) * int(box.VALUE[box.NUMBER[name]])
        for name, count in cards.items()
    )


def _count(count: Any, path: str, name: str, counted: Counted) -> int:
    """How many of a card; no box holds more than all its cards."""
    if type(count) is not int or not 0 <= count <= box.DECK_SIZE:
        raise BadSheet("sheet-count", path, card=name, most=box.DECK_SIZE, got=repr(count)[:40])
    counted.add(name, count, path)
    return count


def _known_keys(value: Any, keys: Sequence[str], path: str) -> None:
    if not isinstance(value, Mapping):
        raise BadSheet("sheet-object", path)
    for key in value:
        if key not in keys:
            raise BadSheet("sheet-key", path, got=str(key)[:40], keys=", ".join(keys))


def _listed(players: Any) -> list[Any]:
    if not isinstance(players, list) or not 2 <= len(players) <= SEATS:
        raise BadSheet("sheet-players", "players", most=SEATS)
    return players


def _choice(sheet: Mapping[str, Any], key: str, choices: Sequence[Any]) -> Any:
    value = sheet.get(key, choices[0])
    if type(value) is not type(choices[0]) or value not in choices:
        raise BadSheet("sheet-choice", key, choices=", ".join(map(str, choices)), got=repr(value)[:40])
    return value

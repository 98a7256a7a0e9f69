"""The score calculator: the sheet, what it refuses, and `kibitz score cash` at the terminal."""

import io
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

import kibitz
from kibitz.cli import cli
from kibitz.core.words import LANGUAGES, catalogue
from kibitz.games.cash.sheets import BadSheet, score_rounds, score_sheet
from kibitz.terminal.calculators.cash import QUESTIONS, Calculator, names_of

pytestmark = pytest.mark.interpreted

WORDS = catalogue("en", "kibitz.terminal", "kibitz.games.cash")


# The sheet


def totals(*players: dict[str, Any], **options: Any) -> list[int]:
    return [each["total"] for each in score_sheet({"players": list(players), **options})["players"]]


def tabled(**counts: int) -> dict[str, int]:
    return {f"cash-{name.removeprefix('c')}": count for name, count in counts.items()}


def test_the_worked_example_is_counted_as_printed() -> None:
    first = {"tabled": tabled(c150=1, c50=1), "taxman": 1}
    second = {"hand": tabled(c50=2)}
    third = {"tabled": tabled(c25=1), "insured": tabled(c25=1)}
    assert totals(first, second, third) == [195_000, -110_000, 45_000]
    assert totals(first, second, third, tax="transfer") == [195_000, -90_000, 45_000]


def test_every_step_is_shown() -> None:
    rich = {
        "tabled": tabled(c75=1),
        "insured": tabled(c25=1),
        "venture": 2,
        "hand": tabled(c5=1),
        "crash": 1,
        "recession": 1,
        "bankruptcy": 1,
        "venture_held": 1,
    }
    answer = score_sheet({"players": [rich, {"taxman": 2}], "recession": 50})["players"]
    assert answer[0]["steps"] == {
        "tabled": 100_000,
        "venture": 100_000,
        "hand": -5_000,
        "bears": -225_000,
        "venture_held": -225_000,
        "tax_taken": 0,
        "tax_paid": -25_500,
    }
    assert answer[1]["steps"]["tax_taken"] == -25_500
    assert [each["total"] for each in answer] == [-280_500, -25_500]


def test_totals_run_over_the_rounds() -> None:
    rounds = [{"players": [{"tabled": tabled(c50=1)}, {}]}, {"players": [{"hand": tabled(c10=1)}, {}]}]
    assert [answer["totals"] for answer in score_rounds(rounds)] == [[50_000, 0], [40_000, 0]]


def sheet_of(position: dict[str, Any]) -> dict[str, Any]:
    """What people would write down of a position."""
    chosen = position["passing"]["chosen"] if position["passing"] else [[]] * position["players"]
    players = []
    for firm, hand, more in zip(position["firms"], position["hands"], chosen, strict=True):
        held = Counter([*hand, *more])
        insured = Counter(card for policy in firm["insured"] for card in policy["cash"])
        players.append(
            {
                "tabled": dict(Counter(firm["cash"])),
                "insured": dict(insured),
                "hand": {card: count for card, count in held.items() if card.startswith("cash-")},
                "venture": firm["venture"],
                "taxman": firm["taxman"],
                **{card: held[card] for card in ("crash", "recession", "bankruptcy")},
                "venture_held": held["venture"],
            }
        )
    options = position["options"]
    return {"players": players, "recession": options["recession"], "tax": options["tax"]}


@pytest.mark.parametrize("players", [2, 5, 8])
@pytest.mark.parametrize(("recession", "tax"), [(75, "harsh"), (50, "transfer")])
def test_the_sheet_and_the_engine_count_the_same(players: int, recession: int, tax: str) -> None:
    chooser = Random(players)
    state = kibitz.game("cash").deal(players, 3, recession=recession, tax=tax, trading=False)
    for _ in range(250):
        state.play(chooser.choice([move for move in state.legal_moves if str(move) != "play stop"]))
        points = np.zeros(8, np.int32)
        state.game.rules.score(state.fields(), points)
        answer = score_sheet(sheet_of(state.position()))["players"]
        assert [each["total"] for each in answer] == points[:players].tolist()


BAD_SHEETS: list[tuple[Any, str, str]] = [
    ([], "sheet-object", "sheet"),
    ({}, "sheet-players", "players"),
    ({"players": [{}]}, "sheet-players", "players"),
    ({"players": [{}] * 9}, "sheet-players", "players"),
    ({"players": [{}, None]}, "sheet-object", "players[1]"),
    ({"players": [{}, {}], "rounds": 3}, "sheet-key", "sheet"),
    ({"players": [{"gold": 1}, {}]}, "sheet-key", "players[0]"),
    ({"players": [{"tabled": {"cash-20": 1}}, {}]}, "sheet-key", "players[0].tabled"),
    ({"players": [{"tabled": {"cash-25": -1}}, {}]}, "sheet-count", "players[0].tabled.cash-25"),
    ({"players": [{"tabled": {"cash-25": True}}, {}]}, "sheet-count", "players[0].tabled.cash-25"),
    ({"players": [{"taxman": 217}, {}]}, "sheet-count", "players[0].taxman"),
    ({"players": [{"taxman": 1.0}, {}]}, "sheet-count", "players[0].taxman"),
    ({"players": [{"insured": {"cash-150": 1}}, {}]}, "sheet-uninsurable", "players[0].insured"),
    ({"players": [{}, {}], "tax": "mild"}, "sheet-choice", "tax"),
    ({"players": [{}, {}], "recession": "75"}, "sheet-choice", "recession"),
    ({"players": [{}, {}], "recession": 75.0}, "sheet-choice", "recession"),
]


@pytest.mark.parametrize(("sheet", "code", "key"), BAD_SHEETS, ids=lambda value: str(value)[:30])
def test_what_cannot_be_is_refused_in_both_languages(sheet: Any, code: str, key: str) -> None:
    with pytest.raises(BadSheet) as refused:
        score_sheet(sheet)
    assert (refused.value.code, refused.value.key) == (code, key)
    for language in LANGUAGES:
        said = catalogue(language, "kibitz.games.cash")(f"refusal.{code}", **refused.value.data)
        assert "{" not in said
        assert language != "en" or said == refused.value.reason


def test_every_round_has_the_same_players() -> None:
    with pytest.raises(BadSheet, match="same 2 players"):
        score_rounds([{"players": [{}, {}]}, {"players": [{}, {}, {}]}])


# At the terminal


def counted(*answers: str, names: tuple[str, ...] = ("Ann", "Ben")) -> tuple[Calculator, str]:
    """A calculator that is given these answers, and what it printed."""
    given = iter(answers)
    console = Console(file=io.StringIO(), width=100, color_system=None)
    calculator = Calculator(names, {}, WORDS, console, lambda _: next(given))
    calculator.run()
    assert isinstance(console.file, io.StringIO)
    assert next(given, None) is None
    return calculator, console.file.getvalue()


def blanks(count: int) -> Iterator[str]:
    return iter([""] * count)


def last_row(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith("Running total")][-1].split()[2:]


def test_a_round_is_asked_for_and_every_step_is_printed() -> None:
    _, printed = counted("25 25, 50", *blanks(8), "", "", "", "", "10", *blanks(4), "no")
    assert last_row(printed) == ["$100k", "−$10k"]
    for step in ("Tabled cash", "Cash in hand", "Bear cards in hand", "Paid to taxmen"):
        assert step in printed


def test_more_cards_than_our_box_has_are_warned_of_and_counted() -> None:
    _, printed = counted("150 150 150", *blanks(2 * len(QUESTIONS) - 1), "no")
    assert "That makes 3 × cash-150 in all; the box as Kibitz knows it has 2." in printed
    assert last_row(printed) == ["$450k", "$0"]


def test_totals_run_at_the_terminal_too() -> None:
    one = ["75", *blanks(2 * len(QUESTIONS) - 1)]
    _, printed = counted(*one, "yes", *one, "n")
    assert last_row(printed) == ["$150k", "$0"]


def test_an_entry_can_be_undone() -> None:
    _, printed = counted("75", "undo", "5", *blanks(2 * len(QUESTIONS) - 1), "no")
    assert last_row(printed) == ["$5k", "$0"]


def test_a_finished_round_can_be_taken_up_again() -> None:
    _, printed = counted(*blanks(2 * len(QUESTIONS)), "undo", "u", "1", "", "no")
    assert last_row(printed) == ["$0", "−$150k"]


def test_in_a_second_round_undo_goes_back_to_the_first() -> None:
    calculator, printed = counted(*blanks(2 * len(QUESTIONS)), "yes", "undo", "2", "no")
    assert len(calculator.rounds) == 1
    assert last_row(printed) == ["$0", "$0"]


def test_nothing_can_be_undone_before_the_first_entry() -> None:
    _, printed = counted("undo", *blanks(2 * len(QUESTIONS)), "no")
    assert "nothing to undo" in printed


def test_what_is_no_answer_is_asked_again() -> None:
    _, printed = counted("20", "25", "150", "", "x", "500", "0", *blanks(15), "what", "no")
    assert "“20” isn't cash of this game" in printed
    assert "“x” isn't a number" in printed
    assert "500 isn't a number of venture from 0 to 216" in printed
    assert "cash-150 can't be insured. [C12]" in printed


def test_two_to_eight_different_names() -> None:
    assert names_of(" Ann, Ben ,") == ["Ann", "Ben"]
    for wrong in ("", "Ann", "Ann,Ann", ",".join("abcdefghi")):
        assert names_of(wrong) == []


@pytest.mark.parametrize(("language", "said"), [("en", "Running total"), ("es", "Total acumulado")])
def test_the_command_counts_in_both_languages(language: str, said: str) -> None:
    answers = ["Ann", "Ann,Ben", *blanks(2 * len(QUESTIONS)), "no"]
    arguments = ["score", "cash", "--lang", language, "--option", "tax=transfer"]
    result = CliRunner().invoke(cli, arguments, input="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    assert said in result.output


def test_a_game_without_a_calculator_says_so() -> None:
    result = CliRunner().invoke(cli, ["score", "kaching"])
    assert result.exit_code == 1
    assert "needs no calculator" in result.output

"""CASH in the terminal: what the table shows of firms, offers and hands, and that it fits 80 by 24."""

from random import Random

import pytest

import kibitz
from kibitz.core.words import LANGUAGES, catalogue
from kibitz.terminal.result import scores
from tests.games.cash.positions import position, state_of
from tests.games.drawing import assert_it_fits, lines_of, scene_of


def test_a_firm_is_one_line() -> None:
    made = position(
        own="cash-25 cash-50 cover-25:cash-5,cash-10 venture taxman",
        their=["probe-crime"],
        scores=[245_500, -30_000],
        lost=[0, 2],
    )
    lines = lines_of(scene_of(state_of(made)))
    (mine,) = [line for line in lines if "p0 You" in line]
    assert mine.split()[3:] == ["$245.5k", "8▮", "✓", "25", "50", "[5", "10]", "V", "T"]
    (theirs,) = [line for line in lines if "p1 Medium" in line]
    assert theirs.split()[4:] == ["−$30k", "7▮", "!crime", "-2⟲"]


def test_the_own_hand_is_shown_and_no_other() -> None:
    state = state_of(position("cash-75 stop", others=["bankruptcy"]))
    shown = "\n".join(lines_of(scene_of(state)))
    assert "cash-75" in shown
    assert "bankruptcy" not in shown
    assert "cash-75" not in "\n".join(lines_of(scene_of(state, seat=None)))


def test_an_offer_is_shown_to_each_as_far_as_they_may_see_it() -> None:
    state = state_of(position("cash-75 stop", own="cash-25", others=["taxman", "stop"]))
    for move in ("trade p1", "give cash-75"):
        state.play(move)
    assert any("p0 offers p1: cash-75 for nothing" in line for line in lines_of(scene_of(state)))
    assert any("p0 is preparing an offer for p1" in line for line in lines_of(scene_of(state, seat=1)))
    for move in ("give firm cash-25", "want taxman", "propose"):
        state.play(move)
    assert any(
        "p0 offers p1: cash-75, firm cash-25 for taxman" in line for line in lines_of(scene_of(state, seat=1))
    )
    assert any("p0 offers p1: ?, firm cash-25 for ?" in line for line in lines_of(scene_of(state, seat=2)))


def test_after_the_one_card_only_trading_is_asked_for() -> None:
    state = state_of(position("cash-75 stop"))
    assert "Play or discard one card; trade if you like" in lines_of(scene_of(state))
    state.play("play cash-75")
    assert "Trade if you like, then: done" in lines_of(scene_of(state))


@pytest.mark.parametrize(("seats", "shown"), [(2, True), (4, True), (5, False)])
def test_marks_are_explained_where_there_is_room(seats: int, shown: bool) -> None:
    lines = lines_of(scene_of(kibitz.game("cash").deal(players=seats, seed=1)))
    assert any("V venture, T taxman" in line for line in lines) == shown


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        (0, ["You pass stop to Medium bot 1.", "Medium bot 1 passes taxman to you."]),
        (1, ["Medium bot 0 offers you: stop for taxman.", "Medium bot 0 passes stop to you."]),
        (2, ["Medium bot 0 offers Medium bot 1: a card for a card.", "Medium bot 1 accepts: it's a deal."]),
    ],
    ids=["maker", "other", "third"],
)
def test_the_log_names_players_and_speaks_to_the_reader(seat: int, told: list[str]) -> None:
    state = state_of(position("cash-75 stop", others=["taxman", "crash"]))
    for move in ("trade p1", "give stop", "want taxman", "propose", "accept"):
        state.play(move)
    lines = [line.strip(" ›") for line in lines_of(scene_of(state, seat))]
    assert [line for line in told if line in lines] == told


def test_a_result_that_is_too_wide_for_a_table_is_a_line_for_each_player() -> None:
    made = position("stop cash-5", own="cash-25 cash-50", others=["crash"], their=["cash-10 taxman"])
    state = state_of(made)
    state.play("play stop")
    words = catalogue("en", state.game.package, "kibitz.terminal")
    wide, narrow = (
        [line.plain for line in scores(state, words, ("Ann", "Ben"), width)] for width in (200, 80)
    )
    assert [line.split()[0] for line in wide[1:]] == ["Ann", "Ben"]
    assert "Venture" not in wide[0]
    assert narrow == [
        "   Ann: Tabled cash $75k, Cash in hand −$5k, Paid to taxmen −$7k, Score $63k",
        "   Ben: Tabled cash $10k, Bear cards in hand −$25k, Taken by the taxman $7k, Score −$8k",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_with_eight_players(language: str) -> None:
    chooser = Random(3)
    state = kibitz.game("cash").deal(8, seed=5, rounds=1, offers=2)
    phases = set()
    for number in range(400):
        if state.over:
            break
        if number % 4 == 0 or state.phase not in phases:
            phases.add(state.phase)
            for seat in (state.turn, None):
                lines = lines_of(scene_of(state, seat, language))
                assert_it_fits(lines)
        state.play(chooser.choice([move for move in state.legal_moves if str(move) != "play stop"]))
    assert phases >= {"action", "offer", "answer", "passing", "taking"}

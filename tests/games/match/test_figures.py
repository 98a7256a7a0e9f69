"""What a page is told of what fits and what counts."""

import pytest

import kibitz
from tests.games.match.positions import position

pytestmark = pytest.mark.interpreted

GAME = kibitz.game("match")


def test_the_colour_or_the_number_of_the_top_card_fits_or_what_was_called() -> None:
    assert GAME.from_position(position(top="R2")).figures(0)["asked"] == ["R", "2"]
    assert GAME.from_position(position(top="W", called="3")).figures(0)["asked"] == ["3"]


def test_a_fitting_card_goes_on_the_pile_another_to_the_collection_and_a_joker_takes_a_call() -> None:
    figures = GAME.from_position(position(hand="R1 G5 W", top="R2")).figures(0)
    assert {card: play["way"] for card, play in figures["plays"].items()} == {
        "R1": "match",
        "G5": "collect",
        "W": "call",
    }
    assert figures["plays"]["G5"]["points"] == 5
    assert len(figures["calls"]) == 11


def test_a_fitting_top_of_the_own_collection_binds() -> None:
    figures = GAME.from_position(position(hand="R1 G5", top="R3", own="B5 B3 G1")).figures(0)
    assert figures["binding"] == ["B3"]
    assert "G5" not in figures["plays"]


def test_buried_cards_count() -> None:
    assert GAME.from_position(position(own="B4 B3 G0 G3 Y5 P4 P2")).figures(1)["worths"] == [21, 0]


@pytest.mark.parametrize(
    ("hand", "prompt"),
    [("R1 G5", "phase.play"), ("R1 R3", "phase.play.match"), ("G5 B4", "phase.play.collect")],
)
def test_what_is_asked_is_what_can_be_done(hand: str, prompt: str) -> None:
    assert GAME.from_position(position(hand=hand, top="R2")).figures(0)["prompt"] == prompt

"""What a page is told of values, safety and steals."""

import pytest

import kibitz
from tests.games.assets.positions import position

pytestmark = pytest.mark.interpreted

GAME = kibitz.game("assets")
HANDS = ["home auto bank gold", "coins coins bank bank"]


def test_the_bottom_set_is_safe_and_only_the_top_one_can_be_stolen() -> None:
    stacks = ["home home", "auto auto | bank bank | coins gold"]
    figures = GAME.from_position(position(HANDS, stacks)).figures(0)
    assert [each["state"] for each in figures["stacks"][0]["sets"]] == ["safe"]
    assert [each["state"] for each in figures["stacks"][1]["sets"]] == ["safe", "covered", "top"]
    assert [each["worth"] for each in figures["stacks"][1]["sets"]] == [30_000, 20_000, 60_000]
    assert figures["stacks"][1]["worth"] == 110_000


@pytest.mark.parametrize(
    ("stacks", "hand", "reason"),
    [
        (["", "auto auto | bank bank"], "home auto bank gold", "no-set-yet"),
        (["home home", "auto auto"], "home auto bank gold", "bottom-is-safe"),
        (["home home", "auto auto | coins coins"], "home auto bank bank", "nothing-fits"),
        (["home home", "auto auto | coins coins"], "home auto bank gold", None),
    ],
)
def test_why_nothing_can_be_stolen_is_said(stacks: list[str], hand: str, reason: str | None) -> None:
    state = GAME.from_position(position([hand, "stamps stamps piggy piggy"], stacks))
    figures = state.figures(0)
    assert figures["stacks"][1]["unstealable"] == reason
    steals = [action for action in figures["actions"] if action["verb"] == "steal"]
    assert bool(steals) == (reason is None), "as the rules have it"


def test_a_move_is_told_with_its_cards_and_what_it_brings() -> None:
    stacks = ["home home", "auto auto | coins coins"]
    figures = GAME.from_position(position(HANDS, stacks, discard="bank")).figures(0)
    told = {action["move"]: action for action in figures["actions"]}
    assert told["pair home gold"]["worth"] == 70_000
    assert (told["take bank with bank"]["taken"], told["take bank with bank"]["worth"]) == ("bank", 20_000)
    assert (told["steal p1 with gold"]["victim"], told["steal p1 with gold"]["worth"]) == (1, 20_000)
    assert told["discard auto"]["cards"] == ["auto"]


@pytest.mark.parametrize(
    ("hand", "stacks", "discard", "prompt"),
    [
        ("home auto bank piggy", ["", ""], "", "phase.turn.discard"),
        ("home home bank piggy", ["", ""], "", "phase.turn.pair"),
        ("home auto bank piggy", ["", ""], "auto", "phase.turn.take"),
        ("home auto bank piggy", ["coins coins", "jewels jewels | home home"], "", "phase.turn.steal"),
        ("home home auto bank", ["coins coins", "jewels jewels | auto auto"], "bank", "phase.turn"),
    ],
)
def test_what_is_asked_names_the_ways_that_are_open(
    hand: str, stacks: list[str], discard: str, prompt: str
) -> None:
    state = GAME.from_position(position([hand, "stamps stamps piggy piggy"], stacks, discard))
    assert state.figures(0)["prompt"] == prompt

"""A turn: pair, take or discard."""

import pytest

from tests.games.assets.positions import moves, played, position, start, state_of

pytestmark = pytest.mark.interpreted


def of(verb: str, found: set[str]) -> set[str]:
    return {move for move in found if move.startswith(verb)}


# Pairs


def test_two_equal_assets_are_a_pair() -> None:
    state = start(["home home auto bank", "piggy piggy piggy piggy"])
    assert of("pair", moves(state)) == {"pair home home"}


def test_one_asset_and_one_wild_are_a_pair() -> None:
    state = start(["home auto silver gold", "piggy piggy piggy piggy"])
    pairs = {"pair home silver", "pair home gold", "pair auto silver", "pair auto gold"}
    assert of("pair", moves(state)) == pairs


def test_two_wilds_are_never_a_pair() -> None:
    state = start(["silver silver gold gold", "piggy piggy piggy piggy"])
    assert of("pair", moves(state)) == set()


def test_equal_cards_in_the_hand_make_one_move() -> None:
    state = start(["home home home home", "piggy piggy piggy piggy"])
    assert moves(state) == {"pair home home", "discard home"}


def test_a_pair_becomes_the_new_top_set_of_the_own_stack() -> None:
    after = played(start(["auto bank bank gold", "piggy"], ["home home", ""]), "pair bank gold")
    assert after["stacks"][0] == [
        {"asset": "home", "cards": ["home", "home"]},
        {"asset": "bank", "cards": ["bank", "gold"]},
    ]


def test_sets_never_merge() -> None:
    after = played(start(["home home", "piggy"], ["home home", ""]), "pair home home")
    assert [one["cards"] for one in after["stacks"][0]] == [["home", "home"], ["home", "home"]]


def test_after_the_action_the_hand_is_drawn_back_up_to_the_limit() -> None:
    state = start(["home home auto bank", "piggy piggy piggy piggy"], deck="coins stamps baseball jewels")
    after = played(state, "pair home home")
    assert after["hands"][0] == ["auto", "jewels", "bank", "baseball"]
    assert after["deck"] == ["coins", "stamps"]
    assert after["turn"] == 1
    assert after["moves"] == 1


def test_a_hand_of_5_is_drawn_back_up_to_5() -> None:
    state = start(["home home auto bank coins", "piggy"], options={"hand": 5})
    assert len(played(state, "discard home")["hands"][0]) == 5


# Takes


def test_the_top_discard_is_taken_with_its_like_or_a_wild() -> None:
    state = start(["home auto silver gold", "piggy"], discard="bank home")
    assert of("take", moves(state)) == {"take home with home", "take home with silver", "take home with gold"}


def test_only_the_top_discard_can_be_taken() -> None:
    state = start(["home auto", "piggy"], discard="home auto bank")
    assert of("take", moves(state)) == set()


@pytest.mark.parametrize(
    ("top", "card", "cards"),
    [
        ("home", "home", ["home", "home"]),
        ("home", "gold", ["home", "gold"]),
        ("home", "silver", ["home", "silver"]),
        ("gold", "home", ["home", "gold"]),
        ("silver", "home", ["home", "silver"]),
    ],
)
def test_a_taken_pair_is_laid_as_a_set_with_its_cards_in_card_order(
    top: str, card: str, cards: list[str]
) -> None:
    after = played(start([f"{card} bank", "piggy"], discard=f"auto {top}"), f"take {top} with {card}")
    assert after["stacks"][0] == [{"asset": "home", "cards": cards}]
    assert after["discard"] == ["auto"]
    assert len(after["hands"][0]) == 4


def test_an_empty_pile_stays_empty_until_someone_discards() -> None:
    state = start(["home auto", "piggy piggy"], discard="home")
    assert played(state, "take home with home")["discard"] == []
    assert of("take", moves(state)) == set()
    assert played(state, "pair piggy piggy")["discard"] == []
    assert played(state, "discard auto")["discard"] == ["auto"]


# Discards


def test_any_hand_card_may_be_discarded() -> None:
    state = start(["home home auto gold", "piggy"])
    assert of("discard", moves(state)) == {"discard home", "discard auto", "discard gold"}


# Who is next


def test_the_next_turn_is_that_of_the_next_seat_clockwise() -> None:
    for seat in range(3):
        made = position(["home auto", "bank bank", "piggy piggy"], turn=seat)
        state = state_of(made)
        state.play(state.legal_moves[-1])
        assert state.turn == (seat + 1) % 3


def test_with_an_empty_deck_nobody_draws() -> None:
    after = played(start(["home home auto bank", "piggy piggy"], deck=""), "pair home home")
    assert after["hands"] == [["auto", "bank"], ["piggy", "piggy"]]

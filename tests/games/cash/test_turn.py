"""A turn: draw, one card, the hand step; lost turns and extra turns."""

import pytest

from kibitz.core.events import Drew, Reshuffled
from tests.games.cash.naive import BEARS, CARD_ORDER
from tests.games.cash.positions import OTHER, firm, moves, passing, played, position, start, state_of

pytestmark = pytest.mark.interpreted

SEVEN = "license license stop stop settlement settlement clear-crime"


# Draw


def test_a_turn_begins_with_drawing_the_top_card() -> None:
    state = start("license", deck="broker taxman stop stop stop stop stop stop cash-10")
    after = played(state, "discard license", "done")
    assert after["turn"] == 1
    assert after["deck"] == ["broker"]
    assert sorted(after["hands"][1]) == sorted([*OTHER.split(), "taxman"])


def test_the_discards_become_the_deck_only_when_a_card_must_be_drawn() -> None:
    """Not before: an empty deck stays empty until then."""
    state = start(f"{SEVEN} crash", deck="taxman", discard="cash-150 banker")
    after = played(state, "discard license", "done")
    assert after["deck"] == []
    assert after["discard"][-3:] == ["cash-150", "banker", "license"]
    after = played(state, "discard clear-crime", "done")
    assert after["discard"] == []
    assert len(after["deck"]) == 216 - 2 - 8 - 7
    assert any(isinstance(event, Reshuffled) for event in state.log(None))


def test_a_hand_step_may_use_the_end_of_one_deck_and_the_beginning_of_the_next() -> None:
    state = start("license stop", deck="taxman cash-150")
    after = played(state, "discard license", "done")
    assert {"taxman", "cash-150"} <= set(after["hands"][0])
    assert [len(hand) for hand in after["hands"]] == [7, 8]
    assert after["discard"] == []


# One card


def test_one_card_is_played_or_discarded_and_nobody_may_pass() -> None:
    state = start("cash-5 cash-5 license")
    assert moves(state, "play", "discard", "done") == {"play cash-5", "discard cash-5", "discard license"}


def test_after_the_one_card_the_phase_stays_action_with_acted() -> None:
    state = start("cash-5 license")
    after = played(state, "play cash-5")
    assert (after["phase"], after["acted"], after["turn"]) == ("action", True, 0)
    assert moves(state) == {"done", "trade p1"}


def test_done_is_always_needed_also_as_the_only_move() -> None:
    for options, offers in (({"trading": False}, 0), ({}, 5)):
        state = start("cash-5 license", options=options, offers=offers)
        assert played(state, "discard license")["turn"] == 0
        assert moves(state) == {"done"}
        assert played(state, "done")["turn"] == 1


def test_who_has_not_acted_and_holds_no_card_may_be_done() -> None:
    state = start("", options={"trading": False})
    assert moves(state) == {"done"}
    after = played(state, "done")
    assert [len(hand) for hand in after["hands"]] == [7, 8]
    assert after["turn"] == 1


def test_who_gave_everything_away_may_still_trade() -> None:
    assert moves(start("")) == {"done", "trade p1"}


def test_with_a_card_in_hand_and_nothing_done_done_is_not_legal() -> None:
    assert "done" not in moves(start("license"))


@pytest.mark.parametrize("card", CARD_ORDER)
def test_every_card_can_be_discarded_with_and_without_a_license_and_under_investigation(card: str) -> None:
    for own in (firm(), firm(license=False), firm("probe-crime")):
        state = start(card, own)
        assert f"discard {card}" in moves(state)
        assert card in played(state, f"discard {card}")["discard"]


@pytest.mark.parametrize("card", CARD_ORDER)
def test_two_equal_cards_make_one_move(card: str) -> None:
    state = start(f"{card} {card}", "cash-25 cash-25")
    texts = [str(move) for move in state.legal_moves]
    assert len(texts) == len(set(texts))
    assert texts.count(f"discard {card}") == 1


# The hand step


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_fewer_than_seven_draw_up_to_seven(count: int) -> None:
    hand = " ".join(["license"] * count)
    after = played(start(hand), "discard license", "done")
    assert len(after["hands"][0]) == 7
    assert after["turn"] == 1


def test_eight_after_a_trade_are_discarded_down_to_seven_one_a_move() -> None:
    state = start(f"{SEVEN} crash crash crash", acted=True)
    after = played(state, "done")
    assert (after["phase"], after["turn"]) == ("trim", 0)
    kinds = {"license", "stop", "settlement", "clear-crime", "crash"}
    assert moves(state) == {f"trim {card}" for card in kinds}
    after = played(state, "trim license", "trim stop")
    assert (after["phase"], len(after["hands"][0])) == ("trim", 8)
    after = played(state, "trim settlement")
    assert (after["phase"], after["turn"], len(after["hands"][0])) == ("action", 1, 7)
    assert after["discard"] == ["license", "stop", "settlement"]


def test_there_is_no_trading_in_the_hand_step() -> None:
    state = start(f"{SEVEN} crash", phase="trim", acted=True)
    assert moves(state, "trade", "done", "play", "discard") == set()


@pytest.mark.parametrize("card", [card for card in CARD_ORDER if card not in BEARS])
def test_hand_step_discards_have_no_effect(card: str) -> None:
    """Unless they are bear cards. [C7]"""
    hand = f"{SEVEN} {card}"
    own = firm("cash-25 cash-25 probe-crime" if card.startswith("clear") else "cash-25 cash-25")
    state = start(hand, own, their=["cash-25 cash-50 venture"], phase="trim", acted=True)
    before = state.position()
    after = played(state, f"trim {card}")
    assert after["firms"] == before["firms"]
    assert after["discard"] == [card]
    assert (after["lost"], after["extra"], after["turn"], after["phase"]) == ([0, 0], False, 1, "action")


@pytest.mark.parametrize(("card", "lost"), [("crash", "cash-5"), ("recession", "cash-50")])
def test_bear_cards_take_effect_in_the_hand_step(card: str, lost: str) -> None:
    """[C7]"""
    state = start(f"{SEVEN} {card}", "cash-5 cash-25 cash-50", phase="trim", acted=True)
    after = played(state, f"trim {card}")
    assert after["discard"] == [card, lost]
    assert after["lost"] == [1, 0]
    assert after["phase"] == "passing"
    assert after["passing"] == passing(1 if card == "crash" else 2, 0, True, "", "")


def test_after_a_bear_card_in_the_hand_step_the_passing_happens_then_the_step_starts_again() -> None:
    """[C31]"""
    state = start(f"{SEVEN} crash broker", phase="trim", acted=True)
    after = played(state, "trim crash", "pass broker", "pass settlement")
    assert (after["phase"], after["turn"], len(after["hands"][0])) == ("trim", 0, 8)
    assert after["hands"][0].count("settlement") == 3
    assert after["passing"] is None
    after = played(state, "trim stop")
    assert (after["phase"], after["turn"]) == ("action", 1)


def test_a_hand_that_the_passing_made_too_small_is_filled_again() -> None:
    """[C31]"""
    state = start(f"{SEVEN} recession", others=[""], phase="trim", acted=True)
    after = played(state, "trim recession", "pass license", "pass license")
    assert [len(hand) for hand in after["hands"]] == [7, 3]
    assert after["turn"] == 1


def test_bankruptcy_in_the_hand_step_ends_it_with_seven_new_cards() -> None:
    """[C7] [C31]"""
    state = start(f"{SEVEN} bankruptcy license license", "cash-5", phase="trim", acted=True)
    after = played(state, "trim bankruptcy")
    assert after["firms"][0] == firm(license=False)
    assert len(after["hands"][0]) == 7
    assert after["lost"] == [2, 0]
    assert (after["phase"], after["turn"]) == ("action", 1)


# Lost turns


def test_a_lost_turn_counts_down_when_the_turn_would_have_come() -> None:
    """No draw, no action, no hand step. [C30]"""
    made = position(SEVEN, others=["cash-5", OTHER], lost=[0, 2, 0], acted=True)
    state = state_of(made)
    after = played(state, "done")
    assert (after["turn"], after["lost"]) == (2, [0, 1, 0])
    assert after["hands"][1] == ["cash-5"]
    after = played(state, "discard settlement", "done")
    assert (after["turn"], after["lost"]) == (0, [0, 1, 0])
    after = played(state, "discard license", "done")
    assert (after["turn"], after["lost"]) == (2, [0, 0, 0])
    assert after["hands"][1] == ["cash-5"]


def test_lost_turns_add_up() -> None:
    """[C3]"""
    state = start("broker banker crash", "cash-5", lost=[0, 1])
    assert played(state, "discard broker")["lost"] == [0, 2]
    state = start("broker banker crash", "cash-5", lost=[0, 1])
    assert played(state, "discard banker")["lost"] == [0, 3]
    state = start("crash license", "cash-5", lost=[3, 1])
    assert played(state, "discard crash")["lost"] == [4, 1]


def test_when_all_have_lost_turns_they_are_counted_down_in_turn() -> None:
    """[C30]"""
    state = start(SEVEN, others=[OTHER, OTHER.replace("crime", "laundering")], lost=[1, 2, 2], acted=True)
    after = played(state, "done")
    assert (after["turn"], after["lost"]) == (0, [0, 0, 0])


def test_with_a_lost_turn_answering_offers_and_passing_cards_go_on() -> None:
    """[C3]"""
    state = start("crash cash-5 license", lost=[0, 2])
    after = played(state, "trade p1", "give cash-5", "want settlement", "propose")
    assert after["turn"] == 1
    assert moves(state) == {"accept", "decline"}
    after = played(state, "accept", "discard crash", "pass license")
    assert (after["turn"], after["phase"], after["lost"]) == (1, "passing", [1, 2])


# Extra turns


@pytest.mark.parametrize("card", ["dividend", "premium"])
def test_an_extra_turn_comes_after_the_hand_step_before_anybody_else(card: str) -> None:
    """[C4] [C26]"""
    state = start(f"{SEVEN} {card}")
    after = played(state, f"discard {card}")
    assert (after["extra"], after["phase"]) == (True, "action")
    after = played(state, "done")
    assert (after["extra"], after["phase"], after["turn"], after["acted"]) == (True, "again", 0, True)
    assert moves(state) == {"again", "done"}
    after = played(state, "again")
    assert (after["extra"], after["phase"], after["turn"]) == (False, "action", 0)
    assert (after["acted"], after["offers"], len(after["hands"][0])) == (False, 0, 8)


def test_an_extra_turn_may_be_declined() -> None:
    after = played(start(f"{SEVEN} dividend"), "discard dividend", "done", "done")
    assert (after["extra"], after["phase"], after["turn"], after["acted"]) == (False, "action", 1, False)
    assert len(after["hands"][1]) == 8


def test_extra_turns_can_chain() -> None:
    """[C4]"""
    state = start(f"{SEVEN[8:]} dividend premium")
    played(state, "discard dividend", "done", "again", "discard premium", "done")
    assert moves(state) == {"again", "done"}
    assert played(state, "again")["turn"] == 0


def test_an_extra_turn_comes_after_trimming_too() -> None:
    """[C4]"""
    state = start(f"{SEVEN} dividend broker")
    after = played(state, "discard dividend", "done")
    assert (after["phase"], after["extra"]) == ("trim", True)
    assert played(state, "trim broker")["phase"] == "again"


def test_drawn_cards_are_told_as_events_in_their_order() -> None:
    state = start("license license", deck="stop taxman cash-5 cash-10 cash-25 cash-50 cash-75 cash-150")
    state.play("discard license")
    state.play("done")
    drawn = [event for event in state.log(0) if isinstance(event, Drew)]
    assert [event.card for event in drawn[:6]] == [
        "cash-150",
        "cash-75",
        "cash-50",
        "cash-25",
        "cash-10",
        "cash-5",
    ]
    assert drawn[6] == Drew(1, "?")
    assert [event for event in state.log(1) if isinstance(event, Drew)][6] == Drew(1, "taxman")

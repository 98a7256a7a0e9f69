"""Bull market, bear market and commission."""

import pytest

from tests.games.cash.positions import firm, moves, passing, played, position, start, state_of

pytestmark = pytest.mark.interpreted


# Dividend and premium


@pytest.mark.parametrize(
    ("card", "own", "left"),
    [
        ("dividend", "cash-5 cash-5 cash-75", ["cash-25", "cash-150"]),
        ("premium", "cash-5 cash-25 cash-150", ["cash-5", "cash-75"]),
    ],
)
def test_the_lowest_or_highest_uninsured_cash_of_each_opponent_is_taken(
    card: str, own: str, left: list[str]
) -> None:
    their = ["cash-5 cash-25", "cash-75 cash-150", ""]
    state = start(f"{card} license", "cash-5", others=["stop", "stop", "stop"], their=their)
    after = played(state, f"discard {card}")
    assert after["firms"] == [firm(own), firm(left[0]), firm(left[1]), firm()]
    assert after["discard"] == [card]
    assert after["lost"] == [0, 0, 0, 0]


def test_equal_lowest_or_highest_cards_are_the_same() -> None:
    """[C11]"""
    for card in ("dividend", "premium"):
        state = start(f"{card} license", their=["cash-50 cash-50"])
        assert played(state, f"discard {card}")["firms"][1] == firm("cash-50")


@pytest.mark.parametrize("card", ["dividend", "premium"])
def test_taking_and_lifting_is_automatic(card: str) -> None:
    """There is no choice in it. [C28]"""
    state = start(f"{card} license", "probe-insider", their=["cash-5 cash-10"])
    assert moves(state, "discard") == {f"discard {card}", "discard license"}
    after = played(state, f"discard {card}")
    assert (after["turn"], after["phase"], after["firms"][0]["probe"]) == (0, "action", None)


# Takeover


def test_a_takeover_takes_a_tabled_venture_for_one_fee() -> None:
    """[C14]"""
    state = start("takeover license", "cash-25 cash-25", their=["venture cash-5"])
    after = played(state, "discard takeover on p1")
    assert after["firms"] == [firm("cash-25 venture"), firm("cash-5")]
    assert after["discard"] == ["takeover", "cash-25"]
    assert after["acted"] is True


def test_a_takeover_takes_one_of_several_ventures() -> None:
    state = start("takeover", "cash-25", their=["venture venture"])
    after = played(state, "discard takeover on p1")
    assert [each["venture"] for each in after["firms"]] == [1, 1]


def test_each_opponent_with_a_venture_can_be_the_target() -> None:
    state = start(
        "takeover", "cash-25 venture", others=["stop"] * 3, their=["venture", "", "venture probe-crime"]
    )
    assert moves(state, "discard") == {"discard takeover", "discard takeover on p1", "discard takeover on p3"}


def test_a_plain_discard_of_a_takeover_is_always_possible() -> None:
    state = start("takeover", "cash-25", their=["venture"])
    after = played(state, "discard takeover")
    assert after["firms"] == [firm("cash-25"), firm("venture")]
    assert after["discard"] == ["takeover"]


# Crash and recession


@pytest.mark.parametrize(("card", "lost", "count"), [("crash", "cash-5", 1), ("recession", "cash-50", 2)])
def test_a_bear_card_costs_cash_and_a_turn_then_everybody_passes(card: str, lost: str, count: int) -> None:
    state = start(f"{card} license stop", "cash-5 cash-25 cash-50", their=["cash-10"])
    after = played(state, f"discard {card}")
    assert after["discard"] == [card, lost]
    assert after["firms"][1] == firm("cash-10")
    assert after["lost"] == [1, 0]
    assert (after["phase"], after["turn"], after["acted"]) == ("passing", 0, True)
    assert after["passing"] == passing(count, 0, False, "", "")


def test_without_tabled_cash_the_turn_is_lost_and_cards_are_passed_all_the_same() -> None:
    after = played(start("crash license"), "discard crash")
    assert (after["discard"], after["lost"], after["phase"]) == (["crash"], [1, 0], "passing")


def test_everyone_chooses_first_then_all_hand_over_to_the_previous_seat() -> None:
    """[C9]"""
    state = start("crash cash-5 license", others=["cash-10 stop", "cash-25 stop"], turn=0)
    after = played(state, "discard crash")
    assert moves(state) == {"pass cash-5", "pass license"}
    after = played(state, "pass cash-5")
    assert after["turn"] == 1
    assert after["hands"] == [["license"], ["stop", "cash-10"], ["stop", "cash-25"]]
    assert after["passing"] == passing(1, 0, False, "cash-5", "", "")
    after = played(state, "pass cash-10", "pass cash-25")
    assert after["hands"] == [["license", "cash-10"], ["stop", "cash-25"], ["stop", "cash-5"]]
    assert (after["phase"], after["turn"], after["passing"], after["acted"]) == ("action", 0, None, True)
    assert moves(state) == {"done", "trade p1", "trade p2"}


def test_the_lowest_seat_that_still_has_to_choose_is_in_turn() -> None:
    """Whoever's bear card it was; one card a move."""
    state = start("stop license", others=["cash-5 cash-10", "recession taxman license license"], turn=2)
    seats = []
    state.play("discard recession")
    for card in ("stop", "license", "cash-10", "cash-5", "license", "license"):
        seats.append(state.turn)
        state.play(f"pass {card}")
    assert seats == [0, 0, 1, 1, 2, 2]
    after = state.position()
    assert (after["turn"], after["phase"]) == (2, "action")
    assert after["hands"] == [["cash-5", "cash-10"], ["license", "license"], ["license", "stop", "taxman"]]


def test_who_has_too_few_cards_passes_what_there_is() -> None:
    """[C9]"""
    state = start("recession", others=["cash-5", "cash-10 cash-25 stop"])
    after = played(state, "discard recession")
    assert after["turn"] == 1
    after = played(state, "pass cash-5")
    assert after["turn"] == 2
    after = played(state, "pass cash-10", "pass cash-25")
    assert after["hands"] == [["cash-5"], ["cash-10", "cash-25"], ["stop"]]


def test_when_nobody_has_a_card_nothing_is_passed() -> None:
    """[C9]"""
    after = played(start("crash", others=[""]), "discard crash")
    assert (after["phase"], after["turn"], after["hands"]) == ("action", 0, [[], []])


def test_chosen_cards_are_kept_in_order() -> None:
    state = start("recession taxman license", others=["stop"])
    after = played(state, "discard recession", "pass taxman", "pass license")
    assert after["passing"]["chosen"] == [["license", "taxman"], []]


def test_a_player_with_one_kind_of_card_still_chooses_it() -> None:
    """It is never done for them: that would tell."""
    state = start("crash stop", others=["stop"])
    assert played(state, "discard crash")["turn"] == 0
    assert moves(state) == {"pass stop"}
    assert played(state, "pass stop")["turn"] == 1


def test_with_two_players_the_right_is_the_opponent() -> None:
    """[C20]"""
    after = played(start("crash stop", others=["taxman"]), "discard crash", "pass stop", "pass taxman")
    assert after["hands"] == [["taxman"], ["stop"]]


def test_a_passing_may_be_taken_up_from_a_position() -> None:
    made = position(
        "license",
        others=["stop", "taxman"],
        phase="passing",
        turn=1,
        acted=True,
        passing=passing(1, 2, False, "cash-5", "", ""),
    )
    after = played(state_of(made), "pass stop", "pass taxman")
    assert after["hands"] == [["license", "stop"], ["taxman"], ["cash-5"]]
    assert after["turn"] == 2


# Bankruptcy


def test_bankruptcy_takes_all_but_insured_cash_and_the_next_two_turns() -> None:
    own = "probe-crime taxman venture venture cash-5 cash-25 cover-25:cash-10"
    state = start("bankruptcy stop license", own)
    after = played(state, "discard bankruptcy")
    assert after["firms"][0] == firm("cover-25:cash-10", license=False)
    assert after["discard"] == [
        "bankruptcy",
        "license",
        "probe-crime",
        "taxman",
        "venture",
        "venture",
        "cash-5",
        "cash-25",
        "license",
        "stop",
    ]
    assert len(after["hands"][0]) == 7
    assert after["lost"] == [2, 0]
    assert (after["phase"], after["turn"], after["acted"]) == ("action", 0, True)


def test_the_seven_cards_are_drawn_at_once_also_from_a_reshuffled_deck() -> None:
    state = start("bankruptcy stop", "cash-5", deck="taxman taxman", discard="broker")
    after = played(state, "discard bankruptcy")
    assert after["hands"][0].count("taxman") == 2
    assert len(after["hands"][0]) == 7
    assert after["discard"] == []


@pytest.mark.parametrize("card", ["crash", "recession", "bankruptcy", "dividend", "broker"])
def test_cards_thrown_away_by_bankruptcy_have_no_effect(card: str) -> None:
    """[C8]"""
    state = start(f"bankruptcy {card}", their=["cash-25"])
    after = played(state, "discard bankruptcy")
    assert after["discard"] == ["bankruptcy", "license", card]
    assert (after["lost"], after["extra"], after["phase"]) == ([2, 0], False, "action")
    assert after["firms"][1] == firm("cash-25")


# Commission

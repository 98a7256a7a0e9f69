"""Counter-offers: who is asked may ask back, within the offers of the turn."""

import pytest

from kibitz.core.state import State
from tests.games.bad_input import refuse_position
from tests.games.cash.naive import CARD_ORDER
from tests.games.cash.positions import UNLICENSED, firm, moves, offered, played, state_of
from tests.games.cash.test_known import known
from tests.games.cash.version_2 import SEVEN, countering, position, start

pytestmark = pytest.mark.interpreted


def asked(**changes: object) -> State:
    """Seat 0 has offered seat 1 a stop for a taxman; seat 2 looks on."""
    state = start(
        "cash-5 stop license", "cash-25", others=["taxman crash", "broker"], their=["cash-50"], **changes
    )
    played(state, "trade p1", "give stop", "want taxman", "propose")
    return state


def test_a_counter_turns_the_offer_around_and_empties_it() -> None:
    state = asked()
    after = played(state, "counter")
    assert after["offer"] == offered(1, 0, counter=True)
    assert (after["phase"], after["turn"], after["offers"]) == ("offer", 1, 2)
    own = {"give crash", "give taxman", "give firm cash-50", "want firm cash-25", "drop"}
    assert moves(state) == own | {f"want {card}" for card in CARD_ORDER}


def test_a_counter_offer_is_built_and_proposed_as_any_other() -> None:
    state = asked()
    after = played(state, "counter", "give taxman", "want cash-5", "want firm cash-25", "propose")
    built = offered(1, 0, counter=True, give="taxman", want="cash-5", want_firm="cash-25")
    assert (after["offer"], after["phase"], after["turn"]) == (built, "answer", 0)
    assert moves(state) == {"accept", "decline", "counter"}


def test_an_accepted_counter_offer_happens_and_the_player_whose_turn_it_is_goes_on() -> None:
    state = asked()
    after = played(state, "counter", "give taxman", "want cash-5", "want firm cash-25", "propose", "accept")
    assert after["hands"][:2] == [["license", "stop", "taxman"], ["cash-5", "crash"]]
    assert after["firms"][:2] == [firm(), firm("cash-25 cash-50")]
    assert (after["phase"], after["turn"], after["offer"], after["acted"]) == ("action", 0, None, False)


@pytest.mark.parametrize("way_out", [["drop"], ["give crash", "propose", "decline"]], ids=["drop", "decline"])
def test_a_dropped_or_declined_counter_offer_changes_nothing(way_out: list[str]) -> None:
    state = asked()
    before = state.position()
    after = played(state, "counter", *way_out)
    assert (after["hands"], after["firms"]) == (before["hands"], before["firms"])
    assert (after["phase"], after["turn"], after["offer"], after["offers"]) == ("action", 0, None, 2)


def test_after_the_one_card_acted_stays_as_it_was() -> None:
    state = start("cash-5 stop", others=["taxman"])
    after = played(state, "play cash-5", "trade p1", "want taxman", "propose", "counter", "drop")
    assert (after["acted"], after["phase"], after["turn"]) == (True, "action", 0)


def test_a_counter_offer_can_be_countered() -> None:
    """`counter` is true exactly if it isn't made by the player whose turn it is."""
    state = asked()
    after = played(state, "counter", "give crash", "propose", "counter")
    assert (after["offer"], after["turn"], after["offers"]) == (offered(0, 1), 0, 3)
    after = played(state, "want taxman", "propose", "counter")
    assert (after["offer"], after["turn"], after["offers"]) == (offered(1, 0, counter=True), 1, 4)
    assert played(state, "drop")["turn"] == 0


def test_counters_count_among_the_offers_of_the_turn() -> None:
    state = asked(options={"offers": 3})
    played(state, "counter", "give crash", "propose", "counter")
    after = played(state, "want taxman", "propose")
    assert (after["offers"], moves(state)) == (3, {"accept", "decline"})
    played(state, "decline")
    assert moves(state, "trade") == set()


def test_where_nobody_counters_an_offer_is_accepted_or_declined() -> None:
    assert moves(asked(options={"counter": False})) == {"accept", "decline"}


def test_who_lacks_what_is_wanted_may_decline_or_counter() -> None:
    state = start("cash-5 stop", others=["crash"])
    played(state, "trade p1", "want taxman", "propose")
    assert moves(state) == {"decline", "counter"}


def test_a_counter_offer_may_ask_for_what_the_other_does_not_hold() -> None:
    state = asked()
    played(state, "counter", "give crash", "want premium", "propose")
    assert moves(state) == {"decline", "counter"}


@pytest.mark.parametrize("their", [UNLICENSED, firm("probe-crime")], ids=["unlicensed", "investigated"])
def test_who_loses_turns_or_may_not_act_may_counter_all_the_same(their: dict[str, object]) -> None:
    """[C3]"""
    state = start("cash-5 stop", others=["taxman"], their=[their], lost=[0, 2])
    played(state, "trade p1", "want taxman", "propose")
    assert "counter" in moves(state)


def test_who_makes_a_counter_offer_may_not_end_above_seven_hand_cards() -> None:
    """Nobody but the player whose turn it is may, whoever proposes."""
    state = start("cash-5 stop", others=[SEVEN])
    played(state, "trade p1", "want stop", "propose", "counter", "want stop")
    assert "propose" not in moves(state)
    played(state, "drop", "trade p1", "want stop", "propose", "counter", "give license", "want stop")
    assert "propose" in moves(state)


def test_by_a_counter_offer_the_player_whose_turn_it_is_may_end_above_seven() -> None:
    state = start(f"{SEVEN} cash-5", others=["crash crash"])
    after = played(state, "trade p1", "give cash-5", "propose", "counter", *["give crash"] * 2, "propose")
    assert after["phase"] == "answer"
    assert len(played(state, "accept")["hands"][0]) == 10


def test_at_the_cap_of_moves_an_open_counter_offer_lapses() -> None:
    """[C35]"""
    state = state_of(countering(moves=4999))
    after = played(state, "drop")
    assert (after["round"], after["offer"], after["offers"]) == (2, None, 0)
    state = state_of(countering(moves=4999))
    after = played(state, "propose")
    assert (after["round"], after["offer"], after["offers"]) == (2, None, 0)


# What is seen


def test_while_a_counter_offer_is_built_the_others_see_only_between_whom() -> None:
    state = asked()
    played(state, "counter", "give taxman", "give firm cash-50", "want cash-5")
    for seat in (None, 0, 2):
        assert state.view(seat)["offer"] == offered(1, 0, counter=True)
    assert state.view(1)["offer"] == state.position()["offer"]


def test_third_parties_see_of_a_counter_offer_what_they_see_of_an_offer() -> None:
    state = asked()
    played(state, "counter", "give taxman", "give firm cash-50", "want cash-5", "propose")
    for seat in (None, 2):
        seen = state.view(seat)["offer"]
        assert seen == offered(1, 0, counter=True, give_firm="cash-50") | {"give": ["?"], "want": ["?"]}
        assert "taxman" not in repr(state.log(seat))
        assert "cash-5'" not in repr(state.log(seat))
    for seat in (0, 1):
        assert state.view(seat)["offer"] == state.position()["offer"]


def test_hand_cards_of_a_counter_offer_become_known_to_who_is_asked() -> None:
    """And to nobody else; what is dropped or wanted tells nothing."""
    state = asked()
    played(state, "counter", "give crash", "give taxman", "drop")
    assert [known(state, seat, 1) for seat in (0, 2)] == [{}, {}]
    state = asked()
    played(state, "counter", "give crash", "give taxman", "want license", "propose")
    assert known(state, 0, 1) == {"crash": 1, "taxman": 1}
    assert known(state, 2, 1) == {}
    assert known(state, 1, 0) == {"stop": 1}


def test_the_log_tells_of_a_counter_offer() -> None:
    state = asked()
    played(state, "counter", "give crash", "want stop", "propose", "decline")
    told = [sentence.key for sentence in state.game.sentences(state.log(2))]
    assert told == ["log.offer", "log.counter", "log.offer", "log.decline"]


# Positions


def test_a_counter_offer_may_be_taken_up_from_a_position() -> None:
    state = state_of(countering())
    assert moves(state) == {"propose", "drop"}
    after = played(state, "propose", "decline")
    assert (after["turn"], after["phase"]) == (0, "action")


def test_a_counter_offer_needs_the_option_and_a_second_offer() -> None:
    made = countering()
    made["options"]["counter"] = False
    refuse_position(made, "offer")
    refuse_position(countering(offers=1), "offers")


def test_the_side_that_decides_follows_from_the_offer() -> None:
    refuse_position(countering(turn=0), "turn")
    refuse_position(countering(phase="answer"), "turn")
    assert state_of(countering(phase="answer", turn=0)).turn == 0


def test_a_proposed_counter_offer_leaves_its_maker_at_most_seven_hand_cards() -> None:
    full = offered(1, 0, counter=True, want="stop")
    refuse_position(position(others=[SEVEN], phase="answer", offers=2, offer=full), "offer")
    gift = offered(1, 0, counter=True, give="stop")
    made = position(SEVEN, others=[SEVEN], phase="answer", offers=2, offer=gift)
    assert state_of(made).turn == 0


def test_there_are_not_more_offers_than_the_table_agreed_on() -> None:
    refuse_position(position(offers=4, options={"offers": 3}), "offers")
    assert state_of(position(offers=3, options={"offers": 3})).turn == 0

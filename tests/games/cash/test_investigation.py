"""Investigations, and the ways out of them."""

import pytest

from tests.games.cash.naive import CARD_ORDER
from tests.games.cash.positions import UNLICENSED, firm, moves, played, start

pytestmark = pytest.mark.interpreted

CAUSES = ["bribery", "insider", "laundering", "crime"]
ALL_KINDS = " ".join(CARD_ORDER)


@pytest.mark.parametrize("cause", CAUSES)
def test_a_probe_is_played_on_a_rivals_license(cause: str) -> None:
    state = start(f"probe-{cause} license", others=["cash-5", "cash-10"])
    assert moves(state, "play") == {f"play probe-{cause} on p1", f"play probe-{cause} on p2"}
    after = played(state, f"play probe-{cause} on p2")
    assert [each["probe"] for each in after["firms"]] == [None, None, f"probe-{cause}"]
    assert after["discard"] == []


def test_a_probe_cannot_hit_an_unlicensed_or_already_investigated_rival() -> None:
    """One at a time. [C17]"""
    state = start("probe-crime", others=["", "", ""], their=[UNLICENSED, "probe-crime", "probe-insider"])
    assert moves(state, "play") == set()


def test_nobody_investigates_oneself() -> None:
    assert "play probe-crime on p1" not in moves(start("", others=["probe-crime"], turn=1))


def test_while_under_investigation_only_a_settlement_can_be_played() -> None:
    """Nothing onto the firm, onto cash or onto rivals."""
    state = start(ALL_KINDS, "probe-crime cash-25 cash-5", their=["venture cash-5"])
    assert moves(state, "play") == {"play settlement"}
    assert "discard takeover on p1" not in moves(state)


@pytest.mark.parametrize("cause", CAUSES)
def test_an_acquittal_removes_the_probe_of_its_name(cause: str) -> None:
    state = start(f"clear-{cause} license", f"probe-{cause} cash-5")
    after = played(state, f"discard clear-{cause}")
    assert after["firms"][0] == firm("cash-5")
    assert after["discard"] == [f"clear-{cause}", f"probe-{cause}"]


@pytest.mark.parametrize("cause", CAUSES)
def test_an_acquittal_without_its_probe_is_a_plain_discard(cause: str) -> None:
    """[C21]"""
    other = next(each for each in CAUSES if each != cause)
    for own in ("", f"probe-{other}"):
        state = start(f"clear-{cause} license", own, their=[f"probe-{cause}"])
        after = played(state, f"discard clear-{cause}")
        assert after["firms"] == [firm(own), firm(f"probe-{cause}")]
        assert after["discard"] == [f"clear-{cause}"]


@pytest.mark.parametrize("cause", CAUSES)
def test_a_settlement_costs_the_lowest_uninsured_cash_and_removes_any_probe(cause: str) -> None:
    own = f"probe-{cause} cash-10 cash-10 cash-50 cover-25:cash-5"
    state = start("settlement license", own)
    after = played(state, "play settlement")
    assert after["firms"][0] == firm("cash-10 cash-50 cover-25:cash-5")
    assert after["discard"] == ["settlement", "cash-10", f"probe-{cause}"]
    assert after["acted"] is True


@pytest.mark.parametrize("own", ["cash-5", "", "probe-crime", "probe-crime cover-25:cash-5"])
def test_otherwise_a_settlement_can_only_be_discarded_without_effect(own: str) -> None:
    """Not under investigation, or without uninsured tabled cash."""
    state = start("settlement license", own)
    assert moves(state, "play") == set()
    after = played(state, "discard settlement")
    assert after["firms"][0] == firm(own)
    assert after["discard"] == ["settlement"]


def test_a_settlement_that_could_be_played_may_be_discarded_without_effect() -> None:
    after = played(start("settlement license", "probe-crime cash-5"), "discard settlement")
    assert after["firms"][0] == firm("probe-crime cash-5")
    assert after["discard"] == ["settlement"]


@pytest.mark.parametrize("card", ["broker", "banker", "takeover"])
def test_while_under_investigation_broker_banker_and_takeover_do_nothing(card: str) -> None:
    tabled = ["probe-crime cash-25", "cash-25 cash-50 venture"]
    state = start(f"{card} license", tabled[0], others=["cash-5", "cash-10"], their=[tabled[1]])
    after = played(state, f"discard {card}")
    assert after["firms"][:2] == [firm(tabled[0]), firm(tabled[1])]
    assert after["discard"] == [card]
    assert after["lost"] == [0, 0, 0]


@pytest.mark.parametrize(("card", "taken"), [("dividend", "cash-5"), ("premium", "cash-50")])
def test_an_investigated_players_dividend_first_lifts_the_probe_then_takes(card: str, taken: str) -> None:
    """[C16] [C27]"""
    state = start(f"{card} license", "probe-crime cash-10", their=["cash-5 cash-50"])
    after = played(state, f"discard {card}")
    assert after["firms"][0] == firm(f"cash-10 {taken}")
    assert after["discard"] == [card, "probe-crime"]
    assert after["extra"] is True


@pytest.mark.parametrize("card", ["venture", "takeover"])
def test_of_the_bull_cards_only_dividend_and_premium_lift_a_probe(card: str) -> None:
    """[C27]"""
    state = start(f"{card} license", "probe-crime cash-25", their=["venture"])
    assert played(state, f"discard {card}")["firms"][0]["probe"] == "probe-crime"


@pytest.mark.parametrize(("card", "lost"), [("crash", "cash-5"), ("recession", "cash-25")])
def test_an_investigated_players_bear_card_works(card: str, lost: str) -> None:
    state = start(f"{card} license", "probe-crime cash-5 cash-25")
    after = played(state, f"discard {card}")
    assert after["discard"] == [card, lost]
    assert after["firms"][0]["probe"] == "probe-crime"
    assert (after["lost"], after["phase"]) == ([1, 0], "passing")

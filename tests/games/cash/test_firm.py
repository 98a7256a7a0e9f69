"""Cards played onto the own firm: license, cash, insurance, venture, taxman; and stop."""

from itertools import product

import pytest

from tests.games.cash.naive import CARD_ORDER, CASH
from tests.games.cash.positions import UNLICENSED, firm, moves, played, start

pytestmark = pytest.mark.interpreted

ALL_KINDS = " ".join(CARD_ORDER)


# License


def test_without_a_license_only_a_license_can_be_played() -> None:
    """[C29]"""
    state = start(ALL_KINDS, UNLICENSED | {"cash": ["cash-25"]}, their=["venture cash-5"])
    assert moves(state, "play") == {"play license"}
    assert "discard takeover on p1" not in moves(state)


def test_a_license_is_played_onto_the_firm_and_is_the_turns_one_card() -> None:
    """[C33]"""
    state = start("license cash-5", UNLICENSED)
    after = played(state, "play license")
    assert after["firms"][0] == firm()
    assert (after["acted"], after["discard"]) == (True, [])
    assert moves(state, "play", "discard") == set()


def test_one_license_at_a_time() -> None:
    assert moves(start("license license"), "play") == set()


def test_a_license_received_in_a_trade_can_be_played_in_the_same_turn() -> None:
    """[C18]"""
    state = start("cash-5", UNLICENSED, others=["license"])
    played(state, "trade p1", "give cash-5", "want license", "propose", "accept")
    assert played(state, "play license")["firms"][0]["license"] is True


# Stop


def test_stop_ends_the_trading_round_now() -> None:
    state = start("stop cash-5", "cash-50", others=["cash-10"], their=["cash-25"], options={"rounds": 1})
    after = played(state, "play stop")
    assert after["over"]
    assert after["scores"] == [45_000, 15_000]
    assert after["discard"] == ["stop"]
    assert after["acted"] is False


def test_stop_is_legal_on_the_first_turn() -> None:
    """[C15]"""
    assert "play stop" in moves(start("stop", moves=0))


@pytest.mark.parametrize(
    "own", [UNLICENSED, firm("probe-bribery cash-5")], ids=["unlicensed", "investigated"]
)
def test_stop_is_not_for_an_unlicensed_or_investigated_player(own: dict[str, object]) -> None:
    """[C15]"""
    state = start("stop cash-5", own)
    assert "play stop" not in moves(state)
    assert "discard stop" in moves(state)


# Cash


@pytest.mark.parametrize("card", CASH)
def test_cash_is_tabled_uninsured(card: str) -> None:
    after = played(start(f"{card} license", "cash-25"), f"play {card}")
    assert after["firms"][0] == firm(f"cash-25 {card}")
    assert after["discard"] == []


# Insurance


def test_economy_insurance_does_not_fit_over_insured_25_uninsured_50_and_75() -> None:
    """Worked example: firm with insured 25, uninsured 50 and 75: `cover-25` can't be played."""
    state = start("cover-25", "cover-25:cash-25 cash-50 cash-75")
    assert moves(state, "play") == set()


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        ("cover-25", ["5", "10", "25", "5 10"]),
        ("cover-50", ["5", "10", "25", "50", "5 10", "5 25", "10 25", "5 10 25"]),
        (
            "cover-75",
            [
                "5",
                "10",
                "25",
                "50",
                "75",
                "5 10",
                "5 25",
                "5 50",
                "10 25",
                "10 50",
                "25 50",
                "5 10 25",
                "5 10 50",
            ],
        ),
    ],
)
def test_an_insurance_covers_any_choice_up_to_its_limit(cover: str, expected: list[str]) -> None:
    state = start(f"{cover} license", "cash-5 cash-10 cash-25 cash-50 cash-75 cash-150")
    written = {f"play {cover} over " + " ".join(f"cash-{v}" for v in each.split()) for each in expected}
    assert moves(state, "play") == written


def test_equal_cash_cards_make_one_choice_and_are_written_ascending() -> None:
    state = start("cover-25", "cash-5 cash-5 cash-5 cash-10 cash-10")
    choices = ["5", "5 5", "5 5 5", "10", "10 10", "5 10", "5 5 10", "5 5 5 10", "5 10 10"]
    assert moves(state, "play") == {
        "play cover-25 over " + " ".join(f"cash-{v}" for v in each.split()) for each in choices
    }


def test_ten_fives_fit_under_a_basic_insurance() -> None:
    state = start("cover-50", " ".join(["cash-5"] * 10 + ["cash-10"]))
    longest = "play cover-50 over " + " ".join(["cash-5"] * 10)
    assert longest in moves(state)
    after = played(state, longest)
    assert after["firms"][0]["insured"] == [{"cover": "cover-50", "cash": ["cash-5"] * 10}]
    assert after["firms"][0]["cash"] == ["cash-10"]


def test_insured_cash_stays_together_with_its_cover() -> None:
    after = played(start("cover-50 license", "cash-10 cash-25 cash-25"), "play cover-50 over cash-10 cash-25")
    assert after["firms"][0] == firm("cash-25 cover-50:cash-10,cash-25")
    assert after["discard"] == []


def test_insured_is_sorted_by_cover_then_by_its_cash() -> None:
    state = start(
        "cover-25 license", "cover-50:cash-5 cover-25:cash-10 cover-25:cash-5,cash-10 cash-5 cash-5"
    )
    after = played(state, "play cover-25 over cash-5 cash-5")
    assert after["firms"][0]["insured"] == [
        {"cover": "cover-25", "cash": ["cash-5", "cash-5"]},
        {"cover": "cover-25", "cash": ["cash-5", "cash-10"]},
        {"cover": "cover-25", "cash": ["cash-10"]},
        {"cover": "cover-50", "cash": ["cash-5"]},
    ]


def test_a_shorter_choice_comes_before_a_longer_one_that_begins_with_it() -> None:
    state = start("cover-50 license", "cover-50:cash-5,cash-5 cash-5")
    after = played(state, "play cover-50 over cash-5")
    assert [len(each["cash"]) for each in after["firms"][0]["insured"]] == [1, 2]


def test_a_cover_is_never_extended_and_covered_cash_is_not_covered_again() -> None:
    """[C12]"""
    state = start("cover-75 license", "cover-75:cash-5 cash-10")
    assert moves(state, "play") == {"play cover-75 over cash-10"}


def test_150_cannot_be_insured_and_75_only_by_total_insurance() -> None:
    """[C12]"""
    for cover, own in product(("cover-25", "cover-50"), ("cash-75", "cash-75 cash-150")):
        assert moves(start(cover, own), "play") == set()
    assert moves(start("cover-75", "cash-75 cash-150"), "play") == {"play cover-75 over cash-75"}


def test_only_the_own_uninsured_cash_can_be_covered() -> None:
    assert moves(start("cover-75", "", their=["cash-5"]), "play") == set()


@pytest.mark.parametrize("card", ["dividend", "premium", "broker", "banker"])
def test_insured_cash_cannot_be_taken(card: str) -> None:
    state = start(f"{card} license", their=["cover-25:cash-25 cover-50:cash-50"])
    after = played(state, f"discard {card}")
    assert after["firms"][1] == firm("cover-25:cash-25 cover-50:cash-50")
    assert after["firms"][0]["cash"] == []


@pytest.mark.parametrize("card", ["crash", "recession", "bankruptcy"])
def test_insured_cash_is_not_lost(card: str) -> None:
    state = start(f"{card} license", "cover-25:cash-25")
    assert played(state, f"discard {card}")["firms"][0]["insured"] == firm("cover-25:cash-25")["insured"]


def test_insured_cash_cannot_be_spent() -> None:
    """Not as a fee, and not for a settlement."""
    assert moves(start("venture takeover", "cover-25:cash-25", their=["venture"]), "play") == set()
    assert "discard takeover on p1" not in moves(start("takeover", "cover-25:cash-25", their=["venture"]))
    assert moves(start("settlement", "probe-crime cover-25:cash-25"), "play") == set()


# Venture


def test_a_venture_is_tabled_for_a_fee_of_one_uninsured_25() -> None:
    after = played(start("venture license", "cash-25 cash-25 cash-50"), "play venture")
    assert after["firms"][0] == firm("cash-25 cash-50 venture")
    assert after["discard"] == ["cash-25"]


# Taxman


def test_a_taxman_is_tabled() -> None:
    after = played(start("taxman license", "taxman"), "play taxman")
    assert after["firms"][0]["taxman"] == 2
    assert after["discard"] == []

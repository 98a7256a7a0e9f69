"""What is refused: positions, options, views and moves that don't fit, each with its reason."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.cash.naive import Position
from tests.games.cash.positions import (
    FIRM_KEYS,
    KEYS,
    OFFER_KEYS,
    PASSING_KEYS,
    UNLICENSED,
    as_json,
    finished,
    firm,
    offered,
    passing,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

HUGE = 10**30
SEVEN = "license license stop stop settlement settlement clear-crime"


def offering(**changes: Any) -> Position:
    """Seat 0 builds an offer to seat 1."""
    made = position(
        "cash-5 cash-10 stop",
        "cash-25 venture",
        others=["taxman", "crash"],
        their=["cash-50"],
        phase="offer",
        offers=1,
        offer=offered(give="cash-5", give_firm="cash-25", want="taxman", want_firm="cash-50"),
    )
    return made | changes


def proposed(**changes: Any) -> Position:
    return offering(phase="answer", turn=1) | changes


def in_passing(**changes: Any) -> Position:
    """Seat 1 has to choose one card more."""
    made = position(
        "stop stop",
        others=["cash-5", "crash"],
        phase="passing",
        turn=1,
        acted=True,
        passing=passing(2, 2, False, "taxman broker", "cash-10", ""),
    )
    return made | changes


def trimming(**changes: Any) -> Position:
    return position(f"{SEVEN} crash", phase="trim", acted=True) | changes


def at_again(**changes: Any) -> Position:
    return position(SEVEN, phase="again", acted=True, extra=True) | changes


# Positions


def refuse_position(made: Any, *keys: str) -> kibitz.KibitzError:
    """It is refused, by a message that names (one of) the keys and what was expected; and not changed."""
    given = deepcopy(made)
    with pytest.raises((kibitz.BadPosition, kibitz.BadOptions)) as caught:
        kibitz.game("cash").from_position(made)
    error = caught.value
    assert made == given
    assert any(re.search(rf"\b{key}\b", error.reason) for key in keys), error.reason
    assert re.search(r"expected \S+", error.reason), error.reason
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", error.code)
    return error


@pytest.mark.parametrize("made", [offering(), proposed(), in_passing(), trimming(), at_again()])
def test_the_positions_of_these_tests_are_good(made: Position) -> None:
    assert as_json(state_of(made).position()) == as_json(made)


@pytest.mark.parametrize("key", KEYS)
def test_a_position_has_every_key(key: str) -> None:
    for made in (position(), offering(), finished()):
        del made[key]
        refuse_position(made, key)


def test_a_position_has_no_other_key() -> None:
    refuse_position(position() | {"piles": []}, "piles")


@pytest.mark.parametrize("made", [None, 7, "cash", [], [["game", "cash"]], True])
def test_a_position_is_an_object(made: Any) -> None:
    with pytest.raises(kibitz.BadPosition, match="expected"):
        kibitz.game("cash").from_position(made)


WRONG_VALUES: dict[str, list[Any]] = {
    "game": [7, None, "kaching", "CASH", ["cash"]],
    "options": [None, [], "random", 3],
    "players": [0, 1, 3, 9, "2", 2.0, True, None, [0, 1]],
    "round": [0, -1, 101, "1", 1.0, True, None, HUGE],
    "turn": [2, -1, "p0", "0", 0.0, True, False, None, [0], HUGE],
    "phase": ["over", "Action", "offer", "answer", "passing", "trim", "again", "", 0, None, ["action"]],
    "scores": [[0], [0, 0, 0], [False, False], [0.0, 0.0], ["0", "0"], None, 0, [0, -HUGE], [HUGE, 0]],
    "over": [0, 1, None, "false", True],
    "winners": [[0], [1], [0, 1], None, 0, [False], "", {}],
    "moves": [-1, 5000, 5001, "0", 0.0, False, None, HUGE],
    "hands": [None, {}, "stop", [], [["stop"]], [[], [], []], ["", ""], [None, None], [["stop"], 0]],
    "firms": [
        None,
        {},
        [],
        [firm()],
        [firm(), firm(), firm()],
        [[], []],
        ["", ""],
        [None, None],
        [firm(), 0],
    ],
    "deck": [None, {}, "stop", 0, [], ["?"], [1, 2], [None]],
    "discard": [None, {}, "stop", 0, ["?"], [1, 2], [[]], ["stop"]],
    "lost": [
        None,
        {},
        0,
        [],
        [0],
        [0, 0, 0],
        [-1, 0],
        [0, "1"],
        [0.0, 0],
        [False, False],
        [0, None],
        [HUGE, 0],
    ],
    "starter": [2, -1, "random", "0", True, False, None, 0.0],
    "acted": [0, 1, None, "false", []],
    "offers": [-1, 6, "0", 0.0, False, None, HUGE],
    "offer": [{}, [], False, 0, "p1", offered()],
    "passing": [{}, [], False, 0, "crash", passing(1, 0, False, "", "")],
    "extra": [0, 1, None, "false", []],
}
WRONG_CASES = [(key, value) for key, values in WRONG_VALUES.items() for value in values]


def test_every_key_is_given_wrongly() -> None:
    assert list(WRONG_VALUES) == KEYS


@pytest.mark.parametrize(("key", "value"), WRONG_CASES, ids=lambda value: str(value)[:20])
def test_each_key_has_its_type_and_its_bounds(key: str, value: Any) -> None:
    partners = {
        "phase": ["over", "turn", "offer", "passing", "hands", "acted", "extra"],
        "over": ["phase", "turn"],
        "discard": ["deck"],
        "players": ["hands", "firms", "scores"],
    }
    refuse_position(position() | {key: value}, key, *partners.get(key, []))


# Cards


def test_a_missing_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(deck="cash-5 stop", discard="crash")
        made[key].pop(0)
        refuse_position(made, "deck", "discard", "hands")
    made = position()
    made["hands"][0].pop()
    refuse_position(made, "deck", "hands")


def test_a_217th_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(discard="crash")
        made[key].insert(0, "taxman")
        refuse_position(made, "deck", "discard", "hands", "firms")
    made = position()
    made["firms"][1]["venture"] = 1
    refuse_position(made, "deck", "firms", "hands")


def test_a_third_copy_is_refused_though_the_sum_is_right() -> None:
    made = position(deck="taxman cash-5", discard="taxman")
    made["deck"] = ["taxman", "taxman"]
    refuse_position(made, "deck", "discard", "hands", "firms")


@pytest.mark.parametrize(
    "card",
    ["cash", "cash-20", "?", "Stop", "", " stop", "stop ", "cash-２5", "cover", "probe", 5, None, ["stop"]],
)
def test_only_cards_of_the_box_lie_anywhere(card: Any) -> None:
    for key in ("deck", "discard"):
        made = position(deck="stop", discard="crash")
        made[key][-1] = card
        refuse_position(made, key)
    made = position()
    made["hands"][1][0] = card
    refuse_position(made, "hands")
    made = position(own="cash-5 cover-25:cash-5")
    for holder in (made["firms"][0]["cash"], made["firms"][0]["insured"][0]["cash"]):
        wrong = deepcopy(made)
        holder_key = "cash" if holder is made["firms"][0]["cash"] else "insured"
        target = wrong["firms"][0][holder_key]
        (target if holder_key == "cash" else target[0]["cash"])[0] = card
        refuse_position(wrong, "firms")


# Firms


@pytest.mark.parametrize("key", FIRM_KEYS)
def test_a_firm_has_every_key_and_no_other(key: str) -> None:
    made = position()
    del made["firms"][1][key]
    refuse_position(made, "firms", key)
    made = position()
    made["firms"][1]["gold"] = 0
    refuse_position(made, "firms", "gold")


WRONG_FIRMS: dict[str, Callable[[], dict[str, Any]]] = {
    "license is a number": lambda: firm() | {"license": 1},
    "license is null": lambda: firm() | {"license": None},
    "a probe without a license": lambda: UNLICENSED | {"probe": "probe-crime"},
    "a probe that is none": lambda: firm() | {"probe": "clear-crime"},
    "a probe that is false": lambda: firm() | {"probe": False},
    "a probe that is hidden": lambda: firm() | {"probe": "?"},
    "cash that is none": lambda: firm() | {"cash": ["stop"]},
    "cash as text": lambda: firm() | {"cash": "cash-5"},
    "insured as an object": lambda: firm() | {"insured": {}},
    "an insured card": lambda: firm() | {"insured": ["cash-5"]},
    "insured by nothing": lambda: firm() | {"insured": [{"cover": None, "cash": ["cash-5"]}]},
    "insured by a license": lambda: firm() | {"insured": [{"cover": "license", "cash": ["cash-5"]}]},
    "a cover over nothing": lambda: firm() | {"insured": [{"cover": "cover-25", "cash": []}]},
    "a cover over a card that is no cash": lambda: (
        firm() | {"insured": [{"cover": "cover-25", "cash": ["stop"]}]}
    ),
    "a cover without cash": lambda: firm() | {"insured": [{"cover": "cover-25"}]},
    "a cover with more keys": lambda: (
        firm() | {"insured": [{"cover": "cover-25", "cash": ["cash-5"], "n": 1}]}
    ),
    "over the limit": lambda: firm("cover-25:cash-10,cash-25"),
    "75 under a basic insurance": lambda: firm("cover-50:cash-75"),
    "150 insured": lambda: firm("cover-75:cash-150"),
    "minus one venture": lambda: firm() | {"venture": -1},
    "five ventures": lambda: firm() | {"venture": 5},
    "a yes for a venture": lambda: firm() | {"venture": True},
    "three taxmen": lambda: firm() | {"taxman": 3},
    "half a taxman": lambda: firm() | {"taxman": 0.5},
}


@pytest.mark.parametrize("make", WRONG_FIRMS.values(), ids=WRONG_FIRMS)
def test_a_firm_holds_what_can_lie_on_one(make: Callable[[], dict[str, Any]]) -> None:
    made = position()
    made["firms"][0] = make()
    refuse_position(made, "firms", "cover", "cash", "license", "probe", "venture", "taxman", "insured")


# Offers


@pytest.mark.parametrize("key", OFFER_KEYS)
def test_an_offer_has_every_key_and_no_other(key: str) -> None:
    for made in (offering(), proposed()):
        del made["offer"][key]
        refuse_position(made, "offer", key)
    made = offering()
    made["offer"]["note"] = ""
    refuse_position(made, "offer")


WRONG_OFFERS: dict[str, dict[str, Any]] = {
    "to oneself": {"to": 0},
    "to nobody": {"to": None},
    "to a seat that isn't there": {"to": 3},
    "from nobody": {"from": None},
    "from the other": {"from": 1, "to": 0},
    "gives what isn't held": {"give": ["crash"]},
    "gives twice what is held once": {"give": ["cash-5", "cash-5"]},
    "gives from the firm what isn't there": {"give_firm": ["taxman"]},
    "gives a license from the firm": {"give_firm": ["license"]},
    "wants from the firm what isn't there": {"want_firm": ["cash-5"]},
    "wants five": {"want": ["stop"] * 5, "want_firm": []},
    "wants five with the firm": {"want": ["stop"] * 4},
    "gives no card": {"give": ["?"]},
    "wants no card": {"want": ["gold"]},
    "give is no list": {"give": None},
    "want is text": {"want": "stop"},
}


@pytest.mark.parametrize("wrong", WRONG_OFFERS.values(), ids=WRONG_OFFERS)
def test_an_offer_is_one_that_could_have_been_built(wrong: dict[str, Any]) -> None:
    made = offering()
    made["offer"] |= wrong
    refuse_position(made, "offer", "turn")


def test_an_offer_of_firm_cards_is_between_free_firms() -> None:
    """[C24]"""
    for seat in (0, 1):
        made = offering()
        made["firms"][seat]["probe"] = "probe-crime"
        made["deck"].remove("probe-crime")
        refuse_position(made, "offer")


@pytest.mark.parametrize("phase", ["offer", "answer"])
def test_while_an_offer_is_open_one_has_been_begun(phase: str) -> None:
    made = offering() if phase == "offer" else proposed()
    refuse_position(made | {"offer": None}, "offer", "phase")
    refuse_position(made | {"offers": 0}, "offers", "offer")
    refuse_position(made | {"turn": 2}, "turn", "offer")


def test_where_nobody_trades_there_is_no_offer() -> None:
    for made in (offering(), proposed(), position(offers=1)):
        made["options"]["trading"] = False
        refuse_position(made, "offer", "offers", "phase", "trading")


def test_a_proposed_offer_could_be_proposed() -> None:
    made = proposed()
    made["offer"] = offered()
    refuse_position(made, "offer")
    seven = "license license license license license license license"
    made = position(
        "cash-5", others=[seven], phase="answer", turn=1, offers=1, offer=offered(give="cash-5"), discard=""
    )
    refuse_position(made, "offer", "hands")


def test_an_offer_stands_only_in_its_phases() -> None:
    for phase in ("action", "trim", "again", "passing"):
        refuse_position(offering(phase=phase), "offer", "phase", "passing", "hands", "extra", "acted")


# Passing, trimming, extra turns


@pytest.mark.parametrize("key", PASSING_KEYS)
def test_a_passing_has_every_key_and_no_other(key: str) -> None:
    made = in_passing()
    del made["passing"][key]
    refuse_position(made, "passing", key)
    made = in_passing()
    made["passing"]["note"] = ""
    refuse_position(made, "passing")


WRONG_PASSINGS: dict[str, dict[str, Any]] = {
    "no count": {"count": 0},
    "three cards": {"count": 3},
    "count as text": {"count": "2"},
    "from nobody": {"from": None},
    "from a seat that isn't there": {"from": 3},
    "trim is a number": {"trim": 0},
    "chosen for two": {"chosen": [["taxman", "broker"], ["cash-10"]]},
    "chosen is null": {"chosen": None},
    "chosen is hidden": {"chosen": [["?", "?"], ["cash-10"], []]},
    "chosen more than the count": {"count": 1},
}


@pytest.mark.parametrize("wrong", WRONG_PASSINGS.values(), ids=WRONG_PASSINGS)
def test_a_passing_is_one_that_could_be(wrong: dict[str, Any]) -> None:
    made = in_passing()
    made["passing"] |= wrong
    refuse_position(made, "passing", "turn")


def test_in_passing_the_lowest_seat_that_still_chooses_is_in_turn() -> None:
    for turn in (0, 2):
        refuse_position(in_passing(turn=turn), "turn")


def test_a_passing_is_not_already_complete() -> None:
    made = position(
        "stop",
        others=["crash"],
        phase="passing",
        acted=True,
        passing=passing(1, 0, False, "taxman", "broker"),
    )
    refuse_position(made, "passing", "turn")


def test_in_passing_the_one_card_is_done() -> None:
    refuse_position(in_passing(acted=False), "acted", "passing")


def test_trimming_is_for_more_than_seven_cards() -> None:
    made = position(SEVEN, phase="trim", acted=True)
    refuse_position(made, "hands", "phase")


def test_trimming_comes_after_the_one_card() -> None:
    refuse_position(trimming(acted=False), "acted")


def test_an_extra_turn_is_offered_only_to_who_has_one() -> None:
    refuse_position(at_again(extra=False), "extra", "phase")


def test_an_extra_turn_is_not_offered_to_who_has_a_turn_to_lose() -> None:
    """[C26]"""
    refuse_position(at_again(lost=[1, 0]), "lost", "phase")


def test_an_extra_turn_is_offered_after_the_hand_step() -> None:
    made = position(f"{SEVEN} crash", phase="again", acted=True, extra=True)
    refuse_position(made, "hands", "phase")


def test_an_extra_turn_stands_open_only_after_the_one_card() -> None:
    refuse_position(position(extra=True), "extra", "acted")
    state_of(position(extra=True, acted=True))


# Rounds and totals


def test_no_more_rounds_than_the_option_says() -> None:
    refuse_position(position(options={"rounds": 3}, round=4), "round")
    state_of(position(options={"rounds": 3}, round=3))


def test_a_single_total_at_the_target_is_not_running() -> None:
    refuse_position(position(scores=[0, 1_000_000]), "scores")
    state_of(position(scores=[0, 999_500]))
    state_of(position(scores=[1_000_000, 1_000_000], round=2))


def test_a_finished_game_has_a_reason() -> None:
    refuse_position(finished((999_500, 17)), "over", "scores", "phase", "round")
    refuse_position(finished((1_500_000, 1_500_000)), "over", "scores", "phase", "round")
    state_of(finished((999_500, 17), round=100))


@pytest.mark.parametrize(
    ("wrong", "keys"),
    [
        ({"turn": 0}, ["turn"]),
        ({"phase": "action"}, ["phase", "over", "turn"]),
        ({"over": False}, ["over", "phase"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [1]}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"scores": [170_000, 1_050_000]}, ["winners"]),
        ({"acted": True}, ["acted"]),
        ({"offers": 1}, ["offers"]),
        ({"offer": offered()}, ["offer"]),
        ({"passing": passing(1, 0, False, "", "")}, ["passing"]),
        ({"extra": True}, ["extra"]),
    ],
    ids=str,
)
def test_a_finished_position_says_so_in_all_its_keys(wrong: dict[str, Any], keys: list[str]) -> None:
    refuse_position(finished() | wrong, *keys)


@pytest.mark.parametrize(
    "options",
    [
        {"target": 0},
        {"target": -5},
        {"target": "1000000"},
        {"target": None},
        {"target": 1_000_000.0},
        {"target": True},
        {"target": HUGE},
        {"advanced": 1},
        {"advanced": None},
        {"recession": 25},
        {"recession": "75"},
        {"recession": 75.0},
        {"tax": "mild"},
        {"tax": None},
        {"tax": True},
        {"trading": 0},
        {"trading": "true"},
        {"rounds": 0},
        {"rounds": 101},
        {"rounds": "3"},
        {"rounds": False},
        {"starter": 2},
        {"starter": -1},
        {"starter": "0"},
        {"starter": None},
        {"starter": True},
        {"series": "single"},
    ],
    ids=str,
)
def test_an_option_outside_its_values_is_refused_in_a_position_and_in_a_deal(options: dict[str, Any]) -> None:
    refuse_position(position(options=options), *options)
    with pytest.raises(kibitz.BadOptions) as caught:
        kibitz.game("cash").deal(players=2, seed=1, **options)
    assert any(re.search(rf"\b{name}\b", caught.value.reason) for name in options)


@pytest.mark.parametrize("players", [0, 1, 9, "2", 2.0, True])
def test_a_deal_is_for_two_to_eight_players(players: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match=r"players.*expected.*2 to 8"):
        kibitz.game("cash").deal(players=players, seed=1)


def test_the_starter_is_a_seat_of_the_table() -> None:
    kibitz.game("cash").deal(players=8, seed=1, starter=7)
    with pytest.raises(kibitz.BadOptions, match="starter"):
        kibitz.game("cash").deal(players=7, seed=1, starter=7)


# Views from outside


def test_a_view_that_breaks_the_decks_counts_is_refused() -> None:
    seen = start("cash-5 stop", deck="stop crash").view(0)
    breaks: list[Position] = [
        {"deck": []},
        {"deck": ["?", "?", "?"]},
        {"discard": [*seen["discard"], "?"]},
        {"hands": [["taxman"] * 3, ["?"] * 7]},
        {"firms": [firm("venture venture"), firm("venture venture venture")]},
    ]
    for wrong in breaks:
        with pytest.raises(kibitz.BadPosition):
            kibitz.game("cash").observation(seen | wrong)


# Moves


def refuse_move(
    state: State, move: Any, seat: Any = None, kind: type[kibitz.IllegalMove] = kibitz.IllegalMove
) -> kibitz.IllegalMove:
    """The move is refused with a reason, and nothing has changed."""
    saved, before = bytes(state), as_json(state.position())
    with pytest.raises(kibitz.IllegalMove) as caught:
        state.play(move, seat=seat)
    error = caught.value
    assert type(error) is kind
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code)
    assert re.fullmatch(r"(p\d |[^a-z\s]).*\s.*[.\]]", error.reason, re.DOTALL), error.reason
    assert error.rule
    assert bytes(state) == saved
    assert as_json(state.position()) == before
    return error


NO_MOVES = [
    *("", " ", "?", "play", "discard", "trade", "give", "want", "pass", "trim", "play ?", "pass ?", "give ?"),
    *("want ?", "give firm ?", "want firm ?", "play cash-20", "play cash", "play Cash-5", "play  cash-5"),
    *(" play cash-5", "play cash-5 ", "play cash-5 on p1", "play cover-25", "play cover-25 over"),
    *("play cover-25 over cash-10 cash-5", "play cover-25 over cash-50", "play cover-25 over cash-5 cash-25"),
    *(
        "play cover-50 over cash-75",
        "play cover-75 over cash-150",
        "play cover-25 over stop",
        "play probe-crime",
    ),
    *("play probe-crime on 1", "play probe-crime on p8", "play probe-crime on p-1", "play clear-crime"),
    *(
        "play dividend",
        "play broker",
        "play crash",
        "play takeover",
        "discard takeover on",
        "discard broker on p1",
    ),
    *("discard takeover on p8", "play settlement over cash-5", "trade 1", "trade p8", "give firm stop"),
    *("give firm license", "want firm cover-25", "want firm probe-crime", "done done", "accept p1", "Done"),
    *(
        "again again",
        "play cash-5\ndone",
        "play cash-５",
        "\x00",
        "give cash-5 cash-5",
        "play cash-5" * 10_000,
    ),
]


@pytest.mark.parametrize("text", NO_MOVES, ids=lambda text: repr(text)[:24])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    refuse_move(start("cash-5 cover-25 takeover", "cash-5 cash-10 cash-25", their=["venture"]), text)


@pytest.mark.parametrize(
    "thing",
    [None, 10**6, -1, HUGE, 1.0, True, False, b"done", ["done"], {}, object()],
    ids=lambda thing: repr(thing)[:7],
)
def test_a_thing_that_is_no_move_is_refused(thing: Any) -> None:
    refuse_move(start(), thing)


FREE = firm("cash-25")
PROBED = firm("probe-crime cash-25")
REFUSED: dict[str, tuple[Position, str, str, str]] = {
    # the action part
    "not in hand": (position("stop"), "discard crash", "not-in-hand", "turn"),
    "in another hand": (position("stop", others=["crash"]), "discard crash", "not-in-hand", "turn"),
    "plays what isn't in the hand": (position("stop"), "play cash-5", "not-in-hand", "turn"),
    "plays from the firm": (position("stop", "cash-5"), "play cash-5", "not-in-hand", "turn"),
    "a cover that isn't in the hand": (
        position("stop", "cash-5"),
        "play cover-25 over cash-5",
        "not-in-hand",
        "turn",
    ),
    "passes the turn": (position("stop"), "done", "must-act", "turn"),
    "a second card": (position("stop cash-5", acted=True), "play cash-5", "acted", "turn"),
    "a second discard": (position("stop", acted=True), "discard stop", "acted", "turn"),
    "trims too early": (position("stop"), "trim stop", "not-trimming", "turn"),
    "passes a card": (position("stop"), "pass stop", "nothing-to-pass", "C9"),
    "again without an extra turn": (position("stop"), "again", "no-extra-turn", "C4"),
    # licenses and investigations
    "a second license": (position("license"), "play license", "has-license", "cards"),
    "cash without a license": (position("cash-5", UNLICENSED), "play cash-5", "unlicensed", "C29"),
    "stop without a license": (position("stop", UNLICENSED), "play stop", "unlicensed", "C15"),
    "stop under investigation": (position("stop", PROBED), "play stop", "investigated", "C15"),
    "cash under investigation": (position("cash-5", PROBED), "play cash-5", "investigated", "cards"),
    "a cover under investigation": (
        position("cover-25", PROBED),
        "play cover-25 over cash-25",
        "investigated",
        "cards",
    ),
    "a probe under investigation": (
        position("probe-crime", PROBED),
        "play probe-crime on p1",
        "investigated",
        "cards",
    ),
    "a probe on the unlicensed": (
        position("probe-crime", their=[UNLICENSED]),
        "play probe-crime on p1",
        "rival-unlicensed",
        "C17",
    ),
    "a second probe": (
        position("probe-crime", their=["probe-insider"]),
        "play probe-crime on p1",
        "rival-investigated",
        "C17",
    ),
    "a probe on oneself": (position("probe-crime"), "play probe-crime on p0", "yourself", "cards"),
    "a probe on nobody": (position("probe-crime"), "play probe-crime on p5", "no-such-seat", "notation"),
    "a settlement for nothing": (
        position("settlement", FREE),
        "play settlement",
        "not-investigated",
        "cards",
    ),
    "a settlement without cash": (
        position("settlement", "probe-crime cover-25:cash-5"),
        "play settlement",
        "nothing-to-settle-with",
        "cards",
    ),
    # cash and fees
    "insures what isn't there": (
        position("cover-25", "cash-5"),
        "play cover-25 over cash-5 cash-5",
        "not-uninsured",
        "cards",
    ),
    "insures twice": (
        position("cover-25", "cover-25:cash-25"),
        "play cover-25 over cash-25",
        "not-uninsured",
        "cards",
    ),
    "a venture without the fee": (position("venture", "cash-50"), "play venture", "no-fee", "C13"),
    "a takeover without the fee": (
        position("takeover", "cash-50", their=["venture"]),
        "discard takeover on p1",
        "no-fee",
        "C13",
    ),
    "a takeover without a venture": (
        position("takeover", FREE),
        "discard takeover on p1",
        "no-venture",
        "C13",
    ),
    "a takeover of oneself": (
        position("takeover", "cash-25 venture"),
        "discard takeover on p0",
        "yourself",
        "cards",
    ),
    "a takeover without a license": (
        position("takeover", UNLICENSED | {"cash": ["cash-25"]}, their=["venture"]),
        "discard takeover on p1",
        "unlicensed-takeover",
        "C29",
    ),
    "a takeover under investigation": (
        position("takeover", PROBED, their=["venture"]),
        "discard takeover on p1",
        "investigated-takeover",
        "cards",
    ),
    # the hand step, passing, extra turns
    "done while trimming": (trimming(), "done", "trim-first", "turn"),
    "discards while trimming": (trimming(), "discard stop", "trim-first", "turn"),
    "trades while trimming": (trimming(), "trade p1", "trim-first", "turn"),
    "trims what isn't there": (trimming(), "trim taxman", "not-in-hand", "turn"),
    "passes what isn't there": (in_passing(), "pass stop", "not-in-hand", "turn"),
    "done while passing": (in_passing(), "done", "pass-first", "C9"),
    "plays at the extra turn": (at_again(), "play stop", "again-first", "C4"),
    # trading
    "trades where nobody does": (position(options={"trading": False}), "trade p1", "no-trading", "options"),
    "a sixth offer": (position(offers=5), "trade p1", "offers-used", "C23"),
    "trades with oneself": (position(), "trade p0", "yourself", "trading"),
    "trades with nobody": (position(), "trade p2", "no-such-seat", "notation"),
    "gives without an offer": (position("stop"), "give stop", "no-offer", "trading"),
    "accepts nothing": (position(), "accept", "no-offer", "trading"),
    "plays while offering": (offering(), "play cash-5", "offer-open", "trading"),
    "done while offering": (offering(), "done", "offer-open", "trading"),
    "answers the own offer": (offering(), "accept", "offer-open", "trading"),
    "gives too late": (offering(), "give cash-10", "offer-order", "trading"),
    "wants out of order": (offering(), "want stop", "offer-order", "trading"),
    "gives what isn't held": (
        offering(offer=offered()),
        "give crash",
        "not-in-hand",
        "turn",
    ),
    "gives twice": (offering(offer=offered(give="cash-5")), "give cash-5", "not-in-hand", "turn"),
    "gives from the firm what isn't there": (
        offering(offer=offered()),
        "give firm cash-50",
        "not-on-firm",
        "trading",
    ),
    "wants from the firm what isn't there": (
        offering(offer=offered()),
        "want firm taxman",
        "not-on-firm",
        "trading",
    ),
    "a closed firm": (
        position("stop", PROBED, phase="offer", offers=1, offer=offered()),
        "give firm cash-25",
        "firm-closed",
        "C24",
    ),
    "a fifth card": (
        offering(offer=offered(want="stop stop stop stop")),
        "want taxman",
        "side-full",
        "trading",
    ),
    "an empty offer": (offering(offer=offered()), "propose", "offer-empty", "trading"),
    "too many for the other": (
        position("stop", phase="offer", offers=1, offer=offered(give="stop")),
        "propose",
        "other-hand-full",
        "trading",
    ),
    "accepts what can't be given": (
        proposed(offer=offered(give="cash-5", want="stop")),
        "accept",
        "cannot-give",
        "trading",
    ),
    "does something else first": (proposed(), "discard taxman", "answer-first", "trading"),
}


@pytest.mark.parametrize(("made", "move", "code", "rule"), REFUSED.values(), ids=REFUSED)
def test_a_move_the_rules_refuse_names_its_rule(made: Position, move: str, code: str, rule: str) -> None:
    error = refuse_move(state_of(made), move)
    assert (error.code, error.rule) == (code, rule)


NO_SUCH_MOVE = {
    "play cover-25": ("say-what-is-insured", "notation"),
    "play probe-crime": ("say-on-whom", "notation"),
    "play dividend": ("only-discarded", "cards"),
    "give firm license": ("never-traded", "trading"),
    "play cover-50 over cash-10 cash-5": ("ascending", "notation"),
    "play cover-25 over cash-50": ("over-limit", "C12"),
    "play cover-75 over cash-150": ("over-limit", "C12"),
    "nonsense": ("unknown-move", "notation"),
}


@pytest.mark.parametrize(("text", "expected"), NO_SUCH_MOVE.items(), ids=NO_SUCH_MOVE)
def test_texts_that_are_no_moves_say_what_would_be(text: str, expected: tuple[str, str]) -> None:
    error = refuse_move(start("cover-25 cover-50 dividend probe-crime", "cash-5 cash-10"), text)
    assert (error.code, error.rule) == expected


def test_a_refusal_tells_nothing_that_the_seat_does_not_know() -> None:
    """A want is refused the same whatever the other holds."""
    refusals = []
    for theirs in ("taxman", "crash"):
        made = position("cash-5", others=[theirs], phase="offer", offers=1, offer=offered(want="taxman"))
        refusals.append(refuse_move(state_of(made), "want stop").reason)
    assert refusals[0] == refusals[1]


def test_only_the_seat_whose_turn_it_is_moves() -> None:
    refuse_move(start("stop"), "play stop", seat=1, kind=kibitz.NotYourTurn)
    refuse_move(start("stop"), "nonsense", seat=1, kind=kibitz.NotYourTurn)
    refuse_move(state_of(proposed()), "decline", seat=0, kind=kibitz.NotYourTurn)
    refuse_move(state_of(in_passing()), "pass stop", seat=0, kind=kibitz.NotYourTurn)
    for seat in (2, -1):
        refuse_move(start("stop"), "play stop", seat=seat, kind=kibitz.NotYourTurn)


def test_nobody_moves_when_the_game_is_over() -> None:
    refuse_move(state_of(finished()), "discard cash-5", kind=kibitz.GameOver)

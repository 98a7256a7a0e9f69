"""What CASH refuses, for the tests that are the same in every game."""

from typing import Any

from tests.games.bad_input import HUGE, Cases, Refused
from tests.games.cash import version_2
from tests.games.cash.naive import Position
from tests.games.cash.positions import (
    UNLICENSED,
    finished,
    firm,
    offered,
    passing,
    position,
)

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


FREE = firm("cash-25")
PROBED = firm("probe-crime cash-25")

REFUSED: Refused = {
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
    "stop without a license": (position("stop", UNLICENSED), "play stop", "unlicensed-stop", "C15"),
    "stop under investigation": (position("stop", PROBED), "play stop", "investigated-stop", "C15"),
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
    "insures without cash": (
        position("cover-25"),
        "play cover-25 over cash-25",
        "nothing-to-insure",
        "cards",
    ),
    "insures twice": (
        position("cover-25", "cover-25:cash-25"),
        "play cover-25 over cash-25",
        "nothing-to-insure",
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
    # what is no move anywhere
    "a cover over nothing": (position(), "play cover-25", "say-what-is-insured", "notation"),
    "a probe on no one": (position(), "play probe-crime", "say-on-whom", "notation"),
    "plays what is only discarded": (position(), "play dividend", "only-discarded", "cards"),
    "gives a license from the firm": (offering(), "give firm license", "never-traded", "trading"),
    "descending": (position(), "play cover-50 over cash-10 cash-5", "ascending", "notation"),
    "over the limit": (position(), "play cover-25 over cash-50", "over-limit", "C12"),
    "more cash than there is": (position(), f"play cover-75 over{11 * ' cash-5'}", "not-so-many", "cards"),
    "150 insured": (position(), "play cover-75 over cash-150", "over-limit", "C12"),
    "nonsense": (position(), "nonsense", "unknown-move", "notation"),
}

REFUSED_IN_VERSION_2: Refused = {
    # trading
    "an eleventh offer": (version_2.position(offers=10), "trade p1", "offers-used", "C23"),
    "a ninth card": (
        version_2.offering(offer=offered(want="stop stop stop stop stop stop stop stop")),
        "want taxman",
        "side-full",
        "trading",
    ),
    "wants more than the box has": (
        version_2.offering(offer=offered(want="taxman taxman")),
        "want taxman",
        "not-in-box",
        "trading",
    ),
    "a hand that gets too full by the own counter-offer": (
        version_2.position(
            others=[SEVEN],
            phase="offer",
            turn=1,
            offers=2,
            offer=offered(1, 0, counter=True, want="stop"),
        ),
        "propose",
        "own-hand-full",
        "trading",
    ),
    "accepts what can't be given, and may counter": (
        version_2.proposed(offer=offered(give="cash-5", want="stop")),
        "accept",
        "cannot-give-or-counter",
        "trading",
    ),
    "accepts what can't be given, and may not counter": (
        version_2.proposed(offer=offered(give="cash-5", want="stop"), offers=10),
        "accept",
        "cannot-give",
        "trading",
    ),
    "does something else first, and may counter": (
        version_2.proposed(),
        "discard taxman",
        "answer-first-or-counter",
        "trading",
    ),
    "does something else first, and may not counter": (
        version_2.proposed(offers=10),
        "discard taxman",
        "answer-first",
        "trading",
    ),
    "counters nothing": (version_2.position(), "counter", "no-offer", "trading"),
    "counters while offering": (version_2.countering(), "counter", "offer-open", "trading"),
    "counters one too many": (version_2.proposed(offers=10), "counter", "offers-used", "C23"),
    "counters where nobody does": (proposed(), "counter", "no-counter", "options"),
    # taking
    "takes too early": (
        version_2.position("dividend", their=["cash-5"]),
        "take",
        "nothing-to-take-now",
        "cards",
    ),
    "spares too early": (
        version_2.position("dividend", their=["cash-5"]),
        "spare p1",
        "nothing-to-take-now",
        "cards",
    ),
    "spares where nobody is": (position(), "spare p1", "no-sparing", "C10"),
    "plays on before taking": (version_2.taking(), "done", "take-first", "cards"),
    "offers while taking": (version_2.taking(), "trade p1", "take-first", "cards"),
    "spares oneself": (version_2.taking(), "spare p0", "yourself", "cards"),
    "spares nobody": (version_2.taking(), "spare p4", "no-such-seat", "notation"),
    "spares who has nothing": (version_2.taking(), "spare p2", "nothing-to-spare", "cards"),
    "spares twice": (version_2.taking(), "spare p1", "spare-order", "notation"),
    "spares a lower seat afterwards": (
        version_2.taking(spared=[3]),
        "spare p1",
        "spare-order",
        "notation",
    ),
}

CASES = Cases(
    right=(
        position(),
        offering(),
        proposed(),
        version_2.countering(),
        version_2.taking(),
        in_passing(),
        trimming(),
        at_again(),
        finished(),
    ),
    wrong_values={
        "game": [7, None, "kaching", "CASH", ["cash"]],
        "options": [None, [], "random", 3],
        "players": [0, 1, 3, 9, "2", 2.0, True, None, [0, 1]],
        "round": [0, -1, 101, "1", 1.0, True, None, HUGE],
        "turn": [2, -1, "p0", "0", 0.0, True, False, None, [0], HUGE],
        "phase": [
            "over",
            "Action",
            "offer",
            "answer",
            "passing",
            "trim",
            "again",
            "taking",
            0,
            None,
            ["action"],
        ],
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
        "taking": ["dividend", "", 0, False, [], "cash-5"],
        "spared": [[1], None, {}, 0, False, "p1", [None]],
        "tied": [0, 1, None, "false", [], True],
    },
    also_named={
        "phase": ["over", "turn", "offer", "passing", "hands", "acted", "extra"],
        "over": ["phase", "turn"],
        "discard": ["deck"],
        "players": ["hands", "firms", "scores"],
    },
    wrong_ends=[
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
    wrong_options=[
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
        {"spare": 1},
        {"spare": None},
        {"firm_trades": "all"},
        {"firm_trades": True},
        {"offers": 0},
        {"offers": 51},
        {"offers": "10"},
        {"offers": True},
        {"counter": 0},
        {"counter": "yes"},
        {"tie": "share"},
        {"tie": False},
        {"series": "single"},
    ],
    no_moves=(
        "play, discard, trade, give, want, pass, trim, play ?, pass ?, give ?, want ?, "
        "give firm ?, want firm ?, play cash-20, play cash, play Cash-5, play  cash-5, "
        "play cash-5 on p1, play cover-25, play cover-25 over, "
        "play cover-25 over cash-10 cash-5, play cover-25 over cash-50, "
        "play cover-25 over cash-5 cash-25, play cover-50 over cash-75, "
        "play cover-75 over cash-150, play cover-25 over stop, play probe-crime, "
        "play probe-crime on 1, play probe-crime on p8, play probe-crime on p-1, "
        "play clear-crime, play dividend, play broker, play crash, play takeover, "
        "discard takeover on, discard broker on p1, discard takeover on p8, "
        "play settlement over cash-5, trade 1, trade p8, give firm stop, give firm license, "
        "want firm cover-25, want firm probe-crime, done done, accept p1, Done, again again, "
        "play cash-５, give cash-5 cash-5, spare, spare 1, spare p8, spare p1 p2, take p1, take ?, counter p1"
    ),
    refused=REFUSED | REFUSED_IN_VERSION_2,
)

"""Bots at CASH: they stop, insure, investigate and trade sensibly, pester nobody, and know no hidden card."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots import player
from kibitz.bots.heuristics import cash, cash_trading
from kibitz.bots.lookahead import promising
from kibitz.core.conformance import changed
from kibitz.core.secret import bot_generator
from kibitz.core.state import State
from kibitz.core.words import LANGUAGES
from kibitz.games.cash.box import CASH_25, LAST_CASH
from tests.games.cash import naive, version_2
from tests.games.cash.positions import OTHER, UNLICENSED, position, state_of

GAME = kibitz.game("cash")


def as_named(card: str) -> tuple[bool, int]:
    """The order in which an offer names cards: those of a hand before those of a firm, each in card order."""
    return card.startswith("firm"), naive.CARD_ORDER.index(card.split(" ")[-1])


@pytest.fixture(autouse=True)
def _clear_sighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a move looks like is asked for here, not how an easy bot may misjudge it."""
    _blur_by(0.0, monkeypatch)


def _blur_by(blur: float, monkeypatch: pytest.MonkeyPatch) -> None:
    known = replace(cash.HEURISTICS, blur=blur)
    monkeypatch.setattr(player, "heuristics_of", lambda name: known)


def choice(state: State, level: str = "easy", seed: int = 1) -> str:
    assert state.turn is not None
    return str(kibitz.bot(level, GAME, seed, nodes=60).choose(state.observation(state.turn)))


def played_by_bots(seed: int, moves: int, players: int = 4) -> Any:
    """Each position of a game among easy bots, and the move made there."""
    state = GAME.deal(players, seed)
    bots = [kibitz.bot("easy", GAME, 10 * seed + seat) for seat in range(players)]
    for _ in range(moves):
        if state.turn is None:
            return
        move = str(bots[state.turn].choose(state.observation(state.turn)))
        yield state, move
        state.play(move)


# What a search begins with


def test_what_moves_seem_worth_at_first_lies_between_loss_and_win_and_keeps_their_order() -> None:
    """Dollars count for less while much is still to be won, and most in the last round."""
    spread = []
    kinds: list[dict[str, Any]] = [{"rounds": 1}, {"target": 500_000}, {}]
    for options in kinds:
        state = GAME.deal(2, seed=1, **options)
        ratings = np.array([cash.rate(state.fields(), move.id) for move in state.legal_moves])
        numbers, worths = np.array([move.id for move in state.legal_moves], np.int16), np.zeros(len(ratings))
        cash.first_look(state.fields(), numbers, len(numbers), worths)
        assert ((worths > 0) & (worths <= 0.5)).all()
        assert (np.diff(worths[np.argsort(ratings)]) >= 0).all()
        assert worths.argmax() == ratings.argmax()
        spread.append(np.sort(worths)[-1] - np.sort(worths)[-2])
    assert spread[0] > spread[1] > spread[2] > 0


# What they play


def test_who_is_well_ahead_stops() -> None:
    assert choice(state_of(position("stop clear-crime", own="cash-75 cash-75 cash-50"))) == "play stop"


def test_who_is_behind_does_not_stop() -> None:
    behind = position("stop cash-5", own="cash-5", their=["cash-75 cash-75 cash-50"])
    assert choice(state_of(behind)) == "play cash-5"


def test_nobody_stops_to_let_another_win() -> None:
    losing = position("stop clear-crime", own="cash-75 cash-75", scores=[0, 990_000], their=["cash-50"])
    assert choice(state_of(losing)) != "play stop"


def test_who_wins_the_game_by_stopping_stops() -> None:
    winning = position("stop cash-75", own="cash-50 cash-50", scores=[990_000, 0])
    assert choice(state_of(winning)) == "play stop"


def test_a_cover_goes_over_as_much_as_it_can() -> None:
    made = position("cover-50 clear-crime", own="cash-50 cash-25 cash-10")
    assert choice(state_of(made)) == "play cover-50 over cash-50"


def test_the_leader_is_investigated() -> None:
    made = position("probe-crime stop", others=["stop", "stop"], scores=[0, 100_000, 700_000])
    assert choice(state_of(made)) == "play probe-crime on p2"


def test_who_is_investigated_clears_it_first() -> None:
    assert choice(state_of(position("clear-crime cash-75", own="probe-crime"))) == "discard clear-crime"


def test_who_has_no_license_gets_rid_of_bears_for_nothing() -> None:
    assert choice(state_of(position("bankruptcy license cash-5", own=UNLICENSED))) == "discard bankruptcy"


def test_a_recession_is_dumped_while_it_costs_nothing() -> None:
    assert choice(state_of(position("recession clear-crime"))) == "discard recession"
    assert choice(state_of(position("recession clear-crime", own="cash-150"))) != "discard recession"


@pytest.mark.parametrize("seed", range(2))
def test_no_search_throws_cash_away_that_can_be_tabled(seed: int) -> None:
    state = state_of(position("cash-5 cash-10 stop", own="cash-5", others=["stop"] * 7))
    moves = {str(move) for move in promising(state.observation(0), bot_generator(seed))}
    assert "play cash-5" in moves
    assert not {"discard cash-5", "discard cash-10"} & moves
    probed = state_of(position("cash-5 stop", own="probe-crime cash-5"))
    assert "discard cash-5" in {str(move) for move in promising(probed.observation(0), bot_generator(seed))}


# Sparing


def spared(state: State) -> list[str]:
    """Whom a bot spares before it takes."""
    said: list[str] = []
    while not said or said[-1] != "take":
        said.append(choice(state))
        state.play(said[-1])
    return said[:-1]


def test_nobody_is_spared_without_a_reason() -> None:
    state = version_2.start("dividend stop", others=["stop", "stop"], their=["cash-5", "cash-150"])
    state.play("discard dividend")
    assert spared(state) == []


def test_a_favour_is_returned_once() -> None:
    state = version_2.start(
        "dividend", own="cash-5", others=["dividend", "stop"], their=["cash-50", "cash-50"]
    )
    state.play("discard dividend")
    state.play("spare p1")
    for move in ("take", "done", "done"):  # without the extra turn
        state.play(move)
    assert state.turn == 1
    state.play("discard dividend")
    assert spared(state) == ["spare p0"]
    assert not state.fields().favours.any()


def test_a_favour_is_not_returned_at_any_price() -> None:
    state = version_2.start(
        "dividend", own="cash-75", others=["dividend", "stop"], their=["cash-50", "cash-75"]
    )
    for move in ("discard dividend", "spare p1", "take", "done", "done", "discard dividend"):
        state.play(move)
    assert spared(state) == []


def test_against_who_is_about_to_win_those_behind_are_left_small_cash() -> None:
    scores = [500_000, 990_000, 100_000, 600_000]
    state = version_2.start("dividend stop", others=["stop"] * 3, their=["cash-10"] * 3, scores=scores)
    state.play("discard dividend")
    assert spared(state) == ["spare p2"]


# Trading


def offer_of(state: State) -> dict[str, Any]:
    offer: dict[str, Any] = state.position()["offer"]
    return offer


def test_a_needed_acquittal_is_asked_for() -> None:
    made = position("cash-75 cash-25 stop", own="probe-crime cash-25", others=[OTHER, "stop"])
    state = state_of(made)
    while state.phase != "answer":
        state.play(choice(state))
        assert len(state.history) < 6
    assert offer_of(state)["want"] == ["clear-crime"]


def answered(give: str, want: str, theirs: str, **changes: Any) -> str:
    """What the other says to an offer."""
    state = state_of(position(give, others=[theirs, "stop"], **changes))
    for move in ("trade p1", f"give {give}", f"want {want}", "propose"):
        state.play(move)
    return choice(state)


def test_a_good_offer_is_accepted_and_a_bad_one_declined() -> None:
    assert answered("cash-75", "clear-crime", "clear-crime clear-bribery") == "accept"
    assert answered("crash", "cash-75", "cash-75") == "decline"


def test_who_gains_less_than_the_maker_wants_more() -> None:
    """Two players: what helps the other hurts as much."""
    state = state_of(position("cash-10 stop", own="probe-crime", others=["clear-crime stop"]))
    for move in ("trade p1", "give cash-10", "want clear-crime", "propose"):
        state.play(move)
    assert choice(state) == "decline"


def built_offer(state: State) -> dict[str, Any]:
    """The offer that an easy bot makes, if it begins one at once."""
    while state.phase != "answer":
        move = choice(state)
        assert state.phase == "offer" or move.startswith("trade"), move
        state.play(move)
    return offer_of(state)


def test_who_can_not_table_cash_is_asked_for_it_for_the_card_that_frees() -> None:
    made: dict[str, Any] = {"others": [OTHER, "stop", "stop"], "their": ["probe-crime cash-5"]}
    offer = built_offer(state_of(position("clear-crime clear-crime settlement", **made)))
    assert (offer["give"], offer["to"]) == (["clear-crime"], 1)
    assert offer["want"][0].startswith("cash")
    elsewhere = state_of(position("clear-bribery clear-bribery settlement", **made))
    assert not choice(elsewhere).startswith("trade")


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_who_looks_ahead_trades_by_what_cards_are_worth(level: str) -> None:
    """However few games it imagines, and without a look: who can't accept answers as fast as who can."""
    asking_for = position("cash-75 cash-25 stop", own="probe-crime cash-25", others=[OTHER, "stop"])
    for theirs, answer in (("clear-crime clear-bribery", "accept"), ("stop", "decline")):
        for seed in range(5):
            state = state_of(asking_for)
            assert choice(state, level, seed).startswith("trade")
            state = state_of(position("cash-75", others=[theirs, "stop"]))
            for move in ("trade p1", "give cash-75", "want clear-crime", "propose"):
                state.play(move)
            bot = kibitz.bot(level, GAME, seed, nodes=2)
            assert str(bot.choose(state.observation(1))) == answer
            assert bot.visits is None


def test_a_venture_is_bought_by_who_has_more_to_double() -> None:
    rich, poor = "cash-150 cash-75 cash-50", "venture cash-5"
    made = position("clear-crime", own=rich, their=[poor], others=["stop", "stop", "stop"])
    offer = built_offer(state_of(made))
    assert offer["want_firm"] == ["venture"]
    assert offer["give_firm"] != []
    state = state_of(made)
    while state.phase != "answer":
        state.play(choice(state))
    assert choice(state) == "accept"


def test_a_price_may_be_a_hand_card_and_cash_of_the_firm() -> None:
    rich, poor = " ".join(["cash-25"] * 9), "venture cash-5"
    made = position("taxman", own=rich, their=[poor], others=["stop", "stop", "stop"])
    offer = built_offer(state_of(made))
    assert (offer["give"], offer["give_firm"], offer["want_firm"]) == (["taxman"], ["cash-25"], ["venture"])


def test_firm_cards_are_not_offered_by_who_is_investigated() -> None:
    made = position(
        "clear-bribery", own="cash-150 probe-crime", their=["venture"], others=["stop", "stop", "stop"]
    )
    assert not choice(state_of(made)).startswith("trade")


@pytest.mark.parametrize("seed", range(3))
def test_no_bot_asks_a_rival_again_in_a_round_for_what_was_declined(seed: int) -> None:
    declined: set[tuple[int, int, str]] = set()
    proposed = 0
    for state, move in played_by_bots(seed, moves=500):
        offer = offer_of(state)
        if state.position()["moves"] == 0:
            declined = set()
        if move == "propose":
            proposed += 1
            assert not declined & set(asked_in(offer))
        elif move in ("decline", "counter"):
            declined |= set(asked_in(offer))
    assert proposed > 0


def asked_in(offer: dict[str, Any]) -> list[tuple[int, int, str]]:
    """Who asks whom for what."""
    cards = [*offer["want"], *(f"firm {card}" for card in offer["want_firm"])]
    return [(offer["from"], offer["to"], card) for card in cards]


def test_who_needs_the_same_is_not_asked_for_it() -> None:
    """Who is investigated alike has no such acquittal either, as far as is known."""
    asked = {"own": "probe-crime cash-25", "others": [OTHER, "stop"]}
    assert choice(version_2.start("cash-75 cash-25 stop", **asked)) in ("trade p1", "trade p2")
    alike = version_2.start("cash-75 cash-25 stop", their=["probe-crime"] * 2, **asked)
    assert not choice(alike).startswith("trade")


def test_an_acquittal_is_countered_for_what_it_is_worth() -> None:
    """The cash that was offered is taken, the bear that came with it isn't."""
    state = version_2.start(
        "crash stop", own="probe-crime cash-50", others=["clear-crime clear-bribery", "stop", "stop"]
    )
    for move in ("trade p1", "give crash", "give firm cash-50", "want clear-crime", "propose"):
        state.play(move)
    assert choice(state) == "counter"
    state.play("counter")
    offer = built_offer(state)
    assert (offer["give"], offer["want_firm"], offer["counter"]) == (["clear-crime"], ["cash-50"], True)
    assert choice(state) in ("accept", "decline"), "a counter-offer isn't countered again"


def test_a_bot_makes_few_offers_a_turn_and_builds_what_it_begins() -> None:
    for state, move in played_by_bots(seed=4, moves=400):
        assert not move.startswith("trade") or state.position()["offers"] < cash_trading.OFFERS_A_TURN
        assert move != "drop"


# Nobody milks them: a greedy trader asks for something for nothing, goes round in circles, and probes

HIS = "cash-150 cash-75 dividend stop clear-crime venture premium"
GOOD_RIDDANCE = Counter({"license": 9, "crash": 9})  # of who has a license
RICH = {
    "others": ["license stop clear-crime settlement banker cash-50 crash", "stop"],
    "their": ["cash-5 cash-25 cash-50 venture taxman", "cash-10"],
}


def asking(state: State, give: list[str], want: list[str]) -> State:
    """Seat 0 has proposed this to seat 1; firm cards are named as in moves."""
    state.play("trade p1")
    for verb, cards in (("give", give), ("want", want)):
        for card in sorted(cards, key=as_named):
            state.play(f"{verb} {card}")
    state.play("propose")
    return state


def everything(state: State, seat: int) -> Counter[str]:
    """All that a seat can trade away."""
    firm = state.position()["firms"][seat]
    loose = [*firm["cash"], *["venture"] * firm["venture"], *["taxman"] * firm["taxman"]]
    return Counter([*state.position()["hands"][seat], *(f"firm {card}" for card in loose)])


def in_hand(state: State, seat: int) -> int:
    return len(state.position()["hands"][seat])


def hand_cards(cards: list[str]) -> int:
    return sum(not card.startswith("firm") for card in cards)


def fresh(state: State) -> State:
    """The same table, with all offers of a turn still to be made."""
    return GAME.from_position(state.position() | {"offers": 0})


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_nothing_is_given_for_nothing(level: str) -> None:
    for wanted in everything(version_2.start(HIS, own="cash-25", **RICH), 1):
        state = asking(version_2.start(HIS, own="cash-25", **RICH), [], [wanted])
        assert choice(state, level) != "accept" or wanted in GOOD_RIDDANCE, wanted


@pytest.mark.parametrize("seed", range(4))
def test_no_way_round_of_trades_leaves_a_bot_with_less(seed: int) -> None:
    """Whatever it accepted before, it never has only a part of what it had once."""
    chance = random.Random(seed)
    state = version_2.start(HIS, own="cash-25 cash-5 taxman", **RICH)
    had = [everything(state, 1)]
    for _ in range(60):
        give, want = (
            chance.sample(sorted(everything(state, seat).elements()), chance.randint(0, most))
            for seat, most in ((0, 2), (1, 3))
        )
        if not give + want or in_hand(state, 1) + hand_cards(give) - hand_cards(want) > 7:
            continue
        asked = asking(fresh(state), give, want)
        if choice(asked) == "accept":
            asked.play("accept")
            state = asked
            now = everything(state, 1)
            assert not any(now < before - GOOD_RIDDANCE for before in had), (give, want)
            had.append(now)
    assert len(had) > 1, "it trades at all"


@pytest.mark.parametrize("seed", range(3))
def test_there_and_back_again_gains_nothing(seed: int) -> None:
    """What a trade is worth and what its reverse is then add up to nothing, whatever else was traded."""
    chance = random.Random(seed)
    state = version_2.start(HIS, own="cash-25 cash-5 taxman", **RICH)
    for _ in range(10):
        give, want = (
            chance.sample(sorted(everything(state, seat).elements()), chance.randint(1, 2)) for seat in (0, 1)
        )
        if in_hand(state, 1) + abs(hand_cards(give) - hand_cards(want)) > 7:
            continue
        state = asking(fresh(state), give, want)
        there = cash_trading.gain_of_offer(state.fields(), 1)
        state.play("accept")
        back = asking(fresh(state), want, give)
        assert there + cash_trading.gain_of_offer(back.fields(), 1) == pytest.approx(0.0)
    assert there != 0.0


def test_an_answer_does_not_tell_what_a_bot_holds() -> None:
    """Asked for a card at a price that it wouldn't take, a bot that has it answers as one that hasn't."""
    for card in naive.CARD_ORDER:
        kind = card.partition("-")[0]
        if kind in ("license", "crash", "recession", "bankruptcy", "cover"):
            continue  # they would be given away gladly
        other = "stop" if card != "stop" else "settlement"
        answers = {
            choice(asking(version_2.start(HIS, others=[hand, "stop"]), [], [card]))
            for hand in (f"{card} {other}", other)
        }
        assert answers == {"decline"}, card


def test_an_easy_bot_misjudges_moves_that_are_close(monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of(position("cash-10 cash-5"))
    assert {choice(state, seed=seed) for seed in range(20)} == {"play cash-10"}
    _blur_by(40_000.0, monkeypatch)
    assert len({choice(state, seed=seed) for seed in range(20)}) > 1


# What they imagine


def test_imagined_hands_agree_with_what_is_seen() -> None:
    """All that the observer sees and knows stays, and every card of the box is somewhere."""
    for state, _ in played_by_bots(seed=3, moves=120):
        seen = state.observation(state.turn)
        imagined, view = np.zeros(1, GAME.rules.STATE), np.zeros(1, GAME.rules.VIEW)
        cash.imagine(seen.fields(), bot_generator(state.position()["moves"]), imagined[0])
        GAME.rules.observe(imagined[0], state.turn, view[0])
        assert view.tobytes() == seen.fields().tobytes()
        assert (imagined[0].hands[:4].sum(1) == imagined[0].hand_sizes[:4]).all()
        assert (
            imagined[0].hands[:4] >= np.where(np.arange(4)[:, None] == state.turn, 0, seen.fields().known[:4])
        ).all()
        assert (imagined[0].deck[: imagined[0].deck_size] > 0).all()
        assert (hidden_cards(imagined[0]) == hidden_cards(state.fields())).all()


def hidden_cards(state: Any) -> Any:
    """How many of each card are in hands, chosen for passing, or in the deck."""
    return state.hands.sum(0)[1:] + np.bincount([*state.deck, *state.chosen.ravel()], minlength=31)[1:]


def test_imagined_hands_hold_little_that_would_have_been_played() -> None:
    *_, (state, _) = played_by_bots(seed=3, moves=60)
    seen = state.observation(state.turn)
    cash_cards = {True: 0, False: 0}
    for seed in range(200):
        for by_rules in cash_cards:
            imagined = np.zeros(1, GAME.rules.STATE)[0]
            (GAME.rules if by_rules else cash).imagine(seen.fields(), bot_generator(seed), imagined)
            others = [seat for seat in range(4) if seat != state.turn]
            cash_cards[by_rules] += int(imagined.hands[others, CASH_25 : LAST_CASH + 1].sum())
    assert 2 * cash_cards[False] < cash_cards[True]


# What they say and know


def test_every_remark_has_words() -> None:
    said = {cash.remark(str(move)) for move in GAME.moves} - {None}
    assert len(said) >= 15
    for language in LANGUAGES:
        words = GAME.words(language)
        assert said <= words.keys()
        assert {key for key in words if key.startswith("remark.")} == said


def test_what_is_said_tells_only_what_all_have_seen() -> None:
    """Moves that others see masked come without a word, and a refusal is the same for every reason."""
    for move in GAME.moves:
        if str(move).split()[0] in ("give", "want", "pass", "trade", "drop"):
            assert cash.remark(str(move)) is None
    assert cash.remark("decline") == "remark.decline"
    assert GAME.words("en")["remark.decline"] == "No, thank you."


def test_a_bot_says_why_it_did_what_it_did() -> None:
    state = state_of(position("cash-75 clear-crime"))
    bot = kibitz.bot("easy", GAME, 1)
    assert str(bot.choose(state.observation(0))) == "play cash-75"
    assert bot.remark == "remark.cash"


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_bot_is_blind_to_what_its_seat_cannot_see(level: str) -> None:
    compared = 0
    for seed in range(25):
        chooser = random.Random(seed)
        state = GAME.deal(2 + seed % 7, seed)
        for _ in range(chooser.randrange(40)):
            state.play(chooser.choice([move for move in state.legal_moves if str(move) != "play stop"]))
        there = changed(state.position(), naive.view(state.position(), state.turn), chooser)
        here, other = GAME.from_position(state.position(), 1), GAME.from_position(there, 2)
        compared += here.position() != other.position()
        assert choice(here, level, seed) == choice(other, level, seed)
    assert compared > 15

"""Advice says what a move does, how likely it wins, and a reason only where that holds in most worlds."""

from collections.abc import Callable

import pytest

import kibitz
from kibitz.bots import advice
from kibitz.bots.lookahead import promising
from kibitz.bots.puzzles import puzzle, set_up
from kibitz.core.game import Game
from kibitz.core.secret import bot_generator
from kibitz.core.sentences import Card, Seat, Sentence
from kibitz.core.state import State
from kibitz.core.words import LANGUAGES
from tests.bots.test_analysis import deciding
from tests.games.cash.positions import OTHER, position, state_of

DOUBT = 0.2  # by which a share may differ in other worlds


def advised(state: State, seed: int = 1) -> tuple[advice.Advice, ...]:
    return advice.advise(state.observation(state.turn), nodes=200, seed=seed)


def moments(game: Game) -> list[State]:
    """Some moments of a game between easy bots in which there is a choice."""
    state = game.deal(seed=3)
    bot = kibitz.bot("easy", game, seed=1)
    found = []
    for _ in range(60):
        if state.turn is None:
            break
        if len(state.legal_moves) > 2:
            found.append(state.copy())
        state.play(bot.choose(state.observation(state.turn)))
    return found[::6]


def test_the_best_moves_come_first_and_say_what_they_surely_do(game: Game) -> None:
    state = deciding(game)
    given = advised(state)
    assert 1 <= len(given) <= 3
    found = kibitz.analyse(state.observation(state.turn), nodes=200, seed=1, sensible=True)
    assert given[0].move == found.best.move
    for one in given:
        assert one.move in state.legal_moves
        for line in one.told[:1]:  # none for a step of a longer move
            assert line.data["seat"] == Seat(state.turn or 0)


def test_a_card_that_will_be_drawn_is_told_of_and_not_which() -> None:
    """MATCH!: who collects draws, unless there is nothing to draw."""
    asked = puzzle("match", "8-28")
    seen = set_up("match", asked).observation(set_up("match", asked).turn)
    told = advice.Prospects(seen, seen.game.move(asked.best), advice.WORLDS).told
    assert told[0].key == "log.collect"
    assert told[0].data["drawn"] == Card("?")


def done_or_trading() -> State:
    """CASH: the card of this turn is played."""
    state = kibitz.game("cash").deal(seed=1)
    while "done" not in map(str, state.legal_moves) or "trade p1" not in map(str, state.legal_moves):
        state.play(next(move for move in state.legal_moves if not str(move).startswith("trade")))
    return state


@pytest.mark.parametrize("move", ["done", "trade p1"])
def test_a_move_that_the_log_does_not_tell_of_is_told_in_words(move: str) -> None:
    seen = done_or_trading().observation(0)
    told = advice.Prospects(seen, seen.game.move(move), advice.WORLDS).told
    assert told[0].key == f"move.{move.split()[0]}"
    assert told[0].data["seat"] == Seat(0)
    for language in LANGUAGES:
        assert f"{told[0].key}.you" in seen.game.words(language)


def test_no_offer_that_leads_nowhere_is_advised() -> None:
    seen = done_or_trading().observation(0)
    sensible = promising(seen, bot_generator(1, "cash", "promising"))
    assert len(sensible) < len(seen.legal_moves)
    assert {one.move for one in advice.advise(seen, nodes=200, seed=1)} <= set(sensible)


def test_a_step_of_an_offer_is_told_with_the_offer_it_leads_to() -> None:
    """CASH: who needs the acquittal is told what to ask whom for, and for what, from the first step on."""
    state = state_of(position("cash-75 cash-25 stop", own="probe-crime cash-25", others=[OTHER, "stop"]))
    moves = ("trade p1", "give cash-75", "want clear-crime")
    for move in moves:
        told = {str(one.move): one.reasons[0] for one in advised(state)}
        assert told[move].kind is advice.Kind.BRINGS
        assert told[move].sentence.key == "log.offer"
        assert told[move].sentence.data["rival"] == Seat(1)
        state.play(move)
    assert str(advised(state)[0].move) == "propose"


def test_it_hangs_on_nothing_that_the_seat_can_not_see(game: Game) -> None:
    state = deciding(game)
    other = state.observation(state.turn).imagine(5)
    assert advised(other) == advised(state)
    seen = (state.observation(state.turn), other.observation(state.turn))
    assert advice.chances(seen[0], seed=1) == advice.chances(seen[1], seed=1)


# Reasons

# Moments of puzzles, and a move that their best one is compared with: together they have all kinds of a game.
TELLING = {
    "kaching": {"9-38": "buy 3", "12-40": "buy 4"},
    "match": {"2-10": "collect R0", "8-28": "match Y0", "14-34": "match P1"},
    "kazink": {"16-27": "U", "67-53": "shift a5 d2 1"},
    "assets": {"3-93": "steal p1 with home", "47-106": "discard auto"},
    "cash": {"0-14": "play probe-crime on p1", "2-232": "discard stop"},
}
KINDS = 8  # a game, at least

HOLDS: dict[advice.Kind, Callable[[advice.Followed], bool]] = {
    advice.Kind.WINS: lambda then: then.won,
    advice.Kind.SAVES: lambda then: then.lost,
    advice.Kind.ENDS: lambda then: then.round_over and then.points > then.rivals,
    advice.Kind.CONTINUES: lambda then: then.round_over and then.points < then.rivals,
    advice.Kind.AGAIN: lambda then: then.again,
}
GAINS: dict[advice.Kind, Callable[[advice.Prospects], list[float]]] = {
    advice.Kind.SCORES: lambda after: [float(then.points) for then in after.followed],
    advice.Kind.COSTS: lambda after: [-float(then.rivals) for then in after.followed],
    advice.Kind.CHOICES: lambda after: [float(then.choices) for then in after.followed],
    advice.Kind.MARGIN: lambda after: after.margins,
}


def told_of(reason: advice.Reason, mine: advice.Prospects, others: advice.Prospects) -> tuple[float, float]:
    """In which part of the worlds a reason holds after the move it speaks of, and after the other."""
    then, instead = (others, mine) if reason.otherwise else (mine, others)
    if reason.kind in HOLDS:
        share, less = (
            sum(map(HOLDS[reason.kind], each.followed)) / advice.WORLDS for each in (then, instead)
        )
        return share, less
    if reason.kind in GAINS:
        gains = [a - b for a, b in zip(*(GAINS[reason.kind](each) for each in (mine, others)), strict=True)]
        return sum(gain > 0 for gain in gains) / advice.WORLDS, sum(
            gain < 0 for gain in gains
        ) / advice.WORLDS
    return then.share(reason.sentence), instead.share(reason.sentence)


@pytest.mark.parametrize("name", TELLING)
def test_every_kind_of_reason_holds_in_most_worlds_also_in_others_than_it_was_found_in(name: str) -> None:
    game = kibitz.game(name)
    kinds = set()
    for id, move in TELLING[name].items():
        asked = puzzle(name, id)
        seen = set_up(name, asked).observation(set_up(name, asked).turn)
        here, elsewhere = (
            [advice.Prospects(seen, game.move(each), worlds) for each in (asked.best, move)]
            for worlds in (advice.WORLDS, 77 * advice.WORLDS)
        )
        for one, other in ((0, 1), (1, 0)):
            found = advice.nearer_reasons(here[one], here[other]) + advice.final_reasons(
                here[one], here[other]
            )
            for reason in found:
                kinds.add(reason.kind)
                share, less = told_of(reason, here[one], here[other])
                assert reason.share == share > advice.MOST
                assert less <= share - advice.DIFFERENCE
                share, less = told_of(reason, elsewhere[one], elsewhere[other])
                assert share > advice.MOST - DOUBT, (id, reason)
                assert less <= share - advice.DIFFERENCE + 2 * DOUBT, (id, reason)
    assert len(kinds) >= KINDS


def test_what_holds_only_in_some_worlds_is_no_reason() -> None:
    """Shares around the half are left out, and so is what the other move brings as well."""
    game, told = kibitz.game("match"), puzzle("match", "8-28")
    seen = set_up("match", told).observation(set_up("match", told).turn)
    mine, others = (advice.Prospects(seen, game.move(move), 0) for move in (told.best, "match Y0"))
    given = {repr(reason.sentence) for reason in advice.nearer_reasons(mine, others)}
    unsure = [line for line in others.said.values() if 0 < others.share(line) <= advice.MOST]
    alike = [
        line for line in mine.said.values() if abs(mine.share(line) - others.share(line)) < advice.DIFFERENCE
    ]
    assert unsure
    assert alike
    assert given.isdisjoint(map(repr, [*unsure, *alike]))


def test_a_move_about_as_good_as_the_next_is_told_by_what_it_leads_to() -> None:
    """Nothing near sets them apart: what holds after the move, and not after the least of all, is said."""
    game = kibitz.game("kaching")
    state = set_up("kaching", puzzle("kaching", "9-38"))
    seen = state.observation(state.turn)
    mine, least = (advice.Prospects(seen, game.move(move), 0) for move in ("sell B4 B5", "buy 3"))
    told = advice.plain_reasons(mine, least)
    assert len(told) == 1
    assert told[0].kind in advice.PLAIN
    assert mine.share(told[0].sentence) > advice.MOST
    assert advice.plain_reasons(mine, mine) == ()


def test_whose_reason_it_is(game: Game) -> None:
    """The seat's own deeds are brought, deeds of others against it prevented."""
    state = deciding(game)
    me = Seat(state.turn or 0)
    for one in advised(state):
        for reason in one.reasons:
            if reason.kind in (advice.Kind.BRINGS, advice.Kind.PREVENTS, advice.Kind.DENIES):
                assert (reason.sentence.data["seat"] == me) is (reason.kind is advice.Kind.BRINGS)
            if reason.kind is advice.Kind.PREVENTS:
                assert me in reason.sentence.data.values()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words(game: Game, language: str) -> None:
    words = game.words(language)
    for kind in set(advice.Kind) - {
        advice.Kind.BRINGS,
        advice.Kind.PREVENTS,
        advice.Kind.DENIES,
        advice.Kind.STANDS,
        advice.Kind.LEAVES,
    }:
        assert f"reason.{kind}" in words
        assert f"reason.{kind}.you" in words
    for kind in {*advice.AMOUNTS, advice.Kind.LATER}:
        assert f"reason.{kind}.less.you" in words


def test_every_move_that_is_advised_is_told_why(game: Game) -> None:
    for state in moments(game):
        for one in advised(state):
            assert one.reasons, (state.history, one.move)


def test_a_move_that_is_not_the_best_is_told_what_goes_wrong_then() -> None:
    """Ka-Ching!: some of the moves that are worse leave a card to the rival, or bring less."""
    given = [advised(state) for state in moments(kibitz.game("kaching"))]
    assert not any(reason.against for best, *_ in given for reason in best.reasons)
    against = [reason for _, *others in given for one in others for reason in one.reasons if reason.against]
    assert {reason.opening.split(".")[0] for reason in against if reason.kind is not advice.Kind.LATER} == {
        "but"
    }
    assert not any(reason.otherwise for reason in against)


def test_where_nothing_else_is_worth_a_look_that_is_said() -> None:
    """CASH: no offer is sensible, and the turn's card is played."""
    seen = done_or_trading().observation(0)
    given = advice.advise(seen, nodes=200, seed=1)
    if len(given) == 1:
        assert [reason.kind for reason in given[0].reasons] == [advice.Kind.ONLY]
        assert given[0].reasons[0].opening == ""


def test_how_the_table_stands_is_told_of_one_deal_only() -> None:
    """CASH: after a stop new cards are dealt, so that firms can't be compared."""
    asked = puzzle("cash", "2-232")
    seen = set_up("cash", asked).observation(set_up("cash", asked).turn)
    stop, discard = (advice.Prospects(seen, seen.game.move(move), 0) for move in (asked.best, "discard stop"))
    kinds = {
        reason.kind
        for reason in (*advice.nearer_reasons(stop, discard), *advice.nearer_reasons(discard, stop))
    }
    assert discard.merits
    assert kinds.isdisjoint(advice.TABLE)


def test_a_reason_that_names_only_what_another_one_named_is_left_out() -> None:
    """Ka-Ching!: that a pair can be sold isn't said after that it is sold."""
    game = kibitz.game("kaching")
    both = 0
    for state in moments(game):
        for one in advised(state):
            sales = [
                reason.sentence for reason in one.reasons if reason.sentence.key in ("log.sell", "merit.pair")
            ]
            cards = [{each for each in sale.data.values() if isinstance(each, Card)} for sale in sales]
            both += len(cards) == 2
            assert not (len(cards) == 2 and cards[0] == cards[1])


def test_how_sure_a_reason_is_decides_how_it_begins() -> None:
    line = Sentence("log.pass", {"seat": Seat(0)})
    openings = [
        advice.Reason(kind, line, share, against).opening
        for kind, share, against in (
            (advice.Kind.BRINGS, 1.0, False),
            (advice.Kind.DENIES, 0.7, False),
            (advice.Kind.DENIES, 0.7, True),
            (advice.Kind.STANDS, 1.0, False),
            (advice.Kind.LEAVES, 0.95, False),
            (advice.Kind.EVEN, 1.0, False),
        )
    ]
    assert openings == ["then.sure", "otherwise.likely", "but.likely", "then", "otherwise.sure", ""]


def test_a_purchase_is_advised_because_of_the_sale_that_follows() -> None:
    """Ka-Ching!: a second red card makes a pair that sells for more than both cost."""
    game = kibitz.game("kaching")
    given = [one for state in moments(game) for one in advised(state)]
    sales = [
        reason.sentence.key
        for one in given
        for reason in one.reasons
        if str(one.move).startswith("buy") and reason.sentence.key == "log.sell"
    ]
    assert sales

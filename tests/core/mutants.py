"""The tiny game with one defect each, to see that the checks catch it.

A mutant takes the place of a verb or text of the game (`rules`, `text`), or of a method of `State` (`core`).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec

from kibitz.core.description import Found
from kibitz.core.errors import GameOver, IllegalMove, Refusal
from kibitz.core.events import AnyEvent
from kibitz.core.forms import Own
from kibitz.core.game import Game
from kibitz.core.journal import EVERYBODY, SEEN_BY, Journal
from kibitz.core.layout import NOBODY, OVER, AnyRecord, Moves, Points, Rng
from kibitz.core.move import Move
from kibitz.core.reader import Reader
from kibitz.core.record import Record
from kibitz.core.rows import Rows
from kibitz.core.state import State
from tests.tiny import GAME, rules, text


@dataclass(frozen=True)
class Defect:
    """What is wrong, in a few words; what the check says about it; and the parts that make it so."""

    wrong: str
    says: str
    rules: Mapping[str, Any] = field(default_factory=dict)
    text: Mapping[str, Any] = field(default_factory=dict)
    core: Mapping[str, Any] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The tiny game, with it."""
        return replace(GAME, name="mutant", rules=_changed(rules, self.rules), text=_changed(text, self.text))


def _changed(module: ModuleType, parts: Mapping[str, Any]) -> Any:
    unknown = parts.keys() - vars(module).keys()
    assert not unknown, f"{module.__name__} has no {unknown}"
    return SimpleNamespace(**{**vars(module), **parts})


# Setting up


def deals_by_pythons_random(state: AnyRecord, journal: Journal) -> None:
    rules.set_up(state, journal)
    random.shuffle(state.deck[: state.deck_size])


def deals_otherwise_the_third_time(state: AnyRecord, journal: Journal) -> None:
    rules.set_up(state, journal)
    state.drawn += next(_deals) % 3 // 2


_deals = count()


# What a player may do


def legal_upside_down(state: AnyRecord, moves: Moves) -> int:
    found = rules.legal_moves(state, moves)
    moves[:found] = moves[:found][::-1].copy()
    return found


def legal_twice(state: AnyRecord, moves: Moves) -> int:
    found = rules.legal_moves(state, moves)
    moves[: 2 * found] = moves[:found].repeat(2)
    return 2 * found


def legal_none(state: AnyRecord, moves: Moves) -> int:
    return 0


def legal_when_over(state: AnyRecord, moves: Moves) -> int:
    if state.phase != OVER:
        return rules.legal_moves(state, moves)
    moves[0] = rules.LAY
    return 1


def legal_by_the_deck(state: AnyRecord, moves: Moves) -> int:
    """The last move goes, if the top of the deck is odd: nobody can know that."""
    found = rules.legal_moves(state, moves)
    odd = state.deck_size > 0 and state.deck[state.deck_size - 1] % 2 == 1
    return found - 1 if odd and found > 1 else found


def legal_by_the_generator(state: AnyRecord, moves: Moves) -> int:
    """The last move goes, if nothing was drawn yet: no position tells that."""
    found = rules.legal_moves(state, moves)
    return found - 1 if state.drawn == 0 and found > 1 else found


def legal_leaves_a_mark(state: AnyRecord, moves: Moves) -> int:
    state.drawn |= 1 << 20
    return rules.legal_moves(state, moves)


# A turn


def loses_a_card(state: AnyRecord, move: int, journal: Journal) -> None:
    seat = state.turn
    rules.play(state, move, journal)
    if move < rules.HIDE:
        state.piles[seat, move - rules.LAY + 1] -= 1


def hides_a_seven(state: AnyRecord, move: int, journal: Journal) -> None:
    seat = state.turn
    rules.play(state, move, journal)
    if move >= rules.HIDE:
        state.hidden[seat] = rules.HIGHEST + 1


def leaves_nobody_in_turn(state: AnyRecord, move: int, journal: Journal) -> None:
    rules.play(state, move, journal)
    state.turn = NOBODY


def plays_by_pythons_random(state: AnyRecord, move: int, journal: Journal) -> None:
    rules.play(state, move, journal)
    random.shuffle(state.deck[: state.deck_size])


def last_seat_always_wins(state: AnyRecord, move: int, journal: Journal) -> None:
    rules.play(state, move, journal)
    if state.phase == OVER:
        state.winners[:] = 0
        state.winners[state.players - 1] = 1


def ends_without_a_reason(state: AnyRecord, move: int, journal: Journal) -> None:
    rules.play(state, move, journal)
    state.ending = 0


def stays_in_turn_at_the_end(state: AnyRecord, move: int, journal: Journal) -> None:
    rules.play(state, move, journal)
    if state.phase == OVER:
        state.turn = 0


def tells_everybody(state: AnyRecord, move: int, journal: Journal) -> None:
    rules.play(state, move, journal)
    journal[1:, SEEN_BY] = EVERYBODY


# The end


def never_over(state: AnyRecord) -> bool:
    return False


def over_leaves_a_mark(state: AnyRecord) -> bool:
    state.drawn += 1
    return rules.is_over(state)


def score_leaves_a_mark(state: AnyRecord, points: Points) -> None:
    state.drawn += 1
    rules.score(state, points)


# What each player sees


def observe_leaves_a_mark(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    state.drawn += 1
    rules.observe(state, observer, view)


def observe_keeps_the_key(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    _kept[:] = [state.key.copy()]
    rules.observe(state, observer, view)


_kept: list[Any] = []


def observe_shows_the_deck(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    rules.observe(state, observer, view)
    view.deck[:] = state.deck


def observe_marks_the_deck(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Behind the cards of the deck, where JSON doesn't look."""
    rules.observe(state, observer, view)
    if 0 < state.deck_size < rules.DECK_SIZE and state.phase != OVER:
        view.deck[rules.DECK_SIZE - 1] = state.deck[state.deck_size - 1]


# Imagining what is hidden


def imagines_with_the_true_key(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    rules.imagine(view, rng, state)
    state.key[:] = _kept[0]


def imagines_the_end(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    rules.imagine(view, rng, state)
    state.phase = OVER


def imagines_a_nine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    rules.imagine(view, rng, state)
    state.deck[: state.deck_size] = 9


def imagines_another_hand(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    rules.imagine(view, rng, state)
    state.hands[view.observer] = state.hands[view.observer][::-1].copy()


def imagines_a_reason(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    rules.imagine(view, rng, state)
    state.ending = rules.MOVES


def imagines_no_deck(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    rules.imagine(view, rng, state)
    state.deck[:] = 0


# Texts


def all_hide_alike(move: int) -> str:
    return text.move_text(move) if move < rules.HIDE else "hide it"


def parses_the_next_move(given: str) -> int | Refusal:
    found = text.parse_move(given)
    return found if isinstance(found, Refusal) else (found + 1) % rules.NUM_MOVES


def parses_no_six(given: str) -> int | Refusal:
    return Refusal("unknown-move", "notation") if "6" in given else text.parse_move(given)


def writes_six_as_hidden(move: int) -> str:
    return text.move_text(move).replace("6", "?")


def reads_hidden_as_six(given: str) -> int | Refusal:
    return text.parse_move(given.replace("?", "6"))


def parses_anything(given: str) -> int | Refusal:
    found = text.parse_move(given)
    return found if not isinstance(found, Refusal) else rules.LAY


def writes_longer_and_longer(move: int) -> str:
    return text.move_text(move) + " " * next(_writings)


_writings = count()


def parses_whatever_the_spaces(given: str) -> int | Refusal:
    return text.parse_move(given.rstrip(" "))


def piles_by_the_deck(piles: Sequence[int], deck_size: int) -> list[str]:
    """Piles that are only seen when the deck is empty."""
    return (
        [] if deck_size > 0 else [rules.CARDS[card] for card, count in enumerate(piles) for _ in range(count)]
    )


def reads_the_deck_backwards(reader: Reader, record: AnyRecord, found: Found) -> None:
    text.read(reader, record, found)
    if not hasattr(record, "observer"):
        record.deck[: record.deck_size] = record.deck[: record.deck_size][::-1].copy()


def follows_without_a_hand(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    view.hands[view.turn] = 0


def follows_without_piles(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    view.piles[:] = 0


def follows_what_nobody_knows(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    view.ending = 1


def refuses_without_a_rule(state: AnyRecord, move: int) -> Refusal:
    return Refusal("hidden-once", "")


def refuses_without_words(state: AnyRecord, move: int) -> Refusal:
    return Refusal("because", "turn")


def refuses_and_leaves_a_mark(state: AnyRecord, move: int) -> Refusal:
    state.drawn += 1
    return text.why_illegal(state, move)


def refuses_by_the_deck(state: AnyRecord, move: int) -> Refusal:
    return Refusal("not-in-hand", "turn", card=str(state.deck[max(0, state.deck_size - 1)]))


# The core

_true_undo, _true_copy, _true_record, _true_check = State.undo, State.copy, State.record, State.check


_true_position, _true_view = State.position, State.view


def deck_first(self: State) -> dict[str, Any]:
    return {"deck": [], **_true_position(self)}


def views_deck_first(self: State, seat: int | None) -> dict[str, Any]:
    return {"deck": [], **_true_view(self, seat)}


def views_without_piles(self: State, seat: int | None) -> dict[str, Any]:
    return _true_view(self, seat) | {"piles": [[]] * self.players}


def views_with_secrets(self: State, seat: int | None) -> dict[str, Any]:
    view = _true_view(self, seat)
    return view | {"hidden": ["?"] * self.players} if self.over else view


def views_as_json(view: Callable[[State, int | None], dict[str, Any]]) -> dict[str, Any]:
    """The parts that make views so, as values and as text."""
    return {"view": view, "view_json": lambda self, seat: msgspec.json.encode(view(self, seat))}


def undoes_all_but_the_generator(self: State) -> Move:
    drawn = self._memory[0].drawn + 1
    undone = _true_undo(self)
    self._memory[0].drawn = drawn
    return undone


def undoes_all_but_the_log(self: State) -> Move:
    journal = self.journal
    undone = _true_undo(self)
    self._told = Rows(journal)
    return undone


def copies_share_their_memory(self: State) -> State:
    twin = _true_copy(self)
    twin._memory = self._memory
    return twin


def writes_bytes_without_the_generator(self: State) -> bytes:
    memory = self._memory.copy()
    memory["drawn"] = len(self.history)
    return memory.tobytes()


def copies_without_history(self: State, memo: Any) -> State:
    return self.game.from_bytes(bytes(self))


def records_no_last_move(self: State, seats: tuple[str, ...] = ()) -> Record:
    whole = _true_record(self, seats)
    return msgspec.structs.replace(whole, moves=whole.moves[:-1])


def records_what_json_has_not(self: State, seats: tuple[str, ...] = ()) -> Record:
    return msgspec.structs.replace(_true_record(self, seats), options={"pair": (1, 2)})


def plays_for_any_seat(self: State, move: Any, seat: int | None = None) -> Move:
    return _true_check(self, move, None)


def refuses_the_end_like_anything(self: State, move: Any, seat: int | None = None) -> Move:
    try:
        return _true_check(self, move, seat)
    except GameOver as error:
        raise IllegalMove(error.code, error.reason, error.data, error.rule) from error


BROKEN_GAMES = (
    # Setting up
    Defect(
        "chance outside the state deals", "the same seed deals", rules={"set_up": deals_by_pythons_random}
    ),
    Defect("a third deal", "a record replays", rules={"set_up": deals_otherwise_the_third_time}),
    # What a player may do
    Defect("legal moves upside down", "in ascending order", rules={"legal_moves": legal_upside_down}),
    Defect("legal moves twice", "each once", rules={"legal_moves": legal_twice}),
    Defect("no legal move", "a running game has a legal move", rules={"legal_moves": legal_none}),
    Defect("a legal move when over", "nobody decides when", rules={"legal_moves": legal_when_over}),
    Defect("legal by what is hidden", "knows what is legal", rules={"legal_moves": legal_by_the_deck}),
    Defect("legal by the generator", "that was read", rules={"legal_moves": legal_by_the_generator}),
    Defect("legal_moves changes the state", "a query", rules={"legal_moves": legal_leaves_a_mark}),
    # A turn
    Defect("a card gets lost", "12 cards in all", rules={"play": loses_a_card}),
    Defect("a field out of bounds", "hidden is from 0 to 6", rules={"play": hides_a_seven}),
    Defect("nobody in turn", "has a seat in turn", rules={"play": leaves_nobody_in_turn}),
    Defect("chance outside the state", "the same move from", rules={"play": plays_by_pythons_random}),
    Defect("too many moves", "at most MAX_MOVES moves", rules={"MAX_MOVES": 3}),
    # The end
    Defect("the wrong winner", r"winners: expected \[.\] \(by the", rules={"play": last_seat_always_wins}),
    Defect("an end without a reason", "'ending.none'", rules={"play": ends_without_a_reason}),
    Defect("a turn after the end", "turn: expected None", rules={"play": stays_in_turn_at_the_end}),
    Defect("is_over never true", "over in the phase", rules={"is_over": never_over}),
    Defect("is_over changes the state", "a query", rules={"is_over": over_leaves_a_mark}),
    Defect("score changes the state", "a query", rules={"score": score_leaves_a_mark}),
    # What each player sees
    Defect("observe changes the state", "a query", rules={"observe": observe_leaves_a_mark}),
    Defect("keys of a view in another order", "has the keys", core=views_as_json(views_deck_first)),
    Defect("a view unlike the position", "a view agrees", core=views_as_json(views_without_piles)),
    Defect("secrets after the end", "when the game is over a", core=views_as_json(views_with_secrets)),
    Defect("no own hand in a view read", "from outside has the", text={"follow": follows_without_a_hand}),
    Defect("more than a log tells", "log tells all", text={"follow": follows_what_nobody_knows}),
    Defect("no piles in a view read", "from outside reads", text={"follow": follows_without_piles}),
    # Imagining what is hidden
    Defect(
        "imagines with the true key",
        "a generator of its own",
        rules={"observe": observe_keeps_the_key, "imagine": imagines_with_the_true_key},
    ),
    Defect("imagines the end", "an imagined state isn't over", rules={"imagine": imagines_the_end}),
    Defect("imagines out of bounds", "deck is from 0 to 6", rules={"imagine": imagines_a_nine}),
    Defect("imagines another hand", "looks the same", rules={"imagine": imagines_another_hand}),
    Defect("imagines against what is known", "observer knows", rules={"imagine": imagines_a_reason}),
    Defect("imagines without all cards", "expected a card", rules={"imagine": imagines_no_deck}),
    # Notation
    Defect("two moves of one text", "have the same text", text={"move_text": all_hide_alike}),
    Defect("a text of another move", "reads back as its", text={"parse_move": parses_the_next_move}),
    Defect("a text of no move", "'lay 6' is not a move|“lay 6”", text={"parse_move": parses_no_six}),
    Defect(
        "a ? in a move",
        r"text holds a '\?'",
        text={"move_text": writes_six_as_hidden, "parse_move": reads_hidden_as_six},
    ),
    Defect("an illegal move accepted", "'' is refused", text={"parse_move": parses_anything}),
    Defect(
        "a log that changes its words",
        "the log only grows",
        text={"move_text": writes_longer_and_longer, "parse_move": parses_whatever_the_spaces},
    ),
    # Positions
    Defect("keys in another order", "keys in their order", core={"position": deck_first}),
    Defect(
        "a form that loses cards",
        "12 cards in all",
        text={"FORMS": {"piles": Own(piles_by_the_deck, "deck_size", each_seat=True)}},
    ),
    Defect("a position read wrongly", "a position reads", text={"read": reads_the_deck_backwards}),
    # Refusals
    Defect("a refusal without a rule", "says why", text={"why_illegal": refuses_without_a_rule}),
    Defect("a refusal without words", "'refusal.because'", text={"why_illegal": refuses_without_words}),
    Defect("a refusal changes", "a refused move", text={"why_illegal": refuses_and_leaves_a_mark}),
    # The core
    Defect("undo forgets a field", "undo is exact", core={"undo": undoes_all_but_the_generator}),
    Defect("undo forgets the log", "takes the log back", core={"undo": undoes_all_but_the_log}),
    Defect("copies share", "a query changes nothing", core={"copy": copies_share_their_memory}),
    Defect("bytes lose a field", "bytes read", core={"__bytes__": writes_bytes_without_the_generator}),
    Defect("pickles lose the history", "are whole", core={"__deepcopy__": copies_without_history}),
    Defect("a record loses a move", "BadRecord: moves", core={"record": records_no_last_move}),
    Defect("a record isn't JSON", "a record reads", core={"record": records_what_json_has_not}),
    Defect("moves out of turn", "' is refused|'\\) is refused", core={"check": plays_for_any_seat}),
    Defect("moves after the end", "refused as GameOver", core={"check": refuses_the_end_like_anything}),
)

LEAKS = (
    Defect("in the view", "the view of a viewer", rules={"observe": observe_shows_the_deck}),
    Defect("in the log", "the log of a viewer", rules={"play": tells_everybody}),
    Defect("in the legal moves", "the legal moves of a viewer", rules={"legal_moves": legal_by_the_deck}),
    Defect("in a refusal", "the refusals of a viewer", text={"why_illegal": refuses_by_the_deck}),
    Defect("in the bot's record", "the observation of a viewer", rules={"observe": observe_marks_the_deck}),
)

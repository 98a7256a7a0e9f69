"""What every game must keep, as a test that is shipped: `check_game(game)` and `check_leaks(game, view)`.

Both play random games over all numbers of players and options and raise `Broken`, saying which promise is
broken and how to see it again.
"""

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from kibitz.core.errors import BadPosition, GameOver, IllegalMove, KibitzError, NotYourTurn
from kibitz.core.game import Game
from kibitz.core.layout import HIDDEN
from kibitz.core.options import Option, Value
from kibitz.core.record import Record
from kibitz.core.state import State

MOST_MOVES = 300  # of a game: a longer one is left unfinished
MOST_TWIN_MOVES = 80  # in twin worlds
TWINS = 20  # tries to make one
CLOSE_LOOKS = 0.12  # of the positions: there everything is checked, not only what is cheap
REFUSAL_STRIDE = 7  # in twin worlds one move in so many is tried out of turn or against the rules


class Broken(AssertionError):
    """A game doesn't keep a promise."""


@dataclass(frozen=True)
class Setting:
    """A number of players, options and a seed: how to begin a game, and to begin it again."""

    players: int
    seed: int
    options: dict[str, Any]

    def deal(self, game: Game) -> State:
        """Begin it."""
        return game.deal(self.players, self.seed, **self.options)


def settings(game: Game, games: int, seed: int) -> Iterator[Setting]:
    """Numbers of players in turn, with options by chance."""
    chooser = random.Random(seed)
    made = 0
    while made < games:
        players = game.players[made % len(game.players)]
        options = {option.name: _any_value(option, players, chooser) for option in game.options}
        try:
            game.checked_options(options, players)
        except KibitzError:
            continue  # values that don't go together
        yield Setting(players, seed * 1000 + made, options)
        made += 1


def _any_value(option: Option, players: int, chooser: random.Random) -> Value:
    choice = chooser.choice(option.choices(players))
    return chooser.choice(choice[:3]) if isinstance(choice, range) else choice


@contextmanager
def told_where(place: str) -> Iterator[None]:
    """Whatever goes wrong inside is a broken promise, and says where it was found."""
    try:
        yield
    except Broken as broken:
        raise Broken(f"{place}: {broken}") from broken
    except Exception as error:
        raise Broken(f"{place}: {type(error).__name__}: {error}") from error


# A game keeps its promises


def check_game(game: Game, games: int = 24, seed: int = 1) -> int:
    """Play random games and check everything at every step or so; returns the number of moves made."""
    with told_where(game.title):
        check_notation(game)
    moves = 0
    for setting in settings(game, games, seed):
        with told_where(f"{game.title}, {setting}"):
            moves += _check_one(game, setting)
    return moves


def _check_one(game: Game, setting: Setting) -> int:
    chooser = random.Random(setting.seed)
    state = setting.deal(game)
    check_same(bytes(setting.deal(game)), bytes(state), "the same seed deals the same game")
    while not state.over and len(state.history) < MOST_MOVES:
        check_bounds(state)
        check_legal_moves(state)
        if chooser.random() < CLOSE_LOOKS:
            check_closely(state)
        check_step(state, chooser.choice(state.legal_moves))
    check_bounds(state)
    check_closely(state)
    if state.over:
        check_end(state)
    check_record(state)
    return len(state.history)


def check_closely(state: State) -> None:
    """All that costs more than a look."""
    check_queries(state)
    check_round_trips(state)
    check_views(state)
    check_imagination(state)
    check_refusals(state)


def check(true: Any, promise: str) -> None:
    """Raise Broken unless true."""
    if not true:
        raise Broken(promise)


def check_same(got: Any, expected: Any, promise: str) -> None:
    """Raise Broken unless both are equal."""
    if got != expected:
        raise Broken(f"{promise}\n  expected {expected!r:.600}\n  got      {got!r:.600}")


def check_notation(game: Game) -> None:
    """Every move has a text of its own, which reads back; `?` is never a move."""
    texts = [str(move) for move in game.moves]
    check_same(len(set(texts)), len(texts), "no two moves have the same text")
    for move in game.moves:
        check_same(game.move(str(move)), move, f"the text {str(move)!r} reads back as its move")
        check(HIDDEN not in str(move), "no move's text holds a '?'")


def check_bounds(state: State) -> None:
    """Every field of the record is within its bounds."""
    record = state.fields()
    for field in state.game.layout.fields:
        values = np.asarray(record[field.name])
        if not ((values >= field.least).all() and (values <= field.greatest).all()):
            raise Broken(f"{field.name} is from {field.least} to {field.greatest}, not {values.tolist()}")
    check(0 <= record.moves <= state.game.rules.MAX_MOVES, "a round has at most MAX_MOVES moves")


def check_legal_moves(state: State) -> None:
    """Until the game is over a seat is in turn and has legal moves, in ascending order, each once."""
    check(state.turn in range(state.players), "a running game has a seat in turn")
    before = bytes(state)
    ids = [move.id for move in state.legal_moves]
    check_same(bytes(state), before, "a query changes nothing")
    record = state.fields()
    unchanged = record.tobytes()
    state.game.rules.legal_moves(record, np.empty(state.game.num_moves, np.int16))
    check_same(record.tobytes(), unchanged, "a query changes nothing")
    check(ids, "a running game has a legal move")
    check_same(ids, sorted(set(ids)), "legal moves are in ascending order, each once")


def check_step(state: State, move: Any) -> None:
    """A move can be taken back exactly, and made again with the same result."""
    before, log = bytes(state), state.log(None)
    state.play(move)
    after = bytes(state)
    check_same(state.log(None)[: len(log)], log, "the log only grows")
    state.undo()
    check_same(bytes(state), before, "undo is exact")
    check_same(state.log(None), log, "undo takes the log back, too")
    state.play(str(move))
    check_same(bytes(state), after, "the same move from the same state gives the same state")


def check_queries(state: State) -> None:
    """Looking changes nothing, and a copy has its own future."""
    before = bytes(state)
    for seat in (None, *range(state.players)):
        state.view(seat)
        state.log(seat)
        state.observation(seat)
    rules, record = state.game.rules, state.fields()
    unchanged = record.tobytes()
    rules.score(record, np.zeros(len(record.scores), np.int32))
    check_same(bool(rules.is_over(record)), state.over, "a game is over in the phase for it")
    check_same(record.tobytes(), unchanged, "a query changes nothing")
    repr(state), state.hash, state.record(), state.ending
    twin = state.copy()
    if not twin.over:
        twin.play(twin.legal_moves[0])
    check_same(bytes(state), before, "a query changes nothing")


def check_round_trips(state: State) -> None:
    """Positions and bytes come back as they went; a position that lost a card is refused on reading."""
    game, position = state.game, state.position()
    check_same(list(position), list(game.keys), "a position has its keys in their order")
    text = msgspec.json.encode(position)
    again = game.from_position(msgspec.json.decode(text))
    check_same(msgspec.json.encode(again.position()), text, "a position reads back as it was written")
    check_same(again.legal_moves, state.legal_moves, "a position that was read has the same legal moves")
    check_same(bytes(game.from_bytes(bytes(state))), bytes(state), "bytes read back as they were written")
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        check_same((bytes(twin), twin.history), (bytes(state), state.history), "copies and pickles are whole")


def check_views(state: State) -> None:
    """A view is the position with some of it hidden; when the game is over, nothing is."""
    position = state.position()
    emptied = getattr(state.game.text, "EMPTIED", ())
    for seat in (None, *range(state.players)):
        view = state.view(seat)
        check_same(state.view_json(seat), msgspec.json.encode(view), "a view as JSON is the view")
        check_same(list(view), list(position), "a view has the keys of the position")
        for key, shown in view.items():
            whole = merged(shown, position[key], key in emptied)
            check_same(whole, position[key], f"{key}: a view agrees with the position in what it shows")
        if state.over:
            check_same(view, position, "when the game is over a view equals the position")


def merged(view: Any, position: Any, emptied: bool = False) -> Any:
    """The view with each `?` replaced by what the position has; an empty list too, if it may hide all."""
    if view == HIDDEN or (emptied and view == []):
        return position
    if isinstance(view, dict) and isinstance(position, dict):
        return {key: merged(value, position.get(key), emptied) for key, value in view.items()}
    if isinstance(view, list) and isinstance(position, list) and len(view) == len(position):
        return [merged(one, other) for one, other in zip(view, position, strict=True)]
    return view


def check_imagination(state: State) -> None:
    """An imagined state agrees with the view it came from, knows nothing of the true deal, and goes on."""
    if state.over:
        return
    game = state.game
    for seat in range(state.players):
        seen = state.observation(seat)
        imagined = seen.imagine(len(state.history))
        check(not imagined.over, "an imagined state isn't over")
        check_bounds(imagined)
        check_same(imagined.view(seat), seen.view, "an imagined state looks the same to its observer")
        again = imagined.observation(seat).fields().tobytes()
        check_same(again, seen.fields().tobytes(), "an imagined state agrees with all its observer knows")
        game.from_position(imagined.position())
        check(
            not np.array_equal(imagined.fields().key, state.fields().key),
            "an imagined state has a generator of its own",
        )
        if seat == state.turn:
            check_same(imagined.legal_moves, seen.legal_moves, "who decides knows what is legal")
        outside = game.observation(seen.view, seen.log, seat)
        check_same(outside.legal_moves, seen.legal_moves, "a view from outside has the same legal moves")
        check_same(outside.view, seen.view, "a view from outside reads back")
        if state.start is None:
            known = outside.fields().tobytes()
            check_same(known, seen.fields().tobytes(), "a whole game's log tells all its observer knows")


def check_refusals(state: State) -> None:
    """Whatever isn't legal is refused with a reason, and changes nothing."""
    before, history = bytes(state), state.history
    legal = {move.id for move in state.legal_moves}
    for move in state.game.moves:
        if move.id not in legal:
            _check_refused(state, move.id, GameOver if state.over else IllegalMove)
    for nonsense in ("", HIDDEN, "nonsense", -1, state.game.num_moves, None, 1.0, True):
        _check_refused(state, nonsense, GameOver if state.over else IllegalMove)
    if state.turn is not None and state.players > 1:
        other = (state.turn + 1) % state.players
        _check_refused(state, state.legal_moves[0], NotYourTurn, other)
    check_same((bytes(state), state.history), (before, history), "a refused move changes nothing")


def _check_refused(state: State, move: Any, kind: type[IllegalMove], seat: int | None = None) -> None:
    try:
        state.play(move, seat)
    except IllegalMove as refusal:
        check(isinstance(refusal, kind), f"{move!r} is refused as {kind.__name__}")
        check(refusal.code and refusal.reason and refusal.rule, f"the refusal of {move!r} says why")
        return
    raise Broken(f"{move!r} is refused")


def check_end(state: State) -> None:
    """A finished game has winners, nobody in turn, and a reason."""
    check_same(
        (state.turn, state.phase, state.legal_moves), (None, "over", ()), "nobody decides when it is over"
    )
    best = max(state.scores)
    winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
    check_same(state.winners, winners, "the highest score wins, and equal scores share")
    check(state.ending and state.ending.sentence, "a finished game says why it ended")


def check_record(state: State) -> None:
    """A record's text reads back, replays to the same bytes, and verifies."""
    record = state.record(tuple(f"player {seat}" for seat in range(state.players)))
    check_same(Record.parse(record.json()), record, "a record reads back as it was written")
    check_same(bytes(record.verify()), bytes(state), "a record replays to the same state")


# Nothing hidden shows


def check_leaks(
    game: Game,
    view: Callable[[dict[str, Any], int | None], Any],
    games: int = 100,
    seed: int = 1,
    compare_memory: bool = True,
) -> int:
    """Play the same moves in twin worlds that differ only in what a viewer may not see; compare all it gets.

    `view(position, seat)` says by itself, from the rules, what a seat may see. The worlds are compared until
    they differ in something visible by that. `compare_memory` is for games whose bots know no more than the
    view shows. Returns the number of comparisons made.
    """
    compared = 0
    for setting in settings(game, games, seed):
        chooser = random.Random(setting.seed)
        state = setting.deal(game)
        for _ in range(chooser.randrange(12)):
            if not state.over:
                state.play(chooser.choice(state.legal_moves))
        viewer = chooser.choice([None, *range(state.players)])
        with told_where(f"{game.title}, {setting}, viewer {viewer}"):
            compared += _compare_worlds(game, state, viewer, view, chooser, compare_memory)
    return compared


def _compare_worlds(
    game: Game,
    state: State,
    viewer: int | None,
    view: Callable[[dict[str, Any], int | None], Any],
    chooser: random.Random,
    compare_memory: bool,
) -> int:
    position = state.position()
    here = game.from_position(position, 1)
    there = _twin_world(game, position, view(position, viewer), chooser)
    compared = 0
    for _ in range(MOST_TWIN_MOVES):
        laid_open = here.round != state.round  # hands are, when a round is scored
        if laid_open or view(here.position(), viewer) != view(there.position(), viewer):
            break
        compared += here.position() != there.position()
        _compare(shown(here, viewer, compare_memory), shown(there, viewer, compare_memory))
        both = [move for move in here.legal_moves if move in there.legal_moves]
        if not both:
            break
        move = chooser.choice(both)
        here.play(move)
        there.play(move)
    return compared


def _twin_world(game: Game, position: dict[str, Any], view: Any, chooser: random.Random) -> State:
    """A state that differs in hidden things; what can't be (a named card is no longer there) is none."""
    for _ in range(TWINS):
        try:
            return game.from_position(changed(position, view, chooser), 1)
        except BadPosition:
            continue
    return game.from_position(position, 1)


def changed(position: Any, view: Any, chooser: random.Random) -> Any:
    """The position with some of its hidden cards exchanged for each other, or hidden numbers for others."""
    twin = copy.deepcopy(position)
    places = list(hidden_places(twin, view))
    cards = [place for place in places if isinstance(place[0][place[1]], str)]
    for _ in range(min(len(cards), 8)):
        (one, i), (other, j) = chooser.choice(cards), chooser.choice(cards)
        one[i], other[j] = other[j], one[i]
    for holder, key in places:
        if type(holder[key]) is int:
            holder[key] = chooser.randrange(40)
    return twin


def hidden_places(position: Any, view: Any) -> Iterator[tuple[Any, Any]]:
    """Where a view has a `?`: the list or object of the position that holds it, and its index or key."""
    for key in view if isinstance(view, dict) else range(len(view)) if isinstance(view, list) else ():
        if view[key] == HIDDEN:
            yield position, key
        else:
            yield from hidden_places(position[key], view[key])


def shown(state: State, viewer: int | None, with_memory: bool) -> dict[str, Any]:
    """Everything that reaches a viewer: view, log, what it may do, figures, how its mistakes are answered."""
    observation = state.observation(viewer)
    return {
        "view": msgspec.json.encode(state.view(viewer)),
        "log": msgspec.json.encode(state.log(viewer)),
        "legal moves": [str(move) for move in observation.legal_moves],
        "figures": msgspec.json.encode(state.figures(viewer)),
        "refusals": _refusals(state, viewer),
        "observation": observation.fields().tobytes() if with_memory else b"",
    }


def _refusals(state: State, viewer: int | None) -> list[tuple[str, str, str]]:
    if viewer is None:
        return []
    answers = []
    for move in state.game.moves[len(state.history) % REFUSAL_STRIDE :: REFUSAL_STRIDE]:
        try:
            state.copy().play(move, viewer)
        except IllegalMove as refusal:
            answers.append((refusal.code, refusal.reason, repr(refusal.data)))
    return answers


def _compare(here: dict[str, Any], there: dict[str, Any]) -> None:
    for name, value in here.items():
        check_same(there[name], value, f"the {name} of a viewer tells nothing of what is hidden from it")

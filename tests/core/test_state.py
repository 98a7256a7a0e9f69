"""A game in progress: the checked edge around the rules."""

import copy
import hashlib
import multiprocessing
import pickle
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

import kibitz
from kibitz.core import registry
from kibitz.core.events import Moved
from kibitz.core.game import Game
from kibitz.core.move import GivenMove, Move
from kibitz.core.soundness import anything
from kibitz.core.state import State
from tests import tiny
from tests.conftest import brief, some_move

pytestmark = pytest.mark.interpreted


def dealt(seed: int = 1, players: int | None = None) -> State:
    return tiny.GAME.deal(players, seed)


def played(state: State, moves: int) -> State:
    """The same state after some first legal moves."""
    for _ in range(moves):
        if not state.over:
            state.play(state.legal_moves[0])
    return state


def finished(game: Game, seed: int = 1) -> State:
    state = brief(game, seed)
    while not state.over:
        state.play(some_move(state))
    return state


# Beginning


def test_the_same_seed_deals_the_same_game_and_another_seed_another(game: Game) -> None:
    assert bytes(game.deal(seed=1)) == bytes(game.deal(seed=1))
    assert bytes(game.deal(seed=1)) != bytes(game.deal(seed=2))
    assert game.deal(seed=1).position() != game.deal(seed=2).position()


def test_without_a_seed_every_deal_is_another(game: Game) -> None:
    assert bytes(game.deal()) != bytes(game.deal())


def test_without_a_number_of_players_the_fewest_play(game: Game) -> None:
    assert game.deal().players == game.players.start


@pytest.mark.parametrize("players", [0, 1, 4, -2, 2.0, "2", True])
def test_a_number_of_players_that_the_game_has_not_is_refused(players: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="players: expected 2 to 3") as refused:
        tiny.GAME.deal(players)
    assert refused.value.key == "players"
    assert refused.value.data["expected"] == "2 to 3"


def test_a_new_game_is_running_in_round_one_without_history(game: Game) -> None:
    state = game.deal(seed=1)
    assert state.round == 1
    assert state.turn in range(state.players)
    assert (state.over, state.ending, state.winners, state.history) == (False, None, (), ())
    assert state.scores == (0,) * state.players


# Moving


def test_a_move_is_given_as_text_number_or_move(game: Game) -> None:
    first = game.deal(seed=1).legal_moves[0]
    ways: list[GivenMove] = [first, str(first), first.id, np.int16(first.id)]
    after = []
    for way in ways:
        state = game.deal(seed=1)
        state.play(way)
        after.append(bytes(state))
    assert len(set(after)) == 1
    assert after[0] != bytes(game.deal(seed=1))


def test_a_move_can_be_checked_without_being_made(game: Game) -> None:
    state = game.deal(seed=1)
    before = bytes(state), state.history, state.log(None)
    for move in state.legal_moves:
        assert state.check(str(move)) == state.check(move.id, state.turn) == move
    for refused in (move for move in game.moves if move not in state.legal_moves):
        with pytest.raises(kibitz.IllegalMove) as found:
            state.check(refused)
        with pytest.raises(kibitz.IllegalMove) as expected:
            state.play(refused)
        assert (found.value.code, found.value.data) == (expected.value.code, expected.value.data)
    assert (bytes(state), state.history, state.log(None)) == before


@pytest.mark.parametrize("question", ["out of turn", "over", "nonsense"])
def test_a_check_refuses_as_a_move_is_refused(question: str) -> None:
    state = dealt() if question != "over" else finished(tiny.GAME)
    move: GivenMove = "nonsense" if question == "nonsense" else tiny.GAME.moves[0]
    seat = 1 - (state.turn or 0) if question == "out of turn" else None
    expected = {"out of turn": kibitz.NotYourTurn, "over": kibitz.GameOver, "nonsense": kibitz.IllegalMove}
    with pytest.raises(expected[question]):
        state.check(move, seat)


@pytest.mark.parametrize("seat", [True, 1.0, "0"])
def test_what_is_no_seat_cannot_move(seat: Any) -> None:
    state = dealt()
    with pytest.raises(kibitz.KibitzError, match="There is no seat") as refused:
        state.play(state.legal_moves[0], seat)
    assert refused.value.code == "no-such-seat"


def test_numbers_of_numpy_are_numbers() -> None:
    state = tiny.GAME.deal(np.int64(2), seed=np.int32(1))  # type: ignore[arg-type]
    assert state == tiny.GAME.deal(2, seed=1)
    assert state.turn is not None
    seat: Any = np.int8(state.turn)
    assert state.view(seat) == state.view(state.turn)
    state.play(np.int16(state.legal_moves[0].id), seat)
    for key in ("players", "round", "turn", "moves"):
        position = state.position()
        again = tiny.GAME.from_position(position | {key: np.int64(position[key])})
        assert again.position() == position


def test_a_move_cannot_be_changed() -> None:
    move = tiny.GAME.moves[0]
    for name in ("id", "game", "_text", "new"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(move, name, 1)
    assert (move.id, str(move)) == (0, str(tiny.GAME.moves[0]))


@pytest.mark.parametrize("number", [-1, tiny.GAME.num_moves, True, 0.0, "lay 1", None])
def test_a_number_that_is_no_move_makes_none(number: Any) -> None:
    with pytest.raises(kibitz.IllegalMove, match="is not a move of Tiny"):
        Move(tiny.GAME, number)


def test_states_are_equal_by_game_and_bytes(game: Game) -> None:
    state = brief(game, 1)
    assert state == state.copy() == game.from_bytes(bytes(state))
    assert state != game.deal(seed=2)
    assert state != bytes(state)
    played_on = state.copy()
    played_on.play(played_on.legal_moves[0])
    assert state != played_on
    played_on.undo()
    assert state == played_on
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


def test_a_spectator_and_who_sees_the_end_imagine_nothing() -> None:
    for seen in (dealt().observation(None), finished(tiny.GAME).observation(0)):
        with pytest.raises(kibitz.KibitzError) as refused:
            seen.imagine(1)
        assert refused.value.code == "nothing-to-imagine"


def test_history_lists_the_moves_made() -> None:
    state = played(dealt(), 3)
    assert len(state.history) == 3
    assert [str(move) for move in state.history] == [
        event.move for event in state.log(0) if isinstance(event, Moved)
    ]


def test_legal_moves_are_computed_once_for_a_position_and_anew_after_a_move() -> None:
    state = dealt()
    assert state.legal_moves is state.legal_moves
    before = state.legal_moves
    state.play(before[0])
    assert state.legal_moves is not before
    state.undo()
    assert state.legal_moves == before


def test_a_refused_move_changes_nothing_and_says_why() -> None:
    state = dealt()
    held = {str(move).split()[1] for move in state.legal_moves}
    missing = next(card for card in "123456" if card not in held)
    before = bytes(state), state.history, state.legal_moves, state.log(None)
    with pytest.raises(kibitz.IllegalMove, match=f"You don't hold a {missing}.") as refused:
        state.play(f"lay {missing}")
    assert (bytes(state), state.history, state.legal_moves, state.log(None)) == before
    assert refused.value.code == "not-in-hand"
    assert refused.value.rule == "turn"
    assert refused.value.data == {"move": f"lay {missing}", "card": missing}
    assert refused.value.reason == str(refused.value)


@pytest.mark.parametrize(
    "given", ["", " ", "?", "hide ?", "LAY 1", "lay 7", "lay 1 ", -1, 12, 2**70, None, True, 1.0, b"lay 1"]
)
def test_what_is_no_move_at_all_is_refused(given: Any) -> None:
    with pytest.raises(kibitz.IllegalMove, match="is not a move of Tiny") as refused:
        dealt().play(given)
    assert refused.value.code == "unknown-move"
    assert type(refused.value) is kibitz.IllegalMove


def test_another_games_move_is_refused_even_if_the_number_fits() -> None:
    foreign = kibitz.game("kaching").moves[0]
    with pytest.raises(kibitz.IllegalMove, match="“buy 1” is not a move of Tiny"):
        dealt().play(foreign)


def test_with_a_seat_given_it_must_be_that_seats_turn(game: Game) -> None:
    state = game.deal(seed=1)
    assert state.turn is not None
    other = (state.turn + 1) % state.players
    before = bytes(state)
    with pytest.raises(kibitz.NotYourTurn, match=f"It is p{state.turn}'s turn, not p{other}'s") as refused:
        state.play(state.legal_moves[0], seat=other)
    assert refused.value.code == "not-your-turn"
    assert bytes(state) == before
    state.play(state.legal_moves[0], seat=state.turn)
    assert len(state.history) == 1


def test_after_the_end_every_move_is_refused(game: Game) -> None:
    state = finished(game)
    for move in (game.moves[0], "nonsense", 0):
        with pytest.raises(kibitz.GameOver, match="The game is over"):
            state.play(move, seat=0)
    assert state.legal_moves == ()


def test_the_kinds_of_refusals_are_all_illegal_moves() -> None:
    assert issubclass(kibitz.NotYourTurn, kibitz.IllegalMove)
    assert issubclass(kibitz.GameOver, kibitz.IllegalMove)
    assert issubclass(kibitz.IllegalMove, kibitz.KibitzError)


# Taking back


def test_undo_takes_back_move_by_move_to_the_deal(game: Game) -> None:
    state = brief(game, seed=3)
    passed = [(bytes(state), state.log(0))]
    while not state.over:
        state.play(some_move(state))
        passed.append((bytes(state), state.log(0)))
    made = state.history
    for move, (before, log) in zip(reversed(made), reversed(passed[:-1]), strict=True):
        assert state.undo() == move
        assert (bytes(state), state.log(0)) == (before, log)
    with pytest.raises(kibitz.NothingToUndo, match="no move to take back"):
        state.undo()


def test_after_undo_another_move_leads_elsewhere_and_chance_is_the_same() -> None:
    state = dealt(seed=2)
    one, other = state.legal_moves[:2]
    state.play(one)
    after = bytes(state)
    state.undo()
    state.play(other)
    assert bytes(state) != after
    state.undo()
    state.play(one)
    assert bytes(state) == after


# Copies


def test_a_copy_has_its_own_future_and_its_own_past() -> None:
    state = played(dealt(), 2)
    twin = state.copy()
    twin.play(twin.legal_moves[0])
    twin.undo()
    twin.undo()
    assert (len(state.history), len(twin.history)) == (2, 1)
    assert state.log(None) != twin.log(None)
    state.play(state.legal_moves[0])
    assert (len(state.history), len(twin.history)) == (3, 1)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state)), State.copy]
)
def test_copies_of_all_kinds_go_on_alike(copied: Any) -> None:
    for state in (dealt(), tiny.GAME.from_position(dealt().position(), 5)):
        go_on_alike(played(state, 4), copied)


def go_on_alike(state: State, copied: Any) -> None:
    twin = copied(state)
    assert twin.game is state.game
    while not state.over:
        move = state.legal_moves[-1]
        state.play(move)
        assert bytes(twin) != bytes(state)
        twin.play(move)
    assert bytes(twin) == bytes(state)
    assert twin.record() == state.record()


def test_bytes_bring_a_state_back_with_its_chance(game: Game) -> None:
    state = played(brief(game, seed=5), 3)
    twin = game.from_bytes(bytes(state))
    while not state.over:
        move = some_move(state)
        state.play(move)
        twin.play(move)
    assert bytes(twin) == bytes(state)


def test_a_field_beyond_its_bounds_is_refused(game: Game) -> None:
    state = game.deal(seed=1)
    for bounds in game.layout.fields:
        for value in (bounds.least - 1, bounds.greatest + 1):
            record = state.fields()
            kind = record.dtype[bounds.name].base
            if kind != np.bool_ and np.iinfo(kind).min <= value <= np.iinfo(kind).max:
                record[bounds.name] = value
                with pytest.raises(kibitz.BadPosition, match=rf"bytes\.{bounds.name}: expected numbers from"):
                    game.from_bytes(record.tobytes())


def test_bytes_that_break_the_decks_counts_are_refused(game: Game) -> None:
    state = game.deal(seed=1)
    record = state.fields()
    names = [name for name in ("deck", "columns") if name in record.dtype.names]
    record[names[0]].flat[0] = record[names[0]].flat[1] + 1
    with pytest.raises(kibitz.BadPosition, match="bytes"):
        game.from_bytes(record.tobytes())


def test_gaps_hold_nothing_in_bytes_from_outside() -> None:
    game = kibitz.game("kaching")
    record = game.deal(seed=1).fields()
    gaps = [name for name in record.dtype.names if name.startswith("gap_")]
    assert gaps
    for name in gaps:
        record[name][0] = 1
    with pytest.raises(kibitz.BadPosition, match=r"bytes\.gap_"):
        game.from_bytes(record.tobytes())


def test_what_no_seat_can_know_is_refused(game: Game) -> None:
    for name, true in game.known.items():
        record = game.deal(seed=1).fields()
        record[name].flat[1] = 1
        if true is not anything:
            with pytest.raises(kibitz.BadPosition, match=rf"bytes\.{name}: expected what seats can know"):
                game.from_bytes(record.tobytes())


def test_bytes_of_another_length_are_refused(game: Game) -> None:
    for wrong in (b"", bytes(game.deal(seed=1))[:-1], bytes(game.deal(seed=1)) + b"\0"):
        with pytest.raises(kibitz.BadPosition, match="bytes: expected"):
            game.from_bytes(wrong)


def test_a_state_from_bytes_does_not_know_its_beginning(game: Game) -> None:
    with pytest.raises(kibitz.KibitzError, match="doesn't know its beginning"):
        game.from_bytes(bytes(game.deal(seed=1))).record()


# Positions


def test_repr_is_the_call_that_makes_the_position_again(game: Game) -> None:
    state = played(game.deal(seed=5), 4)
    again = eval(repr(state), {"kibitz": kibitz})
    assert again.position() == state.position()
    assert again.legal_moves == state.legal_moves


def test_a_position_carries_no_chance_but_the_seed_given_with_it() -> None:
    """From the same position, the same seed draws the same cards later, another seed others."""
    game = kibitz.game("kaching")
    position = played(game.deal(seed=1, series="total", rounds=2), 1).position()

    def second_round(seed: int) -> Any:
        state = game.from_position(position, seed)
        while state.round == 1:
            state.play(state.legal_moves[0])
        return state.position()["columns"]

    assert second_round(1) == second_round(1) != second_round(2)


def test_a_position_from_outside_begins_without_history_and_without_log(game: Game) -> None:
    state = game.from_position(played(game.deal(seed=5), 4).position())
    assert (state.history, state.log(None), state.log(0)) == ((), (), ())
    with pytest.raises(kibitz.NothingToUndo):
        state.undo()


@pytest.mark.parametrize("given", [None, [], "tiny", 3])
def test_a_position_that_is_no_object_is_refused(given: Any) -> None:
    with pytest.raises(kibitz.BadPosition, match="position: expected an object"):
        tiny.GAME.from_position(given)


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(kibitz.BadPosition) as refused:
        tiny.GAME.from_position(kibitz.game("kaching").deal(seed=1).position())
    assert refused.value.code == "bad-position"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "kaching"),
        ("players", 4),
        ("players", True),
        ("round", 0),
        ("turn", 2),
        ("turn", None),
        ("phase", "sleep"),
        ("scores", [0]),
        ("scores", [0.0, 0]),
        ("over", True),
        ("winners", [0]),
        ("moves", -1),
        ("options", {"speed": 1}),
        ("options", None),
    ],
)
def test_each_common_key_is_checked(key: str, value: Any) -> None:
    position = dealt().position() | {key: value}
    with pytest.raises((kibitz.BadPosition, kibitz.BadOptions)) as refused:
        tiny.GAME.from_position(position)
    assert refused.value.key.partition("[")[0] in (key, "speed")


@pytest.mark.parametrize("as_other_type", [bool, float, str])
def test_winners_must_be_whole_numbers(as_other_type: Any) -> None:
    """In Python 1 equals True and 1.0; as seats they are not the same."""
    position = finished(kibitz.game("kaching")).position()
    position["winners"] = [as_other_type(seat) for seat in position["winners"]]
    with pytest.raises(kibitz.BadPosition, match="winners: expected"):
        kibitz.game("kaching").from_position(position)


def test_a_key_too_few_or_too_many_is_refused_by_name(game: Game) -> None:
    position = game.deal(seed=1).position()
    for key in position:
        with pytest.raises(kibitz.BadPosition, match=f"^{key}: expected this key to be there"):
            game.from_position({name: value for name, value in position.items() if name != key})
    with pytest.raises(kibitz.BadPosition, match=r"^colour: expected no such key"):
        game.from_position(position | {"colour": 1})


def test_the_hash_is_that_of_the_positions_json(game: Game) -> None:
    state = game.deal(seed=1)
    assert state.hash == hashlib.sha256(msgspec.json.encode(state.position())).hexdigest()
    before = state.hash
    state.play(state.legal_moves[0])
    assert state.hash != before
    state.undo()
    assert state.hash == before


# Looking


@pytest.mark.parametrize("seat", [-1, 2, 7, True, 1.0, "0"])
def test_a_seat_that_is_not_there_sees_nothing(seat: Any) -> None:
    state = dealt()
    for look in (state.view, state.log, state.observation):
        with pytest.raises(kibitz.KibitzError, match="There is no seat") as refused:
            look(seat)
        assert refused.value.code == "no-such-seat"


def test_only_who_decides_is_told_what_is_legal(game: Game) -> None:
    state = game.deal(seed=1)
    for seat in (None, *range(state.players)):
        expected = state.legal_moves if seat == state.turn else ()
        assert state.observation(seat).legal_moves == expected
        assert state.observation(seat).seat == seat


def test_an_observation_holds_the_view_and_the_log_of_its_seat(game: Game) -> None:
    state = played(game.deal(seed=4), 5)
    for seat in (None, *range(state.players)):
        seen = state.observation(seat)
        assert seen.view == state.view(seat)
        assert seen.log == state.log(seat)


def test_an_observation_stays_as_it_was_when_the_game_goes_on(game: Game) -> None:
    state = game.deal(seed=4)
    seen = state.observation(0)
    view, log = state.view(0), state.log(0)
    state.play(state.legal_moves[0])
    assert (seen.view, seen.log) == (view, log)


def test_an_ending_is_a_code_and_a_sentence(game: Game) -> None:
    ending = finished(game).ending
    assert ending is not None
    assert ending.code in game.text.ENDINGS[1:]
    assert ending.sentence == game.words("en")(f"ending.{ending.code}")


# Games and moves


def test_a_move_is_equal_by_game_and_number() -> None:
    game = kibitz.game("kaching")
    assert game.moves[3] == Move(game, 3)
    assert game.moves[3] != game.moves[4]
    assert game.moves[3] != tiny.GAME.moves[3]
    assert game.moves[3] != "buy 4"
    assert len({game.moves[3], Move(game, 3), tiny.GAME.moves[3]}) == 2


def test_the_repr_of_a_game_and_of_a_move_make_them_again(game: Game) -> None:
    assert eval(repr(game), {"kibitz": kibitz}) is game
    assert eval(repr(game.moves[0]), {"kibitz": kibitz}) == game.moves[0]


def test_games_and_moves_survive_pickling(game: Game) -> None:
    assert pickle.loads(pickle.dumps(game)) is game
    assert pickle.loads(pickle.dumps(game.moves)) == game.moves


def test_an_unknown_game_is_refused_with_the_names_of_those_that_are_here() -> None:
    with pytest.raises(
        kibitz.UnknownGame, match="There is no game 'chess' here; there are: kaching"
    ) as refused:
        kibitz.game("chess")
    assert refused.value.data == {"name": "chess"}


def test_a_game_is_loaded_when_it_is_first_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", {})
    registry.register_folder("tiny", "tests.tiny")
    registry.register_folder("missing", "tests.there_is_no_such_module")
    assert registry.games() == ("tiny", "missing")
    assert registry.game("tiny") is tiny.GAME
    with pytest.raises(ModuleNotFoundError):
        registry.game("missing")


def test_a_name_is_one_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", dict(registry._games))
    before = registry.games()
    for another in (replace(tiny.GAME, title="Another"), replace(tiny.GAME, name="kaching")):
        with pytest.raises(
            kibitz.KibitzError, match=f"There is a game '{another.name}' here already"
        ) as taken:
            kibitz.register(another)
        assert taken.value.code == "name-taken"
    with pytest.raises(kibitz.KibitzError, match="here already"):
        registry.register_folder("tiny", "tests.elsewhere")
    kibitz.register(tiny.GAME)
    registry.register_folder("tiny", "tests.tiny")
    assert registry.games() == before
    assert registry.game("tiny") is tiny.GAME


# Errors


def refused(name: str, *, number: int) -> None:
    """Asks for what isn't there."""
    match number:
        case 0:
            kibitz.game(name).deal(99)
        case 1:
            kibitz.game(name).deal(seed=1).play("nonsense")
        case 2:
            kibitz.game(name).deal(seed=1).undo()
        case 3:
            kibitz.game("chess")


@pytest.mark.parametrize("number", range(4))
def test_an_error_survives_pickling(number: int) -> None:
    with pytest.raises(kibitz.KibitzError) as raised:
        refused("kaching", number=number)
    error = raised.value
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (type(again), again.args, vars(again)) == (type(error), error.args, vars(error))


def test_an_error_comes_home_from_another_process() -> None:
    spawning = multiprocessing.get_context("spawn")
    with spawning.Pool(1) as pool, pytest.raises(kibitz.UnknownGame, match="There is no game 'chess' here"):
        pool.apply_async(kibitz.game, ("chess",)).get(timeout=60)


# Memory


def test_what_is_done_to_a_copy_of_the_record_does_not_touch_the_state() -> None:
    state = dealt()
    before = bytes(state), state.observation(0).view
    seen = state.observation(0)
    for record in (state.fields(), seen.fields()):
        record.players = 77
    assert (bytes(state), seen.view) == before


def test_unused_places_of_the_record_are_zero(game: Game) -> None:
    """States that are equal have equal bytes: gaps between fields and seats that don't exist hold nothing."""
    state = finished(game)
    record = state.fields()
    for name in record.dtype.names:
        if name.startswith("gap_"):
            assert not np.any(record[name])
    assert not np.any(record.scores[state.players :])
    assert not np.any(record.winners[state.players :])


def test_every_field_of_the_record_has_bounds(game: Game) -> None:
    fields = {field.name for field in game.layout.fields}
    names = {name for name in game.rules.STATE.names or () if not name.startswith("gap_")}
    assert fields == names


# As a library


def test_all_public_names_are_shown() -> None:
    assert [name for name in dir(kibitz) if not name.startswith("_")] == sorted(kibitz.__all__)
    assert all(hasattr(kibitz, name) for name in dir(kibitz))


def test_an_observation_tells_whose_turn_it_is_and_what_it_is() -> None:
    state = kibitz.game("tiny").deal(seed=1)
    for seat in range(state.players):
        seen = state.observation(seat)
        assert (seen.turn, seen.phase) == (state.turn, state.phase)
        assert f"by p{seat}" in repr(seen)
        assert ("legal moves" in repr(seen)) == (seat == state.turn)
    assert "by a spectator" in repr(state.observation(None))


def test_a_sample_fits_what_the_seat_knows_and_follows_from_the_generator() -> None:
    seen = kibitz.game("tiny").deal(seed=1).observation(0)
    one, again = (seen.sample(np.random.default_rng(3)) for _ in range(2))
    assert one == again
    assert one.view(0) == seen.view
    with pytest.raises(kibitz.BadOptions, match="rng"):
        seen.sample(3)  # type: ignore[arg-type]


def test_a_state_shows_itself_as_text_and_in_a_notebook() -> None:
    state = kibitz.game("tiny").deal(seed=1)
    for text in (str(state), state._repr_html_()):
        assert all(key in text for key in state.game.layout.keys)
        assert state.game.title in text
    assert state._repr_html_().count("<tr>") == state._repr_html_().count("</tr>") > 3

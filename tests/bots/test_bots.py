"""Bots play by their seed, know what their seat knows, and keep to their time."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import msgspec
import numpy as np
import pytest

import kibitz
from kibitz.bots import lookahead, player
from kibitz.bots.heuristics import any_game, kaching
from kibitz.bots.heuristics.cash_worths import NEVER
from kibitz.bots.lookahead import Budget
from kibitz.core.conformance import changed
from kibitz.core.events import AnyEvent
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation, State
from tests import tiny
from tests.conftest import brief
from tests.core.worlds import tiny_view

LEVELS = player.LEVELS
QUICK = 60  # nodes


def play_out(game: Game, level: str, seed: int, moves: int = 12, nodes: int = QUICK) -> list[str]:
    """The first moves of a bot that plays all seats."""
    state = game.deal(seed=1)
    bot = kibitz.bot(level, game, seed, nodes)
    while state.turn is not None and len(state.history) < moves:
        state.play(bot.choose(state.observation(state.turn)))
    return [str(move) for move in state.history]


def midgame(game: Game, seed: int, moves: int) -> State:
    """A game after some moves by chance."""
    chooser = random.Random(seed)
    state = game.deal(seed=seed)
    for _ in range(moves):
        if not state.over:
            state.play(chooser.choice(state.legal_moves))
    return state


# The same again


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_and_nodes_give_the_same_moves(game: Game, level: str) -> None:
    assert play_out(game, level, seed=1) == play_out(game, level, seed=1)


@pytest.mark.parametrize("level", ["random", "medium"])
def test_another_seed_plays_otherwise_somewhere(game: Game, level: str) -> None:
    games = {tuple(play_out(game, level, seed, nodes=8)) for seed in range(1, 6)}
    assert len(games) > 1


@pytest.mark.parametrize("level", LEVELS)
def test_bots_without_a_seed_are_not_all_alike(level: str) -> None:
    words = {kibitz.bot(level, "tiny").rng.tobytes() for _ in range(5)}
    assert len(words) == 5


@pytest.mark.parametrize("level", ["random", "medium"])
def test_a_bot_of_one_game_tells_nothing_about_its_twin_at_another(level: str) -> None:
    assert (
        kibitz.bot(level, "tiny", seed=1).rng.tobytes() != kibitz.bot(level, "kaching", seed=1).rng.tobytes()
    )


def test_choosing_changes_nothing_but_the_bots_own_generator(game: Game) -> None:
    state = midgame(game, seed=4, moves=5)
    assert state.turn is not None
    seen = state.observation(state.turn)
    before = bytes(state), seen.fields().tobytes(), seen.legal_moves
    for level in LEVELS:
        bot = kibitz.bot(level, game, seed=1, nodes=QUICK)
        rng = bot.rng.tobytes()
        bot.choose(seen)
        assert (bytes(state), seen.fields().tobytes(), seen.legal_moves) == before
        assert bot.rng.tobytes() != rng


def test_two_threads_choose_as_one_alone(game: Game) -> None:
    """Kernels run without the interpreter's lock: bots beside each other must not disturb each other."""
    seeds = [1, 2, 3, 4]
    alone = [play_out(game, "medium", seed, nodes=200) for seed in seeds]
    together: dict[int, list[str]] = {}

    def think(seed: int) -> None:
        together[seed] = play_out(game, "medium", seed, nodes=200)

    threads = [threading.Thread(target=think, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[seed] for seed in seeds] == alone


# What a bot knows

TWIN_GAMES = 50


def twin_worlds() -> Iterator[tuple[State, State]]:
    """Two worlds that differ only in what the seat in turn can't see, many times over."""
    for seed in range(2 * TWIN_GAMES):
        chooser = random.Random(seed)
        state = midgame(tiny.GAME, seed, moves=chooser.randrange(2, 9))
        position = state.position()
        other = changed(position, tiny_view(position, state.turn), chooser)
        here, there = tiny.GAME.from_position(position, 1), tiny.GAME.from_position(other, 2)
        if not state.over and here.position() != there.position():
            yield here, there


def seen_through(choose: Callable[[State], Move]) -> int:
    """In how many twin worlds a player moves otherwise."""
    worlds = list(twin_worlds())
    assert len(worlds) >= TWIN_GAMES
    return sum(choose(here) != choose(there) for here, there in worlds)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_is_blind_to_what_its_seat_cannot_see(level: str) -> None:
    """In twin worlds the same bot seed gives the same move."""
    assert (
        seen_through(lambda state: kibitz.bot(level, "tiny", 1, QUICK).choose(state.observation(state.turn)))
        == 0
    )


def test_a_player_who_peeks_is_seen_through() -> None:
    """One who lets the deck's top card decide."""

    def peek(state: State) -> Move:
        deck = state.position()["deck"]
        return state.legal_moves[int(deck[-1]) % len(state.legal_moves) if deck else 0]

    assert seen_through(peek) > 5


def test_an_observation_holds_no_hidden_value() -> None:
    """All that can be reached from it is the same in twin worlds: record, rows of the log, view, moves."""
    for here, there in twin_worlds():
        for viewer in (here.turn, None):
            assert reachable(here.observation(viewer)) == reachable(there.observation(viewer))


def reachable(observation: Observation) -> dict[str, Any]:
    held = {name: getattr(observation, name) for name in vars(observation) if name != "game"}
    assert {"_memory", "legal_moves", "_shown"} == held.keys()
    return {
        "memory": held["_memory"].tobytes(),
        "journal": held["_shown"].since(0).tobytes(),
        "moves": held["legal_moves"],
        "view": observation.view,
        "log": observation.log,
    }


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["kaching", "tiny"])
def test_a_bot_from_outside_plays_as_one_inside(name: str, level: str) -> None:
    """A view and a log that went through JSON are as good as the state's own."""
    game = kibitz.game(name)
    for seed in range(8):
        state = midgame(game, seed, moves=seed * 3 % 11)
        if state.turn is None:
            continue
        inside = state.observation(state.turn)
        view = msgspec.json.decode(msgspec.json.encode(inside.view))
        log = msgspec.json.decode(msgspec.json.encode(inside.log), type=tuple[AnyEvent, ...])
        outside = game.observation(view, log)
        assert (outside.seat, outside.legal_moves, outside.log) == (
            inside.seat,
            inside.legal_moves,
            inside.log,
        )
        moves = [kibitz.bot(level, game, seed, QUICK).choose(each) for each in (inside, outside)]
        assert moves[0] == moves[1]


def test_a_view_from_outside_is_checked() -> None:
    game = kibitz.game("kaching")
    view = game.deal(seed=1, starter=0).view(0)
    for key, value in (("money", [20]), ("money", [20, "many"]), ("turn", 5), ("columns", [])):
        wrong = deepcopy(view) | {key: value}
        with pytest.raises(kibitz.BadPosition, match=f"^{key}"):
            game.observation(wrong)


def test_a_seat_from_outside_that_does_not_decide_has_no_moves() -> None:
    game = kibitz.game("kaching")
    seen = game.observation(game.deal(seed=1, starter=0).view(1), seat=1)
    assert (seen.seat, seen.legal_moves) == (1, ())


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 1.0])
def test_a_seat_from_outside_is_one_of_the_table(seat: Any) -> None:
    game = kibitz.game("kaching")
    with pytest.raises(kibitz.BadPosition, match=r"^seat"):
        game.observation(game.deal(seed=1).view(0), seat=seat)


def test_a_log_from_outside_is_the_seats_own() -> None:
    game = kibitz.game("tiny")
    state = game.deal(seed=1)
    other = 1 - state.turn if state.turn is not None else 0
    for viewer in (other, None):
        with pytest.raises(kibitz.BadPosition, match=r"^log"):
            game.observation(state.view(state.turn), state.log(viewer))
    game.observation(state.view(other), state.log(other), seat=other)


# Time


def test_a_cap_of_time_is_kept_whatever_the_nodes() -> None:
    state = kibitz.game("kaching").deal(seed=1)
    assert state.turn is not None
    seen = state.observation(state.turn)
    kibitz.bot("hard", "kaching", seed=1, nodes=1).choose(seen)  # compiled before the clock runs
    bot = kibitz.bot("hard", "kaching", seed=1, nodes=10**6, seconds=0.05)
    begin = time.monotonic()
    assert bot.choose(seen) in seen.legal_moves
    assert time.monotonic() - begin < 3


def test_without_any_time_a_bot_still_thinks_a_little() -> None:
    state = kibitz.game("kaching").deal(seed=1)
    assert state.turn is not None
    tree = lookahead.grow_tree(state.observation(state.turn), Budget(10**4, 0.0), bot_generator(1))
    assert (tree["visits"] > 0).sum() == lookahead.DESCENTS_BETWEEN_LOOKS


def test_a_single_legal_move_takes_no_thought() -> None:
    game = kibitz.game("kaching")
    state = game.deal(seed=1)
    position = state.position() | {"money": [0, 20], "turn": 0}
    seen = game.from_position(position).observation(0)
    assert [str(move) for move in seen.legal_moves] == ["pass"]
    begin = time.monotonic()
    assert str(kibitz.bot("hard", game, seed=1, nodes=10**7).choose(seen)) == "pass"
    assert time.monotonic() - begin < 1


def test_more_nodes_grow_a_larger_tree() -> None:
    state = kibitz.game("kaching").deal(seed=1)
    assert state.turn is not None
    sizes = []
    for nodes in (10, 100, 500):
        tree = lookahead.grow_tree(state.observation(state.turn), Budget(nodes, 10.0), bot_generator(1))
        sizes.append(int((tree["visits"] > 0).sum()))
    assert sizes == [10, 100, 500]


# Several threads


@pytest.mark.parametrize("name", ["match", "kazink"])
def test_threads_share_the_nodes_and_find_the_same_again(name: str) -> None:
    state = midgame(kibitz.game(name), seed=4, moves=6)
    seen = state.observation(state.turn)
    looks = [
        lookahead.look_together(seen, list(seen.legal_moves), Budget(400, 10.0), bot_generator(1), 2)
        for _ in range(2)
    ]
    assert looks[0] == looks[1]
    assert name == "kazink" or sum(looks[0].visits.values()) == 400
    assert looks[0].line[0] == looks[0].ranking[0]


def test_what_several_found_is_added_up() -> None:
    first = lookahead.Look((3, 5), {3: 6, 5: 4}, (3, 1))
    second = lookahead.Look((5, 3), {5: 8, 3: 2}, (5,))
    assert lookahead.add_up([first, second]) == lookahead.Look((5, 3), {3: 8, 5: 12}, (5,))
    assert lookahead.add_up([first, first]).visits == {3: 12, 5: 8}


# Asking


@pytest.mark.parametrize("level", LEVELS)
def test_who_is_not_asked_to_decide_has_nothing_to_choose(level: str) -> None:
    state = tiny.GAME.deal(2, seed=1)
    assert state.turn is not None
    for seat in (1 - state.turn, None):
        with pytest.raises(kibitz.KibitzError, match="isn't asked to decide") as refused:
            kibitz.bot(level, "tiny").choose(state.observation(seat))
        assert refused.value.code == "nothing-to-decide"


@pytest.mark.parametrize("level", ["", "Hard", "god", None, 3])
def test_an_unknown_level_is_refused_with_those_that_are_there(level: Any) -> None:
    with pytest.raises(kibitz.UnknownBot, match="random, easy, medium, hard, expert") as refused:
        kibitz.bot(level, "tiny")
    assert refused.value.data == {"level": level}


@pytest.mark.parametrize("nodes", [0, -1])
def test_a_bot_needs_a_node(nodes: int) -> None:
    with pytest.raises(kibitz.BadOptions, match="nodes: expected a whole number, 1 or more"):
        kibitz.bot("hard", "tiny", nodes=nodes)


def test_a_bot_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(kibitz.UnknownGame):
        kibitz.bot("easy", "chess")


@pytest.mark.parametrize("level", LEVELS)
def test_every_bot_plays_whole_games_at_every_number_of_players(game: Game, level: str) -> None:
    for players in game.players:
        state = brief(game, seed=2, players=players)
        bots = [kibitz.bot(level, game, seat, nodes=4) for seat in range(players)]
        while state.turn is not None:
            state.play(bots[state.turn].choose(state.observation(state.turn)))
        assert state.over


def test_a_game_without_heuristics_gets_those_for_any_game() -> None:
    assert lookahead.heuristics_of("tiny") is any_game.HEURISTICS
    assert lookahead.heuristics_of("kaching") is kaching.HEURISTICS


# Playouts


def test_playouts_return_the_number_of_decisions(game: Game) -> None:
    assert kibitz.playouts(game.name, games=0, seed=1) == 0
    few, many = (kibitz.playouts(game.name, games=games, seed=1) for games in (10, 20))
    assert 10 <= few < many
    assert kibitz.playouts(game.name, games=20, seed=1) == many


def test_playouts_play_the_games_that_were_asked_for() -> None:
    """Tiny with three players: twelve cards are laid or hidden, a card a decision."""
    assert kibitz.playouts("tiny", games=50, players=3, seed=1) == 50 * 12
    one = kibitz.playouts("kaching", games=50, seed=1)
    five = kibitz.playouts("kaching", games=50, seed=1, series="total", rounds=5)
    assert 4 * one < five < 6 * one


def test_playouts_take_a_game_or_its_name_and_numbers_of_numpy() -> None:
    by_name = kibitz.playouts("tiny", games=5, players=3, seed=1)
    five, three, one = np.array([5, 3, 1])
    assert kibitz.playouts(kibitz.game("tiny"), five, three, one) == by_name


@pytest.mark.parametrize("number", [-1, True, 2.0, "2", 2**31])
def test_playouts_and_bots_check_their_numbers(number: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="games: expected"):
        kibitz.playouts("tiny", games=number)
    with pytest.raises(kibitz.BadOptions, match="nodes: expected"):
        kibitz.bot("hard", "tiny", nodes=number)


@pytest.mark.parametrize("seed", [True, 2.0, "2"])
def test_a_bots_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="seed: expected"):
        kibitz.playouts("tiny", games=1, seed=seed)
    with pytest.raises(kibitz.BadOptions, match="seed: expected"):
        kibitz.bot("easy", "tiny", seed=seed)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), True, "1"])
def test_what_is_no_time_is_no_cap(seconds: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="seconds: expected"):
        kibitz.bot("hard", "tiny", seconds=seconds)


def test_playouts_refuse_what_a_deal_refuses() -> None:
    with pytest.raises(kibitz.BadOptions):
        kibitz.playouts("kaching", games=1, rounds=99)
    with pytest.raises(kibitz.BadOptions):
        kibitz.playouts("tiny", games=1, players=7)


# How far and how wide a search looks


FEW = 4  # moves that a medium bot of Cover Your Assets sees
WIDE_CHOICE = 1  # the first player of this deal has probes for seven rivals


def test_a_narrow_search_looks_into_the_best_rated_moves_only() -> None:
    game = kibitz.game("cash")
    state = game.deal(8, seed=WIDE_CHOICE)
    known = lookahead.heuristics_of("cash")
    promising = lookahead.promising(state.observation(state.turn), bot_generator(1))
    kept = [known.rate(state.fields(), move.id) for move in promising]
    ratings = sorted((known.rate(state.fields(), move.id) for move in state.legal_moves), reverse=True)
    assert len([rating for rating in ratings if rating > NEVER]) > known.width
    assert sorted(kept, reverse=True) == ratings[: known.width]


def test_a_medium_bot_overlooks_what_does_not_look_good_by_rules_of_thumb() -> None:
    """Cover Your Assets: one look at them by what was learned would tell it nearly all."""
    game, known = kibitz.game("assets"), lookahead.heuristics_of("assets")
    overlooked = 0
    for seed in range(8):
        state = midgame(game, seed, moves=12)
        seen = state.observation(state.turn)
        ratings = {
            move.id: known.rate(seen.imagine(1).fields(), np.int16(move.id)) for move in seen.legal_moves
        }
        bot = kibitz.bot("medium", game, seed)
        chosen = bot.choose(seen)
        looked = set(bot.visits or {chosen.id: 1})
        overlooked += len(ratings) - len(looked)
        assert len(looked) <= FEW
        assert (
            min(ratings[move] for move in looked) >= sorted(ratings.values(), reverse=True)[: known.sees][-1]
        )
    assert overlooked > 0


@pytest.mark.parametrize("name", ["kazink", "cash"])
def test_moves_that_are_compared_share_their_worlds_and_their_luck(name: str) -> None:
    """The same move, listed twice, brings the same; others don't."""
    game = kibitz.game(name)
    state = midgame(game, seed=4, moves=6)
    seen = state.observation(state.turn)
    first, last = seen.legal_moves[0].id, seen.legal_moves[-1].id
    chosen, sums = np.array([first, first, last], np.int16), np.zeros(3)
    states, moves = np.zeros(2, game.rules.STATE), np.zeros(game.num_moves, np.int16)
    lookahead.kernels(name).compare(
        seen.fields(), chosen, sums, states, moves, bot_generator(1), 20, lookahead.NO_FINDS
    )
    assert 0 < sums[0] == sums[1] != sums[2] <= 20


def test_comparing_moves_keeps_to_its_time_whatever_the_nodes() -> None:
    state = kibitz.game("kazink").deal(seed=1)
    seen = state.observation(state.turn)
    kibitz.bot("hard", "kazink", seed=1, nodes=1).choose(seen)  # compiled before the clock runs
    for seconds in (0.0, 0.05):
        bot = kibitz.bot("hard", "kazink", seed=1, nodes=10**8, seconds=seconds)
        begin = time.monotonic()
        assert bot.choose(seen) in seen.legal_moves
        assert time.monotonic() - begin < 3


def test_a_rollout_stops_at_the_horizon() -> None:
    game = kibitz.game("kazink")
    state = game.deal(seed=4)
    moves = np.zeros(game.num_moves, np.int16)
    reached = state.fields()
    lookahead.kernels("kazink").rollout(reached, moves, bot_generator(1), 1)
    assert reached.moves == lookahead.heuristics_of("kazink").horizon
    assert not game.rules.is_over(reached)

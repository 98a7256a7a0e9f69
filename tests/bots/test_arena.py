"""The arena: who takes which share of the points, how sure that is, and that better bots win."""

import math
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openskill.models import PlackettLuce

import kibitz
from kibitz.bots import entrants
from kibitz.bots.arena import Contest, play_one
from kibitz.bots.outcomes import ArenaGame, Outcome, Rating, interval
from kibitz.bots.player import Bot, RandomBot
from kibitz.core.errors import BadOptions
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import Observation
from kibitz.terminal.plots import checked_plot, draw_outcome

# How sure


# Wilson's interval at 95 %, as tables and other programs give it.
@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [
        (0.5, 10, 0.2366, 0.7634),
        (0.0, 10, 0.0000, 0.2775),
        (1.0, 10, 0.7225, 1.0000),
        (0.9, 100, 0.8256, 0.9448),
        (0.81, 263, 0.7584, 0.8529),
        (0.5, 10_000, 0.4902, 0.5098),
    ],
)
def test_the_interval_is_wilsons(share: float, games: int, low: float, high: float) -> None:
    assert interval(share, games) == pytest.approx((low, high), abs=2e-4)


def test_an_interval_holds_its_share_and_shrinks_with_more_games() -> None:
    for share in (0.0, 0.1, 0.5, 0.97, 1.0):
        widths = []
        for games in (1, 20, 400, 8000):
            low, high = interval(share, games)
            assert 0 <= low <= share + 1e-9
            assert share - 1e-9 <= high <= 1
            widths.append(high - low)
        assert widths == sorted(widths, reverse=True)


def test_the_interval_holds_the_truth_in_about_95_of_100_arenas() -> None:
    """Counted over all outcomes of 40 games that are won with probability 0.7."""
    truth, games = 0.7, 40
    covered = sum(
        math.comb(games, won) * truth**won * (1 - truth) ** (games - won)
        for won in range(games + 1)
        if interval(won / games, games)[0] <= truth <= interval(won / games, games)[1]
    )
    assert 0.93 < covered < 0.975


# Who takes what


@pytest.mark.parametrize(("name", "bots"), [("kaching", 2), ("tiny", 2), ("tiny", 3)])
def test_the_shares_sum_to_one(name: str, bots: int) -> None:
    outcome = kibitz.arena(name, ["random"] * bots, games=31, seed=3)
    assert sum(outcome.points) == pytest.approx(1)
    assert len(outcome.points) == len(outcome.intervals) == len(outcome.bots) == bots
    assert outcome.games == 31
    for point, (low, high) in zip(outcome.points, outcome.intervals, strict=True):
        assert low <= point <= high


def test_the_same_seed_gives_the_same_outcome_and_another_another() -> None:
    bots = ["random", "easy"]
    first = kibitz.arena("tiny", bots, games=40, seed=3)
    assert kibitz.arena("tiny", bots, games=40, seed=3) == first
    assert kibitz.arena("tiny", bots, games=40, seed=4) != first


def test_a_shared_win_splits_the_point() -> None:
    game = kibitz.game("tiny")
    contest = Contest(game, ["random"] * 3, 3, 1, None, {})
    games = [play_one(contest, number) for number in range(120)]
    seen = {tuple(one.share(bot) for bot in range(3)) for one in games if one}
    assert {sum(shares) for shares in seen} == {1.0}
    assert (0.5, 0.5, 0.0) in seen
    assert (1.0, 0.0, 0.0) in seen


class Spy:
    """Stands in for `bot` and notes who sits where."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seated: list[str] = []
        self.true_bot = kibitz.bot
        monkeypatch.setattr(entrants, "bot", self)

    def __call__(self, level: str, *rest: Any, **more: Any) -> Any:
        self.seated.append(level)
        return self.true_bot(level, *rest, **more)


def test_every_deal_is_played_once_in_each_rotation_of_the_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    game = kibitz.game("tiny")
    spy = Spy(monkeypatch)
    dealt = []
    true_deal = Game.deal

    def deal(self: Game, *given: Any, **more: Any) -> Any:
        dealt.append(more["seed"])
        return true_deal(self, *given, **more)

    monkeypatch.setattr(Game, "deal", deal)
    listed = ["random", "easy", "medium"]
    for number in range(6):
        play_one(Contest(game, listed, 3, 1, 4, {}), number)
    sittings = [tuple(spy.seated[i : i + 3]) for i in range(0, 18, 3)]
    assert sittings[:3] == sittings[3:]
    for seat in range(3):
        assert {sitting[seat] for sitting in sittings[:3]} == set(listed)
    assert dealt[0] == dealt[1] == dealt[2] != dealt[3] == dealt[4] == dealt[5]


def test_points_go_to_the_bot_not_to_the_seat() -> None:
    """`easy` is listed first and sits everywhere; the points are `easy`'s."""
    points = kibitz.arena("kaching", ["easy", "random"], games=20, seed=5).points
    assert points[0] > 0.7
    assert kibitz.arena("kaching", ["random", "easy"], games=20, seed=5).points[1] > 0.7


def test_progress_is_reported_game_by_game() -> None:
    heard: list[tuple[int, int]] = []
    kibitz.arena(
        "tiny", ["random", "random"], games=7, report=lambda done, games: heard.append((done, games))
    )
    assert heard == [(done, 7) for done in range(1, 8)]


def test_options_reach_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    lock = threading.Lock()
    true_deal = Game.deal

    def deal(self: Game, *given: Any, **more: Any) -> Any:
        with lock:
            rounds.append(more.get("rounds"))
        return true_deal(self, *given, **more)

    monkeypatch.setattr(Game, "deal", deal)
    kibitz.arena("kaching", ["random", "random"], games=2, series="total", rounds=2)
    assert rounds == [2, 2]


def test_an_arena_takes_a_game_or_its_name_and_numbers_of_numpy() -> None:
    by_name = kibitz.arena("tiny", ["random"] * 2, games=4, seed=3)
    four, three = np.array([4, 3])
    assert kibitz.arena(kibitz.game("tiny"), ["random"] * 2, games=four, seed=three) == by_name


def test_an_arena_that_cannot_be_is_refused() -> None:
    with pytest.raises(kibitz.BadOptions, match="bots: expected as many as the players of Ka-Ching!"):
        kibitz.arena("kaching", ["easy"] * 3)
    with pytest.raises(kibitz.BadOptions, match="games: expected a whole number, 1 or more"):
        kibitz.arena("kaching", ["easy"] * 2, games=0)
    with pytest.raises(kibitz.BadOptions, match="nodes: expected a whole number, 1 or more"):
        kibitz.arena("kaching", ["hard"] * 2, nodes=0)
    numbers: list[Any] = [True, 2.0, "2", 2**31]
    for number in numbers:
        with pytest.raises(kibitz.BadOptions, match="games: expected"):
            kibitz.arena("kaching", ["easy"] * 2, games=number)
        with pytest.raises(kibitz.BadOptions, match="nodes: expected"):
            kibitz.arena("kaching", ["hard"] * 2, games=1, nodes=number)
    for seed in numbers[:3]:
        with pytest.raises(kibitz.BadOptions, match="seed: expected"):
            kibitz.arena("kaching", ["easy"] * 2, seed=seed)
    with pytest.raises(kibitz.UnknownBot):
        kibitz.arena("kaching", ["easy", "god"])
    with pytest.raises(kibitz.UnknownGame):
        kibitz.arena("chess", ["easy", "easy"])
    with pytest.raises(kibitz.BadOptions, match="rounds"):
        kibitz.arena("kaching", ["random"] * 2, games=2, rounds=99)


# Better bots win


def test_easy_beats_random() -> None:
    assert kibitz.arena("kaching", ["easy", "random"], games=60, seed=1).points[0] >= 0.85


def test_hard_beats_easy() -> None:
    assert kibitz.arena("kaching", ["hard", "easy"], games=20, seed=1).points[0] >= 0.80


def test_search_beats_chance_in_a_game_of_which_it_knows_only_the_score() -> None:
    assert kibitz.arena("tiny", ["medium", "random"], games=200, seed=1).points[0] >= 0.6


# Anything that plays


def first_move(observation: Observation) -> Move:
    return observation.legal_moves[0]


def new_bot(game: Game, seed: int | None) -> Bot:
    return RandomBot(game, seed)


def test_anything_that_plays_can_take_part() -> None:
    game = kibitz.game("tiny")
    for entrant in ("easy", first_move, new_bot, RandomBot, RandomBot(game, 1)):
        outcome = kibitz.arena(game, ["random", entrant], games=4)
        assert outcome.games == 4
        assert sum(outcome.points) == pytest.approx(1)
    assert kibitz.arena(game, [first_move, new_bot], games=2).bots == ("first_move", "new_bot")


def test_a_function_plays_as_the_same_bot_does() -> None:
    def made(game: Game, seed: int | None) -> Bot:
        return kibitz.bot("easy", game, seed)

    by_name = kibitz.arena("tiny", ["easy", "random"], games=6)
    assert kibitz.arena("tiny", [made, "random"], games=6).points == by_name.points


@pytest.mark.parametrize("nonsense", [7, None])
def test_what_cannot_play_is_refused(nonsense: Any) -> None:
    with pytest.raises(BadOptions, match="a level"):
        kibitz.arena("tiny", ["random", nonsense])


def test_a_class_that_makes_no_players_is_refused() -> None:
    class Stranger:
        def __init__(self, game: Game, seed: int | None) -> None:
            pass

    with pytest.raises(
        BadOptions, match="bots: expected a Bot or a function of an observation from Stranger"
    ):
        kibitz.arena("kaching", ["random", Stranger], games=2, jobs=1)  # type: ignore[list-item]


def test_a_script_is_told_what_its_processes_need(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import kibitz\nkibitz.arena('kaching', ['random', 'random'], games=2, jobs=1)\n")
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False).stderr
    assert 'begin its work under `if __name__ == "__main__":`' in told.splitlines()[-1]


def test_an_interrupted_arena_tells_what_was_played() -> None:
    def interrupt(done: int, games: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    outcome = kibitz.arena("tiny", ["random", "random"], games=100_000, report=interrupt)
    assert 3 <= outcome.games < 100_000
    assert sum(outcome.points) == pytest.approx(1)


def test_an_arena_interrupted_before_a_game_is_over_has_no_outcome() -> None:
    def never(observation: Observation) -> Move:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kibitz.arena("tiny", ["random", never], games=2)


def test_a_bot_that_fails_is_told_and_chance_moves_in_its_place() -> None:
    def fail(observation: Observation) -> Move:
        raise ZeroDivisionError("nothing to divide")

    outcome = kibitz.arena("tiny", ["random", fail], games=50)
    assert outcome.games == 50
    ((bot, what, times),) = outcome.failures
    assert (bot, what) == ("fail", "ZeroDivisionError: nothing to divide")
    assert times >= 50


# Many bots, many workers, many evenings


def test_more_bots_than_seats_meet_in_every_choice_over_the_same_deals() -> None:
    outcome = kibitz.arena("tiny", ["random", "easy", first_move], players=2, games=12)
    assert outcome.games_of == (8, 8, 8)
    assert {(pair.first, pair.second): pair.games for pair in outcome.pairs} == {
        ("random", "easy"): 4,
        ("random", "first_move"): 4,
        ("easy", "first_move"): 4,
    }
    with pytest.raises(BadOptions, match="bots: expected 3 or more"):
        kibitz.arena("tiny", ["random", "easy"], players=3)


def test_two_bots_share_what_went_to_either() -> None:
    outcome = kibitz.arena("tiny", ["random"] * 3, games=30)
    won = [sum(game.share(bot) for game in outcome.played) for bot in range(3)]
    for (first, second), pair in zip([(0, 1), (0, 2), (1, 2)], outcome.pairs, strict=True):
        assert pair.games == 30
        assert pair.points == pytest.approx(won[first] + won[second])
        assert pair.share == pytest.approx(won[first] / pair.points)
        assert pair.interval[0] <= pair.share <= pair.interval[1]


def test_ratings_are_openskills_and_tell_who_is_stronger() -> None:
    weak, strong = kibitz.arena("kaching", ["random", "easy"], games=40, seed=5).ratings
    assert weak.interval[1] < strong.interval[0]
    assert strong.mu - weak.mu > 10
    model = PlackettLuce(tau=0.0)
    ((first,), (second,)) = model.rate([[model.rating()], [model.rating()]], ranks=[0, 1])
    one = Outcome(("a", "b"), (ArenaGame(0, (1, 0), (1,), (3, 5)),))  # `a` sat on seat 1 and won
    assert one.ratings == (Rating(first.mu, first.sigma), Rating(second.mu, second.sigma))


def test_processes_play_what_threads_play() -> None:
    by_threads = kibitz.arena("match", ["easy", "random"], games=6)
    assert kibitz.arena("match", ["easy", "random"], games=6, jobs=2) == by_threads


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")
def test_processes_end_with_the_one_that_began_them(tmp_path: Path) -> None:
    """Also if it is killed: else they would play on what was handed out, and wait for ever then."""
    command = [sys.executable, "-m", "kibitz", "arena", "cash", "hard", "hard", "--jobs", "2"]
    arena = subprocess.Popen([*command, "--games", "500"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        while len(working := workers_of(arena.pid)) < 2:
            assert arena.poll() is None
            time.sleep(0.1)
    finally:
        arena.kill()
        arena.wait()
    while working & running():
        time.sleep(0.1)


def workers_of(parent: int) -> set[int]:
    """The processes that it has spawned to play."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return {int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()}


def running() -> set[int]:
    """All processes there are, but for those that are dead and not yet buried."""
    alive = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if status.read_text().rpartition(")")[2].split()[0] != "Z":
                alive.add(int(status.parent.name))
    return alive


def test_an_arena_goes_on_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    whole = kibitz.arena("tiny", ["random", "easy"], games=20)
    kibitz.arena("tiny", ["random", "easy"], games=7, file=file)
    file.write_bytes(file.read_bytes()[:-5])  # stopped in the middle of a line
    heard: list[int] = []
    found = kibitz.arena(
        "tiny", ["random", "easy"], games=20, file=file, report=lambda done, games: heard.append(done)
    )
    assert found == whole
    assert heard == list(range(7, 21))
    again: list[int] = []
    kibitz.arena(
        "tiny", ["random", "easy"], games=20, file=file, report=lambda done, games: again.append(done)
    )
    assert again == []


@pytest.mark.parametrize(
    ("place", "trouble"), [(".", "Is a directory"), ("missing/games.jsonl", "No such file or directory")]
)
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, place: str, trouble: str) -> None:
    with pytest.raises(BadOptions, match=f"file: expected one that can be read and written .{trouble}"):
        kibitz.arena("match", ["random", "random"], games=2, file=tmp_path / place)


@pytest.mark.parametrize("bots", ["random", 2, None])
def test_bots_are_a_list(bots: Any) -> None:
    with pytest.raises(BadOptions, match="bots: expected a list, each of them a level"):
        kibitz.arena("match", bots, games=2)


def test_a_file_of_another_arena_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    kibitz.arena("tiny", ["random", "easy"], games=2, file=file)
    with pytest.raises(BadOptions, match="file: expected one of the same bots, seed"):
        kibitz.arena("tiny", ["easy", "random"], games=2, seed=3, file=file)
    (tmp_path / "other.txt").write_text("nothing of the kind\n")
    with pytest.raises(BadOptions, match="file: expected one that this command has made"):
        kibitz.arena("tiny", ["random", "easy"], games=2, file=tmp_path / "other.txt")


@pytest.mark.parametrize(("kind", "magic"), [(".svg", b"<?xml"), (".png", b"\x89PNG")])
def test_an_outcome_is_drawn(tmp_path: Path, kind: str, magic: bytes) -> None:
    outcome = kibitz.arena("tiny", ["random", "easy"], games=4)
    file = checked_plot(tmp_path / f"arena{kind}")
    draw_outcome(outcome, "Tiny", file)
    assert file.read_bytes().startswith(magic)
    with pytest.raises(BadOptions, match="plot: expected a name"):
        checked_plot(tmp_path / "arena.pdf")

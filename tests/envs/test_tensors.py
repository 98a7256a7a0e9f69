"""Tensors: every number is that of a field, within its bounds, and nothing hidden is among them."""

import random
import subprocess
import sys

import numpy as np
import pytest

import kibitz
from kibitz.core.conformance import changed
from kibitz.core.errors import BadPosition, KibitzError
from kibitz.core.game import Game
from kibitz.core.layout import Seen
from kibitz.core.state import Observation, State
from kibitz.core.tensors import TensorPart, returns
from scripts import write_tensors
from tests.core.worlds import WORLDS

GAMES = kibitz.games()
TWIN_MOVES = 40


def naive(observation: Observation, part: TensorPart) -> np.ndarray:
    """A field of the view as the documents say it, by NumPy alone."""
    values = np.asarray(observation.fields()[part.name])
    if part.seen == Seen.BY_ITS_SEAT:
        values = values[observation.seat]
    if part.bits:
        values = values.astype(np.uint64)[..., None] >> np.arange(part.bits, dtype=np.uint64) & np.uint64(1)
    return values.astype(np.int64)


@pytest.mark.parametrize("players", ["fewest", "most"])
def test_a_tensor_is_the_views_fields_one_after_the_other(game: Game, players: str) -> None:
    chooser = random.Random(1)
    state = game.deal(game.players[0 if players == "fewest" else -1], seed=3)
    tensor = game.tensor
    for _ in range(60):
        for seat in range(state.players):
            numbers = state.tensor(seat)
            assert ((tensor.low <= numbers) & (numbers <= tensor.high)).all()
            observation = state.observation(seat)
            assert (observation.tensor == numbers).all()
            for part in tensor.parts:
                there = numbers[part.place].reshape(part.shape)
                assert (there == naive(observation, part)).all(), part.name
        if not state.over:
            state.play(chooser.choice(state.legal_moves))


def test_parts_lie_side_by_side_and_fill_the_tensor(game: Game) -> None:
    tensor = game.tensor
    ends = [part.start + part.size for part in tensor.parts]
    assert [part.start for part in tensor.parts] == [0, *ends[:-1]]
    assert ends[-1] == tensor.size


def test_a_tensor_has_no_field_that_is_hidden_or_only_remembered(game: Game) -> None:
    shown = {Seen.BY_ALL, Seen.BY_ITS_SEAT, Seen.BY_RULE}
    names = {part.name for part in game.tensor.parts} - {"observer"}
    declared = {field.name for field in game.layout.declared if field.seen not in shown}
    assert not names & declared
    assert {field.name for field in game.layout.declared if field.seen in shown} <= names


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_twin_worlds_that_look_alike_to_a_seat_have_the_same_tensor(name: str) -> None:
    """Worlds that differ only in what a seat may not see, by what the rules say it may see."""
    game, world = kibitz.game(name), WORLDS[name]
    compared = 0
    for seed in range(8):
        chooser = random.Random(seed)
        state = game.deal(chooser.choice(game.players), seed)
        for _ in range(chooser.randrange(12)):
            if not state.over:
                state.play(chooser.choice(state.legal_moves))
        seat = chooser.randrange(state.players)
        position = state.position()
        twin = changed(position, world.view(position, seat), chooser)
        try:
            there = game.from_position(twin, 1)
        except BadPosition:  # a card that is only named in an offer came to lie in the deck
            continue
        compared += compare(game.from_position(position, 1), there, seat, name, chooser)
    assert compared > 10


def compare(here: State, there: State, seat: int, name: str, chooser: random.Random) -> int:
    view = WORLDS[name].view
    compared, first_round = 0, here.round
    for _ in range(TWIN_MOVES):
        if here.round != first_round or view(here.position(), seat) != view(there.position(), seat):
            break
        compared += here.position() != there.position()
        assert here.tensor(seat).tobytes() == there.tensor(seat).tobytes()
        if here.turn == seat:
            assert here.mask.tobytes() == there.mask.tobytes()
        both = [move for move in here.legal_moves if move in there.legal_moves]
        if not both:
            break
        move = chooser.choice(both)
        here.play(move)
        there.play(move)
    return compared


def test_a_spectator_has_no_tensor(game: Game) -> None:
    with pytest.raises(KibitzError, match="spectator"):
        _ = game.deal(seed=1).observation(None).tensor


def test_a_mask_marks_the_legal_moves(game: Game) -> None:
    state = game.deal(seed=1)
    assert state.turn is not None
    assert np.flatnonzero(state.mask).tolist() == [move.id for move in state.legal_moves]
    assert (state.observation(state.turn).mask == state.mask).all()
    assert not state.observation((state.turn + 1) % state.players).mask.any()


@pytest.mark.parametrize(
    ("players", "winners", "expected"),
    [
        (2, (), (0, 0)),
        (2, (1,), (-1, 1)),
        (2, (0, 1), (0, 0)),
        (4, (2,), (-1 / 3, -1 / 3, 1, -1 / 3)),
        (4, (0, 2), (1 / 3, -1 / 3, 1 / 3, -1 / 3)),
    ],
)
def test_winners_share_a_point_and_all_returns_are_nothing_together(
    players: int, winners: tuple[int, ...], expected: tuple[float, ...]
) -> None:
    assert returns(players, winners) == pytest.approx(expected)
    assert sum(returns(players, winners)) == pytest.approx(0)


def test_the_document_is_what_the_games_declare() -> None:
    text = write_tensors.FILE.read_text(encoding="utf-8")
    assert text == write_tensors.document().rstrip("\n") + "\n", "python scripts/write_tensors.py"


def test_the_document_says_of_every_field_who_sees_it() -> None:
    for name in GAMES:
        section = write_tensors.section(kibitz.game(name))
        for part in kibitz.game(name).tensor.parts:
            assert f"| `{part.name}` | {part.start} |" in section


def test_importing_kibitz_brings_no_environment() -> None:
    code = "import sys, kibitz; kibitz.game('match').deal(seed=1).tensor(0); print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"gymnasium", "pettingzoo", "pyspiel", "click", "rich", "starlette"} & set(said.split())


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("kibitz.envs.pettingzoo", "pettingzoo", "pettingzoo"),
        ("kibitz.envs.pettingzoo.match_v1", "pettingzoo", "pettingzoo"),
        ("kibitz.envs.gymnasium", "gymnasium", "gymnasium"),
        ("kibitz.envs.openspiel", "pyspiel", "openspiel"),
        ("kibitz.envs.sb3", "gymnasium", "sb3"),
        ("kibitz.envs.torch", "torch", "torch"),
    ],
)
def test_a_module_without_its_extra_names_it(module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import {module}"
    tried = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert tried.returncode != 0
    assert f"pip install 'kibitz[{extra}]'" in tried.stderr.splitlines()[-1]

"""The games as OpenSpiel's own tests see them, and as its own bot plays them."""

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

import kibitz
from kibitz.core.errors import BadOptions
from kibitz.envs.openspiel import Rollouts, resampler

FEW_MOVES = {
    "assets": "rounds=1",
    "cash": "rounds=1,trading=False",
    "kaching": "",
    "kazink": "",
    "match": "rounds=1",
}
GAMES = sorted(FEW_MOVES)
# Of two players in CASH neither stops by chance for thousands of moves.
SIMULATED = [(name, n) for name in GAMES for n in kibitz.game(name).players if (name, n) != ("cash", 2)]


def load(name: str, players: int) -> Any:
    return pyspiel.load_game(f"python_kibitz_{name}(players={players},{FEW_MOVES[name]})".replace(",)", ")"))


def begun(name: str, players: int, moves: int = 0, seed: int = 8) -> Any:
    state = load(name, players).new_initial_state()
    while state.is_chance_node():
        state.apply_action(seed)
    for number in range(moves):
        legal = state.legal_actions()
        state.apply_action(legal[5 * number % len(legal)])
    return state


@pytest.mark.parametrize(("name", "players"), SIMULATED)
def test_openspiels_own_test_passes_for_every_number_of_players(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(name, players), num_sims=1, serialize=players < 4, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_state_follows_from_its_history(name: str) -> None:
    state = begun(name, 2, moves=8)
    again = state.get_game().new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert bytes(again.state) == bytes(state.state) == bytes(state.clone().state)
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert str(read) == str(state)
    assert str(pickle.loads(pickle.dumps(state.get_game()))) == str(state.get_game())


@pytest.mark.parametrize("name", GAMES)
def test_a_clone_has_a_future_of_its_own(name: str) -> None:
    state = begun(name, 2)
    before, told = bytes(state.state), state.information_state_string(0)
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert bytes(state.state) == before != bytes(twin.state)
    assert state.information_state_string(0) == told != twin.information_state_string(0)


@pytest.mark.parametrize("name", GAMES)
def test_the_observation_is_the_view_and_the_information_state_the_log_too(name: str) -> None:
    state = begun(name, 2, moves=6)
    for seat in range(2):
        view = state.state.view_json(seat).decode()
        assert state.observation_string(seat) == view
        told = state.information_state_string(seat)
        assert told.startswith(view + "\n")
        assert told.count("\n") == 1 + len(state.state.log(seat))
        assert state.observation_tensor(seat) == state.state.tensor(seat).tolist()


@pytest.mark.parametrize("name", GAMES)
def test_a_tensor_has_its_fields_by_name(name: str) -> None:
    state = begun(name, 2, moves=3)
    observer = make_observation(load(name, 2))
    observer.set_from(state, 1)
    assert observer.dict["observer"] == 1
    assert sum(part.size for part in observer.dict.values()) == len(observer.tensor)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("moves", [0, 5, 12])
def test_resampled_states_keep_the_information_state_of_who_thinks(name: str, moves: int) -> None:
    state = begun(name, max(kibitz.game(name).players[:2]), moves)
    player, resample = state.current_player(), resampler(seed=1)
    samples = [resample(state, player) for _ in range(4)]
    for sample in (*samples, resample(samples[0], player)):
        assert sample.information_state_string(player) == state.information_state_string(player)
        assert sample.legal_actions() == state.legal_actions()
        on = sample.clone()
        on.apply_action(on.legal_actions()[-1])
        assert bytes(sample.state) != bytes(on.state)
    if name != "kaching":  # there nothing is hidden but the next deals
        assert len({str(sample) for sample in samples}) > 1


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_bot_plays(name: str) -> None:
    state = begun(name, 2, moves=2)
    luck = np.random.RandomState(1)
    evaluator = Rollouts(seed=1)
    bot = ismcts.ISMCTSBot(state.get_game(), evaluator, uct_c=2, max_simulations=25, random_state=luck)
    bot.set_resampler(resampler(seed=1))
    action = bot.step(state)
    assert action in state.legal_actions()


def test_compiled_rollouts_are_worth_what_openspiels_own_are() -> None:
    state = begun("kaching", 2, moves=24)
    own = mcts.RandomRolloutEvaluator(n_rollouts=150, random_state=np.random.RandomState(1))
    compiled = Rollouts(n_rollouts=2000, seed=1)
    assert compiled.prior(state) == own.prior(state)
    worth = compiled.evaluate(state)
    assert abs(worth[0]) > 0.1  # it isn't an even game any more
    assert worth == pytest.approx(own.evaluate(state), abs=4 / 150**0.5)
    assert (worth == Rollouts(n_rollouts=2000, seed=1).evaluate(state)).all()


def test_rollouts_are_one_or_more() -> None:
    with pytest.raises(BadOptions, match="n_rollouts"):
        Rollouts(n_rollouts=0)


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("python_kibitz_match(players=3,rounds=2,target=30,starter=1)")
    state = game.new_initial_state()
    for _ in range(4):
        state.apply_action(0)
    assert state.state.view(0)["options"] == {"target": 30, "rounds": 2, "starter": 1}
    assert state.current_player() == 1
    assert pyspiel.load_game("python_kibitz_match").options["rounds"] is None


@pytest.mark.parametrize("bad", ["players=9", "target=3"])
def test_a_bad_parameter_is_named(bad: str) -> None:
    with pytest.raises(BadOptions, match=bad.partition("=")[0]):
        pyspiel.load_game(f"python_kibitz_match({bad})")


def test_luck_is_a_byte() -> None:
    state = load("match", 2).new_initial_state()
    with pytest.raises(BadOptions, match=r"^action: expected a byte of the seed, 0 to 255, got 256"):
        state.apply_action(256)


def test_a_program_that_used_the_games_ends_well() -> None:
    code = "import pyspiel, kibitz.envs.openspiel; pyspiel.load_game('python_kibitz_match')"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0

"""Thousands of games at once, by a random policy: beside pgx, PettingZoo and RLCard, and on two cores."""

import os
import random
import warnings
from collections.abc import Callable
from itertools import count
from typing import Any

import kibitz
from bench.measure import CORES, Contender, Measurement, Progress, Skipped, side_by_side, using

GAMES = 1024  # in a batch
METHOD = (
    f"Random legal moves in {GAMES} games at once, a call a step: `batch.step(batch.sample())`; pgx: one "
    "compiled call that chooses, steps (`auto_reset`) and writes observations and masks, on the CPU. One "
    "game at a time: PettingZoo's connect_four by `last` and `step`, RLCard's uno by `step`. A step is one "
    "player's decision. Load of the machine when it began: {load:.1f}."
)


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """Steps a second: without observations, with them, and on two cores."""
    method = METHOD.format(load=os.getloadavg()[0])
    parts = 2 * len(kibitz.games()) + 1
    done: list[Measurement] = []
    peers = others()
    for observe, aim in ((False, 5.0), (True, 1.5)):
        for name in kibitz.games():
            ours = Contender(f"Kibitz: {kibitz.game(name).title}", stepper(name, observe), True)
            rows = side_by_side(
                (ours, *_with_aim(peers, aim)), rounds, lambda part: progress((len(done) + part) / parts)
            )
            kind = "observed" if observe else "bare"
            told = "with observations and masks" if observe else "without observations"
            title = f"Batches of {kibitz.game(name).title}, {told}, on one core"
            done.append(Measurement(f"batches_{kind}_{name}", title, "steps/s", rows, method))
    done.append(two_cores(rounds, lambda part: progress((len(done) + part) / parts), method))
    return tuple(done)


def two_cores(rounds: int, progress: Progress, method: str) -> Measurement:
    """One thread on one core against two on two."""
    if len(CORES) < 2:
        raise Skipped("there is only one core")
    pair = set(sorted(CORES)[-2:])
    both = Contender("Kibitz: MATCH! on two cores", stepper("match", True, 2, pair), True)
    one = Contender("Kibitz: MATCH! on one core", stepper("match", True), aim=1.8)
    rows = side_by_side((both, one), rounds, progress)
    return Measurement("batches_cores", "Batches on two cores", "steps/s", rows, method)


def _with_aim(peers: tuple[Contender, ...], aim: float) -> tuple[Contender, ...]:
    first, *rest = peers
    return (Contender(first.label, first.run, aim=aim), *rest)


def stepper(
    name: str, observe: bool, threads: int = 1, cores: set[int] | None = None
) -> Callable[[int], float]:
    """Our own batch, which goes on from call to call."""
    batch = kibitz.batch(name, n=GAMES, seed=1, threads=threads, observe=observe)

    def run(steps: int) -> float:
        for _ in range(steps):
            batch.step(batch.sample())
        return steps * GAMES

    def run_there(steps: int) -> float:
        with using(cores or set()):
            return run(steps)

    return run_there if cores else run


def others() -> tuple[Contender, ...]:
    """What it is measured against; pgx's connect_four first."""
    return (
        Contender("pgx: connect_four", by_pgx("connect_four")),
        Contender("pgx: leduc_holdem", by_pgx("leduc_holdem")),
        Contender("pgx: sparrow_mahjong", by_pgx("sparrow_mahjong")),
        Contender("PettingZoo: connect_four", by_pettingzoo()),
        Contender("RLCard: uno", by_rlcard()),
    )


def by_pgx(name: str) -> Callable[[int], float]:
    """pgx as its documents show it: choose, step and reset in one compiled call."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jax
        import pgx
        from pgx.experimental import auto_reset

        env = pgx.make(name)
    stepped = jax.vmap(auto_reset(env.step, env.init))

    def advance(state: Any, key: Any) -> Any:
        choice, luck = jax.random.split(key)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        return stepped(state, jax.random.categorical(choice, logits, axis=1), jax.random.split(luck, GAMES))

    advance = jax.jit(advance)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), GAMES))
    keys = (jax.random.PRNGKey(number) for number in count(2))

    def run(steps: int) -> float:
        nonlocal state
        for _ in range(steps):
            state = advance(state, next(keys))
        jax.block_until_ready(state)
        return steps * GAMES

    return run


def by_pettingzoo() -> Callable[[int], float]:
    """PettingZoo's own loop."""
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    rng = random.Random(1)

    def run(games: int) -> float:
        steps = 0
        for number in range(games):
            env.reset(seed=number)
            for _ in env.agent_iter():
                observation, _, ended, cut, _ = env.last()
                over = ended or cut
                mask = observation["action_mask"]
                env.step(None if over else rng.choice(mask.nonzero()[0]))
                steps += not over
        return steps

    return run


def by_rlcard() -> Callable[[int], float]:
    """RLCard, stepped by hand."""
    import rlcard

    env = rlcard.make("uno", {"seed": 1})
    rng = random.Random(1)

    def run(games: int) -> float:
        steps = 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                steps += 1
        return steps

    return run

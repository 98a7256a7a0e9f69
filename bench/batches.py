"""Thousands of games at once, by a random policy: beside pgx, PettingZoo and RLCard, and on two cores."""

import os
import random
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import numba
import numpy as np

import kibitz
from bench.measure import CORES, Contender, Measurement, Progress, Skipped, side_by_side, using

GAMES = 1024  # in a batch
GAMES_FOR_TWO = 4096  # … on two cores …
MANY = 16384  # … and where waking a thread counts for little
METHOD = "Random legal moves in {games} games at once, a call a step: `batch.step(batch.sample())`; "
PEERS = (
    "pgx: one compiled call that chooses, steps (`auto_reset`) and writes observations and masks, on the "
    "CPU. One game at a time: PettingZoo's connect_four by `last` and `step`, RLCard's uno by `step`. A step "
    "is one player's decision. A second is one of the processor's. "
)
TWO = (
    "a step is one player's decision. Beside it arithmetic alone, in two threads: what two cores give while "
    "others use them, too; and steps by the processor time of the calling thread, which has what can't be "
    "divided to do and its own half: what a quiet machine would give, but for waking the other thread. "
)
CALLING = "Batches on two cores, by the calling thread's processor time"
LOAD = "Load of the machine when it began: {load:.1f}."
ROUNDS_OF_ARITHMETIC = 1_000_000


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """Steps a second: without observations, with them, and on two cores."""
    load = LOAD.format(load=os.getloadavg()[0])
    method = METHOD.format(games=GAMES) + PEERS + load
    parts = 2 * len(kibitz.games()) + 4
    done: list[Measurement] = []

    def told(part: float) -> None:
        progress((len(done) + part) / parts)

    peers = others()
    for observe, aim in ((False, 5.0), (True, 1.5)):
        for name in kibitz.games():
            ours = Contender(f"Kibitz: {kibitz.game(name).title}", stepper(name, observe), True)
            rows = side_by_side((ours, *_with_aim(peers, aim)), rounds, told, time.process_time)
            kind = "observed" if observe else "bare"
            which = "with observations and masks" if observe else "without observations"
            title = f"Batches of {kibitz.game(name).title}, {which}, on one core"
            done.append(Measurement(f"batches_{kind}_{name}", title, "steps/s", rows, method))
    done.extend(two_cores(rounds, told, load))
    return tuple(done)


def two_cores(rounds: int, progress: Progress, load: str) -> tuple[Measurement, ...]:
    """One thread on one core against two on two: by the clock, and by the calling thread's processor time.

    Then by the clock with more games, and for arithmetic, which shares nothing.
    """
    if len(CORES) < 2:
        raise Skipped("there is only one core")
    pair = set(sorted(CORES)[-2:])
    method, many = (METHOD.format(games=games) + TWO + load for games in (GAMES_FOR_TWO, MANY))
    both, one = on_two_and_one(pair, GAMES_FOR_TWO)
    steps = side_by_side((both, one), rounds, progress)
    calling = side_by_side((both, one), rounds, progress, time.thread_time)
    more = side_by_side(on_two_and_one(pair, MANY), rounds, progress)
    with using(pair):
        reckoned = reckoner(2)
    together = Contender("Arithmetic on two cores", there(pair, reckoned), True)
    arithmetic = side_by_side((together, Contender("Arithmetic on one core", reckoner(1))), rounds, progress)
    return (
        Measurement("batches_cores", "Batches on two cores", "steps/s", steps, method),
        Measurement("batches_calling", CALLING, "steps/s", calling, method),
        Measurement("batches_many", f"Batches of {MANY:,} games on two cores", "steps/s", more, many),
        Measurement("cores", "Arithmetic on two cores", "numbers/s", arithmetic, method),
    )


def on_two_and_one(pair: set[int], games: int) -> tuple[Contender, Contender]:
    """So many games of MATCH!, on two cores and on one."""
    with using(pair):  # threads stay on the cores that were chosen when they began
        stepped = stepper("match", True, 2, games)
    both = Contender("Kibitz: MATCH! on two cores", there(pair, stepped), True)
    return both, Contender("Kibitz: MATCH! on one core", stepper("match", True, 1, games), aim=1.8)


def there(cores: set[int], run: Callable[[int], float]) -> Callable[[int], float]:
    """The same on these cores."""

    def run_there(amount: int) -> float:
        with using(cores):
            return run(amount)

    return run_there


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def reckon(rounds: int) -> int:
    """Numbers that follow from each other."""
    number = np.int64(1)
    for _ in range(rounds):
        number = (number * 48271) % 2147483647
    return int(number)


def reckoner(threads: int) -> Callable[[int], float]:
    """Arithmetic, in so many threads at the same time."""
    pool = ThreadPoolExecutor(threads)

    def run(amount: int) -> float:
        list(pool.map(reckon, [amount * ROUNDS_OF_ARITHMETIC // threads] * threads))
        return amount * ROUNDS_OF_ARITHMETIC

    run(1)
    return run


def _with_aim(peers: tuple[Contender, ...], aim: float) -> tuple[Contender, ...]:
    first, *rest = peers
    return (Contender(first.label, first.run, aim=aim), *rest)


def stepper(name: str, observe: bool, threads: int = 1, games: int = GAMES) -> Callable[[int], float]:
    """Our own batch, which goes on from call to call."""
    batch = kibitz.batch(name, n=games, seed=1, threads=threads, observe=observe)

    def run(steps: int) -> float:
        for _ in range(steps):
            batch.step(batch.sample())
        return steps * games

    return run


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

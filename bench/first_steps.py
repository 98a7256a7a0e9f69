"""The first steps of a fresh process with Kibitz, each timed. `bench.load` starts that process."""

import json
import sys
import time
from itertools import pairwise

# Numba loads SciPy if it is there. Here it is, for OpenSpiel; where Kibitz is only played it isn't.
sys.modules["scipy"] = None  # type: ignore[assignment]

GAME = "kaching"
clock = [time.perf_counter()]

import kibitz  # noqa: E402

clock.append(time.perf_counter())
game = kibitz.game(GAME)
clock.append(time.perf_counter())
state = game.deal(seed=1)
clock.append(time.perf_counter())
kibitz.playouts(GAME, games=1, seed=1)
clock.append(time.perf_counter())
kibitz.bot("hard", game, seed=1).choose(state.observation(state.turn))
clock.append(time.perf_counter())

print(json.dumps([after - before for before, after in pairwise(clock)]))

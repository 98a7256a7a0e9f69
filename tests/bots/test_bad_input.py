"""What is of another kind than was asked for is refused by an error that names the argument."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots.botcheck import check_program
from kibitz.bots.selfplay import selfplay
from kibitz.bots.tune import load

MATCH = kibitz.game("match")
STATE = MATCH.deal(seed=1)
SEEN = STATE.observation(STATE.turn)
CALLS: list[tuple[str, Callable[[Any], Any], list[Any]]] = [
    ("game", lambda given: kibitz.arena(given, ["random", "random"]), [None, 3, ["match"], STATE]),
    ("game", lambda given: kibitz.batch(given), [None, STATE]),
    ("game", lambda given: kibitz.bot("easy", given), [None, STATE]),
    ("game", lambda given: kibitz.playouts(given), [None]),
    ("game", lambda given: kibitz.tune(given), [None]),
    ("game", lambda given: selfplay(given, ["random", "random"], 1, "nowhere"), [None]),
    ("bots", lambda given: kibitz.arena("match", given), [None, "easy", 2, {"easy", "hard"}]),
    ("bots", lambda given: selfplay("match", given, 1, "nowhere"), [None, "easy", 2]),
    ("file", lambda given: kibitz.arena("match", ["random", "random"], file=given), [3, b"x", ["x"]]),
    ("out", lambda given: selfplay("match", ["random", "random"], 1, given), [None, 3, b"x"]),
    ("spread", lambda given: kibitz.tune("match", spread=given), [None, "0.2", 0, 1, np.nan]),
    ("population", lambda given: kibitz.tune("match", population=given), [3, 1.5, -4, "8"]),
    ("file", load, [None, "nowhere.jsonl", __file__]),
    ("observation", kibitz.analyse, [None, STATE, SEEN.view]),
    ("observation", kibitz.bot("random", "match").choose, [None, STATE, SEEN.view]),
    ("observation", kibitz.bot("random", "kazink").choose, [SEEN]),
    ("record", kibitz.review, [None, STATE, "a.json"]),
    ("state", kibitz.solve, [None, SEEN]),
    ("seconds", lambda given: kibitz.analyse(SEEN, given), [0, -1, np.nan, np.inf, "1", True, [1]]),
    ("seconds", lambda given: next(check_program("true", [MATCH], given)), [0, np.nan, "1"]),
    ("words", lambda given: MATCH.deal(words=given), [None, 3, "abc", [3]]),
    ("target", lambda given: MATCH.deal(target=given), [None, np.nan, np.array([50, 60]), [50], 50.0]),
    ("language", MATCH.words, [None, "de", 3]),
]


@pytest.mark.parametrize(("argument", "call", "wrong"), CALLS)
def test_it_is_refused_by_name(argument: str, call: Callable[[Any], Any], wrong: list[Any]) -> None:
    for given in wrong:
        with pytest.raises(kibitz.BadOptions, match=f"^{argument}: expected") as refused:
            call(given)
        assert refused.value.key == argument


@pytest.mark.parametrize("name", [None, 3, ["match"], {}, "chess"])
def test_what_names_no_game_is_no_game(name: Any) -> None:
    with pytest.raises(kibitz.UnknownGame, match=r"There is no game .*; there are: kaching"):
        kibitz.game(name)


def test_a_folder_that_something_else_has_made_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(kibitz.BadOptions, match="out: expected a folder that selfplay has made"):
        selfplay("match", ["random", "random"], 1, tmp_path)
    assert (tmp_path / "run.json").read_text() == "{}"

"""Heuristic constants tuned by self-play: other constants are played by, and a stopped run goes on."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kibitz
from kibitz.bots import tune
from kibitz.bots.lookahead import known_of, module_of
from kibitz.bots.player import bot
from kibitz.cli import cli
from kibitz.core.errors import BadOptions

SMALL: dict[str, Any] = {
    "constants": ["DENIAL"],
    "level": "easy",
    "games": 4,
    "population": 4,
    "generations": 1,
    "check": 6,
    "rounds": 1,
}


def choices(player: Any) -> list[str]:
    """What it does in the first moments of some games."""
    found = []
    for seed in range(6):
        state = kibitz.game("kaching").deal(seed=seed)
        for _ in range(8):
            assert state.turn is not None
            found.append(str(player(state.observation(state.turn))))
            state.play(state.legal_moves[0])
    return found


def test_constants_are_the_numbers_that_heuristics_name() -> None:
    known = tune.constants_of("kaching")
    assert known["DENIAL"] == 0.6
    assert "SOON" not in known  # a count
    assert known["exploration"] == known_of("kaching").exploration


def test_heuristics_in_several_modules_are_tuned_as_one() -> None:
    assert tune.constants_of("cash")["LEAST_GAIN"] == 6000.0
    *_, trading, whole = tune._copied(tune._parts(module_of("cash")))
    assert getattr(whole.best_offer, "py_func", whole.best_offer).__globals__ is vars(trading)
    assert whole.best_offer is not import_module(module_of("cash")).best_offer


def test_a_bot_plays_by_other_constants_and_others_do_not_notice() -> None:
    game = kibitz.game("kaching")
    usual = choices(bot("easy", game, 1).choose)
    assert choices(tune.Tuned("easy", (("DENIAL", 0.6),))(game, 1)) == usual
    assert choices(tune.Tuned("easy", (("DENIAL", -90.0),))(game, 1)) != usual
    assert choices(bot("easy", game, 1).choose) == usual


def test_copies_made_by_several_threads_at_once_never_stay() -> None:
    parts = tune._parts(module_of("kaching"))
    originals = [import_module(part) for part in parts]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: tune._copied(parts), range(40)))
    assert [import_module(part) for part in parts] == originals


def test_a_stopped_run_goes_on_as_it_would_have(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.jsonl", tmp_path / "stopped.jsonl"
    seen: list[int | None] = []
    found = kibitz.tune("kaching", file=whole, report=lambda trial: seen.append(trial.number), **SMALL)
    assert sorted(seen[:-1]) == [0, 1, 2, 3]  # type: ignore[type-var]
    assert seen[-1] is None
    assert found.check
    assert found.check.games == 6
    assert found.constants != found.run.constants
    told_by_the_command(whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    stopped.write_bytes(b"".join(lines[:3]) + b'{"generation":0,"num')
    again = kibitz.tune("kaching", file=stopped, **SMALL)
    assert again.check == found.check
    assert tune.load(stopped) == again
    assert kibitz.tune("kaching", file=stopped, **SMALL) == again  # nothing is played twice
    with pytest.raises(BadOptions, match="file: expected one of the same seed"):
        kibitz.tune("kaching", file=stopped, seed=2, **SMALL)


def told_by_the_command(file: Path) -> None:
    """`kibitz tune` goes on with a finished file: it plays nothing, prints what was found and how."""
    before = file.read_text()
    first, *trials = [json.loads(line) for line in before.splitlines()]
    assert {"kibitz", "cmaes", "rules", "options", "level", "seed"} <= first.keys()
    assert first["constants"] == {"DENIAL": 0.6}
    command = (
        "tune kaching DENIAL --level easy --games 4 --population 4 --generations 1 --check 6 "
        f"--option rounds=1 --file {file}"
    )
    told = CliRunner().invoke(cli, command.split()).stdout
    check = trials[-1]
    assert re.search(rf"DENIAL +0\.6 +{check['constants']['DENIAL']:.4g}\n", told), told
    assert f"In 6 new games they take {check['points']:.1%} of the points" in told
    as_json = CliRunner().invoke(cli, [*command.split(), "--json"]).stdout
    facts = json.loads(as_json)
    assert facts["run"] == first
    assert facts["trials"][-1] == check
    assert file.read_text() == before
    assert re.search(r"DENIAL +0\.6\n", CliRunner().invoke(cli, ["tune", "kaching", "--list"]).stdout)


def test_the_result_can_play_in_an_arena() -> None:
    run = kibitz.tune("kaching", **SMALL).run
    tuning = tune.Tuning(run, ())
    outcome = kibitz.arena("kaching", [tuning.bot(), "random"], games=2, rounds=1)
    assert outcome.bots == ("tuned easy", "random")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"constants": ["LUCK"]}, "constants: expected among SINGLE, DENIAL"),
        ({"level": "expert"}, "level: expected easy or medium or hard"),
        ({"spread": 0}, "spread: expected a number between 0 and 1"),
        ({"population": 1}, "population"),
        ({"rounds": 0}, "rounds"),
    ],
)
def test_what_cannot_be_is_told(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(BadOptions, match=told):
        kibitz.tune("kaching", **{**SMALL, **asked})

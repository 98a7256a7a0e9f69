"""`kibitz review`: a finished game looked at again."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import kibitz
from kibitz.cli import cli
from kibitz.terminal.reviewing import BARS, bars

QUICK = ("--games", "8", "--nodes", "20")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of MATCH! that easy bots have played."""
    state = kibitz.game("match").deal(3, seed=1)
    bot = kibitz.bot("easy", "match", seed=1)
    while state.turn is not None:
        state.play(bot.choose(state.observation(state.turn)))
    file = tmp_path_factory.mktemp("review") / "game.json"
    state.record(("Ann", "Bruno", "Clara")).save(file)
    return file


def run(*arguments: str) -> str:
    told = CliRunner().invoke(cli, ["review", *arguments])
    assert told.exit_code == 0, told.output
    return told.output


def test_it_tells_the_chances_where_results_came_from_and_what_was_costly(finished: Path) -> None:
    told = run(str(finished), *QUICK, "--lang", "en")
    assert "Chances to win" in told
    for name in ("Ann", "Bruno", "Clara"):
        assert any(line.startswith(name) and "±" in line for line in told.splitlines())
        assert f"{name}: the costliest decisions" in told or f"{name}: no decision" in told
    assert "juego propio" in run(str(finished), *QUICK, "--lang", "es")


def test_a_team_has_one_row_of_chances(tmp_path: Path) -> None:
    state = kibitz.game("kazink").deal(4, seed=1)
    state.play(state.legal_moves[0])
    state.record(("Ann", "Bruno", "Clara", "Diego")).save(tmp_path / "game.json")
    told = run(str(tmp_path / "game.json"), *QUICK, "--lang", "en")
    rows = [line.split()[1:] for line in told.splitlines() if line.strip()[:1] in BARS and line.strip()]
    assert rows == [["Ann,", "Clara"], ["Bruno,", "Diego"]]


def test_every_decision_is_told_in_words_on_demand(finished: Path) -> None:
    facts = json.loads(run(str(finished), *QUICK, "--seat", "0", "--json"))
    told = run(str(finished), *QUICK, "--seat", "0", "--every", "--lang", "en")
    for decision in facts["decisions"]:
        assert f"move {decision['number'] + 1}" in told
    assert "Ann collects" in told
    assert "collect R" not in told  # as it is typed


def test_steals_are_told_with_what_they_were_worth(tmp_path: Path) -> None:
    state = kibitz.game("assets").deal(2, seed=1, rounds=1)
    bot = kibitz.bot("easy", "assets", seed=1)
    while state.turn is not None:
        state.play(bot.choose(state.observation(state.turn)))
    state.record(("Ann", "Bruno")).save(tmp_path / "game.json")
    told = run(str(tmp_path / "game.json"), *QUICK, "--lang", "en").split("Who took what from whom")[1]
    assert re.search(r"[+-]\d+  (Ann took .+ from Bruno|Bruno took .+ from Ann)\.", told)


def test_for_programs_it_is_json(finished: Path) -> None:
    told = json.loads(run(str(finished), *QUICK, "--seat", "1", "--json"))
    assert told["players"] == 3
    assert {decision["seat"] for decision in told["decisions"]} == {1}
    assert len(told["moments"]) == 1 + len(kibitz.Record.load(finished).moves)


@pytest.mark.parametrize(
    ("arguments", "reason"), [(("--seat", "7"), "no seat 7"), (("--games", "0"), "--games")]
)
def test_what_can_not_be_is_refused_in_a_line(
    finished: Path, arguments: tuple[str, ...], reason: str
) -> None:
    told = CliRunner().invoke(cli, ["review", str(finished), *arguments])
    assert told.exit_code != 0
    assert reason in told.output
    assert "Traceback" not in told.output


def test_bars_rise_with_the_chance_and_end_with_the_result() -> None:
    assert bars([0.0, 0.5, 1.0]) == "▁▅█"
    assert bars([0.5] * 1000 + [1.0])[-1] == "█"
    assert len(bars([0.5] * 1000)) <= 61

"""A game in the terminal, typed in."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import kibitz
from kibitz.core.record import Record
from kibitz.core.words import catalogue
from kibitz.terminal.players import names_of

Run = Callable[..., Result]

PLAY = "play kaching --seed 3 --level easy"


def moves_that_win_the_time() -> list[str]:
    """The numbers to type for a whole game of seed 3: whatever is first in the list of moves."""
    return ["1", "2", "3", "4", "5", "6"] * 60


def only_record(folder: Path) -> Record:
    (file,) = folder.iterdir()
    return Record.load(file)


# Moving


def test_a_whole_game_is_played_by_numbers(run: Run, saved: Path) -> None:
    result = run(PLAY, *moves_that_win_the_time())
    assert result.exit_code == 0, result.output
    assert re.search(
        r"(You win!|Easy bot wins\.|A shared win:.*) Both have made their last sale\.", result.output
    )
    assert re.search(r"Money +Profit +Score", result.output)
    record = only_record(saved)
    assert record.result is not None
    record.verify()
    assert record.seats == ("human", "bot:easy")


def test_before_a_new_round_stands_what_the_last_one_brought(run: Run) -> None:
    result = run(f"{PLAY} --option series=total --option rounds=2", *moves_that_win_the_time())
    told = re.findall(
        r"Round (\d) is over\. Both have made their last sale\.\s+Money +Profit +Score", result.output
    )
    assert told == ["1"]


def test_the_same_seed_and_input_give_the_same_game(run: Run) -> None:
    first, second = (run(PLAY, "1", "2", "3").output for _ in range(2))
    assert first.split("The game is saved")[0] == second.split("The game is saved")[0]


def test_a_move_is_typed_in_its_notation(run: Run, saved: Path) -> None:
    run(PLAY, "  BUY   4 ")
    assert only_record(saved).moves[1] == "buy 4"


def test_a_columns_number_buys_from_it_even_after_another_is_empty(run: Run, saved: Path) -> None:
    run("play --seed 3 --hotseat", *["1"] * 7, "2")
    assert only_record(saved).moves == ("buy 1",) * 7 + ("buy 2",)


def test_the_bots_moves_are_told_in_words(run: Run) -> None:
    output = run(PLAY, "4").output
    assert "You buy G5 for $5." in output
    assert re.search(r"Easy bot (buys|sells) .* for \$\d+\.", output)


def test_what_happened_since_my_last_decision_is_marked(run: Run) -> None:
    output = run(PLAY, "1").output.rpartition("Your turn")[2]
    assert "  Easy bot buys B5 for $5." in output
    assert "› Easy bot buys B5 for $5." not in output
    assert "› You buy Y3 for $3.\n› Easy bot buys" in output


# Being refused


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("sell r4 r5", "You don't own R4."),
        ("sell r4 y5", "R4 and Y5 are of two colours"),
        ("sell W R4", "Write the wild last: “sell R4 W”."),
        ("pass", "You can buy or sell, so you may not pass"),
        ("buy 9", "There is no column 9: columns are numbered 1 to 5."),
        ("Dance All Night", "“Dance All Night” is not a move of Ka-Ching!."),
        ("b", "“b” could be several moves: buy 1, buy 2, buy 3, buy 4, buy 5."),
        ("99", "There is no 99 in the list of moves."),
    ],
)
def test_a_refused_move_is_explained_and_changes_nothing(
    run: Run, saved: Path, typed: str, sentence: str
) -> None:
    output = run(PLAY, typed).output
    assert sentence in output
    assert "Traceback" not in output
    assert len(only_record(saved).moves) == 1  # the bot's, before


def test_an_empty_column_is_refused_by_its_number(run: Run) -> None:
    assert "Column 1 is empty." in run("play --seed 3 --hotseat", *["1"] * 8).output


# Commands


def test_undo_takes_back_to_my_previous_decision(run: Run, saved: Path) -> None:
    output = run(PLAY, "1", "2", "undo", "3").output
    assert "Taken back. Decide anew." in output
    moves = only_record(saved).moves
    assert (moves[1], moves[3]) == ("buy 1", "buy 3")


def test_before_the_first_move_there_is_nothing_to_undo(run: Run, saved: Path) -> None:
    assert "You have made no move yet" in run(PLAY, "undo").output
    assert len(only_record(saved).moves) == 1


def test_a_hint_names_a_legal_move_and_makes_none(run: Run, saved: Path) -> None:
    output = run(PLAY, "hint").output
    found = re.search(r"\d+ % to win with (.+?)\. You (?:buy|sell)", output)
    assert found
    state = only_record(saved).replay()
    assert found[1] in map(str, state.legal_moves)
    assert len(state.history) == 1


def test_hidden_tells_how_likely_each_card_is_in_a_rivals_hand(run: Run) -> None:
    output = run("play match --seed 3 --level easy", "hidden").output
    hand, _, deck = output.partition("Easy bot: 4 hidden cards")[2].partition("The next card of the deck")
    assert len(re.findall(r"(?m)^  (?:[RYGBP][0-5]|W) +━+ +\d+ %$", hand)) == 12
    shares = [int(share) for share in re.findall(r"(?m)^  \S+ +━+ +(\d+) %$", deck)]
    assert len(shares) == 12
    assert shares == sorted(shares, reverse=True)


def test_where_nothing_is_hidden_hidden_says_so(run: Run) -> None:
    assert "Nothing that counts is hidden from you." in run(PLAY, "hidden").output


def test_help_lists_what_can_be_typed(run: Run) -> None:
    output = run(PLAY, "?").output
    assert all(
        command in output for command in ("hint", "hidden", "undo", "moves", "log", "rules", "save", "quit")
    )


def test_the_log_tells_everything(run: Run) -> None:
    output = run(PLAY, "1", "1", "1", "log").output.rpartition("You › ")[0].rpartition("You › ")[2]
    assert output.startswith("Round 1 begins; Easy bot goes first.")
    assert output.count("You buy") == 3


def test_the_rules_are_in_the_players_language(run: Run) -> None:
    assert "The idea" in run(PLAY, "rules").output
    assert "La idea" in run(f"{PLAY} --lang es", "reglas").output


# Keeping


def test_the_end_of_input_saves_the_game_and_says_how_to_resume_it(run: Run, saved: Path) -> None:
    output = run(PLAY, "1", "2").output
    (file,) = saved.iterdir()
    assert output.endswith(f"kibitz play --resume {file}\n")


def test_a_resumed_game_has_the_same_position(run: Run, saved: Path) -> None:
    run(PLAY, "1", "2")
    (file,) = saved.iterdir()
    before = Record.load(file)
    output = run(f"play --resume {file}").output
    assert Record.load(file) == before
    assert "Easy bot" in output
    assert list(saved.iterdir()) == [file]


def test_a_resumed_game_goes_on_in_its_file(run: Run, saved: Path) -> None:
    run(PLAY, "1", "2")
    (file,) = saved.iterdir()
    before = Record.load(file)
    run(f"play --resume {file}", "undo", "3")
    after = Record.load(file)
    assert after.moves[: len(before.moves) - 2] == before.moves[:-2]
    assert after.moves[-2] == "buy 3"


def test_a_finished_game_cannot_be_resumed(run: Run, saved: Path) -> None:
    run(PLAY, *moves_that_win_the_time())
    (file,) = saved.iterdir()
    result = run(f"play --resume {file}")
    assert result.exit_code == 1
    assert f"This game is over. To look at it: kibitz replay {file}" in result.output


def test_a_resumed_game_takes_no_settings(run: Run, saved: Path) -> None:
    run(PLAY, "1")
    (file,) = saved.iterdir()
    result = run(f"play --seed 4 --resume {file}")
    assert result.exit_code == 2
    assert "takes everything but the language from the saved game" in result.output


def test_save_writes_the_named_file_and_plays_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my game.json"
    output = run(PLAY, "1", f"save {file}", "2").output
    assert f"Saved: {file}" in output
    assert len(Record.load(file).moves) == 3


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_lost(
    run: Run, saved: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    assert "can't be written" in run(PLAY, "1", f"save {tmp_path}/file/game.json").output
    assert len(only_record(saved).moves) == 3


def test_quit_keeps_the_game_as_well(run: Run, saved: Path) -> None:
    assert "The game is saved." in run(PLAY, "1", "quit").output
    assert len(only_record(saved).moves) == 3


# The end


def test_at_the_end_one_saves_and_has_a_rematch(run: Run, saved: Path) -> None:
    numbers = moves_that_win_the_time()
    whole = run(PLAY, *numbers).output
    typed_in_the_game = whole.count("You › ")
    output = run(PLAY, *numbers[:typed_in_the_game], "save", "rematch", "1").output
    assert "Saved: " in output
    records = sorted(map(Record.load, saved.iterdir()), key=lambda record: len(record.moves))
    assert [record.seed for record in records] == [4, 3, 3]
    assert records[0].result is None


# Settings


def test_spanish_is_spanish_throughout(run: Run) -> None:
    output = run(f"{PLAY} --lang es", "1", "sell r4 r5", "pista", "deshacer", "ayuda").output
    for sentence in (
        "Te toca",
        "Bot fácil",
        "Compras Y3 por $3.",
        "No tienes R4.",
        "de ganar con",
        "deshecha",
    ):
        assert sentence in output
    assert "La partida está guardada." in output


def test_the_language_is_the_users_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_LANGUAGE", "es_MX.UTF-8")
    assert "Te toca" in run(PLAY).output


def test_options_are_read_by_the_game(run: Run, saved: Path) -> None:
    run(f"{PLAY} --option series=best_of --option rounds=5 --option open_money=yes --option starter=1")
    assert only_record(saved).options == {"series": "best_of", "rounds": 5, "open_money": True, "starter": 1}


def test_the_seat_can_be_chosen(run: Run, saved: Path) -> None:
    run(f"{PLAY} --seat 1", "1")
    assert only_record(saved).seats == ("bot:easy", "human")


def test_two_people_share_a_terminal(run: Run, saved: Path) -> None:
    output = run("play --seed 3 --hotseat", "1", "2").output
    assert "Player 2 buys Y3 for $3." in output
    assert "Player 1 buys P3 for $3." in output
    assert only_record(saved).seats == ("human", "human")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("play chess", "There is no game 'chess' here"),
        ("play --seat 2", "seat: expected a whole number from 0 to 1, got 2."),
        ("play --players 3", "players: expected 2, got 3."),
        ("play --option colour=red", "option: expected key=value with one of the keys series"),
        ("play --option rounds=99", "rounds: expected a whole number from 1 to 20, got '99'."),
        ("play --resume nothing.json", "nothing.json: expected a file that can be read"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(run: Run, settings: str, message: str) -> None:
    result = run(settings)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_an_unknown_level_names_the_known_ones(run: Run) -> None:
    result = run("play --level heroic")
    assert result.exit_code == 2
    assert "'heroic' is not one of random, easy, medium, hard, expert." in result.output


def test_what_goes_wrong_inside_is_not_swallowed_and_the_game_is_kept(
    run: Run, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.terminal.play.Sitting.do_hint", lambda self, rest: 1 / 0)
    assert isinstance(run(PLAY, "1", "hint").exception, ZeroDivisionError)
    assert len(only_record(saved).moves) == 3


def test_money_of_the_other_is_never_shown(run: Run) -> None:
    output = run(PLAY, "1", "2", "3").output
    assert output.count("$?") == 4
    assert kibitz.game("kaching").title in output


# Names


@pytest.mark.parametrize(
    ("seats", "viewer", "names"),
    [
        (("human", "bot:medium"), 0, ("You", "Medium bot")),
        (("human", "bot:medium", "bot:medium"), 0, ("You", "Medium bot 1", "Medium bot 2")),
        (("bot:easy", "human", "bot:hard", "bot:easy"), 1, ("Easy bot 1", "You", "Hard bot", "Easy bot 2")),
        (("human", "human"), None, ("Player 1", "Player 2")),
        (("–", "Ann", "– (2)"), None, ("Deleted player 1", "Ann", "Deleted player 2")),
    ],
    ids=str,
)
def test_bots_alike_are_counted(seats: tuple[str, ...], viewer: int | None, names: tuple[str, ...]) -> None:
    assert names_of(seats, catalogue("en", "kibitz.terminal"), viewer) == names

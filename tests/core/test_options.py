"""Options: each declares once what it accepts; Python and JSON are taken exactly, text is read by it."""

from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from kibitz.core.game import Game
from kibitz.core.options import ANY_SEAT, Option, Value, checked_options

pytestmark = pytest.mark.interpreted

ROUNDS = Option("rounds", 3, (range(1, 21),))
OPEN = Option("open", False, (False, True))
STARTER = Option("starter", "random", ("random", ANY_SEAT))
TARGET = Option("target", None, (None, 50, range(100, 200)))
ALL = (ROUNDS, OPEN, STARTER, TARGET)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *((ROUNDS, value) for value in (1, 3, 20)),
        *((OPEN, value) for value in (False, True)),
        *((STARTER, value) for value in ("random", 0, 2)),
        *((TARGET, value) for value in (None, 50, 100, 199)),
    ],
)
def test_what_an_option_accepts_is_taken_as_it_is(option: Option, value: Any) -> None:
    taken = option.check(value, players=3)
    assert taken == value
    assert type(taken) is type(value)


@pytest.mark.parametrize(
    ("option", "refused"),
    [
        (ROUNDS, [0, 21, True, 3.0, "3", None, [3], (), {}, float("nan")]),
        (OPEN, [0, 1, "true", None, 0.0]),
        (STARTER, ["Random", 3, -1, True, False, "0", None]),
        (TARGET, [False, 0, 51, 200, "none", ""]),
    ],
)
def test_anything_else_is_refused_also_what_only_equals_it(option: Option, refused: list[Any]) -> None:
    """True equals 1 and 3.0 equals 3: neither is the number."""
    for value in refused:
        with pytest.raises(kibitz.BadOptions) as refusal:
            option.check(value, players=3)
        assert refusal.value.key == option.name
        assert refusal.value.expected == option.expected(3)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (ROUNDS, "7", 7),
        (ROUNDS, "007", 7),
        *((OPEN, text, True) for text in ("true", "yes", "True", "YES")),
        *((OPEN, text, False) for text in ("false", "no", "False")),
        (STARTER, "random", "random"),
        (STARTER, "1", 1),
        *((TARGET, text, None) for text in ("none", "null", "None")),
        (TARGET, "150", 150),
        (Option("name", "a", ("a", "7", "true")), "7", "7"),
        (Option("name", "a", ("a", "7", "true")), "true", "true"),
        (Option("depth", 0, (range(-5, 5),)), "-5", -5),
    ],
)
def test_text_is_read_by_what_the_option_accepts(option: Option, text: str, value: Any) -> None:
    read = option.parse(text, players=3)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    "text", ["", " ", "0", "21", "3.0", "three", "--3", "-", "+3", "3 ", "²", "9" * 5000]
)
def test_text_that_means_nothing_acceptable_is_refused(text: str) -> None:
    with pytest.raises(kibitz.BadOptions, match="rounds: expected a whole number from 1 to 20"):
        ROUNDS.parse(text, players=2)


def test_seats_are_those_of_the_table() -> None:
    assert STARTER.check(2, players=3) == 2
    with pytest.raises(kibitz.BadOptions, match="'random' or a whole number from 0 to 1"):
        STARTER.check(2, players=2)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (ROUNDS, "a whole number from 1 to 20"),
        (OPEN, "false or true"),
        (STARTER, "'random' or a whole number from 0 to 3"),
        (TARGET, "none or 50 or a whole number from 100 to 199"),
    ],
)
def test_what_is_expected_is_said_in_words(option: Option, expected: str) -> None:
    assert option.expected(players=4) == expected


def test_all_options_come_in_their_order_each_as_given_or_by_default() -> None:
    checked = checked_options(ALL, {"target": 50, "open": True}, players=2)
    assert list(checked.items()) == [("rounds", 3), ("open", True), ("starter", "random"), ("target", 50)]


@pytest.mark.parametrize("name", ["speed", "Rounds", "", 3])
def test_an_option_that_is_not_there_is_refused_with_the_names_of_those_that_are(name: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="one of the options open, rounds, starter, target"):
        checked_options(ALL, {name: 1}, players=2)


# The games' own


def some(choice: range) -> list[int]:
    """All numbers of a range; of a long one both ends and some between."""
    step = -(-len(choice) // 200)
    return sorted({*choice[::step], choice[-1]})


def values(option: Option, players: int) -> Iterator[Value]:
    """Everything that an option accepts, one by one."""
    for choice in option.choices(players):
        yield from some(choice) if isinstance(choice, range) else [choice]


def test_every_default_is_accepted_by_its_option(game: Game) -> None:
    for players in game.players:
        defaults = game.checked_options({}, players)
        assert defaults == {option.name: option.default for option in game.options}


def test_every_value_survives_its_text_form(game: Game) -> None:
    players = game.players.start
    for option in game.options:
        for value in values(option, players):
            text = str(value).lower() if value is None or isinstance(value, bool) else str(value)
            assert option.parse(text, players) == value


def test_options_reach_the_position_of_a_deal(game: Game) -> None:
    for option in game.options:
        taken = 0
        for value in values(option, game.players.start):
            given: dict[str, Any] = {option.name: value}
            try:
                state = game.deal(seed=1, **given)
            except kibitz.BadOptions:
                continue  # not together with the other options' defaults
            taken += 1
            assert state.position()["options"][option.name] == value
        assert taken >= 2


def test_an_option_that_a_game_has_not_is_refused_by_deal(game: Game) -> None:
    with pytest.raises(kibitz.BadOptions) as refused:
        game.deal(speed=3)
    assert refused.value.key == "speed"


@pytest.mark.parametrize("value", [True, 2.0, [2], {}])
def test_what_is_kept_of_a_deal_before_lets_no_other_type_pass(value: Any) -> None:
    game = kibitz.game("kaching")
    game.deal(seed=1, series="total", rounds=2)
    with pytest.raises(kibitz.BadOptions):
        game.deal(seed=1, series="total", rounds=value)

"""What may be hidden, as bars."""

from kibitz.core.words import catalogue
from kibitz.terminal.drawing import drawing_of
from kibitz.terminal.hidden import hidden_lines


def lines(beliefs: dict[str, dict[str, float]]) -> list[str]:
    words = catalogue("en", "kibitz.terminal")
    return [line.plain for line in hidden_lines(beliefs, ["You", "Bo"], words, drawing_of("cash"))]


def test_a_card_that_is_likely_there_more_than_once_is_counted() -> None:
    assert "  stop   ━━━━━━━━━━━━━━━━━━━━  about 1.2" in lines({"hands/1": {"stop": 1.24, "crash": 0.76}})


def test_of_the_deck_only_the_next_card_is_told() -> None:
    assert lines({"deck": {"stop": 3.0, "crash": 1.0}})[-3:] == [
        "The next card of the deck",
        "  stop   ━━━━━━━━━━━━━━━       75 %",
        "  crash  ━━━━━                 25 %",
    ]


def test_a_long_list_is_cut_to_the_likeliest() -> None:
    assert len(lines({"hands/1": {f"cash-{number}": 0.1 for number in range(30)}})) == 15

"""Wishes: what a rival may name before the player in turn has offered anything."""

import pytest

import kibitz
from kibitz.core.sentences import Speaker
from tests.games.cash.positions import DEFAULTS

GAME = kibitz.game("cash")


def test_hand_cards_are_named_by_their_codes_and_firm_cards_as_moves_name_them() -> None:
    assert GAME.wishes is not None
    named = set(GAME.wishes.names(DEFAULTS))
    moves = [str(move) for move in GAME.moves]
    assert named == {move.removeprefix("want ") for move in moves if move.startswith("want ")}
    assert named == {move.removeprefix("give ") for move in moves if move.startswith("give ")}


def test_where_nobody_trades_nothing_is_wished_for() -> None:
    assert GAME.wishes is not None
    assert not GAME.wishes.names(DEFAULTS | {"trading": False})


@pytest.mark.parametrize(
    ("offered", "wanted", "told"),
    [
        (
            ["stop"],
            ["firm cash-50", "venture"],
            "Bo would trade with you: stop for your cash-50 from the firm, venture.",
        ),
        (["stop"], [], "Bo would give you: stop."),
        ([], ["taxman"], "Bo would like from you: taxman."),
    ],
)
def test_a_wish_is_told_in_words(offered: list[str], wanted: list[str], told: str) -> None:
    assert GAME.wishes is not None
    speaker = Speaker(GAME.words("en"), ["Ann", "Bo"], 0)
    assert speaker.tell(GAME.wishes.sentence(1, 0, offered, wanted)) == told

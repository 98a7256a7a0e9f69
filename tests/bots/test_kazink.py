"""What bots know about Kazink!: how likely each colour is to win a board, by learned worths."""

import numpy as np
import pytest

import kibitz
from kibitz.bots.heuristics import kazink_lines as lines
from kibitz.core.state import State
from tests.bots.test_bots import midgame

GAME = kibitz.game("kazink")
CROWNS = {"a1": "YYY", "b2": "YYY", "d5": "BBB"}


def board(players: int, stacks: dict[str, str]) -> State:
    """A game with these stacks, whose three equal chips are crowns, and yellow to move."""
    position = GAME.deal(players, seed=1, dealer=players - 1).position()
    crowns = {space: chips[0] for space, chips in stacks.items() if len(chips) == 3}
    position["board"], position["crowns"] = stacks, crowns
    for seat, colour in enumerate("YB"):
        placed = sum(chips.count(colour) for chips in stacks.values())
        position["chips"][colour] -= placed
        position["seat_chips"][seat] -= placed
        position["scores"][seat] = 100 * list(crowns.values()).count(colour)
    return GAME.from_position(position)


def chance(state: State, colour: int) -> float:
    return lines.chance_of(state.fields(), colour, lines.WORTHS[state.players])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chances_of_all_colours_add_up(players: int) -> None:
    state = midgame(GAME, seed=3, moves=20, players=players)
    colours = 3 if players == 3 else 2
    assert sum(chance(state, colour) for colour in range(colours)) == pytest.approx(1)


def test_a_line_is_worth_the_more_the_further_it_has_come() -> None:
    further = [CROWNS, CROWNS | {"c3": "Y"}, CROWNS | {"c3": "YY"}, CROWNS | {"c3": "YYY"}]
    chances = [chance(board(2, stacks), 0) for stacks in further[:3]]
    assert chances == sorted(chances)
    assert chances[0] > 0.5


def test_a_pair_in_the_way_lowers_the_chance() -> None:
    assert chance(board(2, CROWNS | {"c3": "BB"}), 0) < chance(board(2, CROWNS | {"b5": "BB"}), 0)


def test_the_order_of_spaces_in_a_line_does_not_matter() -> None:
    assert np.array_equal(lines.PATTERN.transpose(2, 0, 1), lines.PATTERN)
    assert len(np.unique(lines.PATTERN)) == lines.NUM_PATTERNS

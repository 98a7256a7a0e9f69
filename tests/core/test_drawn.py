"""A table drawn for notebooks: with the page's faces, all that a seat sees, and nothing else."""

import random
from xml.etree import ElementTree

import pytest

import kibitz
from kibitz.core.drawn import CARD_WIDTH, WIDTH, faces_of
from kibitz.core.layout import HIDDEN


def positions(name: str, players: int) -> list[kibitz.State]:
    """Some moments of a game."""
    game, luck = kibitz.game(name), random.Random(1)
    found = []
    for seed in range(3):
        state = game.deal(players, seed)
        for _ in range(luck.randrange(5, 60)):
            if not state.over:
                state.play(luck.choice(state.legal_moves))
        found.append(state)
    return found


@pytest.mark.parametrize("name", kibitz.games())
def test_what_is_drawn_is_a_sound_picture_and_within_its_edges(name: str) -> None:
    for players in {min(kibitz.game(name).players), max(kibitz.game(name).players)}:
        for state in positions(name, players):
            for drawing in (state._repr_html_(), state.observation(0)._repr_html_()):
                picture = ElementTree.fromstring(drawing)
                assert picture.tag.endswith("svg")
                mats = [part for part in picture if part.tag.endswith("}g")]
                assert len(mats) == 1 + players
                assert float(picture.attrib["height"]) < 4000


@pytest.mark.parametrize("name", ["match", "kaching", "assets"])
def test_hands_show_the_pages_faces_and_hidden_ones_their_backs(name: str) -> None:
    faces = faces_of(kibitz.game(name).package)
    for state in positions(name, 2):
        view = state.view(0)
        if "hands" not in view:
            continue
        seen = state.observation(0)._repr_html_()
        assert all(faces[card] in seen for card in view["hands"][0])
        assert seen.count(faces[HIDDEN]) == len(view["hands"][1]) + (len(view["deck"]) > 0)
        assert state._repr_html_().count(faces[HIDDEN]) == (len(view["deck"]) > 0)


def test_every_card_has_a_face_and_all_fit_on_the_felt() -> None:
    assert {f"{colour}{value}" for colour in "RYGBP" for value in range(6)} < set(
        faces_of("kibitz.games.match")
    )
    assert 8 * (CARD_WIDTH + 4) < WIDTH

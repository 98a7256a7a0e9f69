"""The log: what each viewer was shown, and no more, as typed events that survive JSON."""

import msgspec
import numpy as np
import pytest

from kibitz.core import events
from kibitz.core.game import Game
from kibitz.core.journal import COLUMNS, VALUE, Journal, Note, new_journal, no_journal, tell, tell_some, told
from kibitz.core.layout import NOBODY
from kibitz.core.sentences import Seat, Sentence, Speaker
from kibitz.core.state import State
from tests import tiny
from tests.conftest import brief, some_move

pytestmark = pytest.mark.interpreted

SPECTATOR = NOBODY


class Vocabulary:
    """Words that no game has."""

    PHASES: tuple[str, ...] = ("over", "day", "night")
    STEPS: tuple[str, ...] = ("coins", "crowns")
    ENDINGS: tuple[str, ...] = ("none", "dawn")
    MASKS: tuple[str, ...] = ("give ?", "want ?")

    def card_text(self, card: int) -> str:
        return f"card {card}"

    def move_text(self, move: int) -> str:
        return f"move {move}"


def shown(journal: Journal, seat: int) -> tuple[events.AnyEvent, ...]:
    return events.events(events.seen(told(journal), seat), Vocabulary())


def one_row(kind: Note, seat: int, value: int, amount: int, seen_by: int = -1) -> Journal:
    journal = new_journal(4)
    tell_some(journal, kind.value, seat, value, amount, seen_by)
    return journal


# The journal


def test_a_full_journal_stays_as_it_is() -> None:
    """Compiled code would write beyond its end."""
    room = np.full((4, COLUMNS), 7, np.int32)
    journal = room[:3]
    journal[:] = 0
    for card in range(1, 5):
        tell(journal, Note.DRAW.value, 1, card, 0)
    assert told(journal)[:, VALUE].tolist() == [1, 2]
    assert room[3].tolist() == [7] * COLUMNS


def test_a_journal_keeps_its_rows_in_order_and_counts_them() -> None:
    journal = new_journal(3)
    tell(journal, Note.DRAW.value, 1, 7, 0)
    tell_some(journal, Note.MOVE.value, 0, 5, 1, 0b10)
    assert told(journal).tolist() == [[Note.DRAW, 1, 7, 0, -1], [Note.MOVE, 0, 5, 1, 2]]


def test_a_journal_without_rows_listens_to_nothing() -> None:
    journal = no_journal()
    tell(journal, Note.DRAW.value, 1, 7, 0)
    assert len(journal) == 0


def test_what_was_told_is_a_copy() -> None:
    journal = one_row(Note.DRAW, 1, 7, 0)
    kept = told(journal)
    journal[:] = 0
    assert kept.tolist() == [[Note.DRAW, 1, 7, 0, -1]]


# Every kind of row


@pytest.mark.parametrize(
    ("row", "event"),
    [
        ((Note.MOVE, 1, 5, 0), events.Moved(1, "move 5")),
        ((Note.MONEY, 1, 0, -3), events.MoneyChanged(1, -3)),
        ((Note.DRAW, 1, 7, 0), events.Drew(1, "card 7")),
        ((Note.REVEAL, NOBODY, 7, 0), events.Revealed("card 7")),
        ((Note.TAKE, 1, 7, 0), events.Took(1, "card 7", 0)),
        ((Note.TAKE, 1, 7, NOBODY), events.Took(1, "card 7", None)),
        ((Note.PASS, 1, 7, 2), events.Passed(1, "card 7", 2)),
        ((Note.OFFER, 1, 7, 2), events.Offered(1, "card 7", 2, open=False)),
        ((Note.OFFER_OPEN, 1, 7, 2), events.Offered(1, "card 7", 2, open=True)),
        ((Note.LOSE, 1, 7, 0), events.Lost(1, "card 7")),
        ((Note.SKIP, 1, 0, 0), events.Skipped(1)),
        ((Note.RESHUFFLE, NOBODY, 0, 12), events.Reshuffled(12)),
        ((Note.ROUND, 1, 0, 4), events.RoundBegan(4, 1)),
        ((Note.PHASE, NOBODY, 2, 0), events.PhaseBegan("night")),
        ((Note.GAIN, 1, 1, 2), events.Gained(1, "crowns", 2)),
        ((Note.SCORED, NOBODY, 1, 4), events.RoundScored(4, "dawn", ())),
        ((Note.OVER, NOBODY, 1, 0), events.GameEnded("dawn")),
    ],
)
def test_each_row_becomes_its_event(row: tuple[Note, int, int, int], event: events.AnyEvent) -> None:
    for seat in (SPECTATOR, 0, 1):
        assert shown(one_row(*row), seat) == (event,)


def test_every_kind_of_row_has_an_event() -> None:
    for kind in Note:
        journal = one_row(kind, 1, 1, 1)
        tell(journal, Note.SCORED.value, NOBODY, 1, 1)
        assert len(shown(journal, 0)) in (1, 2)


def test_a_scored_round_gathers_each_seats_cards_and_steps_in_order() -> None:
    journal = new_journal(8)
    tell(journal, Note.STEP.value, 1, 0, 8)
    tell(journal, Note.SHOW.value, 1, 3, 0)
    tell(journal, Note.SHOW.value, 0, 4, 0)
    tell(journal, Note.SHOW.value, 1, 2, 0)
    tell(journal, Note.STEP.value, 1, 1, -2)
    tell(journal, Note.SCORED.value, NOBODY, 1, 2)
    tell(journal, Note.SCORED.value, NOBODY, 1, 3)
    assert shown(journal, SPECTATOR) == (
        events.RoundScored(
            2,
            "dawn",
            (
                events.SeatScore(0, ("card 4",), ()),
                events.SeatScore(
                    1, ("card 3", "card 2"), (events.ScoreStep("coins", 8), events.ScoreStep("crowns", -2))
                ),
            ),
        ),
        events.RoundScored(3, "dawn", ()),
    )


# Who may see


@pytest.mark.parametrize("seen_by", [0b000, 0b001, 0b010, 0b100, 0b101, 0b111])
@pytest.mark.parametrize("seat", [SPECTATOR, 0, 1, 2])
def test_a_value_is_shown_to_those_who_may_see_it_and_to_nobody_else(seen_by: int, seat: int) -> None:
    journal = one_row(Note.DRAW, 1, 7, 0, seen_by)
    may = seat >= 0 and bool(seen_by >> seat & 1)
    assert shown(journal, seat) == (events.Drew(1, "card 7" if may else "?"),)


@pytest.mark.parametrize(
    ("row", "event"),
    [
        ((Note.MOVE, 1, 5, 0), events.Moved(1, "give ?")),
        ((Note.MOVE, 1, 5, 1), events.Moved(1, "want ?")),
        ((Note.DRAW, 1, 7, 0), events.Drew(1, "?")),
        ((Note.REVEAL, NOBODY, 7, 0), events.Revealed("?")),
        ((Note.TAKE, 1, 7, 0), events.Took(1, "?", 0)),
        ((Note.PASS, 1, 7, 2), events.Passed(1, "?", 2)),
    ],
)
def test_a_hidden_value_is_a_question_mark_or_the_moves_mask(
    row: tuple[Note, int, int, int], event: events.AnyEvent
) -> None:
    assert shown(one_row(*row, seen_by=0b10), 0) == (event,)
    assert shown(one_row(*row, seen_by=0b10), 1) != (event,)


def test_what_a_seat_may_not_know_is_not_in_the_rows_it_gets() -> None:
    """An observation is given these rows: they hold neither the value nor who else may see it."""
    rows = {
        events.seen(told(one_row(Note.DRAW, 1, value, 0, seen_by)), 0).tobytes()
        for value in (3, 7)
        for seen_by in (0b10, 0b110)
    }
    assert len(rows) == 1


def test_looking_does_not_change_the_journal() -> None:
    rows = told(one_row(Note.DRAW, 1, 7, 0, 0b10))
    before = rows.copy()
    events.seen(rows, 0)
    assert np.array_equal(rows, before)


# In a game


def hidden_game() -> State:
    """Seat by seat, somebody draws and hides what the others may not see."""
    state = tiny.GAME.deal(2, seed=3)
    state.play(next(move for move in state.legal_moves if str(move).startswith("hide")))
    return state


def test_who_hides_sees_the_card_and_the_others_see_that_one_is_hidden() -> None:
    state = hidden_game()
    move = str(state.history[0])
    hider = next(event.seat for event in state.log(None) if isinstance(event, events.Moved))
    assert events.Moved(hider, move) in state.log(hider)
    for other in (1 - hider, None):
        assert events.Moved(hider, "hide ?") in state.log(other)
        assert events.Moved(hider, move) not in state.log(other)


def test_a_card_drawn_is_shown_to_who_drew_it() -> None:
    state = hidden_game()
    for viewer in (0, 1, None):
        for event in state.log(viewer):
            if isinstance(event, events.Drew):
                assert (event.card == "?") == (event.seat != viewer)


def test_every_viewer_gets_as_many_events_of_the_same_kinds(game: Game) -> None:
    state = brief(game, seed=2)
    while not state.over:
        state.play(some_move(state))
        kinds = {tuple(type(event) for event in state.log(seat)) for seat in (None, *range(state.players))}
        assert len(kinds) == 1


def test_a_games_log_begins_with_the_round_and_ends_with_the_result_and_its_reason(game: Game) -> None:
    state = brief(game, seed=2)
    while not state.over:
        state.play(some_move(state))
    log = state.log(None)
    assert isinstance(log[0], events.RoundBegan)
    assert isinstance(log[-2], events.RoundScored)
    assert state.ending is not None
    assert log[-1] == events.GameEnded(state.ending.code)
    moves = [event.move for event in log if isinstance(event, events.Moved)]
    for shown_move, move in zip(moves, state.history, strict=True):
        assert shown_move == str(move) or shown_move in game.text.MASKS


# As JSON


def test_events_survive_json_as_what_they_are(game: Game) -> None:
    state = brief(game, seed=2)
    while not state.over:
        state.play(some_move(state))
    for seat in (None, 0, 1):
        text = msgspec.json.encode(state.log(seat))
        assert msgspec.json.decode(text, type=tuple[events.AnyEvent, ...]) == state.log(seat)


def test_every_kind_of_event_survives_json() -> None:
    some: tuple[events.AnyEvent, ...] = (
        events.Moved(1, "move 5"),
        events.MoneyChanged(1, -3),
        events.Drew(1, "?"),
        events.Revealed("card 7"),
        events.Took(1, "card 7", None),
        events.Took(1, "card 7", 0),
        events.Passed(1, "card 7", 2),
        events.Offered(1, "?", 2, open=False),
        events.Lost(1, "card 7"),
        events.Skipped(1),
        events.Reshuffled(12),
        events.RoundBegan(4, 1),
        events.PhaseBegan("night"),
        events.Gained(1, "crowns", 2),
        events.RoundScored(4, "dawn", (events.SeatScore(0, ("card 4",), (events.ScoreStep("coins", 8),)),)),
        events.GameEnded("dawn"),
    )
    assert {type(event) for event in some} == set(events.AnyEvent.__args__)
    assert msgspec.json.decode(msgspec.json.encode(some), type=tuple[events.AnyEvent, ...]) == some


def test_an_event_names_its_kind() -> None:
    assert msgspec.json.encode(events.Drew(1, "?")) == b'{"event":"draw","seat":1,"card":"?"}'


@pytest.mark.parametrize("text", [b"{}", b'{"event":"party"}', b'{"event":"draw","seat":"p1","card":"?"}'])
def test_what_is_no_event_is_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=events.AnyEvent)


# In words


def test_turns_are_a_move_with_what_it_caused() -> None:
    begin, move, card = events.RoundBegan(1, 0), events.Moved(0, "draw"), events.Drew(0, "?")
    assert events.turns([begin, move, card, move]) == [[begin], [move, card], [move]]
    assert events.turns([move, card]) == [[move, card]]
    assert events.turns([]) == []


def test_the_steps_of_a_turn_are_told_together() -> None:
    begin, first, card, last = (
        events.RoundBegan(1, 0),
        events.Moved(0, "shift a b"),
        events.Drew(0, "?"),
        events.Moved(0, "place c"),
    )
    log: list[events.AnyEvent] = [begin, first, card, last, last]
    assert events.turns(log, ("shift", "stay")) == [[begin], [first, card, last], [last]]
    assert events.turns([first, events.Moved(1, "place c")], ("shift",)) == [
        [first],
        [events.Moved(1, "place c")],
    ]


@pytest.mark.parametrize(
    ("event", "sentences"),
    [
        (events.RoundBegan(2, 1), [Sentence("log.round", {"round": 2, "seat": Seat(1)})]),
        (
            events.RoundScored(2, "dawn", ()),
            [Sentence("log.scored", {"round": 2}), Sentence("ending.dawn", {})],
        ),
        (events.GameEnded("dawn"), [Sentence("log.over", {})]),
        (events.Reshuffled(12), [Sentence("log.reshuffle", {"count": 12})]),
        (events.Drew(0, "?"), []),
    ],
)
def test_what_happens_in_every_game_has_words(event: events.AnyEvent, sentences: list[Sentence]) -> None:
    assert events.common_sentences(event) == sentences


def test_every_move_of_a_game_is_told_in_at_least_one_sentence_in_both_languages(game: Game) -> None:
    state = brief(game, seed=2)
    while not state.over:
        state.play(some_move(state))
    for viewer in (None, 0):
        told_moves = 0
        for turn in events.turns(state.log(viewer)):
            sentences = game.text.sentences(turn)
            assert sentences
            told_moves += isinstance(turn[0], events.Moved)
            for language in ("en", "es"):
                speaker = Speaker(game.words(language), [f"p{seat}" for seat in range(state.players)], viewer)
                for sentence in sentences:
                    assert speaker.tell(sentence)
        assert told_moves == len(state.history)

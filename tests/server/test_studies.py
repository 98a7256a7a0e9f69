"""Games that are over are studied beside the tables: their moments, reviews, and playing on. [P8]"""

import asyncio
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.bots.puzzles import puzzle, set_up
from kibitz.core.record import Record
from kibitz.server.background import Background
from kibitz.server.limits import Limits
from kibitz.server.study.analyst import Task, Tell
from kibitz.server.study.analysts import Analysts, ReviewProgress, Reviews
from kibitz.server.turns import Asker
from tests.server.client import connected, fetch, until
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

PUZZLED, LEAST = ("kaching", "kazink", "match", "assets"), 50  # games that come with so many puzzles


def record(seed: int = 1) -> Record:
    """A short game of the tiny kind, played by chance."""
    from tests.tiny import GAME

    kibitz.register(GAME)
    state = GAME.deal(seed=seed)
    player = kibitz.bot("random", GAME, seed=seed)
    while state.turn is not None:
        state.play(player.choose(state.observation(state.turn)))
    return state.record(("Ann", "Bob"))


async def post(server: Server, path: str, content: bytes) -> tuple[int, Any]:
    """The status, and what is told."""
    status, _, told = await fetch(server.port, path, content)
    return status, msgspec.json.decode(told)


@in_loop
async def test_a_record_is_shown_move_by_move_from_any_seat(server: Server) -> None:
    sent, game = record().json().encode(), record()
    for at, seat in (("0", 0), ("1", 1), ("", None), ("open", None)):
        status, moments = await post(server, f"/api/record/moments?at={at}", sent)
        assert status == 200, moments
        assert len(moments) == len(game.moves) + 1
        assert {moment["seat"] for moment in moments} == {seat}
        assert [line["seat"] for moment in moments for line in moment["lines"]][1:] != []
    states = list(game.steps())
    status, moments = await post(server, "/api/record/moments?at=1", sent)
    assert [moment["view"] for moment in moments] == [state.view(1) for state in states]
    assert [seat["name"] for seat in moments[0]["seats"]] == ["Ann", "Bob"]


@in_loop
async def test_a_review_is_found_in_the_background_and_kept(server: Server) -> None:
    sent = record().json().encode()
    status, told = await post(server, "/api/record/review", sent)
    assert status == 202
    key = told["review"]
    while status == 202:
        assert 0 <= told["done"] <= told["total"]
        await asyncio.sleep(0.1)
        status, _, content = await fetch(server.port, f"/api/reviews/{key}")
        told = msgspec.json.decode(content)
    assert status == 200
    assert len(told["moments"]) == len(record().moves) + 1
    for reckoning in told["reckonings"]:
        parts = [reckoning[part]["value"] for part in ("before", "luck", "own", "others")]
        assert sum(parts) == pytest.approx(reckoning["result"])
    assert await post(server, "/api/record/review", sent) == (200, told)


class Listening(Analysts):
    """Analysts who note for whom they look at each state."""

    def __init__(self) -> None:
        super().__init__(1, 8, 600.0, of_household=1)
        self.order = ""

    async def ask(self, asker: Asker, task: Task, tell: Tell | None = None) -> bytes:
        """What a task comes to."""

        def note(done: int, total: int) -> None:
            self.order += asker.household if done else ""

        return await super().ask(asker, task, note)


async def order_of_reviews(seconds: float) -> str:
    """Whose states are looked at one after the other, when two households want a review at once."""
    analysts = Listening()
    reviews = Reviews(analysts, Background(), Limits(review_turn_seconds=seconds))
    wanted = [reviews.begin(Asker(name), record(seed).json()) for name, seed in (("a", 1), ("b", 2))]
    await until(lambda: all(reviews.ask(one.review).found for one in wanted), seconds=180.0)
    await analysts.close()
    return analysts.order


def test_a_long_review_lets_others_have_their_turns() -> None:
    assert asyncio.run(order_of_reviews(0.0)).startswith("ababab")
    assert "ba" not in asyncio.run(order_of_reviews(600.0))


def test_of_reviews_only_so_much_is_kept() -> None:
    def kept(**limits: int) -> str:
        reviews = Reviews(Analysts(1, 1, 1.0), Background(), Limits(**limits))
        for key in "abcd":
            reviews.keep(ReviewProgress(key, found=None if key == "b" else bytes(1000)))
        return "".join(key for key in "abcd" if key in reviews)

    assert kept() == "abcd"
    assert kept(kept_reviews=3) == "bcd"
    assert kept(kept_review_bytes=1500) == "bd", "what is still looked for stays"


@in_loop
async def test_a_game_shows_a_position_of_its_own_as_the_seat_in_turn_sees_it(server: Server) -> None:
    status, told = 204, b""
    while status == 204:  # the game is being prepared
        status, _, told = await fetch(server.port, "/api/games/tiny/position.json")
    assert status == 200
    shown = msgspec.json.decode(told)
    assert shown["seat"] == shown["view"]["turn"]
    assert shown["legal"]
    status, _, _ = await fetch(server.port, "/api/games/chess/position.json")
    assert status == 404


BAD = {
    b"": "bad-record",
    b"[" * 100_000: "bad-record",
    b"\xff\xfe": "bad-record",
    b"{}": "bad-record",
    b'{"game": "chess"}': "unknown-game",
    b'{"game": "tiny"}': "bad-record",
    b'{"game": "tiny", "rules": 1, "players": 99, "options": {}, "seed": 1}': "bad-players",
    b'{"game": "tiny", "rules": 1, "players": 2, "options": {"no": 1}, "seed": 1}': "bad-options",
    b'{"game": "tiny", "rules": 77, "players": 2, "options": {}, "seed": 1}': "bad-record",
    b'{"game":"tiny","rules":1,"players":2,"options":{},"seed":1,"moves":["nonsense"]}': "bad-record",
    b'{"game":"tiny","rules":1,"players":2,"options":{},"seed":1,"start":{"a":[]}}': "bad-position",
    b'{"game":"tiny","moves":[' + b"0," * 5000 + b"0]}": "record-too-long",
    b" " * ((1 << 18) + 1): "too-large",
}
SIZES = ("record-too-long", "too-large")  # told before a game's rules are asked


@in_loop
async def test_what_strangers_send_is_refused_in_words(server: Server) -> None:
    for path in ("/api/record/moments", "/api/record/review"):
        for sent in BAD:
            status, told = await post(server, path, sent)
            while status == 202:
                await asyncio.sleep(0.05)
                status, _, content = await fetch(server.port, f"/api/reviews/{told['review']}")
                told = msgspec.json.decode(content)
            assert status == (413 if BAD[sent] == "too-large" else 400), (path, sent[:80])
            assert told["code"] == BAD[sent] or BAD[sent] not in SIZES
            assert len(told["reason"]) > 10
    assert (await post(server, "/api/record/moments?at=9", record().json().encode()))[0] == 400
    assert (await fetch(server.port, "/api/reviews/nothing"))[0] == 404


@in_loop
async def test_a_long_game_is_shown_though_not_reviewed(start: Start) -> None:
    server, sent = start(limits={"review_moves": 3}), record().json().encode()
    assert (await post(server, "/api/record/moments", sent))[0] == 200
    status, told = await post(server, "/api/record/review", sent)
    assert (status, told["code"], told["data"]) == (400, "record-too-long", {"most": 3})


@in_loop
async def test_a_record_has_a_size_and_an_address_asks_only_so_often(start: Start) -> None:
    sent, away = record().json().encode(), {"X-Forwarded-For": "192.0.2.7"}
    padded = sent + b" " * 2000

    async def answers(server: Server, content: bytes) -> list[int]:
        return [(await fetch(server.port, "/api/record/moments", content, away))[0] for _ in range(3)]

    narrow = start(limits={"record_bytes": len(sent) + 1000, "studies": 2})
    assert await answers(narrow, sent) == [200, 200, 429]
    assert (await post(narrow, "/api/record/moments", padded))[1]["code"] == "too-large"
    assert await answers(start(), padded) == [200] * 3  # where both limits are far away


@in_loop
async def test_other_pages_may_not_ask(server: Server) -> None:
    headers = {"Origin": "https://elsewhere.example"}
    status, _, _ = await fetch(server.port, "/api/record/moments", record().json().encode(), headers)
    assert status == 403


@in_loop
async def test_a_game_in_which_nothing_was_played_has_no_review(server: Server) -> None:
    """It is shown all the same."""
    unfinished = msgspec.structs.replace(record(), moves=(), result=None, hash=None)
    sent = unfinished.replay().record(("Ann", "Bob")).json().encode()
    assert (await post(server, "/api/record/moments", sent))[0] == 200
    status, told = await post(server, "/api/record/review", sent)
    while status == 202:
        await asyncio.sleep(0.05)
        status, _, content = await fetch(server.port, f"/api/reviews/{told['review']}")
        told = msgspec.json.decode(content)
    assert (status, told["code"]) == (400, "nothing-played")


@in_loop
async def test_a_game_goes_on_from_any_moment_against_bots(start: Start) -> None:
    server = start(bots="random")
    state = list(record().steps())[1]
    async with connected(server.port) as ann:
        asked = {"game": "tiny", "seats": ["me", "easy"], "pace": "fast", "position": state.position()}
        done = await ann.do("create", **asked)
        now = await ann.watch(done["table"])
        assert now["begun"]
        assert now["practice"]
        for wrong in ({"seats": ["me", "open"]}, {"position": {"phase": "?"}}):
            answer = await ann.ask("create", id="x" + str(wrong)[:20], **{**asked, **wrong})
            assert answer["type"] == "refused"
            assert answer["code"] in ("position-bots", "bad-position")


@in_loop
async def test_advice_is_given_where_the_table_allows_it(server: Server) -> None:
    async with connected(server.port) as ann:
        for advice, code in (("off", "no-advice"), ("practice", None), ("all", None)):
            done = await ann.do("create", game="tiny", seats=["me", "random"], pace="fast", advice=advice)
            now = await ann.watch(done["table"])
            assert now["advice"] == (code is None)
            for asked, answer in (("chances", "chance"), ("beliefs", "believed")):
                await ann.say(asked, table=done["table"])
                told = await ann.hear(answer, "failed")
                assert told.get("code") == code
                if asked == "chances" and code is None:
                    assert sum(told["chances"]) >= 0.99
        refused = await ann.ask("create", id="odd", game="tiny", seats=["me", "random"], advice="loud")
        assert refused["code"] == "bad-advice"


# Puzzles


async def asked_of(server: Server, path: str = "") -> tuple[int, Any]:
    return await post(server, f"/api/games/match/puzzles/8-28{path}", b"")


@in_loop
async def test_puzzles_are_listed_with_their_grades_and_one_is_todays(server: Server) -> None:
    status, _, content = await fetch(server.port, "/api/puzzles.json")
    told = msgspec.json.decode(content)
    assert status == 200
    assert set(kibitz.games()) <= set(told["games"])
    for name in PUZZLED:
        assert len(told["games"][name]) >= LEAST
    daily = told["daily"]
    assert daily["id"] in [one["id"] for one in told["games"][daily["game"]]]
    assert b"best" not in content
    assert b"moves" not in content


@in_loop
async def test_puzzles_are_asked_answered_and_explained(start: Start) -> None:
    """Nothing of the answer is told before it is found, or the solution asked for."""
    server, asked = start(games=["match"]), puzzle("match", "8-28")
    state = set_up("match", asked)

    status, told = await asked_of(server)
    assert status == 200
    assert set(told) == {"id", "grade", "table"}
    assert told["table"]["view"] == state.view(state.turn)
    assert told["table"]["seat"] == state.turn
    assert sorted(told["table"]["legal"]) == sorted(map(str, state.legal_moves))
    assert len(told["table"]["lines"]) == len(state.history) + 1

    status, wrong = await asked_of(server, "/answer?move=match%20Y0")
    assert status == 200
    assert not wrong["right"]
    assert wrong["chance"] == asked.chances["match Y0"] < wrong["best_chance"]
    assert all(reason["opening"].startswith("but") for reason in wrong["reasons"] if reason["opening"])
    assert [line["text"] for line in wrong["line"][1]["lines"]] == ["match Y0"]
    assert len(wrong["line"]) > 2
    assert asked.best not in str([wrong["move"], wrong["sentences"], wrong["reasons"]])

    status, right = await asked_of(server, f"/answer?move={asked.best.replace(' ', '%20')}")
    assert status == 200
    assert right["right"]
    assert right["reasons"]
    assert right["sentences"][0]["key"] == "log.collect"
    assert (await asked_of(server, "/answer")) == (status, right)

    for path, code in (
        ("match/puzzles/none", "no-such-puzzle"),
        ("chess/puzzles/8-28", "unknown-game"),
        ("match/puzzles/8-28/answer?move=wild%20R", "no-joker"),
        ("match/puzzles/8-28/answer?move=dance", "unknown-move"),
    ):
        status, refused = await post(server, f"/api/games/{path}", b"")
        assert (status, refused["code"]) == (400, code), refused

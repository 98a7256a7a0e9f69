"""Every limit has a test that fails without it: `SHOWN_BY` says which. Here are those of no other. [P8]"""

import asyncio
import re
import socket
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest

from kibitz.bots.player import Bot
from kibitz.core.move import Move
from kibitz.core.state import Observation
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.people.passphrases import Passphrases
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Asker
from tests.server import doors
from tests.server.client import Client, connected, connections
from tests.server.conftest import ROOMY, Start
from tests.server.doors import Stage
from tests.server.raw import HELLO, TEXT, UPGRADE, frame, request
from tests.server.serving import Server, in_loop
from tests.server.test_strangers import ELSEWHERE, get
from tests.server.test_studies import record
from tests.tiny import GAME as TINY

SECRET = "only the host knows it"

SHOWN_BY = {
    "test_strangers.py::test_a_server_that_starves_is_found_out": "sockets",
    "test_strangers.py::test_an_address_has_so_many_sockets": "address_sockets",
    "test_strangers.py::test_a_server_that_waits_for_ever_is_found_out": "head_seconds",
    "test_strangers.py::test_a_server_that_takes_long_heads_is_found_out": "head_bytes head_lines",
    "test_strangers.py::test_what_comes_with_a_request_has_to_arrive_in_time": "body_seconds",
    "test_strangers.py::test_what_comes_with_a_request_has_a_size": "body_bytes body_parts",
    "test_strangers.py::test_who_takes_no_answer_is_let_go": "answer_seconds",
    "test_strangers.py::test_an_address_that_asks_too_often_has_to_wait": "requests",
    "test_strangers.py::test_an_address_that_asks_on_and_on_is_turned_away": "refusals request_seconds",
    "test_doors.py::test_answers_wait_for_an_address_only_so_long": "address_untaken",
    "test_doors.py::test_a_guest_and_an_address_ask_only_so_often": (
        "renames address_renames codes address_codes sign_ins address_sign_ins finds address_finds "
        "lists address_lists recalls"
    ),
    "test_doors.py::test_only_so_many_tables_are_opened": "openings address_openings",
    "test_doors.py::test_only_so_many_tables_are_listed_from_one_place": "listed address_listed",
    "test_doors.py::test_an_address_is_handed_only_so_much": "handouts address_exports",
    "test_doors.py::test_one_address_does_not_keep_the_analysts_from_others": "analyses",
    "test_doors.py::test_one_address_does_not_keep_the_reviewers_from_others": "reviews",
    "test_floods.py::test_almost_nothing_is_allowed_before_hello": "first_frames",
    "test_floods.py::test_a_message_has_a_few_fragments_at_most": "fragments",
    "test_floods.py::test_a_connection_watches_so_many_tables": "watched",
    "test_floods.py::test_a_table_is_shown_as_a_whole_so_many_times": "watches address_watches",
    "test_floods.py::test_connections_of_an_address_are_counted_together": "address_messages message_seconds",
    "test_floods.py::test_the_limit_of_open_tables_holds_for_many_connections_at_once": "open_tables",
    "test_refusals.py::test_a_hundred_messages_in_twenty_seconds": "messages",
    "test_refusals.py::test_so_many_connections_of_a_guest_and_watched_tables": "guest_connections",
    "test_connections.py::test_behind_a_proxy_each_address_has_its_own_limit": "address_connections",
    "test_identity.py::test_codes_are_tried_only_so_often_and_end": "code_seconds",
    "test_previews.py::test_previews_have_their_measure": "previewed_moves",
    "test_rests.py::test_among_people_they_wait_for_all_or_for_a_while": "rest_seconds",
    "test_bot_api.py::test_who_asks_too_much_is_told_when_to_come_back": "bot_streams",
    "test_bot_api.py::test_bots_of_an_address_watch_only_so_much": "address_bot_streams",
    "test_studies.py::test_a_record_has_a_size_and_an_address_asks_only_so_often": "record_bytes",
    "test_studies.py::test_of_reviews_only_so_much_is_kept": "kept_reviews kept_review_bytes",
    "test_studies.py::test_a_long_review_lets_others_have_their_turns": "review_turn_seconds",
    "test_limits.py::test_who_asks_too_often_waits_and_then_asks_again": (
        "chats chat_seconds wishes wish_seconds nudges nudge_seconds hints hint_seconds previews "
        "preview_seconds recall_seconds rename_seconds find_seconds list_seconds opening_seconds "
        "identity_seconds watch_seconds exports export_seconds handout_seconds studies study_seconds "
        "sheets sheet_seconds guesses guess_seconds bot_requests bot_request_seconds "
        "address_guests address_guest_seconds"
    ),
    "test_limits.py::test_what_is_sent_along_has_a_size": (
        "part_bytes record_moves sheet_bytes bot_bytes order_bytes"
    ),
    "test_studies.py::test_a_long_game_is_shown_though_not_reviewed": "review_moves",
    "test_limits.py::test_who_takes_nothing_is_let_go": "queue_bytes send_seconds",
    "test_limits.py::test_an_analysis_has_a_time": "analysis_seconds",
    "test_limits.py::test_a_review_has_a_time": "review_seconds",
    "test_limits.py::test_so_many_processes_analyse": "analysts",
    "test_limits.py::test_so_many_moments_wait_to_be_drawn": "drawings tasks",
    "test_limits.py::test_so_many_passphrases_are_reckoned_at_once": "passphrases",
    "test_limits.py::test_so_many_passphrases_wait": "waiting_passphrases",
    "test_limits.py::test_so_many_programs_think_at_once": "programs",
}


def test_every_limit_is_shown_by_a_test() -> None:
    shown = [limit for limits in SHOWN_BY.values() for limit in limits.split()]
    assert sorted(shown) == sorted(Limits.__struct_fields__)
    for test, limits in SHOWN_BY.items():
        file, _, name = test.partition("::")
        text = (Path(__file__).parent / file).read_text()
        assert re.search(rf"def {name}\(", text), test
        for limit in limits.split():
            assert limit.removeprefix("address_") in text, (test, limit)


# So many in so long

MOST, ASKED = 6, 8  # of each in that time, and how often it is asked for
PER_TIME = {  # what is counted, and in what time
    "chats": "chat_seconds",
    "wishes": "wish_seconds",
    "nudges": "nudge_seconds",
    "hints": "hint_seconds",
    "previews": "preview_seconds",
    "recalls": "recall_seconds",
    "renames": "rename_seconds",
    "finds": "find_seconds",
    "lists": "list_seconds",
    "openings": "opening_seconds",
    "codes": "identity_seconds",
    "sign_ins": "identity_seconds",
    "watches": "watch_seconds",
    "exports": "export_seconds",
    "handouts": "handout_seconds",
    "studies": "study_seconds",
    "sheets": "sheet_seconds",
    "guesses": "guess_seconds",
    "bot_requests": "bot_request_seconds",
    "address_guests": "address_guest_seconds",
}
MESSAGES = {
    "chat": "chats",
    "wish": "wishes",
    "nudge": "nudges",
    "beliefs": "hints",
    "preview": "previews",
    "recall": "recalls",
    "rename": "renames",
    "find": "finds",
    "my-tables": "lists",
    "create": "openings",
    "invite-device": "codes",
    "sign-in": "sign_ins",
    "watch": "watches",
}
BY_THE_OTHER = ("wish", "nudge")  # by whoever isn't in turn
ANSWERS = (
    "done",
    "refused",
    "failed",
    "device-code",
    "signed-in",
    "believed",
    "previewed",
    "recalled",
    "tables",
)


async def refused_messages(server: Server) -> dict[str, bool]:
    """Of which messages somebody who sends many of each is told to wait."""
    async with connected(server.port) as ann, connected(server.port) as bob:
        form = {"game": "tiny", "seats": ["me", "open"], "start": "full", "advice": "all"}
        table = (await ann.do("create", **form))["table"]
        await bob.do("sit", table=table)
        now = {client: await client.watch(table) for client in (ann, bob)}
        player, other = (ann, bob) if now[ann]["legal"] else (bob, ann)
        shown = now[player]
        stage = Stage(table, table, table, shown["number"], shown["legal"][0], last=1)
        forms = doors.forms(stage) | {"wish": {"table": table, "to": shown["seat"], "wanted": ["6"]}}
        return {
            limit: await is_refused(other if type in BY_THE_OTHER else player, type, forms[type])
            for type, limit in MESSAGES.items()
        }


async def is_refused(client: Client, type: str, form: doors.Form) -> bool:
    """Whether the last of several is."""
    for _ in range(ASKED):
        await client.socket.send(doors.encoded(type, form).decode())
        answers = ("table", "failed") if type == "watch" else ANSWERS
        answer = await client.hear(*answers, seconds=120.0)
    return answer.get("code") == "slow-down"


async def refused_requests(server: Server) -> dict[str, bool]:
    """Which of several requests are answered with 429 in the end."""
    async with connected(server.port) as ann:
        token = f"Authorization: Bearer {ann.welcome['token']}"
    sent = record().json().encode()
    requests = {
        "exports": get("/api/me", token),
        "handouts": get("/api/qr.svg?path=/"),
        "studies": get("/api/record/moments", f"Content-Length: {len(sent)}", method="POST") + sent,
        "sheets": get("/api/games/cash/score", "Content-Length: 2", method="POST") + b"{}",
        "guesses": get("/host.json", "Authorization: Bearer a wrong one"),
        "bot_requests": get("/api/bot/account", token),
    }
    return {
        limit: [(await request(server.port, asked, ELSEWHERE))[0] for _ in range(ASKED)][-1] == 429
        for limit, asked in requests.items()
    }


async def refused_guests(server: Server) -> bool:
    """Whether so many new guests of an address are too many."""
    for _ in range(ASKED):
        async with connected(server.port, local=ELSEWHERE) as guest:
            told = guest.welcome
    return told.get("code") == "too-many-connections"


async def all_refused(server: Server) -> dict[str, bool]:
    """What is refused of all that is counted in a time."""
    guests = {"address_guests": await refused_guests(server)}
    return guests | await refused_messages(server) | await refused_requests(server)


def test_who_asks_too_often_waits_and_then_asks_again(start: Start) -> None:
    def found(seconds: float) -> dict[str, bool]:
        limits = dict.fromkeys(PER_TIME, MOST) | dict.fromkeys(PER_TIME.values(), seconds)
        server = start(limits=limits, nudge_seconds=0.0, host_secret=SECRET, games=["tiny", "cash"])
        return asyncio.run(all_refused(server))

    assert found(600.0) == dict.fromkeys(PER_TIME, True)
    assert found(1e-6) == dict.fromkeys(PER_TIME, False)  # nobody asks twice in so short a time


# Sizes


def chunked(count: int, size: int) -> bytes:
    """A body in so many chunks."""
    return count * (f"{size:x}\r\n".encode() + b" " * size + b"\r\n") + b"0\r\n\r\n"


def posted(path: str, content: bytes, *headers: str) -> bytes:
    """A request with something sent along."""
    return get(path, f"Content-Length: {len(content)}", *headers, method="POST") + content


LET_GO = 0  # without an answer
SIZES: dict[str, tuple[int, Callable[[], bytes], int]] = {  # a narrow limit, what is sent, and what follows
    "part_bytes": (
        1 << 16,
        lambda: get("/api/games/cash/score", "Transfer-Encoding: chunked", method="POST") + chunked(40, 512),
        LET_GO,
    ),
    "record_moves": (1, lambda: posted("/api/record/moments", record().json().encode()), 400),
    "sheet_bytes": (1, lambda: posted("/api/games/cash/score", b"{}"), 413),
    "bot_bytes": (10, lambda: posted("/api/bot/account", b'{"name": "Mallory"}'), 400),
    "order_bytes": (
        10,
        lambda: posted("/host/notice", b'{"text": "Hello"}', f"Authorization: Bearer {SECRET}"),
        413,
    ),
}


@pytest.mark.parametrize("limit", SIZES)
def test_what_is_sent_along_has_a_size(start: Start, limit: str) -> None:
    narrow, content, status = SIZES[limit]

    def found(**limits: int) -> int:
        server = start(limits=limits, host_secret=SECRET, games=["tiny", "cash"])
        try:
            return asyncio.run(request(server.port, content()))[0]
        except EOFError:
            return LET_GO

    assert found(**{limit: narrow}) == status
    assert found() != status


# Who takes nothing

PATIENT = {"queue_bytes": 1 << 30, "send_seconds": 3600.0}


async def is_let_go(server: Server) -> bool:
    """Whether somebody is let go who asks for nine megabytes and takes none of them."""
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        for number in range(100):
            await ann.do("chat", table=table, text=f"{number} " + "x" * 250)
        with socket.socket() as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stalled.connect(("127.0.0.1", server.port))
            watching = frame(TEXT, msgspec.json.encode({"type": "watch", "table": table}))
            stalled.sendall(UPGRADE + frame(TEXT, HELLO) + 300 * watching)
            await ann.watch(table)
            for _ in range(100):
                if await connections(server.port) == 1:
                    return True
                await asyncio.sleep(0.02)
    return False


def test_who_takes_nothing_is_let_go(start: Start) -> None:
    for narrow in ({"queue_bytes": 100_000}, {"send_seconds": 0.1}):
        assert asyncio.run(is_let_go(start(limits=ROOMY | PATIENT | narrow))), narrow
    assert not asyncio.run(is_let_go(start(limits=ROOMY | PATIENT)))


# What is done beside the loop


async def believed(server: Server, guests: int = 1) -> list[str]:
    """What becomes of questions that take a process, one of each guest at once."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(server.port)) for _ in range(guests)]
        for client in clients:
            await client.say("beliefs", table=await client.create("me", "random", pace="slow"))
        answers = [await client.hear("believed", "failed", seconds=120.0) for client in clients]
    return [answer.get("code", "believed") for answer in answers]


def test_an_analysis_has_a_time(start: Start) -> None:
    assert asyncio.run(believed(start(limits={"analysis_seconds": 0.001}))) == ["analysis-too-long"]
    assert asyncio.run(believed(start(limits={"analysis_seconds": 60.0}))) == ["believed"]


def test_a_review_has_a_time(start: Start) -> None:
    async def found(server: Server) -> int:
        sent = record().json().encode()
        status, _, content = await request(server.port, posted("/api/record/review", sent))
        while status == 202:
            await asyncio.sleep(0.05)
            review = msgspec.json.decode(content)["review"]
            status, _, content = await request(server.port, get(f"/api/reviews/{review}"))
        return status

    assert asyncio.run(found(start(limits={"review_seconds": 0.001}))) == 400


def test_so_many_processes_analyse(start: Start) -> None:
    def processes(**limits: int) -> int:
        server = start(limits=limits)
        assert asyncio.run(believed(server, guests=3)) == ["believed"] * 3
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        return sum(b"analyst" in Path(f"/proc/{child}/cmdline").read_bytes() for child in children)

    assert processes(analysts=1) == 1
    assert processes(analysts=3) == 3


async def recalled(server: Server) -> set[str]:
    """What becomes of eight moments that somebody wants to see at once."""
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        await ann.do("chat", table=table, text="Hello")
        for _ in range(8):
            await ann.say("recall", table=table, number=1)
        answers = [await ann.hear("recalled", "failed") for _ in range(8)]
    return {answer.get("code", "recalled") for answer in answers}


def test_so_many_moments_wait_to_be_drawn(start: Start) -> None:
    assert asyncio.run(recalled(start(limits={"drawings": 1}))) == {"recalled", "slow-down"}
    assert asyncio.run(recalled(start(limits={"drawings": 1, "tasks": 0}))) == {"recalled"}
    assert asyncio.run(recalled(start())) == {"recalled"}


async def meet(passphrases: Passphrases, *households: str) -> None:
    """Work that ends only if it is done for several at once."""
    together = threading.Barrier(len(households), timeout=1.0)
    await asyncio.gather(*(passphrases._reckon(Asker(one), together.wait) for one in households))


@in_loop
async def test_so_many_passphrases_are_reckoned_at_once() -> None:
    await meet(Passphrases(Limits(passphrases=2)), "here", "there")
    with pytest.raises(threading.BrokenBarrierError):
        await meet(Passphrases(Limits(passphrases=2)), "here", "here")
    with pytest.raises(threading.BrokenBarrierError):
        await meet(Passphrases(Limits(passphrases=1)), "here", "there")


@in_loop
async def test_so_many_passphrases_wait() -> None:
    async def refused(limits: Limits) -> int:
        passphrases = Passphrases(limits)
        checks = [passphrases.is_right(Asker(f"{number}"), "guess", None) for number in range(6)]
        answers = await asyncio.gather(*checks, return_exceptions=True)
        return sum(isinstance(answer, NotAllowed) for answer in answers)

    assert await refused(Limits(passphrases=1, waiting_passphrases=2)) == 3
    assert await refused(Limits()) == 0


class Sociable(Bot):
    """A program that decides only beside another one."""

    together: threading.Barrier

    def _choose(self, observation: Observation) -> Move:
        self.together.wait()
        return observation.legal_moves[0]


@pytest.mark.unclean
@in_loop
async def test_so_many_programs_think_at_once() -> None:
    async def fallbacks(limits: Limits) -> set[str | None]:
        Sociable.together = threading.Barrier(2, timeout=1.0)
        bots = LiveBots(lambda level, game, seconds: Sociable(game), limits=limits)
        state = TINY.deal(seed=1)
        seen = state.observation(state.turn)
        asked = [bots.choose("Guest", seen, asker=Asker(household)) for household in ("here", "there")]
        chosen = await asyncio.gather(*asked)
        bots.close()
        return {fallback for _, fallback in chosen}

    assert await fallbacks(Limits(programs=2)) == {None}
    assert await fallbacks(Limits(programs=1)) == {"error"}

"""Programs that play over plain HTTP: accounts, offers, streams, moves, and an OpenAPI file that is true."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import Phase, given, settings

from kibitz.server.bot_api.shapes import OPERATIONS, ROOT, openapi
from tests.server.conftest import Start
from tests.server.serving import ROOT as FOLDER
from tests.server.serving import Server

ADDRESS = "192.0.2.7"  # counted, unlike this machine's own


OPENED: list[HTTPConnection] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Whatever a test has left open, streams above all."""
    yield
    while OPENED:
        OPENED.pop().close()


class ApiBot:
    """A program with a token."""

    def __init__(self, server: Server, name: str = "Rookie", address: str = "") -> None:
        self._server = server
        self.headers = {"X-Forwarded-For": address} if address else {}
        status, told = self.ask("POST", "/account", {"name": name})
        assert status == 201, told
        self.name = told["name"]
        self.headers["Authorization"] = f"Bearer {told['token']}"

    def open(self, method: str, path: str, sent: Any = None, **headers: str) -> HTTPResponse:
        """Ask, and leave the answer to be read."""
        connection = HTTPConnection("127.0.0.1", self._server.port, timeout=60)
        OPENED.append(connection)
        body = None if sent is None else json.dumps(sent)
        connection.request(method, f"{ROOT}{path}", body, {**self.headers, **headers})
        return connection.getresponse()

    def ask(self, method: str, path: str, sent: Any = None, **headers: str) -> tuple[int, Any]:
        """Ask, and read the answer."""
        answer = self.open(method, path, sent, **headers)
        return answer.status, json.loads(answer.read())

    def lines(self, path: str) -> Iterator[dict[str, Any]]:
        """A stream's lines; those that only show that it lives are left out."""
        answer = self.open("GET", path)
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        return (json.loads(line) for line in answer if line.strip())

    def play(self, table: str) -> dict[str, Any]:
        """Play the first legal move whenever there is one; returns the last line."""
        for line in self.lines(f"/tables/{table}/stream"):
            if line.get("result"):
                return line
            if line.get("legal"):
                path = f"/tables/{table}/move/{quote(line['legal'][0])}?number={line['number']}"
                self.ask("POST", path)
        raise AssertionError("the stream ended before the game")


def test_two_bots_find_each_other_and_play_to_the_end(server: Server) -> None:
    one, other = ApiBot(server, "One"), ApiBot(server, "Other")
    assert one.name == "BOT One"
    events = other.lines("/stream")
    status, offered = one.ask("POST", "/offers", {"game": "tiny", "players": 2})
    assert status == 201
    found = next(line for line in events if line["type"] == "offer")
    assert (found["table"], found["seats"]) == (offered["table"], ["BOT One", ""])
    assert other.ask("POST", f"/offers/{found['table']}/accept")[0] == 200
    started = next(line for line in events if line["type"] == "gameStart")
    assert started["seats"] == ["BOT One", "BOT Other"]
    rival = threading.Thread(target=one.play, args=[found["table"]])
    rival.start()
    ended = other.play(found["table"])
    rival.join(60)
    assert ended["result"]["winners"]
    assert next(line for line in events if line["type"] == "gameFinish")["table"] == found["table"]
    (mine,) = other.ask("GET", "/tables")[1]
    assert (mine["table"], mine["over"]) == (found["table"], True)


def test_a_stream_tells_only_what_its_seat_sees_and_what_is_said(server: Server) -> None:
    one, other = ApiBot(server, "One"), ApiBot(server, "Other")
    table = one.ask("POST", "/offers", {"game": "tiny", "players": 2})[1]["table"]
    other.ask("POST", f"/offers/{table}/accept")
    lines = other.lines(f"/tables/{table}/stream")
    full = next(lines)
    assert (full["type"], full["seat"]) == ("gameFull", 1)
    assert set(full["view"]["hands"][0]) == {"?"}
    assert "?" not in full["view"]["hands"][1]
    one.ask("POST", f"/tables/{table}/chat", {"text": "Good luck!"})
    said = next(lines)
    assert (said["type"], said["name"], said["text"]) == ("chatLine", "BOT One", "Good luck!")


def test_a_request_that_is_repeated_is_done_once(server: Server) -> None:
    bot = ApiBot(server)
    key = {"Idempotency-Key": "the-first"}
    first = bot.ask("POST", "/offers", {"game": "tiny"}, **key)
    assert bot.ask("POST", "/offers", {"game": "tiny"}, **key) == first
    assert bot.ask("POST", "/offers", {"game": "tiny", "players": 3}, **key)[0] == 409
    assert len(bot.ask("GET", "/tables")[1]) == 1


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "code"),
    [
        ("GET", "/nowhere", None, 404, "not-found"),
        ("DELETE", "/account", None, 405, "bad-method"),
        ("POST", "/offers", {"game": "chess"}, 404, "unknown-game"),
        ("POST", "/offers", {"game": "tiny", "players": 8}, 409, "bad-options"),
        ("POST", "/offers", {"game": "tiny", "colour": "red"}, 400, "bad-message"),
        ("POST", "/offers", {"game": "tiny", "options": {"nonsense": 1}}, 409, "bad-options"),
        ("POST", "/offers", ["tiny"], 400, "bad-message"),
        ("POST", "/tables/NOSUCHTABLE/move/take", None, 404, "gone"),
        ("GET", "/tables/NOSUCHTABLE/stream", None, 404, "gone"),
        ("POST", "/account", {"name": "x" * 200}, 400, "bad-message"),
        ("POST", "/account", {"name": "x" * 20_000}, 400, "too-large"),
    ],
)
def test_what_cannot_be_is_refused(
    server: Server, method: str, path: str, sent: Any, status: int, code: str
) -> None:
    found, told = ApiBot(server).ask(method, path, sent)
    assert (found, told["code"]) == (status, code), told
    assert told["reason"]


def test_without_a_token_nothing_is_told(server: Server) -> None:
    bot = ApiBot(server)
    for token in ("", "Bearer ", "Bearer nonsense", "Basic abc"):
        for each in OPERATIONS:
            if each.known:
                path = each.path.format(table="T", move="m")
                assert bot.ask(each.method, path, {}, Authorization=token)[0] == 401, each.name


def test_a_move_for_another_or_out_of_turn_is_refused(server: Server) -> None:
    one, other, stranger = (ApiBot(server, name) for name in ("One", "Other", "Stranger"))
    table = one.ask("POST", "/offers", {"game": "tiny", "players": 2})[1]["table"]
    other.ask("POST", f"/offers/{table}/accept")
    state = next(one.lines(f"/tables/{table}/stream"))
    mover, waiting = (one, other) if state["legal"] else (other, one)
    legal = next(mover.lines(f"/tables/{table}/stream"))["legal"][0]
    for bot in (waiting, stranger):
        assert bot.ask("POST", f"/tables/{table}/move/{quote(legal)}")[0] == 409
    assert mover.ask("POST", f"/tables/{table}/move/nonsense")[0] == 409
    assert mover.ask("POST", f"/tables/{table}/move/{quote(legal)}?number=x")[0] == 400
    assert mover.ask("POST", f"/tables/{table}/move/{quote(legal)}")[0] == 200


def test_who_asks_too_much_is_told_when_to_come_back(start: Start) -> None:
    server = start(limits={"bot_requests": 5, "bot_streams": 2, "address_guests": 3})
    bot = ApiBot(server)
    streams = [bot.open("GET", "/stream") for _ in range(2)]
    answers = [bot.open("GET", "/stream"), *(bot.open("GET", "/account") for _ in range(4))]
    assert [answer.status for answer in answers] == [429, 200, 200, 429, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert [stream.status for stream in streams] == [200, 200]
    for _ in range(3):
        ApiBot(server, address=ADDRESS)
    assert bot.ask("POST", "/account", {"name": "Another"}, **{"X-Forwarded-For": ADDRESS})[0] == 429


def test_bots_of_an_address_watch_only_so_much(start: Start) -> None:
    def answers(**limits: Any) -> list[int]:
        server = start(limits=limits)
        table = ApiBot(server).ask("POST", "/offers", {"game": "tiny"})[1]["table"]
        bots = [ApiBot(server, address=ADDRESS) for _ in range(2)]
        away = {"X-Forwarded-For": ADDRESS}
        return [bot.open("GET", f"/tables/{table}/stream", **away).status for bot in bots * 2]

    assert answers(address_bot_streams=3) == [200, 200, 200, 429]
    assert answers(address_watches=3) == [200, 200, 200, 429]
    assert answers() == [200] * 4


def test_the_ten_lines_play(server: Server) -> None:
    example = FOLDER / "docs" / "examples" / "http_bot.py"
    rival = ApiBot(server, "Rival")
    events = rival.lines("/stream")
    command = [sys.executable, str(example), f"http://127.0.0.1:{server.port}", "tiny"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        table = next(line for line in events if line["type"] == "offer")["table"]
        rival.ask("POST", f"/offers/{table}/accept")
        rival.play(table)
        _, complaints = program.communicate(timeout=60)
    assert (program.returncode, complaints) == (0, "")


# The OpenAPI file


def test_the_file_describes_this_server(server: Server) -> None:
    answer = ApiBot(server).open("GET", "/openapi.json")
    served = json.loads(answer.read())
    assert served == json.loads(Path(FOLDER / "docs" / "openapi.json").read_text()) == openapi()


@pytest.mark.parametrize("operation", [each.name for each in OPERATIONS if not each.stream])
def test_the_server_keeps_to_its_description(server: Server, operation: str) -> None:
    """Requests that schemathesis makes up, sensible and not: no failure, and answers as described."""
    bot = ApiBot(server)
    schema = schemathesis.openapi.from_dict(openapi())
    schema.config.update(base_url=f"http://127.0.0.1:{server.port}")
    described = next(each for each in OPERATIONS if each.name == operation)
    found = schema[f"{ROOT}{described.path}"][described.method]

    @given(case=found.as_strategy())
    @settings(max_examples=25, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
    def check(case: Any) -> None:
        case.call_and_validate(headers=bot.headers)

    check()

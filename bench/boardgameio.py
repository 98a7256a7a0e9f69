"""boardgame.io, with which Kibitz's server is compared: its own server, and pairs that play there.

The messages are those of its client (`boardgame.io/multiplayer`, SocketIO) over socket.io-client with
`transports: ["websocket"]`, byte for byte; tables are opened through its lobby.
"""

import asyncio
import hashlib
import http.client
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from bench.measure import Skipped
from bench.pairs import Pair, Tally
from bench.serving import Server, serving
from bench.sockets import Socket, connect

HERE = Path(__file__).parent / "boardgame"
GAME = "kaching"

# Its server


def program(name: str) -> str | None:
    """A program beside this Python (the wheel of Node brings one) or on the PATH."""
    folders = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    return shutil.which(name, path=os.pathsep.join(folders))


def installed() -> Path:
    """The folder with boardgame.io's packages, from npm at the first time; Skipped if that can't be."""
    npm = program("npm")
    if npm is None or program("node") is None:
        raise Skipped("there is no Node.js here")
    lock = (HERE / "package-lock.json").read_bytes()
    folder = platformdirs.user_cache_path("kibitz") / f"boardgame-{hashlib.sha256(lock).hexdigest()[:12]}"
    if not (folder / "node_modules" / ".package-lock.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copyfile(HERE / name, folder / name)
        npm_ci = subprocess.run([npm, "ci", "--ignore-scripts"], cwd=folder, capture_output=True, text=True)
        if npm_ci.returncode != 0:
            raise Skipped(f"npm could not install boardgame.io: {npm_ci.stderr.strip()[-300:]}")
    return folder


@contextmanager
def boardgame_server(packages: Path, data: Path | None) -> Iterator[Server]:
    """boardgame.io's server as in production, with its FlatFile in a folder or all in memory."""
    node = program("node")
    assert node is not None
    environment = {"NODE_PATH": str(packages / "node_modules"), "NODE_ENV": "production"}
    command: list[str | Path] = [node, HERE / "server.js"]
    with serving([*command, data] if data else command, environment) as server:
        yield server


# Its lobby


class Lobby:
    """Opens tables over plain HTTP."""

    def __init__(self, port: int) -> None:
        self.lock = asyncio.Lock()  # one table after the other
        self._connection = http.client.HTTPConnection("127.0.0.1", port)

    def open_table(self) -> str:
        """A table with both seats taken: its id and what proves who sits where, in one text."""
        match = self._post("create", numPlayers=2)["matchID"]
        secrets = [self._join(match, seat) for seat in ("0", "1")]
        self._connection.close()  # the server would, soon; the next request opens it again
        return " ".join([match, *secrets])

    def _join(self, match: str, seat: str) -> str:
        joined = self._post(f"{match}/join", playerID=seat, playerName=f"Player {seat}")
        secret: str = joined["playerCredentials"]
        return secret

    def _post(self, path: str, **fields: Any) -> dict[str, Any]:
        body = json.dumps(fields)
        self._connection.request("POST", f"/games/{GAME}/{path}", body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {content.decode()}")
        told: dict[str, Any] = json.loads(content)
        return told


# Its messages


class G(msgspec.Struct):
    """A view of the game, as in `boardgame/kaching.js`."""

    columns: list[list[str]]
    stocks: list[list[str]]
    money: list[int | str]


class Result(msgspec.Struct):
    """How a game ended, which doesn't matter here."""


class Ctx(msgspec.Struct):
    """Whose turn it is, and whether it is over."""

    currentPlayer: str  # noqa: N815
    gameover: Result | None = None


class State(msgspec.Struct):
    """What a player is sent."""

    G: G
    ctx: Ctx
    number: int = msgspec.field(name="_stateID")


class Synced(msgspec.Struct):
    """The answer to `sync`."""

    state: State


encode = msgspec.json.Encoder().encode
decode_update = msgspec.json.Decoder(tuple[str, str, State, msgspec.Raw]).decode
decode_sync = msgspec.json.Decoder(tuple[str, str, Synced]).decode

OPEN, PING, PONG = b"0", b"2", b"3"
JOIN = f"40/{GAME},".encode()
EVENT = f"42/{GAME},".encode()
ERROR = f"44/{GAME},".encode()
UPDATE, SYNC = EVENT + b'["update"', EVENT + b'["sync"'


def choices(view: G, seat: int) -> list[tuple[str, list[Any]]]:
    """What a seat may do: the page of a boardgame.io game works it out from the view itself."""
    money, stock = view.money[seat], view.stocks[seat]
    assert isinstance(money, int)
    moves: list[tuple[str, list[Any]]] = [
        ("buy", [number])
        for number, column in enumerate(view.columns)
        if column and int(column[-1][1:]) <= money
    ]
    cards = [card for card in stock if card != "W"]
    for place, first in enumerate(cards):
        moves += [("sell", [first, second]) for second in cards[place + 1 :] if first[0] == second[0]]
        if len(cards) < len(stock):
            moves.append(("sell", [first, "W"]))
    return moves or [("pass", [])]


class BoardgamePair(Pair):
    """Two players."""

    def __init__(self, tally: Tally, sockets: tuple[Socket, Socket], lobby: Lobby) -> None:
        super().__init__(tally, sockets)
        self._lobby = lobby
        self.match = ""
        self._secrets: list[str] = []
        self._synced: dict[int, State] = {}  # what each was shown first
        for seat, socket in enumerate(sockets):
            socket.take = lambda text, seat=seat: self._take(seat, text)  # type: ignore[misc]

    async def open_table(self) -> str:
        async with self._lobby.lock:
            return await asyncio.to_thread(self._lobby.open_table)

    def go_to(self, table: str) -> None:
        self.match, *self._secrets = table.split()
        self._synced.clear()
        for seat, socket in enumerate(self.sockets):
            socket.send(EVENT + encode(["sync", self.match, str(seat), self._secrets[seat], 2]))

    def _take(self, seat: int, text: bytes) -> None:
        if text.startswith(UPDATE):
            _, match, state, _ = decode_update(text[len(EVENT) :])
            if match == self.match:
                self._see(seat, state)
        elif text.startswith(SYNC):
            _, _, synced = decode_sync(text[len(EVENT) :])
            self._synced[seat] = synced.state
            if len(self._synced) == len(self.sockets):
                for each, state in self._synced.items():
                    self._see(each, state)
        elif text == PING:
            self.sockets[seat].send(PONG)
        elif text.startswith(ERROR):
            self.tally.troubles.append(text.decode())

    def _see(self, seat: int, state: State) -> None:
        if self.waiting and seat == self.mover:  # which was in turn, so the next update is by its own move
            self.acknowledged()
        if state.ctx.gameover is not None:
            if seat == 0:
                self.ended()
        elif state.ctx.currentPlayer == str(seat):
            self.may_play(seat, self._move(seat, state))

    def _move(self, seat: int, state: State) -> bytes:
        kind, args = self.rng.choice(choices(state.G, seat))
        payload = {"type": kind, "args": args, "playerID": str(seat), "credentials": self._secrets[seat]}
        action = {"type": "MAKE_MOVE", "payload": payload}
        return EVENT + encode(["update", action, state.number, self.match, str(seat)])


async def joined(port: int) -> Socket:
    """A socket in the game's namespace."""
    greeting: asyncio.Queue[bytes] = asyncio.Queue()
    socket = await connect(port, "/socket.io/?EIO=4&transport=websocket", greeting.put_nowait)
    if not (await greeting.get()).startswith(OPEN):
        raise RuntimeError("this isn't socket.io")
    socket.send(JOIN)
    if not (answer := await greeting.get()).startswith(JOIN):
        raise RuntimeError(answer.decode())
    return socket


async def boardgame_pair(port: int, tally: Tally, lobby: Lobby) -> BoardgamePair:
    """Two players."""
    return BoardgamePair(tally, (await joined(port), await joined(port)), lobby)

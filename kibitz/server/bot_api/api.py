"""The API for bots: what each operation does, by the same commands that pages give."""

import asyncio
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from json import loads
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kibitz.core.errors import IllegalMove, KibitzError
from kibitz.server import guests, protocol
from kibitz.server.bot_api import shapes
from kibitz.server.bot_api.streams import LineStream, Mailbox, encode, table_lines
from kibitz.server.limits import Rate
from kibitz.server.net.addresses import counted
from kibitz.server.net.answers import SHARED, answer, json, refusal
from kibitz.server.net.requests import asker_of, content_of
from kibitz.server.net.session import Sessions
from kibitz.server.stores.store import Guest
from kibitz.server.tables.live_tables import LiveTable
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import asker_at

KEY = re.compile(r"[0-9A-Za-z_-]{1,64}")
LOOK_SECONDS = 2.0  # between two looks at what other nodes may have changed
NOT_THERE = ("gone", "unknown-game", "table-damaged", "table-newer")
GENTLE_STATUS = {"slow-down": 429, "too-many-connections": 429, "too-many-streams": 429}

Doing = Callable[[Request, Any], Awaitable[Any]]


class BotApi:
    """Programs that play over HTTP."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._tables = sessions.tables
        self._limits = limits = sessions.limits
        self._rate = Rate(limits.bot_requests, limits.bot_request_seconds)
        self._streams: Counter[str] = Counter()  # of each bot, and of each household
        self._offered: asyncio.Future[list[protocol.PublicTable]] | None = None
        self._looked = 0.0
        self._described = msgspec.json.format(msgspec.json.encode(shapes.openapi()))
        self._tables.live.on_change(self._wake)
        self._waiting: dict[str, set[asyncio.Event]] = {}

    @property
    def routes(self) -> list[Route]:
        """An address for each path, whatever the method: one that isn't offered is said to be so."""
        paths: dict[str, dict[str, shapes.Operation]] = {}
        for each in shapes.OPERATIONS:
            paths.setdefault(f"{shapes.ROOT}{each.path}".replace("{move}", "{move:path}"), {})[
                each.method
            ] = each
        methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
        return [
            Route(f"{shapes.ROOT}/openapi.json", self.describe),
            *(Route(path, self._entrance(known), methods=methods) for path, known in paths.items()),
        ]

    async def describe(self, request: Request) -> Response:
        """This API in OpenAPI's form."""
        return answer(self._described, "application/json", cache=SHARED)

    def _entrance(self, known: dict[str, shapes.Operation]) -> Callable[[Request], Awaitable[Response]]:
        async def enter(request: Request) -> Response:
            operation = known.get("GET" if request.method == "HEAD" else request.method)
            if operation is None:
                told = refusal(NotAllowed("bad-method"), 405)
                told.headers["Allow"] = ", ".join(sorted(known))
                return told
            try:
                return await self._do(operation, request)
            except KibitzError as error:
                return _why_not(error)

        return enter

    async def _do(self, operation: shapes.Operation, request: Request) -> Response:
        """Who asks, how often, and for what; then it is done."""
        guest = await self._guest(request) if operation.known else None
        who = guest.id if guest else _address(request)
        if (guest or counted(who)) and (wait := self._rate.wait(who)):
            raise NotAllowed("slow-down", count=max(1, round(wait)))
        asked = await self._asked(operation, request)
        doing = getattr(self, operation.name)
        found = await (doing(request, guest, asked) if asked else doing(request, guest))
        return found if isinstance(found, Response) else json(found, operation.status, "no-store")

    async def _guest(self, request: Request) -> Guest:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        found = await guests.known_guest(self._sessions.store, token.strip() or None)
        if found is None or kind.lower() != "bearer":
            raise NotAllowed("token-needed")
        return found

    async def _asked(self, operation: shapes.Operation, request: Request) -> shapes.Asked | None:
        if operation.asked is None:
            return None
        content = await content_of(request, self._limits.bot_bytes, self._limits.body_seconds)
        try:
            found = msgspec.convert(_read(content), operation.asked)
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            raise NotAllowed("bad-message", problem=str(error)[:200]) from None
        return found

    # Who I am

    async def enrol(self, request: Request, _: None, asked: shapes.NewBot) -> shapes.NewBotAccount:
        """A new bot, and its token."""
        self._sessions.take_new_guest(_address(request))
        guest, token = await guests.new_guest(self._sessions.store, "en", f"{shapes.TITLE} {asked.name}")
        return shapes.NewBotAccount(guest.id, guest.name, token)

    async def account(self, request: Request, guest: Guest) -> shapes.BotAccount:
        """Who a token belongs to."""
        return shapes.BotAccount(guest.id, guest.name)

    async def tables(self, request: Request, guest: Guest) -> list[protocol.Summary]:
        """My tables."""
        self._sessions.lists.take(guest.id, _address(request))
        return await self._tables.lobby.tables_of(guest.id)

    # Offers

    async def offers(self, request: Request, guest: Guest) -> list[protocol.PublicTable]:
        """The tables that wait for players."""
        self._sessions.lists.take(guest.id, _address(request))
        return await self._tables.lobby.listing.public_tables()

    async def offer(self, request: Request, guest: Guest, asked: shapes.Offer) -> shapes.Stored:
        """Open a table, and wait there for others."""
        if self._sessions.draining:
            raise NotAllowed("stopping")
        self._sessions.openings.take(guest.id, _address(request))
        players = self._tables.lobby.seats_of(asked.game, asked.players)
        command = protocol.Create(
            id=_key(request),
            game=asked.game,
            seats=["me", *["open"] * (players - 1)],
            options=asked.options,
            clock=asked.clock,
            start="full",
            listed=asked.listed,
        )
        household = asker_at(_address(request), guest.id).household
        return await self._done(
            lambda tell: self._tables.lobby.create(guest, command, tell, _silent, household)
        )

    async def accept(self, request: Request, guest: Guest) -> shapes.Stored:
        """Take a seat, and be ready."""
        key, table = _key(request), request.path_params["table"]
        sat = await self._carry_out(guest, protocol.Sit(id=key, table=table))
        async with self._tables.live.hold(table) as live:
            begun = live.table.begun or not live.table.created.waits_for_host
        if begun:
            return sat
        return await self._carry_out(guest, protocol.Ready(id=f"{key[:56]}/ready", table=table))

    # At a table

    async def move(self, request: Request, guest: Guest) -> shapes.Stored:
        """Play."""
        table = request.path_params["table"]
        number = _number(request)
        if number is None:
            async with self._tables.live.hold(table) as live:
                number = live.table.number
        command = protocol.PlayMove(
            id=_key(request), table=table, number=number, move=request.path_params["move"]
        )
        return await self._carry_out(guest, command)

    async def chat(self, request: Request, guest: Guest, asked: shapes.Saying) -> shapes.Stored:
        """Say something."""
        command = protocol.Chat(id=_key(request), table=request.path_params["table"], text=asked.text)
        return await self._carry_out(guest, command)

    async def resign(self, request: Request, guest: Guest) -> shapes.Stored:
        """Give up."""
        return await self._carry_out(
            guest, protocol.Resign(id=_key(request), table=request.path_params["table"])
        )

    async def leave(self, request: Request, guest: Guest) -> shapes.Stored:
        """Give the seat up."""
        return await self._carry_out(
            guest, protocol.Stand(id=_key(request), table=request.path_params["table"])
        )

    async def _carry_out(self, guest: Guest, command: Any) -> shapes.Stored:
        return await self._done(lambda tell: self._tables.appender.carry_out(guest, command, tell, _silent))

    async def _done(
        self, give: Callable[[Callable[[protocol.Done], None]], Awaitable[None]]
    ) -> shapes.Stored:
        """Give a command; it is acknowledged, or refused by an error."""
        told: list[protocol.Done] = []
        await give(told.append)
        assert told[0].table is not None
        return shapes.Stored(told[0].table, told[0].number)

    # Streams

    async def watch(self, request: Request, guest: Guest) -> Response:
        """A table from now on."""
        table = request.path_params["table"]
        self._sessions.watches.take(guest.id, _address(request))
        mailbox = self._mailbox(request, guest)
        try:
            await self._tables.watching.watch(mailbox, table, _silent)
        except BaseException:
            self._forget(mailbox)
            raise

        def end() -> None:
            self._tables.watching.leave(mailbox, table)
            self._forget(mailbox)

        return LineStream(lambda: table_lines(mailbox), mailbox, end, self._limits)

    async def events(self, request: Request, guest: Guest) -> Response:
        """What concerns me, from now on."""
        mailbox = self._mailbox(request, guest)
        changed = asyncio.Event()
        self._waiting.setdefault(guest.id, set()).add(changed)

        def end() -> None:
            self._waiting[guest.id].discard(changed)
            if not self._waiting[guest.id]:
                del self._waiting[guest.id]
            self._forget(mailbox)

        return LineStream(lambda: self._event_lines(mailbox, changed), mailbox, end, self._limits)

    def _mailbox(self, request: Request, guest: Guest) -> Mailbox:
        mailbox = Mailbox(guest, asker_of(request, guest.id), self._limits)
        household = mailbox.asker.household
        bounds = {guest.id: self._limits.bot_streams}
        if counted(household):
            bounds[household] = self._limits.address_bot_streams
        for who, most in bounds.items():
            if self._streams[who] >= most:
                raise NotAllowed("too-many-streams", most=most)
        self._streams.update((guest.id, household))
        return mailbox

    def _forget(self, mailbox: Mailbox) -> None:
        for who in (mailbox.guest.id, mailbox.asker.household):
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]

    def _wake(self, live: LiveTable) -> None:
        """A table has changed: those who wait for news of theirs look again."""
        if self._waiting and live.loaded:
            for guest in live.table.guests:
                for changed in self._waiting.get(guest, ()):
                    changed.set()

    async def _event_lines(self, mailbox: Mailbox, changed: asyncio.Event) -> AsyncIterator[bytes]:
        known: dict[tuple[str, str], dict[str, Any]] = {}
        quiet = 0.0
        while not mailbox.closed:
            found = await self._concerning(mailbox.guest)
            news = [line for key, line in found.items() if key not in known]
            gone = [line for key, line in known.items() if key not in found and key[0] == "offer"]
            known = found
            for line in [*news, *({**line, "type": "offerGone"} for line in gone)]:
                yield encode(line) + b"\n"
            quiet = 0.0 if news or gone else quiet + LOOK_SECONDS
            if quiet >= LOOK_SECONDS * 3:
                quiet = 0.0
                yield b"\n"
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await changed.wait()
            except TimeoutError:
                continue
            changed.clear()

    async def _public_tables(self) -> list[protocol.PublicTable]:
        """The tables that wait for players, looked for once for all streams."""
        if self._offered is None or time.monotonic() > self._looked + LOOK_SECONDS / 2:
            self._looked = time.monotonic()
            self._offered = asyncio.ensure_future(self._tables.lobby.listing.public_tables())
        return await asyncio.shield(self._offered)

    async def _concerning(self, guest: Guest) -> dict[tuple[str, str], dict[str, Any]]:
        """What a bot's stream has told or will tell, by kind and table."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for mine in await self._tables.lobby.tables_of(guest.id):
            facts = {"table": mine.table, "game": mine.game, "seat": mine.seat, "seats": mine.seats}
            if mine.begun and not mine.over:
                found["start", mine.table] = {"type": "gameStart", **facts}
            elif mine.over:
                found["finish", mine.table] = {"type": "gameFinish", **facts, "winners": mine.winners}
        for offer in await self._public_tables():
            if guest.name not in offer.seats:
                told = {"table": offer.table, "game": offer.game, "seats": offer.seats}
                found["offer", offer.table] = {"type": "offer", **told, "options": offer.options}
        return found


def _why_not(error: KibitzError) -> Response:
    """A refusal with the status that fits."""
    if error.code in GENTLE_STATUS:
        seconds = str(error.data.get("count", 1))
        return refusal(error, GENTLE_STATUS[error.code], {"Retry-After": seconds})
    if error.code == "token-needed":
        return refusal(error, 401, {"WWW-Authenticate": 'Bearer realm="Kibitz"'})
    if error.code in NOT_THERE:
        return refusal(error, 404)
    bad = error.code in ("bad-message", "bad-id", "too-large", "too-slow")
    return refusal(error, 400 if bad and not isinstance(error, IllegalMove) else 409)


def _read(content: bytes) -> Any:
    """JSON as its schemas mean it: 4.0 is a whole number, and NaN is none."""
    msgspec.json.decode(content)  # stricter than the standard library
    return loads(
        content, parse_float=lambda text: int(float(text)) if float(text).is_integer() else float(text)
    )


def _address(request: Request) -> str:
    return asker_of(request).household


def _key(request: Request) -> str:
    """A request's own id, so that one that is repeated isn't carried out twice; else a fresh one."""
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return secrets.token_hex(16)
    if not KEY.fullmatch(given):
        raise NotAllowed("bad-id")
    return given


def _number(request: Request) -> int | None:
    """The row after which a move was chosen, if it is said."""
    given = request.query_params.get("number")
    if given is None:
        return None
    if not re.fullmatch(r"[0-9]{1,10}", given):
        raise NotAllowed("bad-message", problem="number: expected a whole number")
    return int(given)


def _silent(*_: Any) -> None:
    """Nobody is told how far a game's rules are compiled."""

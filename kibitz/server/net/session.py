"""The dialogue with one connection: a greeting, then each message has its answer."""

import asyncio
import logging
from typing import Any

import msgspec

import kibitz
from kibitz.core.errors import KibitzError
from kibitz.server import guests, protocol
from kibitz.server.complaints import REQUEST, TABLE
from kibitz.server.limits import Allowance, Limits, Rate
from kibitz.server.net.addresses import counted
from kibitz.server.net.connections import Connection, TooMany
from kibitz.server.net.messages import COMMANDS, QUESTIONS
from kibitz.server.net.websocket import POLICY, RESTART, TEXT_ONLY, UNEXPECTED
from kibitz.server.nodes.bus import Bus, CalledNow, GuestChanged, News
from kibitz.server.nodes.house import House
from kibitz.server.people.identities import Identities
from kibitz.server.readiness import Readiness
from kibitz.server.stores.store import Store
from kibitz.server.tables.refusals import NotAllowed, failed, refused
from kibitz.server.tables.rooms import Tables

log = logging.getLogger("kibitz.session")

decode = msgspec.json.Decoder(protocol.FromClient).decode
ID_LENGTH = 64
RESERVED = ("bot/", "host/", "name/", "rematch/")  # ids of rows that no client asks for
NOT_THERE = ("gone", "closed", "table-damaged", "table-newer", "no-spectators")
SLOW = frozenset(
    (
        protocol.Hint,
        protocol.AskBeliefs,
        protocol.AskChances,
        protocol.Preview,
        protocol.Recall,
        protocol.SetPassphrase,
        protocol.SignIn,
        protocol.ForgetMe,
    )
)


class WithId(msgspec.Struct):
    """As much of a message as an answer needs."""

    id: str


class Sessions:
    """All connections, and what they share."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        tables: Tables,
        readiness: Readiness,
        limits: Limits,
        url: str,
        leaderboard: bool,
    ) -> None:
        self.store = store
        self.tables = tables
        self.identities = Identities(store, limits, url)
        self.has_leaderboard = leaderboard
        self.readiness = readiness
        self.limits = limits
        self.connections: set[Connection] = set()
        self.draining = False  # the server is about to stop
        self._of_guest: dict[str, set[Connection]] = {}
        self._of_address: dict[str, int] = {}
        self._messages = Rate(limits.address_messages, limits.message_seconds)
        self.watches = Allowance(limits.watches, limits.address_watches, limits.watch_seconds)
        self._new_guests = Rate(limits.address_guests, limits.address_guest_seconds)
        self.openings = Allowance(limits.openings, limits.address_openings, limits.opening_seconds)
        self.renames = Allowance(limits.renames, limits.address_renames, limits.rename_seconds)
        self.finds = Allowance(limits.finds, limits.address_finds, limits.find_seconds)
        self.lists = Allowance(limits.lists, limits.address_lists, limits.list_seconds)
        self.bus = bus
        self.house = House(store, bus)
        self.house.on_ban = self._banned
        self.house.on_notice = self._told_everybody
        bus.subscribe(self._on_news)
        tables.neighbours.share(
            {
                "guest": self._new_guests,
                "rename": self.renames.of_guest,
                "find": self.finds.of_guest,
                "address-find": self.finds.of_address,
            }
        )
        tables.neighbours.share(self.identities.rates)

    # A connection's life

    def admits(self, address: str) -> bool:
        """Whether an address may have one more connection."""
        most = self.limits.address_connections
        return not counted(address) or self._of_address.get(address, 0) < most

    async def serve(self, connection: Connection) -> None:
        """Hold the dialogue until either side ends it."""
        address = connection.address
        self.connections.add(connection)
        self._of_address[address] = self._of_address.get(address, 0) + 1
        try:
            await self._converse(connection)
        except EOFError:
            pass
        except TooMany:
            limits = connection.limits
            _stop(
                connection,
                NotAllowed("too-many-messages", most=limits.messages, seconds=limits.message_seconds),
            )
        except Exception:
            log.exception("a connection failed")
        finally:
            connection.close(UNEXPECTED)
            self._leave(connection)
            await _end(connection.tasks)

    def _leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._of_address[connection.address] -= 1
        if self._of_address[connection.address] == 0:
            del self._of_address[connection.address]
        if hasattr(connection, "guest"):
            mine = self._of_guest[connection.guest.id]
            mine.discard(connection)
            self.tables.neighbours.connected(connection.guest.id, len(mine))
            if not mine:
                del self._of_guest[connection.guest.id]
            for table in connection.watching:
                self.tables.watching.leave(connection, table)

    async def _converse(self, connection: Connection) -> None:
        try:
            async with asyncio.timeout(protocol.HELLO_SECONDS):
                text = await connection.receive()
        except TimeoutError:
            _stop(connection, NotAllowed("hello-late", seconds=protocol.HELLO_SECONDS))
            return
        while True:
            await self._answer_text(connection, text)
            text = await connection.receive()

    async def _answer_text(self, connection: Connection, text: str | None) -> None:
        if counted(connection.address) and self._messages.wait(connection.address):
            raise TooMany
        if text is None:
            _stop(connection, NotAllowed("text-only"), TEXT_ONLY)
            return
        message = _understood(connection, text)
        if not hasattr(connection, "guest"):
            await self._greet(connection, message)
        elif message is not None:
            await self._take(connection, message)

    # The greeting

    async def _greet(self, connection: Connection, message: protocol.FromClient | None) -> None:
        try:
            if not isinstance(message, protocol.Hello):
                raise NotAllowed("hello-first")
            if message.protocol != protocol.PROTOCOL:
                raise NotAllowed("other-protocol", protocol=protocol.PROTOCOL)
            token = await self._recognise(connection, message)
        except KibitzError as error:
            _stop(connection, error)
            return
        guest = connection.guest
        connection.tell(protocol.Welcome(protocol.PROTOCOL, kibitz.__version__, guest.id, guest.name, token))
        if self.house.notice:
            connection.tell(protocol.HouseNotice(self.house.notice))

    async def _recognise(self, connection: Connection, hello: protocol.Hello) -> str:
        guest, token = await guests.known_guest(self.store, hello.token), hello.token
        if guest is None or token is None:
            self.take_new_guest(connection.address)
            guest, token = await guests.new_guest(self.store, hello.language, hello.name)
        if guest.id in self.house.bans:
            raise NotAllowed("banned")
        mine = self._of_guest.setdefault(guest.id, set())
        if len(mine) + self.tables.neighbours.elsewhere(guest.id) >= self.limits.guest_connections:
            raise NotAllowed("too-many-connections")
        connection.guest = next(iter(mine)).guest if mine else guest  # others of mine know its latest name
        connection.token_hash = guests.token_hash(token)
        connection.figures = hello.figures
        connection.rounds = hello.rounds
        mine.add(connection)
        self.tables.neighbours.connected(guest.id, len(mine))
        return token

    def take_new_guest(self, address: str) -> None:
        """Count a new guest of an address, or refuse it."""
        if counted(address) and self._new_guests.wait(address):
            raise NotAllowed("too-many-connections")

    # After it

    async def _take(self, connection: Connection, message: protocol.FromClient) -> None:
        """Answer at once, or beside the dialogue what may take its time."""
        kind = type(message)
        slow = kind in SLOW or not (self.readiness.all_ready or kind is protocol.Ping)
        if slow and len(connection.tasks) < connection.limits.tasks:
            task = asyncio.create_task(self._answer(connection, message))
            connection.tasks.add(task)
            task.add_done_callback(connection.tasks.discard)
        else:
            await self._answer(connection, message)

    async def _answer(self, connection: Connection, message: protocol.FromClient) -> None:
        TABLE.set(str(getattr(message, "table", "")))
        try:
            tell = QUESTIONS.get(type(message))
            if tell is not None:
                await tell(self, connection, message)
            else:
                await self._carry_out(connection, message)
        except KibitzError as error:
            self._refuse(connection, message, error)
        except Exception:
            log.exception("a message of type %s failed", type(message).__name__)
            self._refuse(connection, message, NotAllowed("internal"))

    def _refuse(self, connection: Connection, message: protocol.FromClient, error: KibitzError) -> None:
        self.tables.appender.tally.refused += 1
        if isinstance(message, protocol.Command):
            connection.tell(refused(message.id, error))
        elif isinstance(message, protocol.Watch) and error.code in NOT_THERE:
            connection.tell(protocol.Gone(message.table, error.code))
        else:
            connection.tell(failed(error))

    async def _carry_out(self, connection: Connection, command: Any) -> None:
        """A command has an id, under which it is answered; most are about a table, and become rows."""
        _check_id(command.id)
        REQUEST.set(command.id)
        do = COMMANDS.get(type(command))
        if do is not None:
            await do(self, connection, command)
        else:
            await self.tables.appender.carry_out(
                connection.guest, command, connection.tell, connection.tell_progress
            )

    # Who is who

    async def look_again(self, guest: str) -> None:
        """A guest has left devices, has a passphrase, or is forgotten: who is still here is that guest?"""
        for each in list(self._of_guest.get(guest, ())):
            known = await self.store.guest(each.token_hash)
            if known is None:
                _stop(each, NotAllowed("signed-out"))
            else:
                each.guest = msgspec.structs.replace(each.guest, lasting=known.lasting)
        if not await self.store.names([guest]):
            self.tables.live.forget_names(guest)

    def _on_news(self, news: News) -> None:
        if type(news) is CalledNow:
            self.renamed(news.guest, news.name)
        elif type(news) is GuestChanged and self.bus.far:
            self.tables.background.start(self.look_again(news.guest))

    def renamed(self, guest: str, name: str) -> None:
        """Use a guest's new name everywhere here; heard again, it is nothing new."""
        for each in self._of_guest.get(guest, set()):
            if each.guest.name != name:
                each.guest = msgspec.structs.replace(each.guest, name=name)
                each.tell(protocol.Renamed(name))
        self.tables.watching.renamed(guest, name)

    def _banned(self, guest: str) -> None:
        for connection in list(self._of_guest.get(guest, ())):
            _stop(connection, NotAllowed("banned"))

    def _told_everybody(self, text: str) -> None:
        for mine in self._of_guest.values():
            for connection in mine:
                connection.tell(protocol.HouseNotice(text))

    def close(self) -> None:
        """Let all go: the server stops."""
        self.identities.close()
        for connection in list(self.connections):
            connection.close(RESTART)


def _stop(connection: Connection, error: KibitzError, code: int = POLICY) -> None:
    """Say why, and close."""
    connection.tell(failed(error))
    connection.close(code)


def _understood(connection: Connection, text: str) -> protocol.FromClient | None:
    """The message, or None when it has been answered for making no sense."""
    try:
        message: protocol.FromClient = decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        _complain(connection, text, NotAllowed("bad-message", problem=str(error)[:200]))
        return None
    return message


def _complain(connection: Connection, text: str, error: NotAllowed) -> None:
    try:
        id = msgspec.json.decode(text, type=WithId).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        connection.tell(failed(error))
    else:
        connection.tell(refused(id[:ID_LENGTH], error))


def _check_id(id: str) -> None:
    if not 1 <= len(id) <= ID_LENGTH or id.startswith(RESERVED) or not id.isprintable():
        raise NotAllowed("bad-id")


async def _end(tasks: set[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

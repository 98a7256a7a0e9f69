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
from kibitz.server.net import feeds
from kibitz.server.net.addresses import counted
from kibitz.server.net.connections import Connection, TooMany
from kibitz.server.net.websocket import POLICY, RESTART, TEXT_ONLY, UNEXPECTED
from kibitz.server.nodes.bus import Bus, CalledNow, GuestChanged, News
from kibitz.server.nodes.house import House
from kibitz.server.people.identities import Identities
from kibitz.server.people.ratings import Skill, pool_of
from kibitz.server.readiness import Readiness, Tell
from kibitz.server.stores.store import Store
from kibitz.server.tables.appender import fingerprint
from kibitz.server.tables.refusals import NotAllowed, failed, refused
from kibitz.server.tables.rooms import Tables

log = logging.getLogger("kibitz.session")

decode = msgspec.json.Decoder(protocol.FromClient).decode
ID_LENGTH = 64
RESERVED = ("bot/", "host/", "name/", "rematch/")  # ids of rows that no client asks for
NOT_THERE = ("gone", "closed", "table-damaged", "table-newer", "no-spectators")
LEADERS = 50  # that are told
SLOW = (
    protocol.Hint,
    protocol.AskBeliefs,
    protocol.AskChances,
    protocol.Preview,
    protocol.Recall,
    protocol.SetPassphrase,
    protocol.SignIn,
    protocol.ForgetMe,
)
IdentityCommand = (
    protocol.InviteDevice
    | protocol.JoinDevice
    | protocol.SetPassphrase
    | protocol.SignIn
    | protocol.NewToken
    | protocol.LeaveDevices
    | protocol.ForgetMe
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
        self._has_leaderboard = leaderboard
        self.readiness = readiness
        self.limits = limits
        self.connections: set[Connection] = set()
        self.draining = False  # the server is about to stop
        self._of_guest: dict[str, set[Connection]] = {}
        self._of_address: dict[str, int] = {}
        self._messages = Rate(limits.address_messages, limits.message_seconds)
        self._watches = Allowance(limits.watches, limits.address_watches, limits.watch_seconds)
        self._new_guests = Rate(limits.address_guests, limits.address_guest_seconds)
        self.openings = Allowance(limits.openings, limits.address_openings, limits.opening_seconds)
        self._renames = Allowance(limits.renames, limits.address_renames, limits.rename_seconds)
        self._finds = Allowance(limits.finds, limits.address_finds, limits.find_seconds)
        self.lists = Allowance(limits.lists, limits.address_lists, limits.list_seconds)
        self._bus = bus
        self.house = House(store, bus)
        self.house.on_ban = self._banned
        self.house.on_notice = self._told_everybody
        bus.subscribe(self._on_news)
        tables.neighbours.share(
            {
                "guest": self._new_guests,
                "rename": self._renames.of_guest,
                "find": self._finds.of_guest,
                "address-find": self._finds.of_address,
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
        slow = isinstance(message, SLOW) or not (
            isinstance(message, protocol.Ping) or self.readiness.all_ready
        )
        if slow and len(connection.tasks) < connection.limits.tasks:
            task = asyncio.create_task(self._answer(connection, message))
            connection.tasks.add(task)
            task.add_done_callback(connection.tasks.discard)
        else:
            await self._answer(connection, message)

    async def _answer(self, connection: Connection, message: protocol.FromClient) -> None:
        TABLE.set(str(getattr(message, "table", "")))
        try:
            if isinstance(message, protocol.Command):
                _check_id(message.id)
                REQUEST.set(message.id)
                await self._carry_out(connection, message)
            else:
                await self._inform(connection, message)
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

    async def _carry_out(self, connection: Connection, command: protocol.Command) -> None:
        guest = connection.guest
        match command:
            case protocol.Rename():
                await self._rename(connection, command)
            case (
                protocol.InviteDevice()
                | protocol.JoinDevice()
                | protocol.SetPassphrase()
                | protocol.SignIn()
                | protocol.NewToken()
                | protocol.LeaveDevices()
                | protocol.ForgetMe()
            ):
                connection.tell(await self._identify(connection, command))
            case protocol.Nudge():
                await self.tables.watching.nudge(guest, command.table, _preparing(connection))
                connection.tell(protocol.Done(command.id, command.table))
            case protocol.Report():
                await self.tables.watching.report(guest, command, _preparing(connection))
                connection.tell(protocol.Done(command.id, command.table))
            case protocol.Create() if self.draining:
                raise NotAllowed("stopping")
            case protocol.Create():
                self.openings.take(guest.id, connection.address)
                await self.tables.lobby.create(guest, command, connection.tell, _preparing(connection))
            case protocol.Seek():
                self.openings.take(guest.id, connection.address)
                await self.tables.lobby.seek(guest, command, connection.tell, _preparing(connection))
            case protocol.DailyDeal():
                self.openings.take(guest.id, connection.address)
                await self.tables.daily.open(guest, command, connection.tell, _preparing(connection))
            case protocol.VisitRegular():
                self.openings.take(guest.id, connection.address)
                await self.tables.regulars.visit(guest, command, connection.tell, _preparing(connection))
            case protocol.Find():
                await self._find(connection, command)
            case protocol.Rematch():
                await self.tables.lobby.rematch(guest, command, connection.tell, _preparing(connection))
            case _:
                asked: Any = command
                await self.tables.appender.carry_out(guest, asked, connection.tell, _preparing(connection))

    async def _inform(self, connection: Connection, message: protocol.FromClient) -> None:
        match message:
            case protocol.Watch():
                await self._watch(connection, message.table)
            case protocol.Unwatch():
                connection.watching.discard(message.table)
                self.tables.watching.leave(connection, message.table)
            case protocol.Hint():
                connection.tell(
                    await self.tables.hints.hint(connection, message.table, _preparing(connection))
                )
            case protocol.AskBeliefs():
                connection.tell(
                    await self.tables.hints.beliefs(connection, message.table, _preparing(connection))
                )
            case protocol.AskChances():
                connection.tell(
                    await self.tables.hints.chances(connection, message.table, _preparing(connection))
                )
            case protocol.Preview():
                asked = message.table, message.moves
                connection.tell(
                    await self.tables.previews.preview(connection, *asked, _preparing(connection))
                )
            case protocol.Recall():
                connection.tell(await self.tables.past.recall(connection, message, _preparing(connection)))
            case protocol.Pace():
                await self.tables.bot_turns.set_pace(connection.guest, message, _preparing(connection))
            case protocol.Continue():
                await self.tables.rests.go_on(connection.guest, message, _preparing(connection))
            case protocol.MyTables():
                self.lists.take(connection.guest.id, connection.address)
                connection.tell(protocol.TableList(await self.tables.lobby.tables_of(connection.guest.id)))
            case protocol.MyResults():
                self.lists.take(connection.guest.id, connection.address)
                connection.tell(protocol.PastGames(await self.tables.results.of(connection.guest.id)))
            case protocol.AskDaily():
                self.lists.take(connection.guest.id, connection.address)
                connection.tell(await self.tables.daily.results(connection.guest, message))
            case protocol.AskRegular():
                self.lists.take(connection.guest.id, connection.address)
                connection.tell(await self.tables.regulars.told(connection.guest, message))
            case protocol.MyTurns():
                address = f"/api/turns/{feeds.secret_of(self.store, connection.guest.id)}"
                connection.tell(protocol.TurnFeeds(f"{address}.atom", f"{address}.ics"))
            case protocol.MyIdentity():
                self.lists.take(connection.guest.id, connection.address)
                connection.tell(await self.identities.told(connection.guest.id, self._has_leaderboard))
            case protocol.Leaderboard():
                self.lists.take(connection.guest.id, connection.address)
                connection.tell(await self._leaders(connection.guest.id, message))
            case protocol.PublicTables():
                self.lists.take(connection.guest.id, connection.address)
                connection.tell(protocol.PublicTableList(await self.tables.lobby.public_tables()))
            case protocol.Ping():
                connection.tell(protocol.Pong())
            case protocol.Hello():
                raise NotAllowed("hello-twice")

    async def _watch(self, connection: Connection, table: str) -> None:
        if table not in connection.watching and len(connection.watching) >= connection.limits.watched:
            raise NotAllowed("too-many-watched", most=connection.limits.watched)
        self._watches.take(connection.guest.id, connection.address)
        connection.watching.add(table)
        try:
            await self.tables.watching.watch(connection, table, _preparing(connection))
        except KibitzError:
            connection.watching.discard(table)
            raise

    async def _find(self, connection: Connection, command: protocol.Find) -> None:
        """Codes are short: nobody may try many."""
        self._finds.take(connection.guest.id, connection.address)
        table = await self.tables.lobby.find(command.code)
        connection.tell(protocol.Done(command.id, table))

    # Who is who

    async def _identify(self, connection: Connection, command: IdentityCommand) -> protocol.FromServer:
        """What a guest does about itself, and the answer to that."""
        guest, address = connection.guest, connection.address
        match command:
            case protocol.InviteDevice():
                return await self.identities.invite(guest, command.id)
            case protocol.JoinDevice():
                return await self.identities.join(guest, address, command)
            case protocol.SignIn():
                return await self.identities.sign_in(guest, address, command)
            case protocol.NewToken():
                return await self.identities.new_token(guest, command.id)
            case protocol.SetPassphrase():
                await self.identities.set_passphrase(guest, address, command)
                await self._look_again(guest.id)
            case protocol.LeaveDevices():
                await self.store.leave_devices(guest.id, connection.token_hash)
            case protocol.ForgetMe():
                await self.identities.confirm(guest, address, command.passphrase)
                await self.tables.lobby.leave_all(guest, command.id)
                await self.store.forget_guest(guest.id)
        self._bus.publish(GuestChanged(guest.id))
        self.tables.background.start(self._look_again(guest.id))  # after the answer
        return protocol.Done(command.id)

    async def _look_again(self, guest: str) -> None:
        """A guest has left devices, has a passphrase, or is forgotten: who is still here is that guest?"""
        for each in list(self._of_guest.get(guest, ())):
            known = await self.store.guest(each.token_hash)
            if known is None:
                _stop(each, NotAllowed("signed-out"))
            else:
                each.guest = msgspec.structs.replace(each.guest, lasting=known.lasting)
        if not await self.store.names([guest]):
            self.tables.live.forget_names(guest)

    async def _leaders(self, guest: str, asked: protocol.Leaderboard) -> protocol.Leaders:
        if not self._has_leaderboard:
            raise NotAllowed("no-leaderboard")
        found = await self.store.leaders(pool_of(asked.game, asked.players), LEADERS)
        leaders = [
            protocol.Leader(login, *Skill(mu, sigma).shown, games, who == guest)
            for who, login, mu, sigma, games in found
        ]
        return protocol.Leaders(asked.game, asked.players, leaders)

    async def _rename(self, connection: Connection, command: protocol.Rename) -> None:
        name = guests.checked_name(command.name)
        guest = connection.guest
        self._renames.take(guest.id, connection.address)
        asked = fingerprint(guest.id, command)
        if await self.store.rename(guest.id, command.id, asked, name) != asked:
            raise NotAllowed("same-id")
        name = (await self.store.names([guest.id])).get(guest.id, name)  # there may have been another since
        connection.tell(protocol.Done(command.id))
        self._renamed(guest.id, name)
        self._bus.publish(CalledNow(guest.id, name))

    def _on_news(self, news: News) -> None:
        if isinstance(news, CalledNow):
            self._renamed(news.guest, news.name)
        elif isinstance(news, GuestChanged) and self._bus.far:
            self.tables.background.start(self._look_again(news.guest))

    def _renamed(self, guest: str, name: str) -> None:
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


def _preparing(connection: Connection) -> Tell:
    return connection.tell_progress  # the same for all its messages: it is told once


async def _end(tasks: set[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

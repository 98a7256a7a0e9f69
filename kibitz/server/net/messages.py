"""What is done for a connection at each message it may send: a function each, found by the message's type.

Whatever isn't here is about a table, and becomes a row of its log.
"""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import KibitzError
from kibitz.server import guests, protocol
from kibitz.server.net import feeds
from kibitz.server.net.connections import Connection
from kibitz.server.nodes.bus import CalledNow, GuestChanged
from kibitz.server.people.ratings import Skill, pool_of
from kibitz.server.tables.appender import fingerprint
from kibitz.server.tables.refusals import NotAllowed

if TYPE_CHECKING:
    from kibitz.server.net.session import Sessions

LEADERS = 50  # that are told

Do = Callable[["Sessions", Connection, Any], Awaitable[None]]


# Tables opened and found


async def create(sessions: "Sessions", connection: Connection, command: protocol.Create) -> None:
    """Open a table; not at a server that is about to stop."""
    if sessions.draining:
        raise NotAllowed("stopping")
    await _open(sessions, connection, command, sessions.tables.lobby.create, connection.asker.household)


async def seek(sessions: "Sessions", connection: Connection, command: protocol.Seek) -> None:
    """Look for players."""
    await _open(sessions, connection, command, sessions.tables.lobby.seek, connection.asker.household)


async def daily_deal(sessions: "Sessions", connection: Connection, command: protocol.DailyDeal) -> None:
    """Play the deal of a day."""
    await _open(sessions, connection, command, sessions.tables.daily.open)


async def visit_regular(sessions: "Sessions", connection: Connection, command: protocol.VisitRegular) -> None:
    """Come to a table that people come back to."""
    await _open(sessions, connection, command, sessions.tables.regulars.visit)


async def _open(
    sessions: "Sessions",
    connection: Connection,
    command: Any,
    room: Callable[..., Awaitable[None]],
    *more: str,
) -> None:
    sessions.openings.take(connection.guest.id, connection.address)
    await room(connection.guest, command, connection.tell, connection.tell_progress, *more)


async def rematch(sessions: "Sessions", connection: Connection, command: protocol.Rematch) -> None:
    """Play another game with the same people: a table is opened, now or before."""
    sessions.openings.take(connection.guest.id, connection.address)
    await sessions.tables.lobby.rematch(connection.guest, command, connection.tell, connection.tell_progress)


async def change(sessions: "Sessions", connection: Connection, command: protocol.Change) -> None:
    """Change a table's settings; it may be listed from now on."""
    listing = sessions.tables.lobby.listing
    async with listing.listed(connection.asker, command.table) if command.listed else nullcontext():
        await sessions.tables.appender.carry_out(
            connection.guest, command, connection.tell, connection.tell_progress
        )


async def find(sessions: "Sessions", connection: Connection, command: protocol.Find) -> None:
    """Codes are short: nobody may try many."""
    sessions.finds.take(connection.guest.id, connection.address)
    table = await sessions.tables.lobby.find(command.code)
    connection.tell(protocol.Done(command.id, table))


# People at tables


async def nudge(sessions: "Sessions", connection: Connection, command: protocol.Nudge) -> None:
    """Tell who has to decide that the others wait."""
    await sessions.tables.watching.nudge(connection.guest, command.table, connection.tell_progress)
    connection.tell(protocol.Done(command.id, command.table))


async def report(sessions: "Sessions", connection: Connection, command: protocol.Report) -> None:
    """Tell the host what was said."""
    await sessions.tables.watching.report(connection.guest, command, connection.tell_progress)
    connection.tell(protocol.Done(command.id, command.table))


async def watch(sessions: "Sessions", connection: Connection, message: protocol.Watch) -> None:
    """Be shown a table from now on."""
    table, watching = message.table, connection.watching
    if table not in watching and len(watching) >= connection.limits.watched:
        raise NotAllowed("too-many-watched", most=connection.limits.watched)
    sessions.watches.take(connection.guest.id, connection.address)
    watching.add(table)
    try:
        await sessions.tables.watching.watch(connection, table, connection.tell_progress)
    except KibitzError:
        watching.discard(table)
        raise


async def unwatch(sessions: "Sessions", connection: Connection, message: protocol.Unwatch) -> None:
    """Be shown a table no longer."""
    connection.watching.discard(message.table)
    sessions.tables.watching.leave(connection, message.table)


async def pace(sessions: "Sessions", connection: Connection, message: protocol.Pace) -> None:
    """Have bots play at another pace."""
    await sessions.tables.bot_turns.set_pace(connection.guest, message, connection.tell_progress)


async def go_on(sessions: "Sessions", connection: Connection, message: protocol.Continue) -> None:
    """The score of a round is read."""
    await sessions.tables.rests.go_on(connection.guest, message, connection.tell_progress)


# Who is who


async def rename(sessions: "Sessions", connection: Connection, command: protocol.Rename) -> None:
    """Be called otherwise from now on, everywhere."""
    name = guests.checked_name(command.name)
    guest, store = connection.guest, sessions.store
    sessions.renames.take(guest.id, connection.address)
    asked = fingerprint(guest.id, command)
    if await store.rename(guest.id, command.id, asked, name) != asked:
        raise NotAllowed("same-id")
    name = (await store.names([guest.id])).get(guest.id, name)  # there may have been another since
    connection.tell(protocol.Done(command.id))
    sessions.renamed(guest.id, name)
    sessions.bus.publish(CalledNow(guest.id, name))


async def invite_device(sessions: "Sessions", connection: Connection, command: protocol.InviteDevice) -> None:
    """A code for another device of mine."""
    connection.tell(await sessions.identities.invite(connection.guest, command.id))


async def join_device(sessions: "Sessions", connection: Connection, command: protocol.JoinDevice) -> None:
    """Be the guest who made a code."""
    connection.tell(await sessions.identities.join(connection.guest, connection.address, command))


async def sign_in(sessions: "Sessions", connection: Connection, command: protocol.SignIn) -> None:
    """Be the guest who has a name and a passphrase."""
    connection.tell(await sessions.identities.sign_in(connection.guest, connection.address, command))


async def new_token(sessions: "Sessions", connection: Connection, command: protocol.NewToken) -> None:
    """A token for a program of mine."""
    connection.tell(await sessions.identities.new_token(connection.guest, command.id))


async def set_passphrase(
    sessions: "Sessions", connection: Connection, command: protocol.SetPassphrase
) -> None:
    """Have a passphrase, or another one."""
    await sessions.identities.set_passphrase(connection.guest, connection.address, command)
    await sessions.look_again(connection.guest.id)
    _changed(sessions, connection, command.id)


async def leave_devices(sessions: "Sessions", connection: Connection, command: protocol.LeaveDevices) -> None:
    """Sign out everywhere else."""
    await sessions.store.leave_devices(connection.guest.id, connection.token_hash)
    _changed(sessions, connection, command.id)


async def forget_me(sessions: "Sessions", connection: Connection, command: protocol.ForgetMe) -> None:
    """Leave all tables, and be forgotten."""
    guest = connection.guest
    await sessions.identities.confirm(guest, connection.address, command.passphrase)
    await sessions.tables.lobby.leave_all(guest, command.id)
    await sessions.store.forget_guest(guest.id)
    _changed(sessions, connection, command.id)


def _changed(sessions: "Sessions", connection: Connection, id: str) -> None:
    """Answer first: whoever isn't that guest any more is let go afterwards."""
    guest = connection.guest.id
    sessions.bus.publish(GuestChanged(guest))
    connection.tell(protocol.Done(id))
    sessions.tables.background.start(sessions.look_again(guest))


# Questions


async def hello_again(sessions: "Sessions", connection: Connection, message: protocol.Hello) -> None:
    """Once is enough."""
    raise NotAllowed("hello-twice")


async def pong(sessions: "Sessions", connection: Connection, message: protocol.Ping) -> None:
    """Somebody is here."""
    connection.tell(protocol.Pong())


async def hint(sessions: "Sessions", connection: Connection, message: protocol.Hint) -> None:
    """The best moves."""
    connection.tell(await sessions.tables.hints.hint(connection, message.table, connection.tell_progress))


async def beliefs(sessions: "Sessions", connection: Connection, message: protocol.AskBeliefs) -> None:
    """What is likely where one can't see it."""
    connection.tell(await sessions.tables.hints.beliefs(connection, message.table, connection.tell_progress))


async def chances(sessions: "Sessions", connection: Connection, message: protocol.AskChances) -> None:
    """How likely each seat wins."""
    connection.tell(await sessions.tables.hints.chances(connection, message.table, connection.tell_progress))


async def preview(sessions: "Sessions", connection: Connection, message: protocol.Preview) -> None:
    """What moves would surely do."""
    previews = sessions.tables.previews
    connection.tell(
        await previews.preview(connection, message.table, message.moves, connection.tell_progress)
    )


async def recall(sessions: "Sessions", connection: Connection, message: protocol.Recall) -> None:
    """A table as it was."""
    connection.tell(await sessions.tables.past.recall(connection, message, connection.tell_progress))


async def my_turns(sessions: "Sessions", connection: Connection, message: protocol.MyTurns) -> None:
    """Where the feeds of my turns are."""
    address = f"/api/turns/{feeds.secret_of(sessions.store, connection.guest.id)}"
    connection.tell(protocol.TurnFeeds(f"{address}.atom", f"{address}.ics"))


# Lists, of which one may ask for only so many


async def my_tables(sessions: "Sessions", connection: Connection, message: protocol.MyTables) -> None:
    """The tables at which I have a seat."""
    _take_list(sessions, connection)
    connection.tell(protocol.TableList(await sessions.tables.lobby.tables_of(connection.guest.id)))


async def public_tables(sessions: "Sessions", connection: Connection, message: protocol.PublicTables) -> None:
    """The tables that wait for players."""
    _take_list(sessions, connection)
    connection.tell(protocol.PublicTableList(await sessions.tables.lobby.listing.public_tables()))


async def my_results(sessions: "Sessions", connection: Connection, message: protocol.MyResults) -> None:
    """The games that I have finished."""
    _take_list(sessions, connection)
    connection.tell(protocol.PastGames(await sessions.tables.results.of(connection.guest.id)))


async def my_statistics(sessions: "Sessions", connection: Connection, message: protocol.MyStatistics) -> None:
    """What I did in all my games of a kind."""
    _take_list(sessions, connection)
    connection.tell(await sessions.tables.results.statistics(connection.guest.id, message.game))


async def ask_daily(sessions: "Sessions", connection: Connection, message: protocol.AskDaily) -> None:
    """What became of a day's deal."""
    _take_list(sessions, connection)
    connection.tell(await sessions.tables.daily.results(connection.guest, message))


async def ask_regular(sessions: "Sessions", connection: Connection, message: protocol.AskRegular) -> None:
    """What is told of a table that people come back to."""
    _take_list(sessions, connection)
    connection.tell(await sessions.tables.regulars.told(connection.guest, message))


async def my_identity(sessions: "Sessions", connection: Connection, message: protocol.MyIdentity) -> None:
    """How I can sign in, and am rated."""
    _take_list(sessions, connection)
    connection.tell(await sessions.identities.told(connection.guest.id, sessions.has_leaderboard))


async def leaderboard(sessions: "Sessions", connection: Connection, message: protocol.Leaderboard) -> None:
    """Those who are rated highest in a game."""
    _take_list(sessions, connection)
    if not sessions.has_leaderboard:
        raise NotAllowed("no-leaderboard")
    found = await sessions.store.leaders(pool_of(message.game, message.players), LEADERS)
    leaders = [
        protocol.Leader(login, *Skill(mu, sigma).shown, games, who == connection.guest.id)
        for who, login, mu, sigma, games in found
    ]
    connection.tell(protocol.Leaders(message.game, message.players, leaders))


def _take_list(sessions: "Sessions", connection: Connection) -> None:
    sessions.lists.take(connection.guest.id, connection.address)


COMMANDS: dict[type, Do] = {
    protocol.Create: create,
    protocol.Seek: seek,
    protocol.DailyDeal: daily_deal,
    protocol.VisitRegular: visit_regular,
    protocol.Rematch: rematch,
    protocol.Change: change,
    protocol.Find: find,
    protocol.Nudge: nudge,
    protocol.Report: report,
    protocol.Rename: rename,
    protocol.InviteDevice: invite_device,
    protocol.JoinDevice: join_device,
    protocol.SignIn: sign_in,
    protocol.NewToken: new_token,
    protocol.SetPassphrase: set_passphrase,
    protocol.LeaveDevices: leave_devices,
    protocol.ForgetMe: forget_me,
}
QUESTIONS: dict[type, Do] = {
    protocol.Hello: hello_again,
    protocol.Ping: pong,
    protocol.Watch: watch,
    protocol.Unwatch: unwatch,
    protocol.Pace: pace,
    protocol.Continue: go_on,
    protocol.Hint: hint,
    protocol.AskBeliefs: beliefs,
    protocol.AskChances: chances,
    protocol.Preview: preview,
    protocol.Recall: recall,
    protocol.MyTurns: my_turns,
    protocol.MyTables: my_tables,
    protocol.PublicTables: public_tables,
    protocol.MyResults: my_results,
    protocol.MyStatistics: my_statistics,
    protocol.AskDaily: ask_daily,
    protocol.AskRegular: ask_regular,
    protocol.MyIdentity: my_identity,
    protocol.Leaderboard: leaderboard,
}

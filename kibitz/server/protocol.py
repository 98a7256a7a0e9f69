"""Every message between the server and a page or program, as JSON objects over one WebSocket.

The first message is `hello`, within five seconds. What changes a table is a *command*: it carries an `id`
made by the client and kept until it is answered by `done` or `refused`; a command sent again with the same
id gets the same answer and is never carried out twice. The TypeScript types of the page are generated from
this file (`scripts/write_protocol.py`).
"""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from kibitz.server.tables.clock import Clock

PROTOCOL = 2

HELLO_SECONDS = 5
FRAME_BYTES = 8192
NAME_LENGTH = 24
CHAT_LENGTH = 280
WORD_LENGTH = 60  # of what a seat adds to the shuffle
CODE_LENGTH = 6  # of a table's id: what can be typed to find a table that waits
WISH_CARDS = 8  # on a side


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """One message."""


class Command(Message, frozen=True, kw_only=True):
    """A message that changes something, exactly once."""

    id: str


# From the client


class Hello(Message, frozen=True, tag="hello"):
    """Who I am: a guest's secret token, or none to become a new guest."""

    protocol: int
    token: str | None = None
    language: str = "en"
    name: str | None = None
    figures: bool = False  # show me tables with what follows from their views, too
    rounds: bool = False  # I say `continue` after each round, and bots wait for it


class Rename(Command, frozen=True, tag="rename", kw_only=True):
    """Call me this from now on."""

    name: str


class InviteDevice(Command, frozen=True, tag="invite-device", kw_only=True):
    """Let another device be me, too; answered by `device-code`. A code is good once, for a few minutes."""


class JoinDevice(Command, frozen=True, tag="join-device", kw_only=True):
    """I am the guest who was told this code; answered by `signed-in`."""

    code: str


class SetPassphrase(Command, frozen=True, tag="set-passphrase", kw_only=True):
    """From now on I can sign in anywhere by this name and passphrase; to change them, show the old one."""

    login: str
    passphrase: str
    old: str | None = None


class SignIn(Command, frozen=True, tag="sign-in", kw_only=True):
    """I am the guest with this passphrase; answered by `signed-in`."""

    login: str
    passphrase: str


class NewToken(Command, frozen=True, tag="new-token", kw_only=True):
    """Give me another token; answered by `signed-in`. Who shows it next can leave the one before."""


class LeaveDevices(Command, frozen=True, tag="leave-devices", kw_only=True):
    """All tokens of mine end, but the one that I have shown here."""


class ForgetMe(Command, frozen=True, tag="forget-me", kw_only=True):
    """Delete what is kept about me; who has a passphrase shows it."""

    passphrase: str | None = None


class Create(Command, frozen=True, tag="create", kw_only=True):
    """Open a new table. A seat is `me`, `open`, or a bot's level.

    With an open seat, the cards are dealt when the host says `start`, or (`full`) when the last one is taken;
    without, at once. There is a `start` row in any case.
    """

    game: str
    seats: list[str]
    options: dict[str, Any] = {}
    pace: str = "normal"  # of the bots: slow, normal, fast
    clock: Clock | None = None  # None: all have as long as they like
    spectators: str = "open"  # nobody; who see what lies open; `end`: and all hands when it is over; `late`:
    late_moves: int = 10  # all hands as they were so many moves ago, which all seats are told; never if rated
    whole: bool = False  # draw all that was played openly, where a game's table shows less of it
    start: str = "host"
    listed: bool = False  # among the tables that everybody is shown
    advice: str = "practice"  # hints, chances and beliefs: off, practice (one person and bots) or all
    rated: bool = False  # it counts for the ratings of all: people with a passphrase, and bots that are rated
    regular: str = ""  # what a table is called that people come back to; empty: it is none
    # a position to begin with, against bots; undrawn cards are shuffled
    position: dict[str, Any] | None = None


class Seek(Command, frozen=True, tag="seek", kw_only=True):
    """Lead me to a table with whoever looks for players of this game, too; answered like `create`."""

    game: str
    players: int | None = None  # None: any number
    bots_after: int | None = None  # seconds, after which bots take the seats that are still open


class DailyDeal(Command, frozen=True, tag="daily", kw_only=True):
    """Lead me to today's deal of this game, the same for everybody; answered like `create`."""

    game: str


class VisitRegular(Command, frozen=True, tag="regular", kw_only=True):
    """Lead me to the regular table with this name: to its game, or, if I belong to it, to the next one.

    Answered like `create`.
    """

    name: str


class Find(Command, frozen=True, tag="find", kw_only=True):
    """Which table that waits for players has an id that begins with this code? Answered like `create`."""

    code: str


class PublicTables(Message, frozen=True, tag="public-tables"):
    """Which tables wait for players, whoever they are? Answered by `public`."""


class Watch(Message, frozen=True, tag="watch"):
    """Show me this table from now on; answered by `table`."""

    table: str


class Unwatch(Message, frozen=True, tag="unwatch"):
    """Show me this table no longer."""

    table: str


class Sit(Command, frozen=True, tag="sit", kw_only=True):
    """Take an open seat: this one, or any."""

    table: str
    seat: int | None = None


class Stand(Command, frozen=True, tag="stand", kw_only=True):
    """Give my seat up, or one that is kept for me: before the game begins it is open, later a bot has it."""

    table: str


class Ready(Command, frozen=True, tag="ready", kw_only=True):
    """I am ready for the deal, or not yet."""

    table: str
    ready: bool = True


class AddWord(Command, frozen=True, tag="word", kw_only=True):
    """Add this to the shuffle; it stays sealed until the deal. Another takes its place."""

    table: str
    word: str


class Swap(Command, frozen=True, tag="swap", kw_only=True):
    """The host: those at two seats change places, before the deal."""

    table: str
    seat: int
    other: int


class Remove(Command, frozen=True, tag="remove", kw_only=True):
    """The host: open this seat again, before the deal; a guest who had it can't take one here any more."""

    table: str
    seat: int


class Change(Command, frozen=True, tag="change", kw_only=True):
    """The host: play it so, from now on; before the deal. What is left out stays."""

    table: str
    options: dict[str, Any] | None = None
    players: int | None = None
    pace: str | None = None
    clock: Clock | UnsetType | None = UNSET
    listed: bool | None = None


class Start(Command, frozen=True, tag="start", kw_only=True):
    """The host: deal the cards. All seats are taken, and all others are ready."""

    table: str


class PlayMove(Command, frozen=True, tag="move", kw_only=True):
    """Play this, seeing the table as it was after row `number`."""

    table: str
    number: int
    move: str


class UndoMove(Command, frozen=True, tag="undo", kw_only=True):
    """Take back my last move: against bots with all that followed, else a step of an unfinished turn."""

    table: str
    number: int


class AnswerUndo(Command, frozen=True, tag="answer-undo", kw_only=True):
    """Somebody would take back a move: that is all right with me, or it isn't."""

    table: str
    agree: bool


class Resign(Command, frozen=True, tag="resign", kw_only=True):
    """I give the game up."""

    table: str


class Replace(Command, frozen=True, tag="replace", kw_only=True):
    """Fill an open seat with a bot, or have one play on for somebody who is away or takes long."""

    table: str
    seat: int
    level: str = "medium"


class Nudge(Command, frozen=True, tag="nudge", kw_only=True):
    """Tell whoever has to decide that the others wait."""

    table: str


class Agree(Command, frozen=True, tag="agree", kw_only=True):
    """I would end the game without a winner; or not, and then nobody is asked any more."""

    table: str
    end: bool = True


class Rematch(Command, frozen=True, tag="rematch", kw_only=True):
    """The same again at a new table, where the next seat begins: I sit down, the others' seats are kept."""

    table: str


class Chat(Command, frozen=True, tag="chat", kw_only=True):
    """Say something: a preset's key, or free text; perhaps about a row of the log.

    What is said by who looks on at a game is shown only to who looks on.
    """

    table: str
    text: str = ""
    preset: str | None = None
    at: int | None = None


class Report(Command, frozen=True, tag="report", kw_only=True):
    """Tell the host of the table what was said in row `number`; it isn't logged."""

    table: str
    number: int


class Wish(Command, frozen=True, tag="wish", kw_only=True):
    """Tell the rival in turn what I would give and what I would like for it: talk, no move, and it may lie.

    Cards are named as the game's moves name them.
    """

    table: str
    to: int  # the seat in turn
    offered: list[str] = []
    wanted: list[str] = []


class Hint(Message, frozen=True, tag="hint"):
    """What would a strong player do in my place? Answered by `hinted`."""

    table: str


class AskBeliefs(Message, frozen=True, tag="beliefs"):
    """Which cards are likely where I can't see them? Answered by `believed`."""

    table: str


class AskChances(Message, frozen=True, tag="chances"):
    """How likely does each of us win, as far as I can know? Answered by `chance`."""

    table: str


class Preview(Message, frozen=True, tag="preview"):
    """What would each of these moves of mine surely do, by what I know? Answered by `previewed`."""

    table: str
    moves: list[str]


class Recall(Message, frozen=True, tag="recall"):
    """How was I shown this table after row `number`? Answered by `recalled`."""

    table: str
    number: int
    seat: int | None = None  # as that seat saw it: of a game that is over, if its table shows all hands


class Pace(Message, frozen=True, tag="pace"):
    """Have the bots at my table play at this pace from now on (slow, normal, fast); it isn't logged."""

    table: str
    pace: str


class Continue(Message, frozen=True, tag="continue"):
    """I have read the score of the round that ended with row `number`; it isn't logged."""

    table: str
    number: int


class MyTables(Message, frozen=True, tag="my-tables"):
    """Which tables do I have a seat at? Answered by `tables`."""


class MyResults(Message, frozen=True, tag="my-results"):
    """Which games have I finished? Answered by `results`."""


class MyStatistics(Message, frozen=True, tag="my-statistics"):
    """What did I do in all my games of this kind, beside the others? Answered by `statistics`."""

    game: str


class AskDaily(Message, frozen=True, tag="ask-daily"):
    """How did a day's deal of this game go for everybody? Answered by `daily-results`."""

    game: str
    day: str | None = None  # 2026-11-17, by UTC; None: today


class AskRegular(Message, frozen=True, tag="ask-regular"):
    """Who plays at this regular table, and how did it go? Answered by `regular-told`."""

    name: str


class MyTurns(Message, frozen=True, tag="my-turns"):
    """Where can other programs find my turns? Answered by `turns`."""


class MyIdentity(Message, frozen=True, tag="my-identity"):
    """How can I sign in elsewhere, and how am I rated? Answered by `identity`."""


class Leaderboard(Message, frozen=True, tag="leaderboard"):
    """Who plays this game best? Answered by `leaders`, unless the host of the server would rather not."""

    game: str
    players: int


class Ping(Message, frozen=True, tag="ping"):
    """Are you there? Answered by `pong`."""


FromClient = (
    Hello
    | Rename
    | InviteDevice
    | JoinDevice
    | SetPassphrase
    | SignIn
    | NewToken
    | LeaveDevices
    | ForgetMe
    | Create
    | Seek
    | DailyDeal
    | VisitRegular
    | Find
    | PublicTables
    | Watch
    | Unwatch
    | Sit
    | Stand
    | Ready
    | AddWord
    | Swap
    | Remove
    | Change
    | Start
    | PlayMove
    | UndoMove
    | AnswerUndo
    | Resign
    | Replace
    | Nudge
    | Agree
    | Rematch
    | Chat
    | Report
    | Wish
    | Hint
    | AskBeliefs
    | AskChances
    | Preview
    | Recall
    | Pace
    | Continue
    | MyTables
    | MyResults
    | MyStatistics
    | AskDaily
    | AskRegular
    | MyTurns
    | MyIdentity
    | Leaderboard
    | Ping
)


# From the server


class Welcome(Message, frozen=True, tag="welcome"):
    """You are this guest. `token` is secret: keep it, it is you."""

    protocol: int
    version: str
    guest: str
    name: str
    token: str


class DeviceCode(Message, frozen=True, tag="device-code"):
    """Whoever says this code next is you, too: once, and for so many seconds."""

    id: str
    code: str
    seconds: int
    qr: str  # the page's address with the code behind its `#`, as the path of an SVG ...
    size: int  # ... so many units wide and high


class SignedIn(Message, frozen=True, tag="signed-in"):
    """Say `hello` with this token, and you are that guest."""

    id: str
    token: str
    name: str


class Done(Message, frozen=True, tag="done"):
    """Your command is stored, in this row of this table (`create`, `rematch`: of the new one)."""

    id: str
    table: str | None = None
    number: int | None = None


class Refused(Message, frozen=True, tag="refused"):
    """Your command isn't carried out, nothing has changed; `reason` is the code's English sentence."""

    id: str
    code: str
    reason: str
    rule: str = ""
    data: dict[str, Any] = {}


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits there: `open`, `guest` or `bot`; `unknown` in a record, which names people and bots alike."""

    kind: str
    name: str = ""
    level: str | None = None
    here: bool = False  # connected now
    absent_seconds: int | None = None  # since when a guest is away
    you: bool = False
    kept_for_you: bool = False  # a bot plays for you here, or it is kept open for you; `sit` takes the seat
    kept_for: str = ""  # whom an open seat is kept for
    ready: bool = False  # for the deal
    worded: bool = False  # has added a word to the shuffle
    rating: int | None = None  # at a rated table, before the deal; give or take `error`
    error: int | None = None


class WishTold(msgspec.Struct, frozen=True):
    """What the seat of a line would trade with another."""

    to: int
    offered: list[str]
    wanted: list[str]


class LogLine(msgspec.Struct, frozen=True):
    """What one row of the table's log tells this viewer."""

    number: int
    time: float  # seconds since 1970
    kind: str  # move, undo, seat, chat, wish, resign, rematch, ...
    seat: int | None = None
    name: str = ""  # of who came, left, spoke or plays again, as then; without a seat, of one who looks on
    called: list[str] = []  # what those at the seats are called from here on, if that has changed
    text: str = ""  # the move's notation, or what was said
    preset: str | None = None
    at: int | None = None  # the row that it is about
    sentences: list[dict[str, Any]] = []  # {"key", "data"}: messages of the game's catalogue
    events: list[Any] = []  # what the viewer was shown
    wish: WishTold | UnsetType = UNSET
    you: bool = False  # you have said that


class TableResult(msgspec.Struct, frozen=True):
    """How the game ended."""

    winners: list[int]
    scores: list[int]
    reason: str  # a key of the catalogues: ending.<code>, or table.resigned
    data: dict[str, Any] = {}


class TimeLeft(msgspec.Struct, frozen=True):
    """How much time there is, as the message is sent."""

    left: list[float]  # seconds of each seat: in its bank, or without one for a decision
    seat: int | None  # whose clock runs: bots have none
    answering: bool = False  # in a duel, a trade, a passing, which have a time of their own
    starts_in: float = 0.0  # until then it stands: there is something to look at


class RatingChange(msgspec.Struct, frozen=True):
    """What a rated game has changed for a seat."""

    seat: int
    rating: int
    error: int
    change: int
    left: str = ""  # what the one is called whom a bot has played on for


class RegularName(msgspec.Struct, frozen=True):
    """A table that people come back to: its name in its address, and what they call it."""

    name: str
    title: str


class UndoAsked(msgspec.Struct, frozen=True):
    """Somebody would take back the last move; all other people have to agree."""

    seat: int
    agreed: list[int]


class TableView(Message, frozen=True, tag="table", kw_only=True):
    """A table as this viewer may see it; an update (`since`) has the new lines, and leaves out what stays."""

    table: str
    number: int  # of the last row: the state number to send with a move
    since: int | None = None  # None: everything; else what is new after this row
    game: str | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    players: int | UnsetType = UNSET
    pace: str | UnsetType = UNSET
    clock: Clock | UnsetType | None = UNSET
    spectators: str | UnsetType = UNSET
    late_moves: int | UnsetType = UNSET  # by which those who look on see all hands, at a `late` table
    whole: bool | UnsetType = UNSET  # all that was played openly is drawn
    commitment: str | UnsetType = UNSET  # SHA-256 of the deal's secret
    waits: bool | UnsetType = UNSET  # the cards are dealt when the host says `start`
    listed: bool | UnsetType = UNSET
    regular: RegularName | UnsetType | None = UNSET  # the table it belongs to, evening after evening
    daily: str | UnsetType | None = UNSET  # the day whose deal it is; its secret is told when that day ends
    rated: bool | UnsetType = UNSET
    bots_at: float | UnsetType | None = UNSET  # when bots take the open seats, in seconds since 1970
    seats: list[SeatInfo] | UnsetType = UNSET
    seat: int | None  # yours; None: you are looking on
    begun: bool  # the cards are dealt
    practice: bool  # one person and bots: moves can be taken back
    can_undo: bool
    advice: bool = False  # whether hints, chances and beliefs are told here
    view: dict[str, Any] | None  # None until the game has begun
    legal: list[str]  # your legal moves now
    figures: Any | UnsetType = UNSET  # what follows from the view by the rules; for who asked in `hello`
    lines: list[LogLine]
    thinking: int | None = None  # the seat of a bot at work
    host: int | None = None  # the seat of the host, who may have none
    you_host: bool = False  # you are the host
    wins: list[int] = []  # of those at the seats, in the games of this series that are over
    games: int = 0  # so many those are
    ending: list[int] = []  # the seats that would end the game
    undo_asked: UndoAsked | None = None
    time: TimeLeft | None = None  # at a table with a clock, while somebody decides
    result: TableResult | None = None
    ratings: list[RatingChange] = []  # of the people, when a rated game is over
    removed: bool = False  # the host has sent you away: you can't sit down here
    word: str = ""  # which you have added, until the deal
    words: list[str] = []  # of all seats, from the deal on; none: it was dealt without
    secret: str | None = None  # told when the game is over
    rematch: str | None = None  # the table of the next game


class Presence(Message, frozen=True, tag="presence"):
    """Who is connected has changed."""

    table: str
    seats: list[SeatInfo]
    spectators: int = 0  # how many look on


class Resting(Message, frozen=True, tag="resting"):
    """The round that ended with row `number` is being read: bots wait for these seats, or go on."""

    table: str
    number: int
    seats: list[int]
    seconds: float | None = None  # at most; None: for as long as it takes


class Nudged(Message, frozen=True, tag="nudged"):
    """The others wait for your decision; this one says so."""

    table: str
    name: str


class Reported(Message, frozen=True, tag="reported"):
    """To the host: somebody finds that this shouldn't have been said."""

    table: str
    name: str  # of who says so
    said: str
    by: str
    preset: str | None = None  # in place of what was said


class Gone(Message, frozen=True, tag="gone"):
    """There is no such table (any more), or it can't be shown."""

    table: str
    code: str = "gone"  # or `table-damaged`: not what was once written; or `table-newer`, `no-spectators`


class Preparing(Message, frozen=True, tag="preparing"):
    """The game is being compiled for this machine, once. It is played meanwhile, but bots play simply."""

    game: str
    done: int
    total: int


class Summary(msgspec.Struct, frozen=True):
    """A table in the list of mine."""

    table: str
    game: str
    time: float  # of the last row
    seats: list[str]  # names, open ones empty
    seat: int | None
    your_turn: bool
    begun: bool
    over: bool
    winners: list[int] = []
    kept: bool = False  # a bot plays for you, or you have left
    due: float | None = None  # when your time is over, at a table with a clock
    clock: Clock | None = None
    regular: str = ""  # what the regular table is called at which it is played
    regular_name: str = ""  # and its name in its address


class TableList(Message, frozen=True, tag="tables"):
    """The tables at which you have or had a seat, the latest first."""

    tables: list[Summary]


class PastGame(msgspec.Struct, frozen=True):
    """A game that is over."""

    table: str  # its log may be gone
    game: str
    time: float
    seat: int  # yours
    left: bool  # a bot had taken it over
    names: list[str]
    people: list[str]  # who they are, the same in all games however they are called; empty: a bot
    winners: list[int]
    scores: list[int]
    reason: str  # as in a result
    daily: str = ""  # the day whose deal it was
    regular: RegularName | None = None  # the table it belonged to


class PastGames(Message, frozen=True, tag="results"):
    """The games that you have finished, the latest first."""

    games: list[PastGame]


class Average(msgspec.Struct, frozen=True):
    """So much of something in a game, on average: a colour's, a round's."""

    key: str  # of the catalogues; or a round's number
    mine: float
    others: float  # each of them
    games: int  # in so many it was counted


class Taken(msgspec.Struct, frozen=True):
    """Who took how much from whom, in all games together: both are places in `people`."""

    who: int
    whom: int
    amount: int


class Statistics(Message, frozen=True, tag="statistics"):
    """What you did in your games of a kind, by what each game counts."""

    game: str
    games: int  # that were counted
    people: list[str]  # you first, then those you met most; the last: bots, and all others
    counts: dict[str, list[Average]]  # by kind
    takings: dict[str, list[Taken]]  # kinds in which something goes from one to another


class DailyResult(msgspec.Struct, frozen=True):
    """How a day's deal went for somebody."""

    name: str
    you: bool
    place: int  # among all who have played it
    seat: int
    winners: list[int]
    scores: list[int]
    reason: str  # as in a result


class DailyResults(Message, frozen=True, tag="daily-results"):
    """How a day's deal went for those who have finished it on that day, the best first."""

    game: str
    day: str
    ends: float  # when that day ends, in seconds since 1970: until then its cards are a secret
    table: str | None  # where you have finished it
    players: int  # so many have finished it
    results: list[DailyResult]  # the first of them, and yours


class RatingInfo(msgspec.Struct, frozen=True):
    """How well somebody plays a game with so many players: 1500 ± 333 to begin with."""

    game: str
    players: int
    rating: int
    error: int  # its standard deviation
    games: int
    curve: list[int]  # the rating after each of the latest games


class IdentityTold(Message, frozen=True, tag="identity"):
    """How you can sign in elsewhere, and how you are rated."""

    login: str | None  # None: you have no passphrase
    leaderboard: bool  # whether this house has one
    ratings: list[RatingInfo]


class Leader(msgspec.Struct, frozen=True):
    """A line of the leaderboard."""

    name: str  # by which they sign in
    rating: int
    error: int
    games: int
    you: bool


class Leaders(Message, frozen=True, tag="leaders"):
    """Who plays a game best, by what is sure of their ratings."""

    game: str
    players: int
    leaders: list[Leader]


class RegularPlayer(msgspec.Struct, frozen=True):
    """Somebody who plays at a regular table, and how often that was won."""

    name: str
    you: bool
    games: int
    wins: int


class RegularGame(msgspec.Struct, frozen=True):
    """A game that was played at a regular table."""

    table: str  # its log may be gone
    time: float
    names: list[str]
    winners: list[int]
    scores: list[int]


class RegularTable(Message, frozen=True, tag="regular-told"):
    """A table that people come back to: what is played there, who has won how often, and each game."""

    name: str
    title: str
    game: str
    options: dict[str, Any]
    table: str | None  # where it goes on; None: the next game begins when one of its people comes
    belongs: bool  # you are one of them
    players: list[RegularPlayer]  # who has won most first
    games: list[RegularGame]  # the latest first


class TurnFeeds(Message, frozen=True, tag="turns"):
    """Your turns as a feed and as a calendar: addresses of this server, as secret as your token."""

    atom: str
    calendar: str


class PublicTable(msgspec.Struct, frozen=True):
    """A table that waits for players."""

    table: str
    game: str
    time: float  # of the last row
    seats: list[str]  # names, open ones empty
    options: dict[str, Any]
    clock: Clock | None = None
    seeking: bool = False  # it begins when it is full
    rated: bool = False


class PublicTableList(Message, frozen=True, tag="public"):
    """The tables that wait for players, the latest first."""

    tables: list[PublicTable]


class ReasonTold(msgspec.Struct, frozen=True):
    """What speaks for a move or against it: then, otherwise or but then this likely happens."""

    kind: str
    opening: str  # the words it begins with; empty: none
    sentence: dict[str, Any]
    share: float  # of what may be the case


class Advised(msgspec.Struct, frozen=True):
    """A move, what it surely does, how likely it wins, and why."""

    move: str
    sentences: list[dict[str, Any]]
    chance: float
    error: float  # the standard error of the chance
    reasons: list[ReasonTold] = []


class Hinted(Message, frozen=True, tag="hinted"):
    """A strong player would do this."""

    table: str
    number: int
    move: str
    sentences: list[
        dict[str, Any]
    ] = []  # what it would surely do, as in a line; none for a step of a longer move
    advice: list[Advised] = []  # this move and the two next, the best first


class Believed(Message, frozen=True, tag="believed"):
    """How many of each card are to be expected at places of the view (`hands/1`) after row `number`."""

    table: str
    number: int
    beliefs: dict[str, dict[str, float]]


class Chances(Message, frozen=True, tag="chance"):
    """How likely each seat wins, after row `number`."""

    table: str
    number: int
    chances: list[float]


class SurelyDone(msgspec.Struct, frozen=True):
    """What a move would surely do: its first events, up to what chance or a hidden card decides."""

    move: str
    sentences: list[dict[str, Any]] = []  # as in a line
    events: list[Any] = []  # the move itself left out


class Previewed(Message, frozen=True, tag="previewed"):
    """What the moves would surely do at the table as it was after row `number`."""

    table: str
    number: int
    previews: list[SurelyDone]


class Recalled(Message, frozen=True, tag="recalled"):
    """The table as it was after a row, without lines and what stays; seen from where one sat then."""

    moment: TableView


class Renamed(Message, frozen=True, tag="renamed"):
    """You are called this now."""

    name: str


class HouseNotice(Message, frozen=True, tag="notice"):
    """What whoever hosts the house tells everybody; empty: nothing any more."""

    text: str


class Pong(Message, frozen=True, tag="pong"):
    """Yes."""


class Failed(Message, frozen=True, tag="failed"):
    """The connection can't go on (or a message without an id was wrong): why, and what to do."""

    code: str
    reason: str
    data: dict[str, Any] = {}


FromServer = (
    Welcome
    | DeviceCode
    | SignedIn
    | Done
    | Refused
    | TableView
    | Presence
    | Resting
    | Nudged
    | Reported
    | Gone
    | Preparing
    | TableList
    | PastGames
    | Statistics
    | DailyResults
    | IdentityTold
    | Leaders
    | RegularTable
    | TurnFeeds
    | PublicTableList
    | Hinted
    | Believed
    | Chances
    | Previewed
    | Recalled
    | Renamed
    | HouseNotice
    | Pong
    | Failed
)

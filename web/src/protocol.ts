/** Every message between the server and a page. Made from kibitz/server/protocol.py by scripts/write_protocol.py. */

export const PROTOCOL = 2;

export const HELLO_SECONDS = 5;

export const FRAME_BYTES = 8192;

export const NAME_LENGTH = 24;

export const CHAT_LENGTH = 280;

export const WORD_LENGTH = 60;

export const CODE_LENGTH = 6;

export const WISH_CARDS = 8;

/** So many seconds for every decision; or a bank for the game, which each decision adds them to. */
export interface Clock {
  seconds: number;
  bank?: number | null; // for the whole game
  answer?: number | null; // for answering others, beside the bank: duels, trades, passing; null: as ever
  at_zero?: string; // a bot makes that one `move`, or `play-on`s until one returns; or all is `lost`
  quiet?: boolean; // it hurries nobody: for those who forget, shown when it is nearly over
}

/** Who I am: a guest's secret token, or none to become a new guest. */
export interface Hello {
  type: "hello";
  protocol: number;
  token?: string | null;
  language?: string;
  name?: string | null;
  figures?: boolean; // show me tables with what follows from their views, too
  rounds?: boolean; // I say `continue` after each round, and bots wait for it
}

/** Call me this from now on. */
export interface Rename {
  type: "rename";
  id: string;
  name: string;
}

/** Let another device be me, too; answered by `device-code`. A code is good once, for a few minutes. */
export interface InviteDevice {
  type: "invite-device";
  id: string;
}

/** I am the guest who was told this code; answered by `signed-in`. */
export interface JoinDevice {
  type: "join-device";
  id: string;
  code: string;
}

/** From now on I can sign in anywhere by this name and passphrase; to change them, show the old one. */
export interface SetPassphrase {
  type: "set-passphrase";
  id: string;
  login: string;
  passphrase: string;
  old?: string | null;
}

/** I am the guest with this passphrase; answered by `signed-in`. */
export interface SignIn {
  type: "sign-in";
  id: string;
  login: string;
  passphrase: string;
}

/** Give me another token; answered by `signed-in`. Who shows it next can leave the one before. */
export interface NewToken {
  type: "new-token";
  id: string;
}

/** All tokens of mine end, but the one that I have shown here. */
export interface LeaveDevices {
  type: "leave-devices";
  id: string;
}

/** Delete what is kept about me; who has a passphrase shows it. */
export interface ForgetMe {
  type: "forget-me";
  id: string;
  passphrase?: string | null;
}

/** Open a new table. A seat is `me`, `open`, or a bot's level.

With an open seat, the cards are dealt when the host says `start`, or (`full`) when the last one is taken;
without, at once. There is a `start` row in any case. */
export interface Create {
  type: "create";
  id: string;
  game: string;
  seats: string[];
  options?: Record<string, unknown>;
  pace?: string; // of the bots: slow, normal, fast
  clock?: Clock | null; // null: all have as long as they like
  spectators?: string; // nobody; who see what lies open; `end`: and all hands when it is over; `late`:
  late_moves?: number; // all hands as they were so many moves ago, which all seats are told; never if rated
  whole?: boolean; // draw all that was played openly, where a game's table shows less of it
  start?: string;
  listed?: boolean; // among the tables that everybody is shown
  advice?: string; // hints, chances and beliefs: off, practice (one person and bots) or all
  rated?: boolean; // it counts for the ratings of all: people with a passphrase, and bots that are rated
  regular?: string; // what a table is called that people come back to; empty: it is none
  position?: Record<string, unknown> | null;
}

/** Lead me to a table with whoever looks for players of this game, too; answered like `create`. */
export interface Seek {
  type: "seek";
  id: string;
  game: string;
  players?: number | null; // null: any number
  bots_after?: number | null; // seconds, after which bots take the seats that are still open
}

/** Lead me to today's deal of this game, the same for everybody; answered like `create`. */
export interface DailyDeal {
  type: "daily";
  id: string;
  game: string;
}

/** Lead me to the regular table with this name: to its game, or, if I belong to it, to the next one.

Answered like `create`. */
export interface VisitRegular {
  type: "regular";
  id: string;
  name: string;
}

/** Which table that waits for players has an id that begins with this code? Answered like `create`. */
export interface Find {
  type: "find";
  id: string;
  code: string;
}

/** Which tables wait for players, whoever they are? Answered by `public`. */
export interface PublicTables {
  type: "public-tables";
}

/** Show me this table from now on; answered by `table`. */
export interface Watch {
  type: "watch";
  table: string;
}

/** Show me this table no longer. */
export interface Unwatch {
  type: "unwatch";
  table: string;
}

/** Take an open seat: this one, or any. */
export interface Sit {
  type: "sit";
  id: string;
  table: string;
  seat?: number | null;
}

/** Give my seat up, or one that is kept for me: before the game begins it is open, later a bot has it. */
export interface Stand {
  type: "stand";
  id: string;
  table: string;
}

/** I am ready for the deal, or not yet. */
export interface Ready {
  type: "ready";
  id: string;
  table: string;
  ready?: boolean;
}

/** Add this to the shuffle; it stays sealed until the deal. Another takes its place. */
export interface AddWord {
  type: "word";
  id: string;
  table: string;
  word: string;
}

/** The host: those at two seats change places, before the deal. */
export interface Swap {
  type: "swap";
  id: string;
  table: string;
  seat: number;
  other: number;
}

/** The host: open this seat again, before the deal; a guest who had it can't take one here any more. */
export interface Remove {
  type: "remove";
  id: string;
  table: string;
  seat: number;
}

/** The host: play it so, from now on; before the deal. What is left out stays. */
export interface Change {
  type: "change";
  id: string;
  table: string;
  options?: Record<string, unknown> | null;
  players?: number | null;
  pace?: string | null;
  clock?: Clock | null;
  listed?: boolean | null;
}

/** The host: deal the cards. All seats are taken, and all others are ready. */
export interface Start {
  type: "start";
  id: string;
  table: string;
}

/** Play this, seeing the table as it was after row `number`. */
export interface PlayMove {
  type: "move";
  id: string;
  table: string;
  number: number;
  move: string;
}

/** Take back my last move: against bots with all that followed, else a step of an unfinished turn. */
export interface UndoMove {
  type: "undo";
  id: string;
  table: string;
  number: number;
}

/** Somebody would take back a move: that is all right with me, or it isn't. */
export interface AnswerUndo {
  type: "answer-undo";
  id: string;
  table: string;
  agree: boolean;
}

/** I give the game up. */
export interface Resign {
  type: "resign";
  id: string;
  table: string;
}

/** Fill an open seat with a bot, or have one play on for somebody who is away or takes long. */
export interface Replace {
  type: "replace";
  id: string;
  table: string;
  seat: number;
  level?: string;
}

/** Tell whoever has to decide that the others wait. */
export interface Nudge {
  type: "nudge";
  id: string;
  table: string;
}

/** I would end the game without a winner; or not, and then nobody is asked any more. */
export interface Agree {
  type: "agree";
  id: string;
  table: string;
  end?: boolean;
}

/** The same again at a new table, where the next seat begins: I sit down, the others' seats are kept. */
export interface Rematch {
  type: "rematch";
  id: string;
  table: string;
}

/** Say something: a preset's key, or free text; perhaps about a row of the log.

What is said by who looks on at a game is shown only to who looks on. */
export interface Chat {
  type: "chat";
  id: string;
  table: string;
  text?: string;
  preset?: string | null;
  at?: number | null;
}

/** Tell the host of the table what was said in row `number`; it isn't logged. */
export interface Report {
  type: "report";
  id: string;
  table: string;
  number: number;
}

/** Tell the rival in turn what I would give and what I would like for it: talk, no move, and it may lie.

Cards are named as the game's moves name them. */
export interface Wish {
  type: "wish";
  id: string;
  table: string;
  to: number; // the seat in turn
  offered?: string[];
  wanted?: string[];
}

/** What would a strong player do in my place? Answered by `hinted`. */
export interface Hint {
  type: "hint";
  table: string;
}

/** Which cards are likely where I can't see them? Answered by `believed`. */
export interface AskBeliefs {
  type: "beliefs";
  table: string;
}

/** How likely does each of us win, as far as I can know? Answered by `chance`. */
export interface AskChances {
  type: "chances";
  table: string;
}

/** What would each of these moves of mine surely do, by what I know? Answered by `previewed`. */
export interface Preview {
  type: "preview";
  table: string;
  moves: string[];
}

/** How was I shown this table after row `number`? Answered by `recalled`. */
export interface Recall {
  type: "recall";
  table: string;
  number: number;
  seat?: number | null; // as that seat saw it: of a game that is over, if its table shows all hands
}

/** Have the bots at my table play at this pace from now on (slow, normal, fast); it isn't logged. */
export interface Pace {
  type: "pace";
  table: string;
  pace: string;
}

/** I have read the score of the round that ended with row `number`; it isn't logged. */
export interface Continue {
  type: "continue";
  table: string;
  number: number;
}

/** Which tables do I have a seat at? Answered by `tables`. */
export interface MyTables {
  type: "my-tables";
}

/** Which games have I finished? Answered by `results`. */
export interface MyResults {
  type: "my-results";
}

/** What did I do in all my games of this kind, beside the others? Answered by `statistics`. */
export interface MyStatistics {
  type: "my-statistics";
  game: string;
}

/** How did a day's deal of this game go for everybody? Answered by `daily-results`. */
export interface AskDaily {
  type: "ask-daily";
  game: string;
  day?: string | null; // 2026-11-17, by UTC; null: today
}

/** Who plays at this regular table, and how did it go? Answered by `regular-told`. */
export interface AskRegular {
  type: "ask-regular";
  name: string;
}

/** Where can other programs find my turns? Answered by `turns`. */
export interface MyTurns {
  type: "my-turns";
}

/** How can I sign in elsewhere, and how am I rated? Answered by `identity`. */
export interface MyIdentity {
  type: "my-identity";
}

/** Who plays this game best? Answered by `leaders`, unless the host of the server would rather not. */
export interface Leaderboard {
  type: "leaderboard";
  game: string;
  players: number;
}

/** Are you there? Answered by `pong`. */
export interface Ping {
  type: "ping";
}

export type FromClient =
  | Hello
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
  | Ping;

/** You are this guest. `token` is secret: keep it, it is you. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  version: string;
  guest: string;
  name: string;
  token: string;
}

/** Whoever says this code next is you, too: once, and for so many seconds. */
export interface DeviceCode {
  type: "device-code";
  id: string;
  code: string;
  seconds: number;
  qr: string; // the page's address with the code behind its `#`, as the path of an SVG ...
  size: number; // ... so many units wide and high
}

/** Say `hello` with this token, and you are that guest. */
export interface SignedIn {
  type: "signed-in";
  id: string;
  token: string;
  name: string;
}

/** Your command is stored, in this row of this table (`create`, `rematch`: of the new one). */
export interface Done {
  type: "done";
  id: string;
  table: string | null;
  number: number | null;
}

/** Your command isn't carried out, nothing has changed; `reason` is the code's English sentence. */
export interface Refused {
  type: "refused";
  id: string;
  code: string;
  reason: string;
  rule: string;
  data: Record<string, unknown>;
}

/** Who sits there: `open`, `guest` or `bot`; `unknown` in a record, which names people and bots alike. */
export interface SeatInfo {
  kind: string;
  name: string;
  level: string | null;
  here: boolean; // connected now
  absent_seconds: number | null; // since when a guest is away
  you: boolean;
  kept_for_you: boolean; // a bot plays for you here, or it is kept open for you; `sit` takes the seat
  kept_for: string; // whom an open seat is kept for
  ready: boolean; // for the deal
  worded: boolean; // has added a word to the shuffle
  rating: number | null; // at a rated table, before the deal; give or take `error`
  error: number | null;
}

/** What the seat of a line would trade with another. */
export interface WishTold {
  to: number;
  offered: string[];
  wanted: string[];
}

/** What one row of the table's log tells this viewer. */
export interface LogLine {
  number: number;
  time: number; // seconds since 1970
  kind: string; // move, undo, seat, chat, wish, resign, rematch, ...
  seat: number | null;
  name: string; // of who came, left, spoke or plays again, as then; without a seat, of one who looks on
  called: string[]; // what those at the seats are called from here on, if that has changed
  text: string; // the move's notation, or what was said
  preset: string | null;
  at: number | null; // the row that it is about
  sentences: Record<string, unknown>[]; // {"key", "data"}: messages of the game's catalogue
  events: unknown[]; // what the viewer was shown
  wish?: WishTold;
  you: boolean; // you have said that
}

/** How the game ended. */
export interface TableResult {
  winners: number[];
  scores: number[];
  reason: string; // a key of the catalogues: ending.<code>, or table.resigned
  data: Record<string, unknown>;
}

/** How much time there is, as the message is sent. */
export interface TimeLeft {
  left: number[]; // seconds of each seat: in its bank, or without one for a decision
  seat: number | null; // whose clock runs: bots have none
  answering: boolean; // in a duel, a trade, a passing, which have a time of their own
  starts_in: number; // until then it stands: there is something to look at
}

/** What a rated game has changed for a seat. */
export interface RatingChange {
  seat: number;
  rating: number;
  error: number;
  change: number;
  left: string; // what the one is called whom a bot has played on for
}

/** A table that people come back to: its name in its address, and what they call it. */
export interface RegularName {
  name: string;
  title: string;
}

/** Somebody would take back the last move; all other people have to agree. */
export interface UndoAsked {
  seat: number;
  agreed: number[];
}

/** A table as this viewer may see it; an update (`since`) has the new lines, and leaves out what stays. */
export interface TableView {
  type: "table";
  table: string;
  number: number; // of the last row: the state number to send with a move
  since: number | null; // null: everything; else what is new after this row
  game?: string;
  options?: Record<string, unknown>;
  players?: number;
  pace?: string;
  clock?: Clock | null;
  spectators?: string;
  late_moves?: number; // by which those who look on see all hands, at a `late` table
  whole?: boolean; // all that was played openly is drawn
  commitment?: string; // SHA-256 of the deal's secret
  waits?: boolean; // the cards are dealt when the host says `start`
  listed?: boolean;
  regular?: RegularName | null; // the table it belongs to, evening after evening
  daily?: string | null; // the day whose deal it is; its secret is told when that day ends
  rated?: boolean;
  bots_at?: number | null; // when bots take the open seats, in seconds since 1970
  seats?: SeatInfo[];
  seat: number | null; // yours; null: you are looking on
  begun: boolean; // the cards are dealt
  practice: boolean; // one person and bots: moves can be taken back
  can_undo: boolean;
  advice: boolean; // whether hints, chances and beliefs are told here
  view: Record<string, unknown> | null; // null until the game has begun
  legal: string[]; // your legal moves now
  figures?: unknown; // what follows from the view by the rules; for who asked in `hello`
  lines: LogLine[];
  thinking: number | null; // the seat of a bot at work
  host: number | null; // the seat of the host, who may have none
  you_host: boolean; // you are the host
  wins: number[]; // of those at the seats, in the games of this series that are over
  games: number; // so many those are
  ending: number[]; // the seats that would end the game
  undo_asked: UndoAsked | null;
  time: TimeLeft | null; // at a table with a clock, while somebody decides
  result: TableResult | null;
  ratings: RatingChange[]; // of the people, when a rated game is over
  removed: boolean; // the host has sent you away: you can't sit down here
  word: string; // which you have added, until the deal
  words: string[]; // of all seats, from the deal on; none: it was dealt without
  secret: string | null; // told when the game is over
  rematch: string | null; // the table of the next game
}

/** Who is connected has changed. */
export interface Presence {
  type: "presence";
  table: string;
  seats: SeatInfo[];
  spectators: number; // how many look on
}

/** The round that ended with row `number` is being read: bots wait for these seats, or go on. */
export interface Resting {
  type: "resting";
  table: string;
  number: number;
  seats: number[];
  seconds: number | null; // at most; null: for as long as it takes
}

/** The others wait for your decision; this one says so. */
export interface Nudged {
  type: "nudged";
  table: string;
  name: string;
}

/** To the host: somebody finds that this shouldn't have been said. */
export interface Reported {
  type: "reported";
  table: string;
  name: string; // of who says so
  said: string;
  by: string;
  preset: string | null; // in place of what was said
}

/** There is no such table (any more), or it can't be shown. */
export interface Gone {
  type: "gone";
  table: string;
  code: string; // or `table-damaged`: not what was once written; or `table-newer`, `no-spectators`
}

/** The game is being compiled for this machine, once. It is played meanwhile, but bots play simply. */
export interface Preparing {
  type: "preparing";
  game: string;
  done: number;
  total: number;
}

/** A table in the list of mine. */
export interface Summary {
  table: string;
  game: string;
  time: number; // of the last row
  seats: string[]; // names, open ones empty
  seat: number | null;
  your_turn: boolean;
  begun: boolean;
  over: boolean;
  winners: number[];
  kept: boolean; // a bot plays for you, or you have left
  due: number | null; // when your time is over, at a table with a clock
  clock: Clock | null;
  regular: string; // what the regular table is called at which it is played
  regular_name: string; // and its name in its address
}

/** The tables at which you have or had a seat, the latest first. */
export interface TableList {
  type: "tables";
  tables: Summary[];
}

/** A game that is over. */
export interface PastGame {
  table: string; // its log may be gone
  game: string;
  time: number;
  seat: number; // yours
  left: boolean; // a bot had taken it over
  names: string[];
  people: string[]; // who they are, the same in all games however they are called; empty: a bot
  winners: number[];
  scores: number[];
  reason: string; // as in a result
  daily: string; // the day whose deal it was
  regular: RegularName | null; // the table it belonged to
}

/** The games that you have finished, the latest first. */
export interface PastGames {
  type: "results";
  games: PastGame[];
}

/** So much of something in a game, on average: a colour's, a round's. */
export interface Average {
  key: string; // of the catalogues; or a round's number
  mine: number;
  others: number; // each of them
  games: number; // in so many it was counted
}

/** Who took how much from whom, in all games together: both are places in `people`. */
export interface Taken {
  who: number;
  whom: number;
  amount: number;
}

/** What you did in your games of a kind, by what each game counts. */
export interface Statistics {
  type: "statistics";
  game: string;
  games: number; // that were counted
  people: string[]; // you first, then those you met most; the last: bots, and all others
  counts: Record<string, Average[]>; // by kind
  takings: Record<string, Taken[]>; // kinds in which something goes from one to another
}

/** How a day's deal went for somebody. */
export interface DailyResult {
  name: string;
  you: boolean;
  place: number; // among all who have played it
  seat: number;
  winners: number[];
  scores: number[];
  reason: string; // as in a result
}

/** How a day's deal went for those who have finished it on that day, the best first. */
export interface DailyResults {
  type: "daily-results";
  game: string;
  day: string;
  ends: number; // when that day ends, in seconds since 1970: until then its cards are a secret
  table: string | null; // where you have finished it
  players: number; // so many have finished it
  results: DailyResult[]; // the first of them, and yours
}

/** How well somebody plays a game with so many players: 1500 ± 333 to begin with. */
export interface RatingInfo {
  game: string;
  players: number;
  rating: number;
  error: number; // its standard deviation
  games: number;
  curve: number[]; // the rating after each of the latest games
}

/** How you can sign in elsewhere, and how you are rated. */
export interface IdentityTold {
  type: "identity";
  login: string | null; // null: you have no passphrase
  leaderboard: boolean; // whether this house has one
  ratings: RatingInfo[];
}

/** A line of the leaderboard. */
export interface Leader {
  name: string; // by which they sign in
  rating: number;
  error: number;
  games: number;
  you: boolean;
}

/** Who plays a game best, by what is sure of their ratings. */
export interface Leaders {
  type: "leaders";
  game: string;
  players: number;
  leaders: Leader[];
}

/** Somebody who plays at a regular table, and how often that was won. */
export interface RegularPlayer {
  name: string;
  you: boolean;
  games: number;
  wins: number;
}

/** A game that was played at a regular table. */
export interface RegularGame {
  table: string; // its log may be gone
  time: number;
  names: string[];
  winners: number[];
  scores: number[];
}

/** A table that people come back to: what is played there, who has won how often, and each game. */
export interface RegularTable {
  type: "regular-told";
  name: string;
  title: string;
  game: string;
  options: Record<string, unknown>;
  table: string | null; // where it goes on; null: the next game begins when one of its people comes
  belongs: boolean; // you are one of them
  players: RegularPlayer[]; // who has won most first
  games: RegularGame[]; // the latest first
}

/** Your turns as a feed and as a calendar: addresses of this server, as secret as your token. */
export interface TurnFeeds {
  type: "turns";
  atom: string;
  calendar: string;
}

/** A table that waits for players. */
export interface PublicTable {
  table: string;
  game: string;
  time: number; // of the last row
  seats: string[]; // names, open ones empty
  options: Record<string, unknown>;
  clock: Clock | null;
  seeking: boolean; // it begins when it is full
  rated: boolean;
}

/** The tables that wait for players, the latest first. */
export interface PublicTableList {
  type: "public";
  tables: PublicTable[];
}

/** What speaks for a move or against it: then, otherwise or but then this likely happens. */
export interface ReasonTold {
  kind: string;
  opening: string; // the words it begins with; empty: none
  sentence: Record<string, unknown>;
  share: number; // of what may be the case
}

/** A move, what it surely does, how likely it wins, and why. */
export interface Advised {
  move: string;
  sentences: Record<string, unknown>[];
  chance: number;
  error: number; // the standard error of the chance
  reasons: ReasonTold[];
}

/** A strong player would do this. */
export interface Hinted {
  type: "hinted";
  table: string;
  number: number;
  move: string;
  sentences: Record<string, unknown>[];
  advice: Advised[]; // this move and the two next, the best first
}

/** How many of each card are to be expected at places of the view (`hands/1`) after row `number`. */
export interface Believed {
  type: "believed";
  table: string;
  number: number;
  beliefs: Record<string, Record<string, number>>;
}

/** How likely each seat wins, after row `number`. */
export interface Chances {
  type: "chance";
  table: string;
  number: number;
  chances: number[];
}

/** What a move would surely do: its first events, up to what chance or a hidden card decides. */
export interface SurelyDone {
  move: string;
  sentences: Record<string, unknown>[]; // as in a line
  events: unknown[]; // the move itself left out
}

/** What the moves would surely do at the table as it was after row `number`. */
export interface Previewed {
  type: "previewed";
  table: string;
  number: number;
  previews: SurelyDone[];
}

/** The table as it was after a row, without lines and what stays; seen from where one sat then. */
export interface Recalled {
  type: "recalled";
  moment: TableView;
}

/** You are called this now. */
export interface Renamed {
  type: "renamed";
  name: string;
}

/** What whoever hosts the house tells everybody; empty: nothing any more. */
export interface HouseNotice {
  type: "notice";
  text: string;
}

/** Yes. */
export interface Pong {
  type: "pong";
}

/** The connection can't go on (or a message without an id was wrong): why, and what to do. */
export interface Failed {
  type: "failed";
  code: string;
  reason: string;
  data: Record<string, unknown>;
}

export type FromServer =
  | Welcome
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
  | Failed;

"""How much one connection, guest or address may ask of the server, and how long it may take.

A family behind one address whose phones reload all the time, or a class of thirty behind one router, never
meet these limits. `docs/hosting.md` tells hosts about them.
"""

import time
from collections import deque
from collections.abc import Callable

import msgspec

from kibitz.server.net.addresses import counted
from kibitz.server.tables.refusals import NotAllowed


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers; a test or a benchmark may choose others."""

    # Sockets, whatever they are used for
    sockets: int = 10_000  # in all; fewer where a process may not open so many files
    address_sockets: int = 400  # of an address
    head_seconds: float = 10.0  # for a request's head to arrive: its first line and its headers
    head_bytes: int = 1 << 14
    head_lines: int = 100  # each costs more than its bytes
    body_seconds: float = 10.0  # for what comes with it
    body_bytes: int = 1 << 19  # of it, whatever it is sent to
    body_parts: int = 32  # in which it comes, beside one for each ...
    part_bytes: int = 512  # ... of these: a chunk may hold a single byte
    answer_seconds: float = 60.0  # for the answer to be taken
    address_untaken: int = 1 << 25  # bytes of answers that an address hasn't taken yet
    requests: int = 3000  # of an address ...
    refusals: int = 300  # told to an address that has asked too often; then its sockets are closed ...
    request_seconds: float = 30.0  # ... in this time

    # WebSockets
    first_frames: int = 8  # before the first message is whole: a few pings, a few fragments
    fragments: int = 16  # of a message
    messages: int = 100  # of a connection, all other frames counted: pings, pongs, fragments ...
    message_seconds: float = 20.0  # ... in this time
    queue_bytes: int = 1 << 20  # waiting to be sent to a connection
    send_seconds: float = 10.0  # for which a connection may take nothing of it
    address_messages: int = 4000  # whole ones, of all connections of an address in that time
    watched: int = 20  # tables a connection watches
    watches: int = 60  # tables shown as a whole to a guest: the longest answer there is ...
    address_watches: int = 400  # ... or to all guests of an address ...
    watch_seconds: float = 20.0  # ... in this time
    tasks: int = 8  # messages of a connection that wait for something slow
    address_connections: int = 200  # of an address
    guest_connections: int = 30  # of a guest

    # Guests and tables
    address_guests: int = 200  # new guests of an address ...
    address_guest_seconds: float = 600.0  # ... in this time
    chats: int = 5  # of a guest ...
    chat_seconds: float = 10.0  # ... in this time
    openings: int = 60  # tables that a guest opens, looks for or goes on to ...
    address_openings: int = 600  # ... or all guests of an address ...
    opening_seconds: float = 60.0  # ... in this time
    wishes: int = 5  # of a guest ...
    wish_seconds: float = 10.0  # ... in this time
    renames: int = 10  # of a guest ...
    address_renames: int = 200  # ... or of all guests of an address ...
    rename_seconds: float = 60.0  # ... in this time
    code_seconds: float = 300.0  # for which another device can join by a code
    codes: int = 10  # for other devices, that a guest makes or tries ...
    address_codes: int = 60  # ... or all guests of an address try ...
    sign_ins: int = 10  # tries of a guest, or of a name ...
    address_sign_ins: int = 60  # ... or of all guests of an address ...
    identity_seconds: float = 600.0  # ... in this time
    exports: int = 6  # of what is kept about a guest ...
    address_exports: int = 60  # ... or about all guests of an address ...
    export_seconds: float = 600.0  # ... in this time
    finds: int = 20  # codes of tables that a guest tries ...
    address_finds: int = 120  # ... or all guests of an address ...
    find_seconds: float = 60.0  # ... in this time
    lists: int = 40  # of tables and of games that are over, told to a guest ...
    address_lists: int = 600  # ... or to all guests of an address ...
    list_seconds: float = 20.0  # ... in this time
    nudges: int = 3  # and reports, of a guest ...
    nudge_seconds: float = 60.0  # ... in this time
    hints: int = 20  # of a guest ...
    hint_seconds: float = 60.0  # ... in this time
    analysts: int = 2  # processes that analyse, and as many that review
    analyses: int = 64  # hints and puzzles that wait; households have their turns one after the other
    analysis_seconds: float = 120.0  # for one, its process begun among it
    previews: int = 60  # of a guest ...
    preview_seconds: float = 20.0  # ... in this time
    recalls: int = 120  # of a guest ...
    recall_seconds: float = 20.0  # ... in this time
    drawings: int = 500  # tables, moments and previews that wait to be drawn, household by household
    previewed_moves: int = 64  # asked for at once
    open_tables: int = 50  # of a guest
    listed: int = 10  # of them, that wait for whoever comes ...
    address_listed: int = 60  # ... or of all guests of an address
    rest_seconds: float = 30.0  # for which bots wait after a round: for several people, or by a clock

    # Programs that play over HTTP
    bot_requests: int = 600  # of a bot, or of an address without a token ...
    bot_request_seconds: float = 60.0  # ... in this time
    bot_bytes: int = 1 << 14  # that come with a request
    bot_streams: int = 16  # of a bot
    address_bot_streams: int = 200  # of all bots of an address

    # Games that are studied: records sent along, reviews, puzzles
    studies: int = 120  # of an address ...
    study_seconds: float = 60.0  # ... in this time
    record_bytes: int = 1 << 18
    record_moves: int = 5000  # that are shown: of 40 games of CASH with eight players the longest had 3,262
    review_moves: int = 2000  # that are reviewed
    reviews: int = 32  # that wait, household by household; one at a time of each
    review_seconds: float = 600.0  # for one, its turns together
    review_turn_seconds: float = 20.0  # after which another household has its turn
    kept_reviews: int = 64  # those last asked for ...
    kept_review_bytes: int = 1 << 25  # ... of which no more is kept than this
    handouts: int = 240  # feeds, calendars, QR codes and records made for an address ...
    handout_seconds: float = 60.0  # ... in this time

    # Score sheets
    sheets: int = 600  # of an address ...
    sheet_seconds: float = 60.0  # ... in this time
    sheet_bytes: int = 1 << 16

    # What is reckoned beside the loop, for one of a household at a time
    passphrases: int = 2  # at once: each takes 32 MiB and some 60 ms of a core
    waiting_passphrases: int = 64
    programs: int = 4  # of the host's, that think at once

    # The host's secret
    guesses: int = 10  # wrong ones, of an address ...
    guess_seconds: float = 60.0  # ... in this time
    order_bytes: int = 1 << 13  # of what the host orders


# A table's log, alike at all nodes: nobody can make it endless
CHATS = 500  # lines of chat
WISHES = 500
CHANGES = 500  # changes of seats and moves taken back
ROWS = 8000  # after which nobody moves any more; the longest games have some 1,500


class Rate:
    """So many in so long, for each of many."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._times: dict[str, deque[float]] = {}
        self._looked = time.monotonic()
        self.on_count: Callable[[str], None] | None = None  # whom to tell of each that is counted here

    def wait(self, who: str) -> float:
        """Count one more, or return for how many seconds it has to wait."""
        if wait := self.left(who):
            return wait
        self.count(who)
        if self.on_count is not None:
            self.on_count(who)
        return 0.0

    def left(self, who: str) -> float:
        """For how many seconds one more would have to wait."""
        now = time.monotonic()
        self._forget_old(now)
        times = self._times.get(who)
        if times is None or len(times) < self._most:
            return 0.0
        return max(0.0, times[0] + self._seconds - now)

    def count(self, who: str) -> None:
        """Count one more, whatever the limit."""
        self._times.setdefault(who, deque(maxlen=self._most)).append(time.monotonic())

    def take(self, who: str) -> None:
        """Count one more, or refuse it."""
        if wait := self.wait(who):
            raise NotAllowed("slow-down", count=max(1, round(wait)))

    def _forget_old(self, now: float) -> None:
        if now - self._looked > self._seconds:
            self._looked = now
            old = [who for who, times in self._times.items() if times[-1] < now - self._seconds]
            for who in old:
                del self._times[who]


class Allowance:
    """So many of a guest, and so many of all guests of an address, in so long."""

    def __init__(self, of_guest: int, of_address: int, seconds: float) -> None:
        self.of_guest = Rate(of_guest, seconds)
        self.of_address = Rate(of_address, seconds)

    def take(self, guest: str, address: str) -> None:
        """Count one more, or refuse it."""
        self.of_guest.take(guest)
        if counted(address):
            self.of_address.take(address)

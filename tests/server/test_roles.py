"""Who may say what, when: exactly the cells of this table are allowed, and each other has its code. [P8]

`-` is allowed. A table for two of the tiny game was opened by a host without a seat; `first` sits at seat 0,
`second` at seat 1 when the game has begun; a spectator looks on, a stranger has the link alone and may do the
same. `former` has stood up from seat 1: before the deal it is open again, later a bot keeps it. `in-turn`:
allowed to who decides now; `rival`: to the other.
"""

from typing import Any

import pytest

from kibitz.server.protocol import PROTOCOL
from tests.server.client import Client, Message, connected, fresh_id
from tests.server.serving import Server, in_loop

PEOPLE = ("host", "first", "second", "spectator", "former", "stranger")
OK = "-"

ALLOWED = """
message        phase   host            first           second          spectator       former
watch          waiting -               -               -               -               -
watch          playing -               -               -               -               -
watch          over    -               -               -               -               -
sit            waiting -               already-seated  -               -               -
sit            playing no-open-seat    already-seated  already-seated  no-open-seat    -
sit            over    no-open-seat    already-seated  already-seated  no-open-seat    no-open-seat
stand          waiting not-seated      -               not-seated      not-seated      not-seated
stand          playing not-seated      -               -               not-seated      not-seated
stand          over    not-seated      over            over            not-seated      not-seated
ready          waiting not-seated      -               not-seated      not-seated      not-seated
ready          playing not-seated      begun           begun           not-seated      not-seated
ready          over    not-seated      begun           begun           not-seated      not-seated
word           waiting not-seated      -               not-seated      not-seated      not-seated
word           playing not-seated      begun           begun           not-seated      not-seated
word           over    not-seated      begun           begun           not-seated      not-seated
swap           waiting -               not-host        not-host        not-host        not-host
swap           playing begun           not-host        not-host        not-host        not-host
swap           over    begun           not-host        not-host        not-host        not-host
remove         waiting -               not-host        not-host        not-host        not-host
remove         playing begun           not-host        not-host        not-host        not-host
remove         over    begun           not-host        not-host        not-host        not-host
change         waiting -               not-host        not-host        not-host        not-host
change         playing begun           not-host        not-host        not-host        not-host
change         over    begun           not-host        not-host        not-host        not-host
start          waiting not-full        not-host        not-host        not-host        not-host
start          playing begun           not-host        not-host        not-host        not-host
start          over    begun           not-host        not-host        not-host        not-host
move           waiting not-seated      not-begun       not-seated      not-seated      not-seated
move           playing not-seated      in-turn         in-turn         not-seated      not-seated
move           over    not-seated      over            over            not-seated      not-seated
undo           waiting not-seated      not-begun       not-seated      not-seated      not-seated
undo           playing not-seated      not-practice    not-practice    not-seated      not-seated
undo           over    not-seated      over            over            not-seated      not-seated
answer-undo    waiting not-seated      not-begun       not-seated      not-seated      not-seated
answer-undo    playing not-seated      not-asked       not-asked       not-seated      not-seated
answer-undo    over    not-seated      over            over            not-seated      not-seated
resign         waiting not-seated      not-begun       not-seated      not-seated      not-seated
resign         playing not-seated      -               -               not-seated      not-seated
resign         over    not-seated      over            over            not-seated      not-seated
replace        waiting -               -               not-seated      not-seated      not-seated
replace        playing not-seated      not-absent-long not-absent      not-seated      not-seated
replace        over    over            over            over            over            over
nudge          waiting not-seated      not-begun       not-seated      not-seated      not-seated
nudge          playing not-seated      waiting-or-not  waiting-or-not  not-seated      not-seated
nudge          over    not-seated      over            over            not-seated      not-seated
agree          waiting not-seated      not-begun       not-seated      not-seated      not-seated
agree          playing not-seated      -               -               not-seated      not-seated
agree          over    not-seated      over            over            not-seated      not-seated
rematch        waiting not-seated      not-over        not-seated      not-seated      not-seated
rematch        playing not-seated      not-over        not-over        not-seated      not-seated
rematch        over    not-seated      -               -               not-seated      not-seated
chat           waiting -               -               -               -               -
chat           playing -               -               -               -               -
chat           over    -               -               -               -               -
report         waiting not-seated      no-such-row     not-seated      not-seated      not-seated
report         playing not-seated      no-such-row     no-such-row     not-seated      not-seated
report         over    not-seated      no-such-row     no-such-row     not-seated      not-seated
wish           waiting not-seated      not-begun       not-seated      not-seated      not-seated
wish           playing not-seated      rival           rival           not-seated      not-seated
wish           over    not-seated      over            over            not-seated      not-seated
hint           waiting not-seated      not-begun       not-seated      not-seated      not-seated
hint           playing not-seated      practice-advice practice-advice not-seated      not-seated
hint           over    not-seated      over            over            not-seated      not-seated
beliefs        waiting not-seated      not-begun       not-seated      not-seated      not-seated
beliefs        playing not-seated      practice-advice practice-advice not-seated      not-seated
beliefs        over    not-seated      over            over            not-seated      not-seated
chances        waiting not-seated      not-begun       not-seated      not-seated      not-seated
chances        playing not-seated      practice-advice practice-advice not-seated      not-seated
chances        over    not-seated      over            over            not-seated      not-seated
preview        waiting not-seated      not-begun       not-seated      not-seated      not-seated
preview        playing not-seated      in-turn         in-turn         not-seated      not-seated
preview        over    not-seated      over            over            not-seated      not-seated
recall         waiting -               -               -               -               -
recall         playing -               -               -               -               -
recall         over    -               -               -               -               -
pace           waiting not-seated      -               not-seated      not-seated      not-seated
pace           playing not-seated      -               -               not-seated      not-seated
pace           over    not-seated      -               -               not-seated      not-seated
continue       waiting not-seated      -               not-seated      not-seated      not-seated
continue       playing not-seated      -               -               not-seated      not-seated
continue       over    not-seated      -               -               not-seated      not-seated
my-tables      playing -               -               -               -               -
my-results     playing -               -               -               -               -
my-statistics  playing -               -               -               -               -
my-turns       playing -               -               -               -               -
ping           playing -               -               -               -               -
rename         playing -               -               -               -               -
invite-device  playing -               -               -               -               -
join-device    playing wrong-code      wrong-code      wrong-code      wrong-code      wrong-code
set-passphrase playing -               -               -               -               -
sign-in        playing wrong-passphrase wrong-passphrase wrong-passphrase wrong-passphrase wrong-passphrase
new-token      playing -               -               -               -               -
leave-devices  playing -               -               -               -               -
forget-me      playing -               -               -               -               -
my-identity    playing -               -               -               -               -
leaderboard    playing -               -               -               -               -
create         playing -               -               -               -               -
seek           playing -               -               -               -               -
find           playing no-such-code    no-such-code    no-such-code    no-such-code    no-such-code
public-tables  playing -               -               -               -               -
unwatch        playing -               -               -               -               -
hello          playing hello-twice     hello-twice     hello-twice     hello-twice     hello-twice
daily          playing -               -               -               -               -
ask-daily      playing -               -               -               -               -
regular        playing no-such-regular no-such-regular no-such-regular no-such-regular no-such-regular
ask-regular    playing no-such-regular no-such-regular no-such-regular no-such-regular no-such-regular
"""

CELLS = [line.split() for line in ALLOWED.strip().splitlines()[1:]]
FIELDS: dict[str, dict[str, Any]] = {
    "replace": {"seat": 1},
    "chat": {"text": "hello"},
    "answer-undo": {"agree": True},
    "report": {"number": 0},
    "pace": {"pace": "fast"},
    "rename": {"name": "Ann"},
    "word": {"word": "abra"},
    "swap": {"seat": 0, "other": 1},
    "remove": {"seat": 0},
    "seek": {"game": "tiny"},
    "daily": {"game": "tiny"},
    "ask-daily": {"game": "tiny"},
    "my-statistics": {"game": "tiny"},
    "regular": {"name": "friday-club-abcde"},
    "ask-regular": {"name": "friday-club-abcde"},
    "find": {"code": "AAAAAA"},
    "create": {"game": "tiny", "seats": ["me", "open"]},
    "join-device": {"code": "AAAAAAAA"},
    "sign-in": {"login": "nobody", "passphrase": "nobody's own"},
    "leaderboard": {"game": "tiny", "players": 2},
    "hello": {"protocol": PROTOCOL},
}
WITHOUT_TABLE = ["my-tables", "my-turns", "my-results", "public-tables", "ping", "rename", "hello"]
WITHOUT_TABLE += ["create", "seek", "daily", "ask-daily", "find", "my-identity", "leaderboard"]
WITHOUT_TABLE += ["invite-device", "join-device", "set-passphrase", "sign-in", "new-token", "leave-devices"]
WITHOUT_TABLE += ["forget-me", "regular", "ask-regular", "my-statistics"]
INFORMING = ["watch", "unwatch", "my-tables", "my-turns", "my-results", "public-tables", "ping"]
INFORMING += ["my-identity", "leaderboard", "ask-daily", "hint", "beliefs", "chances", "preview", "recall"]
INFORMING += ["pace", "continue", "hello", "ask-regular", "my-statistics"]
ANSWERS = [
    "table",
    "tables",
    "turns",
    "results",
    "statistics",
    "daily-results",
    "public",
    "identity",
    "leaders",
    "pong",
    "hinted",
    "previewed",
    "recalled",
    "failed",
]


async def in_phase(people: dict[str, Client], phase: str, for_whom: str) -> str:
    """A table in that phase, at which somebody has stood up if that is who asks."""
    table = await people["host"].create("open", "open")
    if for_whom == "former" and phase == "waiting":
        await people["former"].do("sit", table=table, seat=1)
        await people["former"].do("stand", table=table)
    await people["first"].do("sit", table=table, seat=0)
    if phase != "waiting":
        rival = "former" if for_whom == "former" else "second"
        await people[rival].do("sit", table=table)
        if rival == "former":
            await people["former"].do("stand", table=table)
    if phase == "over":
        await people["first" if for_whom == "former" else "second"].do("resign", table=table)
    return table


async def outcome(client: Client, message: str, table: str, now: Message) -> str:
    """`-`, or the code with which it was refused, at a table that is like this now."""
    fields = dict(FIELDS.get(message, {}))
    if message not in WITHOUT_TABLE:
        fields["table"] = table
    if message == "move":
        fields |= {"number": now["number"], "move": (now["legal"] or ["lay 1"])[0]}
    elif message == "wish":
        fields |= {"to": now["view"]["turn"] or 0 if now["view"] else 0, "wanted": ["6"]}
    elif message == "set-passphrase":
        fields |= {"login": fresh_id(), "passphrase": fresh_id()}
    elif message == "preview":
        fields["moves"] = now["legal"][:1]
    elif message in ("undo", "recall", "continue"):
        fields["number"] = now["number"]
    if message in INFORMING:
        await client.say(message, **fields)
        if message in ("unwatch", "pace", "continue"):
            await client.say("ping")
        answer = await client.hear(*ANSWERS)
    else:
        answer = await client.ask(message, id=fresh_id(), **fields)
    code: str = answer["code"] if answer["type"] in ("refused", "failed") else OK
    return code


def expected(cell: str, legal: bool, message: str) -> str:
    """A cell's outcome for who is in turn, or isn't."""
    if cell == "rival":
        return "wish-in-turn" if legal else OK
    if cell == "waiting-or-not":
        return "nobody-to-nudge" if legal else "not-here"
    if cell != "in-turn":
        return cell
    return OK if legal else "not-your-turn" if message == "move" else "not-your-decision"


@pytest.mark.parametrize(("message", "phase", "cells"), [(row[0], row[1], row[2:]) for row in CELLS])
def test_exactly_these_are_allowed(server: Server, message: str, phase: str, cells: list[str]) -> None:
    allowed = dict(zip(PEOPLE, [*cells, cells[PEOPLE.index("spectator")]], strict=True))

    @in_loop
    async def ask(asking: tuple[str, ...]) -> None:
        async with (
            connected(server.port) as host,
            connected(server.port) as first,
            connected(server.port) as second,
            connected(server.port) as spectator,
            connected(server.port) as former,
            connected(server.port) as stranger,
        ):
            people = dict(zip(PEOPLE, (host, first, second, spectator, former, stranger), strict=True))
            for person in asking:
                table = await in_phase(people, phase, person)
                now = await people["spectator" if person == "stranger" else person].watch(table)
                got = await outcome(people[person], message, table, now)
                assert (person, got) == (person, expected(allowed[person], bool(now["legal"]), message))

    for asking in [(person,) for person in PEOPLE] if message == "forget-me" else [PEOPLE]:
        ask(asking)


def test_every_message_of_the_protocol_is_in_the_table() -> None:
    from typing import get_args

    from kibitz.server import protocol

    tags = {kind.__struct_config__.tag for kind in get_args(protocol.FromClient)}
    assert tags == {row[0] for row in CELLS}

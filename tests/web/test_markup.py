"""Names and talk are text: shown as they were sent, whatever they look like, and nothing of them runs."""

import json
from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect
from websockets.sync.client import ClientConnection, connect

from kibitz.server.protocol import PROTOCOL
from tests.web.browsing import PATIENCE, Guest

PAYLOADS = tuple(
    around.format(payload)
    for around in ("{}", '">{}', "'/>{}", "</span></li>{}", "-->{}")
    for payload in (
        "<script>ran()</script>",
        "<script src=//elsewhere.invalid/x.js></script>",
        "<ScRiPt>ran()</sCrIpT>",
        "<<script>ran()//<</script>",
        "<img src=x onerror=ran()>",
        '<img src="x" onerror="ran()">',
        "<img src=//elsewhere.invalid/x.png>",
        "<svg onload=ran()>",
        "<svg><script>ran()</script></svg>",
        "<svg/onload=ran()//",
        "<math><mtext></form><img src=x onerror=ran()>",
        "<body onload=ran()>",
        "<iframe src=javascript:ran()></iframe>",
        '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
        "<object data=javascript:ran()></object>",
        "<embed src=javascript:ran()>",
        "<a href=javascript:ran()>here</a>",
        "[here](javascript:ran())",
        "<details open ontoggle=ran()>",
        "<input autofocus onfocus=ran()>",
        "<select autofocus onfocus=ran()>",
        "<video><source onerror=ran()></video>",
        "<audio src=x onerror=ran()>",
        "<marquee onstart=ran()>here</marquee>",
        "<style>* { display: none }</style>",
        "<link rel=stylesheet href=//elsewhere.invalid/x.css>",
        "<meta http-equiv=refresh content=0;url=//elsewhere.invalid>",
        "<base href=//elsewhere.invalid/>",
        "<form action=//elsewhere.invalid><button>here</button></form>",
        "<template><b>here</b></template>",
        "<b>here</b><u>and</u><h1>there</h1>",
        "<dialog open>here</dialog>",
        "&lt;script&gt;ran()&lt;/script&gt;",
        "&#60;img src=x onerror=ran()&#62;",
        "%3Cscript%3Eran()%3C/script%3E",
        "\\u003cscript\\u003eran()",
        "${ran()} `${ran()}` {{ran()}} {@html ran()}",
        "{seat} {name} {count} p0 p1",
        "]]><![CDATA[<script>ran()</script>",
        "＜script＞ran()＜/script＞",
    )
)
NAMES = (
    "<b>Ann</b>",
    "<script>ran()</script>",
    "<img src onerror=ran()>",
    "<svg onload=ran()>",
    "</li><li>",
    '"><u>',
    "'><u>",
    "<!--",
    "&lt;b&gt;",
    "&amp;",
    "{seat}",
    "{name}",
    "p0",
    "p1",
    "0",
    "${ran()}",
    "{@html ran()}",
    "javascript:ran()",
    "__proto__",
    "constructor",
)
WATCH = "window.runs = 0; window.ran = () => (window.runs += 1);"


def talk(guest: Guest, table: str) -> Iterator[tuple[str, str]]:
    """Say every payload, each under another name."""
    with connect(f"{guest.server.replace('http', 'ws')}/ws", compression=None) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL, "token": guest.token}))
        for number, text in enumerate(PAYLOADS):
            name = NAMES[number % len(NAMES)]
            done(socket, f"name-{number}", type="rename", name=name)
            done(socket, f"chat-{number}", type="chat", table=table, text=text)
            yield name, text


def done(socket: ClientConnection, id: str, **command: str) -> None:
    socket.send(json.dumps({"id": id, **command}))
    while (answer := json.loads(socket.recv(timeout=PATIENCE))).get("id") != id:
        pass
    assert answer["type"] == "done", answer


def seat_of(page: Page) -> Locator:
    """What the other one is called, at the other's seat."""
    return page.locator("[data-place='seat 1'] .name")


def test_200_payloads_in_names_and_talk_are_shown_as_they_were_sent(guest: Guest) -> None:
    assert len(set(PAYLOADS)) == 200
    table = guest.create("me", "open", game="kaching")
    other = Guest(guest.server, guest.visit)
    other.tell("sit", "done", id="sit", table=table)
    page = guest.sit(table)
    page.add_init_script(WATCH)
    page.reload()
    page.locator(".table").wait_for()
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sent = []
    for name, text in talk(other, table):
        sent.append((name, text))
        if len(sent) <= len(NAMES):
            expect(seat_of(page)).to_have_text(name, use_inner_text=False)
    said = page.locator(".talk")
    expect(said).to_have_count(len(PAYLOADS))
    assert said.locator(".who").all_text_contents() == [name for name, _ in sent]
    assert said.locator(".said").all_text_contents() == [text for _, text in sent]
    assert page.locator(".talk .who *, .said *, strong.name *").count() == 0
    assert page.evaluate("window.runs") == 0
    assert asked == []


def test_a_name_that_looks_like_a_seat_stays_a_name(guest: Guest) -> None:
    guest.tell("rename", "done", id="name", name="<i>Bo</i>")
    table = guest.create("me", "open", game="kaching")
    other = Guest(guest.server, guest.visit)
    other.tell("rename", "done", id="name", name="p0")
    other.tell("sit", "done", id="sit", table=table)
    page = guest.sit(table)
    expect(page.get_by_role("log")).to_contain_text("p0 takes a seat.")

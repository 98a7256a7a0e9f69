"""What is served over plain HTTP: facts about games and host, rulebooks, records, the page's own files."""

import asyncio
import io
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kibitz
from kibitz.bots.puzzles import puzzles
from kibitz.core.errors import KibitzError
from kibitz.core.lessons import has_lesson, steps_of
from kibitz.core.options import ANY_SEAT, Option
from kibitz.core.words import LANGUAGES, catalogue
from kibitz.server import guests
from kibitz.server.limits import Allowance, Rate
from kibitz.server.net import feeds
from kibitz.server.net.answers import (
    FOREVER,
    FRESH,
    SHARED,
    Answer,
    answer,
    json,
    not_taken,
    refusal,
    too_often,
)
from kibitz.server.net.host_pages import shown_secret
from kibitz.server.net.origins import allowed
from kibitz.server.net.requests import asker_of, content_of, small_number
from kibitz.server.net.rulebooks import picture, rulebook
from kibitz.server.net.session import Sessions
from kibitz.server.people.export import kept_about
from kibitz.server.programs import PROGRAMS
from kibitz.server.readiness import silent
from kibitz.server.study.lessons import lesson_json, refusal_at
from kibitz.server.study.studies import Studies
from kibitz.server.tables.refusals import PACKAGE, NotAllowed

PAGE = Path(__file__).parent.parent / "page"
UNBUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Kibitz</title>
<h1>Kibitz is running, but its page isn't built yet.</h1>
<p>In the project's folder, run <code>make play</code>, or in its folder <code>web</code>
<code>npm ci</code> and <code>npm run build</code>; then reload.</p>"""

QR_CODES = 100  # kept, of a few kilobytes each
CODINGS = {"br": ".br", "gzip": ".gz"}  # what files end in that hold another's content, the smallest first


class Host(msgspec.Struct, frozen=True):
    """How the server can be reached."""

    local: bool  # only from this machine
    url: str


NOT_FOUND = {"code": "not-found", "reason": "There is nothing here."}


class Pages:
    """The HTTP routes."""

    def __init__(
        self, sessions: Sessions, host: Host, folder: Path = PAGE, public_url: str | None = None
    ) -> None:
        self._sessions = sessions
        self._host = host
        self._folder = folder
        self._public_url = public_url
        tables, limits = sessions.tables, sessions.limits
        self._studies = Studies(tables.analysts, tables.reviews, sessions.readiness, limits, public_url)
        self._exports = Allowance(limits.exports, limits.address_exports, limits.export_seconds)
        self._sheets = Rate(limits.sheets, limits.sheet_seconds)
        self._handouts = Rate(limits.handouts, limits.handout_seconds)

    @property
    def routes(self) -> list[Route]:
        """All addresses."""
        return [
            Route("/healthz", self.health),
            Route("/api/host", self.host),
            Route("/api/games", self.games),
            Route("/api/bots", self.bots),
            Route("/api/games/{game}/words.{language}.json", self.words),
            Route("/api/games/{game}/rulebook.{language}.html", self.rulebook),
            Route("/api/games/{game}/pictures/{file}", self.picture),
            Route("/api/games/{game}/lesson.{language}.json", self.lesson),
            Route("/api/games/{game}/lesson/{step}/refusal", self.lesson_refusal),
            Route("/api/games/{game}/score", self.score, methods=["POST"]),
            Route("/api/tables/{table}/record", self.record),
            Route("/api/turns/{secret}.{form}", self.turns),
            Route("/api/me", self.me),
            *self._studies.routes,
            Route("/api/qr.svg", self.qr),
            Route("/api/{rest:path}", self.nothing),
            Route("/{path:path}", self.file),
        ]

    # Facts

    async def health(self, request: Request) -> Response:
        """Whether the server lives, and what it does."""
        sessions = self._sessions
        progress = sessions.readiness.progress
        return json(
            {
                "status": "ok",
                "version": kibitz.__version__,
                "connections": len(sessions.connections),
                "tables": len(sessions.tables.live),
                "games": {game: one.ready for game, one in progress.items()},
            }
        )

    async def host(self, request: Request) -> Response:
        """Where others find this server."""
        return json(self._host)

    async def games(self, request: Request) -> Response:
        """The games, with their options and how far they are prepared."""
        progress = self._sessions.readiness.progress
        facts = await asyncio.to_thread(lambda: [game_facts(name) for name in progress])
        return json([fact | msgspec.to_builtins(progress[fact["name"]]) for fact in facts])

    async def bots(self, request: Request) -> Response:
        """The programs of the host's that can be given a seat."""
        return json(list(PROGRAMS.commands))

    async def words(self, request: Request) -> Response:
        """What a game and its table say, in a language."""
        found = self._game(request)
        if found is None:
            return self._missing()
        game, language = found
        words = await asyncio.to_thread(lambda: catalogue(language, PACKAGE, kibitz.game(game).package))
        return json(dict(words), cache=SHARED)

    # Rulebooks

    async def rulebook(self, request: Request) -> Response:
        """A game's rulebook."""
        found = self._game(request)
        html = await asyncio.to_thread(rulebook, *found) if found else None
        return self._missing() if html is None else answer(html, "text/html", SHARED)

    async def picture(self, request: Request) -> Response:
        """A picture of it."""
        game = request.path_params["game"]
        known = game in self._sessions.readiness.progress
        content = await asyncio.to_thread(picture, game, request.path_params["file"]) if known else None
        return self._missing() if content is None else answer(content, "image/svg+xml", SHARED)

    # Lessons

    async def lesson(self, request: Request) -> Response:
        """A game's lesson, played through by its rules."""
        found = self._game(request)
        if found is None or not has_lesson(found[0]):
            return self._missing()
        self._sessions.readiness.want(found[0], silent)
        return answer(await asyncio.to_thread(lesson_json, *found), "application/json", SHARED)

    async def lesson_refusal(self, request: Request) -> Response:
        """Why the learner can't make a move at a step; null if it is legal."""
        game, step = request.path_params["game"], small_number(request.path_params["step"])
        known = game in self._sessions.readiness.progress and has_lesson(game)
        if not known or step is None or step >= len(steps_of(game)):
            return self._missing()
        self._sessions.readiness.want(game, silent)
        move = request.query_params.get("move", "")
        return json(await asyncio.to_thread(refusal_at, game, step, move))

    def _game(self, request: Request) -> tuple[str, str] | None:
        game, language = request.path_params["game"], request.path_params["language"]
        known = game in self._sessions.readiness.progress and language in LANGUAGES
        return (game, language) if known else None

    # Scores of games with real cards

    async def score(self, request: Request) -> Response:
        """What a score sheet comes to; nothing is kept of it."""
        headers = request.headers
        if not allowed(headers.getlist("Origin"), headers.get("Host", ""), self._public_url):
            return refusal(NotAllowed("other-origin"), 403)
        game = request.path_params["game"]
        known = game in self._sessions.readiness.progress
        calculator = (await asyncio.to_thread(kibitz.game, game)).calculator if known else None
        if calculator is None:
            return self._missing()
        if (refused := too_often(self._sheets, asker_of(request).household)) is not None:
            return refused
        limits = self._sessions.limits
        try:
            sheet = msgspec.json.decode(await content_of(request, limits.sheet_bytes, limits.body_seconds))
            return json(await asyncio.to_thread(calculator, sheet))
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            return refusal(NotAllowed("bad-message", problem=str(error)[:200]), 400)
        except KibitzError as error:
            return not_taken(error)

    # Records and invitations

    async def record(self, request: Request) -> Response:
        """The record of a game that is over."""
        if (refused := too_often(self._handouts, asker_of(request).household)) is not None:
            return refused
        table = request.path_params["table"]
        try:
            record = await self._sessions.tables.lobby.record(table)
        except KibitzError as error:
            status = 409 if error.code == "sealed" else 404
            return json({"code": error.code, "reason": error.reason}, status=status)
        if record is None:
            return json(
                {"code": "not-over", "reason": "A record is given out when the game is over."}, status=409
            )
        response = answer(record.json(), "application/json")
        response.headers["Content-Disposition"] = f'attachment; filename="{record.game}-{table}.json"'
        return response

    async def turns(self, request: Request) -> Response:
        """The turns of a guest who was told the address."""
        secret, form = request.path_params["secret"], request.path_params["form"]
        guest = feeds.guest_of(self._sessions.store, secret)
        if guest is None or form not in ("atom", "ics"):
            return self._missing()
        if (refused := too_often(self._handouts, asker_of(request).household)) is not None:
            return refused
        mine = await self._sessions.tables.lobby.tables_of(guest)
        waiting = [table for table in mine if table.your_turn]
        language = request.query_params.get("language", "en")
        url = self._host.url.rstrip("/")
        if form == "ics":
            return answer(feeds.calendar(waiting, url, language), "text/calendar")
        return answer(feeds.atom(waiting, url, secret, language), "application/atom+xml")

    async def me(self, request: Request) -> Response:
        """All that is kept about the guest whose token is shown, not in the address."""
        store = self._sessions.store
        guest = await guests.known_guest(store, shown_secret(request))
        if guest is None:
            return refusal(NotAllowed("token-needed"), 401)
        try:
            self._exports.take(guest.id, asker_of(request).household)
        except NotAllowed as error:
            return refusal(error, 429, {"Retry-After": str(error.data["count"])})
        return json(await kept_about(store, guest))

    async def qr(self, request: Request) -> Response:
        """An address of this server as a QR code."""
        path = request.query_params.get("path", "/")
        if not path.startswith("/") or path.startswith("//") or "\\" in path or len(path) > 200:
            return json(
                {"code": "bad-path", "reason": "A path of this server begins with one “/”."}, status=400
            )
        if (refused := too_often(self._handouts, asker_of(request).household)) is not None:
            return refused
        picture = await asyncio.to_thread(qr_code, self._host.url.rstrip("/") + path)
        return answer(picture, "image/svg+xml")

    # The page

    async def file(self, request: Request) -> Response:
        """A file of the page; every other address is the page itself, which knows what to show."""
        path = request.path_params["path"]
        if path and (found := self._found(path)) is not None:
            return await asyncio.to_thread(_file, found, path)
        if "." in path.rpartition("/")[2]:
            return self._missing()
        index = self._folder / "index.html"
        if not index.is_file():
            return answer(UNBUILT, "text/html", status=503)
        return await asyncio.to_thread(_file, index, "index.html")

    def _found(self, path: str) -> Path | None:
        """The page's file of that name."""
        try:
            found = (self._folder / path).resolve()
            is_page = found.is_relative_to(self._folder.resolve()) and found.suffix not in CODINGS.values()
            return found if is_page and found.is_file() else None
        except (OSError, ValueError):  # no file could have such a name
            return None

    async def nothing(self, request: Request) -> Response:
        """No such address."""
        return self._missing()

    def _missing(self) -> Response:
        return json(NOT_FOUND, status=404)


@lru_cache(QR_CODES)
def qr_code(address: str) -> bytes:
    """An address as a picture."""
    picture = io.BytesIO()
    segno.make(address, error="m").save(
        picture, kind="svg", xmldecl=False, border=2, scale=4, dark="#000", light="#fff"
    )
    return picture.getvalue()


async def http_refusal(request: Request, error: Exception) -> Response:
    """The answer to a request that no route takes: wrong address, wrong method, not understood."""
    assert isinstance(error, HTTPException)
    response = json({"code": "bad-request", "reason": error.detail}, error.status_code)
    response.headers.update(error.headers or {})
    return response


async def http_failure(request: Request, error: Exception) -> Response:
    """The answer when a request has made the server fail."""
    return refusal(NotAllowed("internal"), 500)


def _file(file: Path, path: str) -> Response:
    """A file with its compressed forms, which lie beside it."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    beside = {coding: file.with_name(file.name + ending) for coding, ending in CODINGS.items()}
    forms = {coding: form.read_bytes for coding, form in beside.items() if form.is_file()}
    cache = FOREVER if path.startswith("files/") else FRESH
    return Answer(file.read_bytes(), kind, cache, forms=forms)


def game_facts(name: str) -> dict[str, Any]:
    """What a page needs to offer a game."""
    game = kibitz.game(name)
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "best_with": game.best_with or game.players.start,
        "minutes": game.minutes,
        "steps": game.steps,
        "tagline": {language: game.words(language)("tagline") for language in LANGUAGES},
        "calculator": game.calculator is not None,
        "lesson": has_lesson(name),
        "puzzles": bool(puzzles(name).puzzles),
        "options": [_option_facts(option, game.players.stop - 1) for option in game.options],
    }


def _option_facts(option: Option, players: int) -> dict[str, Any]:
    """Seats are given as for the most players."""
    choices = [
        {"from": choice.start, "to": choice.stop - 1} if isinstance(choice, range) else {"value": choice}
        for choice in option.choices(players)
    ]
    return {
        "name": option.name,
        "default": option.default,
        "choices": choices,
        "seats": ANY_SEAT in option.accepts,
        "only_with": option.only_with and {"option": option.only_with[0], "values": option.only_with[1]},
    }

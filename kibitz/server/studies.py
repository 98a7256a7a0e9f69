"""What is asked over plain HTTP about games that are over: their moments and their reviews; and puzzles."""

import asyncio
import math
from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kibitz.bots.puzzles import puzzles
from kibitz.core.errors import KibitzError
from kibitz.core.record import Record
from kibitz.server.addresses import LOOPBACK, counted, household
from kibitz.server.analyst import Task
from kibitz.server.analysts import Analysts, ReviewProgress, Reviews, progress_of
from kibitz.server.answers import A_WHILE, answer, json, refusal
from kibitz.server.limits import Limits, Rate
from kibitz.server.moments import ALL_OPEN, Viewpoint, moments_of
from kibitz.server.origins import allowed
from kibitz.server.readiness import Readiness
from kibitz.server.refusals import NotAllowed
from kibitz.server.requests import content_of

Handler = Callable[[Request], Awaitable[Response]]


class OfGame(msgspec.Struct):
    """As much of a record as the server itself reads: which game's rules have to be ready."""

    game: str


class Studies:
    """Records are sent along: whoever has one may study it, and nothing of it is kept but its review."""

    def __init__(
        self,
        analysts: Analysts,
        reviews: Reviews,
        readiness: Readiness,
        limits: Limits,
        public_url: str | None,
    ) -> None:
        self._analysts = analysts
        self._reviews = reviews
        self._readiness = readiness
        self._limits = limits
        self._public_url = public_url
        self._showing = asyncio.Semaphore(1)  # one game is shown after the other: others have their turn
        self._rate = Rate(limits.studies, limits.study_seconds)

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/api/record/moments", self._checked(self.moments), methods=["POST"]),
            Route("/api/record/review", self._checked(self.review), methods=["POST"]),
            Route("/api/reviews/{review}", self.progress),
            Route("/api/games/{game}/puzzles.json", self.puzzles),
            Route("/api/games/{game}/puzzles/{puzzle}", self._checked(self.puzzle), methods=["POST"]),
        ]

    def _checked(self, handler: Handler) -> Handler:
        """Only this server's pages may ask for work, not too often; what is wrong is said in words."""

        async def checked(request: Request) -> Response:
            headers = request.headers
            if not allowed(headers.getlist("Origin"), headers.get("Host", ""), self._public_url):
                return refusal(NotAllowed("other-origin"), 403)
            address = household(request.client.host if request.client else LOOPBACK[0])
            if counted(address) and (wait := self._rate.wait(address)):
                seconds = math.ceil(wait)
                return refusal(NotAllowed("slow-down", count=seconds), 429, {"Retry-After": str(seconds)})
            try:
                return await handler(request)
            except KibitzError as error:
                return refusal(error, 400)

        return checked

    async def moments(self, request: Request) -> Response:
        """A recorded game, move by move, as a seat (`?at=0`), a spectator or everybody together saw it."""
        record = await self._record(request)
        asked = request.query_params.get("at", "")
        async with self._showing:
            found = await asyncio.to_thread(shown_moments, record, viewpoint(asked))
        return answer(found, "application/json")

    async def review(self, request: Request) -> Response:
        """Begin to look at a recorded game again, or tell how far that is."""
        return told(self._reviews.begin(await self._record(request)))

    async def progress(self, request: Request) -> Response:
        """A review, or how far it is; who asks no more has it stopped."""
        try:
            return told(self._reviews.ask(request.path_params["review"]))
        except KibitzError as error:
            return refusal(error, 404)

    async def _record(self, request: Request) -> str:
        """The record that was sent along, if it isn't too long and its game is one of ours."""
        content = await content_of(request, self._limits.record_bytes, self._limits.body_seconds)
        try:
            game = msgspec.json.decode(content, type=OfGame).game
            text = content.decode()
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise NotAllowed("bad-record", problem=str(error)[:200]) from None
        await self._readiness.wait(game, lambda *_: None)
        return text

    # Puzzles

    async def puzzles(self, request: Request) -> Response:
        """Which puzzles there are: each with its grade."""
        game = request.path_params["game"]
        if game not in self._readiness.progress:
            return refusal(NotAllowed("unknown-game", name=game), 404)
        found = (await asyncio.to_thread(puzzles, game)).puzzles
        return json([{"id": one.id, "grade": one.grade} for one in found], cache=A_WHILE)

    async def puzzle(self, request: Request) -> Response:
        """A puzzle's table; with `?move=`, what came of it."""
        game = request.path_params["game"]
        await self._readiness.wait(game, lambda *_: None)
        task = Task(
            kind="puzzle",
            game=game,
            puzzle=request.path_params["puzzle"],
            move=request.query_params.get("move"),
        )
        return answer(await self._analysts.ask(task), "application/json")


def shown_moments(record: str, at: Viewpoint) -> bytes:
    """A recorded game's moments, as they are sent."""
    return msgspec.json.encode(moments_of(Record.parse(record), at))


def viewpoint(asked: str) -> Viewpoint:
    """From where a game is looked at."""
    if asked == ALL_OPEN:
        return ALL_OPEN
    if asked.isascii() and asked.isdigit() and len(asked) < 3:
        return int(asked)
    if asked:
        raise NotAllowed("no-such-seat")
    return None


def told(progress: ReviewProgress) -> Response:
    """A review, how far it is, or why there is none."""
    if progress.error is not None:
        return refusal(progress.error, 400)
    if progress.found is None:
        return json(progress_of(progress), status=202)
    return answer(progress.found, "application/json")

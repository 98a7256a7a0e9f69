"""What is asked over plain HTTP about games that are over: their moments and their reviews; and puzzles."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kibitz
from kibitz.bots.puzzles import of_the_day, puzzles
from kibitz.core.errors import KibitzError
from kibitz.core.record import Record
from kibitz.server.limits import Limits, Rate
from kibitz.server.net.answers import SHARED, answer, json, not_taken, refusal, too_often
from kibitz.server.net.origins import allowed
from kibitz.server.net.requests import asker_of, content_of, small_number
from kibitz.server.readiness import Readiness, silent
from kibitz.server.study.analyst import Task
from kibitz.server.study.analysts import Analysts, ReviewProgress, Reviews, progress_of
from kibitz.server.study.moments import ALL_OPEN, Viewpoint, moments_of, position_json
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Turns

Handler = Callable[[Request], Awaitable[Response]]


class OfGame(msgspec.Struct):
    """As much of a record as the server itself reads: which game's rules have to be ready."""

    game: str
    moves: list[Any] = []


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
        self._showing = Turns(1, limits.analyses)  # one game is shown after the other
        self._rate = Rate(limits.studies, limits.study_seconds)

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/api/record/moments", self._checked(self.moments), methods=["POST"]),
            Route("/api/record/review", self._checked(self.review), methods=["POST"]),
            Route("/api/reviews/{review}", self.progress),
            Route("/api/games/{game}/position.json", self.position),
            Route("/api/puzzles.json", self.puzzles),
            Route("/api/games/{game}/puzzles/{puzzle}", self._checked(self.puzzle), methods=["POST"]),
            Route("/api/games/{game}/puzzles/{puzzle}/answer", self._checked(self.answer), methods=["POST"]),
        ]

    def _checked(self, handler: Handler) -> Handler:
        """Only this server's pages may ask for work, not too often; what is wrong is said in words."""

        async def checked(request: Request) -> Response:
            headers = request.headers
            if not allowed(headers.getlist("Origin"), headers.get("Host", ""), self._public_url):
                return refusal(NotAllowed("other-origin"), 403)
            if (refused := too_often(self._rate, asker_of(request).household)) is not None:
                return refused
            try:
                return await handler(request)
            except KibitzError as error:
                return not_taken(error)

        return checked

    async def moments(self, request: Request) -> Response:
        """A recorded game, move by move, as a seat (`?at=0`), a spectator or everybody together saw it."""
        record = await self._record(request, self._limits.record_moves)
        asked = request.query_params.get("at", "")
        async with self._showing.turn(asker_of(request)):
            found = await asyncio.to_thread(shown_moments, record, viewpoint(asked))
        return answer(found, "application/json")

    async def review(self, request: Request) -> Response:
        """Begin to look at a recorded game again, or tell how far that is."""
        record = await self._record(request, self._limits.review_moves)
        return told(self._reviews.begin(asker_of(request), record))

    async def progress(self, request: Request) -> Response:
        """A review, or how far it is; who asks no more has it stopped."""
        try:
            return told(self._reviews.ask(request.path_params["review"]))
        except KibitzError as error:
            return refusal(error, 404)

    async def _record(self, request: Request, most: int) -> str:
        """The record that was sent along, if it isn't too long and its game is one of ours."""
        content = await content_of(request, self._limits.record_bytes, self._limits.body_seconds)
        try:
            known = msgspec.json.decode(content, type=OfGame)
            text = content.decode()
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise NotAllowed("bad-record", problem=str(error)[:200]) from None
        if len(known.moves) > most:
            raise NotAllowed("record-too-long", most=most)
        await self._readiness.wait(known.game, silent)
        return text

    async def position(self, request: Request) -> Response:
        """A real position, for a game's card on the shelf; nothing while the game isn't ready."""
        game = request.path_params["game"]
        if game not in self._readiness.progress:
            return refusal(NotAllowed("unknown-game", name=game), 404)
        if not self._readiness.progress[game].ready:
            return Response(status_code=204)
        return answer(await asyncio.to_thread(position_json, game), "application/json", cache=SHARED)

    # Puzzles

    async def puzzles(self, request: Request) -> Response:
        """Which puzzles there are, each with its grade; and the one of the day."""
        return json(await asyncio.to_thread(listed_puzzles, datetime.now(UTC).date()))

    async def puzzle(self, request: Request) -> Response:
        """A puzzle's table."""
        return await self._puzzled("puzzle", request)

    async def answer(self, request: Request) -> Response:
        """What comes of `?move=`; without one, of the best."""
        return await self._puzzled("answer", request)

    async def _puzzled(self, kind: str, request: Request) -> Response:
        game, id = request.path_params["game"], request.path_params["puzzle"]
        await self._readiness.wait(game, silent)
        task = Task(kind=kind, game=game, puzzle=id, move=request.query_params.get("move"))
        return answer(await self._analysts.ask(asker_of(request), task), "application/json")


def listed_puzzles(today: date) -> dict[str, Any]:
    """The puzzles of all games, and today's."""
    game, daily = of_the_day(today)
    games = {
        name: [{"id": one.id, "grade": one.grade} for one in puzzles(name).puzzles] for name in kibitz.games()
    }
    return {"daily": {"date": today.isoformat(), "game": game, "id": daily.id}, "games": games}


def shown_moments(record: str, at: Viewpoint) -> bytes:
    """A recorded game's moments, as they are sent."""
    return msgspec.json.encode(moments_of(Record.parse(record), at))


def viewpoint(asked: str) -> Viewpoint:
    """From where a game is looked at."""
    if asked == ALL_OPEN:
        return ALL_OPEN
    seat = small_number(asked)
    if asked and seat is None:
        raise NotAllowed("no-such-seat")
    return seat


def told(progress: ReviewProgress) -> Response:
    """A review, how far it is, or why there is none."""
    if progress.error is not None:
        return refusal(progress.error, 400)
    if progress.found is None:
        return json(progress_of(progress), status=202)
    return answer(progress.found, "application/json")

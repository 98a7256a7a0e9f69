"""Stopping a node so that nobody notices: the balancer first, then the players, then the bots.

SIGTERM: no new tables, `/readyz` says so; after a while, in which a balancer has sent newcomers elsewhere,
connections are closed with the code for a restart, leases are let go, and it ends. A second signal ends it
now.
"""

import asyncio
import signal
from types import FrameType

import uvicorn

from kibitz.server.net.session import Sessions

SECONDS = 2.0  # for a balancer to notice, where there may be one


class DrainingServer(uvicorn.Server):
    """A server that takes its time to stop."""

    def __init__(self, config: uvicorn.Config, sessions: Sessions, seconds: float) -> None:
        super().__init__(config)
        self._sessions = sessions
        self._seconds = seconds

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to stop."""
        if sig != signal.SIGTERM or self._sessions.draining or not self._seconds:
            super().handle_exit(sig, frame)
            return
        self._sessions.draining = True
        asyncio.get_running_loop().call_later(self._seconds, super().handle_exit, sig, frame)

"""What hosts look at: readiness while a node drains, figures behind a secret, complaints as JSON."""

import asyncio
import base64
import logging
import os
import signal

import msgspec
import pytest

import kibitz
from kibitz.server.complaints import AsJson
from tests.server.client import connected, fetch
from tests.server.conftest import Start
from tests.server.engines import needs_postgres
from tests.server.serving import in_loop

SECRET = "0123456789abcdef"


@in_loop
async def test_figures_are_the_hosts_alone(start: Start) -> None:
    pytest.importorskip("prometheus_client")
    server = start(host_secret=SECRET)
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        await ann.do("chat", table=table, text="hello")
        for wrong in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic %%%"}):
            for path in ("/metrics", "/host.json"):
                assert (await fetch(server.port, path, headers=wrong))[0] == 401
        bearer = {"Authorization": f"Bearer {SECRET}"}
        status, _, text = await fetch(server.port, "/metrics", headers=bearer)
        assert status == 200
        assert b"kibitz_connections 1.0" in text
        assert b"kibitz_rows_total 1.0" in text
        assert b'kibitz_append_seconds_bucket{le="+Inf"} 1.0' in text
        assert f'kibitz_build_info{{version="{kibitz.__version__}"}} 1.0'.encode() in text
        assert b"process_open_fds" in text
        basic = {"Authorization": "Basic " + base64.b64encode(f"host:{SECRET}".encode()).decode()}
        told = msgspec.json.decode((await fetch(server.port, "/host.json", headers=basic))[2])
        assert told["rows"] == 1
        token = ann.welcome["token"]
        assert token.encode() not in text
        assert table.encode() not in text


@in_loop
async def test_without_a_secret_there_are_no_figures_and_no_desk(start: Start) -> None:
    server = start()
    assert (await fetch(server.port, "/host/notice", b'{"text": "Hello"}'))[0] in (404, 405)
    assert (await fetch(server.port, "/metrics"))[1]["content-type"].startswith("text/html") or (
        (await fetch(server.port, "/metrics"))[0] in (404, 503)
    )
    assert b"kibitz_rows" not in (await fetch(server.port, "/metrics"))[2]
    assert (await fetch(server.port, "/readyz"))[0] == 200


@needs_postgres
@in_loop
async def test_a_node_that_is_told_to_stop_drains(start: Start, database: str) -> None:
    pytest.importorskip("psycopg")
    server = start(store=database, drain=1.5)
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        assert (await fetch(server.port, "/readyz"))[0] == 200
        os.kill(server.pid, signal.SIGTERM)
        while (await fetch(server.port, "/readyz"))[0] == 200:
            await asyncio.sleep(0.01)
        assert await ann.code("create", game="tiny", seats=["me", "open"]) == "stopping"
        await ann.do("chat", table=table, text="still here")
        await ann.socket.wait_closed()
        assert ann.socket.close_code == 1012
    server.pid = 0


def test_a_complaint_as_json_names_its_table() -> None:
    record = logging.LogRecord(
        "kibitz.live_tables", logging.ERROR, "", 0, "table %s is damaged", ("ABCDEFGH",), None
    )
    told = msgspec.json.decode(AsJson().format(record))
    assert (told["level"], told["part"], told["table"]) == ("error", "live_tables", "ABCDEFGH")

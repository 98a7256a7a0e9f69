"""`kibitz serve`: find a port, tell where the server is, open a browser, and run until it is stopped."""

import contextlib
import errno
import os
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path

import platformdirs
import segno
import uvicorn
from starlette.applications import Starlette

from kibitz.core.errors import KibitzError
from kibitz.server.addressed import check_bus, open_store
from kibitz.server.app import create_app, parts_for
from kibitz.server.complaints import set_up_log
from kibitz.server.net.pages import Host
from kibitz.server.nodes import draining
from kibitz.server.settings import HostSettings, no_settings, shown
from kibitz.server.stores.store_file import FILE, require_writable

TRIED_PORTS = 20
EVERYWHERE = ("0.0.0.0", "::", "")
GRACE = 3  # seconds for connections to close


def default_data() -> Path:
    """Where tables are kept unless told otherwise."""
    return platformdirs.user_data_path("kibitz") / "server"


def serve(settings: HostSettings, open_browser: bool = True) -> None:
    """Run the server until it is stopped."""
    set_up_log(settings.log)
    host, port = settings.host, settings.port
    with listen(host, port, tried_ports(settings)) as listening:
        found: int = listening.getsockname()[1]
        if found != port and port != 0:
            print(f"Port {port} is taken by another program; using {found} instead.", flush=True)
        reach = reachable(host, found, settings.public_url)
        folder = Path(settings.data) if settings.data else default_data()
        parts = parts_for(settings, folder, reach)
        announce(host, found, reach, kept_where(settings, folder))
        if open_browser and has_browser():
            threading.Thread(
                target=_open_soon, args=(f"http://{_own_name(host)}:{found}/",), daemon=True
            ).start()
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how it is meant to end
            server(create_app(parts), drain_seconds(settings)).run(sockets=[listening])


def tried_ports(settings: HostSettings) -> int:
    """A balancer knows a node's port, and would never find another."""
    return 1 if settings.store else TRIED_PORTS


def drain_seconds(settings: HostSettings) -> float:
    """How long a node goes on after it was told to stop: one that is alone has nobody to hand over to."""
    if settings.drain_seconds is not None:
        return settings.drain_seconds
    return draining.SECONDS if settings.store else 0.0


def check(settings: HostSettings) -> list[str]:
    """Look whether a server could start with these settings; returns what is in order."""
    told = [f"settings: host {settings.host}, port {settings.port}, log as {settings.log}"]
    told += [f"passed over: {name}, which is no setting" for name in no_settings()]
    listen(settings.host, 0).close()  # the port itself may be a running server's, that is to be restarted
    folder = Path(settings.data) if settings.data else default_data()
    if settings.store or (folder / FILE).exists():
        open_store(settings.store, folder)
    else:
        require_writable(folder)
    told.append(f"store: {kept_where(settings, folder)}")
    if settings.bus:
        check_bus(settings.bus)
        told.append(f"bus: {shown(settings.bus)}")
    return told


def kept_where(settings: HostSettings, folder: Path) -> str:
    """Where tables are kept, in words, without a password."""
    if settings.store is None:
        return str(folder.absolute())
    return shown(settings.store)


def server(app: Starlette, drain: float = 0.0) -> uvicorn.Server:
    """The server around an application."""
    config = uvicorn.Config(
        app,
        http=app.state.http,
        ws="none",
        log_config=None,  # uvicorn's loggers speak through ours
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        lifespan="on",
    )
    return draining.DrainingServer(config, app.state.sessions, drain)


# Where


def listen(host: str, port: int, tried: int = TRIED_PORTS) -> socket.socket:
    """A socket on the port, or on the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for attempt in range(tried if port else 1):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port + attempt))
            listening.listen(2048)
        except OSError as error:
            listening.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise KibitzError(
                    "no-host", f"This machine can't listen at {host!r}: {error.strerror}."
                ) from error
            last = error
        else:
            listening.set_inheritable(True)
            return listening
    ports = f"port {port}" if tried == 1 else f"one of the ports {port} to {port + tried - 1}"
    raise KibitzError("no-port", f"Kibitz can't have {ports} at {host}: {last.strerror}.", {"port": port})


def reachable(host: str, port: int, public_url: str | None) -> Host:
    """How others find the server."""
    if public_url is not None:
        return Host(local=False, url=public_url.rstrip("/"))
    if host in EVERYWHERE:
        return Host(local=False, url=f"http://{lan_address()}:{port}")
    return Host(local=host in ("127.0.0.1", "::1", "localhost"), url=f"http://{_own_name(host)}:{port}")


def lan_address() -> str:
    """This machine's address in its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address set aside for documentation
            address: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return address


def _own_name(host: str) -> str:
    if host in EVERYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


# Telling


def announce(host: str, port: int, reach: Host, kept: str) -> None:
    """Say where the server is, for a network as a QR code too, and where it keeps its tables."""
    print(f"Kibitz is at http://{_own_name(host)}:{port}/", flush=True)
    if reach.local:
        print("Only this machine can reach it; for your network: --host 0.0.0.0", flush=True)
    else:
        print(f"Others find it at {reach.url}/", flush=True)
        if sys.stdout.isatty():
            segno.make(reach.url + "/").terminal(compact=True)
    print(f"Tables are kept in {kept}", flush=True)
    print("Stop it with Ctrl-C.", flush=True)


def has_browser() -> bool:
    """Whether somebody sits in front of a browser here."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _open_soon(url: str) -> None:
    time.sleep(0.5)
    webbrowser.open(url)

"""`make cluster`: PostgreSQL, NATS, three nodes and HAProxy on this machine, from an empty folder.

`make cluster ARGS=stop` stops them; what was played stays, and the next start goes on with it.
Other ports: ARGS="--port 9000". The balancer has the port, the nodes those after it; they are kept until
another is told.
"""

import argparse
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from scripts.engines import Postgres, answers, here, ordinary_user, wait_until

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "cluster"
NODES = 3
PORT = 8080
NEEDED = ("initdb", "nats-server", "haproxy")
START_SECONDS = 60.0
STOP_SECONDS = 15.0  # for a program to end by itself


class Cluster:
    """All programs, each with its process's number in a file, so that another call can stop them."""

    def __init__(
        self, folder: Path, port: int, nodes: int = NODES, settings: dict[str, str] | None = None
    ) -> None:
        self.folder = folder
        self.port = port
        self.node_ports = [port + 1 + node for node in range(nodes)]
        self.nats_port = port + 10
        home = Path("/tmp") if ordinary_user() else folder  # an ordinary user can't enter root's folders
        self.postgres_folder = home / f"kibitz-cluster-{port}" if ordinary_user() else folder / "postgres"
        self.postgres = Postgres(self.postgres_folder, port + 11, settings)
        self.store = self.postgres.database("kibitz")
        self.bus = f"nats://127.0.0.1:{self.nats_port}"

    # Starting

    def start(self) -> None:
        """Start what isn't running, one after the other."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.start_postgres()
        tell("PostgreSQL", self.store)
        self.start_nats()
        tell("NATS", self.bus)
        for node in range(len(self.node_ports)):
            self.start_node(node)
            tell(f"node {node + 1}", f"http://127.0.0.1:{self.node_ports[node]}/")
        self.start_balancer()
        tell("HAProxy", f"http://127.0.0.1:{self.port}/  <- play here")

    def start_postgres(self) -> None:
        """The database, made at the first time."""
        if not (self.postgres_folder / "PG_VERSION").exists():
            self.postgres.make()
        if not (self.postgres_folder / "postmaster.pid").exists():
            require_free(self.postgres.port)
        if not answers(self.postgres.port):
            self.postgres.start()
        if "kibitz" not in self.postgres.psql("SELECT datname FROM pg_database").split():
            self.postgres.psql("CREATE DATABASE kibitz")

    def start_nats(self) -> None:
        """The bus."""
        program = shutil.which("nats-server") or "/usr/sbin/nats-server"
        self.run("nats", [program, "-a", "127.0.0.1", "-p", str(self.nats_port)], self.nats_port)

    def node_command(self, node: int) -> list[str]:
        """How a node is started."""
        kibitz = str(Path(sys.executable).parent / "kibitz")
        where = ["--store", self.store, "--bus", self.bus, "--public-url", f"http://127.0.0.1:{self.port}"]
        return [kibitz, "serve", "--no-browser", "--port", str(self.node_ports[node]), *where]

    def start_node(self, node: int) -> None:
        """A node."""
        self.run(self.nodes[node], self.node_command(node), self.node_ports[node])

    def start_balancer(self) -> None:
        """HAProxy, with the file that hosts can begin with."""
        made = self.folder / "haproxy.cfg"
        made.write_text(balancer_config(self.port, self.node_ports))
        program = shutil.which("haproxy") or "/usr/sbin/haproxy"
        self.run("haproxy", [program, "-f", str(made)], self.port)

    def run(self, name: str, command: list[str], port: int) -> None:
        """Start a program that goes on when we are gone, and wait until it answers."""
        if pid := self.pid(name):
            if answers(port):
                return
            wait_until(lambda: gone(pid), f"the end of {name}")
        require_free(port)
        with (self.folder / f"{name}.txt").open("ab") as said:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
        (self.folder / f"{name}.pid").write_text(f"{process.pid} {begun(process.pid)}")
        wait_until(lambda: ended(process, self.folder / f"{name}.txt") or answers(port), name, START_SECONDS)
        process.returncode = 0  # nobody waits for it, so Python needn't warn of that

    # Stopping

    def pid(self, name: str) -> int | None:
        """The process of a program that runs; its number may be another's by now."""
        try:
            pid, when = map(int, (self.folder / f"{name}.pid").read_text().split())
            return pid if begun(pid) == when else None
        except (OSError, ValueError):
            return None

    def end(self, *names: str, seconds: float = STOP_SECONDS) -> None:
        """End programs, all at once, and wait for that; kill those that don't hear."""
        pids = [pid for pid in map(self.pid, names) if pid]
        for pid in pids:
            os.kill(pid, signal.SIGTERM)
        with suppress(TimeoutError):
            wait_until(lambda: all(map(gone, pids)), "an end", seconds)
            return
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: all(map(gone, pids)), "an end")

    @property
    def nodes(self) -> list[str]:
        """What the nodes are called."""
        return [f"node-{node + 1}" for node in range(len(self.node_ports))]

    @property
    def programs(self) -> list[str]:
        """Those beside PostgreSQL."""
        return ["haproxy", *self.nodes, "nats"]

    @property
    def runs(self) -> bool:
        """Whether any of it does."""
        return any(map(self.pid, self.programs)) or answers(self.postgres.port)

    def stop(self) -> None:
        """Stop all, those first that need the others."""
        self.end("haproxy")
        self.end(*self.nodes)
        self.end("nats")
        if (self.postgres_folder / "postmaster.pid").exists():
            self.postgres.stop()


def balancer_config(port: int, node_ports: list[int]) -> str:
    """What deploy/haproxy.cfg says, for these ports."""
    config = (ROOT / "deploy" / "haproxy.cfg").read_text().replace("bind :8080", f"bind 127.0.0.1:{port}")
    head, _, _ = config.partition("    server node1")
    nodes = [f"    server node{node + 1} 127.0.0.1:{port}\n" for node, port in enumerate(node_ports)]
    return head + "".join(nodes)


def ended(process: "subprocess.Popen[bytes]", said: Path) -> bool:
    """Raise if a program has ended that shouldn't have."""
    if process.poll() is not None:
        raise SystemExit(f"{said.stem} ended: {said.read_text()[-2000:]}")
    return False


def begun(pid: int) -> int:
    """When a process began, as the system counts."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def require_free(port: int) -> None:
    """Refuse a port that somebody listens on."""
    if answers(port):
        raise SystemExit(f"Port {port} is taken by another program. Choose others: ARGS='--port 9000'")


def gone(pid: int) -> bool:
    """Whether a process has ended, be it ours or not."""
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return True
    except ChildProcessError:
        pass
    return not Path(f"/proc/{pid}").exists()


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One call at a time: two would start everything twice."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def kept_port(folder: Path) -> int | None:
    """The port of the last start."""
    kept = folder / "port"
    return int(kept.read_text()) if kept.exists() else None


def tell(what: str, where: str) -> None:
    """A line that says where something is."""
    print(f"{what:<12} {where}", flush=True)


def main() -> None:
    """Start or stop."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("what", nargs="?", choices=("start", "stop"), default="start")
    parser.add_argument("--port", type=int, help=f"of the balancer; {PORT} at first")
    asked = parser.parse_args()
    missing = [program for program in NEEDED if not here(program)]
    if missing:
        raise SystemExit(
            f"Not here: {', '.join(missing)}. "
            "Debian, Ubuntu: sudo apt-get install postgresql nats-server haproxy"
        )
    with alone(FOLDER):
        start_or_stop(asked.what, asked.port)


def start_or_stop(what: str, port: int | None, folder: Path = FOLDER, nodes: int = NODES) -> None:
    """Start on a port, or on that of the last time; or stop what was last started."""
    before = kept_port(folder)
    last = Cluster(folder, before or PORT, nodes)
    if what == "stop":
        last.stop()
        print("All stopped; what was played is kept.", flush=True)
        return
    if port not in (None, before) and last.runs:
        raise SystemExit(f"It runs at port {before}. Stop it first: make cluster ARGS=stop")
    cluster = Cluster(folder, port or before or PORT, nodes)
    (folder / "port").write_text(str(cluster.port))
    cluster.start()
    print("Stop it: make cluster ARGS=stop", flush=True)


if __name__ == "__main__":
    main()

"""`make cluster`: PostgreSQL, NATS, three nodes and HAProxy on this machine, from an empty folder.

`make cluster ARGS=stop` stops them; what was played stays, and the next start goes on with it.
Other ports: ARGS="--port 9000". The balancer has the port, the nodes those after it.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from scripts.engines import Postgres, answers, here, ordinary_user, wait_until

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "cluster"
NODES = 3
NEEDED = ("initdb", "nats-server", "haproxy")
START_SECONDS = 60.0


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
        self.run(f"node-{node + 1}", self.node_command(node), self.node_ports[node])

    def start_balancer(self) -> None:
        """HAProxy, with the file that hosts can begin with."""
        made = self.folder / "haproxy.cfg"
        made.write_text(balancer_config(self.port, self.node_ports))
        program = shutil.which("haproxy") or "/usr/sbin/haproxy"
        self.run("haproxy", [program, "-f", str(made)], self.port)

    def run(self, name: str, command: list[str], port: int) -> None:
        """Start a program that goes on when we are gone, and wait until it answers."""
        if self.pid(name) and answers(port):
            return
        if answers(port):
            raise SystemExit(f"Port {port} is taken by another program. Choose others: ARGS='--port 9000'")
        with (self.folder / f"{name}.txt").open("ab") as said:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
        (self.folder / f"{name}.pid").write_text(str(process.pid))
        wait_until(lambda: ended(process, self.folder / f"{name}.txt") or answers(port), name, START_SECONDS)

    # Stopping

    def pid(self, name: str) -> int | None:
        """The process of a program that runs."""
        try:
            pid = int((self.folder / f"{name}.pid").read_text())
            os.kill(pid, 0)
        except (OSError, ValueError):
            return None
        return pid

    def end(self, name: str, with_signal: signal.Signals = signal.SIGTERM) -> None:
        """End a program, and wait for that."""
        if pid := self.pid(name):
            os.kill(pid, with_signal)
            wait_until(lambda: gone(pid), f"the end of {name}")

    def stop(self) -> None:
        """Stop all, those first that need the others."""
        for name in ("haproxy", *(f"node-{node + 1}" for node in range(len(self.node_ports))), "nats"):
            self.end(name)
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


def gone(pid: int) -> bool:
    """Whether a process has ended, be it ours or not."""
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return True
    except ChildProcessError:
        pass
    return not Path(f"/proc/{pid}").exists()


def tell(what: str, where: str) -> None:
    """A line that says where something is."""
    print(f"{what:<12} {where}", flush=True)


def main() -> None:
    """Start or stop."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("what", nargs="?", choices=("start", "stop"), default="start")
    parser.add_argument("--port", type=int, default=8080)
    asked = parser.parse_args()
    missing = [program for program in NEEDED if not here(program)]
    if missing:
        raise SystemExit(
            f"Not here: {', '.join(missing)}. "
            "Debian, Ubuntu: sudo apt-get install postgresql nats-server haproxy"
        )
    cluster = Cluster(FOLDER, asked.port)
    if asked.what == "stop":
        cluster.stop()
        print("All stopped; what was played is kept.", flush=True)
    else:
        cluster.start()
        print("Stop it: make cluster ARGS=stop", flush=True)


if __name__ == "__main__":
    main()

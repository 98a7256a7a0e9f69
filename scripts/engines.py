"""PostgreSQL, NATS and other programs of the system, started in a folder of ours as an ordinary user.

For `make cluster`, for tests and for measurements. As root they run as another user: PostgreSQL insists.
"""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")
USER = "kibitz"  # PostgreSQL's superuser in these folders
ORDINARY = ("postgres", "nobody")  # users of the system, the first that is here
SECONDS = 30.0  # for a program to answer
OURS = range(30_000, 32_768)  # ports below those that Linux gives out

QUICK = {"fsync": "off", "full_page_writes": "off"}  # where no power fails


def postgres_program(name: str) -> str | None:
    """Where a program of PostgreSQL is; Debian keeps them in a folder a version."""
    versions = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3].split(".")[0]))
    return str(versions[-1]) if versions else shutil.which(name)


def here(*programs: str) -> bool:
    """Whether all these programs are installed."""
    return all(postgres_program(name) or shutil.which(name) for name in programs)


def free_port() -> int:
    """A port that nobody uses now, and that the system gives nobody before a program listens there."""
    while True:
        port = secrets.choice(OURS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def answers(port: int) -> bool:
    """Whether somebody listens on a port."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(true: Callable[[], object], what: str, seconds: float = SECONDS) -> None:
    """Wait until it is so."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            raise TimeoutError(f"{what} took longer than {seconds:.0f} s")
        time.sleep(0.02)


def ordinary_user() -> str | None:
    """As whom to run what refuses to be root's; None: as ourselves."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ORDINARY if name in known)


def as_ordinary_user(command: Sequence[str], **options: object) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end; what it says is in the error if it fails."""
    done = subprocess.run(
        command,
        user=ordinary_user(),
        extra_groups=[] if ordinary_user() else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd="/",
    )
    if done.returncode and not options.get("may_fail"):
        raise RuntimeError(f"{' '.join(command)}: {done.stdout[-2000:]}")
    return done


def give_away(folder: Path) -> None:
    """Let the ordinary user have a folder."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if user := ordinary_user():
        shutil.chown(folder, user)


def engine_folder() -> Path:
    """A new folder that the ordinary user may enter and write to."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-"))
    give_away(folder)
    folder.chmod(0o755)
    return folder


def dead(pid: int) -> bool:
    """Whether a process has ended, even if nobody has taken note of it yet."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def children(pid: int) -> list[int]:
    """The processes that one has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Postgres:
    """A PostgreSQL server in a folder; `address` leads to a database that is there."""

    def __init__(self, folder: Path, port: int, settings: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.port = port
        self._settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": "100",
            "shared_buffers": "32MB",
            "wal_level": "replica",
            "wal_retrieve_retry_interval": "200ms",  # a promotion may wait for it: 5 s usually
            **(settings or {}),
        }

    @property
    def address(self) -> str:
        """How to reach it."""
        return self.database("postgres")

    def database(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"

    def make(self) -> None:
        """Make its folder, synced or not as it is set."""
        give_away(self.folder)
        program = postgres_program("initdb")
        assert program is not None
        options = ["--auth=trust", f"--username={USER}", "--no-locale", "--encoding=UTF8", "--no-sync"]
        as_ordinary_user([program, "-D", str(self.folder), *options, "--wal-segsize=4"])

    def start(self) -> None:
        """Start it, and wait until it answers."""
        said = " ".join(f"-c {name}='{value}'" for name, value in self._settings.items())
        self._control("start", "-l", str(self.folder / "log.txt"), "-o", f"-p {self.port} {said}")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: smart, fast or immediate."""
        self._control("stop", "-m", mode, may_fail=True)

    def restart(self, mode: str = "fast") -> None:
        """Stop and start it."""
        self.stop(mode)
        self.start()

    def promote(self) -> None:
        """Make a standby the primary."""
        self._control("promote")

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        pid = self.pid
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: dead(pid), "PostgreSQL's death")

    def freeze(self) -> None:
        """Let it fall silent: its connections stay open, and nothing is answered any more."""
        os.kill(self.pid, signal.SIGSTOP)  # first, so that it begets no more
        for pid in children(self.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)

    def kill_frozen(self) -> None:
        """End all of its processes, which don't notice by themselves any more that the first has died."""
        every = [*children(self.pid), self.pid]
        for pid in every:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: all(map(dead, every)), "PostgreSQL's death")

    @property
    def pid(self) -> int:
        """Its first process."""
        return int((self.folder / "postmaster.pid").read_text().split("\n")[0])

    def standby(self, folder: Path, port: int) -> "Postgres":
        """A copy that follows this one, which waits for it at every commit from then on."""
        give_away(folder)
        program = postgres_program("pg_basebackup")
        assert program is not None
        where = f"host=127.0.0.1 port={self.port} user={USER} application_name=standby"
        as_ordinary_user([program, "-d", where, "-D", str(folder), "-R", "-X", "stream", "-c", "fast"])
        copy = Postgres(folder, port, self._settings)
        copy.start()
        self.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()")
        synced = "SELECT sync_state FROM pg_stat_replication"
        wait_until(lambda: self.psql(synced).strip() == "sync", "the standby's following")
        return copy

    def psql(self, *commands: str, database: str = "postgres") -> str:
        """Say something to it."""
        program = postgres_program("psql")
        assert program is not None
        said = [word for command in commands for word in ("-c", command)]
        return as_ordinary_user(
            [program, "-qAtX", "-v", "ON_ERROR_STOP=1", *said, self.database(database)]
        ).stdout

    def _control(self, *words: str, may_fail: bool = False) -> None:
        program = postgres_program("pg_ctl")
        assert program is not None
        as_ordinary_user([program, "-D", str(self.folder), "-w", "-s", *words], may_fail=may_fail)


class Program:
    """A program of the system that listens on a port."""

    def __init__(self, command: Sequence[str], port: int, said: Path) -> None:
        self.command = list(command)
        self.port = port
        self._said = said
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._said.open("ab") as said:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
        wait_until(self._is_up, self.command[0])

    def _is_up(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise RuntimeError(f"{self.command[0]} ended: {self._said.read_text()[-2000:]}")
        return answers(self.port)

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def stop(self, with_signal: signal.Signals = signal.SIGTERM) -> None:
        """End it, and wait for that."""
        if self._process is not None:
            self._process.send_signal(with_signal)
            self._process.wait()
            self._process = None


def nats(folder: Path, port: int) -> Program:
    """A NATS server."""
    program = shutil.which("nats-server") or "/usr/sbin/nats-server"
    return Program([program, "-a", "127.0.0.1", "-p", str(port)], port, folder / "nats.txt")

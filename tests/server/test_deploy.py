"""The files for hosts do what they promise: each proxy is started with its own, in front of a real server."""

import json
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from kibitz.server.protocol import PROTOCOL
from kibitz.server.settings import gathered, no_settings
from scripts.cluster import balancer_config
from scripts.engines import Program, free_port, here
from tests.server.client import Client, fetch
from tests.server.conftest import Start
from tests.server.serving import ROOT, in_loop

DEPLOY = ROOT / "deploy"
SECRET = "0123456789abcdef"


def haproxy(port: int, node: int, pem: Path) -> str:
    """deploy/haproxy.cfg with TLS, as its comment says."""
    return balancer_config(port, [node]).replace(
        f"bind 127.0.0.1:{port}", f"bind 127.0.0.1:{port} ssl crt {pem} alpn http/1.1"
    )


def nginx(port: int, node: int, pem: Path) -> str:
    """deploy/nginx.conf with TLS, as its comment says."""
    config = (DEPLOY / "nginx.conf").read_text().replace("listen 8080;", f"listen 127.0.0.1:{port} ssl;")
    config = config.replace(
        "location / {", f"ssl_certificate {pem}; ssl_certificate_key {pem};\n        location / {{"
    )
    logs = f"pid {pem.parent}/nginx.pid; error_log stderr;\n"
    return logs + one_node(config, node).replace("http {", "http {\n    access_log off;")


def caddy(port: int, node: int, pem: Path) -> str:
    """deploy/Caddyfile with TLS, as its comment says."""
    config = (DEPLOY / "Caddyfile").read_text()
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    config = config.replace(":8080 {", f"https://127.0.0.1:{port} {{\n\ttls {pem} {pem}\n\tbind 127.0.0.1")
    return options + one_node(config, node)


def one_node(config: str, node: int) -> str:
    """Only the first of the nodes, at this port."""
    config = re.sub(r"\n\s*server 127\.0\.0\.1:808[23][^\n]*", "", config)
    return config.replace(" 127.0.0.1:8082 127.0.0.1:8083", "").replace("127.0.0.1:8081", f"127.0.0.1:{node}")


PROXIES: dict[str, tuple[Callable[[int, int, Path], str], list[str]]] = {
    "haproxy": (haproxy, ["-f"]),
    "nginx": (nginx, ["-g", "daemon off;", "-c"]),
    "caddy": (caddy, ["run", "--adapter", "caddyfile", "--config"]),
}


def certificate(folder: Path) -> Path:
    """A certificate for this machine, that nobody else believes."""
    key, made, both = folder / "key", folder / "made", folder / "both.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
    told = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(made)]
    subprocess.run([*command.split(), *told], check=True, capture_output=True)
    both.write_text(made.read_text() + key.read_text())
    return both


@pytest.mark.parametrize("name", PROXIES)
@in_loop
async def test_a_proxy_brings_tls_sockets_and_the_players_address(
    start: Start, tmp_path: Path, name: str
) -> None:
    """A second new guest of an address is one too many here: the nodes have to be told addresses apart."""
    if not here(name) and not Path(f"/usr/sbin/{name}").exists():
        pytest.skip(f"{name} is NOT here")
    server = start(limits={"address_guests": 1}, host_secret=SECRET)
    port, pem = free_port(), certificate(tmp_path)
    write, words = PROXIES[name]
    config = tmp_path / name
    config.write_text(write(port, server.port, pem))
    program = shutil.which(name) or f"/usr/sbin/{name}"
    proxy = Program([program, *words, str(config)], port, tmp_path / "said.txt")
    proxy.start()
    trust = ssl.create_default_context(cafile=pem)

    async def greeted(local: str, *pretended: str) -> str:
        """What a new guest at an address hears first."""
        forged = [("X-Forwarded-For", address) for address in pretended]
        async with connect(
            f"wss://127.0.0.1:{port}/ws", ssl=trust, local_addr=(local, 0), additional_headers=forged
        ) as socket:
            client = Client(socket)
            await client.say("hello", protocol=PROTOCOL)
            heard = await client.hear("welcome", "failed")
            if heard["type"] == "welcome":
                table = await client.create("me", "open")
                await client.do("chat", table=table, text="through a proxy")
            return str(heard.get("code", "welcome"))

    try:
        assert await greeted("127.0.0.2") == "welcome"
        assert await greeted("127.0.0.2") == "too-many-connections"
        assert await greeted("127.0.0.2", "192.0.2.9") == "too-many-connections", "a player's word counts"
        assert await greeted("127.0.0.3") == "welcome"
    finally:
        proxy.stop()


def test_containers_are_given_settings_that_there_are_and_a_balancer_that_starts(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("node1", "node2", "node3"):
        given = services[name]["environment"]
        assert not no_settings(given)
        assert gathered({}, None, given).store
    assert all(re.search(r":\d", one["image"]) for one in services.values() if "build" not in one)
    if not here("haproxy"):
        pytest.skip("haproxy is NOT here")
    (shell, option, command) = services["haproxy"]["command"]
    command = command.replace("/haproxy.cfg", str(DEPLOY / "haproxy.cfg")).replace(
        "/tmp/h.cfg", f"{tmp_path}/h.cfg"
    )
    checked = subprocess.run(
        [
            shell,
            option,
            command.replace("exec haproxy", f"exec {shutil.which('haproxy') or '/usr/sbin/haproxy'} -c"),
        ],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stderr
    assert (tmp_path / "h.cfg").read_text().count(":8000 resolvers engine") == 3


def test_the_unit_for_systemd_is_sound(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is NOT here")
    unit = tmp_path / "kibitz.service"
    kibitz = Path(sys.executable).with_name("kibitz")
    unit.write_text((DEPLOY / "kibitz.service").read_text().replace("/opt/kibitz/bin/kibitz", str(kibitz)))
    found = subprocess.run([program, "verify", str(unit)], capture_output=True, text=True)
    assert "kibitz.service" not in found.stderr, found.stderr
    judged = subprocess.run(
        [program, "security", "--offline=true", "--no-pager", str(unit)], capture_output=True, text=True
    )
    exposure = re.search(r"Overall exposure level.*: ([\d.]+)", judged.stdout)
    assert exposure is not None
    assert float(exposure[1]) < 2, judged.stdout


@in_loop
async def test_the_dashboard_asks_for_figures_that_there_are(start: Start) -> None:
    pytest.importorskip("prometheus_client")
    server = start(host_secret=SECRET)
    bearer = {"Authorization": f"Bearer {SECRET}"}
    told = (await fetch(server.port, "/metrics", headers=bearer))[2].decode()
    there = set(re.findall(r"^(\w+)", told, re.M))
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    names = set(re.findall(r"(?:kibitz|process)_\w+", " ".join(asked)))
    assert len(names) >= 12
    assert names <= there, names - there

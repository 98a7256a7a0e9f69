"""What a host can set: where it is looked for, in which order, and how what makes no sense is refused."""

from pathlib import Path

import pytest

from kibitz.core.errors import KibitzError
from kibitz.server.serve import check
from kibitz.server.settings import BadSettings, HostSettings, gathered, no_settings


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "kibitz.toml"
    file.write_text('host = "1.1.1.1"\nport = 1\npublic_url = "https://a"\n[limits]\nchats = 1\nhints = 1\n')
    environment = {"KIBITZ_HOST": "2.2.2.2", "KIBITZ_PORT": "2", "KIBITZ_LIMITS_CHATS": "2", "OTHER": "x"}
    settings = gathered({"host": "3.3.3.3", "port": None}, file, environment)
    assert (settings.host, settings.port, settings.public_url) == ("3.3.3.3", 2, "https://a")
    assert (settings.limits.chats, settings.limits.hints, settings.limits.renames) == (2, 1, 10)


def test_a_variable_that_is_no_setting_is_noticed() -> None:
    environment = {
        "KIBITZ_PROT": "1",
        "KIBITZ_PORT": "1",
        "KIBITZ_LIMITS_CHATS": "2",
        "KIBITZ_CACHE": "x",
        "HOME": "/",
    }
    assert no_settings(environment) == ["KIBITZ_PROT"]


def test_a_variable_set_to_nothing_is_not_set() -> None:
    assert (
        gathered({}, None, {"KIBITZ_STORE": "", "KIBITZ_PORT": "", "KIBITZ_PUBLIC_URL": ""}) == HostSettings()
    )


def test_the_environment_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "k.toml").write_text("port = 9000")
    assert gathered({}, None, {"KIBITZ_CONFIG": str(tmp_path / "k.toml")}).port == 9000


def test_the_file_that_hosts_begin_with_is_right() -> None:
    shown = Path(__file__).parent.parent.parent / "deploy" / "kibitz.toml"
    assert gathered({}, shown, {}).log == "json"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prot = 9000", r"no setting 'prot'; there are .*port"),
        ('port = "many"', r"k\.toml: port has to be a whole number from 0 to 65535\."),
        ("[limits]\nchat = 1", "no limit 'chat'"),
        ("[limits]\nchats = -1", r"k\.toml: limits\.chats can't be less than nothing"),
        ("limits = 3", r"k\.toml: limits has to be a table of limits, such as chats = 5\."),
        ("[limits]\nchats = 'few'", r"k\.toml: limits\.chats has to be a number\."),
        ("log = 'xml'", r"k\.toml: log has to be lines or json\."),
        ("leaderboard = 'perhaps'", r"k\.toml: leaderboard has to be true or false\."),
        ("host = 3", r"k\.toml: host has to be a text\."),
        ("drain_seconds = -1", "drain_seconds has to be a number of seconds from 0 to 60"),
        ("drain_seconds = nan", "drain_seconds has to be a number of seconds from 0 to 60"),
        ("drain_seconds = 600", "drain_seconds has to be a number of seconds from 0 to 60"),
        (
            'public_url = "games.example.org"',
            "public_url: 'games.example.org' is no address of a whole server",
        ),
        ('public_url = "https://a.example/folder"', "is no address of a whole server"),
        ('public_url = "https://user@a.example"', "is no address of a whole server"),
        ('public_url = "https://a.example:x"', "is no address of a whole server"),
        ("port = ", "is no TOML"),
        ('bus = "nats://x"', "bus needs a store"),
        ('data = "x"\nstore = "postgresql://x"', "not both"),
        ('secret = "short"', "at least 16"),
        ('log = "loud"', "log"),
        (
            'proxies = "10.0.0.5, balancer"',
            "proxies: 'balancer' does not appear to be",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "k.toml"
    file.write_text(text)
    with pytest.raises(BadSettings, match=told):
        gathered({}, file, {})


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "k.toml"
    file.write_text('prot = 9000\nlog = "xml"\n[limits]\nchat = 1\nchats = "few"\nhints = -1')
    with pytest.raises(BadSettings) as told:
        gathered({}, file, {"KIBITZ_PORT": "many", "KIBITZ_LIMITS_NAMES": "x"})
    words = (
        "no setting 'prot'",
        "log has",
        "no limit 'chat'",
        "limits.chats has",
        "limits.hints can't",
        "environment: port",
        "no limit 'names'",
    )
    for line, word in zip(str(told.value).splitlines(), words, strict=True):
        assert word in line


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="can't be read"):
        gathered({}, tmp_path / "none.toml", {})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"data": "/proc/nothing"}, "can't be used"),
        ({"host": "192.0.2.1"}, "can't listen at"),
        ({"store": "mysql://x/y"}, "no address of a store"),
        ({"store": "postgresql://kibitz@127.0.0.1:1/x"}, "doesn't answer"),
        ({"store": "postgresql://kibitz:a/b@127.0.0.1:1/x"}, "of a password as %2F"),
        ({"store": "postgresql://kibitz:a@b@127.0.0.1:1/x"}, "of a password as %2F"),
    ],
)
def test_a_check_says_what_would_keep_a_server_from_starting(given: dict[str, str], told: str) -> None:
    if "store" in given:
        pytest.importorskip("psycopg")
    with pytest.raises(KibitzError, match=told):
        check(HostSettings(**given))  # type: ignore[arg-type]


def test_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    assert f"store: {tmp_path / 'new' / 'data'}" in check(HostSettings(data=str(tmp_path / "new" / "data")))
    assert list(tmp_path.iterdir()) == []

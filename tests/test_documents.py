"""What the documents say is so: examples run, links lead somewhere, vectors come out, the table is true."""

import doctest
import itertools
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest
from msgspec.structs import replace

import kibitz
from kibitz.core import registry
from kibitz.core.chance import draw_number, fresh_block
from kibitz.core.game import Game
from kibitz.core.secret import source

ROOT = Path(__file__).resolve().parent.parent
MADE_BY_TOOLS = ("node_modules", "build", "dist")
FIVE = {
    "kaching": "Ka-Ching!",
    "kazink": "Kazink!",
    "cash": "CASH",
    "assets": "Cover Your Assets",
    "match": "MATCH!",
}


def all_documents() -> list[Path]:
    return sorted(
        file
        for file in ROOT.rglob("*.md")
        if not any(part.startswith(".") or part in MADE_BY_TOOLS for part in file.relative_to(ROOT).parts)
    )


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


DOCUMENTS = all_documents()
SHUFFLE = ROOT / "docs" / "shuffle.md"


class Block(NamedTuple):
    """A fenced block: its language, the number of its first line, counted from 0, and its lines."""

    language: str
    start: int
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def blocks(file: Path) -> Iterator[Block]:
    """The fenced blocks of a document."""
    inside: Block | None = None
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        if not line.startswith("```"):
            if inside is not None:
                inside.lines.append(line)
        elif inside is None:
            inside = Block(line[3:].strip(), number + 1, [])
        else:
            yield inside
            inside = None
    assert inside is None, f"{name_of(file)}: a fence that isn't closed"


def without_fenced(file: Path) -> str:
    """A document's text without its fenced blocks and its code in backticks."""
    prose = re.sub(r"^```.*?^```$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", prose)


def test_the_documents_are_there() -> None:
    names = set(map(name_of, DOCUMENTS))
    assert names >= {"README.md", "CHANGELOG.md", "CONTRIBUTING.md"}
    assert names >= {"docs/map.md", "docs/adding-a-game.md", "docs/shuffle.md"}
    assert names >= {
        f"kibitz/games/{game}/rulebook.{language}.md" for game in here() for language in ("en", "es")
    }


def test_every_key_of_a_view_is_explained() -> None:
    pages = ROOT / "docs" / "notation"
    common = (pages / "README.md").read_text(encoding="utf-8")
    for game in here():
        view = import_module(f"kibitz.games.{game}.views").View
        told = common + (pages / f"{game}.md").read_text(encoding="utf-8")
        assert [key for key in get_type_hints(view) if f"`{key}`" not in told] == [], game


# --- Examples ---


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that an example announces are gone afterwards."""
    monkeypatch.setattr(registry, "_games", dict(registry._games))


def examples(file: Path) -> list[Block]:
    return [block for block in blocks(file) if block.language == "python"]


def is_dialogue(block: Block) -> bool:
    return any(line.startswith(">>> ") for line in block.lines)


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize(
    "file", [file for file in DOCUMENTS if any(map(is_dialogue, examples(file)))], ids=name_of
)
def test_examples_run(file: Path) -> None:
    names: dict[str, Any] = programs(file) if file == SHUFFLE else {}
    lines = [""] * len(file.read_text(encoding="utf-8").splitlines())
    for block in filter(is_dialogue, examples(file)):
        lines[block.start : block.start + len(block.lines)] = block.lines  # failures name the line
    test = doctest.DocTestParser().get_doctest("\n".join(lines) + "\n", names, name_of(file), str(file), 0)
    assert test.examples
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not failed, "".join(said)


def test_the_readme_shows_the_python_face() -> None:
    code = "\n".join(block.text for block in examples(ROOT / "README.md"))
    for name in ("deal", "legal_moves", "play", "view", "log", "undo", "bot", "arena", "playouts", "record"):
        assert re.search(rf"\.{name}\b", code), name


NAMED = re.compile(r"(?:#|//|<!--) ([\w/]+\.(?:py|ts|svelte))(?: -->)?")


def quoted() -> list[tuple[str, Block]]:
    """Snippets that name the file they are from."""
    found = []
    for file in DOCUMENTS:
        for block in blocks(file):
            if block.lines and NAMED.fullmatch(block.lines[0]):
                found.append((f"{name_of(file)}:{block.start}", block))
    return found


@pytest.mark.parametrize(("where", "block"), quoted(), ids=[where for where, _ in quoted()])
def test_a_quoted_snippet_is_in_its_file(where: str, block: Block) -> None:
    named = NAMED.fullmatch(block.lines[0])
    assert named
    source_file = ROOT / named[1]
    assert "\n".join(block.lines[1:]) + "\n" in source_file.read_text(encoding="utf-8")


def test_every_block_of_python_is_run_or_quoted() -> None:
    for file in DOCUMENTS:
        for block in examples(file):
            quotes = bool(NAMED.fullmatch(block.lines[0]))
            assert quotes or is_dialogue(block) or file == SHUFFLE, f"{name_of(file)}:{block.start}"


# --- Links ---


def links(file: Path) -> list[str]:
    found = re.findall(r"\]\(([^)\s]+)(?: \"[^\"]*\")?\)", without_fenced(file))
    return found + re.findall(r"<(?:img|a)\b[^>]*?(?:src|href)=\"([^\"]+)\"", without_fenced(file))


def anchors(file: Path) -> set[str]:
    """The names of a document's headings, as they are made for links."""
    headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("file", [file for file in DOCUMENTS if links(file)], ids=name_of)
def test_links_and_pictures_lead_somewhere(file: Path) -> None:
    for link in links(file):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            assert link.startswith("https://"), link
            continue
        target = (file.parent / path).resolve() if path else file
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{link}: no such heading"


@pytest.mark.parametrize("file", DOCUMENTS, ids=name_of)
def test_pictures_are_told_in_words(file: Path) -> None:
    assert "![](" not in file.read_text(encoding="utf-8")


# --- The shuffle ---


def programs(file: Path) -> dict[str, Any]:
    """What the programs in a document define: run by themselves, without Kibitz."""
    names: dict[str, Any] = {}
    for block in examples(file):
        if not is_dialogue(block):
            assert "kibitz." not in block.text
            exec(compile(block.text, str(file), "exec"), names)
    return names


def vectors() -> list[dict[str, Any]]:
    (block,) = (block for block in blocks(SHUFFLE) if block.language == "json")
    found: list[dict[str, Any]] = json.loads(block.text)
    return found


def given_by(vector: dict[str, Any]) -> int | bytes:
    return vector["seed"] if vector["secret"] is None else bytes.fromhex(vector["secret"])


def kaching() -> Game:
    return kibitz.game("kaching")


def as_lines(columns: list[list[str]]) -> list[str]:
    return [" ".join(column) for column in columns]


def test_there_are_vectors_of_every_kind() -> None:
    kinds = {(vector["secret"] is not None, bool(vector["words"])) for vector in vectors()}
    assert kinds == set(itertools.product((False, True), (False, True)))
    assert {vector["seed"] for vector in vectors()} >= {7, 0, -1}
    assert {vector["option"] for vector in vectors()} == {"random", 0}


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["key"][:8])
def test_the_engine_reproduces_the_vectors(vector: dict[str, Any]) -> None:
    origin = source(given_by(vector), vector["words"])
    assert origin.commitment == vector["commitment"]
    assert origin.key().astype("<u4").tobytes().hex() == vector["key"]
    options = {"series": "total", "rounds": 2, "starter": vector["option"]}
    state = kaching().deal(seed=given_by(vector), words=vector["words"], **options)
    dealt = state.position()
    assert dealt["starter"] == vector["starter"]
    assert as_lines(dealt["columns"]) == vector["columns"]
    while state.round == 1:
        state.play(state.legal_moves[0])
    assert as_lines(state.position()["columns"]) == vector["next_round"]
    assert state.position()["starter"] == 1 - vector["starter"]


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["key"][:8])
def test_the_engines_stream_is_the_specified_one(vector: dict[str, Any]) -> None:
    state = kaching().deal(seed=given_by(vector), words=vector["words"]).fields()
    state.drawn = 0
    block = fresh_block()
    assert " ".join(f"{draw_number(state, block):08x}" for _ in range(8)) == vector["first_numbers"]


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["key"][:8])
def test_the_documents_own_program_reproduces_the_vectors(vector: dict[str, Any]) -> None:
    program = programs(SHUFFLE)
    secret = None if vector["secret"] is None else bytes.fromhex(vector["secret"])
    key = program["key_of"](vector["seed"], secret, vector["words"])
    assert key.hex() == vector["key"]
    first = itertools.islice(program["stream"](key), 8)
    assert " ".join(f"{number:08x}" for number in first) == vector["first_numbers"]
    numbers = program["stream"](key)
    if vector["option"] == "random":
        assert program["below"](numbers, 2) == vector["starter"]
    assert as_lines(program["kaching_columns"](numbers)) == vector["columns"]
    assert as_lines(program["kaching_columns"](numbers)) == vector["next_round"]


@pytest.mark.parametrize("players", [2, 3, 8])
def test_the_documents_own_program_deals_cash_as_the_engine_does(players: int) -> None:
    program = programs(SHUFFLE)
    dealt = kibitz.game("cash").deal(players, seed=players).position()
    numbers = program["stream"](program["key_of"](players))
    starter = program["below"](numbers, players)
    hands = program["cash_hands"](numbers, players, starter)
    assert dealt["starter"] == starter
    order = program["CASH"][1::2]
    assert dealt["hands"] == [sorted(hand, key=order.index) for hand in hands]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_documents_own_program_deals_match(players: int) -> None:
    """Among these deals are some in which a joker is turned up first."""
    program = programs(SHUFFLE)
    for seed in range(60, 90):
        dealt = kibitz.game("match").deal(players=players, seed=seed).position()
        numbers = program["stream"](program["key_of"](seed))
        assert dealt["starter"] == program["below"](numbers, players)
        hands, top, deck = program["match_deal"](numbers, players)
        assert (dealt["discard"], dealt["deck"]) == ([top], deck)
        assert list(map(sorted, dealt["hands"])) == list(map(sorted, hands))


@pytest.mark.parametrize("name", kibitz.games())
def test_the_documents_own_program_and_kibitz_verify_agree(name: str) -> None:
    program, game = programs(SHUFFLE), kibitz.game(name)
    state = game.deal(game.players[0], bytes(range(32)), ("tea", "café"))
    record = state.record()
    written, position = json.loads(record.json()), state.position()
    record.verify()
    assert program["fits"](written)
    first, cards = program["dealt"](written)
    assert first == position.get("dealer", position.get("starter"))
    told = position["columns"] if name == "kaching" else position["hands"]
    assert [sorted(each) for each in cards] == [sorted(each) for each in told]
    other = replace(record, secret=bytes(32).hex())
    assert not program["fits"](json.loads(other.json()))
    swapped = replace(record, words=record.words[::-1])
    assert program["dealt"](json.loads(swapped.json())) != (first, cards)
    for tampered in (other, swapped):
        with pytest.raises(kibitz.BadRecord):
            tampered.verify()


def test_the_documents_own_program_is_chacha20() -> None:
    """RFC 8439, appendix A.1, test vectors 1 and 2."""
    block = programs(SHUFFLE)["chacha20_block"]
    first, second = (" ".join(f"{number:08x}" for number in block(bytes(32), count)[:4]) for count in (0, 1))
    assert first == "ade0b876 903df1a0 e56a5d40 28bd8653"
    assert second == "bee7079f 7a385155 7c97ba98 0d082d73"


def test_the_documents_own_program_draws_again_where_it_must() -> None:
    below = programs(SHUFFLE)["below"]
    assert below(iter([0xFFFFFFFF, 5]), 3) == 2
    assert below(iter([0xFFFFFFFE, 5]), 3) == 0xFFFFFFFE % 3


# --- What the README claims ---


class Row(NamedTuple):
    title: str
    name: str
    players: str
    minutes: str


def table() -> list[Row]:
    pattern = r"^\| \*\*(.+?)\*\* `(\w+)` \| (\S+) \| (\d+) \| .+ \| .+ \|$"
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return [Row(*found) for found in re.findall(pattern, text, flags=re.MULTILINE)]


def here() -> list[str]:
    """The games of the package itself; a test may have announced others."""
    return [name for name in kibitz.games() if kibitz.game(name).package.startswith("kibitz.games.")]


def test_the_table_names_the_five_games() -> None:
    assert {row.name: row.title for row in table()} == FIVE
    assert [row.name for row in table()] == list(FIVE)


def test_the_table_lists_the_games_that_can_be_played() -> None:
    assert [row.name for row in table()] == here()


@pytest.mark.parametrize("name", here())
def test_the_tables_facts_are_the_games(name: str) -> None:
    game = kibitz.game(name)
    row = next(row for row in table() if row.name == name)
    fewest, most = game.players.start, game.players.stop - 1
    assert row.title == game.title
    assert row.players == (str(fewest) if fewest == most else f"{fewest}–{most}")
    assert row.minutes == str(game.minutes)


@pytest.mark.parametrize("file", DOCUMENTS, ids=name_of)
def test_every_make_word_exists(file: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    code = re.findall(
        r"(?:^|`)make ([a-z]+(?:-[a-z]+)*)", file.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert set(code) <= targets


@pytest.mark.parametrize("file", DOCUMENTS, ids=name_of)
def test_every_kibitz_command_exists(file: Path) -> None:
    from kibitz.cli import cli

    text = file.read_text(encoding="utf-8")
    commands = re.findall(r"(?:`|^\.venv/bin/)kibitz ([a-z][a-z-]*)", text, flags=re.MULTILINE)
    assert set(commands) <= set(cli.commands)


def test_every_public_name_is_in_the_reference() -> None:
    told = re.findall(r"^::: kibitz\..*\.(\w+)$", (ROOT / "docs" / "api.md").read_text(), flags=re.MULTILINE)
    assert sorted(told) == sorted(kibitz.__all__)


def test_the_sites_search_finds_words_inside_code() -> None:
    found = re.search(r"separator: '(.+)'", (ROOT / "mkdocs.yml").read_text())
    assert found
    separator = found[1].replace("''", "'")
    for text in ("'kibitz[terminal,parquet]'", "`decisions/*.parquet`", "arrow.parquet(file)"):
        assert "parquet" in re.split(separator, text)
    assert "0.1" in re.split(separator, "0.1 s")


def test_every_page_of_the_site_is_there() -> None:
    pages = re.findall(r": ([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), flags=re.MULTILINE)
    assert len(pages) > 15
    assert [page for page in pages if not (ROOT / "docs" / page).is_file()] == []


# --- What no document says ---

UNWANTED = {
    "how it was made": r"\bsessions?\b(?!\.(?:py|svelte)\b)|\bissue #|\bpull request #",
    "paths of a machine": r"(?<![\w.])/(?:work|home|root|tmp|usr|Users|opt|var)/|[A-Z]:\\",
    "hosts": r"\blocalhost\b|\b(?!0\.0\.0\.0|127\.0\.0\.1)\d{1,3}(?:\.\d{1,3}){3}\b",
}


@pytest.mark.parametrize("file", DOCUMENTS, ids=name_of)
@pytest.mark.parametrize("what", UNWANTED)
def test_no_document_speaks_of(what: str, file: Path) -> None:
    found = re.search(UNWANTED[what], file.read_text(encoding="utf-8"), flags=re.IGNORECASE)
    assert found is None, found


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("how it was made", "In this session we"),
        ("how it was made", "see Issue #12"),
        ("paths of a machine", "look into /home/ann/kibitz"),
        ("paths of a machine", "in `/tmp/probe`"),
        ("hosts", "at 10.0.0.1"),
    ],
)
def test_it_would_be_noticed(what: str, sentence: str) -> None:
    assert re.search(UNWANTED[what], sentence, flags=re.IGNORECASE)

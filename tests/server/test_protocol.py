"""The protocol's file and what is made from it."""

import subprocess
import sys
from typing import get_args

import pytest

from kibitz.server import protocol
from tests.server.serving import ROOT


def test_the_pages_types_are_those_of_the_protocol() -> None:
    command = [sys.executable, "scripts/write_protocol.py", "--check"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("union", [protocol.FromClient, protocol.FromServer], ids=["client", "server"])
def test_every_message_has_a_tag_of_its_own_and_a_sentence(union: object) -> None:
    kinds = get_args(union)
    assert len({kind.__struct_config__.tag for kind in kinds}) == len(kinds)
    assert all(kind.__doc__.strip().endswith((".", "?")) for kind in kinds)

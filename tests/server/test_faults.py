"""Nodes, bus and database die, freeze and come back while people play through a balancer."""

import os
from collections.abc import Callable

import pytest

from scripts.engines import here
from tests.server.engines import needs_nats, needs_postgres

pytest.importorskip("psycopg")
from tests.server.faults import THINKING, Outcome, run, told

pytestmark = [
    needs_postgres,
    needs_nats,
    pytest.mark.skipif(not here("haproxy"), reason="HAProxy is NOT here"),
]


def test_nothing_acknowledged_is_lost_whatever_dies() -> None:
    outcome = run(
        [
            "a node is killed",
            "news is swallowed",
            "connections to the database are cut",
            "the primary dies, the standby takes over",
        ]
    )
    assert outcome.sound, told(outcome)
    assert outcome.acknowledged > 20


MUTANTS: dict[str, tuple[list[str], Callable[[Outcome], object]]] = {
    "postgres-acknowledges-before-commit": (["a node is killed"] * 3, lambda outcome: outcome.lost),
    "postgres-takes-any-row": (["NATS is away"], lambda outcome: outcome.broken),
    "leases-are-ignored": (["news is swallowed"], lambda outcome: outcome.thinking >= THINKING),
    "news-is-trusted": (["news is swallowed"], lambda outcome: outcome.stuck or outcome.differing),
}


@pytest.mark.campaign
@pytest.mark.skipif("KIBITZ_TIMES" not in os.environ, reason="make test-long runs it")
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_house_that_breaks_a_promise_is_caught(mutant: str) -> None:
    faults, caught = MUTANTS[mutant]
    outcome = run(faults, mutant)
    assert caught(outcome), told(outcome)

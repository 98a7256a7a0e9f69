"""Nodes, bus and database die, freeze and come back while people play through a balancer."""

import os

import pytest

from scripts.engines import here
from tests.server.engines import needs_nats, needs_postgres

pytest.importorskip("psycopg")
from tests.server.faults import THOUGHTS, run, told

pytestmark = [
    needs_postgres,
    needs_nats,
    pytest.mark.skipif(not here("haproxy"), reason="HAProxy is NOT here"),
]


only_long = pytest.mark.skipif("KIBITZ_TIMES" not in os.environ, reason="make test-long runs it")


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


@only_long
def test_a_server_that_answers_before_the_commit_is_caught() -> None:
    outcome = run(["a node is killed"] * 6, mutant="postgres-acknowledges-before-commit")
    assert outcome.lost, told(outcome)


@only_long
def test_a_node_that_trusts_news_is_caught() -> None:
    outcome = run(["news is swallowed"], mutant="news-is-trusted")
    assert outcome.stuck or outcome.differing, told(outcome)


@only_long
def test_a_node_that_ignores_leases_is_caught() -> None:
    outcome = run(["NATS is away"], mutant="lease-ignored")
    assert outcome.thoughts > THOUGHTS, told(outcome)


@only_long
def test_a_store_that_takes_any_row_is_caught() -> None:
    outcome = run(["a node freezes"] * 2 + ["NATS is away"] * 2, mutant="postgres-takes-any-row")
    assert not outcome.sound, told(outcome)

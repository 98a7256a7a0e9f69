"""The same games on a cluster as on one machine, also if one of its machines is lost."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ray.cluster_utils import Cluster

import kibitz
from kibitz.bots.selfplay import selfplay


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two nodes on this machine, a worker each; on one that is busy they take their time."""
    os.environ["RAY_raylet_start_wait_time_s"] = "300"  # noqa: SIM112
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    found.add_node(num_cpus=1)
    found.wait_for_nodes()
    yield found
    found.shutdown()


def test_a_lost_nodes_games_are_played_again(cluster: Any, tmp_path: Path) -> None:
    bots = ["easy", "random"]
    here = kibitz.arena("match", bots, games=60)
    other = next(node for node in cluster.list_all_nodes() if node is not cluster.head_node)
    lost = threading.Event()

    def lose(done: int, games: int) -> None:
        if done >= 5 and not lost.is_set():
            lost.set()
            cluster.remove_node(other, allow_graceful=False)

    assert kibitz.arena("match", bots, games=60, ray=cluster.address, report=lose) == here
    assert lost.is_set()
    folders = [tmp_path / "here", tmp_path / "there"]
    selfplay("match", bots, 6, folders[0], rounds=1)
    selfplay("match", bots, 6, folders[1], rounds=1, ray=cluster.address)
    first, second = ((folder / "records" / "00000.jsonl").read_bytes() for folder in folders)
    assert first == second

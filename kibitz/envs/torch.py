"""What `kibitz selfplay` kept, as a data set of PyTorch's. See docs/selfplay.md."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.bots.selfplay import load
from kibitz.core.extras import needing
from kibitz.core.secret import bot_generator

with needing("torch"):
    import torch
    from torch.utils.data import IterableDataset, get_worker_info


class Decisions(IterableDataset[dict[str, Any]]):  # type: ignore[misc]  # where it isn't installed
    """Every decision of a folder: `observation`, `mask`, `move`, `result`, as tensors.

    Workers of a DataLoader share the files among them. With a `seed` the decisions of each file are shuffled,
    in another order each time the set is gone through; in workers, which begin anew each time, by
    PyTorch's own seed, too (`torch.manual_seed`).
    """

    def __init__(self, folder: str | Path, seed: int | None = None) -> None:
        self.folder = Path(folder)
        self.seed = seed
        self._times = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = get_worker_info()
        first, step, luck = (worker.id, worker.num_workers, worker.seed - worker.id) if worker else (0, 1, 0)
        self._times += 1
        for number, chunk in enumerate(load(self.folder)):
            if number % step == first:
                for row in self._order((self._times, luck, number), len(chunk["move"])):
                    yield _decision(chunk, row)

    def _order(self, time: tuple[int, ...], rows: int) -> Any:
        if self.seed is None:
            return range(rows)
        words = bot_generator(self.seed, "shuffle", *time)
        return np.random.default_rng(words).permutation(rows)


def _decision(chunk: dict[str, Any], row: int) -> dict[str, Any]:
    return {
        "observation": torch.from_numpy(chunk["observation"][row].astype(np.float32)),
        "mask": torch.from_numpy(chunk["mask"][row].astype(bool)),
        "move": torch.tensor(int(chunk["move"][row])),
        "result": torch.tensor(float(chunk["result"][row])),
    }

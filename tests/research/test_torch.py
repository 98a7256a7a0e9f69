"""Games kept as data, for PyTorch."""

from pathlib import Path

import torch
from torch.utils.data import DataLoader

import kibitz
from kibitz.bots.selfplay import selfplay
from kibitz.envs.torch import Decisions


def test_a_loader_goes_through_every_decision_once(tmp_path: Path) -> None:
    selfplay("match", ["random", "random"], 4, tmp_path, rounds=1)
    records = [
        kibitz.Record.parse(line) for line in (tmp_path / "records" / "00000.jsonl").read_text().splitlines()
    ]
    moves = [kibitz.game("match").move(move).id for record in records for move in record.moves]
    (whole,) = DataLoader(Decisions(tmp_path), batch_size=100_000)
    assert whole["move"].tolist() == moves
    assert whole["observation"].shape == (len(moves), kibitz.game("match").tensor.size)
    assert bool(whole["mask"].gather(1, whole["move"][:, None]).all())
    shuffled = Decisions(tmp_path, seed=1)
    first, second = ([int(each["move"]) for each in shuffled] for _ in range(2))
    assert sorted(first) == sorted(second) == sorted(moves)
    assert first != second


def test_workers_shuffle_anew_each_time(tmp_path: Path) -> None:
    selfplay("match", ["random", "random"], 4, tmp_path, rounds=1)
    loader = DataLoader(Decisions(tmp_path, seed=1), batch_size=100_000, num_workers=2)

    def gone_through() -> list[int]:
        return [move for batch in loader for move in batch["move"].tolist()]

    torch.manual_seed(1)
    first, second = gone_through(), gone_through()
    torch.manual_seed(1)
    assert sorted(first) == sorted(second)
    assert first != second
    assert gone_through() == first

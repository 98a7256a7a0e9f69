"""What games share: numbers put in order."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kibitz.core.common import put_in_order


@pytest.mark.parametrize("kind", [np.int8, np.float64])
def test_the_first_numbers_are_put_in_order_and_the_others_stay(kind: type) -> None:
    chance = np.random.default_rng(1)
    for count in range(9):
        numbers: npt.NDArray[Any] = chance.integers(-4, 4, 9).astype(kind)
        expected = [*sorted(numbers[:count].tolist()), *numbers[count:].tolist()]
        put_in_order(numbers, count)
        assert numbers.tolist() == expected

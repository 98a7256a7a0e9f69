"""What needs packages of several gigabytes: `make test-research` installs them; elsewhere it is left out."""

from importlib.util import find_spec

collect_ignore = [
    file
    for file, package in {
        "test_torch.py": "torch",
        "test_ray.py": "ray",
        "test_learning.py": "sb3_contrib",
    }.items()
    if find_spec(package) is None
]

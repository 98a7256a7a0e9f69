"""The tests: a package of its own, so that no other package called `tests` can take its place."""

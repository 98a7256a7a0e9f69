# Every chore is one `make` word; each installs what it needs into .venv first.
# Another Python than `python3`: make play PYTHON=python3.13

PYTHON ?= python3
INSTALL = @$(PYTHON) scripts/install.py
BIN = .venv/bin
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make pins" $(ARGS)

.PHONY: help play test check format bench install pins clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s  %s\n", $$1, $$2 }' Makefile

play:  ## play in the terminal; options go in ARGS="..."
	$(INSTALL) run
	@$(BIN)/kibitz play $(ARGS)

test: check  ## every check and every test: what CI runs
	$(BIN)/kibitz warmup
	$(BIN)/pytest -n auto
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n auto -m interpreted

check:  ## lint, format and types
	$(INSTALL) dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format:  ## put the code in its usual form, mending what ruff can mend
	$(INSTALL) dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench:  ## measure speed
	$(INSTALL) bench
	$(BIN)/python -m bench $(ARGS)

install:  ## the kibitz command, in .venv/bin
	$(INSTALL) run
	@echo "Kibitz is ready: $(BIN)/kibitz --help"

pins:  ## pin the packages anew after a change in what is asked for; newer versions too: ARGS=--upgrade
	$(INSTALL) run
	$(COMPILE) requirements/uv.in -o requirements/uv.txt
	$(COMPILE) pyproject.toml requirements/run.in -o requirements/run.txt
	$(COMPILE) pyproject.toml requirements/run.in requirements/dev.in -c requirements/run.txt -o requirements/dev.txt
	$(COMPILE) pyproject.toml requirements/run.in requirements/bench.in -c requirements/dev.txt -o requirements/bench.txt

clean:  ## remove all that make made here
	rm -rf .venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

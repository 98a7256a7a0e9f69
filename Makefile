# Every chore is one `make` word; each installs what it needs into .venv first.
# Another Python than `python3`: make play PYTHON=python3.13

PYTHON ?= python3
GAME ?= kaching
TORCH ?= torch
INSTALL = @$(PYTHON) scripts/install.py
BIN = .venv/bin
# Modules are kept compiled, whatever the machine's setting: each of the many processes that tests start would
# compile Numba and all others anew (4 s of processor instead of 1).
export PYTHONDONTWRITEBYTECODE =
# On a CI machine that is short of breath a browser may stumble: what fails is tried again, and told as RERUN.
# Tests wait for servers and browsers as long as they compute: two for each processor.
WORKERS = $$(( 2 * $$(getconf _NPROCESSORS_ONLN) ))
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal $(if $(CI),--reruns 2 -rR)
WARM_UP = $(BIN)/python -c "import kibitz; print(*kibitz.games())" | xargs -n 1 -P 2 $(BIN)/kibitz warmup --programs
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make pins" $(ARGS)
PLAYING = pyproject.toml --extra all
ENVIRONMENTS = --extra gymnasium --extra openspiel --extra parquet --extra pettingzoo --extra plots --extra tune
CLUSTER = --extra postgres --extra nats --extra metrics
PROGRAMS = "chromium-headless-shell|chromium" strace postgresql nats-server haproxy nginx caddy

.PHONY: docs help play page cluster test quick test-long test-research test-lowest check types lint format bench install pins audit clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s  %s\n", $$1, $$2 }' Makefile

play: page  ## serve the page here and open it; your network may join: LAN=1; other options: ARGS="--port 9000"
	@$(BIN)/kibitz serve $(if $(LAN),--host 0.0.0.0) $(ARGS)

page: install  ## build the page, if it has changed
	@$(BIN)/python hatch_build.py

cluster: page  ## PostgreSQL, NATS, three nodes and HAProxy here, at port 8080; ARGS=stop stops them
	@$(PYTHON) scripts/system_packages.py postgresql nats-server haproxy
	$(INSTALL) dev
	@$(BIN)/python scripts/cluster.py $(ARGS)

test: check page  ## every check and every test: what CI runs
	@$(PYTHON) scripts/system_packages.py $(PROGRAMS)
	$(BIN)/python hatch_build.py --test
	$(WARM_UP)
	$(PYTEST)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m interpreted

quick: check  ## the inner loop: lint, types, the core's tests and one game's; another game: GAME=match
	$(PYTEST) --game $(GAME) tests/core tests/games tests/test_documents.py tests/test_map.py

test-long: check page  ## campaigns at full size: odd positions, power losses, flipped bits, kills, coming and going
	@$(PYTHON) scripts/system_packages.py $(PROGRAMS)
	$(WARM_UP)
	KIBITZ_TIMES=20 $(PYTEST) -m campaign
	KIBITZ_POWER_POINTS=1000 KIBITZ_FLIPS=10000 KIBITZ_LONG_RUN=600 $(BIN)/pytest -s \
		tests/server/test_power_loss.py tests/server/test_damage.py tests/server/test_long_run.py
	KIBITZ_FUZZ=200000 $(PYTEST) tests/core/test_fuzz.py
	$(BIN)/python -m tests.server.killing 500
	$(BIN)/python -m tests.server.faults 200

test-research: check  ## PyTorch, a network that learns, a Ray cluster: several gigabytes; another build of torch: TORCH=torch==2.13.0+cpu
	$(BIN)/python -m pip install --quiet "$(TORCH)" ray sb3-contrib
	$(BIN)/pytest -W default tests/research

LOWEST = build/lowest/bin/python
test-lowest:  ## the core's, bots', environments' and terminal's tests with the lowest versions that pyproject.toml declares
	$(INSTALL) run
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) build/lowest
	$(BIN)/uv pip install --quiet --python $(LOWEST) --resolution lowest-direct --editable ".[all,gymnasium,openspiel,parquet,pettingzoo,plots,tune]"
	$(BIN)/uv pip install --quiet --python $(LOWEST) hypothesis pytest pytest-rerunfailures pytest-xdist
	$(LOWEST) -m pytest -n auto -W default tests/core tests/bots tests/envs tests/terminal

check:  ## lint, format and types
	$(INSTALL) dev
	@$(MAKE) --no-print-directory --jobs 2 types lint

types:  # takes one processor as long as `lint` takes another
	$(BIN)/mypy

lint:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python scripts/write_protocol.py --check
	$(BIN)/python scripts/write_types.py --check
	$(BIN)/python scripts/write_scale.py --check
	$(BIN)/python scripts/write_openapi.py --check
	$(BIN)/python hatch_build.py --check

format:  ## put the code in its usual form, mending what ruff can mend
	$(INSTALL) dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: install  ## the documents as a site, in build/docs; nothing is fetched to read it
	$(INSTALL) docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

bench: page  ## measure speed
	$(INSTALL) bench
	$(BIN)/python -m bench $(ARGS)

install:  ## the kibitz command, in .venv/bin
	$(INSTALL) run

pins:  ## pin the packages anew after a change in what is asked for; newer versions too: ARGS=--upgrade
	$(INSTALL) run
	$(COMPILE) requirements/uv.in -o requirements/uv.txt
	$(COMPILE) $(PLAYING) requirements/run.in -o requirements/run.txt
	$(COMPILE) $(PLAYING) $(ENVIRONMENTS) $(CLUSTER) requirements/run.in requirements/dev.in -c requirements/run.txt -o requirements/dev.txt
	$(COMPILE) pyproject.toml --extra server $(CLUSTER) requirements/run.in -c requirements/dev.txt -o requirements/server.txt
	$(COMPILE) $(PLAYING) requirements/run.in requirements/docs.in -c requirements/dev.txt -o requirements/docs.txt
	$(COMPILE) $(PLAYING) $(ENVIRONMENTS) $(CLUSTER) requirements/run.in requirements/bench.in -c requirements/dev.txt -o requirements/bench.txt

audit:  ## compare the pins with the published advisories (needs the network: PyPI's, or OSV's with ARGS="-s osv")
	$(INSTALL) run
	$(BIN)/uv tool run pip-audit --strict --disable-pip --require-hashes $(foreach pins,$(wildcard requirements/*.txt),-r $(pins)) $(ARGS)

clean:  ## remove all that make made here
	rm -rf .venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

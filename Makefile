# `make demo` and `make test` set up all they need in .venv: a machine with Python 3.10 to 3.14 and make is enough.
PYTHON ?= python3
BIN := .venv/bin
# Python compiles a module when it is first imported; of a library as large as torch most modules never are.
INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile
PIP := $(BIN)/python $(INSTALL)

# The tests start hundreds of processes, which need not compile the sources each time.
unexport PYTHONDONTWRITEBYTECODE

# A virtual environment that could not be made whole is not kept.
.DELETE_ON_ERROR:
.PHONY: demo test test-all test-alone quick fuzz apart wander page page-parity page-firefox mutants some-mutants version versions pettingzoo lint types bench rows suites docs site wheel release oldest newest results clean

demo: .venv/play
	@$(BIN)/ludus demo

# More processes than the two cores of a small machine, for tests wait much: for processes, a browser, a clock. What takes longest is left
# to `make test-all` (tests/slow.txt).
WORKERS ?= 4
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
BESIDE = not alone and not apart and not release
test: .venv/all
	$(PYTEST) -m "not slow and $(BESIDE)" $(OPTIONS)

test-all: .venv/all
	$(PYTEST) -m "slow and $(BESIDE)" $(OPTIONS)

# Ray gives the processes of a cluster fifteen seconds to start, and else ends ours, too. So nothing runs beside these tests, and a first
# cluster, which may fail, compiles the modules that it imports.
test-alone: .venv/all
	-@$(BIN)/python -c "import ray; ray.init('local', include_dashboard=False)" > /dev/null 2>&1
	$(BIN)/python -m pytest -m alone tests/arena/engines/test_ray.py tests/project/test_neighbours.py

# The linter, the quick tests of one room, and those elsewhere that notice its planted faults, while one works on it: make quick ROOM=oracles.
# Each process imports all of them, so two are quickest. Types take longer: make types.
quick: WORKERS = 2
quick: .venv/all
	@test -n "$(ROOM)" || (echo "name a folder of the package: make quick ROOM=oracles"; exit 2)
	$(BIN)/ruff check $(ROOM) tests && $(BIN)/ruff format --check --quiet $(ROOM) tests
	$(PYTEST) -q -m "not slow and $(BESIDE)" $$($(BIN)/python -m tests.helpers.rooms $(ROOM))

# Libraries that want other versions than all else, or bring much, have an environment each, which takes all else from .venv. Their
# tests are marked with its name, as @pytest.mark.apart(name="tianshou").
APART := tianshou agilerl speaking pgx inspect
NEEDS_tianshou := 'tianshou>=2'
NEEDS_agilerl := 'agilerl>=2.58' 'peft>=0.21'  # AgileRL imports peft and does not name it
NEEDS_speaking := 'verifiers>=0.4' 'openenv-core>=0.3'
NEEDS_inspect := 'inspect-ai>=0.3.285'
NEEDS_pgx := 'pgx>=2.6' 'jax>=0.4'
TESTED_APART := tests/project/test_neighbours.py tests/text/test_serving.py tests/text/test_verifiers.py tests/games/test_elsewhere.py
.PRECIOUS: .venv/%/done
apart: $(APART:%=apart-%)
apart-%: .venv/%/done
	.venv/$*/bin/python -m pytest -m 'apart(name="$*")' $(TESTED_APART)

.venv/%/done: .venv/all
	$(BIN)/python -m venv --clear .venv/$*
	@$(BIN)/python -c 'import sysconfig as s; print("import site; site.addsitedir(%r)" % s.get_path("purelib"))' \
		> $$(.venv/$*/bin/python -c 'import sysconfig as s; print(s.get_path("purelib"))')/below.pth
	.venv/$*/bin/python $(INSTALL) $(NEEDS_$*)
	@touch $@

# Faults that the tests must notice (tests/README.md): all of them, or five that the commit's hash chooses.
mutants: .venv/all
	$(BIN)/python -m tests.mutants --workers 2

some-mutants: .venv/all
	$(BIN)/python -m tests.mutants --some 5 --workers 2

# Runs so many small programs as Python and as machine code; then damages files of every format so many times as often as `make test` does.
TIMES ?= 50
PROGRAMS ?= 10000
fuzz: .venv/all
	FUZZ_TIMES=$(TIMES) FUZZ_PROGRAMS=$(PROGRAMS) $(PYTEST) tests/core/native/test_programs.py tests/fuzz/test_fuzz.py

# Walks about at random on the board in the browser, so many steps a game; SEED chooses another walk.
STEPS ?= 2000
SEED ?= 1
wander: .venv/all
	WANDER_STEPS=$(STEPS) WANDER_SEED=$(SEED) $(BIN)/python -m pytest tests/web/test_wander.py

# The page without a server, which `ludus page` writes; and its kernels by themselves, in build/page. The same sources and versions give
# the same bytes.
page: .venv/page
	$(BIN)/python -m ludus.web.alone build/page

# They do what Python's do in node, in so many positions of each variant; and in FIREFOX, which comes with no package.
POSITIONS ?= 1000
FIREFOX ?= firefox
page-parity: .venv/all
	PARITY_POSITIONS=$(POSITIONS) $(BIN)/python -m pytest tests/web/test_kernels.py

page-firefox: .venv/all
	PARITY_POSITIONS=$(POSITIONS) $(BIN)/python -m tests.web.firefox $(FIREFOX)

# Games, environments and commands on every other Python from 3.10 to 3.14 that is at hand, on the path or with pyenv.
versions:
	@for version in 3.10 3.11 3.12 3.13 3.14; do \
		for python in python$$version $$(ls -d $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$version.*/bin/python 2>/dev/null); do \
			if $$python -c 0 2>/dev/null; then $(MAKE) --no-print-directory version PYTHON=$$python PLACE=.venv/$$version || exit 1; break; fi; \
		done; \
	done

version:
	@test -n "$(PLACE)" || (echo "this is a part of: make versions" && exit 2)
	@mkdir -p .venv
	@test -x $(PLACE)/bin/python || $(PYTHON) -m venv $(PLACE)
	@$(PLACE)/bin/python $(INSTALL) -e '.[render]' pytest hypothesis
	@echo "== $$($(PLACE)/bin/python --version)"
	$(PLACE)/bin/python -m pytest -q tests/games/test_rules.py tests/games/test_properties.py tests/envs/test_aec.py tests/cli/test_cli.py -k "perft or legal or spec or list or api or pickle or fork"

# The AEC environment with each PettingZoo before the newest, and beside AgileRL, which needs an older one.
pettingzoo:
	@for wanted in 'pettingzoo==1.24.*' 'pettingzoo==1.25.*' 'pettingzoo==1.26.*' agilerl; do \
		place=.venv/$$(echo "$$wanted" | tr -d '.*='); mkdir -p .venv; \
		test -x $$place/bin/python || $(PYTHON) -m venv $$place || exit 1; \
		$$place/bin/python $(INSTALL) -e '.[render]' pytest hypothesis "$$wanted" || exit 1; \
		echo "== $$wanted"; \
		$$place/bin/python -m pytest -q tests/envs/test_aec.py tests/envs/test_shared.py || exit 1; \
	done

lint: .venv/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/all
	$(BIN)/basedpyright

bench: .venv/bench
	$(BIN)/python -m benchmarks peers

# The suites of openings that ship, by the commands in their files; nothing changes but their version.
suites: .venv/play
	$(BIN)/python -m benchmarks.making.suites

docs: .venv/play
	$(BIN)/python docs/build.py

# The site, in build/site/html: warnings are errors, the tutorials are run (NOTEBOOKS=off leaves that out), and a browser tries it.
NOTEBOOKS ?= force
site: .venv/site
	rm -rf build/site
	$(BIN)/python -m ludus.web.alone
	$(BIN)/python docs/website/assembling.py build/site/source
	$(BIN)/python -m sphinx -q -W --keep-going -D nb_execution_mode=$(NOTEBOOKS) -c docs/website build/site/source build/site/html
	$(BIN)/python -m pytest tests/project/test_built_site.py

# The sdist and the wheels in dist/, checked: the pure one, and one for Linux on x86-64 with compiled kernels. From dist/ alone the core is installed by its name into an environment that has nothing else,
# its dependencies follow from the usual index, and it is used.
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
wheel: page
	$(PIP) 'build>=1.2' 'twine>=6' 'wheel>=0.40'
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	LUDUS_CACHE=build/kernels $(BIN)/python -m benchmarks.making.compiled_wheel dist
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python -m venv --clear .venv/wheel
	.venv/wheel/bin/python $(INSTALL) --no-index --no-deps --find-links dist ludus-games==$(VERSION)
	.venv/wheel/bin/python $(INSTALL) ludus-games==$(VERSION)
	cd $$(mktemp -d) && $(CURDIR)/.venv/wheel/bin/python $(CURDIR)/tests/project/core_only.py

# All of a release up to the upload; .ci/run has passed before.
PAGES := $(addprefix tests/project/test_,docs.py trouble.py installing.py names.py packaging.py)
release: lint
	@grep -q '^## $(VERSION) (20' CHANGELOG.md || (echo "CHANGELOG.md lacks the heading: ## $(VERSION) (YYYY-MM-DD)"; exit 1)
	$(BIN)/python -m pytest -q $(PAGES) -k "not wheel and not checkout"
	$(BIN)/python -m pytest -q -m release tests/project/test_studies.py
	$(MAKE) wheel
	@echo "ludus-games $(VERSION) is ready in dist/. A tag v$(VERSION) makes the workflow upload it; by hand: $(BIN)/python -m twine upload dist/*"

# The core and its pages with the lowest version of each library that pyproject.toml allows, and with the newest.
TRIED = tests/games tests/core tests/envs/test_vector.py tests/arena/report/test_report.py tests/cli/test_cli.py
oldest: .venv/bin/python
	$(PIP) 'uv>=0.5'
	$(BIN)/python -m venv --clear .venv/oldest
	$(BIN)/python -m uv pip install --quiet --python .venv/oldest/bin/python --resolution lowest-direct -e '.[play]' 'pytest>=8' 'hypothesis>=6.100'
	.venv/oldest/bin/python -m pytest -q $(TRIED) -k "not list_shows_every_game"  # the oldest PettingZoo has no ids

newest: .venv/bin/python
	$(BIN)/python -m venv --clear .venv/newest
	.venv/newest/bin/python $(INSTALL) --upgrade --upgrade-strategy eager -e '.[play]' pytest hypothesis
	.venv/newest/bin/python -m pytest -q $(TRIED)

# Trains what the tables of trained players show, as far as it is missing, in so many processes; killed, it goes on.
JOBS ?= 2
ROWS = tabular_originals trained_tables trained_ntuples trained_neat circles trained_alphazero trained_sb3
rows: .venv/all
	@seq $(JOBS) | xargs -P $(JOBS) -I{} sh -c 'for study in $(ROWS); do $(BIN)/python -m benchmarks $$study >/dev/null || exit 255; done'

# The results behind the figures of the pages: how old each is, and what it costs to make again.
results: .venv/play
	@$(BIN)/python -m benchmarks

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 10) <= sys.version_info[:2] else "ludus needs Python 3.10 or newer; choose one with: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv || (rm -rf .venv; echo "no virtual environment could be made; on Debian: apt-get install python3-venv"; exit 1)

.venv/play: pyproject.toml | .venv/bin/python
	@echo "setting up .venv (once)"
	$(PIP) -e '.[play]'
	@touch $@

.venv/page: pyproject.toml | .venv/bin/python
	@echo "setting up .venv for the page (once)"
	$(PIP) -e '.[page]'
	@touch $@

.venv/all: pyproject.toml | .venv/bin/python
	@echo "setting up .venv for the tests (once)"
	$(PIP) -e '.[all]'
	@touch $@ .venv/play .venv/page

.venv/site: pyproject.toml | .venv/bin/python
	@echo "setting up .venv for the site (once)"
	$(PIP) -e '.[all,site]'
	@touch $@ .venv/all .venv/play .venv/page

.venv/bench: pyproject.toml | .venv/bin/python
	@echo "setting up .venv with the peers (once)"
	$(PIP) -e '.[play,bench]'
	@touch $@ .venv/play

clean:
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .hypothesis

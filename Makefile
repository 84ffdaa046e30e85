# `make demo` and `make test` set up all they need in .venv: a machine with Python 3.10 to 3.13 and make is enough.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint types bench docs clean

demo: .venv/core
	@$(BIN)/ludus demo

test: .venv/all
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: .venv/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/all
	$(BIN)/basedpyright

bench: .venv/bench
	$(BIN)/python benchmarks/peers.py

docs: .venv/core
	$(BIN)/python docs/build.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 10) <= sys.version_info[:2] else "ludus needs Python 3.10 or newer; choose one with: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv

.venv/core: pyproject.toml | .venv/bin/python
	@echo "setting up .venv (once)"
	$(PIP) -e .
	@touch $@

.venv/all: pyproject.toml | .venv/bin/python
	@echo "setting up .venv for the tests (once)"
	$(PIP) -e '.[all]'
	@touch $@ .venv/core

.venv/bench: pyproject.toml | .venv/bin/python
	@echo "setting up .venv with the peers (once)"
	$(PIP) -e '.[bench]'
	@touch $@ .venv/core

clean:
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .hypothesis

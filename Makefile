# Two commands do everything on a fresh machine:
#   make demo   sets up and prints the Op Force's orders for a shipped battle
#   make test   sets up and runs the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-all check bench clean

$(VENV)/gm: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@ $(VENV)/gm

demo: $(VENV)/gm
	$(BIN)/opfor orders examples/ridge-12.yaml --seed 1 --out out/ridge-12

test: $(VENV)/dev
	$(BIN)/python -m pytest -n auto

test-all: $(VENV)/dev
	$(BIN)/python -m pytest -m "slow or not slow"

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) out build dist *.egg-info

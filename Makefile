# `make demo` and `make test` set up whatever is missing first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup demo test docs format lint golden bench check soak clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/treering models pull e5-small splade-tiny
	$(BIN)/treering demo

test: $(READY)
	$(BIN)/treering models pull e5-small splade-tiny static minilm
	$(BIN)/python -m pytest -m 'not soak'

docs: $(READY)
	$(BIN)/python docs/drawing/forests.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

format: $(READY)
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

golden: $(READY)
	TREERING_GOLDEN=write $(BIN)/python -m pytest tests/golden

# Memories take minutes to embed: build them once with `treering add BUILT/NAME.treering DATA/NAME/messages.jsonl.gz`.
DATA ?= benchmarks
BUILT ?= built
bench: $(READY)
	for name in ncar bytecode; do \
	  $(BIN)/treering eval $$name --data $(DATA)/$$name --memory $(BUILT)/$$name.treering; \
	  $(BIN)/python -m bench.queries $(BUILT)/$$name.treering $(DATA)/$$name; \
	done

soak: $(READY)
	$(BIN)/python -m pytest -m soak -s

check: lint test

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

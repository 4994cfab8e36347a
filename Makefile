# One command each. VENV names the environment to use, PYTHON what makes it.
VENV ?= .venv
PYTHON ?= python3
BIN = $(VENV)/bin
.DEFAULT_GOAL := help
.PHONY: help install quickstart test lint types bench

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 14

install:  ## make the environment, unless it is up to date
	@if [ ! "$(VENV)/installed" -nt pyproject.toml ] || [ ! "$(VENV)/installed" -nt constraints.txt ]; then \
	  { [ -x "$(BIN)/python" ] || "$(PYTHON)" -m venv "$(VENV)"; } && \
	  "$(BIN)/python" -m pip install --disable-pip-version-check -c constraints.txt -e ".[dev]" && \
	  touch "$(VENV)/installed"; \
	fi

quickstart: install  ## the whole story on the fictional world
	"$(BIN)/hopilot" quickstart

test: install  ## run the tests
	"$(BIN)/pytest"

lint: install types  ## check style, types and the direction of imports
	"$(BIN)/ruff" check .
	"$(BIN)/ruff" format --check .
	"$(BIN)/lint-imports"

# mypy wants a folder named hopilot: it gets a scratch install, which is also what ships.
types: install  ## check types
	@trap 'rm -rf build' EXIT && rm -rf build && \
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --no-deps --target build/types . && \
	MYPYPATH=build/types "$(BIN)/mypy" --config-file pyproject.toml -p hopilot

bench: install  ## measure speed
	for script in tests/bench/exploration.py tests/bench/decision.py; do "$(BIN)/python" "$$script" || exit 1; done

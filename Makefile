# `make demo` and `make test` are all a fresh clone needs, beside git and Python 3.11 or newer.
# Everything is installed into .venv from the locked, hashed lists in requirements/.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PYTHON_IN_VENV := $(BIN)/python
PIP_INSTALL := $(PYTHON_IN_VENV) -m pip --disable-pip-version-check install --quiet

# The folders that the checkers read; benchmarks are checked as soon as there are some.
CHECKED := setup.py src tests $(wildcard benchmarks) training docs

DEMO_FILE := src/cruxe/model/errors.py
DEMO_SYMBOL := EngineError
DEMO_QUESTION := how is the score of a result explained

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

.PHONY: demo
demo: $(VENV)/.base ## index this repository into .demo/, outline a file, locate a symbol, search
	@rm -rf .demo
	@set -e; PATH="$(CURDIR)/$(BIN):$$PATH"; CRUXE_STORAGE_DATA_DIR="$(CURDIR)/.demo"; \
	export PATH CRUXE_STORAGE_DATA_DIR; \
	show() { printf '\n$$ cruxe %s\n' "$$*"; cruxe "$$@"; }; \
	echo 'Cruxe indexes its own source. The index goes to .demo/, and nowhere else.'; \
	show index; \
	show status; \
	show outline $(DEMO_FILE); \
	show locate $(DEMO_SYMBOL); \
	show search --limit 3 "$(DEMO_QUESTION)"; \
	printf '\nDone. Try it on your own code: %s -C DIR search QUESTION\n' "$(BIN)/cruxe"

.PHONY: test
test: $(VENV)/.dev ## run all tests but the long lane; ARGS="-k name" narrows
	$(PYTHON_IN_VENV) -m pytest $(ARGS)

.PHONY: test-long
test-long: $(VENV)/.dev ## run the long lane: tests that take minutes
	$(PYTHON_IN_VENV) -m pytest -m long $(ARGS)

.PHONY: lint
lint: $(VENV)/.dev ## check style, format, types, layers and declared dependencies
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/mypy $(CHECKED)
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/deptry src

.PHONY: format
format: $(VENV)/.dev ## rewrite the sources as `make lint` wants them
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)

.PHONY: bench
bench: $(VENV)/.dev ## run the benchmarks; SUITE=name chooses one
	$(PYTHON_IN_VENV) -m benchmarks $(SUITE)

.PHONY: lock
lock: $(VENV)/.dev ## renew requirements/*.txt; UPGRADE=1 takes the newest releases
	$(LOCK) pyproject.toml requirements/build.in --output-file requirements/base.txt
	$(LOCK) pyproject.toml requirements/build.in requirements/dev.in \
		--constraints requirements/base.txt --output-file requirements/dev.txt

# `universal` writes one list for every system and Python; `fewest` keeps one version of each package in it.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-header --no-emit-index-url --no-emit-find-links \
	$(if $(UPGRADE),--upgrade)

.PHONY: clean
clean: ## remove what the other commands made
	rm -rf $(VENV) .demo build dist src/cruxe.egg-info src/cruxe/native/*.so .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# The hidden files in .venv are stamps: a list that did not change is not installed again.

$(VENV)/.dev: requirements/dev.txt $(VENV)/.base
	@echo 'Installing the tools of requirements/dev.txt'
	@$(PIP_INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.base: requirements/base.txt pyproject.toml setup.py $(wildcard src/cruxe/native/*.[ch]) | $(VENV)/.created
	@echo 'Installing Cruxe with the packages of requirements/base.txt'
	@$(PIP_INSTALL) --require-hashes -r requirements/base.txt
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# Each candidate is run, not only looked up: a version manager's stub is on PATH whether or not it works.
$(VENV)/.created:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "Creating $(VENV) with $$("$$python" --version)"; \
			"$$python" -m venv $(VENV) && touch $@ && exit 0; \
			rm -rf $(VENV); \
			echo "$$python cannot create a virtual environment; install its venv module." >&2; \
			exit 1; \
		fi; \
	done; \
	echo 'Cruxe needs Python 3.11 or newer and found none; install one or say: make PYTHON=/path/to/python' >&2; \
	exit 1

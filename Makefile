# Two commands do everything: `make run` and `make test`. Each sets up what it needs; a second run starts at once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help install run test test-cluster lint bench train lock clean

help:
	@echo "make run     open the web app with the sample policies (sets everything up first)"
	@echo "make test    all checks: ruff, mypy, pytest"
	@echo "make test-cluster   OpenSearch, Spark and Parquet on this machine; needs Java 21 or newer and Maven"
	@echo "make bench   measure; needs the data folder in SMALLPRINT_DATA"
	@echo "make train   train the models anew; needs SMALLPRINT_DATA"
	@echo "make lock    pin the dependencies anew"

install: $(VENV)/.installed

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Smallprint needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: requirements.lock pyproject.toml | $(VENV)/.made
	@echo "Installing Smallprint into $(VENV) (once)"
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.checks: requirements-dev.lock $(VENV)/.installed
	@echo "Installing what the tests need (once)"
	$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

run: $(VENV)/.installed
	@$(BIN)/smallprint serve --demo --open

test: lint
	$(BIN)/pytest

$(VENV)/.cluster: requirements-cluster.lock $(VENV)/.checks
	@echo "Installing what clusters need (once)"
	$(PIP) install --require-hashes -r requirements-cluster.lock
	@touch $@

# Skipped where pyarrow is not installed, as in `make test`.
WITH_ARROW := tests/corpus/test_corpus_parts.py tests/corpus/test_spark_context.py tests/library/test_snapshot.py \
	tests/index/test_export.py tests/api/test_search.py

test-cluster: $(VENV)/.cluster
	@$(BIN)/python -m smallprint.bench.opensearch_nodes
	SMALLPRINT_CLUSTER=1 $(BIN)/pytest tests/cluster $(WITH_ARROW) --durations=10

lint: $(VENV)/.checks
	$(BIN)/ruff format --check --quiet src tests train
	$(BIN)/ruff check --quiet src tests train
	$(BIN)/mypy
	@for file in tests/*/conftest.py; do $(BIN)/mypy --no-error-summary $$file || exit 1; done

bench: $(VENV)/.checks
	@for name in extraction privacyqa asked; do $(BIN)/smallprint bench $$name || exit 1; done

train:
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet -r train/requirements.txt
	.venv-train/bin/python -m pip install --quiet --editable .
	.venv-train/bin/python -m train.all

lock: $(VENV)/.made
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --extra install --extra bench -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --extra install --extra bench --extra dev -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --extra opensearch --extra spark --constraint requirements-dev.lock \
		-o requirements-cluster.lock

clean:
	rm -rf $(VENV) .venv-train build dist .mypy_cache .pytest_cache .ruff_cache

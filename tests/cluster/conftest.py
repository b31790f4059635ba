"""Clusters on loopback. `make test-cluster` sets SMALLPRINT_CLUSTER; without it these tests are left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from smallprint.bench import opensearch_nodes
from smallprint.bench.opensearch_nodes import Nodes


class LeftOut(pytest.Module):
    """Not even imported: what clusters need is not installed by `make test`."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        pytest.skip("needs Java and a cluster: run `make test-cluster`", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    if os.environ.get("SMALLPRINT_CLUSTER"):
        return None
    left_out: LeftOut = LeftOut.from_parent(parent, path=module_path)
    return left_out


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.cluster)


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """Three nodes that no test harms."""
    opensearch_nodes.fetch()
    with Nodes(tmp_path_factory.mktemp("nodes")) as started:
        yield started

"""compose.yaml and the Dockerfile, as far as they can be checked where no image can be had."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from smallprint.index.opensearch.address import address
from smallprint.settings import Settings

ROOT = Path(__file__).parent.parent
NODES = ("search1", "search2", "search3")


@pytest.fixture
def compose() -> Any:
    return yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def test_the_app_searches_in_all_nodes(compose: Any, settings: Settings) -> None:
    web = compose["services"]["web"]
    place = address(replace(settings, index=web["environment"]["SMALLPRINT_INDEX"]))
    assert [host for host, _ in place.hosts] == list(NODES)
    assert set(web["depends_on"]) == set(NODES)


@pytest.mark.parametrize("node", NODES)
def test_nodes_find_each_other_and_keep_their_data(compose: Any, node: str) -> None:
    service = compose["services"][node]
    environment = service["environment"]
    assert environment["node.name"] == node
    assert environment["discovery.seed_hosts"].split(",") == list(NODES)
    assert environment["cluster.initial_cluster_manager_nodes"].split(",") == list(NODES)
    assert [volume.split(":")[0] for volume in service["volumes"]] == [node]


def test_nodes_without_a_password_are_reached_by_the_app_alone(compose: Any) -> None:
    assert compose["networks"]["search"]["internal"] is True
    for name, service in compose["services"].items():
        assert set(service["networks"]) <= set(compose["networks"])
        assert name == "web" or (service["networks"] == ["search"] and "ports" not in service)
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["web"]["ports"])


def test_all_volumes_are_declared(compose: Any) -> None:
    used = {volume.split(":")[0] for service in compose["services"].values() for volume in service["volumes"]}
    assert used == set(compose["volumes"])


def test_what_the_image_copies_is_there() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    copied = [name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]]
    assert copied
    assert all((ROOT / name).exists() for name in copied)


def test_docker_takes_it() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        pytest.skip("needs `docker compose`")
    token = {"SMALLPRINT_TOKEN": "x" * 40, "PATH": str(Path(docker).parent)}
    done = subprocess.run([docker, "compose", "config", "--quiet"], cwd=ROOT, env=token, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

"""What is said where Spark can't be had. None of these starts it."""

from __future__ import annotations

import builtins
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from corpus_helpers import row, write_rows

from smallprint.cli.commands import smallprint
from smallprint.corpus import spark_context
from smallprint.errors import ClusterError


def test_without_pyspark_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def no_spark(name: str, *args: Any, **named: Any) -> Any:
        if name.startswith("pyspark"):
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", no_spark)
    with pytest.raises(ClusterError, match=r"pip install 'smallprint\[spark\]'"):
        spark_context.context("local[1]", {})


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "needs Java 17 or newer: install it, or set JAVA_HOME"),
        ("exit 1", "needs Java 17 or newer: install it, or set JAVA_HOME"),
        ("echo 'openjdk version \"11.0.2\"' >&2", "is Java 11: set JAVA_HOME"),
    ],
)
def test_without_java_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, said: str
) -> None:
    pytest.importorskip("pyspark", reason="needs pyspark: pip install 'smallprint[spark]'")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    if script is not None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/java").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin/java").chmod(0o700)
    with pytest.raises(ClusterError, match=said):
        spark_context.context("local[1]", {})


def test_a_master_that_does_not_answer_is_told_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        master = f"spark://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"No Spark master answers at {master}"):
            spark_context._check_master(master)
    with pytest.raises(ClusterError, match="No Spark master"):
        spark_context._check_master("spark://nowhere")
    spark_context._check_master("yarn")


@pytest.mark.parametrize(
    ("given", "meant"),
    [("local", "local[1,4]"), ("local[*]", "local[*,4]"), ("local[2,9]", "local[2,9]"), ("yarn", "yarn")],
)
def test_a_task_is_tried_again_on_this_machine_too(given: str, meant: str) -> None:
    assert spark_context._with_retries(given) == meant


def test_one_line_is_made_of_a_stack_trace() -> None:
    trace = (
        "An error occurred while calling z:PythonRDD.collect.\n: org.apache.spark.SparkException: Job aborted due to "
        'stage failure: Task 0 failed 4 times: Traceback\n  File "x"\n{error}\n\tat java.lang.Thread.run'
    )
    assert spark_context._why(trace.format(error="smallprint.errors.ClusterError: Say this.")) == "Say this."
    assert spark_context._why(trace.format(error="KeyError: 1")) == "Task 0 failed 4 times: Traceback"
    assert spark_context._why("") == "no reason told."


@pytest.mark.parametrize(
    "options",
    [
        ["--master", "local[2]"],
        ["--parts", "x"],
        ["--engine", "spark", "--workers", "2"],
        ["--engine", "spark", "--conf", "x"],
        ["--engine", "abacus"],
    ],
)
def test_misuse(home: Path, tmp_path: Path, options: list[str]) -> None:
    corpus = write_rows(tmp_path / "c.jsonl", [row("A")])
    assert CliRunner().invoke(smallprint, ["ingest", str(corpus), *options]).exit_code == 2
    assert not home.exists()

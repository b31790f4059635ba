from __future__ import annotations

import inspect

import pytest

from smallprint import errors
from smallprint.errors import SmallprintError
from smallprint.http.problems import INTERNAL, TABLE, of_error

TREE = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, SmallprintError)]


def made(kind: type[SmallprintError]) -> SmallprintError:
    wanted = inspect.signature(kind.__init__).parameters
    known = {"url": "https://x.example", "status": 404, "language": "de"}
    return kind("/home/ann/library: what was asked", **{k: v for k, v in known.items() if k in wanted})


@pytest.mark.parametrize("kind", TREE)
def test_every_error_of_the_tree_has_its_row(kind: type[SmallprintError]) -> None:
    assert kind in TABLE
    problem = of_error(made(kind)).document()
    assert problem["type"].startswith("urn:smallprint:problem:")
    assert 400 <= problem["status"] < 600


def test_rows_differ() -> None:
    kinds = [row.kind for row in TABLE.values() if row is not INTERNAL]
    assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize("kind", TREE)
def test_what_is_our_fault_keeps_its_words(kind: type[SmallprintError]) -> None:
    problem = of_error(made(kind))
    assert (problem.status >= 500) == (problem.detail == "")


def test_a_new_kind_takes_the_row_of_its_base() -> None:
    class Odd(errors.NotAPolicy):
        pass

    assert of_error(Odd("x")).kind == "not-a-policy"

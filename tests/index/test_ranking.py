from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.index import ranking


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(ranking.NEUTRAL, ranking.HIGHEST))
def test_the_stored_weight_is_the_factor_in_32_bits(p_policy: float, pagerank: float) -> None:
    weight = ranking.weight(p_policy, pagerank)
    assert weight >= 0
    short = struct.unpack("f", struct.pack("f", weight))[0]
    made = ranking.unweighted(math.log2(2 + short))
    assert made == pytest.approx(ranking.factor(p_policy, pagerank), rel=1e-6)


def test_factor_is_probability_times_log10_of_pagerank() -> None:
    assert ranking.factor(0.8, 100) == pytest.approx(1.6)
    assert ranking.factor(1, ranking.NEUTRAL) == 1
    assert ranking.factor(0, 1000) == ranking.LEAST_FACTOR


def test_ranks_become_pageranks() -> None:
    assert ranking.pagerank_of(1) == pytest.approx(1000)
    assert ranking.pagerank_of(1_000) == pytest.approx(100)
    assert ranking.pagerank_of(1_000_000) == pytest.approx(10)
    assert ranking.pagerank_of(50_000_000) == pytest.approx(10)


@settings(deadline=None)
@given(st.integers(1, 2_000_000), st.integers(1, 2_000_000))
def test_a_better_rank_never_has_a_lower_pagerank(one: int, other: int) -> None:
    better, worse = sorted((one, other))
    assert ranking.pagerank_of(better) >= ranking.pagerank_of(worse)


@pytest.mark.parametrize(
    ("url", "shared"),
    [
        ("https://docs.google.com/document/d/1/pub", True),
        ("https://acme.github.io/privacy", True),
        ("https://policies.google.com/privacy", False),
        ("https://www.tumblr.com/privacy", False),
        ("https://acme.tumblr.com/privacy", True),
        ("", False),
    ],
)
def test_a_page_on_a_host_for_everybody_is_not_popular_by_its_host(url: str, shared: bool) -> None:
    assert ranking.popularity_of(url, 1) == pytest.approx(10 if shared else 1000)
    assert ranking.popularity_of(url, None) == ranking.NEUTRAL


@settings(deadline=None)
@given(st.integers(1, 10_000), st.integers(0, 10_000))
def test_the_correction_makes_the_classic_idf(documents: int, containing: int) -> None:
    n = min(documents, containing)
    made = ranking.idf_correction(documents, n, [n]) * ranking.engine_idf(documents, n)
    assert made == pytest.approx(max(ranking.IDF_FLOOR, math.log((documents - n + 0.5) / (n + 0.5))))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**8), st.text(min_size=1, max_size=5)), max_size=10))
def test_order_keys_sort_by_value_and_fit(items: list[tuple[int, str]]) -> None:
    keys = [(ranking.order_key(value, id), value) for value, id in items]
    assert all(key < 2**63 for key, _ in keys)
    assert [value for _, value in sorted(keys)] == sorted(value for value, _ in items)

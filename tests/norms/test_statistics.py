from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smallprint.norms.statistics import quantiles, share


def test_wilson_intervals_as_the_books_have_them() -> None:
    few = share(4, 100)
    assert (few.share, few.low, few.high) == (0.04, 0.0157, 0.0984)
    none = share(0, 10)
    assert (none.low, none.high) == (0.0, 0.2775)


def test_nothing_counted_tells_nothing() -> None:
    assert (share(0, 0).low, share(0, 0).high) == (0.0, 1.0)


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_share_lies_in_its_interval_and_more_policies_narrow_it(count: int, others: int) -> None:
    total = count + others
    one, ten = share(count, total), share(count * 10, total * 10)
    assert 0 <= one.low <= one.share + 1e-4
    assert one.share - 1e-4 <= one.high <= 1
    assert ten.high - ten.low <= one.high - one.low + 1e-4


def test_quantiles_lie_between_the_values() -> None:
    assert quantiles([3, 1, 2], (0, 0.5, 1)) == (1, 2, 3)
    assert quantiles([0.0, 1.0], (0.25,)) == (0.25,)
    assert quantiles([], (0.5,)) == (0.0,)

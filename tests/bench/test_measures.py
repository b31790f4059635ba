from __future__ import annotations

import pytest

from smallprint.bench import measures as m

RANKING = [3, 1, 4, 0, 2]


def test_ranking_measures_by_hand() -> None:
    relevant = {1, 0}
    assert m.found_at(1, RANKING, relevant) == 0
    assert m.found_at(2, RANKING, relevant) == 1
    assert m.precision_at(5, RANKING, relevant) == 0.4
    assert m.reciprocal_rank(RANKING, relevant) == 0.5
    assert m.average_precision(RANKING, relevant) == (1 / 2 + 2 / 4) / 2
    assert m.ndcg_at(5, RANKING, relevant) == pytest.approx((0.63093 + 0.43068) / 1.63093, abs=1e-4)


def test_short_rankings_are_judged_on_k() -> None:
    assert m.precision_at(5, [1], {1}) == 0.2


def test_questions_without_relevant_items_are_left_out() -> None:
    assert m.ranking_scores([([1, 2], {1}), ([1, 2], set())])["MRR"] == 1
    assert m.ranking_scores([])["MAP"] == 0


@pytest.mark.parametrize(
    ("shown", "relevant", "expected"),
    [
        ([], [], (1, 1, 1)),
        ([], [1], (0, 0, 0)),
        ([1], [], (0, 0, 0)),
        ([1, 2], [2], (0.5, 1, 2 / 3)),
    ],
)
def test_selection_of_one_question(shown: list[int], relevant: list[int], expected: tuple[float, ...]) -> None:
    assert m.precision_recall_f1(shown, relevant) == pytest.approx(expected)


def test_two_conventions_of_f1_differ() -> None:
    scores = m.sentence_selection([([1], [1, 2]), ([3, 4], [3])], "_any")
    assert scores["f1_any"] == pytest.approx(0.75)
    assert scores["mean_f1_any"] == pytest.approx(2 / 3)

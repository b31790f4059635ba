from __future__ import annotations

from pathlib import Path

import pytest
from made import group, norms

from smallprint.annotate.sector import NAMES
from smallprint.errors import NormsError
from smallprint.norms import figures
from smallprint.norms.traits import traits
from smallprint.records import Stance

MADE = norms(
    all=group(400, {"collects/location": (40, 4, 6, 0)}),
    finance=group(60, {"collects/location": (3, 0, 0, 0)}),
    travel=group(49, {}),
)


def test_a_share_is_of_the_stances_asked_for() -> None:
    everyone = MADE.groups["all"]
    assert everyone.saying("collects/location", Stance.YES).share == 0.1
    assert everyone.saying("collects/location").count == 50
    assert everyone.saying("collects/health").count == 0


def test_a_policy_is_measured_against_its_sector_where_that_is_large_enough() -> None:
    assert MADE.kin("finance").group.policies == 60
    assert MADE.kin("finance").name == "finance "
    few = MADE.kin("travel")
    assert (few.sector, few.few, few.group.policies) == ("all", 49, 400)
    assert MADE.kin("medical").few == 0
    assert MADE.kin("unknown").few is None


def test_own_norms_replace_the_shipped_ones_and_can_be_dropped(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert figures.current(home) == figures.shipped()
    figures.keep(MADE, home)
    assert figures.current(home) == MADE
    assert figures.current(home).own
    assert [path.name for path in home.iterdir()] == ["norms.json"]
    assert figures.drop(home)
    assert not figures.drop(home)
    assert not figures.current(home).own


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"shape": 1, "corpus": "", "model": "", "groups": {}}', '{"shape": 9}']
)
def test_damaged_norms_are_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "norms.json").write_text(text)
    with pytest.raises(NormsError):
        figures.current(tmp_path)


def test_sectors_go_by_both_names() -> None:
    assert figures.sector_named("Medical") == figures.sector_named("medical") == "medical"
    with pytest.raises(NormsError, match="known: all, finance"):
        figures.sector_named("plumbing")


def test_what_is_shipped_is_whole() -> None:
    shipped = figures.shipped()
    assert shipped.policies > 1_000
    assert set(shipped.groups) <= {"all", *NAMES}
    assert sum(g.policies for name, g in shipped.groups.items() if name != "all") <= shipped.policies
    for one in shipped.groups.values():
        assert set(one.said) <= set(traits())
        assert all(sum(counts) <= one.policies for counts in one.said.values())
        assert list(one.vagueness.points) == sorted(one.vagueness.points)
    cookies, health = (shipped.groups["all"].saying(f"collects/{key}").share for key in ("cookies", "health"))
    assert cookies > 0.6 > health

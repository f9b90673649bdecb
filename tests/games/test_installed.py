"""Games of other packages: found by their entry points, or left out with a reason."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.app.doctor import host_checks
from bot.i18n import Languages
from bot.settings import Settings
from games import catalog
from games.__main__ import main
from games.installed import LeftOut, installed_games
from games.view import Text
from tests.support.own_games import OWN_GAMES

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package with these entry points and this source."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(name: str, entries: str, source: str) -> None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(source)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(entries)

    return put


WALK = """
from games.view import Text
from tests.support.own_games import OWN_GAMES
from tests.games.toy import Walk as Toy
from dataclasses import replace
class Walk(Toy):
    info = replace(Toy.info, key="{key}")
"""


def test_the_sixth_game_of_the_tests_is_an_installed_one() -> None:
    assert "rows" in catalog.GAMES
    assert "rows" in catalog.LESSONS
    assert not catalog.LEFT_OUT


def test_a_game_is_found_with_its_translations(install: Install, tmp_path: Path) -> None:
    install("walking", "[parlour.games]\nwalk = walking:Walk\n", WALK.format(key="walk"))
    words = tmp_path / "walking" / "locales" / "de"
    words.mkdir(parents=True)
    (words / "parlour.po").write_text('msgid "Walk on, stranger."\nmsgstr "Geh weiter, Fremder."\n')
    found, left_out = installed_games(["rows"])
    assert [left.key for left in left_out] == ["rows"]
    assert found["walk"].kind().info.key == "walk"
    assert found["walk"].lesson is None
    said = "from games.view import Text; from bot.i18n import Languages;"
    said += "print(Languages().of('de')(Text.of('Walk on, stranger.')));"
    said += "print(Languages().of('de')(Text.of('Resign')))"
    run = subprocess.run(
        [sys.executable, "-c", said],
        env={"PYTHONPATH": f"{tmp_path}:{Path.cwd()}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split("\n")[:2] == [
        "Geh weiter, Fremder.",
        Languages().of("de")(Text.of("Resign")),
    ]


def test_a_catalogue_that_cannot_be_read_leaves_parlours_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "parlour.po").write_bytes(b"\xff\xfe")
    before = Languages()
    monkeypatch.setattr(catalog, "LOCALES", (tmp_path,))
    after = Languages()
    assert after.of("de")(Text.of("Resign")) == before.of("de")(Text.of("Resign")) != "Resign"
    assert "catalogue cannot be read" in caplog.text
    assert after.stamp() != before.stamp()


@pytest.mark.parametrize(
    ("key", "value", "source", "reason"),
    [
        ("quax", "p:Walk", WALK.format(key="quax"), "another game has the key quax"),
        ("walk", "p:Walk", "raise RuntimeError('torn')", "RuntimeError: torn"),
        ("walk", "p:Missing", WALK.format(key="walk"), "AttributeError"),
        ("walk", "nowhere:Walk", "", "ModuleNotFoundError"),
        ("walk", "p:Walk", WALK.format(key="stroll"), "another key than walk"),
        ("walk", "p", WALK.format(key="walk"), "no class derived from"),
        ("Walk!", "p:Walk", WALK.format(key="Walk!"), "small letters"),
        ("walk", "p:Game", "from games.api import Game", "another key"),
    ],
)
def test_a_broken_game_is_left_out_with_the_reason(
    install: Install, key: str, value: str, source: str, reason: str
) -> None:
    sys.modules.pop("p", None)
    install("p", f"[parlour.games]\n{key} = {value}\n", source)
    found, (left,) = installed_games(OWN_GAMES)
    assert {*OWN_GAMES, *found} == set(catalog.GAMES)
    assert (left.key, left.package) == (key, "p")
    assert reason in left.reason


def test_a_lesson_that_is_none_leaves_the_game_out(install: Install) -> None:
    sys.modules.pop("p", None)
    entries = "[parlour.games]\nwalk = p:Walk\n[parlour.lessons]\nwalk = p:Walk\n"
    install("p", entries, WALK.format(key="walk"))
    (left,) = installed_games([])[1]
    assert "no games.lesson.Lesson" in left.reason


def test_neither_of_two_packages_gets_a_key_that_both_give(install: Install) -> None:
    for name in ("one", "two"):
        install(name, f"[parlour.games]\nwalk = {name}:Walk\n", WALK.format(key="walk"))
    found, left_out = installed_games([])
    assert "walk" not in found
    assert [each.package for each in left_out] == ["one", "two"]


@pytest.mark.long
async def test_the_list_and_the_doctor_name_what_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (well,) = await host_checks.games(Settings())
    assert well.is_well
    assert "quax" in well.words
    monkeypatch.setattr(catalog, "LEFT_OUT", (LeftOut("walk", "walking", "RuntimeError: torn"),))
    assert main(["list"]) == 0
    assert "left out: walk of walking: RuntimeError: torn" in capsys.readouterr().out
    (finding,) = await host_checks.games(Settings())
    assert not finding.is_well
    assert "walk of walking: RuntimeError: torn" in finding.words

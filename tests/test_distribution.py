"""The files for hosts: running the container, pinned versions, permitted imports."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata, packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_OURS = ("games", "renderers", "engines", "bot", "playground")
_PURE = {
    "games": {"games"},
    "engines": {"games", "engines"},
    "bot/domain": {
        "games",
        "bot.domain",
        "bot.errors",
        "cachetools",
        "openskill",
        # What was measured of engines, and what they found, as plain data.
        "engines.levels",
        "engines.puzzle_book",
    },
}


def _imported(file: Path) -> set[str]:
    return {name for name, _ in _imports(file)}


def _imports(file: Path) -> set[tuple[str, bool]]:
    """The modules that a file imports, and whether it does so within a function."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    late = {
        inner
        for outer in ast.walk(tree)
        if isinstance(outer, functions)
        for inner in ast.walk(outer)
    }
    found: set[tuple[str, bool]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(alias.name, node in late) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "", node in late))
    return found


@pytest.mark.parametrize("folder", _PURE)
def test_rules_and_matches_need_nothing_but_what_is_named_here(folder: str) -> None:
    for file in (ROOT / folder).rglob("*.py"):
        for name in _imported(file):
            own = any(name == each or name.startswith(f"{each}.") for each in _PURE[folder])
            assert own or name.split(".")[0] in sys.stdlib_module_names, f"{file}: {name}"


@pytest.mark.parametrize("lock", sorted((ROOT / "locks").glob("*.txt")), ids=lambda path: path.stem)
def test_every_dependency_is_pinned_with_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    assert lines
    assert "://" not in text
    for line in lines:
        assert "==" in line, line
        assert "--hash=sha256:" in line, line


def _locked(name: str) -> set[str]:
    lock = (ROOT / "locks" / name).read_text(encoding="utf-8")
    return set(re.findall(r"^([\w-]+)==", lock, re.MULTILINE))


@pytest.mark.long
def test_running_needs_nothing_but_what_its_lock_file_names() -> None:
    """Only what is imported where it is used may come from the extras."""
    run, extras = _locked("run.txt"), _locked("extras.txt") | _locked("traces.txt")
    packages = packages_distributions()
    for folder in _OURS:
        for file in (ROOT / folder).rglob("*.py"):
            for name, is_late in _imports(file):
                module = name.split(".")[0]
                if module not in {*sys.stdlib_module_names, "", *_OURS}:
                    names = {re.sub(r"[_.]", "-", each.lower()) for each in packages[module]}
                    assert names & (run | extras if is_late else run), f"{file}: {module}"


_FREE = re.compile(
    r"MIT|BSD|Apache|PSF|Python Software Foundation|ISC|MPL-2\.0|OFL|Open Font|Zlib|Unlicense"
)
_BINDING = re.compile(r"\bA?GPL|General Public|Commons|Commercial|Proprietary", re.IGNORECASE)


def test_every_licence_lets_parlour_be_given_away() -> None:
    """As the packages themselves declare it; those for other machines are looked at there."""
    for name in sorted(_locked("run.txt") | _locked("extras.txt") | _locked("traces.txt")):
        try:
            about = metadata(name)
        except PackageNotFoundError:
            continue
        told = [about[each][:100] for each in ("License-Expression", "License") if each in about]
        told += [each for each in about.get_all("Classifier") or [] if each.startswith("License")]
        said = " / ".join(told)
        assert _FREE.search(said), f"{name}: {said}"
        assert not _BINDING.search(said), f"{name}: {said}"


def test_the_container_runs_as_nobody_in_particular_and_writes_to_its_volume_alone() -> None:
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    stages = [number for number, line in enumerate(image) if line.startswith("FROM ")]
    assert len(stages) == 2
    last = image[stages[-1] :]
    for wanted in ("USER parlour", "VOLUME /data", "HEALTHCHECK "):
        assert sum(line.startswith(wanted) for line in last) == 1, wanted
    (environment,) = [
        line for line in image[: stages[-1]] if "venv" in line and "/opt/parlour" in line
    ]
    assert "--without-pip" in environment
    assert any("pip uninstall" in line for line in last)
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    for wanted in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", "/data"):
        assert wanted in compose

"""Break the product on purpose, one place at a time, and see whether its tests notice.

``python -m tests.mutants [--only WORD] [--jobs N]``. The breaks are in the files beside this one: a
``file``, an ``old`` text that stands in it once, the ``new`` one, and the ``tests`` that should
fail. They are made in a copy of the tree. Ends with 1 if one is not caught or cannot be made.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[2]
SECONDS = 300
_STAMP = count(1)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One break of the product, and what should notice it."""

    room: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.room:12} {self.file:40} {' '.join(self.old.split())[:44]:44}"


def mutants() -> Iterator[Mutant]:
    """All there are, by room."""
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        for each in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
            tests = tuple(each["tests"].split())
            yield Mutant(path.stem, each["file"], each["old"], each["new"], tests)


def copy_to(folder: Path) -> Path:
    """The files of the checkout, as they are now, without what git ignores."""
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in subprocess.check_output(listed, cwd=ROOT, text=True).split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def passes(
    tree: Path, tests: Sequence[str], seconds: int | None = SECONDS
) -> tuple[bool | None, str]:
    """Whether these tests pass there, None if they cannot run; and the last line printed."""
    quiet = ("-xq", "-p", "no:randomly", "-p", "no:cacheprovider")
    asked = (sys.executable, "-m", "pytest", *quiet)
    around = {**os.environ, "PYTHONPATH": str(tree)}
    try:
        done = subprocess.run(
            (*asked, *tests),
            cwd=tree,
            env=around,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"not done in {seconds} s"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    last = (failed or done.stdout.splitlines() or [""])[-1]
    return {0: True, 1: False}.get(done.returncode), last.partition(" - ")[0][:120]


def judge(mutant: Mutant, tree: Path) -> tuple[bool, str]:
    """Whether a break is caught, and by which test, or why not."""
    path = tree / mutant.file
    whole = path.read_text(encoding="utf-8") if path.exists() else ""
    if whole.count(mutant.old) != 1:
        return False, f"DOES NOT APPLY: the old text is there {whole.count(mutant.old)} times"
    path.write_text(whole.replace(mutant.old, mutant.new), encoding="utf-8")
    # No two states of a file have one time, by which Python knows whether to compile it anew.
    os.utime(path, (next(_STAMP), next(_STAMP)))
    try:
        passed, said = passes(tree, mutant.tests)
    finally:
        path.write_text(whole, encoding="utf-8")
        os.utime(path, (next(_STAMP), next(_STAMP)))
    if passed is None:
        return False, f"NO ANSWER: {said}"
    return not passed, f"SURVIVES {' '.join(mutant.tests)}" if passed else said


def main() -> int:
    """Judge the breaks that are asked for."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--only", default="", help="a word in the room, the file or the tests")
    asked.add_argument("--jobs", type=int, default=1, help="how many at a time")
    asked.add_argument("--trust", action="store_true", help="the tests are known to pass unbroken")
    given = asked.parse_args()
    chosen = [
        each
        for each in mutants()
        if given.only in f"{each.room} {each.file} {' '.join(each.tests)}"
    ]
    if not chosen:
        asked.error(f"no break has {given.only!r} in its room, its file or its tests")
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(given.jobs):
            trees.put(copy_to(Path(place, str(number))))
        if not given.trust:
            tests = sorted({test for each in chosen for test in each.tests})
            passed, said = passes(Path(place, "0"), tests, seconds=None)
            if not passed:
                print(f"without any break the tests do not pass: {said}")
                return 1

        def judged(mutant: Mutant) -> tuple[bool, str]:
            tree = trees.get()
            try:
                return judge(mutant, tree)
            finally:
                trees.put(tree)

        caught = 0
        with ThreadPoolExecutor(given.jobs) as pool:
            for each, (is_caught, how) in zip(chosen, pool.map(judged, chosen), strict=True):
                caught += is_caught
                print(f"{each} {'caught' if is_caught else 'NOT   '} {how}", flush=True)
    print(f"{caught} of {len(chosen)} caught")
    return caught != len(chosen)


if __name__ == "__main__":
    raise SystemExit(main())

"""The content of a release: the same wheel each time, working by itself, and its dependencies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from bot import __version__
from deploy import release

_AT = 1_780_000_000


@pytest.mark.long
def test_the_wheel_is_the_same_each_time_and_works_by_itself(tmp_path: Path) -> None:
    wheel = release.build_wheel(tmp_path, _AT)
    assert wheel.name == f"parlour-{__version__}-py3-none-any.whl"
    content = wheel.read_bytes()
    wheel.unlink()
    assert release.build_wheel(tmp_path, _AT).read_bytes() == content
    # Unpacked into an environment that has what it needs, and nothing of this folder.
    bare = tmp_path / "bare"
    venv.create(bare, with_pip=False)
    (packages,) = bare.glob("lib/*/site-packages")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(packages)
    (ours,) = {each for each in sys.path if each.endswith("site-packages")}
    for each in Path(ours).iterdir():
        mine = each.name.startswith(("parlour", "_parlour", "__editable__"))
        if not mine and not (packages / each.name).exists():
            (packages / each.name).symlink_to(each)

    def run(*code: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "PARLOUR_DATA": str(tmp_path / "var"), **more}
        return subprocess.run(
            [bare / "bin" / "python", *code],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    done = run("-m", "parlour", "doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Parlour {__version__}," in done.stdout
    assert "pictures: all games can be drawn" in done.stdout
    (tmp_path / "theirs" / "bot").mkdir(parents=True)
    (tmp_path / "theirs" / "bot" / "__init__.py").touch()
    shadowed = run("-m", "parlour", PYTHONPATH=str(tmp_path / "theirs"))
    assert (shadowed.returncode, shadowed.stderr) == (78, "")
    assert len(shadowed.stdout.splitlines()) == 1


def test_the_list_of_what_is_in_it_names_all_that_is_locked(tmp_path: Path) -> None:
    wheel, lock = tmp_path / "parlour-1.0.0-py3-none-any.whl", release.ROOT / "locks/run.txt"
    wheel.touch()
    bill = release.bill_of_materials(wheel, lock, _AT)
    found = {(each["name"], each["version"]): each for each in bill["components"]}
    locked = {(each.name, each.version): each for each in release.pins(lock)}
    assert found.keys() == locked.keys()
    assert all(each.hashes for each in locked.values())
    assert all(found[each]["licenses"] for each in locked if each[0] in ("aiohttp", "pillow"))
    refs = {each["bom-ref"] for each in bill["components"]} | {"pkg:pypi/parlour@1.0.0"}
    needs = {each["ref"]: set(each["dependsOn"]) for each in bill["dependencies"]}
    assert needs.keys() == refs
    assert all(each <= refs for each in needs.values())
    assert len({each for each in needs["pkg:pypi/parlour@1.0.0"] if "discord" in each}) == 1
    networkx = {each for each in refs if "networkx" in each}
    assert any(networkx <= each for each in needs.values()), "of what older Pythons need as well"
    assert "://" not in json.dumps(bill["components"]), "no address of an index"

"""Make a release: ``make release``, which runs the tests before it.

``dist/`` then has the wheel, a list of its dependencies (``.cdx.json``, CycloneDX) and the sums of
both. The same commit gives the same bytes: every time in them is that of the commit. Where Docker,
Podman or Buildah can build, there is the container's image as well. Nothing is signed: the
publisher signs ``SHA256SUMS`` with a key of their own.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64")
_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\]+))?")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_GLIBC = (5, 12, 17, 24, 26, 27, 28, 31, 34)
"""Versions of glibc, 2.x, that wheels are made for; Debian 12 has 2.36."""


class ReleaseRefused(Exception):
    """A release is not possible; ``str()`` has the reason."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A package of a lock file, with the hashes of all its possible files."""

    name: str
    version: str
    marker: Marker | None
    hashes: tuple[str, ...]

    def is_for(self, **environment: str) -> bool:
        """Whether it is installed in such an environment."""
        return self.marker is None or self.marker.evaluate(environment)


def pins(lock: Path) -> Iterator[Pin]:
    """The packages of a lock file."""
    for entry in lock.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        found = _PIN.match(entry)
        if found is not None:
            marker = (found["marker"] or "").partition(" --hash")[0].strip()
            yield Pin(
                canonicalize_name(found["name"]),
                found["version"],
                Marker(marker) if marker else None,
                tuple(_HASH.findall(entry)),
            )


def _said(*command: str | Path) -> str:
    """The output of a program. Raises :exc:`ReleaseRefused` if it fails."""
    done = _run(*command)
    if done.returncode:
        raise ReleaseRefused(f"{command[0]} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def _run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*map(str, command)],
        check=False,
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


def _tell(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


# ---- the wheel -----------------------------------------------------------------------------------


def build_wheel(folder: Path, at: int) -> Path:
    """Build the wheel into a folder; ``at`` is the time of all files, in seconds since 1970."""
    before = set(folder.glob("*.whl"))
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    done = _run(*build, SOURCE_DATE_EPOCH=str(at))
    made = set(folder.glob("*.whl")) - before
    if done.returncode or len(made) != 1:
        raise ReleaseRefused(f"the wheel could not be built: {done.stderr.strip()}")
    return made.pop()


# ---- whether all dependencies are there for every Python and machine -------------------------


def wheels_lacking(lock: Path, python: str, machine: str, *, pip: str) -> str:
    """The packages without a wheel and hash for a Python on Linux; empty if there are none.

    ``lock`` names them, the index has the wheels. ``pip`` is a Python that has pip, and need not be
    that one.
    """
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": "linux",
        "os_name": "posix",
        "platform_system": "Linux",
        "platform_machine": machine,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    wanted = {each.name: each for each in pins(lock) if each.is_for(**environment)}
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in _GLIBC]
    platforms += [f"manylinux2014_{machine}", f"linux_{machine}"]
    with tempfile.TemporaryDirectory() as empty:
        report = Path(empty) / "report.json"
        done = _run(
            *(pip, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"),
            *("--disable-pip-version-check", "--ignore-installed", "--target", empty),
            "--ignore-requires-python",  # It would ask about the Python that runs pip.
            *("--only-binary", ":all:", "--python-version", python, "--report", report),
            *(part for each in platforms for part in ("--platform", each)),
            *(f"{each.name}=={each.version}" for each in wanted.values()),
        )
        if done.returncode:
            return done.stderr.strip().splitlines()[-1]
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    other = [
        each["metadata"]["name"]
        for each in found
        if each["download_info"]["archive_info"]["hashes"]["sha256"]
        not in wanted[canonicalize_name(each["metadata"]["name"])].hashes
    ]
    return f"other files than the lock file names: {', '.join(other)}" if other else ""


# ---- the bill of materials -----------------------------------------------------------------------


def bill_of_materials(wheel: Path, lock: Path, at: int) -> dict[str, Any]:
    """The wheel and its dependencies, in CycloneDX 1.6, from lock file and metadata.

    A package that only another system needs, such as Windows, has no licence here.
    """
    _, version, *_ = wheel.name.split("-")
    locked = list(pins(lock))
    mine = _component("parlour", version) | {
        "type": "application",
        "licenses": [{"license": {"id": "MIT"}}],
        "hashes": [{"alg": "SHA-256", "content": _sum(wheel)}],
    }
    components = [
        _component(each.name, each.version)
        | _licences(each.name)
        | {"properties": [{"name": "parlour:file:sha256", "value": one} for one in each.hashes]}
        for each in locked
    ]
    refs: dict[str, list[str]] = {}  # Older Pythons need another version of some packages.
    for each in (mine, *components):
        refs.setdefault(each["name"], []).append(each["bom-ref"])
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, _sum(wheel))}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z"),
            "component": mine,
        },
        "components": components,
        "dependencies": [
            {
                "ref": ref,
                "dependsOn": [each for needed in _needs(name, refs) for each in refs[needed]],
            }
            for name, all_of_it in refs.items()
            for ref in all_of_it
        ],
    }


def _component(name: str, version: str) -> dict[str, Any]:
    purl = f"pkg:pypi/{name}@{version}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def _licences(name: str) -> dict[str, Any]:
    """The licence of a package as it declares it: an expression, or words."""
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return {}
    if "License-Expression" in about:
        return {"licenses": [{"expression": about["License-Expression"]}]}
    told = [each for each in about.get_all("Classifier") or [] if each.startswith("License")]
    words = [each.rpartition(" :: ")[2] for each in told]
    if not words and "License" in about:
        words = about["License"].strip().splitlines()[:1]
    return {"licenses": [{"license": {"name": each}} for each in words]} if words else {}


def _needs(name: str, locked: Mapping[str, object]) -> list[str]:
    """The locked dependencies of a package, for any system, without its extras."""
    try:
        wanted = [Requirement(each) for each in requires(name) or ()]
    except PackageNotFoundError:
        return []
    named = {
        canonicalize_name(each.name) for each in wanted if "extra ==" not in str(each.marker or "")
    }
    return sorted(named & locked.keys())


# ---- all of it -----------------------------------------------------------------------------------


def _sum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _builder() -> str | None:
    """A program that can build an image here."""
    for name in ("docker", "podman", "buildah"):
        if shutil.which(name) and not _run(name, "info").returncode:
            return name
    return None


def _check_source() -> int:
    """The time of the commit, without changes on top. Raises :exc:`ReleaseRefused`."""
    changed = _said("git", "status", "--porcelain")
    if changed:
        raise ReleaseRefused(f"this is no commit, since it was changed:\n{changed}")
    return int(_said("git", "log", "-1", "--format=%ct"))


def _check_wheels(lock: Path, pip: str) -> None:
    for machine in MACHINES:
        for python in PYTHONS:
            lacking = wheels_lacking(lock, python, machine, pip=pip)
            if lacking:
                raise ReleaseRefused(f"Python {python} on {machine}: {lacking}")
    _tell(f"wheels: there for Python {', '.join(PYTHONS)} on {' and '.join(MACHINES)}")


def _check_news(version: str) -> None:
    heading = re.search(
        r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    if heading is None or heading[1].split()[0].rstrip(",:") != version:
        raise ReleaseRefused(f"CHANGELOG.md does not begin with {version}")
    if not re.search(r"\d{4}-\d\d-\d\d", heading[1]):
        _tell(f"CHANGELOG.md has no date for {version} yet: write it before you publish.")


def make_release(pip: str) -> None:
    """Check, build, list and sum; ``pip`` is a Python that has pip.

    Raises :exc:`ReleaseRefused`.
    """
    at, lock = _check_source(), ROOT / "locks" / "run.txt"
    _check_wheels(lock, pip)
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    wheel = build_wheel(DIST, at)
    version = wheel.name.split("-")[1]
    _check_news(version)
    bill = DIST / f"parlour-{version}.cdx.json"
    written = json.dumps(bill_of_materials(wheel, lock, at), indent=1, ensure_ascii=False)
    bill.write_text(written + "\n", encoding="utf-8")
    sums = "".join(f"{_sum(each)}  {each.name}\n" for each in (wheel, bill))
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    _tell(sums.rstrip())
    builder = _builder()
    if builder is None:
        _tell("No image: neither Docker, Podman nor Buildah can build one here.")
    else:
        _said(builder, "build", "--tag", f"parlour:{version}", ".")
        _tell(f"The image is parlour:{version}.")
    _tell("Nothing is signed: sign dist/SHA256SUMS with your own key.")


if __name__ == "__main__":
    try:
        make_release(*sys.argv[1:] or [sys.executable])
    except ReleaseRefused as refused:
        sys.exit(f"No release: {refused}")

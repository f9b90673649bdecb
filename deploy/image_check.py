"""Build the container's image, or a folder in its place, and play in it: ``make image-check``.

With Docker or Podman the image is built, and started in the playground. Without, the instructions
of the Dockerfile's first stage are carried out in a folder, with the Python at hand and paths in
that folder, and the result is started like the second stage. A part that belongs to the base image
or needs a container is named and left out. Either way it must become healthy, end in order and be
small.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST = 300
"""The limit of the image in megabytes."""
_BASE = 121
"""The size of python:3.13-slim-trixie in megabytes, where there is no image to measure."""
_PATIENCE = 120.0
_MINE = re.compile(r"(?<![\w.])/(?=(?:opt|src|wheel|data)\b)")
"""The prefixes of image paths that lie in the folder instead."""
_TAG = "parlour:image-check"


class Failed(Exception):
    """An invalid image; ``str()`` has the reason."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction of the Dockerfile, in its stage from 0 on."""

    stage: int
    name: str
    rest: str


def steps(dockerfile: str) -> Iterator[Step]:
    """The instructions, each on one line, without comments."""
    lines = [each for each in dockerfile.splitlines() if not each.lstrip().startswith("#")]
    stage = -1
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, rest = line.strip().partition(" ")
        stage += name == "FROM"
        if name:
            yield Step(stage, name, " ".join(rest.split()))


def _tell(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def _run(*command: str, where: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        command,
        check=False,
        cwd=where,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)[:200]} failed:\n{done.stdout[-2000:]}")
    return done.stdout


def _megabytes(folder: Path) -> int:
    files = (each for each in folder.rglob("*") if each.is_file() and not each.is_symlink())
    return round(sum(each.stat().st_size for each in files) / 1e6)


def _check_size(megabytes: int) -> None:
    _tell(f"size: {megabytes} MB of at most {MOST}")
    if megabytes > MOST:
        raise Failed(f"the image takes {megabytes} MB, and may take {MOST}")


def _health(found: list[Step]) -> list[str]:
    (check,) = [each.rest for each in found if each.name == "HEALTHCHECK"]
    command: list[str] = json.loads(check[check.index("[") :])
    return command


# ---- in a container ------------------------------------------------------------------------------


def in_container(builder: str, found: list[Step]) -> None:
    """Build the image and start it in the playground."""
    _run(builder, "build", "--tag", _TAG, ".")
    _check_size(round(int(_run(builder, "image", "inspect", "-f", "{{.Size}}", _TAG)) / 1e6))
    options = ("--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--memory=512m")
    name = _run(builder, "run", "--detach", "--rm", *options, _TAG).strip()
    try:
        _until_healthy(lambda: _run(builder, "exec", name, *_health(found)))
    finally:
        _run(builder, "stop", name)


def _until_healthy(ask: Callable[[], object]) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            ask()
        except Failed:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            _tell("healthy in the playground")
            return


# ---- without one ---------------------------------------------------------------------------------


def in_folder(found: list[Step], folder: Path) -> None:
    """Carry out the possible steps, and start the result in the playground."""
    tools = folder / "tools"
    tools.mkdir()
    for name, options in (("python", ""), ("pip", "-m pip")):
        (tools / name).write_text(f'#!/bin/sh\nexec {sys.executable} {options} "$@"\n', "ascii")
        (tools / name).chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    where, environment = folder, dict[str, str]()
    for step in found:
        rest = _MINE.sub(f"{folder}/", step.rest)
        if step.name == "WORKDIR":
            where = Path(rest)
            where.mkdir(parents=True, exist_ok=True)
        elif step.name == "COPY" and step.stage == 0:
            _copy(rest, where)
        elif step.name == "RUN" and step.stage == 0:
            _run("sh", "-ec", rest, where=where, PATH=path)
        elif step.name == "ENV":
            environment |= dict(part.split("=", 1) for part in rest.split())
        elif step.name in ("RUN", "USER", "FROM"):
            _tell(f"not here: {step.name} {step.rest[:70]}")
    _tell(f"the base image is taken to have {_BASE} MB")
    _check_size(_BASE + _megabytes(folder / "opt" / "parlour"))
    _start(folder, environment, _health(found))


def _copy(rest: str, where: Path) -> None:
    *sources, target = rest.split()
    into = where / target
    for each in sources:
        source = ROOT / each
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, into, dirs_exist_ok=True, ignore=ignored)
        else:
            into.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, into)


def _start(folder: Path, settings: Mapping[str, str], health: list[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    ours = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
    environment = {**ours, **settings}
    environment |= {"PARLOUR_HEALTH_PORT": port, "PARLOUR_PLAYGROUND_PORT": "0"}
    environment["PATH"] = settings["PATH"].replace("$PATH", os.environ["PATH"])
    environment.pop("DISCORD_TOKEN", None)
    program = str(folder / "opt" / "parlour" / "bin" / "parlour")
    bot = subprocess.Popen([program], cwd=settings["PARLOUR_DATA"], env=environment)
    try:
        # The python of the image, which is the one in its PATH.
        asked = (str(folder / "opt" / "parlour" / "bin" / "python"), *health[1:])
        _until_healthy(lambda: _run(*asked, where=folder, **environment))
        bot.terminate()
        if code := bot.wait(30):
            raise Failed(f"it ended with {code}")
    finally:
        bot.kill()
        bot.wait()


def main() -> None:
    """Check it with the tools at hand. Raises :exc:`Failed`."""
    found = list(steps((ROOT / "Dockerfile").read_text(encoding="utf-8")))
    for builder in ("docker", "podman"):
        info = [builder, "info"]
        if (
            shutil.which(builder)
            and not subprocess.run(info, check=False, capture_output=True).returncode
        ):
            in_container(builder, found)
            return
    _tell("Neither Docker nor Podman can build here: the Dockerfile's instructions in a folder.")
    with tempfile.TemporaryDirectory(prefix="parlour-image-") as folder:
        in_folder(found, Path(folder).resolve())


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(f"The image fails: {failed}")

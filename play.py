"""Play Parlour with nothing but Python and this folder: ``python play.py``.

The first time it makes a virtual environment in ``.venv`` and installs Parlour's dependencies, each
file checked against its hash in ``locks/``. Then, and every time after that, it starts Parlour: on
Discord with a DISCORD_TOKEN, without one in a Discord of your own on this machine. ``make play``
does the same.

Arguments are passed on: ``python play.py doctor`` is ``parlour doctor``. With ``--install`` it
installs and starts nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent
VENV = HOME / ".venv"
STAMP = VENV / ".run"
"""Newer than these files once all of them are installed."""
SOURCES = (HOME / "locks" / "run.txt", HOME / "locks" / "build.txt", HOME / "pyproject.toml")
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")


def run(*command: str | Path) -> None:
    """Run a program, and end with its exit code unless it succeeds."""
    code = subprocess.call([str(each) for each in command], cwd=HOME)
    if code:
        sys.exit(code)


def is_installed() -> bool:
    """Whether everything is there, in the present versions."""
    return STAMP.exists() and all(each.stat().st_mtime <= STAMP.stat().st_mtime for each in SOURCES)


def has_pip() -> bool:
    """Whether this Python has a pip that can install into another: then .venv needs none."""
    command = [sys.executable, "-m", "pip", "--python", sys.executable, "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def install() -> None:
    """Make ``.venv`` and install the locked packages, and Parlour from this folder."""
    python = BIN / ("python.exe" if os.name == "nt" else "python")
    if has_pip():
        run(sys.executable, "-m", "venv", "--without-pip", VENV)
        pip: tuple[str | Path, ...] = (sys.executable, "-m", "pip", "--python", python)
    else:
        run(sys.executable, "-m", "venv", VENV)
        pip = (python, "-m", "pip")
    pip = (*pip, "install", "--quiet", "--disable-pip-version-check")
    locked = [part for lock in ("run", "build") for part in ("-r", f"locks/{lock}.txt")]
    # Modules are compiled when they are first used.
    run(*pip, "--require-hashes", "--no-compile", *locked)
    run(*pip, "--no-deps", "--no-build-isolation", "-e", ".")
    STAMP.touch()


def main(arguments: list[str]) -> int:
    """Install missing packages, and start Parlour; returns the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this is for those who have an older one
        sys.exit(
            "Parlour needs Python 3.11 or newer. If you have one, name it: python3.12 play.py,"
            " py -3.12 play.py on Windows, or make PYTHON=python3.12 play."
        )
    if not is_installed():
        sys.stdout.write("Installing what Parlour needs, once; this takes a minute.\n")
        sys.stdout.flush()
        install()
    if arguments == ["--install"]:
        return 0
    command = [str(BIN / "parlour"), *arguments]
    if os.name != "nt":
        os.execv(command[0], command)  # noqa: S606 - it takes the place of this program
    parlour = subprocess.Popen(command)
    while True:
        try:
            return parlour.wait()
        except KeyboardInterrupt:  # Parlour has received it as well, and ends in order.
            continue


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)

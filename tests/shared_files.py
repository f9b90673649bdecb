"""Reference data that may lie beside the project: game vectors and Discord's own description."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_FOLDER = Path(os.environ.get("PARLOUR_SHARED", Path(__file__).parents[1] / "../shared"))


def shared_or_none(path: str) -> Path | None:
    """The file of that path beside the project, None where it is absent."""
    found = (_FOLDER / path).resolve()
    return found if found.exists() else None


def shared(path: str) -> Path:
    """The file of that path beside the project; skips the test where it is absent."""
    found = shared_or_none(path)
    if found is None:
        pytest.skip(f"{path} is not here (set PARLOUR_SHARED to the folder that holds it)")
    return found

"""The release after this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store import schema
from tests.store.releases import follow

_NEXT = 'op.create_table("next_release", sa.Column("id", sa.Integer(), primary_key=True))'


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release with one migration more, to which every database of today's is an older one."""
    follow(_NEXT, folder=tmp_path / "migrations")
    monkeypatch.setattr(schema, "MIGRATIONS", tmp_path / "migrations")

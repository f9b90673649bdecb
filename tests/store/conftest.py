"""The databases of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store import Store, schema
from tests.databases import (
    database_url,
    postgres_url,
    sqlite_url,
    store,
)
from tests.kit import Club
from tests.store.releases import follow
from tests.tournament_kit import Hall

__all__ = ["database_url", "postgres_url", "sqlite_url", "store"]

_NEXT = 'op.create_table("next_release", sa.Column("id", sa.Integer(), primary_key=True))'


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release with one migration more, to which every database of today's is an older one."""
    follow(_NEXT, folder=tmp_path / "migrations")
    monkeypatch.setattr(schema, "MIGRATIONS", tmp_path / "migrations")

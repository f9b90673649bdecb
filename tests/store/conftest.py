"""The databases of these tests."""

from __future__ import annotations

import shutil
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

__all__ = ["database_url", "postgres_url", "sqlite_url", "store"]

_NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "%s"


def upgrade():
    op.create_table("next_release", sa.Column("id", sa.Integer(), primary_key=True))
"""


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release with one migration more, to which every database of today's is an older one."""
    folder = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, folder)
    newest = max(each.stem.removeprefix("rev_") for each in folder.glob("versions/rev_*.py"))
    (folder / "versions" / "rev_next.py").write_text(_NEXT % newest, encoding="utf-8")
    monkeypatch.setattr(schema, "MIGRATIONS", folder)

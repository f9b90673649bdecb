"""Digests tell what has happened, and reminders follow every deadline."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_table(
        "news",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("notice", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_news_match_id")),
        sa.PrimaryKeyConstraint("user_id", "match_id", "version", "notice", name=op.f("pk_news")),
        sqlite_strict=True,
    )
    _plan_every_turn()


def _plan_every_turn() -> None:
    """Have the reminders of every running turn planned: some were never thought of.

    Nobody is reminded of an hour before now.
    """
    now = (datetime.now(UTC) - _EPOCH).total_seconds() * 1_000_000
    op.get_bind().execute(
        sa.text(
            "INSERT INTO reminders (match_id, since, hours, player, due_at) "
            "SELECT id, position_since, 0, 0, CAST(:now AS BIGINT) FROM matches "
            "WHERE deadline IS NOT NULL"
        ),
        {"now": int(now)},
    )

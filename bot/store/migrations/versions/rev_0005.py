"""Moves planned ahead."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_table(
        "plans",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("player", NUMBER, nullable=False),
        sa.Column("ply", NUMBER, nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.CheckConstraint("player >= 0 AND ply >= 0", name=op.f("ck_plans_counts")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_plans_match_id")),
        sa.PrimaryKeyConstraint("match_id", "player", name=op.f("pk_plans")),
        sqlite_strict=True,
    )

"""Vacations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_table(
        "vacations",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("began_at", NUMBER, nullable=False),
        sa.Column("ends_at", NUMBER, nullable=False),
        sa.Column("by_itself", NUMBER, nullable=False),
        sa.Column("changed_at", NUMBER, nullable=False),
        sa.Column("interaction_id", NUMBER, nullable=True),
        sa.Column("line_at", NUMBER, nullable=True),
        sa.Column("tell_at", NUMBER, nullable=True),
        sa.CheckConstraint("number >= 1 AND version >= 1", name=op.f("ck_vacations_counts")),
        sa.CheckConstraint("began_at <= ends_at", name=op.f("ck_vacations_span")),
        sa.CheckConstraint("by_itself IN (0, 1)", name=op.f("ck_vacations_by_itself")),
        sa.PrimaryKeyConstraint("user_id", "number", name=op.f("pk_vacations")),
        sqlite_strict=True,
    )
    for column in ("line_at", "tell_at"):
        op.create_index(
            f"ix_vacations_{column}",
            "vacations",
            [column],
            unique=False,
            sqlite_where=sa.text(f"{column} IS NOT NULL"),
            postgresql_where=sa.text(f"{column} IS NOT NULL"),
        )

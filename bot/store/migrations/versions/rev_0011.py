"""Turns of which their players could not be told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_table(
        "unreached",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("since", NUMBER, nullable=False),
        sa.Column("player", NUMBER, nullable=False),
        sa.Column("began_at", NUMBER, nullable=False),
        sa.Column("ended_at", NUMBER, nullable=True),
        sa.Column("settled", NUMBER, nullable=False, server_default=sa.text("0")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_unreached_match_id")),
        sa.PrimaryKeyConstraint("match_id", "since", name=op.f("pk_unreached")),
        sa.CheckConstraint("settled IN (0, 1)", name=op.f("ck_unreached_settled")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_unreached_began_at",
        "unreached",
        ["began_at"],
        unique=False,
        sqlite_where=sa.text("settled = 0"),
        postgresql_where=sa.text("settled = 0"),
    )

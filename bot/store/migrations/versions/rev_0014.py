"""Which applications were served, which matches are set aside, and how far all were looked through.

Which application a database of before has served nobody knows, so it takes the next one (0).
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0012"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_table(
        "applications",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_applications")),
        sqlite_strict=True,
    )
    op.execute(
        "INSERT INTO applications (id) SELECT 0"
        " WHERE EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM heartbeats)"
    )
    op.add_column("matches", sa.Column("set_aside_at", NUMBER, nullable=True))
    op.create_index(
        "ix_matches_set_aside_at",
        "matches",
        ["set_aside_at"],
        unique=False,
        sqlite_where=sa.text("set_aside_at IS NOT NULL"),
        postgresql_where=sa.text("set_aside_at IS NOT NULL"),
    )
    op.create_table(
        "verification",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("whole_at", NUMBER, nullable=True),
        sa.CheckConstraint("id = 1", name=op.f("ck_verification_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verification")),
        sqlite_strict=True,
    )

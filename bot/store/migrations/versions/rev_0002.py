"""Where servers have their results sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add a table."""
    op.create_table(
        "webhooks",
        sa.Column("guild_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("failing_since", NUMBER, nullable=True),
        sa.Column("off_at", NUMBER, nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_webhooks")),
        sqlite_strict=True,
    )

"""What is remembered of the sessions begun with Discord."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_table(
        "session_starts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_session_starts")),
        sqlite_strict=True,
    )

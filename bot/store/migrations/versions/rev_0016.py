"""What may have been posted, since when and where to look for it; who has not been answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0010"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_table(
        "owed",
        sa.Column("interaction_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("interaction_id", name=op.f("pk_owed")),
        sqlite_strict=True,
    )

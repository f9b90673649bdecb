"""The language of what everybody sees of a match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Until now it was that of the server."""
    op.add_column("matches", sa.Column("language", sa.Text(), nullable=True))

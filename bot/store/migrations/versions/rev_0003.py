"""Players of a tournament who are not to meet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Until now there were none."""
    op.add_column(
        "tournaments",
        sa.Column("apart", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
    )

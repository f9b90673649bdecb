"""Nobody asks anything of a match that is over."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.execute(
        "UPDATE matches SET requests = '[]', lapses_at = NULL"
        " WHERE status NOT IN ('offered', 'running') AND requests <> '[]'"
    )

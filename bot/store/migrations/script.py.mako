"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
# Two numbers: its own, and that of the oldest code that may work here (0008_from_0007).
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision from the one before."""
    ${upgrades if upgrades else "pass"}

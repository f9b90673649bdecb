"""Since when what may have been posted is to be looked for; who has not been answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
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
    for table in ("outbox", "lobbies", "vacations"):
        op.add_column(table, sa.Column("tried_at", NUMBER, nullable=True))
    op.execute(
        "UPDATE outbox SET tried_at = (SELECT at FROM events"
        " WHERE events.match_id = outbox.match_id AND events.seq = outbox.version)"
        " WHERE may_exist = 1"
    )

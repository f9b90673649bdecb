"""Directors' lists of players, seeds by hand, and checking in before the first round."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Until now there were none of them."""
    op.create_table(
        "tournament_invited",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("seed", NUMBER, nullable=True),
        sa.Column("rating", NUMBER, nullable=True),
        sa.Column("since", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_invited_tournament_id"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "position", name=op.f("pk_tournament_invited")),
        sqlite_strict=True,
    )
    op.create_index("ix_tournament_invited_user_id", "tournament_invited", ["user_id"])
    op.add_column("tournament_entrants", sa.Column("seed", NUMBER, nullable=True))
    op.add_column(
        "tournament_entrants",
        sa.Column("is_here", NUMBER, server_default=sa.text("0"), nullable=False),
    )

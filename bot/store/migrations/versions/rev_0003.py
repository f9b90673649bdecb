"""Rated matches, their results, and the ratings that follow from them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
REAL: sa.Double[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before. Matches of before are casual."""
    op.add_column(
        "matches", sa.Column("rated", NUMBER, nullable=False, server_default=sa.text("0"))
    )
    op.create_table(
        "results",
        sa.Column("number", NUMBER, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("guild_id", NUMBER, nullable=True),
        sa.Column("at", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_results_match_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_results")),
        sa.UniqueConstraint("match_id", name=op.f("uq_results_match_id")),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_table(
        "placings",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("player", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("rank", NUMBER, nullable=False),
        sa.Column("points", NUMBER, nullable=False),
        sa.CheckConstraint("rank >= 0 AND player >= 0", name=op.f("ck_placings_counts")),
        sa.ForeignKeyConstraint(["number"], ["results.number"], name=op.f("fk_placings_number")),
        sa.PrimaryKeyConstraint("number", "player", name=op.f("pk_placings")),
        sqlite_strict=True,
    )
    op.create_index("ix_placings_user_id", "placings", ["user_id", "number"])
    op.create_table(
        "ratings",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("mean", REAL, nullable=False),
        sa.Column("deviation", REAL, nullable=False),
        sa.Column("volatility", REAL, nullable=False),
        sa.Column("points", NUMBER, nullable=False),
        sa.Column("matches", NUMBER, nullable=False),
        sa.Column("won", NUMBER, nullable=False),
        sa.Column("drawn", NUMBER, nullable=False),
        sa.Column("last_at", NUMBER, nullable=False),
        sa.CheckConstraint(
            "won >= 0 AND drawn >= 0 AND won + drawn <= matches", name=op.f("ck_ratings_counts")
        ),
        sa.PrimaryKeyConstraint("user_id", "game", name=op.f("pk_ratings")),
        sqlite_strict=True,
    )
    op.create_index("ix_ratings_points", "ratings", ["game", "points"])

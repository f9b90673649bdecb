"""Open offers have rating bands, and servers a message that lists them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.add_column("matches", sa.Column("band", sa.Text(), nullable=True))
    op.create_index(
        "ix_matches_offered_guild",
        "matches",
        ["guild_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("status = 'offered'"),
        postgresql_where=sa.text("status = 'offered'"),
    )
    op.create_table(
        "lobbies",
        sa.Column("channel_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("guild_id", NUMBER, nullable=False),
        sa.Column("message_id", NUMBER, nullable=True),
        sa.Column("posts", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("wanted", NUMBER, server_default=sa.text("1"), nullable=False),
        sa.Column("shown", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("digest", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("ready_at", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("looked_at", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("closing", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("attempts", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("may_exist", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("lease_by", sa.Text(), nullable=True),
        sa.Column("lease_until", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.CheckConstraint("closing IN (0, 1)", name=op.f("ck_lobbies_closing")),
        sa.CheckConstraint("may_exist IN (0, 1)", name=op.f("ck_lobbies_may_exist")),
        sa.CheckConstraint("shown <= wanted", name=op.f("ck_lobbies_shown")),
        sa.PrimaryKeyConstraint("channel_id", name=op.f("pk_lobbies")),
        sqlite_strict=True,
    )
    op.create_index("ix_lobbies_guild_id", "lobbies", ["guild_id"], unique=False)

"""Clocks: how each match's stands, heartbeats, outages, and what the host does about them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

KINDS = (
    "kind IN ('offered', 'joined', 'started', 'left', 'declined', 'withdrawn', 'expired', "
    "'moved', 'resigned', 'aborted', 'draw_offered', 'draw_accepted', 'draw_declined', "
    "'flagged', 'credited')"
)


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.add_column("matches", sa.Column("clock", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("times", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("deadline", NUMBER, nullable=True))
    op.create_index(
        "ix_matches_deadline",
        "matches",
        ["deadline", "id"],
        unique=False,
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    )
    op.create_table(
        "heartbeats",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("scope", name=op.f("pk_heartbeats")),
        sqlite_strict=True,
    )
    op.create_table(
        "outages",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("began_at", NUMBER, nullable=False),
        sa.Column("ended_at", NUMBER, nullable=False),
        sa.CheckConstraint("began_at < ended_at", name=op.f("ck_outages_span")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_outages_ended_at", "outages", ["ended_at"], unique=False)
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_events()
        return
    op.drop_constraint("ck_events_kind", "events")
    op.create_check_constraint(op.f("ck_events_kind"), "events", KINDS)


def _rebuild_events() -> None:
    """Make the table anew: SQLite has no way to change a constraint. Nothing refers to it."""
    op.rename_table("events", "events_before")
    op.create_table(
        "events",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("player", NUMBER, nullable=True),
        sa.Column("user_id", NUMBER, nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.Column("interaction_id", NUMBER, nullable=True),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.CheckConstraint("(seq = 1) = (prev_hash = '')", name=op.f("ck_events_genesis")),
        sa.CheckConstraint(KINDS, name=op.f("ck_events_kind")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_events_hash")),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_events_seq")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_events_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seq", name=op.f("pk_events")),
        sa.UniqueConstraint("interaction_id", name=op.f("uq_events_interaction_id")),
        sqlite_strict=True,
    )
    # In the order in which they were written: which events are the newest is read from it.
    op.execute("INSERT INTO events SELECT * FROM events_before ORDER BY rowid")
    op.drop_table("events_before")

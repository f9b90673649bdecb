"""Players ask one another for more than draws; rematches are found by where a match was played."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

EVENT_KINDS = (
    "kind IN ('offered', 'joined', 'started', 'left', 'declined', 'withdrawn', 'expired', "
    "'moved', 'resigned', 'aborted', 'draw_offered', 'draw_accepted', 'draw_declined', "
    "'asked', 'agreed', 'refused', 'retracted', 'lapsed', 'resumed', 'flagged', 'credited')"
)
NOTICES = (
    "notice IN ('turn', 'started', 'declined', 'draw_asked', 'draw_declined', 'draw_withdrawn', "
    "'draw_lapsed', 'takeback_asked', 'takeback_declined', 'takeback_withdrawn', "
    "'takeback_lapsed', 'takeback_agreed', 'pause_asked', 'pause_declined', 'pause_withdrawn', "
    "'pause_lapsed', 'paused', 'resumed', 'over')"
)
DELIVERY_KINDS = "kind IN ('offer', 'offer_update', 'thread', 'board', 'retire', 'erase', 'notice')"
TARGETS = "(kind IN ('retire', 'erase')) = (target_message_id IS NOT NULL)"


def upgrade() -> None:
    """Go to this revision from the one before."""
    _rename("matches", "draw_agreed", "requests")
    op.add_column("matches", sa.Column("lapses_at", NUMBER, nullable=True))
    op.create_index(
        "ix_matches_lapses_at",
        "matches",
        ["lapses_at"],
        unique=False,
        sqlite_where=sa.text("lapses_at IS NOT NULL"),
        postgresql_where=sa.text("lapses_at IS NOT NULL"),
    )
    op.create_index(
        "ix_matches_over_home",
        "matches",
        ["home_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("status IN ('finished', 'aborted')"),
        postgresql_where=sa.text("status IN ('finished', 'aborted')"),
    )
    _write_draw_offers_as_requests()
    _name_turns_by_their_version()
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_events()
        _rebuild_outbox()
        return
    op.drop_constraint("ck_events_kind", "events")
    op.create_check_constraint(op.f("ck_events_kind"), "events", EVENT_KINDS)
    op.drop_constraint("ck_outbox_notice", "outbox")
    op.execute("UPDATE outbox SET notice = 'draw_asked' WHERE notice = 'draw_offered'")
    op.create_check_constraint(op.f("ck_outbox_notice"), "outbox", NOTICES)


def _rename(table: str, old: str, new: str) -> None:
    """Rename a column, and on PostgreSQL from 18 on its constraint, which has a name there."""
    op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    if op.get_bind().dialect.name == "sqlite":
        return
    named = f"{table}_{old}_not_null"
    found = sa.text("SELECT 1 FROM pg_constraint WHERE conname = :name")
    if op.get_bind().execute(found, {"name": named}).first() is not None:
        op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {named} TO {table}_{new}_not_null")


def _write_draw_offers_as_requests() -> None:
    """A request knows which event it began with; a draw offer began with the last one of all.

    One to which all have agreed who still play, because somebody has left since, is over.
    """
    connection = op.get_bind()
    pending = connection.execute(
        sa.text(
            "SELECT matches.id, matches.players, matches.retired, matches.requests, "
            "max(events.seq) AS seq "
            "FROM matches JOIN events ON events.match_id = matches.id "
            "AND events.kind = 'draw_offered' WHERE matches.requests <> '[]' "
            "GROUP BY matches.id, matches.players, matches.retired, matches.requests"
        )
    ).all()
    for row in pending:
        agreed = json.loads(row.requests)
        some_left = len(agreed) + len(json.loads(row.retired)) < len(json.loads(row.players))
        requests = [["draw", agreed, row.seq, None, None]] if some_left else []
        connection.execute(
            sa.text("UPDATE matches SET requests = :requests WHERE id = :id"),
            {"id": row.id, "requests": json.dumps(requests, separators=(",", ":"))},
        )


def _name_turns_by_their_version() -> None:
    """A number of moves comes again when some have been taken back; a version never does."""
    _rename("reminders", "ply", "since")
    op.execute(
        "DELETE FROM reminders WHERE since <> "
        "(SELECT ply FROM matches WHERE matches.id = reminders.match_id)"
    )
    op.execute(
        "UPDATE reminders SET since = "
        "(SELECT position_since FROM matches WHERE matches.id = reminders.match_id)"
    )


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
        sa.CheckConstraint(EVENT_KINDS, name=op.f("ck_events_kind")),
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


def _rebuild_outbox() -> None:
    op.drop_index("ix_outbox_match_id", "outbox")
    op.rename_table("outbox", "outbox_before")
    op.create_table(
        "outbox",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("ply", NUMBER, nullable=False),
        sa.Column("audience", NUMBER, nullable=False),
        sa.Column("notice", sa.Text(), nullable=True),
        sa.Column("target_channel_id", NUMBER, nullable=True),
        sa.Column("target_message_id", NUMBER, nullable=True),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.Column("attempts", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("may_exist", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("lease_by", sa.Text(), nullable=True),
        sa.Column("lease_until", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(kind = 'notice') = (notice IS NOT NULL)", name=op.f("ck_outbox_is_notice")
        ),
        sa.CheckConstraint(TARGETS, name=op.f("ck_outbox_has_target")),
        sa.CheckConstraint(DELIVERY_KINDS, name=op.f("ck_outbox_kind")),
        sa.CheckConstraint(NOTICES, name=op.f("ck_outbox_notice")),
        sa.CheckConstraint("may_exist IN (0, 1)", name=op.f("ck_outbox_may_exist")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_outbox_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.execute(
        "INSERT INTO outbox SELECT id, match_id, kind, version, ply, audience, "
        "CASE WHEN notice = 'draw_offered' THEN 'draw_asked' ELSE notice END, "
        "target_channel_id, target_message_id, due_at, attempts, may_exist, lease_by, "
        "lease_until, trouble FROM outbox_before"
    )
    # Ids are part of the names of posts, so none may be given a second time.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'outbox'")
    op.execute("UPDATE sqlite_sequence SET name = 'outbox' WHERE name = 'outbox_before'")
    op.drop_table("outbox_before")
    op.create_index("ix_outbox_match_id", "outbox", ["match_id", "id"], unique=False)

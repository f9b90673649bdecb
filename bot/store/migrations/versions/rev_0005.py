"""Messages that are past are remembered until they are tidied up, instead of a task for each."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_KEPT = "match_id, kind, audience, channel_id, message_id, version"
_ASKS = "('draw', 'takeback', 'pause', 'abort')"


def upgrade() -> None:
    """Write the table anew, then take over what was still to be done."""
    op.execute(f"CREATE TABLE old_posts AS SELECT {_KEPT} FROM posts")  # noqa: S608
    op.drop_table("posts")
    op.create_table(
        "posts",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("audience", NUMBER, nullable=False),
        sa.Column("channel_id", NUMBER, nullable=False),
        sa.Column("message_id", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("ended", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('offer', 'board', 'line', 'reminder', 'started', 'untold', 'departed', "
            "'challenged', 'paused', 'resumed', 'nudged', 'word', 'draw', 'takeback', 'pause', "
            "'abort')",
            name=op.f("ck_posts_kind"),
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_posts_match_id")),
        sa.PrimaryKeyConstraint("match_id", "message_id", name=op.f("pk_posts")),
        sqlite_strict=True,
    )
    op.execute(f"INSERT INTO posts ({_KEPT}) SELECT {_KEPT} FROM old_posts")  # noqa: S608
    op.drop_table("old_posts")
    op.execute(
        "UPDATE posts SET kind = 'reminder' WHERE kind = 'line' AND EXISTS (SELECT 1 FROM "
        "reminders WHERE reminders.match_id = posts.match_id AND since = posts.version)"
    )
    op.execute(f"UPDATE posts SET ended = 'said' WHERE kind IN {_ASKS} AND version = 0")  # noqa: S608
    op.execute("UPDATE outbox SET kind = 'reminder', slot = 'reminder' WHERE slot = 'turn'")
    op.execute("UPDATE outbox SET slot = 'reminder' WHERE kind = 'reminder'")
    _take_over(op.get_bind())


def _take_over(connection: sa.Connection) -> None:
    """Note what was to be done about messages as what has become of them."""
    kinds = "('retire', 'erase', 'close')"
    found = connection.exec_driver_sql(f"SELECT * FROM outbox WHERE kind IN {kinds}")  # noqa: S608
    note = sa.text(
        "INSERT INTO posts VALUES (:of, :kind, :seen_by, :channel, :message, 0, :ended) "
        "ON CONFLICT (match_id, message_id) DO UPDATE SET ended = excluded.ended"
    )
    for row in found.all():
        told = json.loads(row.payload)
        channel, message = map(int, told["target"])
        news = (told["notice"] or "").partition("_")[2]
        ended = {"retire": None, "erase": "goes", "close": news}
        past = {
            "of": row.key.partition(":")[2],
            "kind": "board" if row.kind == "retire" else "word",
            "seen_by": -1 if told["audience"] is None else told["audience"],
            "channel": channel,
            "message": message,
            "ended": ended[row.kind],
        }
        connection.execute(note, past)
    connection.exec_driver_sql(
        f"UPDATE outbox SET kind = 'tidy', slot = 'tidy' WHERE kind IN {kinds}"  # noqa: S608
    )

"""The line that calls a player is kept, to be deleted when the turn is over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

POST_KINDS = "kind IN ('offer', 'board', 'line')"
DELIVERY_KINDS = "kind IN ('offer', 'offer_update', 'thread', 'board', 'retire', 'erase', 'notice')"
TARGETS = "(kind IN ('retire', 'erase')) = (target_message_id IS NOT NULL)"


def upgrade() -> None:
    """Go to this revision from the one before."""
    if op.get_bind().dialect.name == "sqlite":
        _rebuild()
        return
    op.drop_constraint("ck_posts_kind", "posts")
    op.create_check_constraint(op.f("ck_posts_kind"), "posts", POST_KINDS)
    op.drop_constraint("ck_outbox_is_retire", "outbox")
    op.create_check_constraint(op.f("ck_outbox_has_target"), "outbox", TARGETS)
    op.drop_constraint("ck_outbox_kind", "outbox")
    op.create_check_constraint(op.f("ck_outbox_kind"), "outbox", DELIVERY_KINDS)


def _rebuild() -> None:
    """Make both tables anew: SQLite has no way to change a constraint. Nothing refers to them."""
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
        sa.CheckConstraint(
            "notice IN ('turn', 'started', 'declined', 'draw_offered', 'draw_declined', 'over')",
            name=op.f("ck_outbox_notice"),
        ),
        sa.CheckConstraint("may_exist IN (0, 1)", name=op.f("ck_outbox_may_exist")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_outbox_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.execute("INSERT INTO outbox SELECT * FROM outbox_before")
    # Ids are part of the names of posts, so none may be given a second time.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'outbox'")
    op.execute("UPDATE sqlite_sequence SET name = 'outbox' WHERE name = 'outbox_before'")
    op.drop_table("outbox_before")
    op.create_index("ix_outbox_match_id", "outbox", ["match_id", "id"], unique=False)

    op.rename_table("posts", "posts_before")
    op.create_table(
        "posts",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("audience", NUMBER, nullable=False),
        sa.Column("channel_id", NUMBER, nullable=False),
        sa.Column("message_id", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.CheckConstraint(POST_KINDS, name=op.f("ck_posts_kind")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_posts_match_id")),
        sa.PrimaryKeyConstraint("match_id", "kind", "audience", name=op.f("pk_posts")),
        sqlite_strict=True,
    )
    op.execute("INSERT INTO posts SELECT * FROM posts_before")
    op.drop_table("posts_before")

"""Processes that divide shards among themselves, sessions to be resumed, and beats by shard."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_SHARD = "shard:"


def upgrade() -> None:
    """Until now shards were numbered by hand, and a beat said its shard in its scope alone."""
    op.create_table(
        "processes",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seen_at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_processes")),
        sqlite_strict=True,
    )
    op.create_table(
        "shards",
        sa.Column("shard", NUMBER, autoincrement=False, nullable=False),
        sa.Column("total", NUMBER, nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("is_open", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("0 <= shard AND shard < total", name=op.f("ck_shards_shard")),
        sa.CheckConstraint("is_open IN (0, 1)", name=op.f("ck_shards_is_open")),
        sa.PrimaryKeyConstraint("shard", name=op.f("pk_shards")),
        sqlite_strict=True,
    )
    op.create_table(
        "sessions",
        sa.Column("shard", NUMBER, autoincrement=False, nullable=False),
        sa.Column("total", NUMBER, nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("sequence", NUMBER, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("left_at", NUMBER, nullable=False),
        sa.Column("known", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("shard", name=op.f("pk_sessions")),
        sqlite_strict=True,
    )
    for name, of_all in (("shard", "0"), ("total", "1")):
        op.add_column(
            "heartbeats",
            sa.Column(name, NUMBER, server_default=sa.text(of_all), nullable=False),
        )
    connection = op.get_bind()
    beats = sa.table("heartbeats", sa.column("scope"), sa.column("shard"), sa.column("total"))
    for (scope,) in connection.execute(sa.select(beats.c.scope)).all():
        if scope.startswith(_SHARD):
            shard, _, total = scope.removeprefix(_SHARD).partition("/")
            connection.execute(
                sa.update(beats)
                .where(beats.c.scope == scope)
                .values(shard=int(shard), total=int(total))
            )

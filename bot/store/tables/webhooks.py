"""Where servers have their results sent."""

from __future__ import annotations

from sqlalchemy import Column, Text

from bot.store.tables.base import Instant, Number, table

webhooks = table(
    "webhooks",
    Column("guild_id", Number, primary_key=True, autoincrement=False),
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("failing_since", Instant),
    Column("off_at", Instant),
    Column("trouble", Text, nullable=False),
)
"""The address of a server and the secret that signs what is sent there; ``failing_since`` is when
it first failed without a success since, ``off_at`` when it was switched off for that."""

"""Alembic's entry: run the migrations on the connection that the caller holds.

The caller's transaction holds them all, on both databases, so that a process killed half way leaves
the schema as it was.
"""

from __future__ import annotations

from alembic import context

from bot.failpoints import hit
from bot.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
    hit("c12")

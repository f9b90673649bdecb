"""Where matches live: SQLite by default, PostgreSQL for hosts with several processes."""

from __future__ import annotations

from bot.store.opening import StoreRefused, open_store
from bot.store.sql import SqlStore

__all__ = ["SqlStore", "StoreRefused", "open_store"]

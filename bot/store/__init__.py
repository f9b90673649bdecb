"""Where matches live: SQLite by default, PostgreSQL for hosts with several processes."""

from __future__ import annotations

from bot.store.database import StoreRefused
from bot.store.files import unreadable
from bot.store.maintenance import backup, backup_among, newest_backup, restore
from bot.store.moving import move
from bot.store.opening import open_reader, open_store, start_over, upgrade_store, waits_for_upgrade
from bot.store.store import Store

__all__ = [
    "Store",
    "StoreRefused",
    "backup",
    "backup_among",
    "move",
    "newest_backup",
    "open_reader",
    "open_store",
    "restore",
    "start_over",
    "unreadable",
    "upgrade_store",
    "waits_for_upgrade",
]

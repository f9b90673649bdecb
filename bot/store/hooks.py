"""Functions of features inside the transactions of matches and people.

The match knows none of its features. Each writes a function beside its tables; ``bot/features.py``
names them all, in the order in which they run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.events import Change
from bot.domain.ids import GuildId, UserId
from bot.domain.match import Match
from bot.domain.preferences import ServerSettings
from bot.posts.deliveries import Committed


@dataclass(slots=True)
class Hooks:
    """The functions of features, by the occasion on which they run.

    ``answers`` plays what follows a change at once, before ``changed`` sees them all together.
    ``listed`` tells whether a new offer is to be seen elsewhere, so that it needs no message.
    ``ended`` runs before ``changed`` where the match is over, ``housed`` when a match gets its
    channel or thread, ``blocked`` when the first of two people blocks the second,
    ``server_changed`` when the settings of a server change, and ``put_back`` when the clock of the
    machine was put back to an instant.
    """

    answers: tuple[Callable[[Connection, Change], tuple[Change, ...]], ...] = ()
    listed: tuple[Callable[[Connection, Match], bool], ...] = ()
    ended: tuple[Callable[[Connection, Committed], None], ...] = ()
    changed: tuple[Callable[[Connection, Committed], None], ...] = ()
    housed: tuple[Callable[[Connection, Match, datetime], None], ...] = ()
    blocked: tuple[Callable[[Connection, UserId, UserId, datetime], None], ...] = ()
    server_changed: tuple[Callable[[Connection, GuildId, ServerSettings, datetime], None], ...] = ()
    put_back: tuple[Callable[[Connection, datetime], None], ...] = ()


hooks = Hooks()

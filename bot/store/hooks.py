"""What features do inside the transactions of matches and people.

The match knows none of its features. Each writes a function beside its tables; ``bot/features.py``
names them all, in the order in which they run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.events import Change
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.posts.deliveries import Committed


@dataclass(slots=True)
class Hooks:
    """``answers`` plays what follows a change at once, before ``changed`` sees them all together.

    ``ended`` runs before ``changed`` where the match is over. ``housed`` runs when a match gets its
    channel or thread, ``blocked`` when the first of two people blocks the second, ``put_back`` when
    the clock of the machine was put back to so many microseconds.
    """

    answers: tuple[Callable[[Connection, Change], tuple[Change, ...]], ...] = ()
    ended: tuple[Callable[[Connection, Committed], None], ...] = ()
    changed: tuple[Callable[[Connection, Committed], None], ...] = ()
    housed: tuple[Callable[[Connection, Match, datetime], None], ...] = ()
    blocked: tuple[Callable[[Connection, UserId, UserId, datetime], None], ...] = ()
    put_back: tuple[Callable[[Connection, int], None], ...] = ()


hooks = Hooks()

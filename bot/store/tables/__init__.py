"""The tables, as the newest migration leaves them, in a module for each subject.

Instants are whole microseconds since 1970 in UTC, structured values are JSON text, so that both
databases keep the same thing. The types of columns (:mod:`bot.store.tables.base`) write and read
them, so code sees datetimes, truths, members of enumerations and dataclasses.

A column with the id of a person says so (``info``), and what is exported and erased follows from
that. Beside these, ids of people stand in ``matches.players`` and ``matches.invited``, in
``events.user_id``, in the texts of ``servers`` and ``audit`` and, after ``digest:``, ``vacation:``
or ``follow:``, in ``outbox.key``, and nowhere else; but for a server's permissions in
``sessions.known``, which has no row while the bot runs.
"""

from __future__ import annotations

from bot.store.tables.base import applications as applications
from bot.store.tables.base import installation as installation
from bot.store.tables.base import metadata as metadata
from bot.store.tables.base import verification as verification
from bot.store.tables.matches import OVER as OVER
from bot.store.tables.matches import events as events
from bot.store.tables.matches import jobs as jobs
from bot.store.tables.matches import matches as matches
from bot.store.tables.matches import owed as owed
from bot.store.tables.matches import plans as plans
from bot.store.tables.matches import posts as posts
from bot.store.tables.matches import reminders as reminders
from bot.store.tables.matches import reviews as reviews
from bot.store.tables.matches import seats as seats
from bot.store.tables.matches import untold_turns as untold_turns
from bot.store.tables.outbox import outbox as outbox
from bot.store.tables.outbox import standing as standing
from bot.store.tables.people import attempts as attempts
from bot.store.tables.people import audit as audit
from bot.store.tables.people import blocks as blocks
from bot.store.tables.people import fans as fans
from bot.store.tables.people import favourites as favourites
from bot.store.tables.people import follows as follows
from bot.store.tables.people import news as news
from bot.store.tables.people import notes as notes
from bot.store.tables.people import people as people
from bot.store.tables.people import servers as servers
from bot.store.tables.people import tallies as tallies
from bot.store.tables.people import vacations as vacations
from bot.store.tables.presence import heartbeats as heartbeats
from bot.store.tables.presence import outages as outages
from bot.store.tables.presence import processes as processes
from bot.store.tables.presence import session_starts as session_starts
from bot.store.tables.presence import sessions as sessions
from bot.store.tables.presence import shards as shards
from bot.store.tables.results import placings as placings
from bot.store.tables.results import ratings as ratings
from bot.store.tables.results import results as results
from bot.store.tables.tournaments import tournament_directors as tournament_directors
from bot.store.tables.tournaments import tournament_entrants as tournament_entrants
from bot.store.tables.tournaments import tournament_events as tournament_events
from bot.store.tables.tournaments import tournament_games as tournament_games
from bot.store.tables.tournaments import tournament_invited as tournament_invited
from bot.store.tables.tournaments import tournaments as tournaments
from bot.store.tables.webhooks import webhooks as webhooks

"""The tables, as the newest migration leaves them.

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

import json
from fractions import Fraction

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
    text,
)

from bot.domain.clock import Times
from bot.domain.clock_text import read_clock, write_clock
from bot.domain.codec import write
from bot.domain.events import EventKind
from bot.domain.match import MatchStatus, Result, TournamentGame, Venue
from bot.domain.rating_range import format_rating_range, stored_rating_range
from bot.domain.requests import Request, RequestKind
from bot.store.records import JobKind, TallyKind
from bot.store.tables.base import (
    CHANGING,
    CHOSEN,
    NAMED,
    OWN,
    Flag,
    Instant,
    Json,
    JsonObject,
    Kept,
    Number,
    Numbers,
    People,
    Real,
    json_of,
    member_of,
    one_of,
    partial_index,
    salvaged,
    table,
)
from bot.store.tables.base import metadata as metadata

# ---- the database itself -------------------------------------------------------------------------

installation = table(
    "installation",
    Column("id", Text, primary_key=True),
    Column("created_at", Instant, nullable=False),
)
"""One row: which installation this database belongs to."""

applications = table("applications", Column("id", Number, primary_key=True, autoincrement=False))
"""The applications of Discord that were served with this database; 0 stands for the next
one."""

verification = table(
    "verification",
    Column("id", Number, primary_key=True, autoincrement=False),
    Column("after", Text, nullable=False),
    Column("whole_at", Instant),
    CheckConstraint("id = 1", name="one"),
)
"""One row: after which match histories are to be verified further, and when last all had been."""


# ---- matches -------------------------------------------------------------------------------------

OVER = "status IN ('finished', 'aborted')"
"""Of a match that was played. A query finds the index over these by the very same words."""


matches = table(
    "matches",
    *salvaged(
        Column("id", Text, primary_key=True),
        Column("version", Number, nullable=False, info=CHANGING),
        Column("game", Text, nullable=False),
        Column("options", JsonObject, nullable=False),
        Column("rules_version", Number, nullable=False),
        Column("status", member_of(MatchStatus), nullable=False, info=CHANGING),
        Column("venue", member_of(Venue), nullable=False),
        Column("guild_id", Number),
        Column("channel_id", Number, nullable=False),
        Column("home_id", Number),
        Column("players", People, nullable=False),
        Column("invited", People, nullable=False),
        Column("offered_by", Number, nullable=False),
        Column("state", Text, nullable=False, info=CHANGING),
        Column("previous_state", Text, nullable=False, info=CHANGING),
        Column("last_move", Text, nullable=False, info=CHANGING),
        Column("moved_by", Number, info=CHANGING),
        Column("recent", json_of(tuple[str, ...]), nullable=False, info=CHANGING),
        Column("ply", Number, nullable=False, info=CHANGING),
        Column("position_since", Number, nullable=False, info=CHANGING),
        Column("retired", Numbers, nullable=False, info=CHANGING),
        Column("requests", json_of(tuple[Request, ...]), nullable=False, info=CHANGING),
        Column("result", json_of(Result, write), info=CHANGING),
        Column("created_at", Instant, nullable=False),
        Column("updated_at", Instant, nullable=False, info=CHANGING),
        Column("expires_at", Instant, info=CHANGING),
        Column("head_hash", Text, nullable=False, info=CHANGING),
        Column("rated", Flag, nullable=False, server_default=text("0")),
        Column("clock", Kept(Text(), write_clock, read_clock)),
        Column("times", json_of(Times), info=CHANGING),
        Column("deadline", Instant, info=CHANGING),
        Column("lapses_at", Instant, info=CHANGING),
        Column("band", Kept(Text(), format_rating_range, stored_rating_range)),
        Column("set_aside_at", Instant),
        Column("tournament", json_of(TournamentGame)),
        Column("hints", Flag, nullable=False, server_default=text("0")),
        Column("takebacks", Flag, nullable=False, server_default=text("1")),
        Column("departed", Numbers, nullable=False, server_default=text("'[]'"), info=CHANGING),
        Column("rematch", Flag, nullable=False, server_default=text("0")),
        Column("repeats", Number, nullable=False, server_default=text("0")),
        Column("verdict", Text, nullable=False, server_default=text("''"), info=CHANGING),
        Column("continues", Text),
        Column("language", Text),
    ),
    CheckConstraint("length(id) = 10", name="id"),
    CheckConstraint("version >= 1 AND ply >= 0", name="counts"),
    CheckConstraint("position_since BETWEEN 1 AND version", name="position"),
    CheckConstraint("length(head_hash) = 64", name="hash"),
    one_of("status", MatchStatus),
    one_of("venue", Venue),
    CheckConstraint(
        "(status IN ('running', 'finished', 'aborted')) = (state <> '')", name="started"
    ),
    CheckConstraint("(status = 'finished') = (result IS NOT NULL)", name="result"),
    CheckConstraint("(status = 'offered') = (expires_at IS NOT NULL)", name="expiry"),
    partial_index(
        "uq_matches_running_in_channel",
        "channel_id",
        where="status = 'running' AND venue = 'channel'",
        unique=True,
    ),
    partial_index("ix_matches_running_channel", "channel_id", where="status = 'running'"),
    partial_index("ix_matches_running_home", "home_id", where="status = 'running'"),
    partial_index("ix_matches_running_guild", "guild_id", where="status = 'running'"),
    partial_index("ix_matches_offer_expiry", "expires_at", where="status = 'offered'"),
    partial_index("ix_matches_offered_guild", "guild_id", "created_at", where="status = 'offered'"),
    partial_index("ix_matches_lapses_at", "lapses_at", where="lapses_at IS NOT NULL"),
    partial_index("ix_matches_over_home", "home_id", "created_at", where=OVER),
    partial_index("ix_matches_deadline", "deadline", "id", where="deadline IS NOT NULL"),
    partial_index("ix_matches_set_aside_at", "set_aside_at", where="set_aside_at IS NOT NULL"),
)
"""Head snapshots. One that is set aside, since when its history was found damaged, has no deadline
and nothing that lapses."""

events = table(
    "events",
    *salvaged(
        Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
        Column("seq", Number, primary_key=True),
        Column("kind", member_of(EventKind), nullable=False),
        Column("player", Number),
        Column("user_id", Number),
        Column("payload", JsonObject, nullable=False),
        Column("at", Instant, nullable=False),
        Column("interaction_id", Number),
        Column("prev_hash", Text, nullable=False),
        Column("hash", Text, nullable=False),
    ),
    UniqueConstraint("interaction_id"),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("(seq = 1) = (prev_hash = '')", name="genesis"),
    CheckConstraint("length(hash) = 64", name="hash"),
    one_of("kind", EventKind),
)
"""Histories. The event that an interaction caused stands here too, so it can be told again."""

owed = table(
    "owed",
    Column("interaction_id", Number, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
)
"""Interactions that have caused events of which their people have not been told, since when; a row
goes when they have been."""

seats = table(
    "seats",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("user_id", Number, primary_key=True, info=NAMED),
    Column("active", Flag, nullable=False),
    CheckConstraint("active IN (0, 1)", name="active"),
    partial_index("ix_seats_active_user", "user_id", where="active = 1"),
    Index("ix_seats_user_id", "user_id"),
)
"""People who have, or are kept, a chair in a match, or had one; active while they have one and it
is on offer or running."""

posts = table(
    "posts",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("audience", Number, nullable=False),
    Column("channel_id", Number, nullable=False),
    Column("message_id", Number, primary_key=True),
    Column("version", Number, nullable=False),
    Column("ended", Text),
    one_of(
        "kind",
        [
            "offer",
            "board",
            "line",
            "reminder",
            "started",
            "untold",
            "departed",
            "challenged",
            "paused",
            "resumed",
            "nudged",
            "word",
            *(w.value for w in RequestKind),
        ],
    ),
)
"""The messages that stand for a match: its offer, its board, the line that calls the player on turn
or reminds them, word of its start and of what has just happened, and those that ask a player for
something; older ones until they are tidied up. Audience -1 is all. ``ended`` is what a change has
made of one (:attr:`bot.posts.sending.StandingPost.ended`)."""

untold_turns = table(
    "unreached",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("since", Number, primary_key=True),
    Column("player", Number, nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("settled", Flag, nullable=False, server_default=text("0")),
    CheckConstraint("settled IN (0, 1)", name="settled"),
    partial_index("ix_unreached_began_at", "began_at", where="settled = 0"),
)
"""Turns of which a player index could not be told in time, by the version ``since`` at which their
position arose. ``ended_at`` is NULL until the player knows; ``settled`` is 1 when the clock of the
match has been reckoned after that. Rows go when the turn is over."""

reminders = table(
    "reminders",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("since", Number, primary_key=True),
    Column("hours", Number, primary_key=True),
)
"""How many hours before its deadline a player was reminded of a turn, that of the position which
arose at version ``since``. Rows go when the turn is over."""

plans = table(
    "plans",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("player", Number, primary_key=True),
    Column("ply", Number, nullable=False),
    Column("lines", Json, nullable=False),
    CheckConstraint("player >= 0 AND ply >= 0", name="counts"),
)
"""Plans of a player index, as JSON: lines of moves, each with whether it is their own. A
plan is gone when its last line is."""


jobs = table(
    "jobs",
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("kind", member_of(JobKind), nullable=False),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("version", Number, nullable=False),
    Column("level", Number, nullable=False),
    Column("user_id", Number, info=OWN),
    Column("guild_id", Number),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Number, nullable=False, server_default=text("0")),
    Column("lease_by", Text),
    Column("lease_until", Instant, nullable=False, server_default=text("0")),
    UniqueConstraint("match_id", "kind"),
    one_of("kind", JobKind),
    Index("ix_jobs_due_at", "due_at"),
    sqlite_autoincrement=True,
)
"""The work of computers for a match, and for which version of it; a row goes when it is done,
so there are few. ``user_id`` is the person who waits for it."""

reviews = table(
    "reviews",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("plies", Number, nullable=False),
    Column("reviewed", Number, nullable=False, server_default=text("0")),
    Column("moves", Json, nullable=False, server_default=text("'[]'")),
    CheckConstraint("reviewed BETWEEN 0 AND plies", name="reviewed"),
)
"""Verdicts of engines on the moves of a match that is over, as JSON, as far as they have come."""


# ---- choices of people and servers, what people follow, and what they are told -------------------

people = table(
    "people",
    Column("user_id", Number, primary_key=True, autoincrement=False, info=OWN),
    Column("version", Number, nullable=False),
    Column("settings", Text, nullable=False),
)
"""The choices of a person, as :func:`bot.domain.preferences_text.written` writes them. A person
who has chosen nothing has no row."""

news = table(
    "news",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("version", Number, primary_key=True),
    Column("notice", Text, primary_key=True),
    Column("at", Instant, nullable=False),
)
"""News for a person's next digest, beside the matches that wait for them: notices that they
would have had without one. A row goes when its reader has been told."""

blocks = table(
    "blocks",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("other_id", Number, primary_key=True, info=CHOSEN),
    Column("at", Instant, nullable=False),
    CheckConstraint("user_id <> other_id", name="not_oneself"),
    Index("ix_blocks_other_id", "other_id"),
)
"""Players (``user_id``) who do not want to be brought together with another one."""

tallies = table(
    "tallies",
    Column("kind", member_of(TallyKind), primary_key=True),
    Column("owner_id", Number, primary_key=True, info=OWN),
    Column("other_id", Number, primary_key=True, info=OWN),
    Column("match_id", Text, primary_key=True),
    Column("at", Instant, nullable=False),
    one_of("kind", TallyKind),
)
"""Counts for the limits of a day or an hour, which go after two days: who offered a match
to which player, and who declined whose offer, as user ids; in which server (``owner_id``) a thread
was made or is being made (``other_id``: the thread that it replaces, 0 if it is the first)."""

vacations = table(
    "vacations",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("number", Number, primary_key=True),
    Column("version", Number, nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("by_itself", Flag, nullable=False),
    Column("changed_at", Instant, nullable=False),
    Column("interaction_id", Number),
    Column("line_at", Instant),
    partial_index("ix_vacations_line_at", "line_at", where="line_at IS NOT NULL"),
    CheckConstraint("number >= 1 AND version >= 1", name="counts"),
    CheckConstraint("began_at <= ends_at", name="span"),
    CheckConstraint("by_itself IN (0, 1)", name="by_itself"),
)
"""Vacations, numbered for each person, who has one at a time. ``interaction_id`` is what
changed it last; from ``line_at`` on the clocks of running matches are to be brought in line with
it, which is NULL when that is done. Of telling its person the outbox knows."""

servers = table(
    "servers",
    Column("guild_id", Number, primary_key=True, autoincrement=False),
    Column("version", Number, nullable=False),
    Column("settings", Text, nullable=False),
    Column("called_at", Instant, nullable=False, server_default=text("0")),
    Column("called_for", Text, nullable=False, server_default=text("''")),
)
"""The choices of a server; one where nothing was chosen has no row. ``called_at`` is when
its role for new offers was last pinged, and ``called_for`` the offer for which it was."""

_Sorted = Kept(
    Text(),
    json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode,
    json.loads,
)
"""JSON in the order of its keys, so that equal texts mean the same."""

audit = table(
    "audit",
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("at", Instant, nullable=False),
    Column("guild_id", Number, nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("act", Text, nullable=False),
    Column("before", _Sorted, nullable=False),
    Column("after", _Sorted, nullable=False),
    Column("reason", Text, nullable=False, server_default=text("''")),
    Index("ix_audit_guild_id", "guild_id", "id"),
    sqlite_autoincrement=True,
)
"""Acts of people who manage a server. Rows are added and never changed, but for the id of a
person who has asked to be forgotten."""

attempts = table(
    "attempts",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("number", Number, primary_key=True),
    Column("wrong", Number, nullable=False),
    Column("state", Text, nullable=False),
    Column("at", Instant, nullable=False),
    CheckConstraint("number >= 1 AND wrong >= 0", name="counts"),
    one_of("state", ["open", "solved", "shown"]),
)
"""Attempts of people at the puzzle of that number."""

notes = table(
    "notes",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("ply", Number, primary_key=True),
    Column("words", Text, nullable=False),
    Column("at", Instant, nullable=False),
    CheckConstraint("ply >= 0", name="ply"),
)
"""Notes that people have written to themselves on a move of a match; ply 0 is its start."""

favourites = table(
    "favourites",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("at", Instant, nullable=False),
    Index("ix_favourites_user_id", "user_id", "at"),
)
"""The matches that people want to find again."""


follows = table(
    "follows",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("at", Instant, nullable=False),
    Column("channel_id", Number),
    Column("message_id", Number),
    Index("ix_follows_match_id", "match_id"),
    CheckConstraint("(channel_id IS NULL) = (message_id IS NULL)", name="message"),
)
"""People who follow a match, with the direct message that shows it. A row goes when the result has
been told."""

fans = table(
    "fans",
    Column("user_id", Number, primary_key=True, info=OWN),
    Column("other_id", Number, primary_key=True, info=CHOSEN),
    Column("guild_id", Number, primary_key=True),
    Column("at", Instant, nullable=False),
    Index("ix_fans_other_id", "other_id", "guild_id"),
    CheckConstraint("user_id <> other_id", name="not_oneself"),
)
"""People who follow the next matches of a player (``other_id``) in a server."""


# ---- messages to be sent, and those that are edited in place -------------------------------------

outbox = table(
    "outbox",
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("key", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("slot", Text),
    Column("payload", JsonObject, nullable=False),
    Column("holds_up", Flag, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Number, nullable=False, server_default=text("0")),
    Column("may_exist", Flag, nullable=False, server_default=text("0")),
    Column("tried_at", Instant),
    Column("lease_by", Text),
    Column("lease_until", Instant, nullable=False, server_default=text("0")),
    Column("trouble", Text),
    CheckConstraint("key LIKE '%_:_%'", name="key"),
    CheckConstraint("may_exist IN (0, 1)", name="may_exist"),
    CheckConstraint("holds_up IN (0, 1)", name="holds_up"),
    CheckConstraint("(lease_by IS NULL) = (lease_until = 0)", name="lease"),
    Index("ix_outbox_key", "key", "id"),
    Index("ix_outbox_due_at", "due_at"),
    partial_index("ix_outbox_lease_until", "lease_until", where="lease_until > 0"),
    partial_index("ix_outbox_trouble", "trouble", where="trouble IS NOT NULL"),
    sqlite_autoincrement=True,
)
"""Messages still to be sent (:class:`bot.posts.outgoing.Outgoing`); a row goes when it is done.
``key`` is what it is about: ``match:`` and an id, or one of another sort, in which the ids of
people may stand (``digest:``, ``vacation:``, ``follow:``). ``tried_at`` is when the first attempt
was made that may have succeeded, so that what came of it is looked for from then on."""


standing = table(
    "standing",
    Column("key", Text, primary_key=True),
    Column("guild_id", Number, nullable=False),
    Column("channel_id", Number, nullable=False),
    Column("message_id", Number),
    Column("digest", Text, nullable=False, server_default=text("''")),
    Column("salt", Number, nullable=False),
    Column("rest_until", Instant, nullable=False, server_default=text("0")),
    Column("closing", Flag, nullable=False, server_default=text("0")),
    CheckConstraint("closing IN (0, 1)", name="closing"),
    Index("ix_standing_guild_id", "guild_id"),
)
"""Messages that show a state, such as the open offers of a server, by the keys under which the
outbox sends them. ``digest`` is of what the message says, which is not to be edited
again before ``rest_until``. One that is no longer wanted is ``closing`` until its message is
gone. Messages of challenges are noted here too, until they say how the challenge ended."""


# ---- rated results and the ratings that follow from them -----------------------------------------

results = table(
    "results",
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("game", Text, nullable=False),
    Column("guild_id", Number),
    Column("at", Instant, nullable=False),
    UniqueConstraint("match_id"),
    sqlite_autoincrement=True,
)
"""Matches that count for ratings, numbered in the order in which they were rated."""

placings = table(
    "placings",
    Column("number", Number, ForeignKey("results.number"), primary_key=True),
    Column("player", Number, primary_key=True),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("rank", Number, nullable=False),
    Column("points", Number, nullable=False),
    Index("ix_placings_user_id", "user_id", "number"),
    CheckConstraint("rank >= 0 AND player >= 0", name="counts"),
)
"""Places of players in each of them, from 0, and the number shown for each afterwards."""

ratings = table(
    "ratings",
    Column("game", Text, nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("mean", Real, nullable=False),
    Column("deviation", Real, nullable=False),
    Column("volatility", Real, nullable=False),
    Column("points", Number, nullable=False),
    Column("matches", Number, nullable=False),
    Column("won", Number, nullable=False),
    Column("drawn", Number, nullable=False),
    Column("last_at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "game"),
    Index("ix_ratings_points", "game", "points"),
    CheckConstraint("won >= 0 AND drawn >= 0 AND won + drawn <= matches", name="counts"),
)
"""Ratings that follow from the results, and can be computed from them anew."""


# ---- when people could act -----------------------------------------------------------------------

heartbeats = table(
    "heartbeats",
    Column("scope", Text, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("shard", Number, nullable=False, server_default=text("0")),
    Column("total", Number, nullable=False, server_default=text("1")),
)
"""When people could last act, by the part of Discord that a process serves; a row each.
``shard`` of ``total`` is what the scope says, to find the beats of one server."""

processes = table(
    "processes", Column("name", Text, primary_key=True), Column("seen_at", Number, nullable=False)
)
"""The processes that run on this database, and when each was last heard of, by the database's own
clock."""

shards = table(
    "shards",
    Column("shard", Number, primary_key=True, autoincrement=False),
    Column("total", Number, nullable=False),
    Column("owner", Text),
    Column("is_open", Flag, nullable=False, server_default=text("0")),
    CheckConstraint("0 <= shard AND shard < total", name="shard"),
    CheckConstraint("is_open IN (0, 1)", name="is_open"),
)
"""The shards that processes divide among themselves, a row each
(:mod:`bot.connection.domain.shard_leases`). An ``owner`` holds one for as long as it is heard
of."""

sessions = table(
    "sessions",
    Column("shard", Number, primary_key=True, autoincrement=False),
    Column("total", Number, nullable=False),
    Column("session", Text, nullable=False),
    Column("sequence", Number, nullable=False),
    Column("address", Text, nullable=False),
    Column("left_at", Instant, nullable=False),
    Column("known", LargeBinary, nullable=False),
)
"""Sessions with Discord that were left in order, for the process that serves the shard next.
``known`` is what was known of its servers, packed."""

session_starts = table(
    "session_starts", Column("name", Text, primary_key=True), Column("at", Instant, nullable=False)
)
"""Sessions begun with Discord, as far as they are remembered, by all processes together
(:mod:`bot.connection.domain.session_budget`); a row an instant."""

outages = table(
    "outages",
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("scope", Text, nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("ended_at", Instant, nullable=False),
    Index("ix_outages_ended_at", "ended_at"),
    CheckConstraint("began_at < ended_at", name="span"),
    sqlite_autoincrement=True,
)
"""Spans in which nobody in a scope could act. A clock that ran through one gets it back."""


# ---- where servers have their results sent -------------------------------------------------------

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


# ---- tournaments ---------------------------------------------------------------------------------

tournaments = table(
    "tournaments",
    Column("id", Text, primary_key=True),
    Column("version", Number, nullable=False),
    Column("head_hash", Text, nullable=False),
    Column("guild_id", Number, nullable=False),
    Column("channel_id", Number, nullable=False),
    Column("message_id", Number),
    Column("name", Text, nullable=False),
    Column("search", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("setup", Json, nullable=False),
    Column("lots", Number, nullable=False),
    Column("status", Text, nullable=False),
    Column("is_over", Flag, nullable=False),
    Column("created_by", Number, info=NAMED),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("closes", Instant, nullable=False),
    Column("begins", Instant, nullable=False),
    Column("finish", Instant, nullable=False),
    Column("paused_at", Instant),
    Column("rounds", Json, nullable=False),
    Column("ladder", Json, nullable=False),
    Column("entrants", Number, nullable=False),
    Column("due_at", Instant),
    Column("previous_id", Text),
    Column("next_id", Text),
    Column("home_gone", Flag, nullable=False, server_default=text("0")),
    Column("troubles", Text, nullable=False, server_default=text("''")),
    Column("set_aside_at", Instant),
    Column("apart", Json, nullable=False, server_default=text("'[]'")),
    CheckConstraint("length(id) = 10", name="id"),
    CheckConstraint("version >= 1 AND entrants >= 0", name="counts"),
    CheckConstraint("length(head_hash) = 64", name="hash"),
    CheckConstraint("is_over IN (0, 1) AND home_gone IN (0, 1)", name="flags"),
    one_of("status", ["registration", "closed", "running", "finished", "cancelled"]),
    partial_index("ix_tournaments_due_at", "due_at", where="due_at IS NOT NULL"),
    Index("ix_tournaments_guild_id", "guild_id", "is_over", "created_at"),
    Index("ix_tournaments_channel_id", "channel_id"),
)
"""Heads. ``rounds``, ``ladder`` and ``apart`` are JSON without people; ``search`` is the name in
lower case; ``troubles`` are names, with spaces between them, of what directors have been told once;
``due_at`` is when the next thing is to be done by itself, NULL if nothing ever is. ``set_aside_at``
is since when it is set aside because its history is damaged; then it is never due."""

tournament_events = table(
    "tournament_events",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Number, primary_key=True),
    Column("kind", Text, nullable=False),
    *salvaged(Column("payload", JsonObject, nullable=False)),
    Column("at", Instant, nullable=False),
    Column("user_id", Number, info=NAMED),
    Column("subject_id", Number, info=NAMED),
    Column("note", Text, nullable=False),
    Column("interaction_id", Number),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    UniqueConstraint("interaction_id"),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("(seq = 1) = (prev_hash = '')", name="genesis"),
    CheckConstraint("length(hash) = 64", name="hash"),
    partial_index("ix_tournament_events_user_id", "user_id", where="user_id IS NOT NULL"),
    partial_index("ix_tournament_events_subject_id", "subject_id", where="subject_id IS NOT NULL"),
)
"""Histories. The first event of an act names the interaction that asked for it."""

tournament_entrants = table(
    "tournament_entrants",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Number, primary_key=True),
    Column("user_id", Number, info=NAMED),
    Column("rating", Number),
    Column("standing", Text, nullable=False),
    Column("since", Number, nullable=False),
    Column("missed", Text, nullable=False),
    Column("byes", Json, nullable=False),
    Column("time_losses", Number, nullable=False),
    Column("is_warned", Flag, nullable=False),
    Column("seed", Number),
    Column("is_here", Flag, nullable=False, server_default=text("0")),
    one_of("standing", ["active", "withdrawn", "excluded"]),
    CheckConstraint("number >= 1 AND since >= 1 AND time_losses >= 0", name="counts"),
    CheckConstraint("is_warned IN (0, 1)", name="is_warned"),
    Index("ix_tournament_entrants_user_id", "user_id"),
)
"""People who are in a tournament, or were."""

tournament_invited = table(
    "tournament_invited",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), primary_key=True),
    Column("position", Number, primary_key=True),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("seed", Number),
    Column("rating", Number),
    Column("since", Number, nullable=False),
    Index("ix_tournament_invited_user_id", "user_id"),
)
"""People on the lists of directors, in their order, with those who have joined since."""

tournament_directors = table(
    "tournament_directors",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), primary_key=True),
    Column("position", Number, primary_key=True),
    Column("user_id", Number, nullable=False, info=NAMED),
    Index("ix_tournament_directors_user_id", "user_id"),
)
"""People who were appointed, beside the creator and those with a role."""

tournament_games = table(
    "tournament_games",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("drawn", Number, nullable=False),
    Column("position", Number, nullable=False),
    Column("round", Number, nullable=False),
    Column("board", Number, nullable=False),
    Column("numbers", Numbers, nullable=False),
    Column("tie", Text, nullable=False),
    Column("division", Number, nullable=False),
    Column("until", Instant, nullable=False),
    Column("has_begun", Flag, nullable=False),
    Column("points", json_of(tuple[Fraction, ...])),
    Column("how", Text),
    Column("late", Numbers),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("ended_at", Instant),
    UniqueConstraint("match_id"),
    CheckConstraint("has_begun IN (0, 1)", name="has_begun"),
    CheckConstraint("(has_begun = 1) = (match_id IS NOT NULL)", name="match"),
    CheckConstraint("(points IS NULL) = (how IS NULL)", name="result"),
    partial_index(
        "ix_tournament_games_ended_at", "ended_at", where="ended_at IS NOT NULL AND points IS NULL"
    ),
)
"""Games, in the order in which they were drawn: ``drawn`` is the version of the tournament since
which it is, ``position`` its place among all then. ``ended_at`` is written by the transaction that
ends the match; while the game has no result it is to be recorded. ``late`` are seats."""

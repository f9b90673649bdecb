"""Matches: heads, histories, seats, posts, what belongs to a turn, what computers have to do."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
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
from bot.store.records import JobKind
from bot.store.tables.base import (
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
    json_of,
    member_of,
    one_of,
    partial_index,
    salvaged,
    table,
)

OVER = "status IN ('finished', 'aborted')"
"""Of a match that was played. A query finds the index over these by the very same words."""


matches = table(
    "matches",
    *salvaged(
        Column("id", Text, primary_key=True),
        Column("version", Number, nullable=False),
        Column("game", Text, nullable=False),
        Column("options", JsonObject, nullable=False),
        Column("rules_version", Number, nullable=False),
        Column("status", member_of(MatchStatus), nullable=False),
        Column("venue", member_of(Venue), nullable=False),
        Column("guild_id", Number),
        Column("channel_id", Number, nullable=False),
        Column("home_id", Number),
        Column("players", People, nullable=False),
        Column("invited", People, nullable=False),
        Column("offered_by", Number, nullable=False),
        Column("state", Text, nullable=False),
        Column("previous_state", Text, nullable=False),
        Column("last_move", Text, nullable=False),
        Column("moved_by", Number),
        Column("recent", json_of(tuple[str, ...]), nullable=False),
        Column("ply", Number, nullable=False),
        Column("position_since", Number, nullable=False),
        Column("retired", Numbers, nullable=False),
        Column("requests", json_of(tuple[Request, ...]), nullable=False),
        Column("result", json_of(Result, write)),
        Column("created_at", Instant, nullable=False),
        Column("updated_at", Instant, nullable=False),
        Column("expires_at", Instant),
        Column("head_hash", Text, nullable=False),
        Column("rated", Flag, nullable=False, server_default=text("0")),
        Column("clock", Kept(Text(), write_clock, read_clock)),
        Column("times", json_of(Times)),
        Column("deadline", Instant),
        Column("lapses_at", Instant),
        Column("band", Kept(Text(), format_rating_range, stored_rating_range)),
        Column("set_aside_at", Instant),
        Column("tournament", json_of(TournamentGame)),
        Column("hints", Flag, nullable=False, server_default=text("0")),
        Column("takebacks", Flag, nullable=False, server_default=text("1")),
        Column("departed", Numbers, nullable=False, server_default=text("'[]'")),
        Column("rematch", Flag, nullable=False, server_default=text("0")),
        Column("repeats", Number, nullable=False, server_default=text("0")),
        Column("verdict", Text, nullable=False, server_default=text("''")),
        Column("continues", Text),
        Column("language", Text),
    ),
    CheckConstraint("length(id) = 10", name="id"),
    CheckConstraint("version >= 1 AND ply >= 0", name="counts"),
    CheckConstraint("position_since BETWEEN 1 AND version", name="position"),
    CheckConstraint("length(head_hash) = 64", name="hash"),
    one_of("status", [status.value for status in MatchStatus], "status"),
    one_of("venue", [venue.value for venue in Venue], "venue"),
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
        Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
        Column("seq", Number, nullable=False),
        Column("kind", member_of(EventKind), nullable=False),
        Column("player", Number),
        Column("user_id", Number),
        Column("payload", JsonObject, nullable=False),
        Column("at", Instant, nullable=False),
        Column("interaction_id", Number),
        Column("prev_hash", Text, nullable=False),
        Column("hash", Text, nullable=False),
    ),
    PrimaryKeyConstraint("match_id", "seq"),
    UniqueConstraint("interaction_id"),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("(seq = 1) = (prev_hash = '')", name="genesis"),
    CheckConstraint("length(hash) = 64", name="hash"),
    one_of("kind", [kind.value for kind in EventKind], "kind"),
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
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("active", Flag, nullable=False),
    PrimaryKeyConstraint("match_id", "user_id"),
    CheckConstraint("active IN (0, 1)", name="active"),
    partial_index("ix_seats_active_user", "user_id", where="active = 1"),
    Index("ix_seats_user_id", "user_id"),
)
"""People who have, or are kept, a chair in a match, or had one; active while they have one and it
is on offer or running."""

posts = table(
    "posts",
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("audience", Number, nullable=False),
    Column("channel_id", Number, nullable=False),
    Column("message_id", Number, nullable=False),
    Column("version", Number, nullable=False),
    Column("ended", Text),
    PrimaryKeyConstraint("match_id", "message_id"),
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
        "kind",
    ),
)
"""The messages that stand for a match: its offer, its board, the line that calls the player on turn
or reminds them, word of its start and of what has just happened, and those that ask a player for
something; older ones until they are tidied up. Audience -1 is all. ``ended`` is what a change has
made of one (:attr:`bot.posts.sending.StandingPost.ended`)."""

untold_turns = table(
    "unreached",
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("since", Number, nullable=False),
    Column("player", Number, nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("settled", Flag, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("match_id", "since"),
    CheckConstraint("settled IN (0, 1)", name="settled"),
    partial_index("ix_unreached_began_at", "began_at", where="settled = 0"),
)
"""Turns of which a player index could not be told in time, by the version ``since`` at which their
position arose. ``ended_at`` is NULL until the player knows; ``settled`` is 1 when the clock of the
match has been reckoned after that. Rows go when the turn is over."""

reminders = table(
    "reminders",
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("since", Number, nullable=False),
    Column("hours", Number, nullable=False),
    PrimaryKeyConstraint("match_id", "since", "hours"),
)
"""How many hours before its deadline a player was reminded of a turn, that of the position which
arose at version ``since``. Rows go when the turn is over."""

plans = table(
    "plans",
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("player", Number, nullable=False),
    Column("ply", Number, nullable=False),
    Column("lines", Json, nullable=False),
    PrimaryKeyConstraint("match_id", "player"),
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
    one_of("kind", [kind.value for kind in JobKind], "kind"),
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

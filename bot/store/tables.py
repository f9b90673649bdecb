"""The tables, as the newest migration leaves them.

Instants are whole microseconds since 1970 in UTC, structured values are JSON text, so that both
databases keep the same thing. User ids stand in ``matches.players``, ``matches.invited``,
``seats.user_id``, ``events.user_id``, ``people.user_id``, ``news.user_id``, ``blocks.user_id``,
``blocks.other_id``, ``tallies.owner_id``, ``tallies.other_id``, ``vacations.user_id``,
``audit.user_id``, ``ratings.user_id`` and ``placings.user_id`` and nowhere else.
"""

from __future__ import annotations

from sqlalchemy import (
    REAL,
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from bot.domain.events import EventKind
from bot.domain.match import MatchStatus, Venue
from bot.services.sending import DeliveryKind, NoticeKind

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

_Number = BigInteger().with_variant(Integer(), "sqlite")
_Real: Double[float] = Double().with_variant(REAL(), "sqlite")


def _one_of(column: str, values: list[str], name: str) -> CheckConstraint:
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({words})", name=name)


OVER = "status IN ('finished', 'aborted')"
"""Of a match that was played. A query finds the index over these by the very same words."""

installation = Table(
    "installation",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created_at", _Number, nullable=False),
    sqlite_strict=True,
)
"""One row: which installation this database belongs to."""

applications = Table(
    "applications",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=False),
    sqlite_strict=True,
)
"""The applications of Discord that were served with this database; 0 stands for the next
one."""

verification = Table(
    "verification",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=False),
    Column("after", Text, nullable=False),
    Column("whole_at", _Number),
    CheckConstraint("id = 1", name="one"),
    sqlite_strict=True,
)
"""One row: after which match histories are to be verified further, and when last all had been."""

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", _Number, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("rules_version", _Number, nullable=False),
    Column("status", Text, nullable=False),
    Column("venue", Text, nullable=False),
    Column("guild_id", _Number),
    Column("channel_id", _Number, nullable=False),
    Column("home_id", _Number),
    Column("players", Text, nullable=False),
    Column("invited", Text, nullable=False),
    Column("offered_by", _Number, nullable=False),
    Column("state", Text, nullable=False),
    Column("previous_state", Text, nullable=False),
    Column("last_move", Text, nullable=False),
    Column("moved_by", _Number),
    Column("recent", Text, nullable=False),
    Column("ply", _Number, nullable=False),
    Column("position_since", _Number, nullable=False),
    Column("retired", Text, nullable=False),
    Column("requests", Text, nullable=False),
    Column("result", Text),
    Column("created_at", _Number, nullable=False),
    Column("updated_at", _Number, nullable=False),
    Column("expires_at", _Number),
    Column("head_hash", Text, nullable=False),
    Column("rated", _Number, nullable=False, server_default=text("0")),
    Column("clock", Text),
    Column("times", Text),
    Column("deadline", _Number),
    Column("lapses_at", _Number),
    Column("band", Text),
    Column("set_aside_at", _Number),
    CheckConstraint("length(id) = 10", name="id"),
    CheckConstraint("version >= 1 AND ply >= 0", name="counts"),
    CheckConstraint("position_since BETWEEN 1 AND version", name="position"),
    CheckConstraint("length(head_hash) = 64", name="hash"),
    _one_of("status", [status.value for status in MatchStatus], "status"),
    _one_of("venue", [venue.value for venue in Venue], "venue"),
    CheckConstraint(
        "(status IN ('running', 'finished', 'aborted')) = (state <> '')", name="started"
    ),
    CheckConstraint("(status = 'finished') = (result IS NOT NULL)", name="result"),
    CheckConstraint("(status = 'offered') = (expires_at IS NOT NULL)", name="expiry"),
    Index(
        "uq_matches_running_in_channel",
        "channel_id",
        unique=True,
        sqlite_where=text("status = 'running' AND venue = 'channel'"),
        postgresql_where=text("status = 'running' AND venue = 'channel'"),
    ),
    Index(
        "ix_matches_running_channel",
        "channel_id",
        sqlite_where=text("status = 'running'"),
        postgresql_where=text("status = 'running'"),
    ),
    Index(
        "ix_matches_running_home",
        "home_id",
        sqlite_where=text("status = 'running'"),
        postgresql_where=text("status = 'running'"),
    ),
    Index(
        "ix_matches_running_guild",
        "guild_id",
        sqlite_where=text("status = 'running'"),
        postgresql_where=text("status = 'running'"),
    ),
    Index(
        "ix_matches_offer_expiry",
        "expires_at",
        sqlite_where=text("status = 'offered'"),
        postgresql_where=text("status = 'offered'"),
    ),
    Index(
        "ix_matches_offered_guild",
        "guild_id",
        "created_at",
        sqlite_where=text("status = 'offered'"),
        postgresql_where=text("status = 'offered'"),
    ),
    Index(
        "ix_matches_lapses_at",
        "lapses_at",
        sqlite_where=text("lapses_at IS NOT NULL"),
        postgresql_where=text("lapses_at IS NOT NULL"),
    ),
    Index(
        "ix_matches_over_home",
        "home_id",
        "created_at",
        sqlite_where=text(OVER),
        postgresql_where=text(OVER),
    ),
    Index(
        "ix_matches_deadline",
        "deadline",
        "id",
        sqlite_where=text("deadline IS NOT NULL"),
        postgresql_where=text("deadline IS NOT NULL"),
    ),
    Index(
        "ix_matches_set_aside_at",
        "set_aside_at",
        sqlite_where=text("set_aside_at IS NOT NULL"),
        postgresql_where=text("set_aside_at IS NOT NULL"),
    ),
    sqlite_strict=True,
)
"""Head snapshots. One that is set aside, since when its history was found damaged, has no deadline
and nothing that lapses."""

events = Table(
    "events",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("seq", _Number, nullable=False),
    Column("kind", Text, nullable=False),
    Column("player", _Number),
    Column("user_id", _Number),
    Column("payload", Text, nullable=False),
    Column("at", _Number, nullable=False),
    Column("interaction_id", _Number),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    PrimaryKeyConstraint("match_id", "seq"),
    UniqueConstraint("interaction_id"),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("(seq = 1) = (prev_hash = '')", name="genesis"),
    CheckConstraint("length(hash) = 64", name="hash"),
    _one_of("kind", [kind.value for kind in EventKind], "kind"),
    sqlite_strict=True,
)
"""Histories. What an interaction has caused stands here too, so it can be told again."""

owed = Table(
    "owed",
    metadata,
    Column("interaction_id", _Number, primary_key=True, autoincrement=False),
    Column("at", _Number, nullable=False),
    sqlite_strict=True,
)
"""Interactions that have caused events of which their people have not been told, since when; a row
goes when they have been."""

seats = Table(
    "seats",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("user_id", _Number, nullable=False),
    Column("active", _Number, nullable=False),
    PrimaryKeyConstraint("match_id", "user_id"),
    CheckConstraint("active IN (0, 1)", name="active"),
    Index(
        "ix_seats_active_user",
        "user_id",
        sqlite_where=text("active = 1"),
        postgresql_where=text("active = 1"),
    ),
    sqlite_strict=True,
)
"""Who has, or is kept, a chair in which match, or had one; active while they have one and it
is on offer or running."""

posts = Table(
    "posts",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("audience", _Number, nullable=False),
    Column("channel_id", _Number, nullable=False),
    Column("message_id", _Number, nullable=False),
    Column("version", _Number, nullable=False),
    PrimaryKeyConstraint("match_id", "kind", "audience"),
    _one_of("kind", ["offer", "board", "line"], "kind"),
    sqlite_strict=True,
)
"""The messages that stand for a match: its offer, its newest board, and the line that calls the
player on turn. Audience -1 is all."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", _Number, nullable=False),
    Column("ply", _Number, nullable=False),
    Column("audience", _Number, nullable=False),
    Column("notice", Text),
    Column("target_channel_id", _Number),
    Column("target_message_id", _Number),
    Column("due_at", _Number, nullable=False),
    Column("attempts", _Number, nullable=False, server_default=text("0")),
    Column("may_exist", _Number, nullable=False, server_default=text("0")),
    Column("lease_by", Text),
    Column("lease_until", _Number, nullable=False, server_default=text("0")),
    Column("trouble", Text),
    Column("tried_at", _Number),
    Index("ix_outbox_match_id", "match_id", "id"),
    _one_of("kind", [kind.value for kind in DeliveryKind], "kind"),
    _one_of("notice", [notice.value for notice in NoticeKind], "notice"),
    CheckConstraint("may_exist IN (0, 1)", name="may_exist"),
    CheckConstraint("(kind = 'notice') = (notice IS NOT NULL)", name="is_notice"),
    CheckConstraint(
        "(kind IN ('retire', 'erase')) = (target_message_id IS NOT NULL)", name="has_target"
    ),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""What is still to be sent. A row goes when it is done, so there are few, and the one index is for
the order within a match; audience -1 is everybody. ``tried_at`` is when the first attempt was made
that may have succeeded, so that what came of it is looked for from then on."""

# ---- when people could act -------------------------------------------------------------------

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("at", _Number, nullable=False),
    sqlite_strict=True,
)
"""When people could last act, by the part of Discord that a process serves; a row each."""

session_starts = Table(
    "session_starts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", _Number, nullable=False),
    sqlite_strict=True,
)
"""What is remembered of the sessions begun with Discord, by all processes together
(:mod:`bot.domain.session_budget`); a row an instant."""

outages = Table(
    "outages",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("scope", Text, nullable=False),
    Column("began_at", _Number, nullable=False),
    Column("ended_at", _Number, nullable=False),
    Index("ix_outages_ended_at", "ended_at"),
    CheckConstraint("began_at < ended_at", name="span"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Spans in which nobody in a scope could act. A clock that ran through one gets it back."""

unreached = Table(
    "unreached",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("since", _Number, nullable=False),
    Column("player", _Number, nullable=False),
    Column("began_at", _Number, nullable=False),
    Column("ended_at", _Number),
    Column("settled", _Number, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("match_id", "since"),
    CheckConstraint("settled IN (0, 1)", name="settled"),
    Index(
        "ix_unreached_began_at",
        "began_at",
        sqlite_where=text("settled = 0"),
        postgresql_where=text("settled = 0"),
    ),
    sqlite_strict=True,
)
"""Turns of which a player index could not be told in time, by the version ``since`` at which their
position arose. ``ended_at`` is NULL until the player knows; ``settled`` is 1 when the clock of the
match has been reckoned after that. Rows go when the turn is over."""

# ---- what people and servers have chosen -----------------------------------------------------

people = Table(
    "people",
    metadata,
    Column("user_id", _Number, primary_key=True, autoincrement=False),
    Column("version", _Number, nullable=False),
    Column("settings", Text, nullable=False),
    Column("digest_at", _Number),
    Index(
        "ix_people_digest_at",
        "digest_at",
        sqlite_where=text("digest_at IS NOT NULL"),
        postgresql_where=text("digest_at IS NOT NULL"),
    ),
    sqlite_strict=True,
)
"""What somebody has chosen, as :func:`bot.domain.preferences.written` writes it, and when their
next digest is due. Whoever has chosen nothing has no row."""

news = Table(
    "news",
    metadata,
    Column("user_id", _Number, nullable=False),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("version", _Number, nullable=False),
    Column("notice", Text, nullable=False),
    Column("at", _Number, nullable=False),
    PrimaryKeyConstraint("user_id", "match_id", "version", "notice"),
    sqlite_strict=True,
)
"""What a person's next digest is to tell beside the matches that wait for them: notices that they
would have had without one. A row goes when its digest is sent."""

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", _Number, nullable=False),
    Column("other_id", _Number, nullable=False),
    Column("at", _Number, nullable=False),
    PrimaryKeyConstraint("user_id", "other_id"),
    CheckConstraint("user_id <> other_id", name="not_oneself"),
    Index("ix_blocks_other_id", "other_id"),
    sqlite_strict=True,
)
"""Who (``user_id``) does not want to be brought together with whom."""

servers = Table(
    "servers",
    metadata,
    Column("guild_id", _Number, primary_key=True, autoincrement=False),
    Column("version", _Number, nullable=False),
    Column("settings", Text, nullable=False),
    sqlite_strict=True,
)
"""What has been chosen for a server; one where nothing was chosen has no row."""

audit = Table(
    "audit",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("at", _Number, nullable=False),
    Column("guild_id", _Number, nullable=False),
    Column("user_id", _Number, nullable=False),
    Column("act", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Column("reason", Text, nullable=False, server_default=text("''")),
    Index("ix_audit_guild_id", "guild_id", "id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""What people who manage a server did there. Rows are added and never changed, but for the id of a
person who has asked to be forgotten."""

tallies = Table(
    "tallies",
    metadata,
    Column("kind", Text, nullable=False),
    Column("owner_id", _Number, nullable=False),
    Column("other_id", _Number, nullable=False),
    Column("match_id", Text, nullable=False),
    Column("at", _Number, nullable=False),
    PrimaryKeyConstraint("kind", "owner_id", "other_id", "match_id"),
    _one_of("kind", ["offer", "decline", "thread"], "kind"),
    sqlite_strict=True,
)
"""What counts towards the limits of a day or an hour, and goes after two days: who offered a match
to whom, and whose offer was declined by whom, as user ids; in which server (``owner_id``) a thread
was made or is being made (``other_id``: the thread that it replaces, 0 if it is the first)."""

vacations = Table(
    "vacations",
    metadata,
    Column("user_id", _Number, nullable=False),
    Column("number", _Number, nullable=False),
    Column("version", _Number, nullable=False),
    Column("began_at", _Number, nullable=False),
    Column("ends_at", _Number, nullable=False),
    Column("by_itself", _Number, nullable=False),
    Column("changed_at", _Number, nullable=False),
    Column("interaction_id", _Number),
    Column("line_at", _Number),
    Column("tell_at", _Number),
    Column("tried_at", _Number),
    PrimaryKeyConstraint("user_id", "number"),
    Index(
        "ix_vacations_line_at",
        "line_at",
        sqlite_where=text("line_at IS NOT NULL"),
        postgresql_where=text("line_at IS NOT NULL"),
    ),
    Index(
        "ix_vacations_tell_at",
        "tell_at",
        sqlite_where=text("tell_at IS NOT NULL"),
        postgresql_where=text("tell_at IS NOT NULL"),
    ),
    CheckConstraint("number >= 1 AND version >= 1", name="counts"),
    CheckConstraint("began_at <= ends_at", name="span"),
    CheckConstraint("by_itself IN (0, 1)", name="by_itself"),
    sqlite_strict=True,
)
"""Vacations, numbered for each person, one of whom is on one at a time. ``interaction_id`` is what
changed it last; from ``line_at`` on the clocks of running matches are to be brought in line with
it, and from ``tell_at`` on its person is to be told of it. Both are NULL when that is done.
``tried_at`` is when the first attempt was made that may have told them."""

reminders = Table(
    "reminders",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("since", _Number, nullable=False),
    Column("hours", _Number, nullable=False),
    Column("player", _Number, nullable=False),
    Column("due_at", _Number),
    PrimaryKeyConstraint("match_id", "since", "hours"),
    Index(
        "ix_reminders_due_at",
        "due_at",
        sqlite_where=text("due_at IS NOT NULL"),
        postgresql_where=text("due_at IS NOT NULL"),
    ),
    sqlite_strict=True,
)
"""Of which deadline a player index is to be reminded, and when; ``due_at`` is NULL once that is
done. The turn is that of the position which arose at version ``since``; its rows go when the next
one begins. One with 0 ``hours`` says that the reminders of its turn are to be planned: the deadline
is new since ``due_at``."""

plans = Table(
    "plans",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("player", _Number, nullable=False),
    Column("ply", _Number, nullable=False),
    Column("lines", Text, nullable=False),
    PrimaryKeyConstraint("match_id", "player"),
    CheckConstraint("player >= 0 AND ply >= 0", name="counts"),
    sqlite_strict=True,
)
"""What a player index has planned, as JSON: lines of moves, each with whether it is their own. A
plan is gone when its last line is."""

# ---- the lobby -------------------------------------------------------------------------------

lobbies = Table(
    "lobbies",
    metadata,
    Column("channel_id", _Number, primary_key=True, autoincrement=False),
    Column("guild_id", _Number, nullable=False),
    Column("message_id", _Number),
    Column("posts", _Number, nullable=False, server_default=text("0")),
    Column("wanted", _Number, nullable=False, server_default=text("1")),
    Column("shown", _Number, nullable=False, server_default=text("0")),
    Column("digest", Text, nullable=False, server_default=text("''")),
    Column("ready_at", _Number, nullable=False, server_default=text("0")),
    Column("looked_at", _Number, nullable=False, server_default=text("0")),
    Column("closing", _Number, nullable=False, server_default=text("0")),
    Column("attempts", _Number, nullable=False, server_default=text("0")),
    Column("may_exist", _Number, nullable=False, server_default=text("0")),
    Column("lease_by", Text),
    Column("lease_until", _Number, nullable=False, server_default=text("0")),
    Column("trouble", Text),
    Column("tried_at", _Number),
    CheckConstraint("closing IN (0, 1)", name="closing"),
    CheckConstraint("may_exist IN (0, 1)", name="may_exist"),
    CheckConstraint("shown <= wanted", name="shown"),
    Index("ix_lobbies_guild_id", "guild_id"),
    sqlite_strict=True,
)
"""The messages that list the open offers of a server, by their channels. Whatever changes what one
should say adds one to ``wanted`` in the same transaction; ``shown`` is the ``wanted`` that its
message was made for, not to be made again before ``ready_at``. ``digest`` is of what the message
says, ``posts`` is the number of the next, ``looked_at`` is when the last was known to be there,
``tried_at`` when the first attempt was made that may have posted the next. One that is not wanted
any more is ``closing`` until its message is gone."""

# ---- ratings --------------------------------------------------------------------------------

results = Table(
    "results",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("game", Text, nullable=False),
    Column("guild_id", _Number),
    Column("at", _Number, nullable=False),
    UniqueConstraint("match_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Matches that count for ratings, numbered in the order in which they were rated."""

placings = Table(
    "placings",
    metadata,
    Column("number", _Number, ForeignKey("results.number"), nullable=False),
    Column("player", _Number, nullable=False),
    Column("user_id", _Number, nullable=False),
    Column("rank", _Number, nullable=False),
    Column("points", _Number, nullable=False),
    PrimaryKeyConstraint("number", "player"),
    Index("ix_placings_user_id", "user_id", "number"),
    CheckConstraint("rank >= 0 AND player >= 0", name="counts"),
    sqlite_strict=True,
)
"""Who was where in each of them, from 0, and the number that was shown for them afterwards."""

ratings = Table(
    "ratings",
    metadata,
    Column("game", Text, nullable=False),
    Column("user_id", _Number, nullable=False),
    Column("mean", _Real, nullable=False),
    Column("deviation", _Real, nullable=False),
    Column("volatility", _Real, nullable=False),
    Column("points", _Number, nullable=False),
    Column("matches", _Number, nullable=False),
    Column("won", _Number, nullable=False),
    Column("drawn", _Number, nullable=False),
    Column("last_at", _Number, nullable=False),
    PrimaryKeyConstraint("user_id", "game"),
    Index("ix_ratings_points", "game", "points"),
    CheckConstraint("won >= 0 AND drawn >= 0 AND won + drawn <= matches", name="counts"),
    sqlite_strict=True,
)
"""What follows from the results, and can be computed from them anew."""

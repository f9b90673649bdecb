"""The client's side of identifying, the codes that refuse it, and the welcome.

https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway
"""

from __future__ import annotations

from playground.gateway.events import ALL, PRIVILEGED
from playground.gateway.session import Session
from playground.wire import Json
from playground.world import shapes
from playground.world.state import State


class Close(Exception):
    """The connection must be closed with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def read_shard(data: Json, *, required: bool) -> tuple[int, int]:
    """The shard and the number of shards; 4010 or 4011 if they are invalid."""
    given = data.get("shard")
    if given is None:
        if required:
            raise Close(4011, "Sharding required")
        return 0, 1
    if (
        not isinstance(given, list)
        or len(given) != 2
        or not all(isinstance(each, int) for each in given)
        or not 0 <= given[0] < given[1]
    ):
        raise Close(4010, "Invalid shard")
    return given[0], given[1]


def read_intents(data: Json, *, privileged: bool) -> int:
    """The intents; 4013 for unknown ones, 4014 for ones that are not allowed."""
    intents = data.get("intents")
    if not isinstance(intents, int) or intents & ~ALL:
        raise Close(4013, "Invalid intent(s)")
    if intents & PRIVILEGED and not privileged:
        raise Close(4014, "Disallowed intent(s)")
    return intents


def ready_body(state: State, session: Session, guild_ids: list[int], url: str) -> Json:
    """The data of READY."""
    return {
        "v": 10,
        "user": shapes.own_user(state.users[state.bot_id]),
        "user_settings": {},
        "guilds": [{"id": str(each), "unavailable": True} for each in guild_ids],
        "private_channels": [],
        "relationships": [],
        "presences": [],
        "session_id": session.id,
        "session_type": "normal",
        "resume_gateway_url": url,
        "shard": [session.shard, session.shards],
        "application": {"id": str(state.application.id), "flags": 0},
        "geo_ordered_rtc_regions": [],
        "_trace": ["playground"],
    }

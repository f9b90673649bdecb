"""What a client says of itself when it identifies, and the codes that refuse it.

https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway
"""

from __future__ import annotations

from playground.gateway.events import ALL, PRIVILEGED
from playground.wire import Json


class Close(Exception):
    """The connection is to be closed with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def read_shard(data: Json, *, required: bool) -> tuple[int, int]:
    """The shard and how many there are; 4010 or 4011 if that cannot be."""
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
    """The intents; 4013 if there are no such, 4014 if they are not allowed."""
    intents = data.get("intents")
    if not isinstance(intents, int) or intents & ~ALL:
        raise Close(4013, "Invalid intent(s)")
    if intents & PRIVILEGED and not privileged:
        raise Close(4014, "Disallowed intent(s)")
    return intents

"""Results for programs: valid addresses, signatures, and documents.

An address comes from a stranger. It must not lead into the host's network, so it has a name instead
of an IP address, and every IP address of the name is checked with :func:`is_global_unicast` each
time, just before the connection is made to exactly that one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from bot.domain.computers import is_computer
from bot.domain.ids import GuildId, UserId
from bot.domain.match import Match
from bot.errors import UserError

LONGEST_ADDRESS = 300
GIVEN_UP_AFTER = timedelta(days=1)
"""How long an address may fail before it is switched off."""
_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*")

_NOT_GLOBAL_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
        ),
    )
)
"""https://www.iana.org/assignments/iana-ipv4-special-registry"""
_GLOBAL_6 = IPv6Network("2000::/3")
_NOT_GLOBAL_6 = tuple(
    map(
        IPv6Network,
        ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"),
    )
)
"""https://www.iana.org/assignments/iana-ipv6-special-registry. Other addresses are not global.

That includes all outside of 2000::/3, such as IPv4 in other forms (``::ffff:0:0/96``,
``64:ff9b::/96``).
"""


@dataclass(frozen=True, slots=True)
class Webhook:
    """The address for a server's results, and the secret for their signatures.

    ``failing_since`` is the first failure without a success since; ``off_at`` when the address was
    switched off for that. ``trouble`` is a word for the last failure.
    """

    guild_id: GuildId
    url: str
    secret: str
    failing_since: datetime | None = None
    off_at: datetime | None = None
    trouble: str = ""


def host_of(url: str) -> str:
    """The host name of an address."""
    return urlsplit(url).hostname or ""


def read_address(text: str) -> str:
    """The canonical form of an address. Raises ``webhook_address``."""
    plain = text.strip()
    try:
        parts = urlsplit(plain)
        name, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise UserError("webhook_address") from None
    rest = parts.path + (f"?{parts.query}" if parts.query else "")
    fits = (
        len(plain) <= LONGEST_ADDRESS
        and parts.scheme == "https"
        and port in (None, 443)
        and "@" not in parts.netloc
        and not parts.fragment
        and len(name) <= 253
        and _NAME.fullmatch(name)
        and _PATH.fullmatch(rest)
    )
    if not fits:
        raise UserError("webhook_address")
    return f"https://{name}{rest or '/'}"


def is_global_unicast(address: str) -> bool:
    """Whether an IP address is one of the open Internet, which a stranger may choose."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if found.version == 4:
        return not any(found in each for each in _NOT_GLOBAL_4)
    if found.scope_id is not None:
        return False
    return found in _GLOBAL_6 and not any(found in each for each in _NOT_GLOBAL_6)


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """HMAC-SHA256 of ``TIMESTAMP.BODY`` in hexadecimal; the secret is used as its ASCII text."""
    signed = f"{timestamp}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


# ---- documents --------------------------------------------------------------------------------


def match_document(match: Match) -> dict[str, Any]:
    """A match as a document for programs."""
    result = match.result
    players: list[dict[str, Any]] = [
        {**person_document(user_id), "won": None if result is None else index in result.winners}
        for index, user_id in enumerate(match.players)
    ]
    game = match.tournament
    return {
        "id": match.id,
        "game": match.game,
        "options": dict(match.options),
        "rated": match.rated,
        "status": match.status.value,
        "moves": match.ply,
        "players": players,
        "ending": None if result is None else result.ending.value,
        "reason": None if result is None else result.reason,
        "ended": match.updated_at.isoformat() if match.status.is_final else None,
        "tournament": None if game is None else {"id": game.tournament_id, "game": game.game},
    }


def person_document(user_id: UserId | None) -> dict[str, Any]:
    """A person by their Discord id; computers and erased people have none."""
    is_person = user_id is not None and user_id > 0
    return {
        "user": str(user_id) if is_person else None,
        "computer": user_id is not None and is_computer(user_id),
    }

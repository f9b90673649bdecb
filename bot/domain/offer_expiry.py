"""How long an offer stands, as people write it: ``6h``, ``2 days``, ``1d12h``."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

from bot.domain.clock_text import read_duration, write_duration
from bot.errors import UserError

SHORTEST_OFFER = timedelta(minutes=5)
LONGEST_OFFER = timedelta(days=30)
_LONGEST_TEXT = 60

OFFERED = tuple(timedelta(hours=hours) for hours in (1, 6, 24, 48, 7 * 24, 14 * 24))
"""What menus offer."""


def parse_offer_expiry(text: str, usual: timedelta) -> timedelta:
    """The length of time that a text means, the usual one where it says nothing.

    Raises :exc:`~bot.errors.UserError` (``lasting_unclear``, ``lasting_range``).
    """
    plain = " ".join(unicodedata.normalize("NFKC", text[:_LONGEST_TEXT]).casefold().split())
    if not plain:
        return usual
    try:
        found = read_duration(plain)
        is_within = SHORTEST_OFFER <= found <= LONGEST_OFFER
    except ValueError as error:
        if str(error) != "range":
            raise UserError("lasting_unclear", text=text.strip()[:40]) from None
        is_within = False
    if not is_within:
        raise UserError(
            "lasting_range",
            text=text.strip()[:40],
            least=write_duration(SHORTEST_OFFER),
            most=write_duration(LONGEST_OFFER),
        )
    return found

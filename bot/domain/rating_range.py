"""Rating ranges of open offers.

A typed range is absolute (``1400-1700``, ``1600+``, ``up to 1500``) or around the rating of the
player who offers (``±150``). It is stored absolute: an offer's terms do not move with a player's
rating.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from bot.errors import UserError

ANY = "any"
"""The text for no range."""
LOWEST, HIGHEST = 0, 4000
"""The outer bounds of all ranges; no rating has ever been beyond them."""
NARROWEST = 25
"""The least points on either side of the rating in a range around it."""
_LONGEST_TEXT = 60
_ANY = frozenset({ANY, "", "all", "anybody", "anyone", "everybody", "none", "no", "*"})
_AROUND = re.compile(r"(?:±|\+/?-|\+−|~|within)(?P<around>\d{1,6})", re.ASCII)
_FROM_TO = re.compile(
    r"(?:from)?(?P<least>\d{1,6})(?:-|–|—|−|\.\.+|…|to|until)(?P<most>\d{1,6})", re.ASCII
)
_FROM = re.compile(
    r"(?:from|≥|>=|>|atleast|min\.?)(?P<a>\d{1,6})|(?P<b>\d{1,6})(?:\+|-|–|andup)", re.ASCII
)
_UP_TO = re.compile(r"(?:upto|until|to|≤|<=|<|atmost|max\.?|-|–)(?P<most>\d{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class RatingRange:
    """Ratings from ``least`` to ``most`` inclusive; None: no bound on that side."""

    least: int | None
    most: int | None

    def __contains__(self, points: int) -> bool:
        above = self.least is None or points >= self.least
        return above and (self.most is None or points <= self.most)

    def __str__(self) -> str:
        """The range as readers of any language understand it."""
        if self.least is None:
            return f"≤ {self.most}"
        return f"≥ {self.least}" if self.most is None else f"{self.least}–{self.most}"


@dataclass(frozen=True, slots=True)
class Around:
    """Ratings up to so many ``points`` away from that of the player who offers."""

    points: int

    def __str__(self) -> str:
        return f"±{self.points}"

    def of(self, points: int) -> RatingRange:
        """The range for a player with that rating."""
        return RatingRange(max(points - self.points, LOWEST), min(points + self.points, HIGHEST))


def format_rating_range(band: RatingRange | Around | None) -> str:
    """The canonical text: ``1400-1700``, ``1600+``, ``-1500``, ``±150``, ``any``."""
    if band is None:
        return ANY
    if isinstance(band, Around):
        return str(band)
    if band.most is None:
        return f"{band.least}+"
    return f"{'' if band.least is None else band.least}-{band.most}"


def parse_rating_range(text: str) -> RatingRange | Around | None:
    """The range that a text means; None for no limit.

    Raises :exc:`~bot.errors.UserError` (``band_unclear``, ``band_range``).
    """
    plain = "".join(unicodedata.normalize("NFKC", text[: _LONGEST_TEXT + 1]).casefold().split())
    if len(text) > _LONGEST_TEXT:
        raise UserError("band_unclear", text=text[:40])
    if plain in _ANY:
        return None
    found = _AROUND.fullmatch(plain)
    if found is not None:
        points = int(found["around"])
        if not NARROWEST <= points <= HIGHEST:
            raise _beyond(text)
        return Around(points)
    band = _absolute(plain)
    if band is None:
        raise UserError("band_unclear", text=text.strip()[:40])
    least = LOWEST if band.least is None else band.least
    most = HIGHEST if band.most is None else band.most
    if not LOWEST <= least < most <= HIGHEST:
        raise _beyond(text)
    return band


def stored_rating_range(text: str) -> RatingRange | None:
    """The range of an offer in its canonical text; also one that could not be typed today.

    Raises :exc:`ValueError` for any other text.
    """
    band = _absolute(text)
    if format_rating_range(band) != text:
        raise ValueError("the rating range is not in its canonical words")
    return band


def _absolute(plain: str) -> RatingRange | None:
    found = _FROM_TO.fullmatch(plain)
    if found is not None:
        return RatingRange(int(found["least"]), int(found["most"]))
    found = _FROM.fullmatch(plain)
    if found is not None:
        return RatingRange(int(found["a"] or found["b"]), None)
    found = _UP_TO.fullmatch(plain)
    return None if found is None else RatingRange(None, int(found["most"]))


def _beyond(text: str) -> UserError:
    return UserError(
        "band_range", text=text.strip()[:40], least=LOWEST, most=HIGHEST, around=NARROWEST
    )

"""A knockout as a picture, as letters of equal width, and in words.

A bracket has one stage (single elimination) or several (winners, losers, the final with its reset).
A stage is a list of rounds; each has as many matches as the one before it or half as many, so that
the next opponents are clear. A page shows at most four rounds, and at most eight matches of the
first of them; where there are more, each page shows a part whose winner goes to one place of a
later page. The caller supplies all words in the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from renderers.emblems import emblem
from renderers.names import columns, in_columns
from renderers.papers import (
    FOOT,
    MARGIN,
    SMALL,
    TOP,
    WIDTH,
    Panel,
    Paper,
    shown_name,
    words_in_room,
)
from renderers.picture import Picture
from renderers.style import Style
from renderers.tables import LETTERS
from renderers.themes import theme_named

ROUNDS, MATCHES = 4, 8
"""Most rounds side by side on a page, and most matches one below the other."""
_SLOT, _LABEL, _NAME, _SEED = 40, 22, 26, 22
_PITCH, _HEADS, _STAGE, _APART, _ACROSS = 118, 40, 44, 14, 26
_LINE, _MOST_HIGH = 3, 1150


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a match.

    ``seed`` and ``score`` are very short, and the seed is shown in brackets; a ``won`` slot goes
    on, a ``lost`` one does not. ``spare`` replaces a name that no font here can draw. Where the
    player is not known yet, the slot is ``waiting`` and ``name`` describes in words where they come
    from.
    """

    name: str
    seed: str = ""
    score: str = ""
    won: bool = False
    lost: bool = False
    waiting: bool = False
    spare: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """Two slots; one alone is a bye, and none means no match.

    ``label`` is a short line above: "Match 3", the place at stake. ``number`` replaces it in the
    text. The winner of a match that ``decides`` has won the event.
    """

    upper: Slot | None = None
    lower: Slot | None = None
    label: str = ""
    decides: bool = False
    number: str = ""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The existing sides."""
        return tuple(slot for slot in (self.upper, self.lower) if slot is not None)


@dataclass(frozen=True, slots=True)
class Round:
    """Matches from top to bottom, below a title."""

    title: str
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """Rounds from first to last, and the match of the losing semi-finalists, if it is played.

    ``title`` may be empty where there is one stage. :exc:`ValueError` if a round has neither as
    many matches as the one before it nor half as many.
    """

    title: str
    rounds: tuple[Round, ...]
    third: Match | None = None

    def __post_init__(self) -> None:
        for before, after in pairwise(self.rounds):
            if len(before.matches) not in (len(after.matches), 2 * len(after.matches)):
                raise ValueError(f"{len(before.matches)} matches, then {len(after.matches)}")


@dataclass(frozen=True, slots=True)
class Bracket:
    """All stages of a knockout."""

    title: str
    stages: tuple[Stage, ...]
    footer: str = ""


class _Part(NamedTuple):
    """Some rounds of a stage, so ``many`` from the ``first`` on, and one of their ``parts``.

    A part has the matches of each round that lead to one place.
    """

    place: int
    """The number of the stage in its bracket, from 0."""
    stage: Stage
    first: int
    many: int
    part: int
    parts: int
    third: Match | None

    def matches(self, number: int) -> range:
        """The matches of a round of the stage in this part."""
        if not self.first <= number < self.first + self.many:
            return range(0)
        total = len(self.stage.rounds[number].matches)
        return range(total * self.part // self.parts, total * (self.part + 1) // self.parts)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds with their matches in this part."""
        return tuple(
            Round(each.title, each.matches[here.start : here.stop])
            for number, each in enumerate(self.stage.rounds)
            for here in [self.matches(number)]
            if here
        )

    @property
    def whole(self) -> bool:
        """Whether it is the whole stage."""
        return self.parts == 1 and self.many == len(self.stage.rounds)

    @property
    def rows(self) -> float:
        """Its height in matches."""
        rows = float(max(1, *(len(each.matches) for each in self.rounds)))
        return rows if self.third is None else max(rows, rows / 2 + 1.7)

    @property
    def height(self) -> int:
        """In pixels, with its title and those of the rounds."""
        title = _STAGE if self.stage.title else 0
        return title + _HEADS + round(self.rows * _PITCH)


def bracket_pages(bracket: Bracket) -> int:
    """The number of pages of the bracket, at least one."""
    return len(_pages(bracket))


def page_in_play(bracket: Bracket) -> int:
    """The first page with a match that isn't decided, else the last one."""
    pages = _pages(bracket)
    for page, parts in enumerate(pages):
        sides = (match.slots for part in parts for each in part.rounds for match in each.matches)
        if any(each and not any(slot.won or slot.lost for slot in each) for each in sides):
            return page
    return len(pages) - 1


def draw_bracket(bracket: Bracket, style: Style, page: int = 0) -> Picture:
    """One page as a picture, counted from 0; :exc:`ValueError` if there is no such page."""
    parts = _page(bracket, page)
    height = TOP + sum(part.height + _APART for part in parts) + FOOT
    paper = Paper(style, height, tuple(_panels(parts, style)))
    paper.frame(bracket.title, bracket.footer, page, bracket_pages(bracket))
    for place in _places(parts):
        _draw_match(paper, place)
    top = TOP
    for part in parts:
        heads = top
        if part.stage.title:
            room = WIDTH - 2 * MARGIN
            paper.write(
                part.stage.title, 30, MARGIN, top - 4, paper.theme.text, room=room, bold=True
            )
            heads += _STAGE
        for column, each in enumerate(part.rounds):
            left, right = _column(part, column)
            paper.write(each.title, SMALL, left, heads, paper.theme.muted, room=right - left)
        top += part.height + _APART
    return paper.picture(bracket_words(bracket, page), ("bracket", bracket.title, page))


def bracket_words(bracket: Bracket, page: int = 0) -> str:
    """One page in at most 1024 characters, the last round first; ends where there is no room."""
    lines = []
    for part in _page(bracket, page):
        last, *others = reversed(part.rounds)
        for each in (last, *_third(part), *others):
            told = "; ".join(_told(match) for match in each.matches if match.slots)
            if told:
                lines.append(": ".join(filter(None, (part.stage.title, each.title, told))))
    return words_in_room(". ".join(part for part in (bracket.title, bracket.footer) if part), lines)


def _third(part: _Part) -> Iterator[Round]:
    if part.third is not None:
        yield Round(part.third.label, (part.third,))


def _told(match: Match) -> str:
    return " – ".join(
        " ".join(filter(None, (_called(slot), slot.score, "✓" if slot.won else "")))
        for slot in match.slots
    )


def _called(slot: Slot) -> str:
    return slot.name if slot.waiting else shown_name(slot.name, slot.spare)


def bracket_text(bracket: Bracket, page: int = 0) -> str:
    """One page for letters of equal width, no line longer than 40; a mark is beside the winners."""
    lines: list[str] = []
    for part in _page(bracket, page):
        for each in (*part.rounds, *_third(part)):
            matches = [match for match in each.matches if match.slots]
            if not matches:
                continue
            if lines:
                lines.append("")
            lines.append(in_columns(" · ".join(filter(None, (part.stage.title, each.title))), 40))
            wide = max(len(match.number) for match in matches)
            lines += [line for match in matches for line in _slot_lines(match, wide)]
    return "\n".join(line.rstrip() for line in lines)


def _slot_lines(match: Match, wide: int) -> Iterator[str]:
    """The sides of a match, its number before the first one, in ``wide`` columns."""
    number = f"{match.number:>{wide}} " if wide else ""
    for slot, start in zip(
        match.slots, ("┌", "└") if len(match.slots) == 2 else ("─",), strict=True
    ):
        seed = f"({slot.seed}) " if slot.seed else ""
        end = f" {slot.score}" + (" ◄" if slot.won else "  ")
        room = LETTERS - 2 - len(number) - columns(seed) - columns(end)
        yield f"{number}{start} {seed}{in_columns(_called(slot), room)}{end}"
        number = " " * len(number)


# ---- the division into pages


@lru_cache(maxsize=8)
def _pages(bracket: Bracket) -> tuple[tuple[_Part, ...], ...]:
    """The parts on each page: small stages share one."""
    pages: list[list[_Part]] = []
    for place, stage in enumerate(bracket.stages):
        for part in _parts(place, stage):
            high = sum(each.height + _APART for each in pages[-1]) if pages else 0
            together = pages and part.whole and all(each.whole for each in pages[-1])
            if together and TOP + high + part.height + FOOT <= _MOST_HIGH:
                pages[-1].append(part)
            else:
                pages.append([part])
    return tuple(map(tuple, pages)) or ((),)


def _parts(place: int, stage: Stage) -> Iterator[_Part]:
    """A stage in windows of four rounds, counted from its end, each in parts of eight matches."""
    count = len(stage.rounds)
    if not count:
        return
    for end in range(count % ROUNDS or ROUNDS, count + 1, ROUNDS):
        start = max(0, end - ROUNDS)
        first, last = (len(stage.rounds[number].matches) for number in (start, end - 1))
        parts = max(1, min(last, -(-first // MATCHES)))
        third = stage.third if end == count else None
        for part in range(parts):
            yield _Part(place, stage, start, end - start, part, parts, third)


def _page(bracket: Bracket, page: int) -> tuple[_Part, ...]:
    pages = _pages(bracket)
    if not 0 <= page < len(pages):
        raise ValueError(f"no page {page}; there are {len(pages)}")
    return pages[page]


# ---- places


class _Place(NamedTuple):
    """A match and the place of its box: left, right, and the middle of its height."""

    match: Match
    left: int
    right: int
    middle: int

    @property
    def half(self) -> int:
        """Half of its height."""
        return len(self.match.slots) * _SLOT // 2


def _column(part: _Part, column: int) -> tuple[int, int]:
    """Left and right of a round; a single one does not fill the page."""
    count = max(2, len(part.rounds))
    width = (WIDTH - 2 * MARGIN - (count - 1) * _ACROSS) // count
    left = MARGIN + column * (width + _ACROSS)
    return left, left + width


def _rounds_placed(part: _Part, top: int) -> Iterator[list[_Place]]:
    """The places of the matches of each round of a part whose first match begins at ``top``."""
    rows = max(1, *(len(each.matches) for each in part.rounds))
    for column, each in enumerate(part.rounds):
        left, right = _column(part, column)
        pitch = rows * _PITCH / max(1, len(each.matches))
        yield [
            _Place(match, left, right, round(top + (index + 0.5) * pitch + _LABEL * 0.4))
            for index, match in enumerate(each.matches)
        ]


def _tops(parts: tuple[_Part, ...]) -> Iterator[tuple[_Part, int]]:
    """Each part and the top of its first match."""
    top = TOP
    for part in parts:
        yield part, top + (_STAGE if part.stage.title else 0) + _HEADS
        top += part.height + _APART


def _places(parts: tuple[_Part, ...]) -> Iterator[_Place]:
    for part, top in _tops(parts):
        last: list[_Place] = []
        for last in _rounds_placed(part, top):
            yield from last
        if part.third is not None and last:
            final = last[-1]
            yield _Place(part.third, final.left, final.right, final.middle + round(1.35 * _PITCH))


def _panels(parts: tuple[_Part, ...], style: Style) -> Iterator[Panel]:
    """The empty boxes, and the lines from each to the next."""
    theme = theme_named(style.theme)
    for part, top in _tops(parts):
        for before, after in pairwise(_rounds_placed(part, top)):
            for index, place in enumerate(before):
                into = after[index * len(after) // len(before)]
                if place.match.slots and into.match.slots:
                    yield from (Panel(box, theme.bar_line) for box in _way(place, into))
    for place in _places(parts):
        if place.match.slots:
            box = (place.left, place.middle - place.half, place.right, place.middle + place.half)
            yield Panel(box, theme.bar)


def _way(start: _Place, end: _Place) -> Iterator[tuple[int, int, int, int]]:
    """The line from a match to the one its winner plays next, as rectangles."""
    turn, half = (start.right + end.left) // 2, _LINE // 2
    yield (start.right, start.middle - half, turn + half + 1, start.middle + half + 1)
    yield (turn - half, end.middle - half, end.left, end.middle + half + 1)
    high, low = sorted((start.middle, end.middle))
    if high != low:
        yield (turn - half, high - half, turn + half + 1, low + half + 1)


def _draw_match(paper: Paper, place: _Place) -> None:
    """The sides below the label; the word for a bye replaces it, and leaves a name its room."""
    theme, slots, label = paper.theme, place.match.slots, place.match.label
    if len(slots) == 1:
        label = slots[0].score or label
        slots = (replace(slots[0], score=""),)
    top = place.middle - place.half
    if slots and label:
        label_top = top - _LABEL - 9
        room = place.right - place.left - 8
        paper.write(label, _LABEL, place.left + 4, label_top, theme.muted, room=room)
    for row, slot in enumerate(slots):
        y = top + row * _SLOT
        if row:
            paper.box((place.left, y - 1, place.right, y + 1), theme.bar_line, 1)
        _draw_slot(paper, slot, (place.left, y, place.right, y + _SLOT), place.match.decides)


def _draw_slot(paper: Paper, slot: Slot, box: tuple[int, int, int, int], decides: bool) -> None:
    """One side: a winner is bold with a bar beside it, a loser is dim."""
    theme, (left, top, right, bottom) = paper.theme, box
    text_top = top + (_SLOT - _NAME * 3 // 2) // 2
    if slot.won:
        paper.box((left, top + 1, right, bottom - 1), theme.bar_active)
        paper.box((left, top + 1, left + 6, bottom - 1), theme.star if decides else theme.selected)
    x, end = left + 14, right - 10
    if slot.seed:
        lower = text_top + round((_NAME - _SEED) * 1.1)
        x += paper.write(f"({slot.seed})", _SEED, x, lower, theme.muted, room=64) + 6
    tone = theme.muted if slot.lost or slot.waiting else theme.text
    if slot.won and decides:
        star = emblem("star", 26)
        paper.shape(star, end - 13, (top + bottom) / 2, theme.star)
        end -= 32
    score = paper.write(
        slot.score, _NAME, end, text_top, tone, room=90, least=_SEED, bold=slot.won, from_right=True
    )
    room = end - x - (score + 10 if score else 0)
    name = slot.name if slot.waiting else paper.name(slot.name, slot.spare)
    size = SMALL if slot.waiting else _NAME
    lower = text_top + round((_NAME - size) * 1.1)
    paper.write(name, size, x, lower, tone, room=room, least=_SEED, bold=slot.won)

"""Colours: five themes, each with inks for every role that a game's colours may play.

Every channel of every colour is a multiple of four. Reducing a page to a palette looks at the top
six bits of a channel only, so colours on that grid stay exact.

The hues of the pieces were chosen for all kinds of colour vision: the pairs near Okabe and Ito's
set, the four (red, yellow, green, blue, as games call them) as far apart as those words allow, in
lightness, too. A mark on pieces, edges and player bars says the same without any hue.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from renderers.canvas import mix
from renderers.incremental.images import RGB


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """One set of pieces: its body, the ``ink`` of marks and labels on it, its ``rim``.

    ``mark`` is its shape: ``disc``, ``ring``, ``diamond``, ``triangle``, ``plus`` or ``none``.
    ``accent`` is the colour of the set's words and frames on a player bar. An ink equals nothing
    but itself, which makes look-ups quick.
    """

    body: RGB
    ink: RGB
    rim: RGB
    mark: str
    accent: RGB


def side_tone(ink: Ink) -> RGB:
    """A side in its owner's colour; near-black goes deeper, to differ from a dark page."""
    return mix(ink.body, (0, 0, 0), 0.55) if luminance(ink.body) < 0.05 else ink.body


def sign_tone(ink: Ink) -> RGB:
    """The owner's mark on such a side."""
    return mix(ink.body, ink.ink, 0.88)


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of a page. ``roles`` has the inks by :attr:`games.view.BoardView.palette`."""

    key: str
    card: RGB
    bar: RGB
    bar_active: RGB
    bar_line: RGB
    text: RGB
    muted: RGB
    cell: RGB
    cell_alt: RGB
    diamond: RGB
    grid: RGB
    frame: RGB
    origin: RGB
    last: RGB
    target: RGB
    selected: RGB
    capture: RGB
    refused: RGB
    win: RGB
    casing: RGB
    star: RGB
    bar_framed: bool
    roles: MappingProxyType[str, tuple[Ink, ...]]

    def inks(self, role: str, count: int) -> tuple[Ink, ...]:
        """Inks for ``count`` colours in a role; an unknown role gets plain hues."""
        found = self.roles[self.role_for(role, count)]
        return tuple(found[index % len(found)] for index in range(count))

    def role_for(self, role: str, count: int) -> str:
        """The role itself if it is known and has enough inks, else one of plain hues."""
        if len(self.roles.get(role, ())) >= min(count, 4):
            return role
        return "pair" if count <= 2 else "four"

    def flat_colours(self, role: str) -> tuple[RGB, ...]:
        """Every colour that a page in this role uses unmixed, each once."""
        colours: list[RGB] = [
            value
            for name in self.__dataclass_fields__
            if name not in ("key", "bar_framed", "roles")
            for value in (getattr(self, name),)
        ]
        for ink in self.roles[role]:
            colours += [ink.body, ink.ink, ink.rim, ink.accent]
        return tuple(dict.fromkeys(colours))


def luminance(colour: RGB) -> float:
    """Relative luminance from 0 to 1 (WCAG 2.2)."""

    def linear(channel: int) -> float:
        value = channel / 255
        return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(channel) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: RGB, b: RGB) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _on_grid(colour: RGB) -> RGB:
    red, green, blue = (min(252, round(channel / 4) * 4) for channel in colour)
    return red, green, blue


def _legible(colour: RGB, ground: RGB, ratio: float) -> RGB:
    """The colour, moved towards white or black until it is legible on ``ground``."""
    goal: RGB = (252, 252, 252) if luminance(ground) < 0.18 else (0, 0, 0)
    share = 0.0
    while contrast(found := _on_grid(mix(colour, goal, share)), ground) < ratio and share < 1:
        share += 0.04
    return found


def _lively(colour: RGB) -> RGB:
    """Slate for near-black, which has no recognisable hue on a bar; else the colour itself."""
    return (96, 108, 132) if luminance(colour) < 0.06 else colour


_WHITE: RGB = (252, 252, 252)
_NIGHT: RGB = (28, 32, 40)
_BLUE: RGB = (0, 116, 176)
_ORANGE: RGB = (232, 160, 0)
_BLACK: RGB = (40, 40, 48)
_VERMILLION: RGB = (220, 80, 8)
_IVORY: RGB = (248, 248, 240)
_RUST: RGB = (200, 64, 8)
_YELLOW: RGB = (244, 228, 40)
_PINE: RGB = (0, 76, 68)
_SKY: RGB = (56, 172, 252)

_ROLES: dict[str, tuple[tuple[RGB, str], ...]] = {
    "stones": ((_BLACK, "disc"), (_VERMILLION, "ring")),
    "pair": ((_BLUE, "disc"), (_ORANGE, "diamond")),
    "chess": ((_IVORY, "ring"), (_BLACK, "disc")),
    "four": (
        (_RUST, "triangle"),
        (_YELLOW, "diamond"),
        (_PINE, "plus"),
        (_SKY, "disc"),
    ),
}


def _roles(
    ground: RGB, ratio: float, own: dict[RGB, RGB]
) -> MappingProxyType[str, tuple[Ink, ...]]:
    """The inks on player bars of colour ``ground``; ``own`` replaces bodies."""

    def ink(body: RGB, mark: str) -> Ink:
        body = own.get(body, body)
        sign = _WHITE if contrast(_WHITE, body) >= 3 else _NIGHT
        return Ink(
            body=body,
            ink=sign,
            rim=_on_grid(mix(body, (0, 0, 0), 0.8 if luminance(body) > 0.8 else 0.62)),
            mark=mark,
            accent=_legible(_lively(body), ground, ratio),
        )

    return MappingProxyType(
        {role: tuple(ink(body, mark) for body, mark in inks) for role, inks in _ROLES.items()}
    )


_DARK = Theme(
    key="dark",
    card=(36, 40, 52),
    bar=(28, 32, 40),
    bar_active=(48, 56, 72),
    bar_line=(80, 88, 104),
    text=(244, 244, 248),
    muted=(184, 192, 208),
    cell=(240, 232, 212),
    cell_alt=(224, 212, 184),
    diamond=(216, 200, 164),
    grid=(172, 152, 112),
    frame=(144, 128, 96),
    origin=(208, 216, 144),
    last=(184, 204, 88),
    target=(60, 136, 92),
    selected=(32, 120, 72),
    capture=(196, 60, 12),
    refused=(200, 16, 48),
    win=(252, 208, 64),
    casing=(28, 32, 40),
    star=(252, 208, 64),
    bar_framed=False,
    roles=_roles((48, 56, 72), 4.6, {}),
)

_LIGHT = Theme(
    key="light",
    card=(236, 240, 244),
    bar=(224, 228, 236),
    bar_active=(252, 252, 252),
    bar_line=(156, 164, 180),
    text=(24, 28, 36),
    muted=(76, 84, 100),
    cell=(248, 240, 224),
    cell_alt=(232, 220, 196),
    diamond=(224, 208, 172),
    grid=(172, 152, 112),
    frame=(152, 132, 96),
    origin=(216, 224, 152),
    last=(184, 208, 88),
    target=(60, 136, 92),
    selected=(32, 120, 72),
    capture=(196, 60, 12),
    refused=(200, 16, 48),
    win=(252, 208, 64),
    casing=(28, 32, 40),
    star=(168, 120, 0),
    bar_framed=False,
    roles=_roles((224, 228, 236), 4.6, {}),
)

_CONTRAST = Theme(
    key="contrast",
    card=(0, 0, 0),
    bar=(0, 0, 0),
    bar_active=(40, 40, 48),
    bar_line=(200, 200, 200),
    text=(252, 252, 252),
    muted=(228, 228, 228),
    cell=(252, 252, 252),
    cell_alt=(228, 228, 228),
    diamond=(204, 204, 204),
    grid=(88, 88, 88),
    frame=(120, 120, 120),
    origin=(200, 240, 252),
    last=(96, 212, 252),
    target=(0, 100, 48),
    selected=(0, 100, 48),
    capture=(176, 0, 32),
    refused=(188, 0, 40),
    win=(252, 220, 0),
    casing=(0, 0, 0),
    star=(252, 220, 0),
    bar_framed=True,
    roles=_roles((40, 40, 48), 7.1, {_BLACK: (0, 0, 0), _IVORY: _WHITE}),
)

_WOOD = Theme(
    key="wood",
    card=(56, 40, 28),
    bar=(40, 28, 20),
    bar_active=(80, 56, 36),
    bar_line=(140, 108, 72),
    text=(252, 248, 240),
    muted=(224, 204, 176),
    cell=(236, 204, 152),
    cell_alt=(216, 172, 116),
    diamond=(192, 144, 88),
    grid=(140, 96, 52),
    frame=(116, 76, 40),
    origin=(220, 216, 132),
    last=(192, 212, 84),
    target=(24, 100, 60),
    selected=(16, 92, 52),
    capture=(164, 24, 8),
    refused=(172, 8, 48),
    win=(252, 216, 44),
    casing=(32, 24, 16),
    star=(252, 212, 72),
    bar_framed=False,
    roles=_roles((80, 56, 36), 4.6, {_ORANGE: (244, 172, 12)}),
)

_SEA = Theme(
    key="sea",
    card=(16, 48, 64),
    bar=(8, 36, 48),
    bar_active=(28, 72, 92),
    bar_line=(88, 136, 156),
    text=(244, 252, 252),
    muted=(188, 212, 220),
    cell=(228, 240, 240),
    cell_alt=(196, 220, 224),
    diamond=(168, 200, 208),
    grid=(116, 156, 168),
    frame=(84, 128, 144),
    origin=(212, 228, 160),
    last=(192, 216, 92),
    target=(32, 120, 80),
    selected=(24, 108, 72),
    capture=(196, 56, 12),
    refused=(196, 16, 56),
    win=(252, 212, 76),
    casing=(16, 32, 40),
    star=(252, 212, 76),
    bar_framed=False,
    roles=_roles((28, 72, 92), 4.6, {}),
)

THEMES: MappingProxyType[str, Theme] = MappingProxyType(
    {theme.key: theme for theme in (_DARK, _LIGHT, _CONTRAST, _WOOD, _SEA)}
)
"""Every theme by its key, the default first."""


def theme_named(key: str) -> Theme:
    """The theme of that key; :exc:`ValueError` names the known themes."""
    found = THEMES.get(key)
    if found is None:
        raise ValueError(f"no theme {key[:40]!r}; there are {', '.join(THEMES)}")
    return found

"""Open offers on pages: the message of a lobby, and the private page with all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.domain.ids import MatchId, UserId
from bot.i18n import Language
from bot.services.lobby import OpenOffer
from bot.services.ratings import PlayerRating
from bot.ui.pages import clock_text, match_text
from bot.ui.pages.components import (
    PRIMARY,
    SUCCESS,
    Button,
    Control,
    Page,
    Part,
    Reply,
    button,
    container,
    rows,
    section,
    text,
)
from games import catalog

ON_PAGE = 8
"""How many offers stand on a page: each takes three of the forty components of a message."""
_LONGEST = 420
_COLOUR = 0x3F8F63


def _free(offer: OpenOffer) -> int:
    seats = zip(offer.match.players, offer.match.invited, strict=True)
    return sum(player is None and guest is None for player, guest in seats)


def _described(offer: OpenOffer, language: Language, own: PlayerRating | None = None) -> str:
    """All that a stranger needs to know of an offer, in three lines.

    ``own`` is the rating of a reader who cannot take the offer.
    """
    match = offer.match
    kind = catalog.GAMES.get(match.game)
    host = match_text.mention(match.players[match.offered_by], language)
    rating = _rating(offer.points, is_provisional=offer.is_provisional)
    terms = [] if kind is None else [match_text.terms(match, kind.info, language)]
    if match.clock is None:
        terms.append(clock_text.clock_words(None, language))
    else:
        said = clock_text.clock_words(match.clock, language)
        terms.append(language.say("Clock: {clock}", clock=said))
    left = match_text.matches_left(match, language)
    about = [left] if left else []
    if match.band is not None and own is not None:
        mine = _rating(own.points, is_provisional=own.is_provisional)
        about.append(
            language.say(
                "Rating range: {band}; yours is {rating}", band=str(match.band), rating=mine
            )
        )
    elif match.band is not None:
        about.append(language.say("Rating range: {band}", band=str(match.band)))
    if len(match.players) > 2:
        about.append(
            language.plural(
                "{free} of {seats} seat free",
                "{free} of {seats} seats free",
                by="seats",
                free=_free(offer),
                seats=len(match.players),
            )
        )
    if match.expires_at is not None:
        about.append(
            language.say("This offer expires {time}.", time=clock_text.timestamp(match.expires_at))
        )
    lines = (
        f"**{match_text.game_name(match)}** · {host} ({rating})",
        f"-# {match_text.cut(' · '.join(terms), 200)}",
        f"-# {' · '.join(about)}",
    )
    return match_text.cut("\n".join(lines), _LONGEST)


def _rating(points: int, *, is_provisional: bool) -> str:
    return f"{points}{'?' if is_provisional else ''}"


# Controls of offers have no version, so a click still counts when another player has just sat down.


def _section(offer: OpenOffer, language: Language) -> Part:
    """An offer with the button to take a seat in it."""
    shown = button(Control("accept", offer.match.id), language.say("Accept"), SUCCESS)
    return section(_described(offer, language), shown)


def _own_section(offer: OpenOffer, number: int, user_id: UserId, language: Language) -> Part:
    """The same on the page of that number, which is shown anew then; one's own seat can be left."""
    match = offer.match
    shown = button(Control("seat", match.id, arg=str(number)), language.say("Accept"), SUCCESS)
    if match.index_of(user_id) is not None:
        leave = Control("unseat", match.id, arg=str(number))
        shown = button(leave, language.say("Withdraw"))
    return section(_described(offer, language), shown)


def _begin(language: Language) -> Button:
    return button(Control("setup"), language.say("Offer a match"), PRIMARY)


def seek_button(language: Language, *, on: bool = True) -> Button:
    """The button by which players take the role that new offers ping, or (not ``on``) leave it."""
    if on:
        return button(Control("seek", arg="on"), language.say("Tell me of new offers"))
    return button(Control("seek", arg="off"), language.say("Stop telling me"))


def lobby_page(
    open_offers: Sequence[OpenOffer], more: int, language: Language, *, has_role: bool = False
) -> Page:
    """The message of a lobby: the newest offers, how many ``more`` there are, how to begin one.

    ``has_role``: the server has a role that new offers ping.
    """
    title = language.say("Open offers in this server")
    items: list[Part] = [
        text(f"### {title}"),
        *(_section(offer, language) for offer in open_offers),
    ]
    if more:
        said = language.say("And {count} more: press All offers.", count=more)
        items.append(text(f"-# {said}"))
    if not open_offers:
        none = language.say("No open offers right now. Make the first one!")
        items.append(text(none))
    every = button(Control("lobby"), language.say("All offers"))
    asking = [seek_button(language)] if has_role else []
    items += rows([_begin(language), every, *asking])
    return Page(container(*items, colour=_COLOUR))


def offers_page(
    open_offers: Sequence[OpenOffer],
    number: int,
    pages: int,
    user_id: UserId,
    language: Language,
    *,
    closed: Mapping[MatchId, PlayerRating] = MappingProxyType({}),
    refused: MatchId | None = None,
    lead: str = "",
    is_told: bool | None = None,
) -> Reply:
    """The private page of open offers, of ``pages`` the one of that ``number``, from 0.

    ``lead`` says what has just been done. No button is beside offers that are ``closed`` to who
    reads this, with the rating for which they are, nor beside one in which a seat was just
    ``refused``. ``is_told`` says whether they have the role that new offers ping, None where there
    is none.
    """
    asking = [] if is_told is None else [seek_button(language, on=not is_told)]
    title = language.say("Open offers in this server")
    said = f"### {title}"
    if lead:
        said += f"\n**{lead}**"
    if not open_offers:
        none = language.say("No open offers right now. Make the first one!")
        return Reply(
            lead or none,
            Page(text(f"{said}\n{none}"), *rows([_begin(language), *asking])),
        )
    items: list[Part] = [
        text(said),
        *(
            text(_described(offer, language, closed.get(offer.match.id)))
            if offer.match.id == refused or offer.match.id in closed
            else _own_section(offer, number, user_id, language)
            for offer in open_offers
        ),
    ]
    shown = [_begin(language)]
    if pages > 1:
        place = language.say("Page {number} of {count}", number=number + 1, count=pages)
        items.append(text(f"-# {place}"))
        back = Control("lobby", version=1, arg=str((number - 1) % pages))
        onward = Control("lobby", version=2, arg=str((number + 1) % pages))
        shown += [
            button(back, language.say("Back")),
            button(onward, language.say("Next")),
        ]
    return Reply(lead or title, Page(*items, *rows([*shown, *asking])))


def is_lobby(component: object) -> bool:
    """Whether a component of a message is, or holds, the button that every lobby has."""
    if isinstance(component, list):
        return any(is_lobby(each) for each in component)
    if not isinstance(component, dict):
        return False
    control = Control.read(component.get("custom_id"))
    if control is not None and control.action == "lobby":
        return True
    return is_lobby(component.get("components"))

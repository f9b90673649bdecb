"""The message of an offer: who wants to play what with whom, and the buttons to answer it."""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.i18n import Language
from bot.ui.pages import clock_text, match_text
from bot.ui.pages.components import (
    DANGER,
    SECONDARY,
    SUCCESS,
    Button,
    Part,
    button,
    container,
    rows,
    text,
)
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.reply import Page
from games import catalog

_OPEN = 0x3F8F63
_CLOSED = 0x8A8F98


def guests(match: Match) -> tuple[UserId, ...]:
    """The people an offer names and waits for."""
    return tuple(
        guest
        for guest, player in zip(match.invited, match.players, strict=True)
        if guest is not None and player is None
    )


def _chairs(match: Match, language: Language) -> list[str]:
    lines, free = [], 0
    for player, guest in zip(match.players, match.invited, strict=True):
        if player is not None:
            lines.append(
                language.say("{player} has a seat", player=match_text.mention(player, language))
            )
        elif guest is not None:
            lines.append(
                language.say(
                    "seat reserved for {player}", player=match_text.mention(guest, language)
                )
            )
        else:
            free += 1
    if free:
        lines.append(language.plural("{n} seat free", "{n} seats free", n=free))
    return lines


def _request(match: Match, language: Language) -> str:
    """The offer in one sentence."""
    host = match_text.mention(match.players[match.offered_by], language)
    invited = tuple(guest for guest in match.invited if guest is not None)
    game = match_text.game_name(match)
    if invited:
        return language.say(
            "{host} would like to play {game} with {guests}.",
            host=host,
            game=game,
            guests=match_text.mentions(invited, language),
        )
    return language.say("{host} would like to play {game}. Who joins?", host=host, game=game)


def _state(match: Match, language: Language) -> str:
    if match.status is MatchStatus.OFFERED and match.expires_at is not None:
        return language.say(
            "This offer expires {time}.", time=f"<t:{int(match.expires_at.timestamp())}:R>"
        )
    if match.status is MatchStatus.DECLINED:
        return language.say("This offer was declined.")
    if match.status is MatchStatus.WITHDRAWN:
        return language.say("This offer was withdrawn.")
    if match.status is MatchStatus.EXPIRED:
        return language.say("This offer has expired.")
    return language.say("The match has started.")


def offer_page(match: Match, language: Language) -> Page:
    """The message, with its buttons while the offer is open."""
    kind = catalog.GAMES.get(match.game)
    items: list[Part] = [text(f"### {match_text.game_name(match)}\n{_request(match, language)}")]
    about = []
    if kind is not None:
        about.append(language(kind.info.summary))
        said = match_text.terms(match, kind.info, language)
        about += [f"-# {said}"] if said else []
    if match.clock is not None:
        clock = language.say("Clock: {clock}", clock=clock_text.clock_words(match.clock, language))
        about.append(f"-# {clock}")
    if match.band is not None:
        about.append("-# " + language.say("Rating range: {band}", band=str(match.band)))
    if about:
        items.append(text("\n".join(about)))
    if len(match.players) > 2 and match.status is MatchStatus.OFFERED:
        items.append(text("\n".join(_chairs(match, language))))
    items.append(text(f"**{_state(match, language)}**"))
    is_open = match.status is MatchStatus.OFFERED
    if is_open:
        items.extend(rows(_buttons(match, language)))
    return Page(container(*items, colour=_OPEN if is_open else _CLOSED))


def _buttons(match: Match, language: Language) -> list[Button]:
    def control(action: str) -> Control:
        # Without a version: whoever clicks while somebody else sits down still hits a button.
        return Control(action, match.id)

    shown = [button(control("accept"), language.say("Accept"), SUCCESS)]
    if guests(match):
        shown.append(button(control("decline"), language.say("Decline"), DANGER))
    shown.append(button(control("withdraw"), language.say("Withdraw"), SECONDARY))
    if sum(player is not None for player in match.players) == 1:
        label = language.say("Play the computer instead")
        shown.append(button(control("cinstead"), label, SECONDARY))
    shown.append(button(Control("rules", arg=match.game), language.say("Rules"), SECONDARY))
    return shown

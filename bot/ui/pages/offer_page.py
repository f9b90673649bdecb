"""The message of an offer, with the buttons to answer it.

Once the match has started it is the card of the match in the channel, and shows the result.
"""

from __future__ import annotations

from random import Random

from bot.domain.game_state import board_view, game_of
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.store.records import RatingChange
from bot.ui.pages import clock_text, match_text
from bot.ui.pages import components as ui
from bot.ui.pages.board_page import buttons_of, rematch
from bot.ui.pages.components import Control, Page
from bot.ui.pages.reader import Reader
from games import catalog

_OPEN = 0x3F8F63
_CLOSED = 0x8A8F98
_SEED = 1


def may_be_followed(match: Match) -> bool:
    """Whether this is a running match of a server."""
    return match.status is MatchStatus.RUNNING and match.venue is not Venue.DIRECT


def follow_button(match: Match, language: Language) -> ui.Button:
    """**Follow**, for people who do not play in a match."""
    return ui.button(Control("follow", match.id), language.say("Follow"))


def guests(match: Match) -> tuple[UserId, ...]:
    """The players that an offer names and waits for."""
    return tuple(
        guest
        for guest, player in zip(match.invited, match.players, strict=True)
        if guest is not None and player is None
    )


def _chairs(match: Match, language: Language) -> list[str]:
    lines, free = Sentences(language), 0
    for player, guest in zip(match.players, match.invited, strict=True):
        if player is not None:
            lines.say("{player} has a seat", player=match_text.mention(player, language))
        elif guest is not None:
            lines.say("seat reserved for {player}", player=match_text.mention(guest, language))
        else:
            free += 1
    if free:
        lines.plural("{n} seat free", "{n} seats free", n=free)
    return lines


def _request(match: Match, language: Language) -> str:
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


def _sides(match: Match, language: Language) -> str:
    """The players by sides: ``Black <@1> · Red: anyone``."""
    game = game_of(match.game, match.options)
    position = game.initial(Random(_SEED))  # noqa: S311 - who sits where is the same for all
    shown = []
    for seat, player in zip(game.seats, game.seating(position), strict=True):
        person = match.players[player] or match.invited[player]
        who = language.say("anyone") if person is None else match_text.mention(person, language)
        side = language(seat.name)
        shown.append(language.pair(side, who))
    return " · ".join(shown)


def _state(match: Match, language: Language) -> str:
    if match.status is MatchStatus.OFFERED and match.expires_at is not None:
        return language.say(
            "This offer expires {time}.", time=clock_text.timestamp(match.expires_at)
        )
    if match.status is MatchStatus.DECLINED:
        return language.say("This offer was declined.")
    if match.status is MatchStatus.WITHDRAWN:
        return language.say("This offer was withdrawn.")
    if match.status is MatchStatus.EXPIRED:
        return language.say("This offer has expired.")
    if match.status.is_final:
        return match_text.turn(match, language)
    is_beside_board = match.venue is not Venue.THREAD or match.home_id == match.origin.channel_id
    if is_beside_board or match.game not in catalog.GAMES:
        return language.say("The match has started.")
    turn = match_text.turn(match, language)
    # The thread is made after this message is edited for the first time.
    return turn if match.home_id is None else f"{turn} · {match_text.place(match)}"


def offer_page(
    match: Match,
    language: Language,
    *,
    viewer: UserId | None = None,
    gains: tuple[RatingChange, ...] = (),
    board: ui.Picture | None = None,
) -> Page:
    """The message of an offer, with its buttons while it is open; then the card of its match.

    In direct messages it is for one ``viewer``. While it is open it shows the ``board`` that the
    match begins with, and after the end the last one, with rating changes (``gains``) and buttons
    for replay, rematch and review, unless the board below it has them.
    """
    is_over = match.status in (MatchStatus.FINISHED, MatchStatus.ABORTED)
    info = match_text.info_of(match.game)
    players = " – ".join(match_text.mention(each, language) for each in match.players)
    request = players if match.state else _request(match, language)
    items: list[ui.Part] = [ui.text(f"### {match_text.game_name(match)}\n{request}")]
    about = Sentences(language)
    if match.is_rematch and not match.state:
        if len(match.players) == 2:
            about.say("A rematch, with sides exchanged.")
        else:
            about.say("A rematch: everyone plays the next side.")
    if match.continues is not None and not match.state:
        about.say(
            "A player has left a match, and it goes on here from its present position: everyone"
            " keeps their seat, and the open one is for a substitute. The match before ends"
            " without a result."
        )
    if info is not None and not match.state:
        about.append(language(info.summary))
    said = match_text.terms(match, language)
    about += [f"-# {said}"] if said else []
    if match.clock is not None and not is_over:
        clock = language.say("Clock: {clock}", clock=clock_text.clock_words(match.clock, language))
        about.append(f"-# {clock}")
    if match.band is not None and not match.state:
        about.append("-# " + language.say("Rating range: {band}", band=str(match.band)))
    left = match_text.matches_left(match, language)
    if left:
        about.append(f"-# {left}")
    made = Sentences(language)
    if match.state and match.ply:
        made.plural("{count} move", "{count} moves", by="count", count=match.ply)
    if is_over:
        made.append(match_text.place(match))
    if made:
        about.append("-# " + " · ".join(made))
    if about:
        items.append(ui.text("\n".join(about)))
    is_open = match.status is MatchStatus.OFFERED
    if (is_open or is_over) and board is not None:
        items.append(ui.gallery(board))
    if is_open and info is not None:
        items.append(ui.text(_sides(match, language)))
    if len(match.players) > 2 and is_open:
        items.append(ui.text("\n".join(_chairs(match, language))))
    items.append(ui.text(f"**{_state(match, language)}**"))
    if gains:
        items.append(ui.text(match_text.gains(gains, language)))
    if is_open:
        items.extend(ui.rows(_buttons(match, language, viewer)))
    elif is_over and match.venue is Venue.THREAD:
        items.extend(ui.rows(_after(match, language)))
    elif not is_over and may_be_followed(match):
        items.extend(ui.rows([follow_button(match, language)]))
    return Page(ui.container(*items, colour=_OPEN if is_open else _CLOSED))


def _buttons(match: Match, language: Language, viewer: UserId | None) -> list[ui.Button]:
    def control(action: str) -> Control:
        # Without a version, so a click still counts when another player has just sat down.
        return Control(action, match.id)

    is_mine = viewer is not None and match.index_of(viewer) is not None
    shown = []
    if not is_mine:
        shown.append(ui.button(control("accept"), language.say("Accept"), ui.SUCCESS))
        if guests(match):
            shown.append(ui.button(control("decline"), language.say("Decline"), ui.DANGER))
    shown.append(ui.button(Control("rules", arg=match.game), language.say("Rules"), ui.SECONDARY))
    shown.append(ui.button(Control("learnit", arg=match.game), language.say("Learn"), ui.SECONDARY))
    # Buttons that only the maker of the offer needs come last.
    if viewer is None or is_mine:
        shown.append(ui.button(control("withdraw"), language.say("Withdraw"), ui.SECONDARY))
        if sum(player is not None for player in match.players) == 1:
            label = language.say("Play the computer")
            shown.append(ui.button(control("cinstead"), label, ui.SECONDARY))
    return shown


def _after(match: Match, language: Language) -> list[ui.Button]:
    looking = ["replay", "history"] if match.ply else []
    review = ["reviewit"] if match.ply and match.status is MatchStatus.FINISHED else []
    return buttons_of(match, language, *looking, *rematch(match), *review)


async def card_board(match: Match, reader: Reader) -> ui.Picture | None:
    """The picture on an offer: its first board, and after the end of the match the last.

    A running match has its board elsewhere; one played in the channel keeps it there.
    """
    if match.status is MatchStatus.OFFERED:
        if match.game not in catalog.GAMES or match.continues is not None:
            return None
        return await reader.first_board(match.game, match.options)
    if not match.ply or match.status not in (MatchStatus.FINISHED, MatchStatus.ABORTED):
        return None
    if match.venue is not Venue.THREAD:
        return None  # it is under this message
    try:
        view = board_view(match)
    except UserError:  # its rules are gone
        return None
    return await reader.picture(match, view, name="result")

"""``/server end-match``: a way out of a stuck match, with a result or without one.

The page itself holds the choices, as the selected lines of its menus. **End match** opens a form
for the reason, which ends the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from discord import app_commands

from bot.domain.game_state import board_view
from bot.domain.ids import GuildId, is_match_id
from bot.domain.managed import check_endable
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n import Language
from bot.servers.log import arranger
from bot.store import transactions
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match, match_here, one_named, suggest_among
from bot.ui.interaction.registry import Click, on_menu, on_text
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages import components as ui
from bot.ui.pages import match_list, match_text
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import clean
from bot.ui.settings.panel import Line, Menu, Panel, Setting
from bot.ui.settings.server_panel import SERVER
from games.view import Text

_DRAW = "draw"
_PLACES = "places"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The chosen end of a match.

    ``how`` is None, ``draw``, ``places`` or the player index of the winner; ``places`` are those
    chosen so far, by player index. ``counts``: the result may change ratings. ``names`` are those
    of the players, without markup. Without ``may_count`` the deciding person plays in the match,
    and no result counts for ratings.
    """

    match: Match
    names: tuple[str, ...] = ()
    may_count: bool = True
    how: str | int | None = None
    places: tuple[tuple[int, int], ...] = ()
    counts: bool = True

    def ranking(self) -> tuple[int, ...] | None:
        """The place of each player index from 1, None for no result. Raises ``places_wrong``.

        A player who has left is behind all others.
        """
        match, count = self.match, len(self.match.players)
        if self.how is None:
            return None
        if self.how == _DRAW:
            return tuple(count + 1 if index in match.retired else 1 for index in range(count))
        if self.how != _PLACES:
            return tuple(1 if index == self.how else 2 for index in range(count))
        given = dict(self.places)
        still = [index for index in range(count) if index not in match.retired]
        if not all(index in given for index in still):
            raise UserError("places_wrong")
        return tuple(given[index] if index in still else count + 1 for index in range(count))


def _menus(it: Verdict) -> Iterator[Setting[Verdict]]:
    results: list[Line]
    if len(it.names) > 2:
        results = [(_PLACES, Text.of("A place for each player"))]
    else:
        results = [(i, Text.of("{player} wins", player=name)) for i, name in enumerate(it.names)]
    yield _Menu(
        "how",
        Text.of("Result"),
        [
            (None, Text.of("No result (match aborted)")),
            (_DRAW, Text.of("A draw")),
            *results,
        ],
    )
    if it.how == _PLACES:
        indexes = range(len(it.names))
        yield from (_place(it, index) for index in indexes if index not in it.match.retired)
    if it.match.rated and it.may_count and it.how is not None:
        note = Text.of("If each player has made two moves")
        yield _Menu(
            "counts",
            Text.of("Ratings"),
            [
                (True, Text.of("Ratings: the result counts"), note),
                (False, Text.of("Ratings: nothing changes")),
            ],
        )


def _place(it: Verdict, index: int) -> Menu[Verdict]:
    name, others = it.names[index], {key: place for key, place in it.places if key != index}
    return Menu(
        f"place/{index}",
        Text.of("{player}: which place?", player=name),
        [
            (place, Text.of("{player}: place {place}", player=name, place=place))
            for place in range(1, len(it.names) + 1)
        ],
        get=lambda it: dict(it.places).get(index),
        put=lambda it, place: replace(it, places=(*others.items(), (index, place))),
    )


_Menu = Menu[Verdict]
_PANEL = Panel("endpick", _menus)


def end_match_page(
    verdict: Verdict, picture: ui.Picture | None, language: Language, *, lead: str = ""
) -> Reply:
    """The page; ``lead`` says what went wrong."""
    match = verdict.match
    title = language.say(
        "End {match}", match=f"{match_text.game_name(match)} · {' – '.join(verdict.names)}"
    )
    told = language.say(
        "All players are told how it ended and why. Nothing ends before you've given a reason."
    )
    top = ui.text(ui.heading(title, match_text.turn(match, language), told, lead=lead))
    end = ui.button(Control("endwhy", match.id), language.say("End match"), ui.DANGER)
    menus = _PANEL.parts(verdict, language)
    return Reply(lead or title, Page(top, *ui.pictured(picture), *menus, *ui.rows([end])))


_LOOKED_AT = 4 * ui.CHOICES


async def _running(context: InteractionContext) -> tuple[Match, ...]:
    """The running matches of the server, for those who may end them."""
    guild_id = await arranger(context)
    running = transactions.running_in_server
    return await context.services.store.read(running, guild_id, _LOOKED_AT)


@command(
    "end-match",
    Text.of("End or decide a stuck match; its players are told why"),
    group=SERVER,
    fields={"match": Text.of("Which match? Players or game (default: the one here)")},
    suggest={"match": suggest_among(_running)},
)
async def end_match(
    context: InteractionContext, match: app_commands.Range[str, 0, LONGEST] = ""
) -> Reply:
    """``/server end-match``: the page."""
    guild_id = await arranger(context)
    if match.strip():
        found = await _named(context, guild_id, match.strip())
    else:
        here = await match_here(context)
        if here is None:
            raise UserError("match_wanted")
        found = here
    check_endable(found)
    return await _page(context, await _begun(context, found))


@on_menu(_PANEL.action)
async def choose_ending(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page."""
    return await _page(context, _PANEL.changed(await _shown(context), click))


@on_text(
    "endwhy",
    "ended",
    Text.of("End match"),
    Text.of("Why?"),
    LONGEST,
    hint=Text.of("The players will read it, and it stays in the server's log"),
)
async def ended(context: InteractionContext, click: Click) -> Reply:
    """The reason: end the match by the choices of the page."""
    verdict, why = await _shown(context), clean(click.text, longest=LONGEST)
    match, service, language = verdict.match, context.services.matches, context.language
    try:
        places = verdict.ranking()
    except UserError as error:
        return await _page(context, verdict, lead=context.why(error))
    if places is None:
        answer = await service.end(context.actor, match.id, why)
    else:
        answer = await service.decide(
            context.actor, match.id, places, why, counts=verdict.counts or not match.rated
        )
    label = await match_list.with_players(answer.match, context.reader)
    if places is None:
        return Reply(
            language.say(
                "You ended {match} without a result. Its players read your reason.", match=label
            )
        )
    said = language.say("You decided {match}. Its players read your reason.", match=label)
    said = f"{said} {match_text.winners(answer.match, language)}"
    if len(answer.match.players) > 2:
        said = f"{said} {match_text.places(answer.match, language)}"
    return Reply(said)


async def _page(context: InteractionContext, verdict: Verdict, *, lead: str = "") -> Reply:
    match, language = verdict.match, context.language
    try:
        picture = await context.reader.picture(match, board_view(match))
    except UserError:  # its rules are not known any more
        picture = None
    return end_match_page(verdict, picture, language, lead=lead)


async def _begun(context: InteractionContext, match: Match) -> Verdict:
    names = tuple(await match_list.player_names(match.players, context.reader))
    return Verdict(match, names, may_count=match.index_of(context.user_id) is None)


async def _shown(context: InteractionContext) -> Verdict:
    """The verdict of the page with the pressed control."""
    parts = context.parts()
    of = next((x.match for x in ui.controls_in(parts) if x.action == "endwhy"), ui.NO_MATCH)
    match = await _of_server(context, of)
    return _PANEL.shown(await _begun(context, match), parts)


async def _of_server(context: InteractionContext, match_id: str) -> Match:
    guild_id = await arranger(context)
    found = await find_match(context, match_id)
    if found.origin.guild_id != guild_id:
        raise UserError("no_such_match")
    check_endable(found)
    return found


async def _named(context: InteractionContext, guild_id: GuildId, typed: str) -> Match:
    """The running match of this server named by a text, by its id or its players."""
    if is_match_id(typed.lower()):
        found = await find_match(context, typed.lower())
        if found.origin.guild_id == guild_id:
            return found
    return await one_named(context, await _running(context), typed)

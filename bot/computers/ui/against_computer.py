"""Playing the computer: from ``/play``, the end of a lesson, or one's own offer.

The page itself holds the choices made so far, as the selected lines of its menus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bot.computers.domain.turns import awaited
from bot.computers.services import ComputerService
from bot.domain import offer_answers
from bot.domain.computers import OfferedLevel, computer, levels_for
from bot.domain.game_state import game_of
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match
from bot.ui.interaction.registry import PRIVATE, Click, after_move, on_button, on_menu
from bot.ui.interaction.results import tell_done
from bot.ui.offers.draft import page_id
from bot.ui.offers.offer_handlers import venue_for
from bot.ui.offers.offer_terms import MY_STRENGTH, level_words, my_strength
from bot.ui.offers.option_text import game_named
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.match_text import info_of
from bot.ui.settings.game_menus import game_menu, preset_lines, preset_of
from bot.ui.settings.panel import Line, Menu, Panel, Setting
from games import catalog
from games.api import GameInfo, OptionValue
from games.view import Text

_FEW = 2
"""A shorter queue is not worth mentioning."""


@dataclass(frozen=True, slots=True)
class ComputerDraft:
    """The choices on the page: a game, one of its presets, a level, how many computers.

    ``offer`` is the open offer that the match replaces. ``computers`` is 0 for as many as there are
    other seats. ``leads_back``: the page replaces that of ``/play``, and a button leads back.
    ``suggested`` is the level that suits the player. ``are_named``: all seats must be taken at
    once, as in direct messages.
    """

    game: str | None = None
    preset: str | None = None
    level: str = MY_STRENGTH
    computers: int = 0
    offer: str = ""
    leads_back: bool = False
    suggested: int | None = None
    are_named: bool = False

    @property
    def info(self) -> GameInfo | None:
        """The chosen game."""
        return info_of(self.game)

    def options(self) -> dict[str, OptionValue]:
        """The options of the preset, or the game's own."""
        info = self.info
        if info is None:
            return {}
        chosen = (each.options for each in info.presets if each.key == self.preset)
        return dict(info.resolve(next(chosen, {})))


_Menu = Menu[ComputerDraft]


def _menus(it: ComputerDraft) -> Iterator[Setting[ComputerDraft]]:
    info = it.info
    if not it.offer:
        yield game_menu(
            Text.of("Game"),
            catalog.GAMES,
            lambda it, key: ComputerDraft(key, leads_back=it.leads_back),
        )
    if info is None:
        return
    if info.presets and not it.offer:
        standard = preset_of(info, info.resolve({}))
        lines = preset_lines(info)
        if standard is None:
            lines.insert(0, (None, Text.of("Standard rules")))
        yield _Menu("preset", Text.of("Preset"), lines, get=lambda it: it.preset or standard)
    yield _Menu("level", Text.of("Level"), list(_levels(info.key, it.suggested)))
    seats = len(game_of(info.key, it.options()).seats)
    if seats > 2 and not it.offer and not it.are_named:
        yield _Menu(
            "computers",
            Text.of("Computers"),
            list(_computers(seats - 1)),
            get=lambda it: it.computers or seats - 1,
        )


_PANEL = Panel("cpick", _menus)


def _read_page(parts: Sequence[Mapping[str, Any]]) -> ComputerDraft:
    """The draft that a page shows, from its components as Discord writes them."""
    controls = {each.action: each for each in ui.controls_in(parts)}
    start = controls.get("cstart", Control("cstart"))
    offer = "" if start.match == ui.NO_MATCH else start.match
    draft = ComputerDraft(start.arg or None, offer=offer, leads_back="sback" in controls)
    return _PANEL.shown(draft, parts)


def _levels(game: str, suggested: int | None) -> Iterator[Line]:
    yield (
        MY_STRENGTH,
        partial(my_strength, suggested or 1),
        Text.of("One level up after a win, one down after a loss"),
    )
    for each in levels_for(game):
        yield str(each.number), partial(level_words, each), _about(game, each)


def _about(game: str, level: OfferedLevel) -> Text:
    if level.number == 1:
        return Text.of("Overlooks things, as beginners do")
    if level.number == len(levels_for(game)):
        return Text.of("The strongest. Takes a few seconds for a move")
    return Text.of("Stronger than level {level}", level=level.number - 1)


def _computers(most: int) -> Iterator[Line]:
    for n in range(most, 0, -1):
        free = Text.plural("{n} seat free", "{n} seats free", n=most - n)
        yield n, Text.plural("{n} computer", "{n} computers", n=n), free if n < most else None


def computer_page(draft: ComputerDraft, language: Language) -> Reply:
    """The page with its menus."""
    title = language.say("Play the computer")
    hint = language.say("The match is casual. The computer answers within seconds.")
    info = draft.info
    # The menu of games names the game, but there is none when the game of an offer is played.
    heading = f"{title} · {info.name}" if draft.offer and info is not None else title
    start = Control("cstart", draft.offer or ui.NO_MATCH, arg=draft.game or "")
    go = ui.button(start, language.say("Start the match"), ui.SUCCESS, disabled=info is None)
    shown = [go]
    if info is not None:
        shown.append(ui.button(Control("rules", arg=info.key), language.say("Rules")))
    if draft.leads_back:
        shown.append(ui.button(Control("sback", arg=draft.game or ""), language.say("Back")))
    menus = _PANEL.parts(draft, language)
    return Reply(title, Page(ui.text(f"### {heading}\n{hint}"), *menus, *ui.rows(shown)))


@on_button("computer", how=PRIVATE)
async def choose_computer(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer**: the page, with a game chosen if the button named one."""
    return await _page(context, ComputerDraft(game_named(click.arg)))


@on_button("alone")
async def rather_alone(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer** on the page of ``/play``, which it replaces."""
    return await _page(context, ComputerDraft(game_named(click.arg), leads_back=True))


@on_button("cinstead", how=PRIVATE)
async def instead(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer** under an open offer: replaces the offer if it is one's own."""
    match = await find_match(context, click.match)
    if match.index_of(context.user_id) != match.offered_by:
        return await _page(context, ComputerDraft(match.game))
    match = await _own_offer(context, click.match)
    return await _page(context, ComputerDraft(match.game, offer=match.id))


async def _own_offer(context: InteractionContext, match_id: str) -> Match:
    match = await find_match(context, match_id)
    if match.index_of(context.user_id) != match.offered_by:
        raise UserError("not_your_offer")
    if match.status is not MatchStatus.OFFERED:
        raise UserError("offer_closed", status=match.status.value)
    return match


@on_menu(_PANEL.action)
async def choose(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page."""
    return await _page(context, _PANEL.changed(_read_page(context.parts()), click))


async def _page(context: InteractionContext, draft: ComputerDraft) -> Reply:
    info = draft.info
    suggested = None
    if info is not None:
        suggested = await context.services.ratings.computer_for(context.user_id, info.key)
    draft = replace(draft, suggested=suggested, are_named=context.place.guild_id is None)
    return computer_page(draft, context.language)


@on_button("cstart")
async def start(context: InteractionContext, _click: Click) -> Reply:
    """**Start the match**."""
    draft = _read_page(context.parts())
    if draft.info is None:
        raise UserError("game_needed")
    if not draft.offer:
        return await _play(context, draft)
    offer = await _own_offer(context, draft.offer)
    reply = await _play(context, draft, offer)
    await context.services.matches.act(
        context.actor, offer.id, offer_answers.withdraw, interaction_id=None
    )
    return reply


async def _play(
    context: InteractionContext, draft: ComputerDraft, offer: Match | None = None
) -> Reply:
    """Start a match against computers of a level, under the terms of an ``offer`` if there is one.

    The answer mentions a long queue.
    """
    info = draft.info
    assert info is not None  # noqa: S101 - the callers have asked
    options = draft.options() if offer is None else dict(offer.options)
    number = int(draft.level)
    if not number:
        number = await context.services.ratings.computer_for(context.user_id, info.key)
    others = len(game_of(info.key, options).seats) - 1
    opponent = Actor(computer(number), context.place.guild_id)
    venue = await venue_for(context)
    wanted = others if venue is Venue.DIRECT else draft.computers or others
    answer = await context.services.matches.challenge(
        context.actor,
        context.place,
        game=info.key,
        options=options,
        opponents=(opponent,) * min(wanted, others),
        seat=None,
        venue=venue,
        clock=None if offer is None else offer.clock,
        language=None if offer is None else offer.language,
        interaction_id=page_id(context),
    )
    if answer.repeated:
        raise UserError("offered_already")
    return tell_done(context, answer, more=await told_of_queue(context, answer.match))


@after_move
async def told_of_queue(context: InteractionContext, match: Match) -> str:
    """Why the computer's move may take a while; '' if it won't."""
    if not match.has_computer or awaited(match) is None:
        return ""
    computers = context.services.of(ComputerService)
    if computers.rests(context.user_id):
        return context.language.say(
            "The computer has played many moves against you within a minute, so its next one comes"
            " a little later."
        )
    queue = await computers.queue()
    others = queue.waiting + queue.taken - 1
    if others <= _FEW:
        return ""
    return context.language.plural(
        "{n} other match waits for the computer, so its move may take a while.",
        "{n} other matches wait for the computer, so its move may take a while.",
        n=others,
    )

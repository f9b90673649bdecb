"""Playing the computer: from ``/play``, the end of a lesson, or one's own offer.

What has been chosen so far stands in the page itself, as the chosen lines of its menus.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.domain.computers import OfferedLevel, computer, levels_for
from bot.domain.game_state import game_of
from bot.domain.ids import InteractionId, MatchId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match
from bot.ui.interaction.registry import PRIVATE, Click, on_button, on_menu
from bot.ui.interaction.results import tell_done, told_of_queue
from bot.ui.offers.draft import page_id
from bot.ui.offers.offer_handlers import venue_for
from bot.ui.offers.offer_terms import MY_STRENGTH, game_lines, level_words, my_strength
from bot.ui.offers.option_text import find_game
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from games import catalog
from games.api import GameInfo, OptionValue

_NO_PRESET = "-"


@dataclass(frozen=True, slots=True)
class ComputerDraft:
    """The choices on the page: a game, one of its presets, a level, how many computers.

    ``offer`` is the open offer that the match replaces. ``computers`` is 0 for as many as there are
    other seats. ``leads_back``: the page replaces that of ``/play``, and a button leads back.
    """

    game: str | None = None
    preset: str = ""
    level: str = MY_STRENGTH
    computers: int = 0
    offer: str = ""
    leads_back: bool = False

    @property
    def info(self) -> GameInfo | None:
        """The chosen game."""
        kind = catalog.GAMES.get(self.game or "")
        return None if kind is None else kind.info

    def options(self) -> dict[str, OptionValue]:
        """The options of the preset, or the game's own."""
        info = self.info
        if info is None:
            return {}
        chosen = (each.options for each in info.presets if each.key == self.preset)
        return dict(info.resolve(next(chosen, {})))

    def with_choice(self, control: Control, value: str) -> ComputerDraft:
        """The draft after a choice in one of its menus. Raises ``out_of_date``."""
        info = self.info
        match control.action:
            case "cgame" if value in catalog.GAMES:
                if value == self.game:
                    return self
                return ComputerDraft(value, leads_back=self.leads_back)
            case "cpreset" if info is not None and (
                value == _NO_PRESET or any(value == each.key for each in info.presets)
            ):
                return replace(self, preset="" if value == _NO_PRESET else value)
            case "clevel" if info is not None and _is_level(info.key, value):
                return replace(self, level=value)
            case "cseats" if value in "123456789":
                return replace(self, computers=int(value))
        raise UserError("out_of_date")


def _is_level(game: str, value: str) -> bool:
    return value.isascii() and value.isdigit() and int(value) <= len(levels_for(game))


def read_page(components: Iterable[Mapping[str, Any]]) -> ComputerDraft:
    """The draft that a page shows, from its components as Discord writes them."""
    found = list(ui.chosen_in(components))
    draft = ComputerDraft()
    for control, _ in found:
        if control.action == "cstart":
            offer = "" if control.match == ui.NO_MATCH else control.match
            leads_back = any(each.action == "sback" for each, _ in found)
            draft = ComputerDraft(control.arg or None, offer=offer, leads_back=leads_back)
    for control, chosen in found:
        for value in chosen:
            draft = draft.with_choice(control, value)
    return draft


def _about(game: str, level: OfferedLevel, language: Language) -> str:
    if level.number == 1:
        return language.say("Overlooks things, as beginners do")
    if level.number == len(levels_for(game)):
        return language.say("The strongest. Takes a few seconds for a move")
    return language.say("Stronger than level {level}", level=level.number - 1)


def computer_page(
    draft: ComputerDraft, suggested: int | None, language: Language, *, are_named: bool = False
) -> Reply:
    """The page with its menus; ``suggested`` is the level that suits the player.

    ``are_named``: all seats must be taken at once, as in direct messages.
    """
    title = language.say("Play the computer")
    hint = language.say("The match is casual. The computer answers within seconds.")
    info = draft.info
    # The menu of games names the game, but there is none when the game of an offer is played.
    heading = f"{title} · {info.name}" if draft.offer and info is not None else title
    items: list[ui.Part] = [ui.text(f"### {heading}\n{hint}")]
    if not draft.offer:
        games = game_lines(language)
        items.append(
            ui.choice_menu(Control("cgame"), language.say("Game"), games, draft.game or "")
        )
    if info is not None:
        if not draft.offer:
            items += _presets(info, draft, language)
        items.append(_levels(info.key, draft, suggested, language))
        seats = len(game_of(info.key, draft.options()).seats)
        if seats > 2 and not draft.offer and not are_named:
            items.append(_seats(draft, seats - 1, language))
    start = Control("cstart", draft.offer or ui.NO_MATCH, arg=draft.game or "")
    go = ui.button(start, language.say("Start the match"), ui.SUCCESS, disabled=info is None)
    shown = [go]
    if info is not None:
        shown.append(ui.button(Control("rules", arg=info.key), language.say("Rules")))
    if draft.leads_back:
        shown.append(ui.button(Control("sback", arg=draft.game or ""), language.say("Back")))
    return Reply(title, Page(*items, *ui.rows(shown)))


def _presets(info: GameInfo, draft: ComputerDraft, language: Language) -> list[ui.Row]:
    if not info.presets:
        return []
    usual = dict(info.resolve({}))
    options = [
        ui.Option(
            each.key,
            language(each.label),
            language(each.reason),
            chosen=each.key == draft.preset,
        )
        for each in info.presets[: ui.CHOICES - 1]
    ]
    if all(dict(info.resolve(each.options)) != usual for each in info.presets):
        standard = language.say("Standard rules")
        options.insert(0, ui.Option(_NO_PRESET, standard, chosen=not draft.preset))
    elif not draft.preset:
        options = [
            replace(option, chosen=dict(info.resolve(each.options)) == usual)
            for option, each in zip(options, info.presets, strict=False)
        ]
    return [ui.menu(Control("cpreset"), language.say("Preset"), options)]


def _levels(game: str, draft: ComputerDraft, suggested: int | None, language: Language) -> ui.Row:
    offered = levels_for(game)[: ui.CHOICES - 1]
    number = suggested or 1
    mine = ui.Option(
        MY_STRENGTH,
        my_strength(number, language),
        language.say("One level up after a win, one down after a loss"),
        chosen=draft.level == MY_STRENGTH,
    )
    lines = [
        ui.Option(
            str(each.number),
            level_words(each, language),
            _about(game, each, language),
            chosen=str(each.number) == draft.level,
        )
        for each in offered
    ]
    return ui.menu(Control("clevel"), language.say("Level"), [mine, *lines])


def _seats(draft: ComputerDraft, most: int, language: Language) -> ui.Row:
    lines: list[ui.Line] = []
    for number in range(most, 0, -1):
        label = language.plural("{n} computer", "{n} computers", n=number)
        free = most - number
        note = language.plural("{n} seat free", "{n} seats free", n=free) if free else None
        lines.append((str(number), label, note))
    chosen = str(draft.computers or most)
    return ui.choice_menu(Control("cseats"), language.say("Computers"), lines, chosen)


@on_button("computer", how=PRIVATE)
async def choose_computer(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer**: the page, with a game chosen if the button named one."""
    game = find_game(click.arg).info.key if click.arg else None
    return await _page(context, ComputerDraft(game))


@on_button("alone")
async def rather_alone(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer** on the page of ``/play``, which it replaces."""
    game = find_game(click.arg).info.key if click.arg else None
    return await _page(context, ComputerDraft(game, leads_back=True))


@on_button("cinstead", how=PRIVATE)
async def instead(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer** under one's own open offer."""
    match = await _own_offer(context, click.match)
    return await _page(context, ComputerDraft(match.game, offer=match.id))


async def _own_offer(context: InteractionContext, match_id: str) -> Match:
    match = await find_match(context, match_id)
    if match.index_of(context.user_id) != match.offered_by:
        raise UserError("not_your_offer")
    if match.status is not MatchStatus.OFFERED:
        raise UserError("offer_closed", status=match.status.value)
    return match


@on_menu("cgame", "cpreset", "clevel", "cseats")
async def choose(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page."""
    return await _page(context, read_page(context.parts()).with_choice(click, click.value))


async def _page(context: InteractionContext, draft: ComputerDraft) -> Reply:
    info = draft.info
    suggested = None
    if info is not None:
        suggested = await context.services.computers.about_as_strong(context.user_id, info.key)
    are_named = context.place.guild_id is None
    return computer_page(draft, suggested, context.language, are_named=are_named)


@on_button("cstart")
async def start(context: InteractionContext, _click: Click) -> Reply:
    """**Start the match**."""
    draft = read_page(context.parts())
    if draft.info is None:
        raise UserError("game_needed")
    level = draft.level
    if not draft.offer:
        return await play_computer(context, draft, level=level, interaction_id=page_id(context))
    offer = await _own_offer(context, draft.offer)
    reply = await play_computer(
        context, draft, level=level, interaction_id=page_id(context), offer=offer
    )
    await context.services.matches.withdraw(context.actor, MatchId(offer.id), interaction_id=None)
    return reply


async def play_computer(
    context: InteractionContext,
    draft: ComputerDraft,
    *,
    level: str,
    interaction_id: InteractionId,
    offer: Match | None = None,
) -> Reply:
    """Start a match against computers of a level, under the terms of an ``offer`` if there is one.

    The answer tells how much the computer has to do if that is much.
    """
    info = draft.info
    assert info is not None  # noqa: S101 - the callers have asked
    options = draft.options() if offer is None else dict(offer.options)
    number = int(level)
    if not number:
        number = await context.services.computers.about_as_strong(context.user_id, info.key)
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
        interaction_id=interaction_id,
    )
    if answer.repeated:
        raise UserError("offered_already")
    return tell_done(context, answer, more=await told_of_queue(context, answer.match))

"""A rehearsal: every message of a whole tournament, one after another, to its organiser alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from cachetools import LRUCache

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.i18n import Language
from bot.tournaments.domain.notices import MessageKind
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.services.rehearsal import Rehearsed
from bot.tournaments.services.service import TournamentService
from bot.tournaments.ui.event_lookup import visitor_of
from bot.tournaments.ui.home_page import finished_page, home_page
from bot.tournaments.ui.message_pages import notice_text
from bot.tournaments.ui.setup_page import TournamentDraft, setup_page, shown_draft
from bot.tournaments.ui.tables import home_picture
from bot.tournaments.ui.words import EventText
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply


class Rehearsals(LRUCache[UserId, tuple[TournamentDraft, tuple[Rehearsed, ...]]]):
    """The last rehearsal of each organiser and its draft, while the bot runs."""

    def __init__(self) -> None:
        super().__init__(50)


def steps_of(told: Sequence[Rehearsed]) -> tuple[Rehearsed, ...]:
    """Messages worth showing: the last of several edits in a row, and one of similar notices."""
    found: list[Rehearsed] = []
    for (kind, _), group in groupby(told, key=lambda each: (each.message.kind, _together(each))):
        here = list(group)
        people = sum(each.message.user_id is not None for each in here)
        found.append(here[-1] if kind is MessageKind.HOME else replace(here[0], people=people))
    return tuple(found)


def _together(each: Rehearsed) -> int:
    """A key of similar messages: those of one event, and edits of the home message."""
    if each.message.kind is MessageKind.HOME:
        return each.view.tournament.status is TournamentStatus.REGISTRATION
    return each.message.version


def _kept(context: InteractionContext) -> tuple[TournamentDraft, tuple[Rehearsed, ...]]:
    """The rehearsal that a person is looking at. Raises ``rehearsal_over``."""
    kept = context.services.memory(Rehearsals).get(context.user_id)
    if kept is None or not kept[1]:
        raise UserError("rehearsal_over")
    return kept


async def rehearsal_step(context: InteractionContext, number: int) -> Reply:
    """A message of the rehearsal that a person is looking at."""
    _, steps = _kept(context)
    number = min(number, len(steps) - 1)
    event, picture = EventText(steps[number].view, context.language), None
    if steps[number].message.kind in (MessageKind.HOME, MessageKind.FINISHED):
        picture = await home_picture(context.services.reader, event)
    return step_page(steps[number], number, len(steps), context.language, picture)


def step_page(
    step: Rehearsed, number: int, count: int, language: Language, picture: ui.Picture | None
) -> Reply:
    """A message in its final look, with its own controls switched off, and the way to the next."""
    event, message = EventText(step.view, language), step.message
    title = language.say("Rehearsal: message {number} of {count}", number=number + 1, count=count)
    match message.kind:
        case MessageKind.HOME:
            shown = home_page(event, picture)
        case MessageKind.FINISHED:
            shown = finished_page(event, picture)
        case _:
            said, below = notice_text(message, event)
            shown = Page(ui.text(said), *ui.rows(below))
    for part in ui.walk(shown.components):
        if "custom_id" in part and part["type"] in (2, 3):
            part["disabled"] = True  # type: ignore[index]
    buttons = []
    if count > 1:
        back = Control("trehearse", version=max(number - 1, 0), arg="b")
        onward = Control("trehearse", version=number + 1, arg="n")
        buttons = [
            ui.button(back, language.say("Back"), disabled=not number),
            ui.button(onward, language.say("Next"), ui.PRIMARY, disabled=number == count - 1),
        ]
        if number < count - 1:
            last = Control("trehearse", version=count - 1, arg="z")
            buttons.append(ui.button(last, language.say("To the end")))
    buttons.append(ui.button(Control("trehover"), language.say("Back to the set-up")))
    lead = ui.text(f"### {title}\n-# {_where(step, language)}")
    return Reply(title, Page(lead, *shown.components, *ui.rows(buttons)))


def _where(step: Rehearsed, language: Language) -> str:
    """The readers of a message, and its place."""
    if step.message.kind is MessageKind.HOME:
        return language.say("The home message in the channel")
    if step.message.kind.about.for_directors:
        return language.say("To the directors")
    if step.message.user_id is None:
        return language.say("In the channel, for everyone")
    if step.people > 1:
        return language.plural(
            "To one player; {n} other gets a similar message",
            "To one player; {n} others get a similar message",
            n=step.people - 1,
        )
    return language.say("To one player")


@on_button("tsettry")
async def rehearse(context: InteractionContext, _click: Click) -> Reply:
    """**Rehearse**: the whole event with made-up results, message by message."""
    draft, service = shown_draft(context), context.services.of(TournamentService)
    try:
        draft.check(context.services.clock.now())
        told = await service.rehearse(visitor_of(context), context.place, draft.setup)
    except UserError as error:
        return setup_page(context, draft, refused=context.why(error))
    context.services.memory(Rehearsals)[context.user_id] = (draft, steps_of(told))
    return await rehearsal_step(context, 0)


@on_button("trehearse")
async def turn_rehearsal(context: InteractionContext, click: Click) -> Reply:
    """Another message of the rehearsal."""
    return await rehearsal_step(context, click.version)


@on_button("trehover")
async def end_rehearsal(context: InteractionContext, _click: Click) -> Reply:
    """Back from a rehearsal to the page of the draft."""
    draft, _ = _kept(context)
    return setup_page(context, draft)

"""**Manage**: choose an act, see its consequences, confirm it, undo it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, time
from typing import Any

import discord
from cachetools import LRUCache
from discord import app_commands
from discord.http import Route

from bot.domain.ids import GuildId, TournamentId, UserId, is_id
from bot.errors import UserError
from bot.history.ui.sources import downloaded
from bot.tournaments.domain.acts import (
    LONGEST_REASON,
    DirectorAct,
    Invite,
    Part,
    Undo,
    first_choice,
)
from bot.tournaments.domain.directing import apart_group
from bot.tournaments.domain.inviting import Line, read_list
from bot.tournaments.domain.tournament import EntrantStatus, Invitation, Tournament
from bot.tournaments.services.service import TournamentService, is_director
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.ui.director_pages import (
    act_words,
    ask,
    confirm_page,
    manage_page,
    possible,
    read_act,
    read_part,
    typed_points,
    write_act,
)
from bot.tournaments.ui.event_lookup import event_of, find_event, told, visitor_of
from bot.tournaments.ui.moments import read_moment
from bot.tournaments.ui.player_pages import NEXT, TOURNAMENT, suggest_tournaments
from bot.tournaments.ui.words import EventText, with_names
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, id_in, on_button, on_menu, on_text
from bot.ui.interaction.slash import command
from bot.ui.offers.draft import check_guests
from bot.ui.pages.components import Control, Reply
from bot.ui.pages.display_names import clean, escape
from bot.ui.rest import FAILURES
from games.view import Text

_POINTS = frozenset({"points_wrong"})
_DAYS = frozenset(
    {"moment_unclear", "day_too_far", "date_past", "not_later", "dates_order", "tournament_long"}
)
"""Refusals of typed points and days."""


class Lists(LRUCache[UserId, tuple[TournamentId, Invite]]):
    """The last list of each director until it is confirmed."""

    def __init__(self) -> None:
        super().__init__(50)

    def of(self, user_id: UserId, tournament_id: str) -> Invite:
        """The list of a person for a tournament. Raises ``list_gone``."""
        kept = self.get(user_id)
        if kept is None or kept[0] != tournament_id:
            raise UserError("list_gone")
        return kept[1]


async def directed(context: InteractionContext, control: Control) -> EventText:
    """The tournament of a control, for its directors alone."""
    return may_direct(context, await event_of(context, control))


def may_direct(context: InteractionContext, event: EventText) -> EventText:
    """The same tournament. Raises ``not_director``."""
    if not is_director(visitor_of(context), event.view):
        raise UserError("not_director")
    return event


@on_button("tmanage")
async def manage(context: InteractionContext, click: Click) -> Reply:
    """**Manage**."""
    return await _managed(context, await directed(context, click))


async def _managed(context: InteractionContext, event: EventText, *, lead: str = "") -> Reply:
    log = await context.services.of(TournamentService).audit(visitor_of(context), event.t.id)
    return manage_page(event, log, lead=lead)


@on_button("tagain")
async def post_again(context: InteractionContext, click: Click) -> Reply:
    """**Post again**: the home message, further down in its channel."""
    event = await directed(context, click)
    now = context.services.clock.now()
    await context.services.store.write(tournament_writing.show_again, event.t.id, now)
    return await _managed(context, event, lead=event.say("The home message is posted again."))


# ---- the arguments of an act ---------------------------------------------------------------------


async def _chosen(
    context: InteractionContext, event: EventText, text: str, *, page: int = 0, lead: str = ""
) -> Reply:
    """Ask for the next field of an act, or show its effect."""
    act, given = read_part(text)
    _check(event, given)
    if len(text.split(":")) > len(fields(act)):
        made = read_act(text)
        try:
            return await _planned(context, event, made)
        except UserError as error:  # it is impossible: why is said on the page of all acts
            return await _managed(context, event, lead=context.why(error))
    book, people = context.presenter.names, dict[UserId, str]()
    for each in event.t.directors if first_choice(act) == "director" else ():
        people[each] = clean(await book.name(each, event.language), longest=40)
    return await with_names(
        context.presenter,
        event,
        lambda plain: ask(event, text, plain=plain, people=people, page=page, lead=lead),
    )


def _check(event: EventText, given: Mapping[str, Any]) -> None:
    """Refuse an act about a game or a player that the event does not have."""
    if given.get("game") and given["game"] not in event.t.games:
        raise UserError("no_such_game")
    if "entrant" in given and event.t.entrant(given["entrant"]) is None:
        raise UserError("not_entered")


@on_menu("tact")
async def choose_act(context: InteractionContext, click: Click) -> Reply:
    """The menu of acts."""
    event = await directed(context, click)
    if click.value not in possible(event.view):
        raise UserError("out_of_date")
    return await _chosen(context, event, click.value)


@on_button("tlist")
async def turn_list(context: InteractionContext, click: Click) -> Reply:
    """Another page of a list to choose from."""
    text, page = click.arg.partition(".")[0], click.version
    return await _chosen(context, await directed(context, click), text, page=page)


@on_menu("tchosen")
@on_button("tplan")
async def plan_act(context: InteractionContext, click: Click) -> Reply:
    """The act of a button, or of a line of a menu: as far as it is chosen."""
    return await _chosen(context, await directed(context, click), click.value or click.arg)


@on_menu("tperson")
async def choose_person(context: InteractionContext, click: Click) -> Reply:
    """A person of the server: to add, to appoint, to play in a place."""
    event = await directed(context, click)
    if not click.values:
        raise UserError("out_of_date")
    try:
        check_guests(context.interaction, with_self=True)
    except UserError as error:
        return await _managed(context, event, lead=context.why(error))
    return await _chosen(context, event, f"{click.arg}:{click.value}")


@on_menu("tpeople")
async def choose_people(context: InteractionContext, click: Click) -> Reply:
    """Players of the event, found among the people of the server: to keep apart."""
    event = await directed(context, click)
    try:
        group = apart_group(event.t, _entrants(event, click.values or ()))
    except UserError as error:
        if error.code not in ("apart_players", "not_all_entered"):
            raise
        # The menu stays, so that others can be chosen.
        return await _chosen(context, event, click.arg, lead=context.why(error))
    chosen = write_act(Part(group, 0)).rpartition(":")[0]
    return await _chosen(context, event, chosen)


def _entrants(event: EventText, chosen: Sequence[str]) -> list[int]:
    """The numbers of people who were chosen; refuses those who have not entered."""
    found, strangers = [], []
    for each in chosen:
        person = id_in(each)
        entrant = event.t.entrant_of(person)
        if entrant is None:
            strangers.append(event.mention(person))
        else:
            found.append(entrant.number)
    if strangers:
        raise UserError("not_all_entered", players=event.listed(strangers))
    return found


@on_text(
    "tpoints",
    "tpointed",
    Text.of("Type points"),
    Text.of("In the order of seats, like 4 2 1 0"),
    60,
)
async def typed_result(context: InteractionContext, click: Click) -> Reply:
    """The typed points of a table."""
    return await _typed(context, click, "points", lambda: typed_points(click.text), _POINTS)


async def _typed(
    context: InteractionContext,
    click: Click,
    field: str,
    read: Callable[[], Any],
    again: Collection[str],
) -> Reply:
    """The effect of an act with a typed field; refused for these reasons, ask again."""
    event = await directed(context, click)
    act, given = read_part(click.arg)
    if [*given, field] != [each.name for each in fields(act)]:
        raise UserError("out_of_date")
    _check(event, given)
    try:
        return await _planned(context, event, act(**{**given, field: read()}))
    except UserError as error:
        if error.code not in again:
            raise
        return await _chosen(context, event, click.arg, lead=context.why(error))


@on_text(
    "tday",
    "tdayed",
    Text.of("Choose a day"),
    Text.of("For example 14 March, Sat 18:00, in 3 days"),
    60,
)
async def typed_day(context: InteractionContext, click: Click) -> Reply:
    """A day as a director types it, in their time zone."""
    zone = (await context.services.preferences.of(context.user_id)).zone
    now, language = context.services.clock.now(), context.language

    def day() -> datetime:
        return read_moment(click.text, now, zone, language, usual=time(23, 59))

    return await _typed(context, click, "until", day, _DAYS)


# ---- confirming --------------------------------------------------------------------------------


async def _planned(
    context: InteractionContext, event: EventText, act: DirectorAct, *, lead: str = ""
) -> Reply:
    """Show the effect of an act, before it is confirmed."""
    service, visitor = context.services.of(TournamentService), visitor_of(context)
    preview = await service.preview(visitor, event.t.id, act)
    if not preview.facts:
        return await so_already(context, event, act)
    undone = None
    if isinstance(act, Undo):
        log = await service.audit(visitor, event.t.id)
        undone = next((each for each in log if each.seq == act.seq), None)
    return confirm_page(event, act, preview, lead=lead, undone=undone)


async def so_already(
    context: InteractionContext, event: EventText, act: DirectorAct, *, notes: str = ""
) -> Reply:
    """The answer to an act without effect: nothing changes."""
    said = event.say("{act}: it is so already, so nothing was changed.", act=act_words(event, act))
    return await _managed(context, event, lead="\n".join(x for x in (said, notes) if x))


@on_text(
    "twhy",
    "tdone",
    Text.of("Give a reason"),
    Text.of("Reason"),
    LONGEST_REASON,
    hint=Text.of("Players read it in the log and in their message."),
)
@on_button("tdo")
async def confirm(context: InteractionContext, click: Click) -> Reply:
    """The act, confirmed, with its reason if it wants one."""
    act: DirectorAct
    if click.arg == Invite.key:  # a list has no room in a control, so it is remembered
        act = context.services.memory(Lists).of(context.user_id, click.match)
    else:
        act = read_act(click.arg)
    # The answer names the act like the question: a replaced player has no place afterwards.
    event = await directed(context, click)
    _check(event, {each.name: getattr(act, each.name) for each in fields(act)})
    title = act_words(event, act)
    try:
        view = await context.services.of(TournamentService).direct(
            visitor_of(context),
            event.t.id,
            act,
            interaction_id=context.id,
            reason=click.text.strip(),
            seen=click.version,
        )
    except UserError as error:
        if error.code != "tournament_changed":
            raise
        # The confirmed effect differs from the present one: show that, and ask again.
        now = await directed(context, click)
        return await _planned(context, now, act, lead=context.why(error))
    if view.tournament.version == event.t.version:
        return await so_already(context, event, act)
    return await _managed(context, told(context, view), lead=event(act.done, act=title))


_LIKE_IT = 100
"""The most members with a similar name that are compared with a line."""


_UNKNOWN = Text.of(
    "Not found in this server: {names}. Use a mention, an id or the exact user name."
)
_SEVERAL = Text.of("Several members have this name: {names}. Use a mention or an id.")
_BOT = Text.of("Bots can't enter: {names}.")
_EXCLUDED = Text.of("Excluded from this tournament: {names}.")
_UNANSWERED = Text.of("Discord didn't answer about {names}. Send these again later.")


async def _found(
    client: discord.Client, guild_id: GuildId, t: Tournament, lines: Iterable[Line]
) -> tuple[Sequence[Invitation], Mapping[Text, Sequence[str]]]:
    """The members of a list, by id or by a name that only one has; and other lines, by reason."""
    guests: dict[UserId, Invitation] = {}
    missing: dict[Text, list[str]] = {
        why: [] for why in (_UNKNOWN, _SEVERAL, _BOT, _EXCLUDED, _UNANSWERED)
    }
    for line in lines:
        found = await _member(client, guild_id, line)
        mine = None if isinstance(found, Text) else t.entrant_of(found)
        if mine is not None and mine.standing is EntrantStatus.EXCLUDED:
            found = _EXCLUDED
        if isinstance(found, Text):
            missing[found].append(line.name)
        else:
            guests.setdefault(found, Invitation(found, line.seed, line.rating))
    return tuple(guests.values()), missing


async def _member(client: discord.Client, guild_id: GuildId, line: Line) -> UserId | Text:
    try:
        if line.user_id is not None:
            if not is_id(line.user_id):
                return _UNKNOWN
            there: Mapping[str, Any] = await client.http.get_member(guild_id, line.user_id)
            found = [there]
        else:
            route = Route("GET", "/guilds/{guild_id}/members/search", guild_id=guild_id)
            params = {"query": line.name, "limit": _LIKE_IT}
            found = _called(line.name, await client.http.request(route, params=params))
    except (discord.NotFound, discord.Forbidden):
        return _UNKNOWN
    except FAILURES:
        return _UNANSWERED
    if len(found) != 1:
        return _SEVERAL if found else _UNKNOWN
    user = found[0].get("user") or {}
    if user.get("bot"):
        return _BOT
    return UserId(int(user["id"]))


def _called(name: str, members: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The members with exactly that name; one with it as the user name comes first."""
    plain = name.casefold()

    def is_called(member: Mapping[str, Any], *names: str) -> bool:
        about = {**(member.get("user") or {}), "nick": member.get("nick")}
        return plain in (str(about.get(each) or "").casefold() for each in names)

    users = [each for each in members if is_called(each, "username")]
    return users or [each for each in members if is_called(each, "nick", "global_name")]


_LARGEST = 64 << 10
"""Bytes of the largest file: more than any list needs, in any script."""
_LONGEST_TYPED = 4000
"""The most characters of a field of a form."""
_NAME = 40
_LINES = 20
"""Lines of a list that count like one command."""


@on_button("tinvite")
async def invite(context: InteractionContext, click: Click) -> Reply:
    """**Invite by list**."""
    return ask(await directed(context, click), Invite.key)


@on_text(
    "tpaste",
    "tpasted",
    Invite.label,
    Text.of("Players"),
    _LONGEST_TYPED,
    hint=Text.of("One on each line: name, seed, rating"),
    example="Ada, 1, 1850",
)
async def pasted(context: InteractionContext, click: Click) -> Reply:
    """A typed or pasted list."""
    return await _read(context, await directed(context, click), click.text)


async def _once_more(context: InteractionContext, event: EventText) -> Reply:
    """The file of a command is gone once its tournament was chosen from several."""
    gone = context.why(UserError("list_gone"))
    return ask(may_direct(context, event), Invite.key, lead=gone)


NEXT["tinvite"] = _once_more


@command(
    "invite",
    Text.of("Invite the players of a list to a tournament you direct"),
    group=TOURNAMENT,
    fields={
        "file": Text.of("Text or CSV: name, mention or id, then seed and rating if known"),
        "tournament": Text.of("Tournament (default: the one here)"),
    },
    suggest={"tournament": suggest_tournaments},
)
async def invite_command(
    context: InteractionContext,
    file: discord.Attachment,
    tournament: app_commands.Range[str, 0, 100] = "",
) -> Reply:
    """``/tournament invite``."""
    event = may_direct(context, await find_event(context, tournament, "tinvite"))
    return await _read(context, event, await _downloaded(context, file))


async def _downloaded(context: InteractionContext, file: discord.Attachment) -> str:
    """The text of a file, if it is short enough."""
    unreadable = UserError("list_unreadable", limit=_LARGEST >> 10)
    # A file without details from Discord arrives as a bare object.
    if isinstance(file, discord.Object) or type(file.size) is not int or file.size > _LARGEST:
        raise unreadable
    try:
        data = await downloaded(context, file.read())
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except (UserError, UnicodeDecodeError):
        raise unreadable from None


async def _read(context: InteractionContext, event: EventText, written: str) -> Reply:
    """The guests of a list, and the consequences; without guests, how lists are written."""
    t, service = event.t, context.services.of(TournamentService)
    try:
        lines = read_list(written)
        # Each line is a request to Discord.
        context.services.commands.spend(context.user_id, len(lines) / _LINES)
        client, guild_id = context.interaction.client, event.view.home.guild_id
        guests, missing = await _found(client, guild_id, t, lines)
        act = Invite(tuple(guests))
        preview = await service.preview(visitor_of(context), t.id, act)
    except UserError as error:
        return ask(event, Invite.key, lead=context.why(error))
    notes = "\n".join(
        event(why.filled({"names": ", ".join(escape(x, longest=_NAME) for x in names)}))
        for why, names in missing.items()
        if names
    )
    if not guests:
        return ask(event, Invite.key, lead=notes)
    if not preview.facts:
        return await so_already(context, event, act, notes=notes)
    context.services.memory(Lists)[context.user_id] = (t.id, act)
    return confirm_page(event, act, preview, notes=notes)

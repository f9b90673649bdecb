"""``/settings``: a private page with a player's settings; and ``/block``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.domain.ids import UserId
from bot.domain.preferences import (
    MOST_REMINDERS,
    REMINDERS,
    NoticeWay,
    Preferences,
    SideUp,
    read_reminders,
)
from bot.domain.preferences_text import difference
from bot.domain.quiet_hours import QuietHours, find_zone, suggest_zones, zone_in_words
from bot.errors import UserError
from bot.i18n import Sentences
from bot.posts.sending import (
    DirectRefused,
    Gone,
    Posted,
    Recipient,
    Refused,
    Retry,
)
from bot.ui.delivery.notices import Notices
from bot.ui.delivery.timed import Reminders
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import described
from bot.ui.interaction.registry import (
    Click,
    id_in,
    on_button,
    on_form,
    on_menu,
    on_text,
    one_field,
    opens_form,
    page_button,
)
from bot.ui.interaction.results import back_to_help
from bot.ui.interaction.slash import Group, command
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import clean, mark_of
from bot.ui.pages.reader import Reader
from bot.ui.pages.typed_times import in_letters
from bot.ui.settings.panel import (
    Choice,
    Line,
    Menu,
    Panel,
    Setting,
    SettingChoices,
    choices_of,
    either,
    languages,
    themes,
)
from games.view import Text

_WAYS: dict[NoticeWay, tuple[Text, Text]] = {
    NoticeWay.MENTION: (
        Text.of("Mention me on my turn"),
        Text.of("In the thread or channel of the match"),
    ),
    NoticeWay.DIRECT: (
        Text.of("Message me on my turn"),
        Text.of("If Discord blocks direct messages, a mention instead"),
    ),
    NoticeWay.DIGEST: (
        Text.of("One message a day"),
        Text.of("A direct message about all matches waiting for you"),
    ),
    NoticeWay.NOTHING: (
        Text.of("No notices"),
        Text.of("No reminders either; /matches lists your matches"),
    ),
}
_BY_SIDE = Text.of("On boards that you alone see")
_HOURS: tuple[Line, ...] = tuple((hour, f"{hour:02}:00") for hour in range(24))


def _quiet_from(chosen: Preferences, begin: int | None) -> Preferences:
    """Quiet hours that begin then, and end as before, or in the morning."""
    if begin is None:
        return replace(chosen, quiet=None)
    end = 8 if chosen.quiet is None else chosen.quiet.end
    return replace(chosen, quiet=QuietHours(begin, end if end != begin else (begin + 8) % 24))


def _settings(chosen: Preferences, choices: SettingChoices) -> Iterator[Setting[Preferences]]:
    yield Choice("theme", Text.of("Pictures"), themes(choices))
    usual = Text.of("as in your Discord")
    yield Choice("language", Text.of("Language"), languages(usual, choices))
    yield Menu(
        "way",
        Text.of("How do you want to be told about your turn?"),
        [(way, *words) for way, words in _WAYS.items()],
        # After a new choice direct messages are tried again.
        put=lambda chosen, way: replace(chosen, way=way, direct_refused=None),
    )
    yield Choice(
        "preview",
        Text.of("Preview"),
        [
            (True, Text.of("before each picked move")),
            (False, Text.of("off"), Text.of("A picked move is played at once")),
        ],
    )
    yield Choice(
        "letters",
        Text.of("On pieces"),
        [
            (False, Text.of("marks")),
            (True, Text.of("letters"), Text.of("As on the text board")),
        ],
    )
    yield Choice(
        "turned",
        Text.of("Your boards"),
        [
            (SideUp.SAME, Text.of("same side up for all")),
            (SideUp.MINE, Text.of("your side at the bottom"), _BY_SIDE),
            (SideUp.MAKER, Text.of("offering player's side"), _BY_SIDE),
        ],
    )
    listed = either(Text.of("open to all"), Text.of("only for you"))
    yield Choice("open_list", Text.of("Finished matches"), listed, id="list")
    if chosen.way is NoticeWay.DIGEST:
        yield Choice("digest_hour", Text.of("Digest at"), _HOURS, id="digest")
    left = Text.plural(
        "Reminder with {hours} hour left", "Reminder with {hours} hours left", by="hours"
    )
    hours = sorted({*REMINDERS, *chosen.reminders})
    yield Menu(
        "reminders",
        Text.of("No reminders before a deadline"),
        [(each, left.filled({"hours": each})) for each in hours],
        most=MOST_REMINDERS,
        id="remind",
    )
    quiet = chosen.quiet
    yield Choice(
        "quiet",
        Text.of("Quiet from"),
        [(None, Text.of("never")), *_HOURS],
        get=lambda _: quiet and quiet.begin,
        put=_quiet_from,
    )
    if quiet is not None:
        yield Choice(
            "quiet",
            Text.of("Quiet until"),
            [line for line in _HOURS if line[0] != quiet.begin],
            id="until",
            get=lambda _: quiet.end,
            put=lambda chosen, end: replace(chosen, quiet=replace(quiet, end=end)),
        )


def person_panel(choices: SettingChoices) -> Panel[Preferences]:
    """All that a player can choose from menus."""
    return Panel("pref", partial(_settings, choices=choices))


async def person_page(
    chosen: Preferences,
    blocked: Sequence[UserId],
    choices: SettingChoices,
    reader: Reader,
    *,
    now: datetime,
    lead: str = "",
    back: Sequence[ui.Button] = (),
) -> Reply:
    """All that a person can choose, as it is now; ``lead`` says what has just happened.

    ``back`` leads to where the page was opened.
    """
    language = reader.language
    title = language.say("Your settings")
    there = now.astimezone(ZoneInfo(chosen.zone))
    said = Sentences(language)
    said.say(
        "Every choice is saved at once. Your time zone is {zone}, where it's {time}.",
        zone=zone_in_words(chosen.zone),
        time=f"{there:%H:%M}",
    )
    if chosen.direct_refused is not None and chosen.present_way is not chosen.way:
        said.say(
            "Discord blocked a direct message to you {time}, so you're mentioned in the match"
            " instead. Allow direct messages from members of this server, then choose again"
            " how you want to be told.",
            time=timestamp(chosen.direct_refused),
        )
    if chosen.allows_messages:
        said.say(
            "Players can challenge you in direct messages; **{nothing}** below stops that.",
            nothing=language(_WAYS[NoticeWay.NOTHING][0]),
        )
    else:
        said.say(
            "Players can't challenge you in direct messages; choose **{direct}** to allow it.",
            direct=language(_WAYS[NoticeWay.DIRECT][0]),
        )
    if blocked:
        who = match_text.mentions(tuple(blocked[:40]), language)
        said.say("You've blocked {players}.", players=who)
    items: list[ui.Part] = [
        ui.text(match_text.cut(ui.heading(title, *said, lead=lead), 3500)),
        *person_panel(choices).parts(chosen, language),
    ]
    if blocked:
        items.append(await _unblock_menu(blocked, Control("pref", arg="unblock"), reader))
    items += ui.rows(
        [
            ui.button(Control("zone"), language.say("Time zone")),
            ui.button(Control("remindat"), language.say("Other reminders")),
            ui.button(Control("trynotice"), language.say("Send a test notice")),
            *back,
        ]
    )
    return Reply(lead or title, Page(*items))


async def _unblock_menu(blocked: Sequence[UserId], control: Control, reader: Reader) -> ui.Row:
    options = []
    for user in blocked[: ui.CHOICES]:
        name = clean(await reader.name(user), longest=40)
        said = reader.language.say("Unblock {player}", player=name)
        options.append(ui.Option(str(user), said, marks=(mark_of(user),)))
    return ui.menu(control, reader.language.say("Unblock"), options)


async def block_page(blocked: Sequence[UserId], reader: Reader) -> Reply:
    """The players that a player has blocked, with a menu to unblock them."""
    language = reader.language
    if not blocked:
        none = language.say("You haven't blocked anyone.")
        return Reply(none, Page(ui.text(none)))
    who = match_text.mentions(tuple(blocked[:40]), language)
    said = language.say("You've blocked {players}.", players=who)
    row = await _unblock_menu(blocked, Control("unblock"), reader)
    return Reply(said, Page(ui.text(said), row))


_REMINDED = frozenset({"way", "reminders", "quiet", "zone"})
"""Settings that change reminders."""
_SEEN = 60.0
"""Seconds until a test notice is deleted."""
_BLOCKS = Group("block", Text.of("Keep a player away from you"))
_LONGEST_ZONE = 64


def suggest_time_zones(_context: InteractionContext, typed: str) -> list[ui.Option]:
    """Time zones that fit what has been typed."""
    return [ui.Option(zone, zone_in_words(zone)) for zone in suggest_zones(typed)]


@command(
    "settings",
    Text.of("Choose your pictures, notices, quiet hours, time zone and language"),
    personal=True,
    fields={
        "time_zone": Text.of("A city, like Berlin or New York; everything else is on the page")
    },
    suggest={"time_zone": suggest_time_zones},
)
async def settings(
    context: InteractionContext, time_zone: app_commands.Range[str, 0, _LONGEST_ZONE] = ""
) -> Reply:
    """``/settings``: the page; a time zone may come with it."""
    if time_zone.strip():
        return await _in_zone(context, time_zone)
    return await _page(context)


@on_text(
    "zone",
    "zoned",
    Text.of("Your time zone"),
    Text.of("A city, like Berlin or New York, or UTC+2"),
    _LONGEST_ZONE,
)
async def zoned(context: InteractionContext, click: Click) -> Reply:
    """A time zone as a player types it."""
    try:
        return await _in_zone(context, click.text)
    except UserError as error:
        if error.code not in ("zone_unknown", "zone_unclear"):
            raise
        return await _page(context, lead=context.why(error))


@opens_form("remindat", "reminded")
def reminders_form(context: InteractionContext, _control: Control) -> discord.ui.Modal:
    """The form for hours of reminders."""
    language = context.language
    known = context.services.preferences.known(context.user_id)
    hours = () if known is None else known.reminders
    return one_field(
        Control("reminded"),
        language.say("Reminders"),
        language.say("Hours before the deadline"),
        longest=100,
        value=", ".join(f"{each}h" for each in hours),
        hint=language.say("Up to four, such as 2d, 12h, 3h; nothing for none"),
        long=False,
        required=False,
    )


@on_form("reminded")
async def reminded(context: InteractionContext, click: Click) -> Reply:
    """Reminders as a player types them."""
    try:
        hours = read_reminders(in_letters(click.text, context.language))
    except UserError as error:
        return await _page(context, lead=context.why(error))
    await _change(context, lambda chosen: replace(chosen, reminders=hours))
    return await _page(context)


@on_button("trynotice")
async def try_notice(context: InteractionContext, _click: Click) -> Reply:
    """**Send a test notice**, in the way the player chose."""
    language, services = context.language, context.services
    chosen = await services.preferences.of(context.user_id)
    if chosen.present_way is NoticeWay.NOTHING:
        return await _page(context, lead=language.say("You've chosen to get no notices."))
    is_direct = chosen.present_way in (NoticeWay.DIRECT, NoticeWay.DIGEST)
    here = None if context.place.guild_id is None else context.place.channel_id
    place = Recipient(None if is_direct else here, context.user_id)
    try:
        posted = await services.of(Notices).test(context.user_id, place, nonce=f"n{context.id:x}")
    except DirectRefused:
        return await _page(context)  # which says so
    except (Gone, Refused):
        return await _page(context, lead=language.say("Parlour can't post in this channel."))
    except Retry:
        return await _page(context, lead=language.say("Discord can't do that now. Try again."))
    if place.channel_id is not None and posted is not None:
        services.background.start(_taken_away(context, posted))
    wait = chosen.quiet_until(services.clock.now())
    said = language.say("The test notice is on its way.")
    if wait is not None:
        said += " " + language.say(
            "Your quiet hours are on, so a real one would wait until {time}.", time=timestamp(wait)
        )
    return await _page(context, lead=said)


async def _taken_away(context: InteractionContext, posted: Posted) -> None:
    """Delete the notice after a minute, or when the process stops."""
    await context.services.background.pause(_SEEN)
    await context.services.of(Notices).take_away(posted)


async def _in_zone(context: InteractionContext, text: str) -> Reply:
    zone = find_zone(text)
    await _change(context, lambda chosen: replace(chosen, zone=zone))
    return await _page(context)


@on_menu("pref")
async def choose_preference(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page: save it and show the page anew."""
    if click.arg == "unblock":
        await _unblock(context, click.value)
        return await _page(context)
    panel = person_panel(choices_of(context))
    await _change(context, lambda chosen: panel.changed(chosen, click))
    return await _page(context.services.context(context.interaction))


async def _change(
    context: InteractionContext, decide: Callable[[Preferences], Preferences]
) -> None:
    """Save a setting, and plan reminders anew."""
    locale = context.services.languages.of(context.interaction.locale).locale

    def decide_here(chosen: Preferences) -> Preferences:
        return replace(decide(chosen), locale=locale)

    before = await context.services.preferences.of(context.user_id)
    after = await context.services.preferences.change(context.user_id, decide_here)
    if _REMINDED.intersection(difference(after, before)):
        await context.services.of(Reminders).plan_anew(context.user_id)


@page_button("prefs")
async def _page(context: InteractionContext, *, lead: str = "") -> Reply:
    preferences = context.services.preferences
    return await person_page(
        await preferences.of(context.user_id),
        await preferences.blocked_by(context.user_id),
        choices_of(context),
        context.reader,
        now=context.services.clock.now(),
        lead=lead,
        back=back_to_help(context),
    )


def _other(context: InteractionContext, person: discord.User) -> UserId:
    """The player that a command names; bots are refused."""
    other = described(person)
    if person.bot:
        raise UserError("invite_bot")
    context.reader.names.note(other, person.display_name)
    return other


@command("add", Text.of("Block a player"), group=_BLOCKS, fields={"player": Text.of("Player")})
async def block(context: InteractionContext, player: discord.User) -> Reply:
    """``/block add``."""
    other = _other(context, player)
    await context.services.preferences.block(context.user_id, other)
    return Reply(
        context.language.say(
            "You blocked {player}. They won't be told. Neither of you can offer the other a"
            " match or join the other's. Running matches go on.",
            player=match_text.mention(other, context.language),
        )
    )


@command("remove", Text.of("Unblock a player"), group=_BLOCKS, fields={"player": Text.of("Player")})
async def unblock(context: InteractionContext, player: discord.User) -> Reply:
    """``/block remove``."""
    other = _other(context, player)
    if not await context.services.preferences.unblock(context.user_id, other):
        raise UserError("not_blocked", player=other)
    said = context.language.say(
        "You unblocked {player}.", player=match_text.mention(other, context.language)
    )
    return Reply(said)


@command("list", Text.of("List the players you've blocked"), group=_BLOCKS)
async def blocked(context: InteractionContext) -> Reply:
    """``/block list``."""
    found = await context.services.preferences.blocked_by(context.user_id)
    return await block_page(found, context.reader)


@on_menu("unblock")
async def unblock_chosen(context: InteractionContext, click: Click) -> Reply:
    """The menu of ``/block list``."""
    await _unblock(context, click.value)
    return await blocked(context)


async def _unblock(context: InteractionContext, value: str) -> None:
    other = id_in(value)
    if other in await context.services.preferences.blocked_by(context.user_id):
        await context.services.preferences.unblock(context.user_id, other)

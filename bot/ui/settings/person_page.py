"""``/settings``: a private page of menus with all that a person can choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.domain.ids import UserId
from bot.domain.preferences import MOST_REMINDERS, REMINDERS, NoticeWay, Preferences
from bot.domain.quiet_hours import QuietHours
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages import match_text
from bot.ui.pages.components import (
    CHOICES,
    Button,
    Control,
    Option,
    Page,
    Part,
    Reply,
    Row,
    button,
    menu,
    rows,
    text,
)
from bot.ui.pages.display_names import NameBook, clean, mark_of
from bot.ui.settings.setting_menus import (
    USUAL,
    SettingChoices,
    among,
    languages_menu,
    number,
    one,
    setting_menu,
    themes_menu,
)
from games.view import Text
from renderers import THEMES

_WAYS = {
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


async def person_page(
    chosen: Preferences,
    blocked: Sequence[UserId],
    shelf: SettingChoices,
    names: NameBook,
    language: Language,
    *,
    now: datetime,
    lead: str = "",
    back: Sequence[Button] = (),
) -> Reply:
    """All that a person can choose, as it is now; ``lead`` says what has just happened.

    ``back`` leads to where the page was opened.
    """
    title = language.say("Your settings")
    there = now.astimezone(ZoneInfo(chosen.zone))
    said = [f"### {title}"]
    if lead:
        said.append(f"**{lead}**")
    said.append(
        language.say(
            "Every choice is saved at once. Your time zone is {zone}, where it's {time}.",
            zone=chosen.zone.replace("_", " "),
            time=f"{there:%H:%M}",
        )
    )
    if chosen.direct_refused is not None and chosen.present_way is not chosen.way:
        said.append(
            language.say(
                "Discord blocked a direct message to you {time}, so you're mentioned in the match"
                " instead. Allow direct messages from members of this server, then choose again"
                " how you want to be told.",
                time=f"<t:{int(chosen.direct_refused.timestamp())}:R>",
            )
        )
    if chosen.allows_messages:
        said.append(
            language.say(
                "Players can challenge you in direct messages; **{nothing}** below stops that.",
                nothing=language(_WAYS[NoticeWay.NOTHING][0]),
            )
        )
    else:
        said.append(
            language.say(
                "Players can't challenge you in direct messages; choose **{direct}** to allow it.",
                direct=language(_WAYS[NoticeWay.DIRECT][0]),
            )
        )
    if blocked:
        who = match_text.mentions(tuple(blocked[:40]), language)
        said.append(language.say("You've blocked {players}.", players=who))
    items: list[Part] = [
        text(match_text.cut("\n".join(said), 3500)),
        themes_menu("pref/theme", language.say("Pictures"), chosen.theme, shelf, language),
        languages_menu(
            "pref/language",
            language.say("Language"),
            language.say("as in your Discord"),
            chosen.language,
            shelf,
            language=language,
        ),
        menu(
            Control("pref", arg="way"),
            language.say("How do you want to be told about your turn?"),
            [
                Option(way.value, language(label), language(note), chosen=way is chosen.way)
                for way, (label, note) in _WAYS.items()
            ],
        ),
    ]
    previews = [
        ("on", language.say("before each picked move")),
        ("off", language.say("none, a picked move is played at once")),
    ]
    shown = "on" if chosen.preview else "off"
    items.append(
        setting_menu("pref/preview", language.say("Preview"), previews, shown, language=language)
    )
    signs = [
        ("off", language.say("marks")),
        ("on", language.say("letters, as on the text board")),
    ]
    drawn = "on" if chosen.letters else "off"
    items.append(
        setting_menu("pref/letters", language.say("On pieces"), signs, drawn, language=language)
    )
    readers = [
        ("on", language.say("open to all")),
        ("off", language.say("only for you")),
    ]
    shown = "on" if chosen.open_list else "off"
    items.append(
        setting_menu(
            "pref/list", language.say("Finished matches"), readers, shown, language=language
        )
    )
    if chosen.way is NoticeWay.DIGEST:
        hours = [(str(hour), _hour(hour)) for hour in range(24)]
        prompt = language.say("Digest at")
        items.append(
            setting_menu("pref/digest", prompt, hours, str(chosen.digest_hour), language=language)
        )
    items += _reminders(chosen, language)
    items += _quiet(chosen.quiet, language)
    if blocked:
        items.append(await _unblock_menu(blocked, Control("pref", arg="unblock"), names, language))
    items += rows(
        [
            button(Control("zone"), language.say("Time zone")),
            button(Control("remindat"), language.say("Other reminders")),
            button(Control("trynotice"), language.say("Send a test notice")),
            *back,
        ]
    )
    return Reply(lead or title, Page(*items))


async def _unblock_menu(
    blocked: Sequence[UserId], control: Control, names: NameBook, language: Language
) -> Row:
    options = [
        Option(
            str(user),
            language.say(
                "Unblock {player}", player=clean(await names.name(user, language), longest=40)
            ),
            marks=(mark_of(user),),
        )
        for user in blocked[:CHOICES]
    ]
    return menu(control, language.say("Unblock"), options)


async def block_page(blocked: Sequence[UserId], names: NameBook, language: Language) -> Reply:
    """Whom a person has blocked, with a menu to unblock them."""
    if not blocked:
        none = language.say("You haven't blocked anyone.")
        return Reply(none, Page(text(none)))
    who = match_text.mentions(tuple(blocked[:40]), language)
    said = language.say("You've blocked {players}.", players=who)
    row = await _unblock_menu(blocked, Control("unblock"), names, language)
    return Reply(said, Page(text(said), row))


def _reminders(chosen: Preferences, language: Language) -> list[Row]:
    options = [
        Option(
            str(hours),
            language.plural(
                "Reminder with {hours} hour left",
                "Reminder with {hours} hours left",
                by="hours",
                hours=hours,
            ),
            chosen=hours in chosen.reminders,
        )
        for hours in sorted({*REMINDERS, *chosen.reminders})
    ]
    prompt = language.say("No reminders before a deadline")
    return [menu(Control("pref", arg="remind"), prompt, options, least=0, most=MOST_REMINDERS)]


def _quiet(quiet: QuietHours | None, language: Language) -> list[Row]:
    begin = [(USUAL, language.say("never")), *((str(hour), _hour(hour)) for hour in range(24))]
    at = USUAL if quiet is None else str(quiet.begin)
    made = [setting_menu("pref/quiet", language.say("Quiet from"), begin, at, language=language)]
    if quiet is not None:
        ends = [(str(hour), _hour(hour)) for hour in range(24) if hour != quiet.begin]
        made.append(
            setting_menu(
                "pref/until", language.say("Quiet until"), ends, str(quiet.end), language=language
            )
        )
    return made


def changed(
    chosen: Preferences, field: str, values: tuple[str, ...], shelf: SettingChoices
) -> Preferences:
    """What a person has chosen after a choice in a menu of their page."""
    match field:
        case "theme":
            return replace(chosen, theme=among(one(values), THEMES))
        case "language":
            return replace(chosen, language=among(one(values), shelf.languages))
        case "way":
            ways = {way.value: way for way in NoticeWay}
            way = ways.get(one(values))
            if way is None:
                raise UserError("out_of_date")
            # After a new choice direct messages are tried again.
            return replace(chosen, way=way, direct_refused=None)
        case "preview" if one(values) in ("on", "off"):
            return replace(chosen, preview=one(values) == "on")
        case "letters" if one(values) in ("on", "off"):
            return replace(chosen, letters=one(values) == "on")
        case "list" if one(values) in ("on", "off"):
            return replace(chosen, open_list=one(values) == "on")
        case "digest":
            return replace(chosen, digest_hour=number(one(values), range(24)))
        case "remind":
            hours = {number(value, (*REMINDERS, *chosen.reminders)) for value in values[:CHOICES]}
            if len(hours) > MOST_REMINDERS:
                raise UserError("out_of_date")
            return replace(chosen, reminders=tuple(sorted(hours, reverse=True)))
        case "quiet":
            return replace(chosen, quiet=_quiet_from(chosen.quiet, one(values)))
        case "until":
            end = number(one(values), range(24))
            if chosen.quiet is None or end == chosen.quiet.begin:
                raise UserError("out_of_date")
            return replace(chosen, quiet=QuietHours(chosen.quiet.begin, end))
    raise UserError("out_of_date")


def _quiet_from(quiet: QuietHours | None, value: str) -> QuietHours | None:
    """Quiet hours that begin then, and end as before, or in the morning."""
    if value == USUAL:
        return None
    begin = number(value, range(24))
    end = 8 if quiet is None else quiet.end
    return QuietHours(begin, end if end != begin else (begin + 8) % 24)


def _hour(hour: int) -> str:
    return f"{hour:02}:00"

"""``/settings``: a private page of menus with all that a person can choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.domain.ids import UserId
from bot.domain.preferences import MOST_REMINDERS, REMINDERS, NoticeWay, Preferences
from bot.domain.quiet_hours import QuietHours
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
    heading,
    menu,
    rows,
    text,
)
from bot.ui.pages.display_names import NameBook, clean, mark_of
from bot.ui.settings.panel import (
    Choice,
    Line,
    Panel,
    SettingChoices,
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
_HOURS: tuple[Line, ...] = tuple((hour, f"{hour:02}:00") for hour in range(24))


def _reminders(chosen: Preferences, _shelf: SettingChoices) -> list[Line]:
    return [
        (
            hours,
            Text.plural(
                "Reminder with {hours} hour left",
                "Reminder with {hours} hours left",
                by="hours",
                hours=hours,
            ),
        )
        for hours in sorted({*REMINDERS, *chosen.reminders})
    ]


def _quiet_from(chosen: Preferences, begin: int | None) -> Preferences:
    """Quiet hours that begin then, and end as before, or in the morning."""
    if begin is None:
        return replace(chosen, quiet=None)
    end = 8 if chosen.quiet is None else chosen.quiet.end
    return replace(chosen, quiet=QuietHours(begin, end if end != begin else (begin + 8) % 24))


def _quiet_until(chosen: Preferences, end: int) -> Preferences:
    return chosen if chosen.quiet is None else replace(chosen, quiet=replace(chosen.quiet, end=end))


def _ends(chosen: Preferences, _shelf: SettingChoices) -> list[Line]:
    return [line for line in _HOURS if chosen.quiet is None or line[0] != chosen.quiet.begin]


PERSON_PANEL = Panel[Preferences](
    "pref",
    (
        Choice("theme", Text.of("Pictures"), themes),
        Choice("language", Text.of("Language"), languages(Text.of("as in your Discord"))),
        Choice(
            "way",
            Text.of("How do you want to be told about your turn?"),
            [(way, *words) for way, words in _WAYS.items()],
            bare=True,
            # After a new choice direct messages are tried again.
            put=lambda chosen, way: replace(chosen, way=way, direct_refused=None),
        ),
        Choice(
            "preview",
            Text.of("Preview"),
            [
                (True, Text.of("before each picked move")),
                (False, Text.of("none, a picked move is played at once")),
            ],
        ),
        Choice(
            "letters",
            Text.of("On pieces"),
            [(False, Text.of("marks")), (True, Text.of("letters, as on the text board"))],
        ),
        Choice(
            "turned",
            Text.of("Boards you alone see"),
            [
                (False, Text.of("same side up for all")),
                (True, Text.of("my side at the bottom")),
            ],
        ),
        Choice(
            "open_list",
            Text.of("Finished matches"),
            [(True, Text.of("open to all")), (False, Text.of("only for you"))],
            id="list",
        ),
        Choice(
            "digest_hour",
            Text.of("Digest at"),
            _HOURS,
            id="digest",
            when=lambda chosen: chosen.way is NoticeWay.DIGEST,
        ),
        Choice(
            "reminders",
            Text.of("No reminders before a deadline"),
            _reminders,
            bare=True,
            most=MOST_REMINDERS,
            id="remind",
        ),
        Choice(
            "quiet",
            Text.of("Quiet from"),
            [(None, Text.of("never")), *_HOURS],
            get=lambda chosen: chosen.quiet and chosen.quiet.begin,
            put=_quiet_from,
        ),
        Choice(
            "quiet",
            Text.of("Quiet until"),
            _ends,
            id="until",
            when=lambda chosen: chosen.quiet is not None,
            get=lambda chosen: chosen.quiet and chosen.quiet.end,
            put=_quiet_until,
        ),
    ),
)


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
    said = [
        language.say(
            "Every choice is saved at once. Your time zone is {zone}, where it's {time}.",
            zone=chosen.zone.replace("_", " "),
            time=f"{there:%H:%M}",
        )
    ]
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
        text(match_text.cut(heading(title, *said, lead=lead), 3500)),
        *PERSON_PANEL.parts(chosen, shelf, language),
    ]
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
    """The players that a person has blocked, with a menu to unblock them."""
    if not blocked:
        none = language.say("You haven't blocked anyone.")
        return Reply(none, Page(text(none)))
    who = match_text.mentions(tuple(blocked[:40]), language)
    said = language.say("You've blocked {players}.", players=who)
    row = await _unblock_menu(blocked, Control("unblock"), names, language)
    return Reply(said, Page(text(said), row))

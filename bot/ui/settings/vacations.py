"""``/vacation``: days left, start, end."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import format_date
from discord import app_commands

from bot.domain.vacation import DAY
from bot.errors import UserError
from bot.i18n import Language
from bot.services.vacations import VacationStatus
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, number_in, on_button, on_menu
from bot.ui.interaction.slash import command
from bot.ui.pages import components as ui
from bot.ui.pages.clock_text import duration, timestamp
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.typed_times import locale_of, within_years
from games.view import Text

_MOST_DAYS = 366
_LONGEST = 64
_LENGTHS = (1, 2, 3, 5, 7, 10, 14, 21, 28)


def _suggest_days(context: InteractionContext, typed: str) -> list[ui.Option]:
    """Days that fit what has been typed."""
    chosen = context.services.preferences.known(context.user_id)
    zone = ZoneInfo("UTC" if chosen is None else chosen.zone)
    today = context.services.clock.now().astimezone(zone).date()
    return suggest_days(typed, today, context.language)


@command(
    "vacation",
    Text.of("Stop your clocks for some days, or see how many days you have left"),
    fields={
        "days": Text.of("Number of days from now"),
        "until": Text.of("The day you're back"),
    },
    suggest={"until": _suggest_days},
    personal=True,
)
async def vacation(
    context: InteractionContext,
    days: app_commands.Range[int, 0, _MOST_DAYS] = 0,
    until: app_commands.Range[str, 0, _LONGEST] = "",
) -> Reply:
    """``/vacation``: for so many days, until a day, or the page."""
    if days and until.strip():
        raise UserError("vacation_both")
    if until.strip():
        zone = ZoneInfo((await context.services.preferences.of(context.user_id)).zone)
        today = context.services.clock.now().astimezone(zone).date()
        back = read_day(until, today, context.language)
        ends = datetime.combine(back, time(), zone)
        return await _go_on_vacation(context, lambda _today: ends)
    if days:
        return await _go_on_vacation(context, lambda today: today + days * DAY)
    return _page(context, await context.services.vacations.of(context.user_id))


@on_menu("vacdays")
async def choose_vacation(context: InteractionContext, click: Click) -> Reply:
    """A choice of the page: so many days from now."""
    days = number_in(click.value, most=366)
    if not days:
        raise UserError("out_of_date")
    return await _go_on_vacation(context, lambda today: today + days * DAY)


@on_button("vacend")
async def end_vacation(context: InteractionContext, _click: Click) -> Reply:
    """**I'm back**."""
    return _page(context, await context.services.vacations.end(context.user_id, context.id))


async def _go_on_vacation(
    context: InteractionContext, ends: Callable[[datetime], datetime]
) -> Reply:
    return _page(context, await context.services.vacations.begin(context.user_id, ends, context.id))


def _page(context: InteractionContext, found: VacationStatus) -> Reply:
    return vacation_page(found, context.language, context.services.clock.now())


def read_day(text: str, today: date, language: Language) -> date:
    """The day of a text: 2026-12-24, or words that fit one day of the next year alone.

    A day of the week alone is the next of its name. Raises ``day_unclear`` and ``day_too_far``.
    """
    plain = text.strip()[:40]
    try:
        return within_years(date.fromisoformat(plain), today)
    except ValueError:
        wanted = _tokens(plain)
        for said in (_days(today, language), _weekdays(today, language)):
            found = [day for day, words in said if _fits(wanted, _tokens(words), whole=True)]
            if wanted and len(found) == 1:
                return found[0]
        example = (today + timedelta(days=14)).isoformat()
        raise UserError("day_unclear", text=plain, example=example) from None


def suggest_days(typed: str, today: date, language: Language) -> list[ui.Option]:
    """The next days that fit what has been typed, as words in any order or as numbers."""
    wanted = typed[:40].casefold().strip()
    found = [
        ui.Option(day.isoformat(), said)
        for day, said in _days(today, language)
        if wanted in day.isoformat() or _fits(_tokens(wanted), _tokens(said), whole=False)
    ]
    return found[: ui.CHOICES]


def _days(today: date, language: Language) -> list[tuple[date, str]]:
    days = [today + timedelta(days=ahead) for ahead in range(1, 366)]
    said = [format_date(day, "full", locale=locale_of(language)) for day in days]
    said[0] = language.say("Tomorrow, {day}", day=said[0])
    return list(zip(days, said, strict=True))


def _weekdays(today: date, language: Language) -> list[tuple[date, str]]:
    """The days of the next week by their names."""
    days = [today + timedelta(days=ahead) for ahead in range(1, 8)]
    return [(day, format_date(day, "EEEE", locale=locale_of(language))) for day in days]


def _tokens(text: str) -> list[str]:
    return re.findall(r"\d+|[^\W\d]+", unicodedata.normalize("NFKC", text).casefold())


def _fits(wanted: Sequence[str], said: Sequence[str], *, whole: bool) -> bool:
    """Whether all tokens are there; words may be cut short, ``whole`` numbers may not."""
    return all(
        each in said
        or (not (whole and each.isdigit()) and any(word.startswith(each) for word in said))
        for each in wanted
    )


def vacation_page(found: VacationStatus, language: Language, now: datetime) -> Reply:
    """A player's vacation, with a menu and a button to change it."""
    title = language.say("Your vacation")
    if found.current is None:
        said = language.say("You're not on vacation.")
    else:
        ends = found.current.ends_at
        said = language.say("You're on vacation until {date}.", date=timestamp(ends, "f"))
        said += " " + language.say(
            "Your clocks are stopped in all matches that allow it. You can still move."
        )
        if found.current.by_itself:
            said += " " + language.say(
                "It started by itself and ends a day after your next move at the latest."
            )
    left = language.plural(
        "{left} of {allowance} vacation day left this year.",
        "{left} of {allowance} vacation days left this year.",
        by="allowance",
        left=found.left,
        allowance=found.allowance,
    )
    rule = language.say(
        "A day is 24 hours and counts once it has started, in UTC. Unused days aren't carried"
        " over. Clocks for one sitting don't stop."
    )
    items: list[ui.Part] = [ui.text(f"### {title}\n{said}\n**{left}**\n-# {rule}")]
    lengths = _lengths(found, now)
    if lengths:
        lines = [
            (str(days), language.say("{time} from now", time=duration(days * DAY, language)))
            for days in lengths
        ]
        prompt = (
            language.say("Start vacation") if found.current is None else language.say("Change end")
        )
        items.append(ui.choice_menu(Control("vacdays"), prompt, lines, ""))
    if found.current is not None:
        items += ui.rows([ui.button(Control("vacend"), language.say("I'm back"))])
    return Reply(title, Page(*items))


def _lengths(found: VacationStatus, now: datetime) -> list[int]:
    most = found.most
    if found.current is not None:
        most -= (now - found.current.began_at) // DAY
    usual = [days for days in _LENGTHS if days < most]
    return [*usual, most] if most > 0 else []

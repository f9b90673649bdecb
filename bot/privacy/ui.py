"""``/privacy``: a player's data as a file, and erasing it.

The file is meant for people. A row holds plain values alone: JSON inside a text is expanded into
values with names such as ``options.size``. Instants are dates, and Discord's long numbers are
texts, which programs do not round.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC

from bot.domain.events import JsonValue, moment
from bot.i18n import Language, Sentences
from bot.privacy import store as privacy
from bot.privacy.services import PrivacyService
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button
from bot.ui.interaction.slash import Group, command
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.components import Control, File, Page, Reply, attached, text
from games.view import Text

_PARTS: Mapping[str, Text] = {
    "matches": Text.of(
        "Matches in which you have a seat or an invitation, with terms and position"
    ),
    "events": Text.of("What you did in matches: moves, offers, answers"),
    "seats": Text.of("Your seats in matches"),
    "plans": Text.of("Moves that you planned with /plan"),
    "placings": Text.of("Your places in rated matches, with the rating after each"),
    "ratings": Text.of("Your ratings"),
    "people": Text.of("Your settings"),
    "vacations": Text.of("Your vacations"),
    "blocks": Text.of("Players you've blocked, and blocks against you without a name"),
    "follows": Text.of("Matches you follow"),
    "fans": Text.of("Players you follow, and that you're followed, without a name"),
    "favourites": Text.of("Your favourite matches"),
    "notes": Text.of("Your notes on moves"),
    "attempts": Text.of("Your attempts at puzzles of the day"),
    "tournaments": Text.of("Tournaments you created"),
    "tournament_entrants": Text.of("Tournaments you entered"),
    "tournament_invited": Text.of("Tournaments you were invited to"),
    "tournament_directors": Text.of("Tournaments you direct"),
    "tournament_events": Text.of("What you did in tournaments, and what directors did about you"),
    "audit": Text.of("What you did as a manager of a server"),
    "kept_out_of": Text.of("Servers that keep you from playing"),
    "tallies": Text.of("Your offers of the last days, which limit how many you can make"),
    "jobs": Text.of("What you're waiting for, such as a move of the computer"),
    "news": Text.of("What your next daily message will say"),
    "outbox": Text.of("Messages to you that are still to be sent"),
}
"""The parts by the names of their tables, in order."""
_WORDS = frozenset({"words", "note", "reason"})
"""Texts of the player's own, which are not JSON whatever they begin with."""
_EXACT = 1 << 53
"""Larger numbers are rounded by some programs."""
_INSTANTS = range(10**15, _EXACT)
"""Microseconds of this and the next centuries: lengths are shorter, and ids of Discord longer."""


def export_files(held: Mapping[str, JsonValue], language: Language) -> tuple[File, File]:
    """The file with everything stored about a player, and one that explains it."""
    written = json.dumps(
        {name: _readable(part) for name, part in held.items()}, indent=1, ensure_ascii=False
    )
    page = "\n".join(_explained(held, language))
    return (
        File("parlour-about-me.json", written.encode()),
        File("parlour-about-me.txt", page.encode()),
    )


def _explained(held: Mapping[str, JsonValue], language: Language) -> list[str]:
    lines = [
        language.say("Everything Parlour stores about you. Messages and names are never stored."),
        language.say(
            "The file parlour-about-me.json has it in these parts. Times are in UTC; long numbers"
            " are those of Discord for players, servers, channels and messages."
        ),
        "",
    ]
    found = [
        (name, rows)
        for name in dict.fromkeys((*_PARTS, *held))
        if isinstance(rows := held.get(name), list)
    ]
    for name, rows in found:
        if rows:
            words = language(_PARTS[name]) if name in _PARTS else name
            lines.append(f"{name} ({len(rows)}): {words}")
    empty = [name for name, rows in found if not rows]
    if empty:
        none = language.say("Nothing is stored in: {parts}", parts=", ".join(empty))
        lines += ["", none]
    return lines


def _readable(part: JsonValue) -> JsonValue:
    """A part of the file, each row of a table on one level."""
    if not isinstance(part, list):
        return part
    return [dict(_flat("", _opened("", row))) if isinstance(row, dict) else row for row in part]


def _flat(name: str, value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """The plain values in a value; ``name`` is that of the whole."""
    parts: Iterable[tuple[object, JsonValue]]
    match value:
        case dict() if value:
            parts = value.items()
        case list() if any(isinstance(each, dict | list) for each in value):
            parts = enumerate(value, 1)
        case dict() | list():
            yield name, ", ".join(map(_listed, value))
            return
        case _:
            yield name, value
            return
    for part, each in parts:
        yield from _flat(f"{name}.{part}" if name else str(part), each)


def _listed(value: JsonValue) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value)


def _opened(name: str, value: JsonValue) -> JsonValue:
    """A value in readable form; ``name`` is its key."""
    match value:
        case dict():
            return {key: _opened(key, each) for key, each in value.items()}
        case [[*left], running, since] if name == "times":
            seconds: list[JsonValue] = [each // 1_000_000 for each in left if isinstance(each, int)]
            return {"seconds_left": seconds, "running": running, "since": _opened("since", since)}
        case list() | tuple():
            return [_opened(name, each) for each in value]
        case str() if value[:1] in ("{", "[") and name not in _WORDS:
            try:
                return _opened(name, json.loads(value))
            except (ValueError, RecursionError):
                return value
        case bool():
            return value
        case int() if value in _INSTANTS:
            return moment(value).astimezone(UTC).isoformat()
        case int() if abs(value) >= _EXACT:
            return str(value)
    return value


_PRIVACY = Group("privacy", Text.of("Download or erase your data"), personal=True)


@command("export", Text.of("Download everything Parlour stores about you"), group=_PRIVACY)
async def held(context: InteractionContext) -> Reply:
    """``/privacy export``."""
    services = context.services
    held = await services.store.read(privacy.held_about, context.user_id, services.clock.now())
    files = export_files(held, context.language)
    said = context.language.say(
        "Everything Parlour stores about you. Messages and names are never stored."
    )
    return Reply(said, Page(text(said), *map(attached, files)))


@command(
    "delete", Text.of("Erase everything Parlour stores about you; asks you first"), group=_PRIVACY
)
async def erase(context: InteractionContext) -> Reply:
    """``/privacy delete``: list the consequences, and ask."""
    language = context.language
    running = await context.services.of(PrivacyService).running(context.user_id)
    lines = Sentences(language)
    lines.say("**This erases everything Parlour stores about you. It can't be undone.**")
    if running:
        lines.plural(
            "You'll resign {count} running match.",
            "You'll resign {count} running matches.",
            by="count",
            count=running,
        )
    lines.say(
        "Your settings, block list, plans and offers will be erased. Finished matches stay"
        " with your opponents, under a random number that nothing stored links to you. It takes"
        " the place of your name on final boards and result cards, in tournaments and in the"
        " names of threads, and you leave the leaderboards."
    )
    lines.say(
        "What stays: earlier boards, messages that mention you, direct messages to others,"
        " threads that people renamed, and files that others have downloaded. Your opponents"
        " may remember that they played you."
    )
    lines.say("To keep a copy, use /privacy export first.")
    erase_all = language.say("Erase everything")
    return confirmation("\n".join(lines), Control("forget"), erase_all, language)


@on_button("forget")
async def erase_now(context: InteractionContext, _click: Click) -> Reply:
    """**Erase everything**."""
    gone = await context.services.of(PrivacyService).erase(context.user_id)
    context.services.preferences.forget(context.user_id)
    context.services.reader.names.forget(context.user_id)
    context.services.locales.pop(context.user_id, None)
    language = context.language
    said = language.say("Everything stored about you has been erased.")
    if gone.resigned:
        said += " " + language.plural(
            "{n} match resigned.", "{n} matches resigned.", n=gone.resigned
        )
    if gone.withdrawn:
        said += " " + language.plural(
            "{n} offer withdrawn.", "{n} offers withdrawn.", n=gone.withdrawn
        )
    if gone.kept:
        said += " " + language.say(
            "The number takes the place of your name now, in a few seconds for each match. Earlier"
            " boards and messages that mention you stay; people who manage the server can delete"
            " them."
        )
    return Reply(said)

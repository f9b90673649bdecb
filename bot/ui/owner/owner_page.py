"""``/owner``: how Parlour is, and what its owner is asked before it ends or speaks everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.i18n import Language
from bot.shutdown import Shutdown, Supervisor
from bot.ui.delivery.host_messages import host_page
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import (
    DANGER,
    PRIMARY,
    Control,
    Page,
    Reply,
    button,
    container,
    rows,
    text,
    walk,
)

_MEBIBYTE = 1 << 20
_WORDS = 77
"""The number of the words of a preview, by which they are found on it."""


@dataclass(frozen=True, slots=True)
class HostStatus:
    """How a process of Parlour is. Without a database there is no ``size`` and nothing counted.

    ``late`` are the seconds for which the oldest message has been due; ``memory`` is in bytes, None
    where the system does not say.
    """

    version: str
    since: datetime
    servers: int
    shards: Mapping[int, bool]
    database: str
    memory: int | None
    size: int | None = None
    matches: int = 0
    jobs: int = 0
    late: int = 0
    before: str | None = None


def owner_page(status: HostStatus, language: Language) -> Reply:
    """How Parlour is, and buttons for the rest."""
    title = f"Parlour {status.version}"
    lines = [language.say("Running since {when}", when=timestamp(status.since))]
    if status.before is not None:
        lines.append(language.say("Version {version} ran before", version=status.before))
    lines.append(
        language.plural(
            "{n} server; shards connected: {up} of {all}",
            "{n} servers; shards connected: {up} of {all}",
            n=status.servers,
            up=sum(status.shards.values()),
            all=len(status.shards),
        )
    )
    if status.size is None:
        lines.append(language.say("The database can't be used"))
    else:
        megabytes = -(-status.size // _MEBIBYTE)
        lines += [
            language.say("{database}, {size} MB", database=status.database, size=megabytes),
            language.plural("{n} running match", "{n} running matches", n=status.matches),
            language.plural(
                "{n} task waits for the computer", "{n} tasks wait for the computer", n=status.jobs
            ),
            language.plural(
                "The oldest message is {n} second late",
                "The oldest message is {n} seconds late",
                n=status.late,
            )
            if status.late
            else language.say("No message is late"),
        ]
    if status.memory is not None:
        lines.append(language.say("Memory: {size} MB", size=round(status.memory / _MEBIBYTE)))
    buttons = [
        button(Control("owner"), language.say("Refresh")),
        button(Control("ownertell"), language.say("Message to servers"), PRIMARY),
        button(Control("ownerend", arg=Shutdown.RESTART.value), language.say("Restart")),
        button(Control("ownerend", arg=Shutdown.STOP.value), language.say("Stop"), DANGER),
    ]
    said = "\n- ".join([f"### {title}", *lines])
    return Reply(title, Page(text(said), *rows(buttons)))


def ask_ending(
    how: Shutdown, who: Supervisor, shards: Sequence[int] | None, language: Language
) -> Reply:
    """What will happen, before it does; ``shards`` are those of this process among several."""
    question, label = {
        Shutdown.RESTART: (language.say("Restart Parlour?"), language.say("Restart")),
        Shutdown.STOP: (language.say("Stop Parlour?"), language.say("Stop")),
    }[how]
    kept = language.say("Matches are kept, and no clock runs while Parlour is away.")
    lines = [f"**{question}**", _what_happens(how, who, language), kept]
    if shards is not None:
        named = ", ".join(map(str, shards))
        lines.append(
            language.say("This is about the process of these shards alone: {shards}.", shards=named)
        )
    return confirmation("\n".join(lines), Control("ownerendyes", arg=how.value), label, language)


def _what_happens(how: Shutdown, who: Supervisor, language: Language) -> str:
    if how is Shutdown.RESTART:
        return {
            Supervisor.HELD: language.say("Docker starts it again."),
            Supervisor.SYSTEMD: language.say("systemd starts it again after a few seconds."),
            Supervisor.KUBERNETES: language.say("Kubernetes starts it again."),
            Supervisor.UNKNOWN: language.say(
                "It ends with exit code 75. If nothing starts it again, it stays off until you do."
            ),
        }[who]
    return {
        Supervisor.HELD: language.say(
            "Its container waits, shown as unhealthy, until you start it again."
        ),
        Supervisor.SYSTEMD: language.say("systemd leaves it stopped until you start it again."),
        Supervisor.KUBERNETES: language.say(
            "Kubernetes starts it again all the same. To keep it stopped, scale it to 0."
        ),
        Supervisor.UNKNOWN: language.say(
            "It ends with exit code 0. If nothing starts it again, it stays off until you do."
        ),
    }[who]


def preview_page(words: str, draft: int, reached: int, silent: int, language: Language) -> Reply:
    """The message as servers will see it; ``silent`` is the number of those that will not."""
    question = language.plural(
        "Send this to {n} server? Its managers read it where Discord's own notices appear,"
        " otherwise in the system channel.",
        "Send this to {n} servers? Their managers read it where Discord's own notices appear,"
        " otherwise in the system channel.",
        n=reached,
    )
    if silent:
        more = language.plural(
            "{n} server has no such channel that Parlour may post in.",
            "{n} servers have no such channel that Parlour may post in.",
            n=silent,
        )
        question = f"{question} {more}"
    buttons = [
        button(Control("ownersend", arg=f"{draft:x}"), language.say("Send"), DANGER),
        button(Control("ownertell"), language.say("Edit")),
        button(Control("nevermind"), language.say("Never mind")),
    ]
    shown = container(*host_page(words, language, number=_WORDS).components)  # type: ignore[arg-type]
    return Reply(question, Page(text(question), shown, *rows(buttons)))


def words_in(components: Sequence[Mapping[str, Any]]) -> str | None:
    """The words of a message whose preview has these components, as Discord writes them."""
    found = (str(each["content"]) for each in walk(components) if each.get("id") == _WORDS)
    return next(found, None)

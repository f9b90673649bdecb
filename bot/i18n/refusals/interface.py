"""Refusals by Discord and by Parlour itself, for any request."""

from __future__ import annotations

from games.view import Text

INTERFACE: dict[str, Text] = {
    "file_too_large": Text.of("This file is too large for Discord. Ask for CSV instead."),
    "store_unavailable": Text.of(
        "Can't save right now, so nothing has changed. Please try again in a minute."
    ),
    "outcome_unknown": Text.of("This may have been saved; the board will show it."),
    "known_later": Text.of("This may have been saved. You'll be told here once it's certain."),
    "saved_after_all": Text.of("Your last action was saved."),
    "not_saved": Text.of("Your last action wasn't saved. Please try again."),
    "bug": Text.of("Something went wrong. Nothing has changed. If you report it, mention {bug}."),
    "no_lesson": Text.of("There's no lesson for {game} yet. /rules explains the game."),
    "no_parlour_here": Text.of(
        "Parlour isn't in this server, so no match can be offered here. Use a server where it is,"
        " or ask a manager of this one to add it."
    ),
    "not_in_server": Text.of("{name} isn't in this server and couldn't see the match."),
    "out_of_date": Text.of(
        "This button or menu is out of date. Use the latest message, or find the match with /board"
        " or /matches."
    ),
    "slow_down": Text.of(
        "That was a lot at once, so nothing was changed. Please wait a moment and try again."
    ),
    "too_much_work": Text.plural(
        "You've asked for a lot of work in a short time. Please wait {seconds} second and try"
        " again.",
        "You've asked for a lot of work in a short time. Please wait {seconds} seconds and try"
        " again.",
        by="seconds",
    ),
    "too_late": Text.of("That took too long to arrive, so nothing was changed. Please try again."),
    "no_messages_here": Text.of(
        "This kind of channel has no messages, so you can't play in it. Use a text channel or a"
        " thread."
    ),
    "cannot_post_here": Text.plural(
        "Parlour can't post in this channel. Ask for the permission {permissions}, or play"
        " somewhere else.",
        "Parlour can't post in this channel. Ask for the permissions {permissions}, or play"
        " somewhere else.",
        by="count",
    ),
    "discord_silent": Text.of("Discord doesn't answer. Please try again in a minute."),
    "old_command": Text.of("This command has changed. Please type it again."),
}

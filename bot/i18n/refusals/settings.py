"""Refusals of choices of players and servers: vacations, blocks, time zones, channels."""

from __future__ import annotations

from games.view import Text

SETTINGS: dict[str, Text] = {
    "kept_out": Text.of(
        "The managers of this server don't let you play here. You can play in other servers and in"
        " direct messages."
    ),
    "keep_out_self": Text.of("You can't keep yourself out. Choose another player."),
    "not_kept_out": Text.of("<@{player}> can play here already."),
    "no_vacations": Text.of("There's no vacation here. You can ask for a pause with /match pause."),
    "vacation_both": Text.of("Give either the number of days or the day you're back, not both."),
    "vacation_past": Text.of("That day isn't in the future. Choose a later one."),
    "vacation_too_long": Text.plural(
        "That would be {days} days, but your vacation can last at most {most} day.",
        "That would be {days} days, but your vacation can last at most {most} days.",
        by="most",
    ),
    "not_on_vacation": Text.of("You're not on vacation."),
    "day_too_far": Text.of("{day} is out of range. Choose a day within {years} years of today."),
    "day_unclear": Text.of("“{text}” isn't a day. Write it like this: {example}, or choose one."),
    "block_self": Text.of("You can't block yourself."),
    "too_many_blocked": Text.plural(
        "You've already blocked {most} player, the maximum. Use /block remove first.",
        "You've already blocked {most} players, the maximum. Use /block remove first.",
        by="most",
    ),
    "reminders_unclear": Text.of(
        "“{text}” isn't clear. Write whole hours or days before the deadline, such as 2d, 12h, 3h."
    ),
    "reminders_many": Text.plural(
        "You can have {most} reminder before a deadline.",
        "You can have {most} reminders before a deadline.",
        by="most",
    ),
    "zone_unknown": Text.of(
        "“{text}” isn't a known time zone. Write a city, like Berlin or New York, or UTC+2."
    ),
    "zone_unclear": Text.of("“{text}” could be several time zones: {allowed}. Which one?"),
    "player_unknown": Text.of(
        "Discord didn't say who this is. Choose the player again from the list it shows."
    ),
    "not_blocked": Text.of("You haven't blocked <@{player}>."),
    "server_only": Text.of("This works only in a server, not in direct messages."),
    "owner_only": Text.of(
        "Only the owner of this bot can do that: the person or team that Discord's developer portal"
        " names."
    ),
    "no_words": Text.of("Write a message first."),
    "words_long": Text.of("That message is too long. Shorten it a little."),
    "no_servers": Text.of("Parlour may not speak in any server."),
    "not_manager": Text.of("Only people with the permission Manage Server can do that."),
    "not_its_channel": Text.of("Choose channels of this server where people can write."),
    "lobby_refused": Text.of(
        "Parlour can't show the lobby in {channel}. Allow View Channel, Send Messages and Read"
        " Message History there, or choose another channel."
    ),
    "not_its_role": Text.of("Choose a role of this server."),
    "ping_role_everyone": Text.of("All members have @everyone already. Choose another role."),
    "ping_role_managed": Text.of(
        "An integration manages <@&{role}>, so Parlour can't give it. Choose another role."
    ),
    "ping_role_permissions": Text.of(
        "Players give themselves this role, so it must have no permissions, and <@&{role}> has"
        " some. Remove them, or choose another role."
    ),
    "ping_role_not_ours": Text.of(
        "Parlour needs the permission Manage Roles to give players a role."
    ),
    "ping_role_above": Text.of(
        "Parlour can't give <@&{role}>. In the server's list of roles, move Parlour's role above"
        " it."
    ),
    "ping_role_silent": Text.of(
        "Parlour can't ping <@&{role}>. In the role's settings, allow anyone to @mention it."
    ),
    "ping_role_none": Text.of("This server no longer pings a role for new offers."),
    "ping_role_refused": Text.of(
        "Discord didn't let Parlour change your roles. Ask a manager of this server to give Parlour"
        " Manage Roles and a role above <@&{role}>."
    ),
    "ping_role_failed": Text.of(
        "Discord can't change your roles right now. Try again in a minute."
    ),
    "webhook_address": Text.of(
        "That isn't an address Parlour can send to. Give one like https://example.org/parlour: with"
        " https, a name instead of a number, and no port, password or spaces. Nothing has changed."
    ),
}

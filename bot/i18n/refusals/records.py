"""Refusals of files of matches."""

from __future__ import annotations

from games.view import Text

RECORDS: dict[str, Text] = {
    "record_running": Text.of("Only its players can download a match while it's running."),
    "record_empty": Text.of("This file is empty."),
    "record_too_large": Text.of("This file is too large. The maximum is {limit} KiB."),
    "record_unreadable": Text.of("Discord didn't hand over this file. Please try again."),
    "record_encoding": Text.of("Line {line}: this isn't UTF-8 text."),
    "record_character": Text.of("Line {line}: the character {character} isn't allowed here."),
    "record_json": Text.of("Line {line}, character {column}: this isn't JSON."),
    "record_depth": Text.plural(
        "Line {line}: this nests more than {most} level deep.",
        "Line {line}: this nests more than {most} levels deep.",
        by="most",
    ),
    "record_number_size": Text.of("The number {number} isn't allowed in a match file."),
    "record_heading": Text.of('Line {line}: a heading looks like this: [Game "Name of the game"]'),
    "record_twice": Text.of("Line {line}: “{name}” appears twice."),
    "record_missing": Text.of("“{name}” is missing from the file."),
    "record_value": Text.of("Line {line}: “{value}” isn't a valid “{name}”."),
    "record_comment": Text.of("Line {line}: the comment that starts here has no end."),
    "record_variation": Text.of("Line {line}: this parenthesis has no counterpart."),
    "record_variations": Text.of(
        "Line {line}: variations hold at most {most} moves, at most {deepest} one after another."
    ),
    "record_second": Text.of("Line {line}: a second match starts here. A file holds only one."),
    "record_number": Text.of("Line {line}: number {expected} should come next."),
    "record_long": Text.plural(
        "Line {line}: a file can hold at most {most} move.",
        "Line {line}: a file can hold at most {most} moves.",
        by="most",
    ),
    "record_game": Text.of("Line {line}: there's no game “{game}”. Choose from: {allowed}."),
    "record_players": Text.plural(
        "Line {line}: the game has {seats} player, but the file names {players}.",
        "Line {line}: the game has {seats} players, but the file names {players}.",
        by="seats",
    ),
    "record_rules": Text.of(
        "Line {line}: this was played under version {version} of the rules of {game}; here it's"
        " version {ours}."
    ),
    "record_setup": Text.of("Line {line}: {game} doesn't start from this position."),
    "record_refused": Text.of("Line {line}: {reason}"),
    "record_move": Text.of("Line {line}: move {number}, “{move}”, isn't possible. {reason}"),
    "record_over": Text.of(
        "Line {line}: move {number}, “{move}”, comes after the end of the game."
    ),
    "record_turn": Text.of("Line {line}: “{turn}” is more than one turn."),
    "record_retired": Text.of(
        "Line {line}: player {player} has resigned, so move {number} must be {expected}."
    ),
    "record_resigned": Text.of("Line {line}: this resignation isn't possible."),
    "record_count": Text.plural(
        "Line {line}: this says {said}, but the file has {found} move.",
        "Line {line}: this says {said}, but the file has {found} moves.",
        by="found",
    ),
    "record_result": Text.of("Line {line}: this says “{said}”, but the moves lead to “{found}”."),
}

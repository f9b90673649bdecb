"""Refusals of the computer: opponents, hints, reviews and puzzles."""

from __future__ import annotations

from games.view import Text

COMPUTERS: dict[str, Text] = {
    "rated_computer": Text.of(
        "Matches against the computer are casual. Play a person for a rated match."
    ),
    "no_such_level": Text.plural(
        "The computer has {levels} level in this game.",
        "The computer has {levels} levels in this game. Choose one from 1 to {levels}.",
        by="levels",
    ),
    "computer_on_turn": Text.of(
        "The computer is thinking, and your clock isn't running. Ask again when it's your turn."
    ),
    "computer_matches": Text.plural(
        "You already have {most} match against the computer. Finish it first.",
        "You already have {most} matches against the computer. Finish one first.",
        by="most",
    ),
    "still_thinking": Text.of("The computer is still working on your last question."),
    "computers_busy": Text.of(
        "The computer has too many matches to play just now. Try again in a few minutes."
    ),
    "computers_busy_here": Text.of(
        "The computer has many matches of this server to play just now. Try again in a few"
        " minutes, or play it in direct messages."
    ),
    "reviews_waiting": Text.of(
        "{most} reviews that you asked for are still in the works. Ask for the next one when the"
        " first of them is done."
    ),
    "computer_failed": Text.of("The computer couldn't work that out. Try again."),
    "puzzle_refused": Text.of(
        "Parlour can't post in {channel}. It needs View Channel, Send Messages and Attach Files"
        " there."
    ),
    "no_hints": Text.of(
        "You can't get hints in this match. Players get them against the computer, and in casual"
        " matches whose players have agreed to them."
    ),
    "rated_hints": Text.of("There are no hints in rated matches. Offer a casual one."),
    "start_for_computers": Text.of(
        "Only a match against the computer can begin with a position of another match."
    ),
    "still_played": Text.of(
        "You're playing a match without hints from this position. The computer's help opens"
        " once that match is over or has gone another way."
    ),
    "review_over": Text.of("A match can be reviewed when it is over."),
    "review_empty": Text.of("No move was made in this match, so there's nothing to review."),
}

"""Refusals of tournaments."""

from __future__ import annotations

from games.view import Text

TOURNAMENTS: dict[str, Text] = {
    "tournament_no_abort": Text.of(
        "Tournament matches can't be aborted. You can resign, or withdraw from the tournament."
    ),
    "tournament_no_takebacks": Text.of("This tournament doesn't allow takebacks."),
    "tournament_no_pause": Text.of("Tournament matches can't be paused."),
    "tournament_no_rematch": Text.of("The tournament decides who plays next, so no rematch."),
    "not_a_ladder": Text.of("Only a ladder has challenges."),
    "no_challenge": Text.of("That challenge isn't open any more."),
    "tournament_not_begun": Text.of("This tournament hasn't begun yet."),
    "tournament_paused": Text.of("This tournament is paused."),
    "no_such_act": Text.of("There's no such entry in the log."),
    "cannot_undo": Text.of("This can't be undone."),
    "undo_followed": Text.of("Something has already followed from this, so it can't be undone."),
    "no_such_tournament": Text.of("There's no such tournament here."),
    "too_many_tournaments": Text.plural(
        "This server already has {most} tournament, the maximum. Wait until one is over.",
        "This server already has {most} tournaments, the maximum. Wait until one is over.",
        by="most",
    ),
    "not_director": Text.of("Only the directors of this tournament can do that."),
    "tournament_damaged": Text.of(
        "What is stored of this tournament is damaged, so nothing happens in it until the host"
        " has mended it."
    ),
    "tournament_changed": Text.of(
        "The tournament has moved on. Check what this would do now, then confirm again."
    ),
    "reason_wanted": Text.of("Give a reason. The players can read it."),
    "reason_long": Text.of("Keep the reason to {most} characters."),
    "role_wanted": Text.of("This tournament is for members with one of these roles: {roles}"),
    "no_trf": Text.of("There's no FIDE report for this kind of tournament. Download the table."),
    "format_seats": Text.plural(
        "This kind of tournament needs a game for {seats} player.",
        "This kind of tournament needs a game for {seats} players.",
        by="seats",
    ),
    "no_byes": Text.of("Only a Swiss tournament has byes."),
    "you_not_entered": Text.of("You aren't in this tournament."),
    "no_bots": Text.of("Bots can't enter tournaments."),
    "registration_closed": Text.of("Registration for this tournament is closed."),
    "check_in_closed": Text.of("You can't check in to this tournament now."),
    "list_long": Text.of("A list can have up to {most} lines. Send a longer one in parts."),
    "list_empty": Text.of("There's no player on that list. Write one on each line."),
    "list_line": Text.of(
        "Line {line}: only numbers can follow the name, the seed (up to {most}) and the rating."
    ),
    "list_unreadable": Text.of(
        "Parlour can't read that file. Send text or CSV of at most {limit} KiB, saved as UTF-8."
    ),
    "list_gone": Text.of("Parlour no longer has that list. Send it again."),
    "guests_many": Text.of("You can invite at most {most} players to a tournament."),
    "tournament_full": Text.of("This tournament is full: {most} players have entered."),
    "entrant_excluded": Text.of("A director excluded you from this tournament."),
    "player_excluded": Text.of("That player was excluded from this tournament."),
    "rating_not_allowed": Text.of(
        "This tournament is for ratings {band}, and yours is outside that range."
    ),
    "not_kept_apart": Text.of("Only in a Swiss tournament can players be kept apart."),
    "apart_players": Text.of("Choose from 2 to {most} players of this tournament."),
    "apart_groups": Text.of(
        "You can keep at most {most} groups of players apart. Let one of them meet again first."
    ),
    "not_all_entered": Text.of("Not in this tournament: {players}. Choose only its players."),
    "not_entered": Text.of("That player isn't in this tournament."),
    "already_entered": Text.of("That player is already in this tournament."),
    "game_begun": Text.of("That player has already played, so they can't be replaced."),
    "round_drawn": Text.of("That round has already been paired."),
    "round_never": Text.of("This tournament doesn't have a round {round}."),
    "byes_used": Text.of(
        "You've used your half-point byes (at most {most}). You can still ask for a zero-point bye."
    ),
    "tournament_over": Text.of("This tournament is over."),
    "no_such_game": Text.of("There's no such game in this tournament."),
    "game_decided": Text.of("This game already has a result. Correct it instead."),
    "not_decided": Text.of("This game has no result yet, so there's nothing to correct."),
    "points_wrong": Text.of(
        "Those points aren't possible. Two players share one point; four share seven."
    ),
    "tournament_cancelled": Text.of("This tournament was cancelled."),
    "has_followed": Text.of(
        "Later games depend on this result and have begun, so it can't change now."
    ),
    "meeting_open": Text.of(
        "That result would leave this meeting undecided, and it's too late for another game of it."
    ),
    "round_begun": Text.of(
        "A player has already moved in this round, so it can't be paired again."
    ),
    "no_round": Text.of("This round hasn't been paired."),
    "date_past": Text.of("That date is in the past. Choose a later one."),
    "not_later": Text.of("There's time until then already. Choose a later day."),
    "round_unfinished": Text.of(
        "Some games are still running. Decide them or wait for them first."
    ),
    "tournament_name": Text.of("Give the tournament a name of up to {most} characters."),
    "tournament_size": Text.of(
        "Choose from {least} to {most} players, the minimum not above the maximum."
    ),
    "tournament_ratings": Text.of("The highest rating must be above the lowest one."),
    "tournament_rounds": Text.of(
        "Choose from {least} to {most} rounds, and more players than rounds."
    ),
    "tournament_range": Text.of("{option} is out of range. Choose from {least} to {most}."),
    "dates_order": Text.of(
        "Registration must close before the tournament begins, and it must begin before it ends."
    ),
    "tournament_long": Text.of("The last day is too far away: {days} days is the most."),
    "arena_length": Text.of("An arena lasts from 30 minutes to 4 hours."),
    "finish_early": Text.plural(
        "The games can't all be played by then. Allow at least {hours} hour, or choose fewer"
        " players or rounds, or a faster clock.",
        "The games can't all be played by then. Allow at least {hours} hours, or choose fewer"
        " players or rounds, or a faster clock.",
        by="hours",
    ),
    "finish_early_days": Text.plural(
        "The games can't all be played by then. Allow at least {days} day, or choose fewer"
        " players or rounds, or a faster clock.",
        "The games can't all be played by then. Allow at least {days} days, or choose fewer"
        " players or rounds, or a faster clock.",
        by="days",
    ),
    "challenge_up": Text.of("You can only challenge players above you on the ladder."),
    "challenge_far": Text.of("You can challenge players up to {most} places above you."),
    "challenge_busy": Text.of("One of you already has a game or a challenge on this ladder."),
    "moment_unclear": Text.of(
        "“{text}” isn't a day and time. Write it like this: {example}, 14 March 18:00, Sat 10:00."
    ),
    "setup_full": Text.of("That's more than this page can hold. Choose fewer roles or options."),
    "tournament_game": Text.of("{game} doesn't fit this kind of event. Choose another game."),
    "rehearsal_over": Text.of("This rehearsal is over. Press Rehearse to start another one."),
}

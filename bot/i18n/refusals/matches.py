"""Refusals of playing a match: moves, requests, plans, and looking back."""

from __future__ import annotations

from games.view import Text

MATCHES: dict[str, Text] = {
    "no_such_match": Text.of("There's no such match here. /matches lists all of yours."),
    "not_started": Text.of("This match hasn't started yet. Its offer is waiting for an answer."),
    "match_over": Text.of("This match is over. Start a new one with /play."),
    "not_a_player": Text.of(
        "Only the players of this match can do that. Start your own with /play."
    ),
    "have_left": Text.of("You've left this match, and the others play on. Watch it with /board."),
    "not_your_turn": Text.of(
        "It's not your turn: {player} is to move. Use /plan to prepare your answer."
    ),
    "already_played": Text.of("You've already played {move}."),
    "position_changed": Text.of("The position has changed. Here's the board as it is now."),
    "too_late_to_abort": Text.of(
        "You can abort a match only before its second move. You can resign instead."
    ),
    "no_substitute": Text.of(
        "A substitute can take a seat when a player has left the server, in a match of more than"
        " two players that has its own thread, no computer and no player who resigned."
    ),
    "nudge_clock": Text.of(
        "This match has a clock, so time decides. In a match without one, you can claim it from an"
        " opponent who has gone silent."
    ),
    "nudge_self": Text.of("It's your turn, so there's nobody to wait for."),
    "nudge_early": Text.of(
        "Your opponent still has time. If nothing happens, you can remind them <t:{time}:R>."
    ),
    "claim_nudge": Text.of("Remind your opponent first. If they stay silent, you can claim."),
    "claim_early": Text.of(
        "You've reminded your opponent. If they stay silent, you can claim the match <t:{time}:R>."
    ),
    "match_wanted": Text.of(
        "Choose a match from the suggestions, or type the command in the thread of the match."
    ),
    "match_unclear": Text.of("Several matches fit. Choose one from the suggestions."),
    "no_draws": Text.of("{game} has no draws, so you can't offer one."),
    "draw_pending": Text.of("Your draw offer is still waiting for an answer."),
    "no_draw_offer": Text.of("The draw offer is no longer open."),
    "own_draw_offer": Text.of("This draw offer is yours. The other players have to answer it."),
    "takeback_pending": Text.of("Your takeback request is still waiting for an answer."),
    "takeback_first": Text.of(
        "Another player has asked to take back a move. Answer that request first."
    ),
    "no_takeback_offer": Text.of("The takeback request is no longer open."),
    "own_takeback_offer": Text.of(
        "You asked for this takeback. The other players have to answer it."
    ),
    "nothing_to_take_back": Text.of("You have no move in this match to take back."),
    "pause_pending": Text.of("Your pause request is still waiting for an answer."),
    "no_pause_offer": Text.of("The pause request is no longer open."),
    "own_pause_offer": Text.of("You asked for this pause. The other players have to answer it."),
    "abort_pending": Text.of("Your request to abort is still waiting for an answer."),
    "no_abort_offer": Text.of("The request to abort is no longer open."),
    "own_abort_offer": Text.of(
        "You asked to abort this match. The other players have to answer it."
    ),
    "asked_already": Text.plural(
        "You asked for that a moment ago. You can ask again after {more} more move.",
        "You asked for that a moment ago. You can ask again after {more} more moves.",
        by="more",
    ),
    "nothing_to_withdraw": Text.of("You have no open request."),
    "no_clock": Text.of(
        "This match has no clock, so there's nothing to pause. Take all the time you need."
    ),
    "paused_already": Text.of("Already paused. /match resume or the next move restarts the clock."),
    "not_paused": Text.of("This match isn't paused."),
    "not_over": Text.of("This match isn't over yet, so you can't have a rematch."),
    "nothing_over_here": Text.of("You have no finished match here. Start a new one with /play."),
    "list_closed": Text.of("<@{player}> doesn't show their finished matches to others."),
    "too_many_notes": Text.plural(
        "You have {most} note on this match, the maximum. Remove one first.",
        "You have {most} notes on this match, the maximum. Remove one first.",
        by="most",
    ),
    "too_many_favourites": Text.plural(
        "You have {most} favourite, the maximum. Remove one first.",
        "You have {most} favourites, the maximum. Remove one first.",
        by="most",
    ),
    "list_of_others": Text.of("Of another player, you can list only the finished matches."),
    "plan_empty": Text.of(
        "That line has no answer of yours. Write the moves up to your next turn, then your answer."
        " Each * stands for one move of another player."
    ),
    "plan_long": Text.plural(
        "That's too long. A line has at most {most} move.",
        "That's too long. A line has at most {most} moves.",
        by="most",
    ),
    "plan_full": Text.plural(
        "You already have {most} line, the maximum. Remove one first.",
        "You already have {most} lines, the maximum. Remove one first.",
        by="most",
    ),
    "plan_any": Text.of(
        "* stands for one move of another player, but move {number} of this line would be yours."
        " Write your own move there, or remove a *."
    ),
    "plan_over": Text.of("The game would be over before the end of this line."),
    "time_over": Text.of("Your time has run out."),
    "rules_changed": Text.of(
        "The rules of {game} have changed since this match started, so it can't continue here."
    ),
    "game_gone": Text.of(
        "This bot no longer has the game of this match, so it can't continue here. Please tell its"
        " host."
    ),
    "match_damaged": Text.of(
        "Some of this match's data is damaged, so it can't continue for now. Its clock is stopped,"
        " and Parlour's host can see why. To leave it without a result, use /match resign."
    ),
    "history_damaged": Text.of(
        "Some of this match's data is damaged, so it can't be shown or continued. Parlour's host"
        " can see why."
    ),
    "tournament_decides": Text.of(
        "This match belongs to a tournament. Its directors decide it; see /tournament."
    ),
    "places_wrong": Text.of("Choose a place for every player first."),
    "no_takebacks": Text.of("This match was offered without takebacks."),
    "no_such_ply": Text.of(
        "There's no move “{number}” in this match. 0 is the start, {count} the latest move."
    ),
    "no_moves_yet": Text.of("No moves have been played in this match, so there's no replay."),
    "no_film": Text.of(
        "Can't make this replay: its file would be too large here, or too many pictures are being"
        " drawn. /match history shows every position, as text too."
    ),
    "may_not_share": Text.of("You can't write in this channel, so it isn't shared here."),
    "may_not_share_there": Text.of(
        "You can't write in {channel}, so the replay isn't shared there."
    ),
    "not_shared_there": Text.of(
        "Discord refused to post the replay in {channel}: it isn't shared."
    ),
    "not_shared": Text.of("Discord refused to post it here, so it isn't shared."),
    "ambiguous": Text.of("“{text}” could be several moves: {candidates}. Which one?"),
    "choose_match": Text.of("You have several matches. Which one?"),
    "move_empty": Text.of("Type a move, for example: {hint}"),
    "no_match_here": Text.of(
        "You have no match here. Start one with /play, or see all your matches with /matches."
    ),
}

"""Codes into sentences: every refusal that a person may read.

A code that a game raises has its sentence in :attr:`games.api.GameInfo.refusals`; the codes of the
host and of options are here. A placeholder that an error does not fill is filled with nothing.
"""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.domain.match import MatchStatus
from bot.errors import UserError
from games import catalog
from games.errors import AmbiguousMove, GameError
from games.view import Text

__all__ = ["REFUSALS", "STATUSES", "refusal"]

REFUSALS: dict[str, Text] = {
    # of the services
    "no_such_match": Text.of("There is no such match here. /games shows all of yours."),
    "not_started": Text.of("This match has not started yet: its offer waits for an answer."),
    "match_over": Text.of("This match is over. Start another one with /play."),
    "not_a_player": Text.of(
        "Only the players of this match can do that. Start one of your own with /play."
    ),
    "have_left": Text.of("You have left this match, and the others play on. See it with /board."),
    "not_your_turn": Text.of(
        "It is not your turn: {player} is to move. With /plan you can prepare your answer."
    ),
    "already_played": Text.of("You have already played {move}."),
    "position_changed": Text.of("The position has changed. Here is the board as it is now."),
    "too_late_to_abort": Text.of(
        "A match can be aborted only before its second move. You can resign instead."
    ),
    "no_draws": Text.of("There are no draws in {game}, so none can be offered."),
    "draw_pending": Text.of("Your draw offer is still waiting for an answer."),
    "no_draw_offer": Text.of("There is no draw offer to answer any more."),
    "own_draw_offer": Text.of("This draw offer is your own; the others have to answer it."),
    "takeback_pending": Text.of("Your takeback is still waiting for an answer."),
    "takeback_first": Text.of("Somebody else asks to take a move back. Answer that first."),
    "no_takeback_offer": Text.of("There is no takeback to answer any more."),
    "own_takeback_offer": Text.of("It is you who asked for this takeback; the others answer it."),
    "nothing_to_take_back": Text.of(
        "You have made no move in this match that could be taken back."
    ),
    "pause_pending": Text.of("Your wish for a pause is still waiting for an answer."),
    "no_pause_offer": Text.of("Nobody asks for a pause any more."),
    "own_pause_offer": Text.of("It is you who asked for this pause; the others answer it."),
    "nothing_to_withdraw": Text.of(
        "You ask for nothing any more, so there is nothing to withdraw."
    ),
    "no_clock": Text.of(
        "This match has no clock, so there is nothing to pause: take all the time you need."
    ),
    "paused_already": Text.of(
        "The clock stands still already. /resume, or a move of whoever is on turn, lets it run on."
    ),
    "not_paused": Text.of("This match is not paused."),
    "not_over": Text.of("This match is not over yet, so there can be no rematch."),
    "not_played_here": Text.of(
        "This match belongs to another place. Ask for the rematch where it was played."
    ),
    "nothing_over_here": Text.of(
        "I find no finished match of yours here. Press Rematch under its board, or type /play."
    ),
    "rematch_pending": Text.of("You are in for the rematch already. It waits for an answer."),
    "rematch_made": Text.of(
        "The rematch of this match has been made. For another one, press the button under its"
        " board when it is over, or type /play."
    ),
    "game_wanted": Text.of(
        "Choose a game as well. With nothing else filled in, /play shows all that can be chosen in"
        " menus."
    ),
    "player_erased": Text.of(
        "One of the players has left Parlour, so there can be no rematch. Offer a new match with"
        " /play."
    ),
    "offer_closed": Text.of("This offer is no longer open: {status}."),
    "offered_already": Text.of("You have made this offer already. For another one, type /play."),
    "own_offer": Text.of("This is your own offer. You can withdraw it."),
    "already_seated": Text.of(
        "You have a seat in this match already. It starts when all are taken."
    ),
    "not_invited": Text.of("This offer is for somebody else. Make one of your own with /play."),
    "not_your_offer": Text.of("Only the person who made an offer can withdraw it."),
    "invite_self": Text.of("You cannot play against yourself. Choose somebody else."),
    "invite_bot": Text.of("Bots do not take seats. Choose a person."),
    "invite_twice": Text.of("You have named the same person twice. Name each only once."),
    "too_many_players": Text.of("That is too many people: this game has {seats} seats."),
    "no_such_seat": Text.of("This game has no such side. It has {seats} of them."),
    "direct_needs_people": Text.of("In direct messages, name the people you want to play with."),
    "rated_options": Text.of(
        "A rated match needs one of the usual values for {option}: {offered}."
        " Choose one of them, or play a casual match."
    ),
    "rated_side": Text.of(
        "In a rated match lots decide who begins. Leave the side out, or play a casual match."
    ),
    "plan_on_turn": Text.of("It is your turn: make a move first, then plan the next ones."),
    "plan_empty": Text.of(
        "There is no move of yours in that. Write what the others play until it is your turn, then"
        " your answer; each * stands for one move of theirs."
    ),
    "plan_long": Text.of("That is too long: a line has at most {most} moves."),
    "plan_full": Text.of("You have planned {most} lines, and more are not kept. Drop one first."),
    "plan_any": Text.of(
        "* stands for one move of the others, and move {number} of this line would be yours."
        " Write your own move there, or leave out a *."
    ),
    "plan_over": Text.of("The game would be over before the end of this line."),
    "other_server": Text.of(
        "A match stays in the server where it was offered, and one in direct messages stays there."
    ),
    "channel_busy": Text.of(
        "Another match is running in this channel. Finish it first, or use another channel."
    ),
    "time_over": Text.of("Your time has run out."),
    "clock_unclear": Text.of(
        "I do not understand the clock “{text}”. Write it like one of these: 3d (for each move),"
        " 7d+1d, 7d+1d max 14d, 10m+5s, none. You can add: weekends off, no vacation, automatic"
        " vacation."
    ),
    "clock_range": Text.of(
        "The clock “{text}” is beyond what there is: a clock begins with {least} to {most}, one"
        " move has {per_move} at most, and at most {increment} are added after a move."
    ),
    "clock_cap": Text.of("The clock “{text}” begins with more than the most that it may hold."),
    "clock_weekends": Text.of(
        "The clock “{text}” is too short to stand still at weekends. It needs a day or more."
    ),
    "clock_vacation": Text.of(
        "The clock “{text}” is too short for vacation. It needs a day or more."
    ),
    "no_vacations": Text.of("There is no vacation here. You can ask for a pause with /pause."),
    "vacation_both": Text.of(
        "Give either the number of days or the day on which you are back, not both."
    ),
    "vacation_past": Text.of("That is not in the future. Choose a later day."),
    "vacation_too_long": Text.of(
        "That would be a vacation of {days} days, and you can have one of {most} at most."
    ),
    "not_on_vacation": Text.of("You are not on vacation."),
    "day_unclear": Text.of(
        "I do not understand the day “{text}”. Write it like this: {example}, or choose one."
    ),
    "rules_changed": Text.of(
        "The rules of {game} have changed since this match began, so it cannot go on here."
    ),
    "game_gone": Text.of(
        "This bot no longer has the game of this match, so it cannot go on here."
        " Please tell whoever runs it."
    ),
    "store_unavailable": Text.of(
        "Nothing can be saved just now, so nothing has changed. Please try again in a minute."
    ),
    # of block lists and limits
    "you_blocked": Text.of("You have blocked <@{player}>. /unblock them first."),
    "you_blocked_here": Text.of(
        "You have blocked <@{player}>, who is part of this match. /unblock them to join it."
    ),
    "cannot_invite": Text.of("This offer cannot be made to these people. Choose somebody else."),
    "cannot_join": Text.of("You cannot take a seat in this match. Try another one."),
    "block_self": Text.of("You cannot block yourself."),
    "too_many_blocked": Text.of(
        "You have blocked {most} people already, and more do not fit. /unblock somebody first."
    ),
    "too_many_offers": Text.of(
        "You have {most} open offers, which is as many as one may have. Withdraw one, or wait until"
        " one is answered; /games shows them."
    ),
    "offers_to_one": Text.of(
        "You have asked <@{player}> {most} times within a day. Give them time to answer."
    ),
    "cool_down": Text.of("<@{player}> has declined. You can ask them again <t:{time}:R>."),
    "too_many_matches": Text.of(
        "You have {most} matches running, which is as many as one may have. Finish one first."
    ),
    "player_busy": Text.of(
        "<@{player}> has as many matches running as one may have. Try again when one has ended."
    ),
    "server_full": Text.of(
        "{most} matches are running in this server, which is as many as it may have."
        " Try again when one has ended, or play in direct messages."
    ),
    # of open offers
    "band_unclear": Text.of(
        "I do not understand the rating band “{text}”. Write 1400-1700, 1600+, -1500 or ±150."
    ),
    "band_range": Text.of(
        "The rating band “{text}” is beyond what there is: it lies between {least} and {most},"
        " begins below its end, and reaches at least {around} to either side of your rating."
    ),
    "band_needs_seat": Text.of(
        "Every seat of this offer is kept for somebody, so a rating band would mean nothing. Leave"
        " it out, or leave a seat open."
    ),
    "outside_band": Text.of(
        "This offer is for ratings {band}, and {rating} is yours in this game. Take another one, or"
        " make one of your own with /play."
    ),
    "lasting_unclear": Text.of(
        "I do not understand how long “{text}” is. Write it like one of these: 30m, 6h, 2d, 1d12h."
    ),
    "lasting_range": Text.of("An offer stands for {least} at least and {most} at most."),
    "rated_often": Text.of(
        "You and <@{player}> have had {most} rated matches of this game within {days} days, and"
        " more do not count. Play a casual one."
    ),
    # of settings
    "zone_unknown": Text.of(
        "“{text}” is no time zone that I know. Write a city, like Berlin or New York, or UTC+2."
    ),
    "zone_unclear": Text.of("“{text}” may be several time zones: {allowed}. Which one?"),
    "not_blocked": Text.of("You have not blocked <@{player}>."),
    "server_only": Text.of("This works in a server only, not in direct messages."),
    "not_manager": Text.of(
        "Only people with the permission Manage Server can see and change its settings."
    ),
    "not_offered_here": Text.of("In this server matches are offered in other channels: {channels}"),
    "not_an_offerer": Text.of("In this server only people with the role <@&{role}> offer matches."),
    "not_its_channel": Text.of("Choose channels of this server in which one can write."),
    "lobby_refused": Text.of(
        "The list of open offers cannot be shown in {channel}. Give me the permissions View"
        " Channel, Send Messages and Read Message History there, or choose another channel."
    ),
    "not_its_role": Text.of("Choose a role of this server."),
    # of records
    "record_running": Text.of("Only its players can export a match while it is running."),
    "record_which": Text.of(
        "No match of yours is running here. For another one, give the letters under its board in"
        " the match field, or press Record under the board of a finished match."
    ),
    "record_empty": Text.of("There is nothing in this file."),
    "record_too_large": Text.of("This file is too large for a record: at most {limit} KiB."),
    "record_unreadable": Text.of("I could not get this file from Discord. Please try again."),
    "record_encoding": Text.of("Line {line}: this is not text in UTF-8."),
    "record_character": Text.of("Line {line}: the character {character} does not belong here."),
    "record_json": Text.of("Line {line}, character {column}: this is not JSON."),
    "record_depth": Text.of("Line {line}: this nests more than {most} levels deep."),
    "record_number_size": Text.of("The number {number} does not belong into a record."),
    "record_heading": Text.of('Line {line}: a heading looks like this: [Game "Name of the game"]'),
    "record_twice": Text.of("Line {line}: “{name}” is there twice."),
    "record_missing": Text.of("The record does not have “{name}”."),
    "record_value": Text.of("Line {line}: “{value}” does not fit “{name}”."),
    "record_comment": Text.of("Line {line}: the comment that begins here has no end."),
    "record_variation": Text.of("Line {line}: variations in parentheses cannot be read."),
    "record_second": Text.of("Line {line}: a second game begins here. One file holds one game."),
    "record_number": Text.of("Line {line}: number {expected} should come next."),
    "record_long": Text.of("Line {line}: a record has at most {most} moves."),
    "record_game": Text.of("Line {line}: there is no game “{game}”. There are: {allowed}."),
    "record_players": Text.of(
        "Line {line}: the game has {seats} players, and the record names {players}."
    ),
    "record_rules": Text.of(
        "Line {line}: this was played under version {version} of the rules of {game};"
        " here it is version {ours}."
    ),
    "record_setup": Text.of("Line {line}: {game} does not start from this position."),
    "record_refused": Text.of("Line {line}: {reason}"),
    "record_move": Text.of("Line {line}: move {number}, “{move}”, is not possible. {reason}"),
    "record_over": Text.of(
        "Line {line}: move {number}, “{move}”, comes after the end of the game."
    ),
    "record_turn": Text.of("Line {line}: “{turn}” is more than one turn."),
    "record_retired": Text.of(
        "Line {line}: player {player} has resigned, so move {number} must be {expected}."
    ),
    "record_resigned": Text.of("Line {line}: nobody can have resigned like this."),
    "record_count": Text.of("Line {line}: this says {said} moves, and there are {found}."),
    "record_result": Text.of("Line {line}: this says “{said}”, but the moves lead to “{found}”."),
    # of positions gone by
    "history_which": Text.of(
        "No match of yours is running here. For another one, give the letters under its board in"
        " the match field, or press the button under the board of a finished match."
    ),
    "no_such_ply": Text.of(
        "There is no move “{number}” in this match: 0 is the start, {count} the newest move."
    ),
    "no_moves_yet": Text.of("No move has been played in this match, so there is no replay."),
    "no_film": Text.of(
        "This replay cannot be made: its file would be too large here, or too much is being drawn"
        " just now. /history shows every position, in words too."
    ),
    "may_not_share": Text.of("You may not write in this channel, so I do not share it here."),
    "not_shared": Text.of("Discord did not let me post the replay here. It is not shared."),
    # of options
    "game_unknown": Text.of("There is no game “{game}”. There are: {allowed}."),
    "option_unknown": Text.of("There is no option “{option}”. There are: {allowed}."),
    "option_value": Text.of("“{value}” does not fit the option {option}. Possible: {allowed}."),
    # of the user interface
    "ambiguous": Text.of("“{text}” may mean several moves: {candidates}. Which one?"),
    "bug": Text.of(
        "Something went wrong on our side; nothing has changed. If you report it, name {bug}."
    ),
    "choose_match": Text.of("You have several matches. Which one do you mean?"),
    "game_needed": Text.of("Choose a game first."),
    "no_lesson": Text.of("There is no lesson for {game} yet. /rules explains it."),
    "move_empty": Text.of("Type a move, for example: {hint}"),
    "no_match_here": Text.of(
        "There is no match of yours here. Start one with /play, or see /games for all of yours."
    ),
    "not_in_server": Text.of("{name} is not in this server and could not see the match."),
    "option_unclear": Text.of("I do not understand “{text}”. Write options like this: {example}"),
    "option_twice": Text.of("The option {option} is there twice."),
    "out_of_date": Text.of(
        "This control is out of date. Use the newest message, or /board or /games to find it."
    ),
    "side_unknown": Text.of("There is no side “{side}”. Possible: {allowed}."),
    "slow_down": Text.of(
        "That was a lot at once, so nothing was changed. Please wait a moment and try again."
    ),
    "too_late": Text.of(
        "That took too long to reach me, so nothing was changed. Please try again."
    ),
    "no_messages_here": Text.of(
        "There are no messages in such a channel, so no match can be played in it. Use a text"
        " channel or a thread."
    ),
    "cannot_post_here": Text.of(
        "I cannot post in this channel. Ask for the permissions {permissions}, or play elsewhere."
    ),
    "old_command": Text.of("This command has changed. Please type it again."),
}
"""What is refused, by code."""

STATUSES: dict[MatchStatus, Text] = {
    MatchStatus.OFFERED: Text.of("it is open"),
    MatchStatus.RUNNING: Text.of("the match has started"),
    MatchStatus.FINISHED: Text.of("the match is over"),
    MatchStatus.ABORTED: Text.of("the match was aborted"),
    MatchStatus.DECLINED: Text.of("it was declined"),
    MatchStatus.WITHDRAWN: Text.of("it was withdrawn"),
    MatchStatus.EXPIRED: Text.of("it has expired"),
}
"""What has become of a match, to stand within a sentence."""


def nameless(user_id: UserId) -> Text:
    """What stands for somebody whose name nobody knows: ``Player 1234``, by the last digits."""
    return Text.of("Player {number}", number=f"{abs(user_id) % 10_000:04}")


def refusal(error: UserError | GameError, game: str | None = None) -> Text:
    """The sentence for a refusal; ``game`` is the key of the game that was asked, if one was.

    A code without a sentence is a bug of whoever raises it, and raises :exc:`KeyError`.
    """
    if isinstance(error, AmbiguousMove):
        return REFUSALS["ambiguous"].filled(
            {"text": error.text[:40], "candidates": ", ".join(error.candidates[:10])}
        )
    sentence = None
    if isinstance(error, GameError) and game in catalog.GAMES:
        sentence = catalog.GAMES[game].info.refusals.get(error.code)
    if sentence is None:
        sentence = REFUSALS[error.code]
    return sentence.filled(error.params)

"""Refusals by code.

Code that raises :exc:`bot.errors.UserError` names a code from here; a new refusal is one line below
its subject.
"""

from __future__ import annotations

from games.view import Text

REFUSALS: dict[str, Text] = {
    # ---- the computer: opponents, hints, reviews and puzzles -------------------------------------
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
    # ---- by Discord and by Parlour itself, for any request ---------------------------------------
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
    # ---- a match: moves, requests, plans, and looking back ---------------------------------------
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
    "takeback_first": Text.of(
        "Another player has asked to take back a move. Answer that request first."
    ),
    "nothing_to_take_back": Text.of("You have no move in this match to take back."),
    "request_pending": Text.of("Your request is still waiting for an answer."),
    "request_gone": Text.of("This request is no longer open."),
    "own_request": Text.of("This request is yours. The other players have to answer it."),
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
    # ---- offers: players, sides, options, clocks, ratings and limits -----------------------------
    "not_played_here": Text.of("This match was played somewhere else. Ask for the rematch there."),
    "rematch_pending": Text.of("You've already asked for a rematch. It's waiting for an answer."),
    "rematch_made": Text.of(
        "The rematch of this match already exists. For another one, use the rematch button when"
        " it's over, or type /play."
    ),
    "game_wanted": Text.of(
        "Choose a game too. Without any fields, /play shows all choices in menus."
    ),
    "player_erased": Text.of(
        "One of the players has left Parlour, so you can't have a rematch. Offer a new match with"
        " /play."
    ),
    "offer_closed": Text.of("This offer is no longer open: {status}."),
    "offered_already": Text.of("You've already made this offer. For another one, type /play."),
    "own_offer": Text.of("This is your own offer. You can withdraw it."),
    "already_seated": Text.of(
        "You already have a seat in this match. It starts when all seats are taken."
    ),
    "not_invited": Text.of("This offer is for another player. Make your own with /play."),
    "not_your_offer": Text.of("Only the player who made an offer can withdraw it."),
    "invite_self": Text.of("You can't play against yourself. Choose another player."),
    "invite_bot": Text.of(
        "Bots can't take seats. Choose a person, or fill in **computer** to play Parlour itself."
    ),
    "invite_twice": Text.of("You named the same player twice. Name each player once."),
    "too_many_players": Text.plural(
        "That's too many players. This game has {seats} seat.",
        "That's too many players. This game has {seats} seats.",
        by="seats",
    ),
    "matches_range": Text.of("One offer can start from 1 to {most} matches."),
    "matches_for_all": Text.of(
        "Only an offer that anyone can accept may start more than one match. Name no opponent, or"
        " offer a single match."
    ),
    "matches_need_threads": Text.of(
        "Only one match at a time is played here, because matches have no threads of their own."
        " Offer a single match."
    ),
    "no_such_seat": Text.plural(
        "There's no such side. This game has {seats} side.",
        "There's no such side. This game has {seats} sides.",
        by="seats",
    ),
    "direct_needs_people": Text.of("In direct messages, name the players you want to play with."),
    "rated_options": Text.of(
        "For a rated match, {option} must be one of these: {offered}. Choose one, or play a casual"
        " match."
    ),
    "rated_side": Text.of(
        "In a rated match, sides are drawn by lot. Leave the side out, or play a casual match."
    ),
    "other_server": Text.of(
        "A match stays in the server, or the direct messages, where it was offered."
    ),
    "channel_busy": Text.of(
        "Another match is running in this channel. Finish it first, or use another channel."
    ),
    "clock_unclear": Text.of(
        "“{text}” isn't a clock. Write it like one of these: 3d (for each move), 7d+1d, 7d+1d max"
        " 14d, 10m+5s, none. You can add: weekends off, no vacation, automatic vacation."
    ),
    "clock_range": Text.of(
        "The clock “{text}” is out of range. A clock starts with {least} to {most}, a move has at"
        " most {per_move}, and at most {increment} is added after a move."
    ),
    "clock_cap": Text.of("The clock “{text}” starts above its own maximum."),
    "clock_weekends": Text.of(
        "The clock “{text}” is too short for weekends off. It needs a day or more."
    ),
    "clock_vacation": Text.of(
        "The clock “{text}” is too short for vacation. It needs a day or more."
    ),
    "you_blocked": Text.of("You've blocked <@{player}>. Use /block remove first."),
    "you_blocked_here": Text.of(
        "You've blocked <@{player}>, who is in this match. Use /block remove, then join it."
    ),
    "wants_no_messages": Text.of(
        "<@{player}> hasn't asked Parlour for direct messages, so you can't challenge them here."
        " Offer the match in a server you share, or ask them to choose direct messages in"
        " /settings."
    ),
    "cannot_invite": Text.of("You can't make this offer to these players. Choose others."),
    "cannot_join": Text.of("You can't take a seat in this match. Try another one."),
    "too_many_offers": Text.plural(
        "You have {most} open offer, the maximum. Withdraw one, or wait for an answer; /matches"
        " lists them.",
        "You have {most} open offers, the maximum. Withdraw one, or wait for an answer; /matches"
        " lists them.",
        by="most",
    ),
    "offers_to_one": Text.plural(
        "You've asked <@{player}> {most} time today. Give them time to answer.",
        "You've asked <@{player}> {most} times today. Give them time to answer.",
        by="most",
    ),
    "cool_down": Text.of(
        "<@{player}> has declined this game. You can offer it again <t:{time}:R>, or another game"
        " now."
    ),
    "too_many_matches": Text.plural(
        "You have {most} running match, the maximum. Finish one first.",
        "You have {most} running matches, the maximum. Finish one first.",
        by="most",
    ),
    "player_busy": Text.of(
        "<@{player}> has reached the maximum number of running matches. Try again when one has"
        " ended."
    ),
    "server_full": Text.plural(
        "This server has {most} running match, its maximum. Try again when one has ended, or play"
        " in direct messages.",
        "This server has {most} running matches, its maximum. Try again when one has ended, or"
        " play in direct messages.",
        by="most",
    ),
    "band_unclear": Text.of(
        "“{text}” isn't a rating range. Write 1400-1700, 1600+, -1500 or ±150."
    ),
    "band_range": Text.of(
        "The rating range “{text}” is out of range. It must lie between {least} and {most}, start"
        " below its end, and reach at least {around} to either side of your rating."
    ),
    "band_needs_seat": Text.of(
        "Every seat of this offer is reserved, so a rating range would have no effect. Leave it"
        " out, or leave a seat open."
    ),
    "outside_band": Text.of(
        "This offer is for ratings {band}; yours in this game is {rating}. Take another one, or"
        " make your own with /play."
    ),
    "lasting_unclear": Text.of(
        "“{text}” isn't a duration. Write it like one of these: 30m, 6h, 2d, 1d12h."
    ),
    "lasting_range": Text.of("An offer can stay open from {least} to {most}."),
    "rated_often": Text.plural(
        "You and <@{player}> have already played {most} rated match of this game in {days} days,"
        " the maximum. Play a casual one.",
        "You and <@{player}> have already played {most} rated matches of this game in {days} days,"
        " the maximum. Play a casual one.",
        by="most",
    ),
    "not_offered_here": Text.of(
        "In this server, matches are offered in other channels: {channels}"
    ),
    "not_an_offerer": Text.of(
        "In this server, only people with the role <@&{role}> can offer matches."
    ),
    "not_a_role_player": Text.of("In this server, only people with the role <@&{role}> can play."),
    "not_an_arranger": Text.of(
        "In this server, only managers and people with the role <@&{role}> can do that."
    ),
    "follow_own": Text.of("You play in this match yourself. Your notices tell you about it."),
    "follow_self": Text.of("You can't follow yourself. Choose another player."),
    "follow_direct": Text.of("Matches in direct messages can't be followed."),
    "follow_blocked": Text.of("You can't follow this player."),
    "follow_many": Text.of(
        "You can follow at most {most} at a time. Unfollow some with /view first."
    ),
    "followers_many": Text.of("Too many people follow already. Look in with /view instead."),
    "game_unknown": Text.of("There's no game “{game}”. Choose from: {allowed}."),
    "option_unknown": Text.of("There's no option “{option}”. Choose from: {allowed}."),
    "option_value": Text.of("“{value}” isn't a value of {option}. Choose from: {allowed}."),
    "option_bare": Text.of("Write a value after {option}: {allowed}."),
    "game_needed": Text.of("Choose a game first."),
    "option_unclear": Text.of(
        "Can't read “{text}” as an option. Write options like this: {example}"
    ),
    "option_twice": Text.of("You gave the option {option} twice."),
    "side_unknown": Text.of("There's no side “{side}”. Choose from: {allowed}."),
    # ---- files of matches ------------------------------------------------------------------------
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
    # ---- choices of players and servers: vacations, blocks, time zones, channels -----------------
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
    # ---- tournaments -----------------------------------------------------------------------------
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
    "no_tournament": Text.of("There's no tournament here yet."),
    "no_own_tournament": Text.of(
        "You haven't entered a tournament. Join one in its server, and this works here too."
    ),
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

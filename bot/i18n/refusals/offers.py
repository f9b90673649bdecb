"""Refusals of offers: players, sides, options, clocks, ratings and limits."""

from __future__ import annotations

from games.view import Text

OFFERS: dict[str, Text] = {
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
}

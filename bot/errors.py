"""Refusals that people read, as codes.

A :class:`UserError` says that something asked for cannot be done, and nothing has changed. It
``no_such_match``      there is no such match, or it is not this person's to see
``not_started``        the match is still an offer
``match_over``         the match has ended; ``status``
``not_a_player``       only its players may do this
``have_left``          the same, for a player whom the others play on without
``not_your_turn``      somebody else is on turn; ``player``: index of the player on turn
``already_played``     this very move of this player is the last move; ``move``
``position_changed``   the match has moved on since the board that was used was drawn; ``version``
``too_late_to_abort``  a match can be aborted only before its second move
``no_draws``           the rules of the game know no draw; ``game``
``draw_pending``       this player's own draw offer is waiting for an answer
``no_draw_offer``      there is no draw offer to answer
``own_draw_offer``     one cannot answer one's own draw offer
``takeback_...``       ``takeback_pending``, ``no_takeback_offer``, ``own_takeback_offer``: likewise
``pause_...``          ``pause_pending``, ``no_pause_offer``, ``own_pause_offer``: likewise
``takeback_first``     another player asks for a takeback, which is to be answered first
``nothing_to_take_back``  this player has made no move yet
``nothing_to_withdraw``  this player asks for nothing that could be withdrawn
``no_clock``           a match without a clock cannot be paused
``paused_already``     the clock stands still already
``not_paused``         the clock does not stand still
``not_over``           there can be a rematch only of a match that was played and is over
``not_played_here``    a rematch is offered in the server where the match before was played
``nothing_over_here``  no match of this person is over in this channel
``rematch_pending``    this person has a seat in the rematch, which waits for others
``rematch_made``       there has been a rematch of this match
``game_wanted``        an offer names all sorts of things, but no game
``player_erased``      no rematch with somebody who had themselves erased
``offer_closed``       the offer is no longer open; ``status``: what became of it
``offered_already``    this very offer has been made; another one begins with ``/play``
``own_offer``          one cannot accept or decline one's own offer
``already_seated``     this person has a seat in the match already
``not_invited``        the free seats are kept for others, or there is none to decline
``not_your_offer``     only who made an offer may withdraw it
``invite_self``        one cannot invite oneself
``invite_bot``         bots do not take seats
``rated_computer``     matches against computers are casual
``rated_hints``        there are no hints in rated matches
``no_such_level``      the computer does not play the game at that level; ``levels``: how many
``computer_on_turn``   no clock runs while a computer thinks, so there is none to pause
``computer_matches``   this person has many matches against computers; ``most``
``computer_failed``    no engine answered
``start_for_computers``  people have agreed to no other position to begin with
``review_over``        only a match that was played to its end is reviewed
``puzzle_refused``     we may not post in the channel chosen for puzzles; ``channel``
``no_hints``           hints are for who plays computers alone, or where the players agreed to them
``no_computers_here``  the bot has no workers beside it that could answer a question at once
``computers_busy``     the host's computers have too much to do for one match more
``invite_twice``       the same person is invited twice
``too_many_players``   more people than seats; ``seats``
``no_such_seat``       the wished seat is not at this table; ``seats``
``direct_needs_people``  in direct messages every seat is for a person named in the offer
``rated_options``      a rated match has an offered size; ``option``, ``offered``
``rated_side``         in a rated match lots decide who begins
``nudge_clock``        where a clock runs, time decides
``nudge_self``         whoever is on turn waits for nobody
``nudge_early``        not silent for long enough; ``time`` (seconds)
``claim_nudge``        claimed without a reminder before
``claim_early``        reminded, but not long enough ago; ``time`` (seconds)
``kept_out``           who manages the server does not let this person play there
``keep_out_self``      one cannot keep oneself out
``not_kept_out``       who is to be let in is not kept out; ``player``
``asked_already``      asked for the same again too soon; ``more`` (moves)
``plan_empty``         a line without a move of the planner's
``plan_long``          too many moves in a line, or a word too long to be one; ``most``
``plan_full``          too many lines; ``most``
``plan_any``           "anything" in the place of the planner's own move
``plan_over``          moves after the end of the game
``other_server``       a match stays in its server, and one in direct messages stays there
``channel_busy``       another match runs in this channel; ``match``
``you_blocked``        the actor has blocked somebody they want to invite; ``player``: user id
``you_blocked_here``   the same, of somebody in the match they want to join; ``player``
``cannot_invite``      somebody does not want to be brought together with somebody else; not who
``cannot_join``        somebody in the match has blocked the actor; not who
``player_unknown``     Discord does not say who it is that a field of a command names
``block_self``         one cannot block oneself
``too_many_blocked``   the block list is full; ``most``
``too_many_offers``    the actor has as many open offers as one may have; ``most``
``offers_to_one``      the actor has asked this person often enough today; ``player``, ``most``
``cool_down``          this person has just declined; ``player``, ``time``: when to ask again
``too_many_matches``   the actor has as many matches running as one may have; ``most``
``player_busy``        somebody else has; ``player``
``server_full``        the server has as many matches running as it may have; ``most``
``band_unclear``       a text is no rating band; ``text``
``band_range``         a rating band beyond what there is; ``text``, and the bounds
``band_needs_seat``    a rating band where no seat is open to all
``outside_band``       the actor's rating is not in the band; ``band``, ``rating``
``lasting_unclear``    a text is no length of time; ``text``
``lasting_range``      an offer cannot stand so long, or so short; ``text``, ``least``, ``most``
``rated_often``        two people have had enough rated matches; ``player``, ``most``, ``days``
``lobby_refused``      we may not post where the lobby is to be; ``channel``
``zone_unknown``       there is no such time zone; ``text``
``zone_unclear``       it may be several; ``text``, ``allowed``
``not_manager``        only who may manage the server may do this
``not_offered_here``   matches are offered in other channels of this server; ``channels``
``not_an_offerer``     matches are offered by people with a role; ``role``
``time_over``          this player's time has run out
``clock_unclear``      a text is no clock; ``text``
``clock_range``        a clock beyond what there is; ``text``, and the bounds
``clock_cap``          a clock may hold less than it begins with; ``text``
``clock_weekends``     a clock too short to stand still at weekends; ``text``
``rules_changed``      the match began under other rules of its game; ``game``
``game_gone``          this installation no longer has the game; ``game``
``match_damaged``      what is stored of a running match is damaged: it is set aside
``history_damaged``    the same of an offer or a match that is over
``record_...``         a file is no record: ``line`` where there is one, and what is wrong
``registration_closed`` nobody may enter a tournament now
``tournament_full``    as many have entered as may; ``most``
``entrant_excluded``   a director has put this person out
``rating_not_allowed`` the rating is not one that the tournament is for
``not_entered``        nobody of that number is in the tournament
``already_entered``    the person is in it already
``game_begun``         a game of this entrant has begun
``round_drawn``        the round has been drawn already
``byes_used``          no more half-point byes; ``most``
``tournament_over``    the tournament has ended
``no_such_game``       the tournament has no such game
``game_decided``       the game has a result, which can be corrected
``not_decided``        the game has no result yet
``points_wrong``       points that a game cannot give
``tournament_cancelled`` there is no result to correct
``has_followed``       later ties were played on that result
``round_begun``        a game of the round has begun
``no_round``           there is no such round
``date_past``          a date is in the past
``round_unfinished``   games of the tournament are running
``tournament_name``    a name is empty or too long; ``most``
``tournament_size``    numbers of players that cannot be; ``least``, ``most``
``tournament_rounds``  a number of rounds that cannot be; ``least``, ``most``
``tournament_range``   another number out of range; ``option``, ``least``, ``most``
``dates_order``        closing, beginning and finish are not in this order
``tournament_long``    the promised day is too far away; ``days``
``arena_length``       an arena is too short or too long
``finish_early``       the promised day cannot be kept; ``hours``
``challenge_up``       a challenge goes to a higher rung
``challenge_far``      the rung is too far up; ``most``
``challenge_busy``     one of the two has a game of the ladder
``no_takebacks``       the match was offered without takebacks
``tournament_no_...``  ``tournament_no_abort``, ``tournament_no_takebacks``,
                       ``tournament_no_pause``, ``tournament_no_rematch``: not in its matches
``not_a_ladder``       only a ladder has challenges
``no_challenge``       there is no such challenge to answer
``tournament_not_begun``  the tournament has not begun
``tournament_paused``  the tournament is paused
``no_such_act``        there is no such entry in the log
``cannot_undo``        there is no opposite of this act
``undo_followed``      something has followed from an act, or it was undone
``no_such_tournament``  there is no such tournament, or it is not this person's to see
``too_many_tournaments``  the server has as many as may run; ``most``
``not_director``       only a director may do this
``tournament_damaged``  what is stored of a tournament is damaged: it is set aside
``tournament_changed``  the tournament has moved on since the preview
``reason_wanted``      this act needs a reason
``reason_long``        a reason is too long; ``most``
``role_wanted``        the tournament is for people with a role; ``roles``
``no_trf``             the report format cannot tell tournaments of this format
``format_seats``       the game of an event is for another number of players; ``seats``
``no_byes``            only a Swiss tournament has byes to ask for
``you_not_entered``    the person is not in this tournament
``no_bots``            bots cannot enter a tournament
``store_unavailable``  the database cannot be written just now; ``reason``: a word for the host
=====================  =====================================================================
=======
carries a code and parameters; the sentence of each code stands in
:data:`bot.i18n.sentences.REFUSALS`, and nowhere else. What the rules of a game refuse arrives as
:class:`games.errors.GameError`, also a code and parameters. Anything else that is raised is a bug:
it gets an id and a traceback in the log, and it leaves the match as it was.
"""

from __future__ import annotations


class UserError(Exception):
    """Something that was asked for cannot be done, and nothing has changed.

    ``code`` names its sentence, ``params`` fills the placeholders of that.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        words = " ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code} {words}".rstrip()

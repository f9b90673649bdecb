"""Tournaments told as texts: players, directors, results and days, in any order they may come."""

from __future__ import annotations

import pytest

from bot.tournaments.domain import acts
from bot.tournaments.domain.crosstable import LOSS, WIN
from bot.tournaments.domain.planning import LARGEST
from tests.tournaments.scenario import Scenario

REGISTRATION = {
    "registration opens, closes and refuses": """
        swiss 0 rounds=3 most=5 rating_from=1000 rating_to=2000
        enter 1:1500 2:1600 | enter 1:1500 -> nothing
        enter 3 ! rating_not_allowed | enter 3:900 ! rating_not_allowed
        enter 3:2100 ! rating_not_allowed | enter 3:1000 4:2000 5:1200
        enter 6:1500 ! tournament_full | leaves 5 | leaves 5 -> nothing | enter 5:1300
        ? [x.number for x in t.active] == [1, 2, 3, 4, 5]
        ? t.entrants[-1].rating == 1300
        exclude 5 | exclude 5 -> nothing | enter 5:1200 ! entrant_excluded
        close | close -> nothing | enter 9:1200 ! registration_closed
        reopen now ! date_past | reopen finish ! dates_order
        reopen closes+1d | reopen closes+1d -> nothing | replace 4 44 | replace 4 44 -> nothing
        ? (t.entrants[3].user_id, t.entrants[3].rating) == (44, 2000)
        replace 4 1 ! already_entered | replace 5 7 ! not_entered | withdraw 99 ! not_entered""",
    "once the last round is paired it is too late to enter": """
        swiss 6 rounds=3 late_entry
        all 1:0 | ? t.is_open | enter 7 | draw | all 1:0 | ? t.is_open | enter 8 | draw
        ? len(t.rounds) == 3
        enter 9 ! registration_closed""",
    "byes are asked for before their round and late entrants have them": """
        swiss 0 rounds=4 late_entry
        enter 1 2 3 4 5 | bye 5 1 half | bye 5 1 half -> nothing | bye 5 2 half ! byes_used
        bye 5 5 half ! round_never
        bye 5 2 zero | close | draw | ? t.rounds[0].byes == {5: Kind.HALF_BYE}
        bye 4 1 zero ! round_drawn | reopen finish ! round_drawn
        enter 6 | ? t.rounds[0].byes == {5: Kind.HALF_BYE, 6: Kind.HALF_BYE}
        all 1:0 | draw | enter 7
        ? {x.byes[7] for x in t.rounds} == {Kind.ZERO_BYE}
        play""",
    "a round in which all but one have asked for byes has no games": """
        swiss 0 rounds=3
        enter 1 2 3 | bye 2 1 half | bye 3 1 half | close | draw
        ? t.rounds[0].byes == {2: Kind.HALF_BYE, 3: Kind.HALF_BYE, 1: Kind.FULL_BYE}
        ? len(t.rounds) == 1""",
    "what is asked for too early or of nobody": """
        swiss 0 rounds=3
        enter 1 2 | draw -> nothing | leaves 2 | bye 2 1 zero ! not_entered
        begin 1.1 ! no_such_game""",
    "who leaves forfeits what has not begun, and who is put out everything": """
        round_robin 4
        begin 1.2 | begin 1.2 -> nothing | ? t.games["1.2"].game.players == (2, 3)
        leaves 2 | ? not t.games["1.2"].is_over
        ? {x.how for x in t.of_entrant(2) if x.is_over} == {How.NO_SHOW}
        ? [x.points[x.game.players.index(2)] for x in t.of_entrant(2) if x.is_over] == [0, 0]
        replace 1 9 ! game_begun
        exclude 2 | ? (points(t, "1.2"), t.games["1.2"].how) == ("0:1", How.DIRECTOR)
        leaves 1 | leaves 3 | quits 1 ! you_not_entered | leaves 4 | draw -> finished""",
    "a substitute takes the place of a player whose match has begun": """
        round_robin 4
        begin 1.2 | replace 2 9 -> replaced | ? t.entrants[1].user_id == 9""",
    "too few entrants cancel a swiss": """
        swiss 0
        enter 1 | close | draw -> cancelled | enter 2 ! tournament_over | draw -> nothing""",
    "too few entrants cancel tables of four": """
        tables 0 least=4
        enter 1 2 3 | close | draw -> cancelled | enter 4 ! tournament_over""",
    "nobody cancels a cup, and one alone is its first": """
        knockout 0
        enter 1 | ? ranks(t) == [1]
        leaves 1 | close | draw -> cancelled""",
    "players who come back have their points, and missed rounds are byes": """
        swiss 0 rounds=5 late_entry
        enter 1:1900 2:1800 3 4 5 6 | close | draw | wins 1 | leaves 1 | all 1:0 | draw
        enter 1:2000
        ? [(x.number, x.rating) for x in t.active if x.number == 1] == [(1, 1900)]
        ? len(t.entrants) == 6
        play
        ? t.crosstable().competitors[1].lines[1].kind == Kind.ZERO_BYE
        ? t.crosstable().competitors[1].lines[0].kind == Kind.PLAYED""",
    "a first round that was undone is drawn once more, with players who came since": """
        swiss 2 rounds=3
        redraw | ? not t.games
        draw | ? [x.game.players for x in t.pending] == [(1, 2)]
        redraw | reopen closes+1d | enter 103 | close | draw
        ? (len(t.active), bool(t.games)) == (3, True)""",
    "a first round of a cup that was undone is drawn once more": """
        knockout 2
        redraw | draw | ? [x.game.players for x in t.pending] == [(1, 2)]
        redraw | reopen closes+1d | enter 103 | close | draw | ? len(t.games) == 1""",
    "a player who was excluded forfeits a game that is paired again": """
        round_robin 3
        exclude 1 | redraw | draw
        ? (t.games["3.1"].game.players, points(t, "3.1")) == ((3, 1), "1:0")""",
    "who was excluded wins nothing, and who left unplayed has no place": """
        swiss 0 rounds=3
        enter 105 | withdraw 1 | enter 101 102 103 104 | close | draw | all 1:0
        ? [(x.rank, x.number) for x in placings(t)] == [(1, 2), (1, 4), (3, 3), (3, 5)]
        exclude 2
        ? [(x.rank, x.number) for x in placings(t)] == [(1, 4), (2, 3), (2, 5), (4, 2)]
        ? placings(t)[-1].points == 1""",
    "a list lets its players in though others cannot, seeded as it says": """
        swiss 0 rounds=3 rating_from=1000
        enter 1:1500 2:1600 | invite 1:2 3:1 4::1700 | close
        enter 5:2000 ! registration_closed
        enter 4:1200 3 | ? t.unanswered == ()
        ? [t.entrants[x - 1].user_id for x in t.seeding] == [3, 1, 4, 2]
        draw | invite 6 ! registration_closed""",
    "a list is taken back for those who have not joined by it": """
        knockout 0
        enter 1 2 | invite 2:3 3:2 4:1 | wait 1s | enter 3 | undo invited
        ? [x.user_id for x in t.invited] == [3]
        ? [x.seed for x in t.entrants] == [None, None, 2]
        undo undone ! cannot_undo""",
    "a list is no longer than the largest tournament": f"""
        swiss 0 | invite {" ".join(map(str, range(1, LARGEST + 2)))} ! guests_many""",
    "seeds are moved until the first round, by those who are in": """
        knockout 0
        enter 1 2 3 | withdraw 2 | seed 2 1 ! not_entered | check_in 2 ! not_entered
        seed 3 1 | close | draw | ? t.seeding[0] == 3
        seed 1 1 ! round_drawn""",
    "a list for those who come late leaves the seeds": """
        swiss 4 rounds=3 late_entry
        mark a | invite 9:1 -> invited | ? t.seeding == a.seeding""",
    "who has not checked in is out before the first round": """
        round_robin 0 check_in=1h
        enter 1 2 3 | check_in 1 ! check_in_closed | until begins-30m
        check_in 1 | enter 4 | close | until begins | draw
        ? t.status.value == "running"
        ? [x.user_id for x in t.active] == [1, 4]
        ? not any({2, 3} & {*x.game.players} for x in t.games.values())""",
}
RESULTS = {
    "twice lost on time is out after a warning": """
        round_robin 5
        1.2 0:1 | ? not t.entrants[2].is_warned
        2.1 1:0 time | ? (t.entrants[2].is_warned, t.entrants[2].is_active) == (True, True)
        3.1 0:1 no_show | ? not t.entrants[2].is_active
        ? all(x.is_over for x in t.of_entrant(3))""",
    "who has left is neither warned nor put out": """
        swiss 4 rounds=3
        begin 1.2 | leaves 3 | 1.2 0:1 time -> scored""",
    "losses on time may cost nothing": "swiss 2 rounds=3 time_losses=0 | 1.1 0:1 time -> scored",
    "one loss on time may be the last": """
        swiss 2 rounds=3 time_losses=1 | 1.1 0:1 time -> scored withdrawn""",
    "what is unfinished on the last day is decided by the stated rule": """
        round_robin 4 at_once=1
        decide 1.1 1:0 | extend 1 finish 1.2 | until round | overdue
        ? [x.is_over for x in t.in_round(1)] == [True, False]
        until finish | overdue | overdue -> nothing
        ? (points(t, "1.1"), points(t, "1.2")) == ("1:0", "1/2:1/2")
        draw -> finished""",
    "no-shows lose, and if neither comes both do": """
        knockout 4
        no_show W1.1.1 1 | no_show W1.2.1 2,3 | draw -> finished
        ? placings(t)[0].number == 4""",
    "who leaves a table of four leaves the places to the others": """
        tables 8 rounds=1 least=4
        leaves 8 | ? points(t, "1.1") == "7/3:7/3:0:7/3"
        no_show 1.2 7,6 | ? points(t, "1.2") == '0:0:3:3'""",
    "who is level at the final table as before shares a place": """
        tables 8 rounds=1 least=4 final_table
        1.1 7/4:7/4:7/4:7/4 | 1.2 0:0:4:0 | ? ranks(t) == [1, 2, 2, 2, 2, 6, 6, 6]
        draw | 2.1 4:0:0:0 | ? ranks(t) == [1, 2, 2, 2, 5, 6, 6, 6]""",
    "games begin as many at once as the tournament says": """
        round_robin 6 at_once=2
        start -> begun begun begun begun begun begun | start -> nothing | 1.1 1:0 | 1.2 1:0
        ? max(sum(n in x.players for x in startable(t)) for n in range(1, 7)) == 1
        pause | start -> nothing | draw -> nothing | overdue -> nothing""",
    "a round of which all games are forfeited is followed by the next": """
        swiss 4 rounds=3 time_losses=0
        all 0:1 no_show | draw | ? (len(t.rounds), len(t.active)) == (2, 4)""",
    "a tournament that the rules let go no further ends as it stands": """
        swiss 4 rounds=3
        1.1 1:0 | end ! round_unfinished | 1.2 1:0 | end -> finished | end -> nothing
        draw -> nothing | ? sorted(x.points for x in placings(t)) == [0, 0, 1, 1]""",
    "standings of a round that runs count what is over": """
        swiss 4 rounds=3
        1.1 1:0 | ? [x.points for x in placings(t)] == [1, 0, 0, 0]""",
    "who leaves a meeting half-way loses it without another game": """
        knockout 4 best_of=3
        all 1:0 | leaves 1 | draw | ? sum(1 in x.game.players for x in t.games.values()) == 1
        play | ? (t.status.value, 4 in t.in_round(2)[0].game.players) == ("finished", True)""",
    "who went on from a meeting that broke off stays in the bracket when they leave too": """
        knockout 8 best_of=2
        wins 8 | leaves 1 | wins 4 | wins 2 | wins 3 | draw | wins 4 | wins 2 | wins 3 | draw
        wins 8 | wins 2 | draw | wins 8 | wins 2 | draw
        ? [x.game.players for x in t.in_round(3)] == [(2, 8)]
        wins 2 | leaves 8 | draw -> finished
        ? (len(t.in_round(3)), placings(t)[0].number) == (1, 2)""",
    "who lost a meeting that is open again does not go on from it in the other bracket": """
        knockout 4 best_of=3 double
        leaves 4 | wins 3 | draw | wins 3 | draw | exclude 3 | correct W1.2.2 0:0 | draw
        ? {*t.games["F1.1"].game.players} == {1, 2}
        play
        ? [*t.games] == ["W1.1.1", "W1.2.1", "W1.2.2", "W2.1.1", "F1.1", "F1.2"]""",
}
DIRECTORS = {
    "what makes no sense is refused": """
        swiss 4 rounds=3
        1.1 1:0 | correct 1.1 1/4:1/4 ! points_wrong | decide 1.2 1 ! points_wrong
        extend 1 finish 1.1 ! game_decided | extend 1 round 1.2 -> nothing
        cancel | correct 1.1 0:1 ! tournament_cancelled""",
    "directors extend, redraw and cancel": """
        swiss 4 rounds=3
        redraw | draw | extend 1 finish+1d
        ? t.finish == t.rounds[0].until + timedelta(days=5)
        ? {x.until for x in t.pending} == {t.rounds[0].until}
        extend 1 round -> nothing | extend 1 now-1d ! date_past | extend 2 finish ! no_round
        extend 1 finish 9.9 ! no_such_game
        cancel | cancel -> nothing | end -> nothing | pause ! tournament_over""",
    "before the first round none is paired again": "swiss 0 rounds=3 | redraw ! no_round",
    "a pause moves all days still to come": """
        round_robin 3
        pause | pause -> nothing | wait 2d | resume | resume -> nothing
        ? t.finish - t.setup.finish == timedelta(days=2, minutes=2)
        ? {x.until for x in (*t.pending, *t.rounds)} == {t.finish}""",
    "a round of forfeits is undone with what they cost": """
        swiss 6 rounds=3
        leaves 1 | ? t.entrants[0].time_losses == 1
        redraw | ? (len(t.games), sum(x.time_losses for x in t.entrants)) == (0, 0)
        draw | ? len(t.rounds[0].byes) == 2""",
    "a correction undoes a round that nobody has begun, and no other": """
        swiss 6 rounds=3
        correct 1.1 0:1 ! not_decided | all 1:0 | draw
        decide 1.1 0:1 ! game_decided | decide 1.1 1:0 -> nothing | correct 1.1 1:1 ! points_wrong
        correct 1.1 0:1 -> undrawn corrected | correct 1.1 0:1 -> nothing | ? len(t.rounds) == 1
        draw | begin 2.1 | correct 1.1 1:0 2.1 -> corrected
        correct 1.1 0:1 -> undrawn corrected | draw | redraw | ? len(t.rounds) == 1
        draw | ? t.rounds[1].drawn == t.version
        2.1 1:0 | redraw ! round_begun""",
    "after the end a result is corrected for the record": """
        round_robin 3
        play | correct 1.1 0:1 -> corrected | ? t.status.value == 'finished'""",
    "after the end of a swiss as well": "swiss 4 rounds=3 | play | correct 1.1 0:1 -> corrected",
    "a ladder has no round to be paired again": "ladder 4 | redraw ! no_round",
    "in a round robin no pairing follows from a result": """
        round_robin 4
        1.1 1:0 | correct 1.1 0:1 -> corrected | ? len(t.rounds) == 3""",
    "a corrected table undoes the final table, but no round of a design": """
        tables 8 rounds=2 least=4 final_table
        all 4:2:1:0 | draw | correct 1.1 0:1:2:4 -> corrected
        all 4:2:1:0 | draw | ? len(t.in_round(3)) == 1
        correct 1.1 4:2:1:0 -> undrawn corrected
        ? not any(x.lines for x in t.crosstable().competitors.values())""",
    "a correction that changes no winner is allowed though it was followed": """
        knockout 4
        play | correct W1.1.1 1:0 -> corrected | ? t.games["W1.1.1"].how == How.DIRECTOR""",
    "in a cup a result that was followed cannot change the winner": """
        knockout 4
        all 1:0 | draw | correct W1.1.1 0:1 -> undrawn corrected | draw | begin W2.1.1
        correct W1.1.1 1:0 W2.1.1 ! has_followed | correct W1.1.1 1:0 | ? len(t.rounds) == 1""",
    "in a cup only the games that follow from a corrected result are paired again": """
        knockout 8
        all 1:0 | draw | begin W2.1.1 | begin W2.2.1
        correct W1.1.1 0:1 W2.2.1 -> unpaired corrected
        ? (t.games["W2.2.1"].has_begun, "W2.1.1" in t.games) == (True, False)
        draw | ? (8 in t.games["W2.1.1"].game.players, t.games["W2.1.1"].has_begun) == (True, False)
        ? (t.games["W2.1.1"].drawn, len(t.rounds)) == (t.version, 2)
        correct W1.1.1 1:0 W2.1.1 W2.2.1 ! has_followed
        play | ? t.status.value == 'finished'""",
    "a further game of a meeting that is decided after all goes if nobody has begun it": """
        knockout 2 best_of=3
        all 1:0 | draw | all 1:0 | draw | correct W1.1.2 0:1 W1.1.3 ! has_followed
        correct W1.1.2 0:1 -> unpaired corrected | draw -> finished
        ? [*t.games] == ["W1.1.1", "W1.1.2"]""",
    "a deciding final goes with the result that made it necessary": """
        knockout 4 double
        all low | draw | all low | draw | all low | draw | F1.1 0:1 | draw | ? "F2.1" in t.games
        correct F1.1 1:0 F2.1 ! has_followed | correct F1.1 1:0 -> undrawn corrected
        draw -> finished | ? "F2.1" not in t.games""",
    "no correction after the end makes a deciding final necessary": """
        knockout 4 double
        all low | draw | all low | draw | all low | draw | F1.1 1:0 | draw -> finished
        correct F1.1 0:1 ! meeting_open""",
    "a correction cannot send others into meetings that have begun": """
        knockout 4 double
        all 1:0 | draw | correct W1.1.1 0:1 W2.1.1 ! has_followed""",
    "a correction cannot take a round back in which others go on without a game": """
        knockout 5 double
        all 1:0 | draw | correct W1.2.1 0:1 W2.2.1 ! has_followed""",
    "a correction cannot leave a meeting open that others have gone on from": """
        knockout 4 best_of=3
        all low | draw | all low | draw | correct W1.1.1 0:1 W2.1.1 ! meeting_open
        exclude 1 | correct W1.1.1 0:1 W2.1.1 ! meeting_open""",
    "a correction after the end cannot leave the final open": """
        knockout 2 best_of=3
        all low | draw | all low | draw -> finished
        correct W1.1.1 0:1 ! meeting_open | correct W1.1.2 1:0 ! meeting_open""",
    "players are kept apart from the next round on until a director changes it": """
        swiss 8 rounds=5
        part 2,1 2 | part 1,2 2 -> nothing | ? met(t, 1, 1, 2)
        ? forbidden(t) == ((2, 2, (1, 2)),)
        redraw | draw | ? not met(t, 1, 1, 2) | ? forbidden(t) == ((1, 2, (1, 2)),)
        part 1,2 0 | ? forbidden(t) == ((1, 5, (1, 2)),)
        undo | ? forbidden(t) == ((1, 2, (1, 2)),)
        rejoin 1,2 | ? forbidden(t) == ((1, 1, (1, 2)),)
        undo | ? forbidden(t) == ((1, 2, (1, 2)),)
        all 1:0 | draw | undo -parted ! undo_followed | all 1:0 | draw | ? not met(t, 2, 1, 2)
        ? (forbidden(t), t.rounds[2].apart) == (((1, 2, (1, 2)),), ())""",
    "what cannot be kept apart is refused": """
        swiss 4 rounds=3
        part 1,1 0 ! apart_players | part 1,2,3,4,5,6,7,8,9,10,11,12,13 0 ! apart_players
        part 1,5 0 ! not_entered | part 1,2 1 ! round_drawn | part 1,2 4 ! round_never""",
    "only so many groups are kept apart": f"""
        swiss 9 rounds=3
        {" | ".join(f"part {one},{two} 0" for one in range(1, 6) for two in range(one + 1, 10))}
        part 8,9 0 ! apart_groups | part 1,2 0 -> nothing""",
    "directors are appointed and dismissed once": """
        round_robin 4
        appoint 901 | appoint 901 -> nothing | undo | ? t.directors == ()
        appoint 901 | dismiss 901 | dismiss 901 -> nothing | undo | ? t.directors == (901,)""",
    "in a round robin nobody is kept apart": "round_robin 4 | part 1,2 0 ! not_kept_apart",
    "the promised day moves only as far as the rounds to come need": """
        swiss 8 rounds=3 clock=20m+10s
        extend 1 round+1d | ? t.finish == t.setup.finish
        extend 1 finish | ? t.finish - t.setup.finish == 2 * timedelta(minutes=46, seconds=40)
        undo | ? t.finish == t.setup.finish
        extend 1 finish+366d ! tournament_long""",
    "a ladder has one last day for all its games": """
        ladder 4
        challenge 3 1 | accept 1 3 | mark a | extend 1 finish+1d 1.1 ! no_round
        extend 1 finish+1d | ? t.finish == t.games["1.1"].until == t.rounds[0].until
        undo | ? days(t) == days(a)""",
}
OPEN_ENDED = {
    "in an arena free players play, and it ends on its day": """
        arena 5 lasts=1h
        pair -> drawn | ? len(t.pending) == 2
        pair -> nothing | all 1:0 | pair -> drawn
        ? len({frozenset(x.game.players) for x in t.games.values()}) == len(t.games)
        until finish | overdue -> scored scored finished
        ? [x.points for x in placings(t)] == [2, 2, 0, 0, 0]""",
    "a game that an arena cuts short is none where fewer games decide": """
        arena 4 lasts=1h
        pair | 1.1 1:0 | wait 1m | pair -> drawn | 1.2 1:0 | until finish | overdue
        ? ranks(t) == [1, 1, 3, 3]""",
    "in an arena two who just met wait for others who still play, but not for long": """
        arena 4 lasts=1h
        pair | wait 5m | 1.1 1:0 | pair -> nothing | wait 1m | pair -> drawn
        ? t.games["1.3"].game.players == t.games["1.1"].game.players[::-1]""",
    "in an arena two who just met play others who are free": """
        arena 4 lasts=1h
        pair | wait 5m | 1.1 1:0 | 1.2 1:0 | pair -> drawn
        ? len({frozenset(x.game.players) for x in t.games.values()}) == 4""",
    "on a ladder a win over a higher rung takes it": """
        ladder 5 reach=2 late_entry
        challenge 5 1 ! challenge_far | challenge 1 2 ! challenge_up | challenge 9 2 ! not_entered
        challenge 5 3 | challenge 4 3 ! challenge_busy | accept 3 5 | challenge 4 3 ! challenge_busy
        1.1 0:1 | ? t.by_rung == (1, 2, 5, 3, 4)
        enter 200 | leaves 2 | ? t.by_rung == (1, 5, 3, 4, 6)
        ? [x.number for x in placings(t)] == [1, 5, 3, 4, 6]
        enter 102 | ? t.by_rung == (1, 5, 3, 4, 6, 2)""",
    "a challenge is made once and answered once": """
        ladder 4
        challenge 3 1 | challenge 3 1 -> nothing | accept 1 2 ! no_challenge
        decline 1 3 | decline 1 3 ! no_challenge | accept 1 3 ! no_challenge
        challenge 4 3 | accept 3 4 | ? [{*x.game.players} for x in t.pending] == [{3, 4}]""",
    "challenges are for a ladder": "round_robin 3 | challenge 2 1 ! not_a_ladder",
    "challenges are for a ladder that has begun": """
        ladder 0 | enter 101 102 | challenge 2 1 ! tournament_not_begun""",
    "challenges are for a ladder that runs": """
        ladder 4
        pause | challenge 2 1 ! tournament_paused | cancel | challenge 2 1 ! tournament_over""",
    "challenges that nobody answers count as declined, but not while a pause lasts": """
        ladder 4
        challenge 2 1 | challenge 4 3 | unanswered -> nothing | pause | wait 3d
        unanswered -> nothing | resume | wait 3d | unanswered -> declined declined
        ? (t.challenges, t.by_rung) == ((), (1, 2, 3, 4))
        challenge 2 1 | challenge 4 3 | wait 3d | unanswered | ? t.by_rung == (2, 1, 4, 3)""",
}
UNDONE = {
    "more time is not taken back once something rests on it": """
        swiss 4 rounds=3
        extend 1 round+1d | extend 1 round+1d | undo extended ! undo_followed
        until round-1d | undo ! undo_followed""",
    "more time is not taken back once a round was drawn": """
        swiss 4 rounds=3
        extend 1 round+1d | all 1:0 | draw | undo extended ! undo_followed""",
    "more time for a game that is gone is not taken back": """
        knockout 2 best_of=3
        all 1:0 | draw | all 1:0 | draw | extend 1 round+1d W1.1.3 | correct W1.1.2 0:1
        ? [*t.games] == ["W1.1.1", "W1.1.2"]
        undo extended ! undo_followed""",
    "on a ladder undoing gives back the rung": """
        ladder 5
        withdraw 1 | ? t.by_rung == (2, 3, 4, 5)
        undo | ? t.by_rung == (1, 2, 3, 4, 5)
        exclude 2 | challenge 4 3 | accept 3 4 | decide 1.1 0:1 | ? t.by_rung == (1, 4, 3, 5)
        undo | ? (t.by_rung, points(t, "1.1")) == ((1, 3, 4, 5), "")
        1.1 0:1 | undo excluded | ? t.by_rung == (1, 2, 4, 3, 5)""",
    "a challenge does not come back where a player has another": """
        ladder 6
        challenge 4 1 | withdraw 1 | challenge 4 3 | undo withdrawn
        ? (t.by_rung[0], [x.challenged for x in t.challenges]) == (1, [3])""",
    "a challenge does not come back where a player has left": """
        ladder 6
        challenge 4 1 | withdraw 1 | leaves 4 | undo withdrawn
        ? (t.by_rung[0], t.challenges) == (1, ())""",
    "a challenge does not come back where its players stand too far apart": """
        ladder 6
        challenge 4 1 | withdraw 1 | challenge 5 4 | accept 4 5 | wins 5
        ? t.by_rung == (2, 3, 5, 4, 6)
        undo withdrawn | ? (t.by_rung[0], t.challenges) == (1, ())""",
    "registration that was closed early stays closed when a cancellation is undone": """
        swiss 0
        enter 1 2 | close | cancel | undo
        ? (event.at < t.closes, t.status.value) == (True, "closed")""",
    "a withdrawal from a cup that has too few players is undone": """
        knockout 0
        enter 1 | withdraw 1 | undo | ? t.entrants[0].is_active""",
    "a decision stands once a player of the game has another": """
        ladder 3
        challenge 2 1 | accept 1 2 | decide 1.1 1:0 | challenge 3 2 | accept 2 3
        undo decided ! undo_followed""",
    "an act is taken back by any of its events, but not that the tournament was set up": """
        round_robin 4
        exclude 1 -> excluded scored scored scored | undo created ! cannot_undo
        undo 0 ! no_such_act | undo 99 ! no_such_act | undo scored
        ? (t.entrants[0].is_active, any(x.is_over for x in t.games.values())) == (True, False)""",
    "who was put out of a meeting stays out once the other has gone on": """
        knockout 3 best_of=3 double
        begin W1.2.1 | W1.2.1 0:1 | exclude 2 | undo | ? t.entrants[1].is_active
        exclude 2 | draw | ? 2 in t.rounds[1].byes
        undo -excluded ! undo_followed""",
    "a player who had left before they were excluded has left again": """
        round_robin 4
        withdraw 2 | mark a | exclude 2 | undo withdrawn ! undo_followed | undo
        ? seen(t) == seen(a)
        undo withdrawn | ? t.entrants[1].is_active""",
    "a later substitution stands": """
        round_robin 4
        replace 3 201 | replace 3 202 | undo replaced ! undo_followed
        undo | ? t.entrants[2].user_id == 201
        undo replaced | ? t.entrants[2].user_id == 103""",
    "who was added and replaced is not taken out": """
        swiss 0 rounds=3
        add 1 | replace 1 2 | undo entered ! undo_followed""",
    "an act is undone once, and only a director's": """
        round_robin 4
        exclude 1 | undo | undo excluded ! undo_followed | undo ! cannot_undo
        leaves 2 | undo withdrawn ! cannot_undo | undo drawn ! cannot_undo
        redraw | undo ! cannot_undo""",
    "a pause is not undone once a day has passed that it put off": """
        swiss 4 rounds=3
        pause | until round | undo ! undo_followed | resume""",
    "a player who is back has the days of a pause, too": """
        round_robin 4
        mark a | withdraw 1 | pause | wait 2d | resume | undo withdrawn
        ? {x.until - a.games[x.game.id].until for x in t.pending} == {timedelta(2, 60)}""",
    "a player who joined a ladder since stands behind one who is back": """
        ladder 4 late_entry
        withdraw 2 | enter 200 | undo withdrawn | ? t.by_rung == (1, 2, 3, 4, 5)""",
    "the last place is not given to two": """
        swiss 0 rounds=3 most=4
        enter 1 2 3 4 | withdraw 1 | enter 5 | undo withdrawn ! undo_followed""",
    "the acts of a substitute are not laid on the player before": """
        round_robin 4
        replace 3 201 | leaves 3 | undo replaced ! undo_followed""",
    "a seed that a player came back with stands": """
        knockout 0
        enter 1 2 | seed 2 1 | leaves 2 | enter 2 | undo seeded ! undo_followed""",
    "a player who finishes a game at a table after leaving can be back": """
        tables 4 rounds=2 least=4
        begin 1.1 | withdraw 2 | undo | ? t.entrants[1].is_active
        exclude 2 | undo ! undo_followed""",
    "reopening that moved the beginning is not undone": """
        swiss 0 rounds=3
        enter 1 2 3 | close | mark a | reopen begins-1h | undo
        ? (t.status, t.begins) == (a.status, a.begins)
        reopen begins+1h | undo ! undo_followed""",
}
TOLD = REGISTRATION | RESULTS | DIRECTORS | OPEN_ENDED | UNDONE


@pytest.mark.parametrize("text", TOLD.values(), ids=TOLD)
def test_a_tournament_goes_as_it_is_told(text: str) -> None:
    Scenario(text)


@pytest.mark.parametrize(
    ("event", "one", "other"),
    [
        ("round_robin 4", "1.1", "1.2"),
        ("swiss 4 rounds=3", "1.1", "1.2"),
        ("knockout 4", "W1.1.1", "W1.2.1"),
        ("tables 8 game=pythagoras rounds=2 final_table least=4", "1.1", "1.2"),
    ],
)
def test_a_game_and_a_round_are_given_more_time_and_have_it_taken_back(
    event: str, one: str, other: str
) -> None:
    ahead = f't.games["{one}"].until - t.games["{other}"].until'
    Scenario(f"""
        {event}
        mark before | extend 1 round-1d ! not_later | extend 1 round-1d {one} ! not_later
        extend 1 round+2d {one} | ? {ahead} == timedelta(days=2)
        mark alone | extend 1 round+1d | ? {ahead} == timedelta(days=1)
        undo | ? days(t) == days(alone)
        extend 1 round+3d | ? {ahead} == timedelta(0)
        undo | ? days(t) == days(alone)
        undo extended | ? days(t) == days(before)""")


@pytest.mark.parametrize("out", ["withdraw", "exclude"])
@pytest.mark.parametrize("left", [2, 3])
def test_on_a_ladder_undoing_brings_an_open_challenge_back(left: int, out: str) -> None:
    Scenario(f"""
        ladder 5
        challenge 3 2 | challenge 5 4 | {out} {left} | ? [x.challenger for x in t.challenges] == [5]
        wait 2d | undo | ? len(t.challenges) == 2
        ? [x.until for x in t.challenges if x.challenger == 3] == [event.at + timedelta(days=3)]
        accept 2 3""")


@pytest.mark.parametrize(
    ("event", "game", "one", "two"),
    [("knockout 4", "W1.1.1", 1, 4), ("round_robin 4", "1.1", 1, 4), ("swiss 4", "1.1", 1, 2)],
)
def test_a_game_without_its_result_is_forfeited_by_a_player_who_has_left_since(
    event: str, game: str, one: int, two: int
) -> None:
    lost = f'? (points(t, "{game}"), t.games["{game}"].how) == ("1:0", How.NO_SHOW)'
    Scenario(f"{event} | decide {game} 0:1 | withdraw {two} | undo decided | {lost}")
    Scenario(f"""
        {event}
        withdraw {one} | withdraw {two} | undo withdrawn | {lost}
        ? all(t.entrants[n - 1].is_active for x in t.pending for n in x.game.players)""")


@pytest.mark.parametrize(
    ("text", "act", "notes"),
    [
        ("round_robin 2", acts.Cancel(), []),
        ("round_robin 2 | begin 1.1", acts.Cancel(), ["Matches that have begun go on."]),
        ("round_robin 2 rated", acts.Decide("1.1", (WIN, LOSS)), []),
        ("round_robin 2 rated", acts.Decide("1.1", (LOSS, LOSS)), ["It changes no ratings."]),
        (
            "ladder 2 | challenge 2 1 | accept 1 2 | 1.1 0:1",
            acts.Correct("1.1", (WIN, LOSS)),
            ["The rungs stay as they are."],
        ),
        ("swiss 4 rounds=3 | all 1:0 | draw", acts.Correct("1.1", (LOSS, WIN)), []),
        (
            "swiss 4 rounds=3 | all 1:0 | draw | begin 2.1",
            acts.Correct("1.1", (LOSS, WIN)),
            ["Round {round} stays as it is: it has begun."],
        ),
    ],
)
def test_a_director_reads_what_an_act_leaves_as_it_is(
    text: str, act: acts.DirectorAct, notes: list[str]
) -> None:
    event = Scenario(text)
    known = {"moved": {each.game.id for each in event.t.pending if each.has_begun}}
    made = act.decide(event.t, event.act(900), **(known if act.needs else {}))
    facts = [each.event.fact for each in made]
    assert [each.message for each in type(act).notes(act, event.t, facts)] == notes


@pytest.mark.parametrize("how", ["time", "no_show", "played", "unfinished"])
def test_who_resigned_from_a_table_that_others_lose_on_time_is_not_warned(how: str) -> None:
    Scenario(f"""
        tables 4 game=pythagoras rounds=2 least=4
        1.1 4:0:0:2 {how} 2
        ? t.games["1.1"].lost_on_time == t.games["1.1"].game.players[2:3]
        ? tuple(x.number for x in t.entrants if x.is_warned) == t.games["1.1"].lost_on_time
        correct 1.1 4:2:1:0 | correct 1.1 4:0:0:2 {how}
        ? tuple(x.number for x in t.entrants if x.time_losses) == t.games["1.1"].lost_on_time
        ? sum(x.time_losses for x in t.entrants) == 1""")

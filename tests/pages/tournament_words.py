"""A tournament's notices, its log, and the reasons of its pairings and places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from bot.domain.ids import UserId
from bot.domain.match import MatchStatus
from bot.tournaments.domain import acts, challenges, directing, registration, running
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.crosstable import Placing, TieBreak
from bot.tournaments.domain.facts import How, Leaving
from bot.tournaments.domain.fold import TournamentAct
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.catalog import placings
from bot.tournaments.domain.notices import FALLEN, LATER, RISEN, MessageKind, TournamentTrouble
from bot.tournaments.domain.setup import FormatKey, Unfinished
from bot.tournaments.domain.swiss_pairing import Paired
from bot.tournaments.posts import Message
from bot.tournaments.services.views import Preview
from bot.tournaments.store.records import MatchLink
from bot.tournaments.ui.home_page import finished_page, home_page
from bot.tournaments.ui.managing import ask, confirm_page
from bot.tournaments.ui.message_pages import notice_text
from bot.tournaments.ui.player_pages import log_page, mine_page, pairings_page
from bot.tournaments.ui.tables import sheets_of, table_page
from bot.tournaments.ui.why_pages import why_game_page, why_no_game_page, why_place_page
from bot.ui.pages.components import Page, Reply, rows, text
from tests.tournaments.views import Told, log_of, name_of, setup_of

Found = Iterator[tuple[str, "Page | Reply"]]
ROUND = MessageKind.ROUND
WON, LOST = (1, 0), (0, 1)


def _notice(event: Told, kind: MessageKind, entrant: int = 1, **about: Any) -> Page:
    """The notice to a player, or for 0 a director, about the last event."""
    viewed = {key: about.pop(key) for key in ("fact", "matches") if key in about}
    given = {"user_id": UserId(100 + entrant if entrant else 900), **about}
    message = Message(kind, len(event.events), entrant, **given)
    said, buttons = notice_text(message, event.text(**viewed))
    return Page(text(said), *rows(buttons))


def _log(event: Told) -> Reply:
    return log_page(event.text(), log_of(event), 0)


def _why_game(event: Told, game: str) -> Reply:
    return why_game_page(event.text(), game)


def _why_place(event: Told, entrant: int, tie_break: TieBreak | None = None) -> Reply:
    place = next(each for each in placings(event.t) if each.number == entrant)
    standing = Placing(place.rank, entrant, place.points, place.values)
    return why_place_page(event.text(), standing, tie_break)


def _home(event: Told) -> Page:
    return home_page(event.text())


def _pairings(event: Told, number: int) -> Reply:
    return pairings_page(event.text(), number, 0, plain=name_of)


def _rounds() -> Found:
    robin = Told("round_robin 5", name="Club *Cup*")
    yield "a round robin begins", _notice(robin, ROUND)
    yield "two games at a time", _notice(Told("round_robin 5 at_once=2"), ROUND)
    robin = Told("round_robin 4 | redraw | draw")
    yield "the last round paired again", _notice(robin, ROUND, detail=LATER)
    swiss = Told("swiss 7 rounds=3 vacations")
    yield "a bye", _notice(swiss, ROUND, next(iter(swiss.t.rounds[0].byes)))
    left_over = swiss.t.entrants[next(iter(swiss.t.rounds[0].byes)) - 1]
    yield "mine, a bye", mine_page(swiss.text(), left_over)
    yield "warned, vacations allowed", _notice(swiss, MessageKind.WARNED)
    swiss = Told("swiss 7 rounds=3 | all 1:0 | draw")
    yield "mine, a bye in the round before", mine_page(swiss.text(), left_over)
    robin = Told("round_robin 5")
    yield "mine, a round robin of five", mine_page(robin.text(), robin.t.entrants[0])
    yield "warned", _notice(Told("swiss 6 rounds=3"), MessageKind.WARNED)
    swiss = Told("swiss 4 rounds=3 | all 1:0 unfinished")
    yield "the games of the round are over", _notice(swiss, ROUND)
    yield "a round paired again", _notice(swiss, MessageKind.REDRAWN)
    yield "not over on the last day", _notice(swiss, MessageKind.UNFINISHED, game="1.1")
    tables = Told("tables 4")
    (played,) = tables.t.in_round(1)
    link = {played.game.id: MatchLink(MatchStatus.RUNNING, 0, None, is_direct=True)}
    for number, entrant in enumerate(played.game.players[:2], 1):
        yield f"seat {number} in direct messages", _notice(tables, ROUND, entrant, matches=link)


def _cups() -> Found:
    yield "round 1 of a cup", _notice(Told("knockout 4 third_place"), ROUND)
    cup = Told("knockout 4 third_place | all 1:0 | draw")
    for played in cup.t.in_round(2):
        yield f"last meeting {played.game.tie}", _notice(cup, ROUND, played.game.players[0])
    yield "home with a final", _home(cup)
    cup = Told("knockout 3")
    (left_over,) = cup.t.rounds[0].byes
    yield "on without a game", _notice(cup, ROUND, left_over)
    yield "mine, on without a game", mine_page(cup.text(), cup.t.entrants[left_over - 1])
    swiss = Told("swiss 6 rounds=3 | redraw")
    yield "home, its first round paired again", _home(swiss)
    yield "mine, the first round paired again", mine_page(swiss.text(), swiss.t.entrants[0])
    upset = "enter 101:1900 102:1700 103:1500 104:1300 | close | until begins | draw | start"
    robin = Told(f"round_robin 0 | {upset} | wins 4 | all low")
    yield "games worth a look", finished_page(robin.text())
    for most, days in ((10, 180), (3, 200)):
        finish = setup_of(FormatKey.ROUND_ROBIN).begins + timedelta(days=days)
        slow = Told(f"round_robin 0 most={most} at_once=3", finish=finish)
        yield f"home, a slow one of {most}", _home(slow)
    cup = Told("knockout 2 best_of=3 | all 1:0 | draw")
    yield "the second game of a meeting", _notice(cup, ROUND)
    yield "meetings where the best have none", _pairings(Told("knockout 6"), 1)
    cup = Told("knockout 4 | leaves 2 | leaves 3 | leaves 4 | draw")
    yield "who came alone has won", finished_page(cup.text())


def _ladders() -> Found:
    ladder = Told("ladder 3")
    yield "sunk", _notice(ladder, MessageKind.SUNK, fact=f.Moved((2, 1, 3)))
    for again in ("", " again"):
        ladder.do(challenges.challenge, 3, 1, by=103)
        yield f"challenged{again}", _notice(ladder, MessageKind.CHALLENGED, detail="3")
        if not again:
            yield "home, challenged", _home(ladder)
            for each in ladder.t.entrants:
                yield f"mine of {each.number}, challenged", mine_page(ladder.text(), each)
        ladder.do(challenges.decline, 1, 3, by=101)
        yield f"declined{again}", _notice(ladder, MessageKind.DECLINED, 3, detail="1")
    yield "a game of a ladder", _notice(Told("ladder 2 | challenge 2 1 | accept 1 2"), ROUND)
    ladder = Told("ladder 3")
    ladder.do(registration.replace, 1, UserId(104), by=900)
    ladder.t = replace(ladder.t, challenges=(f.Challenged(2, 1, ladder.at),))
    about: dict[str, Any] = {"user_id": UserId(104), "detail": "2", "fact": f.Replaced(1)}
    yield "a substitute is challenged", _notice(ladder, MessageKind.CHALLENGED, **about)
    answers: tuple[tuple[str, f.Fact], ...] = (
        ("accepted", f.Drawn(1, (), (), ladder.at)),
        ("declined", f.Declined(2, 1, by_time=False)),
        ("expired", f.Declined(2, 1, by_time=True)),
        ("withdrawn", f.Withdrawn(2, Leaving.ASKED)),
        ("excluded", f.Excluded(1)),
        ("replaced", f.Replaced(1)),
        ("cancelled", f.Cancelled()),
    )
    for what, fact in answers:
        yield f"a challenge, {what}", _notice(ladder, MessageKind.ANSWERED, detail="2", fact=fact)
    ends: tuple[tuple[str, f.Fact], ...] = (
        ("withdrawn", f.Withdrawn(2, Leaving.ASKED)),
        ("excluded", f.Excluded(2)),
        ("over", f.Finished()),
        ("not answered", f.Declined(2, 1, by_time=True)),
    )
    for what, fact in ends:
        yield f"one's own, {what}", _notice(ladder, MessageKind.DECLINED, detail="2", fact=fact)
    yield from _ended_challenges()


def _ended_challenges() -> Found:
    ladder = Told("ladder 4 | challenge 2 1 | challenge 4 3")
    out: tuple[f.Fact, ...] = (f.Withdrawn(2, Leaving.ASKED),)
    back: tuple[f.Fact, ...] = (f.Undone((5,)), f.Challenged(2, 1, ladder.at))
    for what, act, facts in (("end", acts.Withdraw(2), out), ("come back", acts.Undo(5), back)):
        shown = confirm_page(ladder.text(), act, Preview(7, facts))
        yield f"confirm: challenges that {what}", shown


def _directors() -> Found:
    director = TournamentAct(Told("swiss 4").at, UserId(900), note="Connection lost")
    swiss = Told("swiss 8 rounds=3")
    game = swiss.t.in_round(1)[0].game
    swiss.take(directing.decide(swiss.t, director, game.id, (Fraction(1), Fraction(0))))
    yield "decided", _notice(swiss, MessageKind.DECIDED, game=game.id)
    swiss.do(registration.withdraw, 5, by=105)
    swiss.take(directing.extend(swiss.t, director, 1, "", swiss.t.finish - timedelta(days=9)))
    swiss.take(registration.exclude(swiss.t, replace(director, note="The <board> **fell**"), 1))
    yield "log", _log(swiss)
    swiss = Told("swiss 8 rounds=3 | 1.1 1:0 | correct 1.1 0:1 | undo")
    yield "corrected by undoing", _notice(swiss, MessageKind.CORRECTED, game="1.1")
    swiss = Told("swiss 8 rounds=3 | extend 1 round+2d 1.1 | undo")
    yield "less time by undoing", _notice(swiss, MessageKind.EXTENDED, game="1.1")
    swiss = Told("swiss 8 rounds=3 | exclude 1 | undo")
    yield "log, undone", _log(swiss)
    yield "back by undoing", _notice(swiss, MessageKind.ENTERED)
    swiss = Told("swiss 8 rounds=3 | replace 1 555 | undo")
    for kind in (MessageKind.ENTERED, MessageKind.REPLACED, MessageKind.OPPONENT):
        entrant, detail = (5, "1") if kind is MessageKind.OPPONENT else (1, "")
        yield f"a substitution undone: {kind.value}", _notice(swiss, kind, entrant, detail=detail)
    swiss = Told("swiss 8 rounds=3 | pause | undo")
    yield "a pause undone", _notice(swiss, MessageKind.REVIVED, 0, user_id=None)
    swiss = Told("swiss 0 rounds=3 | enter 101 102")
    swiss.take(registration.withdraw(swiss.t, director, 2))
    swiss.take(registration.replace(swiss.t, director, 1, UserId(555)))
    yield "log, replaced", _log(swiss)
    swiss = Told("swiss 5")
    for what, detail in (("some", "1-3 2-5"), ("none", "")):
        yield f"blocked pairs, {what}", _notice(swiss, MessageKind.BLOCKED_PAIRS, 0, detail=detail)
    swiss = Told("swiss 4 rounds=3 | begin 1.1 | cancel")
    yield "cancelled, a match goes on", _notice(swiss, MessageKind.CANCELLED)
    yield "cancelled", _notice(swiss, MessageKind.CANCELLED, 3)


def _seasons_and_ends() -> Found:
    league = Told("round_robin 0 promoted=1 season=2 | enter 101")
    for what, detail in (("rises", RISEN), ("falls", FALLEN), ("stays", "")):
        yield f"next season, {what}", _notice(league, MessageKind.SEASON, detail=detail)
    arena = Told("arena 2 | pair")
    (played,) = arena.t.pending
    yield "cut short", _notice(arena, MessageKind.UNFINISHED, game=played.game.id)
    for form in (each for each in FormatKey if each.facts.has_rounds):
        leave = "".join(f"| leaves {number}" for number in range(1, 9))
        rounds = "rounds=3" if form is FormatKey.SWISS else ""
        event = Told(f"{form.value} 8 {rounds} {leave} | draw")
        yield f"nobody played, {form.value}", finished_page(event.text())
        yield f"home, nobody played, {form.value}", _home(event)
    arena = Told("arena 4 | pair | all 1:0 | until finish | end")
    yield "without a point no medal", finished_page(arena.text())


def _final_tables() -> Found:
    event = Told("tables 4 rounds=1 final_table | all 4:2:1:0")
    yield "points of a table", _pairings(event, 1)
    event.draw()
    yield "at the final table", _notice(event, ROUND)
    yield "home with a final table", _home(event)
    yield "pairings of a final table", _pairings(event, 2)
    event = Told("tables 8 rounds=2 final_table | all low | draw | all low | draw")
    at_it = event.t.in_round(3)[0].game.players
    for each in [each for each in placings(event.t) if each.number not in at_it]:
        said = _notice(event, MessageKind.NO_FINAL, each.number)
        yield f"place {each.rank} without a final", said
    event = Told("tables 6 rounds=2 final_table | play")
    for each in (placings(event.t)[0], placings(event.t)[-1]):
        yield f"why {each.number} has this place", _why_place(event, each.number)


def _why_pairings() -> Found:
    event = Told("swiss 4 rounds=3 | all 0:1 no_show")
    (one, two), (three, four) = (each.game.players for each in event.t.in_round(1))
    _pair(event, (one, two), (three, four))
    yield "a game that was not played", _why_game(event, "2.1")
    for users in (8, 4):
        event = Told(f"swiss {users} rounds=3")
        yield f"the first of {users}", _why_game(event, "1.1")
        event = Told(f"swiss {users} rounds=3 | all 1:0 | draw")
        yield f"the second round of {users}", _why_game(event, "2.1")
    event = Told("swiss 7 rounds=3")
    yield "left over", _why_none(event, next(iter(event.t.rounds[0].byes)))
    event = Told("swiss 0 rounds=3 | enter 101 102 103 104 | close | part 1,3 0")
    _pair(event, (1, 3), (2, 4))
    for game in ("1.1", "1.2"):
        yield f"game {game}, two kept apart", _why_game(event, game)
    won = "| pair | wins 1 | wait 1m"
    event = Told(f"arena 2 {won} {won} | pair | wins 1")
    first, *_, last = event.t.games
    for what, game in (("first", first), ("last", last)):
        yield f"the {what} game of an arena", _why_game(event, game)
    yield "mine, free in an arena", mine_page(event.text(), event.t.entrants[0])
    yield "the games of an arena", _pairings(event, 1)
    event = Told(f"arena 2 {won} {won} {won} | pair | until finish | overdue")
    yield "the games of an arena that is over", _pairings(event, 1)
    yield "which game of an arena", ask(event.text(name_of), "correct")


def _pair(event: Told, *pairs: tuple[int, int], out: int | None = None) -> None:
    drawn = running.draw(event.t, event.act(), Paired(pairs, out=out))
    assert not isinstance(drawn, Ask)
    event.take(drawn)


def _why_none(event: Told, entrant: int, number: int = 1) -> Reply:
    return why_no_game_page(event.text(), number, entrant)


def _without_games() -> Found:
    event = Told("""swiss 0 rounds=3 late_entry
        enter 101 102 103 104 105 106 107 108 109 | bye 2 1 half | bye 3 1 zero | close | draw
        enter 120""")
    for what, entrant in (("a bye", 2), ("a bye for nothing", 3), ("who came late", 10)):
        yield what, _why_none(event, entrant)
    event.do(registration.withdraw, 1)
    for played in event.t.pending:
        event.score(played.game.id, *WON)
    event.draw()
    yield "who has left", _why_none(event, 1, 2)
    event = Told("swiss 0 rounds=3 | enter 101 102 103 104 105 | close | until begins")
    _pair(event, (1, 2), (3, 4), out=5)
    yield "who sits out", _why_none(event, event.t.seeding[4])
    for form in (FormatKey.KNOCKOUT, FormatKey.ROUND_ROBIN, FormatKey.TABLES):
        event = Told(f"{form.value} 5 {'rounds=2' if form is FormatKey.TABLES else ''}")
        yield f"a bye, {form.value}", _why_none(event, min(event.t.rounds[0].byes))


def _why_tables() -> Found:
    event = Told("tables 4 rounds=1 | begin 1.1 | 1.1 7/3:0:7/3:7/3 unfinished")
    yield "a table that one had left", _why_game(event, "1.1")
    event = Told("tables 4 rounds=3")
    met = {(1, 2): 2, (1, 3): 1, (2, 3): 0, (3, 4): 1, (1, 4): 0, (2, 4): 0}
    with patch("bot.tournaments.ui.why_pages.met_before", return_value=met):
        yield "some had met", _why_game(event, "1.1")
    for number in range(1, 4):
        yield f"all had met {number - 1} times", _why_game(event, f"{number}.1")
        event.score(f"{number}.1", 4, 2, 1, 0)
        event.draw()
    event = Told("tables 4 rounds=2 | begin 1.1")
    last = event.t.pending[0].game.players[3]
    event.do(registration.exclude, last)
    event.score("1.1", 4, 0, 0, 0, how=How.TIME, late=(2,))
    yield "a table that time ended", _why_game(event, "1.1")
    event = Told("tables 8 rounds=2 | 1.1 4:2:0:1 played 2 | 1.2 4:2:0:1")
    yield "a table where time ran out for one", _why_game(event, "1.1")
    yield "a table that was played", _why_game(event, "1.2")


def _why_results() -> Found:
    event = Told("round_robin 6 | 1.1 1:0")
    yield "a game that was played", _why_game(event, "1.1")
    names = [each for each in event.t.games if each != "1.1"]
    for how in (How.NO_SHOW, How.TIME, How.UNFINISHED, How.UNFINISHED):
        name = names.pop()
        event.do(running.begin_game, name)
        event.score(name, *WON, how=how)
        yield f"{how.value}, {event.t.setup.unfinished.value}", _why_game(event, name)
        if how is How.UNFINISHED:
            event.t = replace(event.t, setup=replace(event.t.setup, unfinished=Unfinished.SCORE))
    name = names[-1]
    event.do(directing.decide, name, (Fraction(1), Fraction(0)))
    yield "a director decided", _why_game(event, name)
    event.do(registration.withdraw, 5, Leaving.ASKED)
    mine = [each.game.id for each in event.t.of_entrant(5) if each.how is How.NO_SHOW]
    yield "who left before it began", _why_game(event, mine[0])
    for form in (FormatKey.ROUND_ROBIN, FormatKey.SWISS, FormatKey.KNOCKOUT):
        event = Told(f"{form.value} 4 {'rounds=3' if form is FormatKey.SWISS else ''}")
        played = event.t.of_entrant(1)[0]
        seat = played.game.players.index(1)
        event.score(played.game.id, 1 - seat, seat)
        game = event.t.in_round(1)[-1].game
        event.do(running.begin_game, game.id)
        event.do(registration.exclude, game.players[0])
        why = _why_place(event, placings(event.t)[-1].number)
        yield f"why last, excluded, {form.value}", why
        yield f"who was excluded, {form.value}", _why_game(event, game.id)


def _why_places() -> Found:
    for what, results in (("none", ""), ("with a streak", "11121"), ("many", "1" * 16)):
        won = "".join(f"| wins {each} | wait 1m | pair" for each in results)
        yield f"points of an arena, {what}", _why_place(Told(f"arena 2 | pair {won}"), 1)
    direct = _why_place(Told("round_robin 3 | play"), 1, TieBreak.DIRECT_ENCOUNTER)
    yield "a direct encounter", direct
    event = Told("round_robin 4 rated | play")
    mine = {each.game.id for each in event.t.of_entrant(1)}
    links = {
        key: replace(link, ply=0 if key in mine else 3)
        for key, link in event.text().view.matches.items()
    }
    told = event.text(matches=links)
    (sheet,) = sheets_of(told, "tstand")
    yield "a table with ratings as they were", table_page(told, "tstand", sheet)


def _troubles() -> Found:
    event = Told("swiss 0 rounds=3 | enter 101 102 103 104 | part 1,2,3,4 1 | close")
    _pair(event, (1, 3), (2, 4))
    game = event.t.in_round(1)[0].game.id
    for each in TournamentTrouble:
        detail = {"game": game, "detail": each.value}
        yield f"trouble, {each.value}", _notice(event, MessageKind.TROUBLE, 0, **detail)
    managed = _notice(event, MessageKind.TROUBLE, 0, user_id=None, game=game, detail=each.value)
    yield "trouble, no director left", managed


async def notice_pages() -> dict[str, Page | Reply]:
    """The notices to players and directors, and the pages beside them."""
    groups = (_rounds, _cups, _ladders, _directors, _seasons_and_ends, _final_tables, _troubles)
    return {name: page for group in groups for name, page in group()}


async def reason_pages() -> dict[str, Page | Reply]:
    """Why a pairing or a place is as it is."""
    groups = (_why_pairings, _without_games, _why_tables, _why_results, _why_places)
    return {name: page for group in groups for name, page in group()}

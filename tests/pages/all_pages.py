"""Each page of the bot, built from what the services would give it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, TypeAlias

from bot.computers.domain.reviews import Review, ReviewedMove
from bot.computers.ui.against_computer import ComputerDraft, computer_page
from bot.computers.ui.analysis import AnalysisBoard, analysis_page
from bot.computers.ui.review import (
    ReviewedMatch,
    moment_page,
    moves_page,
    review_page,
    waiting_page,
)
from bot.domain import play, stalled
from bot.domain.clock_text import read_clock
from bot.domain.ids import ChannelId, GuildId, UserId, season_id
from bot.domain.match import Ending, Match, MatchStatus, Result
from bot.domain.preferences import Preferences, ServerSettings
from bot.domain.rating_range import RatingRange
from bot.domain.ratings.glicko import GLICKO
from bot.domain.ratings.rated import RatingRecord
from bot.domain.requests import Request, RequestKind
from bot.domain.vacation import UserVacation, Vacation
from bot.follows.store import PlayerFollow
from bot.follows.ui import follows_page, player_page, which_player_page
from bot.history.domain.playback import sample_line, tree_of
from bot.history.domain.variations import Tree
from bot.i18n import Languages
from bot.learn.domain import Attempt, PuzzleRecord
from bot.learn.ui.help import help_page, learning_page, organisers_page, welcome_page
from bot.learn.ui.lessons import LessonState, overview_page, rules_page, task_page
from bot.learn.ui.puzzles import posted_page, puzzle_page
from bot.lobby.services import OpenOffer
from bot.lobby.ui import lobby_page, offers_page
from bot.owner.ui import HostStatus, ask_ending, owner_page, preview_page
from bot.plans import domain as plans
from bot.plans.ui import line_page, plan_page
from bot.profiles import leaderboard_page, profile_page
from bot.servers.end_match import Verdict, end_match_page
from bot.servers.log import log_page as server_log_page
from bot.servers.settings import server_page
from bot.services.pairing import Limits
from bot.services.ratings import Profile
from bot.services.vacations import VacationStatus
from bot.shutdown import Shutdown, Supervisor
from bot.store.records import AuditEntry, PlayerRating
from bot.tournaments.domain import acts, directing, registration, running
from bot.tournaments.domain.crosstable import Placing
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.formats.base import Draw
from bot.tournaments.domain.setup import PRESETS, FormatKey
from bot.tournaments.domain.tournament import Invitation
from bot.tournaments.services.service import preview_of
from bot.tournaments.services.views import Preview
from bot.tournaments.store.records import StoredTournament, Summary
from bot.tournaments.ui.event_lookup import which_page
from bot.tournaments.ui.home_page import finished_page, home_page
from bot.tournaments.ui.managing import ask, confirm_page, manage_page
from bot.tournaments.ui.player_pages import (
    event_rules_page,
    leave_page,
    log_page,
    mine_page,
    pairings_page,
    players_page,
)
from bot.tournaments.ui.setup_menus import TABS, games_for
from bot.tournaments.ui.setup_page import draft_page, first_draft, presets_page
from bot.tournaments.ui.tables import kinds_of, sheets_of, table_page
from bot.tournaments.ui.why_pages import why_game_page, why_place_page
from bot.ui.offers.draft import OfferDefaults, OfferDraft
from bot.ui.offers.setup_page import setup_page
from bot.ui.pages import match_text
from bot.ui.pages.board_page import board_page, more_page
from bot.ui.pages.components import Control, File, Page, Reply, button, text
from bot.ui.pages.display_names import NameBook
from bot.ui.pages.match_list import Listed, MatchList, matches_page
from bot.ui.pages.offer_page import offer_page
from bot.ui.pages.reader import Reader
from bot.ui.play.move_picker_page import Spot
from bot.ui.settings.panel import SettingChoices
from bot.ui.settings.person_settings import block_page, person_page
from bot.ui.settings.vacations import vacation_page
from bot.webhooks.domain import Webhook
from bot.webhooks.ui import webhook_page
from games import catalog
from games.api import SampleGame
from games.view import Text
from tests.domain.people import at, offered, played, set_up, started
from tests.pages import match_words, tournament_words
from tests.support.kit import ANN, BOB, CYD, DAN, START
from tests.tournaments.views import HOME, Told, log_of, name_of

Shown: TypeAlias = "Page | Reply"
Pages: TypeAlias = "dict[str, Shown]"

EN = Languages().known()["en"]
DAY = timedelta(days=1)
NAMES = NameBook()
for _user, _name in ((ANN, "Ann"), (BOB, "Bob"), (CYD, "Cyd"), (DAN, "Dan")):
    NAMES.note(_user.user_id, _name)


class _Drawn:
    """Pictures that cost nothing."""

    async def picture(self, view: object, style: object) -> Any:
        return SimpleNamespace(png=b"png", alt_text="the board")

    async def graph(self, *about: object, **more: object) -> Any:
        return SimpleNamespace(png=b"png", alt_text="the graph")


READER = Reader(_Drawn(), NAMES, EN)  # type: ignore[arg-type]
CONTEXT: Any = SimpleNamespace(language=EN, reader=READER)
CHOICES = SettingChoices(("en", "de"), "classic", Limits())
CLOCK = read_clock("3d")
LIVE = read_clock("10m+5s")


def _over(match: Match, *winners: int) -> Match:
    """A match that its first players have left, or that is drawn by agreement."""
    left = tuple(each for each in range(len(match.players)) if winners and each not in winners)
    scores = tuple(float(number in winners) for number in range(len(match.players)))
    how = Ending.RESIGNATION if winners else Ending.AGREEMENT
    result = Result(how, how.value, scores, winners)
    return replace(match, status=MatchStatus.FINISHED, result=result, retired=left, ply=9)


def _standing(user: int, game: str, points: int, *, sure: bool) -> PlayerRating:
    record = RatingRecord(GLICKO.newcomer, 12, 7, 1, START)
    return PlayerRating(UserId(user), game, points, not sure, record)


async def help_pages() -> Pages:
    """The pages of ``/help`` and for a new server."""
    return {
        "help": help_page(EN),
        "welcome": welcome_page(EN),
        "learning": learning_page(EN),
        "organisers": organisers_page(EN),
    }


async def settings_pages() -> Pages:
    """The pages of settings for a person, a server and its managers."""
    quiet = Preferences(zone="Europe/Berlin", reminders=(24, 2))
    entry = AuditEntry(
        START, GuildId(1), ANN.user_id, "settings", {"language": None}, {"language": "es"}
    )
    barred = [
        replace(entry, before={"kept_out": [*before]}, after={"kept_out": [*after]})
        for before, after in (((), (3,)), ((3, 4), ()))
    ]
    chosen = ServerSettings(lobby=ChannelId(77))
    two, four = replace(started(game="quax"), rated=True), started(BOB, CYD, DAN, game="pythagoras")
    hook = Webhook(GuildId(1), "https://example.org/parlour", "s3cret")
    failing = replace(hook, failing_since=START, trouble="timeout")
    away = VacationStatus(Vacation(START, START + 3 * DAY, by_itself=True), 27, 30, 30)
    return {
        "person": await person_page(Preferences(), (), CHOICES, READER, now=START),
        "person, who has chosen and blocked": await person_page(
            quiet, (BOB.user_id,), CHOICES, READER, now=START, lead="Saved."
        ),
        "blocked, nobody": await block_page((), READER),
        "blocked": await block_page((BOB.user_id, CYD.user_id), READER),
        "server": server_page(ServerSettings(), (), CHOICES, EN),
        "server with a lobby": server_page(chosen, (entry,), CHOICES, EN),
        "server log": server_log_page((entry,), EN),
        "server log, empty": server_log_page((), EN),
        "server log, older": server_log_page((*barred, *[entry] * 7), EN, page=1),
        "results for programs": webhook_page(None, EN, lead="That can't be."),
        "results for programs, a new secret": webhook_page(hook, EN, secret=hook.secret),
        "results for programs, failing": webhook_page(failing, EN),
        "results for programs, off": webhook_page(replace(failing, off_at=START + DAY), EN),
        "end a match": end_match_page(Verdict(two, ("Ann", "Bob")), None, EN),
        "end a match of four": end_match_page(
            Verdict(four, ("Ann", "Bob", "Cyd", "Dan"), how="places"), None, EN
        ),
        "vacation": vacation_page(VacationStatus(None, 30, 30, 30), EN, START),
        "vacation, on one": vacation_page(away, EN, START + DAY),
    }


async def offer_pages() -> Pages:
    """Offers: making one, its message, the lobby."""
    house = OfferDefaults(CLOCK, timedelta(hours=48), 1512, tuple(Languages().known()))
    draft = OfferDraft("quax", clock=CLOCK, house=house)
    to_all = offered(game="quax", clock=CLOCK, rated=True, seat=None).match
    to_bob = offered(BOB, game="quax", clock=LIVE).match
    own = _standing(CYD.user_id, "quax", 1500, sure=False)
    seek = OpenOffer(to_all, own)
    several = OpenOffer(replace(to_all, repeats=1), own)
    strong = OpenOffer(
        replace(to_all, band=RatingRange(1600, None)),
        _standing(ANN.user_id, "quax", 1700, sure=True),
    )
    return {
        "offer a match": await setup_page(OfferDraft(house=house), READER),
        "offer a match, a game chosen": await setup_page(draft, READER),
        "offer a match, all menus": await setup_page(
            replace(draft, more=True), READER, refused="That can't be."
        ),
        "what offers begin with": await setup_page(replace(draft, for_server=True), READER),
        "open offer": offer_page(to_all, EN),
        "challenge": offer_page(to_bob, EN),
        "challenge, read in direct messages": offer_page(to_bob, EN, viewer=BOB.user_id),
        "card of a running match": offer_page(started(game="quax", clock=CLOCK), EN),
        "card of a match that is over": offer_page(_over(started(game="quax"), 1), EN),
        "card of an aborted match": offer_page(
            replace(started(game="quax"), status=MatchStatus.ABORTED), EN
        ),
        "lobby, empty": lobby_page((), 0, EN),
        "lobby": lobby_page((seek, several, strong), 12, EN, has_role=True),
        "all offers": offers_page((seek,), 0, 2, CYD.user_id, EN, is_told=False),
        "all offers, one's own": offers_page((seek,), 0, 1, ANN.user_id, EN),
        "all offers, too strong": offers_page(
            (strong,), 0, 1, CYD.user_id, EN, closed={to_all.id: own}
        ),
        "all offers, empty": offers_page((), 0, 1, CYD.user_id, EN),
    }


def _board(match: Match, **more: Any) -> Page:
    return board_page(match, match_text.turn(match, EN), EN, **more)(text("(the board)"))


async def match_pages() -> Pages:
    """Boards and lists of matches."""
    two = started(game="quax", clock=CLOCK)
    four = started(BOB, CYD, DAN, game="pythagoras")
    moved = played(two, "a1 b2")
    swapped = played(started(game="quax", options={"pie": "on"}), "c3 swap")
    asked = replace(moved, requests=(Request(RequestKind.DRAW, (0,), moved.version, None, None),))
    away = (UserVacation(ANN.user_id, Vacation(START, START + 3 * DAY)),)
    of_event = set_up(game="quax", clock=CLOCK).match
    silent = stalled.depart(two, at(5), 1)
    assert silent is not None
    onward = button(Control("next"), "Next match")

    async def listed(
        kind: Listed, *matches: Match, reader: UserId = ANN.user_id, at: int = 0, more: bool = False
    ) -> Reply:
        page = MatchList(kind, ANN.user_id, at, matches, is_more=more)
        return await matches_page(page, reader, READER, onward=onward, in_server=True)

    return {
        "board": _board(two),
        "board after two moves": _board(moved),
        "board after a swap": _board(swapped),
        "board with an offer of a draw": _board(asked),
        "board of a player on vacation": _board(two, vacations=away),
        "board of four": _board(four),
        "board of a tournament": _board(of_event),
        "board whose player has left the server": _board(silent.match),
        "board, won": _board(_over(moved, 0)),
        "board, drawn": _board(_over(moved)),
        "board, aborted": _board(replace(two, status=MatchStatus.ABORTED)),
        "more": more_page(moved, EN, is_player=True, has_moved=True),
        "more, who watches": more_page(moved, EN, is_player=False, has_moved=False),
        "my matches": await listed(Listed.MINE, two, four),
        "my matches, none": await listed(Listed.MINE),
        "matches that wait": await listed(Listed.WAITING, two),
        "matches that wait, none": await listed(Listed.WAITING),
        "my matches, one of which I left": await listed(
            Listed.MINE, play.resign(four, at(5), ANN).match
        ),
        "matches of another player": await listed(
            Listed.FINISHED, _over(two, 0), reader=CYD.user_id
        ),
        "matches that are over": await listed(Listed.FINISHED, _over(two, 0), _over(two)),
        "matches that are over, more of them": await listed(
            Listed.FINISHED, _over(two, 0), more=True
        ),
        "matches of another player that are over, the last of them": await listed(
            Listed.FINISHED, _over(two, 0), reader=CYD.user_id, at=2
        ),
        "matches of the server": await listed(Listed.SERVER, two, reader=CYD.user_id),
        "favourites, none": await listed(Listed.FAVOURITES),
        "plan, empty": await plan_page(two, plans.Plan(two.id, 0, 0), READER),
        "plan": await plan_page(
            moved,
            plans.Plan(moved.id, 0, 2, (plans.read_line(moved, 0, "c3 * d4"),)),
            READER,
        ),
        "plan, a line": await line_page(
            CONTEXT,
            moved,
            plans.Plan(moved.id, 0, 2, (plans.read_line(moved, 0, "c3 * d4"),)),
            0,
        ),
    }


async def learning_pages() -> Pages:
    """Rules, lessons, puzzles, computers, reviews."""
    found: Pages = {
        "rules": await rules_page("quax", 0, READER),
        "rules, the last page": await rules_page("quax", 99, READER),
        "lesson, first task": await task_page(LessonState("quax"), READER),
        "lesson, the end": overview_page(LessonState("quax", 0, None), EN),
        "puzzle": await puzzle_page(Spot(1), PuzzleRecord(Attempt(1), 3, 1500), READER),
        "puzzle, posted": await posted_page(1, READER),
        "computer": computer_page(ComputerDraft(), EN),
        "computer, a game chosen": computer_page(ComputerDraft("quax", suggested=3), EN),
        "computer, from an offer": computer_page(ComputerDraft("quax", leads_back=True), EN),
        "computers for four": computer_page(ComputerDraft("pythagoras", suggested=2), EN),
    }
    return found | await review_pages()


async def review_pages() -> Pages:
    """Reviews, and the analysis board."""
    match = replace(_over(started(game="quax"), 0), ply=5)
    line = sample_line(
        catalog.GAMES["quax"].info,
        SampleGame(
            Text.of("A game"), (Text.of("A"), Text.of("B")), "d4 swap e5 d3 c6 d6", resigned=1
        ),
        "s0",
    )
    line = replace(line, match=replace(match, options=line.match.options, state=line.match.state))
    losses = (0.0, 0.0, 0.12, 0.0, 0.35, 0.05)
    entries = tuple(
        ReviewedMove("f6", 0.6, 0.6 - each, ("f6", "g7", "h8"), is_only=each > 0.3)
        for each in losses
    )
    review = Review(match.id, line.plies, entries)
    shown = ReviewedMatch(line, review, (0, 1, 1, 0, 1, 0), ANN.user_id)
    tree = tree_of(line)
    first = _gone(tree, 2, "f6")
    _gone(tree, first, "g7")
    _gone(tree, first, "h8")
    for cell in [f"{column}{rank}" for column in "abc" for rank in range(1, 10)]:
        _gone(tree, 3, cell)
    file = File("analysis.txt", b"")

    async def analysis(at: int, **more: Any) -> Reply:
        board = AnalysisBoard.open(line, tree, at)
        return await analysis_page(board, Spot(at), READER, record=file, **more)

    return {
        "review, waiting": waiting_page(Review(match.id, 12), EN),
        "review, waiting for others": waiting_page(Review(match.id, 12, ahead=3), EN),
        "review": await review_page(shown, READER),
        "review, all moves": moves_page(shown, 0, EN),
        "review, a moment": await moment_page(line, review, 2, READER),
        "analysis, nothing tried": await analysis_page(
            AnalysisBoard.open(line, tree_of(line), 2), Spot(2), READER
        ),
        "analysis, a fork": await analysis(2),
        "analysis, more tried than a menu holds": await analysis(3),
        "analysis, in a variation": await analysis(first),
        "analysis, shared": await analysis(first, lead="Shared by Ann.", public=True),
    }


def _gone(tree: Tree, at: int, *moves: str) -> int:
    """Try moves; the number of the position after the last."""
    for words in moves:
        after = tree.go(at, tree.game.parse(tree.positions[at], words))
        assert after is not None
        at = after
    return at


async def people_pages() -> Pages:
    """Ratings and follows."""
    match = started(game="quax")
    known = (_standing(1, "quax", 1712, sure=True), _standing(1, "pux", 1500, sure=False))
    over = (_over(match, 0), _over(match, 1), _over(match))
    best = (_standing(2, "quax", 1800, sure=True), _standing(1, "quax", 1712, sure=False))
    ann, bob = ANN.user_id, BOB.user_id
    fans = (PlayerFollow(bob, GuildId(900)),)
    return {
        "profile, new": profile_page(ann, Profile((), ()), None, EN, game=None, viewer=ann),
        "profile": profile_page(
            ann,
            Profile(known, ()),
            None,
            EN,
            game="quax",
            viewer=bob,
            met=over,
            played=over,
            may_share=True,
        ),
        "leaderboard, empty": leaderboard_page(
            "quax", (), EN, here=True, may_be_here=True, user_id=ann
        ),
        "leaderboard": leaderboard_page(
            "quax", best, EN, here=False, may_be_here=True, user_id=ann, place=2
        ),
        "follow whom": await which_player_page(match, READER),
        "follows, none": await follows_page((), (), READER),
        "follows": await follows_page((match,), fans, READER, is_blocked=True),
        "matches of a player": player_page(bob, ("A line.",), (), EN),
        "matches of a player, none": player_page(bob, (), (), EN),
    }


def _event(form: FormatKey, **about: Any) -> Told:
    rounds = "rounds=3" if form in (FormatKey.SWISS, FormatKey.TABLES) else ""
    return Told(f"{form.value} 0 {rounds}", **about)


def _mine(event: Told) -> Reply:
    return mine_page(event.text(), event.t.entrants[0])


def _pairings(event: Told) -> Reply:
    return pairings_page(event.text(), 1, 0, plain=name_of)


def _tables(event: Told) -> Iterator[tuple[str, Shown]]:
    """The first page of each table."""
    kinds = kinds_of(event.text().view)
    for which in kinds:
        sheets = sheets_of(event.text(name_of), which)
        shown = table_page(event.text(), which, sheets[0], pages=len(sheets), kinds=kinds)
        yield f"table {which}", shown


def _confirmed(event: Told, act: acts.DirectorAct, *, notes: str = "") -> Reply:
    """What an act would do."""
    changes = act.decide(event.t, event.act(900))
    preview = preview_of(StoredTournament(event.t, HOME), changes, {})
    return confirm_page(event.text(), act, preview, notes=notes)


def _tournament_pages(form: FormatKey) -> Iterator[tuple[str, Shown]]:
    event = _event(form)
    event.enter(*range(101, 107), ratings=(1900, 1800, 1700, None, 1500, 1400))
    yield "home, open", home_page(event.text())
    yield "rules", event_rules_page(event.text())
    yield "players", players_page(event.text(), 0)
    yield "mine, before it begins", _mine(event)
    yield "mine, not entered", mine_page(event.text(), None)
    event.do(registration.close)
    yield "home, closed", home_page(event.text())
    event.at = event.t.setup.begins
    if form is FormatKey.ARENA:
        event.free = {each.number: event.at for each in event.t.active}
        event._act("pair")
    elif form is FormatKey.LADDER:
        event.do(running.draw_games, Draw(1, ()))
        event._act("challenge", "2", "1")
    else:
        event.draw()
    for name in list(event.t.games)[:2]:
        event._act("begin", name)
    yield "home, running", home_page(event.text())
    yield "mine", _mine(event)
    yield "leave", leave_page(event.text(), event.t.entrants[0])
    yield "pairings", _pairings(event)
    yield "manage", manage_page(event.text(), log_of(event))
    yield "log", log_page(event.text(), log_of(event), 0)
    for each in event.t.pending[:1]:
        game, plain = each.game, event.text(name_of)
        yield "decide which", ask(plain, "decide")
        yield "decide", ask(event.text(), f"decide:{game.id}", plain=plain)
        yield "why this pairing", why_game_page(event.text(), game.id)
        event.score(game.id, 1, *(0 for _ in game.players[1:]), how=How.NO_SHOW)
        yield "pairings with a forfeit", _pairings(event)
    event.do(directing.pause, by=900)
    yield "home, paused", home_page(event.text())
    yield "mine, paused", _mine(event)
    yield "manage, paused", manage_page(event.text(), log_of(event))
    last, so = log_of(event)[0], Preview(7, (), is_posted=True)
    yield "confirm: undo", confirm_page(event.text(), acts.Undo(last.seq), so, undone=last)
    event.do(directing.resume, by=900)
    if form.facts.has_rounds:
        event.play_out()
    else:
        event.at = event.t.finish
        event.do(running.overdue if form is FormatKey.ARENA else running.end)
    over = event.text()
    yield "home, over", home_page(over)
    yield "finished", finished_page(over)
    if len(over.view.standings) > 1:
        shared = tuple(replace(each, rank=1) for each in over.view.standings[:2])
        yield "finished, first place shared", finished_page(event.text(standings=shared))
    yield from _tables(event)
    for first in over.view.standings[:1]:
        place = Placing(first.rank, first.number, first.points, first.values)
        yield "why this place", why_place_page(over, place, None)
    event = _event(form)
    event.begin(6)
    event.do(directing.pause, by=900)
    event.do(directing.cancel, by=900)
    yield "home, cancelled while it was paused", home_page(event.text())


async def case_pages() -> Pages:
    """Tournaments that are set up in other ways, and players who have left."""
    found: Pages = {}
    for name, begun in (
        ("swiss, late entry", "swiss 6 rounds=3 late_entry"),
        ("ladder, late entry", "ladder 6 late_entry"),
        ("league", "round_robin 6 division=3 promoted=1"),
        ("league, season 2", "round_robin 6 division=3 promoted=1 season=2"),
        ("cup, third place", "knockout 6 third_place"),
        ("cup, double", "knockout 6 third_place double"),
        ("cup, best of 3", "knockout 6 best_of=3"),
        ("tables, final table", "tables 6 rounds=2 final_table"),
    ):
        event = Told(begun)
        found[f"{name}: home"] = home_page(event.text())
        found[f"{name}: rules"] = event_rules_page(event.text())
        found[f"{name}: leave"] = leave_page(event.text(), event.t.entrants[0])
        for game in list(event.t.games)[:1]:
            found[f"{name}: why this pairing"] = why_game_page(event.text(), game)
        if event.t.setup.format is FormatKey.ROUND_ROBIN:
            for number, sheet in enumerate(sheets_of(event.text(name_of), "tstand")):
                shown = table_page(event.text(), "tstand", sheet, page=number, pages=2)
                found[f"{name}: standings {number + 1}"] = shown
        event.do(registration.withdraw, 1, by=101)
        found[f"{name}: mine, withdrawn"] = _mine(event)
        event.do(directing.cancel)
        found[f"{name}: rules, cancelled"] = event_rules_page(event.text())
    for form in (FormatKey.SWISS, FormatKey.KNOCKOUT):
        found |= {f"two at once, {form.value}: {key}": x for key, x in _pairing_pages(form)}
    return found


def _pairing_pages(form: FormatKey) -> Iterator[tuple[str, Shown]]:
    """An event in which two players play two games at once."""
    event = _event(form, both_sides=True, best_of=2)
    event.begin(4)
    names = list(event.t.games)
    for game in names:
        event._act("begin", game)
    for game, *result in (names[0], "1/2:1/2"), (names[1], "0:1", "time"), (names[2], "1:0"):
        event._act(game, *result)
    yield "home", home_page(event.text())
    yield "rules", event_rules_page(event.text())
    yield "mine", _mine(event)
    yield "pairings", _pairings(event)
    yield "decide which", ask(event.text(name_of), "decide")
    yield "why this pairing", why_game_page(event.text(), names[1])
    event.play_out()
    yield from _tables(event)


def tournament_pages(form: FormatKey) -> Callable[[], Any]:
    """The pages of a tournament of a format, from its registration to its end."""

    async def made() -> Pages:
        return dict(_tournament_pages(form))

    return made


def _invited_pages() -> Pages:
    """A director's list, who is on it, and the order of the seeds."""
    event = _event(FormatKey.SWISS, check_in=timedelta(days=1), by_hand=True)
    event.enter(101, 102)
    asked = ask(event.text(), "invite")
    act = acts.Invite(
        (Invitation(UserId(102), 1), Invitation(UserId(103), None, 1900), Invitation(UserId(104)))
    )
    why = "Not found in this server: Nobody. Use a mention, an id or the exact user name."
    confirmed = _confirmed(event, act, notes=why)
    event.do(act.decide, by=900)
    return {
        "a list": asked,
        "confirm: invite": confirmed,
        "home with a list": home_page(event.text()),
        "home while players check in": home_page(event.text(calls=True)),
        "players of a list": players_page(event.text(), 0),
        "which seed": ask(event.text(name_of), "seed:1"),
        "rules with check-in": event_rules_page(event.text()),
    }


async def setup_pages() -> Pages:
    """Setting up a tournament, and what directors are asked before they act."""
    found: Pages = {"kinds": presets_page(EN), "kinds, named": presets_page(EN, name="Cup")}
    for preset in PRESETS:
        game = games_for(PRESETS[preset].format)[0]
        draft = first_draft(preset, START, "Europe/Berlin", name="Winter Cup", game=game)
        for tab in TABS if preset == "cup" else list(TABS)[:1]:
            shown = replace(draft, tab=tab)
            problem = shown.problem(START)
            found[f"{preset}, {tab}"] = draft_page(shown, CHOICES, EN, problem)
    event = Told("swiss 6 rounds=3 | begin 1.1")
    for what, act, preview in (
        ("withdraw", acts.Withdraw(1), Preview(7, (), ("1.1",), (), (2,), told=3)),
        ("exclude", acts.Exclude(1), Preview(7, (), left=("1.1",), can_undo=False)),
        ("pause", acts.Pause(), Preview(7, (), is_posted=True)),
        ("cancel", acts.Cancel(), Preview(7, ())),
        ("redraw", acts.Redraw(), Preview(7, ())),
        ("part", acts.Part((1, 4, 6), 2), Preview(7, ())),
    ):
        found[f"confirm: {what}"] = confirm_page(event.text(), act, preview)
    found["which player"] = ask(event.text(name_of), "exclude")
    found["who is kept apart"] = ask(event.text(), "part")
    found["kept apart until when"] = ask(event.text(), "part:1~4~6")
    event._act("part", "1,4,6", "2")
    found["who may meet again"] = ask(event.text(name_of), "rejoin")
    found["which person"] = ask(event.text(), "add")
    found |= _invited_pages()
    cup = Told("knockout 8 | all 1:0 | draw")
    correct = acts.Correct("W1.1.1", (Fraction(0), Fraction(1)))
    found["a corrected cup"] = _confirmed(cup, correct)
    found["which day"] = ask(event.text(), "reopen")
    t = event.t
    about = (t.id, t.setup.name, t.setup.game, t.status, len(t.entrants), t.setup.begins, HOME)
    one = Summary(*about)
    later = replace(one, id=season_id(one.id), season=2)
    found["which tournament"] = which_page((one, later), "mine", EN)
    return found


async def owner_pages() -> Pages:
    """The pages of the bot's owner."""
    status = HostStatus("1.0.0", START, 12, {0: True, 1: False}, "SQLite", 150 << 20)
    well = replace(status, size=12 << 20, matches=34, jobs=1, late=7, before="0.9.0")
    asked = {
        f"{how.value}, {who.value}": ask_ending(how, who, (0, 1), EN)
        for how in Shutdown
        for who in Supervisor
    }
    return {
        "status": owner_page(well, EN),
        "status without a database": owner_page(replace(status, memory=None), EN),
        **asked,
        "preview": preview_page("Parlour moves on **Monday**.", 4711, 11, 1, EN),
    }


ROOMS: dict[str, Callable[[], Any]] = {
    "help": help_pages,
    "settings": settings_pages,
    "offers": offer_pages,
    "matches": match_pages,
    "match_words": match_words.pages,
    "learning": learning_pages,
    "people": people_pages,
    "owner": owner_pages,
    "tournament_setup": setup_pages,
    "tournament_cases": case_pages,
    "tournament_notices": tournament_words.notice_pages,
    "tournament_reasons": tournament_words.reason_pages,
    **{f"tournament_{form.value}": tournament_pages(form) for form in FormatKey},
}

"""Lists of matches of others: each player is named once, with what is to be said of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain import play
from bot.domain.clock import TimeControl
from bot.domain.game_state import board_view, waits_for
from bot.domain.match import Ending, Match, MatchStatus, Result
from bot.errors import UserError
from bot.i18n import Languages
from bot.i18n.sentences import refusal
from bot.posts.sending import NoticeKind
from bot.ui.pages import match_text, notice_text
from bot.ui.pages.match_list import lines, seen_line
from tests.domain.people import at, set_up, started
from tests.kit import BOB, CYD, DAN
from tests.not_none import not_none

ENGLISH = Languages().default


def _over(match: Match, *winners: int) -> Match:
    scores = tuple(float(number in winners) for number in range(len(match.players)))
    result = Result(Ending.RESIGNATION, "resignation", scores, winners)
    return replace(match, status=MatchStatus.FINISHED, result=result)


def test_a_line_names_each_player_once_and_says_who_is_to_move_or_has_won() -> None:
    pair, table = started(BOB, game="quax"), started(BOB, CYD, DAN, game="pythagoras")
    for match in (pair, table):
        names = [f"<@{each}>" for each in match.players]
        for shown, words in (
            (match, "(to move)"),
            (_over(match, 1), f"{names[1]} (won)"),
            (_over(match), "draw"),
            (replace(match, status=MatchStatus.ABORTED), "aborted"),
        ):
            said = seen_line(shown, ENGLISH)
            assert all(said.count(name) == 1 for name in names), said
            assert said.count(words) == 1, said
    shared = seen_line(_over(table, 0, 2), ENGLISH)
    assert shared.count("(won)") == 2
    assert "draw" not in shared


def test_a_game_to_which_a_player_never_came_is_won_and_lost_by_forfeit() -> None:
    clock = TimeControl(timedelta(minutes=1))
    game = set_up(game="quax", clock=clock, no_show=timedelta(minutes=1)).match
    late, other = game.players
    assert late is not None
    assert other is not None
    over = not_none(play.flag(game, at(60))).match
    assert over.status is MatchStatus.ABORTED
    for reader, words in ((late, "lost"), (other, "won")):
        assert words in lines((over,), reader, ENGLISH)[0]
    assert f"<@{other}> (won)" in seen_line(over, ENGLISH)
    view = board_view(over)
    assert not_none(view.result).message == "Won by forfeit"
    assert view.winners == view.seats[1].colours
    alone = not_none(play.flag(started(BOB, game="quax", clock=clock), at(600))).match
    assert alone.status is MatchStatus.ABORTED
    assert not_none(board_view(alone).result).message == "Aborted"
    assert "aborted" in seen_line(alone, ENGLISH)


def test_an_opponent_is_called_so_and_one_of_three_others_is_not() -> None:
    for match, words in (
        (started(BOB, game="quax"), "your opponent's move"),
        (started(BOB, CYD, DAN, game="pythagoras"), "another player's move"),
    ):
        waiting = next(each for each in match.players if each and not waits_for(match, each))
        (said,) = lines((match,), waiting, ENGLISH)
        assert words in said


def test_who_left_a_table_has_played_nothing_and_is_named_on_the_board() -> None:
    match = started(BOB, CYD, DAN, game="pythagoras")
    left = replace(match, retired=(1,), moved_by=1, last_move="1a1", ply=2)
    reader = left.players[2]
    assert reader is not None
    said = notice_text.line(left, reader, NoticeKind.TURN, ENGLISH)
    assert said == f"<@{reader}>, your move in Pythagoras: <@{left.players[1]}> has left the match."
    assert notice_text.any_call(left, reader, ENGLISH).match(said)
    assert match_text.left(left, ENGLISH) == f"Left the match: <@{left.players[1]}>"
    assert match_text.left(match, ENGLISH) == ""
    assert match_text.left(_over(left, 0), ENGLISH) == ""


def test_all_names_but_the_last_two_stand_between_commas_in_every_language() -> None:
    match = started(BOB, CYD, DAN, game="pythagoras")
    one, two, three, _ = (f"<@{each}>" for each in match.players)
    words = {
        "en": " and ",
        "de": " und ",
        "es": " y ",
        "fr": " et ",
        "ja": "、",
        "pl": " i ",
        "pt-BR": " e ",
    }
    known = Languages().known()
    assert set(known) == set(words)
    for locale, language in known.items():
        assert f"{one}{words[locale]}{two}" in match_text.winners(_over(match, 0, 1), language)
        comma = "、" if locale == "ja" else ", "
        row = f"{one}{comma}{two}{words[locale]}{three}"
        assert row in match_text.winners(_over(match, 0, 1, 2), language)
        assert language.listed([one]) == one
        wanted = refusal(UserError("role_wanted", roles=(one, two)))
        assert f"{one}{words[locale]}{two}" in language(wanted)
    names = (f"{{{each}}}" for each in ("a", "b"))
    assert ENGLISH.listed(names) == "{a} and {b}", "a name is no pattern"

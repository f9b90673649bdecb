"""What directors see, what players read in the log and in notices, and why a pairing is so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.match import MatchStatus
from bot.domain.preferences import Preferences
from bot.domain.tournaments import acts as a
from bot.domain.tournaments import challenges, directing, registration, running
from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.facts import (
    Cancelled,
    Challenged,
    Declined,
    Drawn,
    Excluded,
    Finished,
    Fixture,
    How,
    Leaving,
    Moved,
    Readmitted,
    Replaced,
    Withdrawn,
)
from bot.domain.tournaments.fold import TournamentAct, add
from bot.domain.tournaments.formats.base import Ask, Draw
from bot.domain.tournaments.formats.open_ended import Arena
from bot.domain.tournaments.formats.swiss import Swiss, forbidden_in
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.standings import SWISS, standings
from bot.domain.tournaments.swiss_pairing import Paired
from bot.domain.tournaments.tables import PLACES
from bot.domain.tournaments.tiebreaks import TieBreak
from bot.domain.tournaments.tournament import Challenge, TournamentStatus
from bot.domain.tournaments.why import why_bye, why_pairing
from bot.domain.tournaments.writing import read_fact
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.posts.sending import Gone, Posted, Recipient, Refused
from bot.posts.tournament_messages import FALLEN, LATER, RISEN, MessageKind, TournamentTrouble
from bot.services.tournaments.messages import Message, Rehearsal, Rehearsed
from bot.services.tournaments.reasons import why_game
from bot.services.tournaments.views import Preview, WhyGame
from bot.store.tournaments.records import MatchLink
from bot.ui.delivery import tournament_messages
from bot.ui.delivery.tournament_messages import DiscordTournaments
from bot.ui.pages.components import Control, File, Page, Picture, walk
from bot.ui.tournaments.act_writing import (
    read_act,
    read_points,
    typed_points,
    write_act,
    write_points,
)
from bot.ui.tournaments.confirm_page import confirm_page
from bot.ui.tournaments.director_pages import ask, manage_page, possible
from bot.ui.tournaments.finished_page import finished_page
from bot.ui.tournaments.home_page import home_page
from bot.ui.tournaments.log_page import log_page
from bot.ui.tournaments.medals import medal_in
from bot.ui.tournaments.message_pages import notice_text
from bot.ui.tournaments.player_pages import mine_page, pairings_page
from bot.ui.tournaments.rehearsal_page import step_page, steps_of
from bot.ui.tournaments.tables import Sheet
from bot.ui.tournaments.why_pairing_page import why_bye_page, why_game_page
from bot.ui.tournaments.why_place_page import why_place_page
from bot.ui.tournaments.words import EventText, mentions_of, players_of, points, rules_lines
from tests.domain.tournaments.events_made import Event
from tests.kit import HandClock
from tests.not_none import not_none
from tests.ui.tournament_views import check, log_of, parts_of, setup_of, view_of, words_on

LANGUAGES = Languages()
EN = LANGUAGES.known()["en"]
AT = datetime(2026, 12, 24, 18, tzinfo=UTC)


def _name(number: int) -> str:
    return f"Name {number}"


def _swiss(users: int = 7) -> Event:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.begin(users)
    return event


@pytest.mark.parametrize(
    "act",
    [
        a.Close(),
        a.Reopen(AT),
        a.Add(UserId(10**18)),
        a.Withdraw(256),
        a.Replace(3, UserId(10**18)),
        a.Exclude(3),
        a.Part((1, 17, 256), 3),
        a.Part(tuple(range(9988, 10000)), 0),
        a.Rejoin((1, 256)),
        a.Redraw(),
        a.Decide("W1.2.1", (Fraction(1), Fraction(0))),
        a.Correct("3.128", (Fraction(7, 3), Fraction(7, 3), Fraction(7, 3), Fraction(0))),
        a.Extend(3, AT, ""),
        a.Extend(3, AT, "3.12"),
        a.Pause(),
        a.Resume(),
        a.Cancel(),
        a.Appoint(UserId(5)),
        a.Dismiss(UserId(5)),
        a.Undo(12345),
    ],
)
def test_every_act_is_written_into_a_control_and_read_back(act: a.DirectorAct) -> None:
    assert read_act(write_act(act)) == act


@pytest.mark.parametrize(
    "text",
    [
        "",
        "close:1",
        "add:x",
        "add:-5",
        "decide:1.1",
        "decide:1.1:1~",
        "extend:1:x:",
        "fly",
        "undo:",
        "reopen:99999999999999",
        "withdraw:9999999999",
        "correct:1.1:1.0~0",
        "part:1~x:0",
        "part:1~2",
        "part:" + "~".join(map(str, range(13))) + ":0",
    ],
)
def test_what_is_no_act_is_out_of_date(text: str) -> None:
    with pytest.raises(UserError) as refused:
        read_act(text)
    assert refused.value.code == "out_of_date"


def test_points_are_read_as_typed() -> None:
    assert typed_points("4 2 1 0") == (4, 2, 1, 0)
    assert typed_points("3½, 3½; 0 / 0")[:2] == (Fraction(7, 2), Fraction(7, 2))
    assert typed_points("7/3 7/3 7/3 0") == (Fraction(7, 3),) * 3 + (0,)
    assert typed_points("2.5 2.5 1 1") == (Fraction(5, 2), Fraction(5, 2), 1, 1)
    with pytest.raises(UserError):
        typed_points("all to me")
    found = (Fraction(7, 3), Fraction(0))
    assert read_points(write_points(found)) == found


def test_the_acts_that_make_sense() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    assert "close" in possible(view_of(event))
    assert "decide" not in possible(view_of(event))
    event.begin(8)
    assert {"redraw", "decide", "extend", "pause", "cancel"} <= set(possible(view_of(event)))
    game = event.t.in_round(1)[0].game.id
    event.take(running.begin_game(event.t, event.act(), game))
    for ply in (0, 1):
        links = {game: MatchLink(MatchStatus.RUNNING, ply, None)}
        has_moved = "redraw" not in possible(replace(view_of(event), matches=links))
        assert has_moved is bool(ply)
    event.score(game, 1, 0)
    assert "correct" in possible(view_of(event))
    event.take(directing.pause(event.t, event.act()))
    assert "resume" in possible(view_of(event))
    event.take(directing.cancel(event.t, event.act()))
    assert possible(view_of(event)) == ()
    fixed = Event(setup_of(FormatKey.ROUND_ROBIN))
    fixed.begin(4)
    assert "redraw" not in possible(view_of(fixed)), "the pairs would be the same"
    assert "add" not in possible(view_of(fixed)), "it is too late"


def test_a_director_is_asked_first_for_games_that_are_played_now() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN, at_once=1))
    event.begin(4)
    event.take(running.begin_game(event.t, event.act(), "1.2"))
    for purpose, first in (("decide", ["1:1.2", "1:1.1", "2:2.1"]), ("extend", ["1:", "2:", "3:"])):
        page = ask(EventText(view_of(event), EN, _name), purpose).page
        assert page is not None
        (menu,) = (each for each in walk(page.components) if "options" in each)
        assert [each["value"] for each in menu["options"]][:3] == first


def test_a_player_who_has_played_is_not_offered_to_be_replaced() -> None:
    event = _swiss(4)
    event.score("1.1", 1, 0)
    for purpose, count in (("replace", 2), ("withdraw", 4)):
        page = ask(EventText(view_of(event), EN, _name), purpose).page
        assert page is not None
        (menu,) = (each for each in walk(page.components) if "options" in each)
        assert len(menu["options"]) == count


def test_players_of_a_league_read_that_they_rise_or_fall() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN, promoted=1, season=2))
    event.enter(101)
    assert "so you rise by a division." in _notice(event, MessageKind.SEASON, detail=RISEN)
    assert "so you fall by a division." in _notice(event, MessageKind.SEASON, detail=FALLEN)
    assert "division" not in _notice(event, MessageKind.SEASON)


def test_the_last_meetings_of_a_cup_are_called_by_their_names() -> None:
    event = Event(setup_of(FormatKey.KNOCKOUT, third_place=True))
    event.begin(4)
    assert "Final" not in _notice(event, MessageKind.ROUND)
    for each in event.t.in_round(1):
        event.score(each.game.id, 1, 0)
    event.draw()
    third, final = event.t.in_round(2)
    if third.game.tie != "T":
        third, final = final, third
    for played, name in ((third, "Third place"), (final, "Final")):
        said = _notice(event, MessageKind.ROUND, entrant=played.game.players[0])
        assert f" · {name} · you move first" in said
        home = words_on(home_page(EventText(view_of(event), EN)))
        assert f"{players_of(played.game, mentions_of(event.t, EN))} · {name}" in home


def test_a_player_who_sank_reads_why_and_what_to_do() -> None:
    event = Event(setup_of(FormatKey.LADDER))
    event.begin(3)
    view = replace(view_of(event), fact=Moved((2, 1, 3)))
    message = Message(1, MessageKind.SUNK, len(event.events), 1, UserId(101))
    said, buttons = notice_text(message, EventText(view, EN))
    assert "you haven't played in **Spring** for 30 days, so you're on rung 2 now." in said
    assert [each["label"] for each in buttons] == ["Challenge"]
    assert "After 30 days without a game you sink by one rung." in rules_lines(event.t.setup, EN)


def test_the_notice_of_a_ladders_game_names_no_day_since_none_is_its_own() -> None:
    for form, is_said in ((FormatKey.LADDER, False), (FormatKey.KNOCKOUT, True)):
        event = Event(setup_of(form))
        event.begin(2)
        if form is FormatKey.LADDER:
            event.take(
                running.draw_games(event.t, event.act(), Draw(1, (Fixture("1.1", 1, 1, (1, 2)),)))
            )
        assert ("until <t:" in _notice(event, MessageKind.ROUND)) is is_said


def test_a_player_of_several_games_reads_when_the_others_begin() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN, at_once=2))
    event.begin(5)
    assert "You play 2 games at a time. The others" in _notice(event, MessageKind.ROUND)
    both = Event(setup_of(FormatKey.ROUND_ROBIN))
    both.begin(5)
    assert "at a time" not in _notice(both, MessageKind.ROUND)


def test_a_cancellation_says_that_matches_go_on_where_one_has_begun() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.begin(4)
    game = next(each.game for each in event.t.pending if 1 in each.game.players)
    event.take(running.begin_game(event.t, event.act(), game.id))
    event.take(directing.cancel(event.t, event.act(900)))
    other = next(each.number for each in event.t.entrants if each.number not in game.players)
    assert "Matches that have begun go on." in _notice(event, MessageKind.CANCELLED)
    assert "go on" not in _notice(event, MessageKind.CANCELLED, entrant=other)


@pytest.mark.parametrize("locale", ["de", "ja", "pl"])
def test_pages_of_directors_fit(locale: str) -> None:
    language = LANGUAGES.known()[locale]
    event = Event(setup_of(FormatKey.SWISS, rounds=3, name="Ü" * 80))
    event.begin(200)
    view, who = view_of(event), mentions_of(event.t, language)
    check(manage_page(EventText(view, language, who), log_of(event), lead="x" * 300).page)
    for purpose in ("withdraw", "exclude", "replace"):
        check(ask(EventText(view, language, _name), purpose, page=7).page)
    for purpose in ("decide", "extend"):
        check(ask(EventText(view, language, _name), purpose, page=3).page)
    check(ask(EventText(view, language, _name), "correct").page)
    game = event.t.in_round(1)[0].game.id
    check(
        ask(
            EventText(view, language, who), f"decide:{game}", plain=EventText(view, language, _name)
        ).page
    )
    games = tuple(event.t.games)
    preview = Preview(9, (), games, games[:50], (2,), games[:50], 200, can_undo=False)
    check(confirm_page(EventText(view, language, who), a.Exclude(1), preview, lead="x" * 200).page)
    for page in range(3):
        check(log_page(EventText(view, language, who), log_of(event) * 5, page).page)


def test_a_confirmation_names_challenges_that_end_and_those_that_come_back() -> None:
    event = Event(setup_of(FormatKey.LADDER))
    event.begin(4)
    event.take(add(event.t, event.act(), Drawn(1, (), (), event.t.finish)))
    event.take(challenges.challenge(event.t, event.act(), 2, 1))
    event.take(challenges.challenge(event.t, event.act(), 4, 3))
    who = mentions_of(event.t, EN)
    out = Preview(7, (Withdrawn(2, Leaving.ASKED),))
    said = words_on(confirm_page(EventText(view_of(event), EN, who), a.Withdraw(2), out).page)
    assert "Challenges that end:\n- <@102> challenged <@101>." in said
    assert "<@104>" not in said
    again = Preview(7, (Readmitted(2, ()), Challenged(2, 1, event.at)))
    said = words_on(confirm_page(EventText(view_of(event), EN, who), a.Undo(5), again).page)
    assert "Challenges that wait for an answer again:\n- <@102> challenged <@101>." in said
    assert "Challenges that end" not in said


def test_the_log_names_who_was_replaced_and_what_a_director_did_to_players() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.enter(101, 102)
    director = TournamentAct(event.at, UserId(900))
    event.take(registration.withdraw(event.t, director, 2))
    event.take(registration.replace(event.t, director, 1, UserId(555)))
    replaced, withdrawn, *_ = log_of(event)
    lines = [replace(replaced, former_id=UserId(101)), withdrawn]
    said = words_on(log_page(EventText(view_of(event), EN), lines, 0).page)
    assert "<@900>: <@555> replaced <@101>." in said
    assert "<@900>: <@102> was withdrawn." in said


def test_a_game_lost_by_an_exclusion_repeats_no_reason() -> None:
    event = _swiss(8)
    director = TournamentAct(event.at, UserId(900), note="Was rude")
    event.take(registration.exclude(event.t, director, 1))
    said = words_on(log_page(EventText(view_of(event), EN), log_of(event), 0).page)
    assert said.count("Reason: Was rude") == 1
    assert "forfeited: " in said


def test_the_log_tells_who_did_what_and_why() -> None:
    event = _swiss(8)
    game = event.t.in_round(1)[0].game.id
    director = TournamentAct(event.at, UserId(900), note="The <board> **fell** over")
    event.take(directing.decide(event.t, director, game, (Fraction(1), Fraction(0))))
    event.take(registration.withdraw(event.t, event.act(105), 5))
    event.take(directing.extend(event.t, director, 1, AT))
    said = words_on(log_page(EventText(view_of(event), EN), log_of(event), 0).page)
    assert "<@900>: " in said
    assert "decided: 1–0." in said
    assert r"Reason: The \<board\> \*\*fell\*\* over" in said
    assert "<@105> withdrew." in said
    assert "Round 1 has time until <t:1798135200:f>." in said
    undone = [replace(log_of(event)[0], is_undone=True)]
    assert "(undone)" in words_on(log_page(EventText(view_of(event), EN, _name), undone, 0).page)


# ---- notices -----------------------------------------------------------------------------------


_TOLD = sorted(
    set(MessageKind) - {MessageKind.HOME, MessageKind.FINISHED}, key=lambda each: each.value
)
_FACTS = {
    MessageKind.CHALLENGED: Challenged(3, 1, AT),
    MessageKind.DECLINED: Declined(1, 3, by_time=True),
    MessageKind.SUNK: Moved((3, 1, 2)),
}


def _notice(event: Event, kind: MessageKind, **about: object) -> str:
    given: dict[str, object] = {"entrant": 1, "user_id": UserId(101), **about}
    message = Message(1, kind, len(event.events), **given)  # type: ignore[arg-type]
    return notice_text(message, EventText(view_of(event), EN))[0]


def test_directors_read_which_players_have_blocked_each_other() -> None:
    event = Event(setup_of(FormatKey.SWISS))
    event.begin(5)
    said = _notice(event, MessageKind.BLOCKED_PAIRS, entrant=0, detail="1-3 2-5")
    assert said.endswith("\n- <@101> – <@103>\n- <@102> – <@105>")
    assert "- " not in _notice(event, MessageKind.BLOCKED_PAIRS, entrant=0, detail="")


class _Server:
    """A server as far as messages to directors go: its home channel (700) is gone."""

    def __init__(self) -> None:
        self.said: list[tuple[Recipient, str]] = []
        self.refuses_direct = False
        self.theme = None
        self.drawn: list[bool] = []
        may = discord.Permissions.all()
        channel = SimpleNamespace(id=702, permissions_for=lambda _: may)
        self.guild = SimpleNamespace(
            public_updates_channel=None,
            system_channel=channel,
            me=object(),
            get_thread=lambda _: None,
            get_channel_or_thread=lambda _: channel,
        )
        self.lobby = None

    def get_guild(self, _: int) -> object:
        return self.guild

    async def language_of(self, _: int | None) -> Language:
        return EN

    async def language_for(self, *_: object) -> Language:
        return EN

    async def surely_of(self, _: int) -> Preferences:
        return Preferences()

    async def server(self, _: int) -> _Server:
        return self

    def in_theme(self, _: object) -> _Server:
        return self

    async def edit_page(self, _to: Posted, _page: object, files: object = None) -> None:
        self.drawn.append(bool(files))

    async def post_page(self, to: Recipient, page: list[Any], **_: object) -> Posted:
        if to.channel_id == 700 or (to.channel_id is None and self.refuses_direct):
            raise Gone("channel")
        self.said.append((to, words_on(Page(*page))))
        return Posted(ChannelId(to.channel_id or 1), MessageId(1))


@pytest.mark.parametrize("kind", [MessageKind.TROUBLE, MessageKind.BLOCKED_PAIRS])
async def test_a_message_to_directors_finds_a_place_when_the_home_channel_is_gone(
    kind: MessageKind,
) -> None:
    event = Event(setup_of(FormatKey.SWISS))
    event.begin(5)
    view = view_of(event)
    server: Any = _Server()
    discord_ = DiscordTournaments(server, server, server, server, HandClock(AT))
    detail = "1-3" if kind is MessageKind.BLOCKED_PAIRS else TournamentTrouble.HOME_GONE.value
    view = replace(view, home=replace(view.home, channel_id=ChannelId(700), message_id=None))
    told = Message(1, kind, 1, user_id=UserId(900), detail=detail)
    await discord_.announce(told, view)
    server.refuses_direct = True
    await discord_.announce(told, view)
    await discord_.announce(replace(told, user_id=None), view)
    (to, first), (place, second), (same, third) = server.said
    assert (to.user_id, to.channel_id) == (900, None)
    assert place.channel_id == same.channel_id == 702
    assert first.startswith("<@900>, ")
    assert second.startswith("<@900>, ")
    assert "No director is left. Members with Manage Server can direct it." in third
    assert "<@103>" not in second + third, "others must not read who blocked whom"


async def test_the_picture_of_the_home_message_is_drawn_anew_once_the_event_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = Event(setup_of(FormatKey.LADDER))
    event.begin(3)
    server: Any = _Server()
    discord_ = DiscordTournaments(server, server, server, server, HandClock(AT))

    async def sheet(*_: object) -> Sheet:
        return Sheet(lambda _: None, "1 Anna 0")  # type: ignore[arg-type,return-value]

    async def picture(*_: object) -> Picture:
        return Picture(File("table.png", b"png"), "A table")

    monkeypatch.setattr(tournament_messages, "home_sheet", sheet)
    monkeypatch.setattr(tournament_messages, "drawn", picture)
    monkeypatch.setattr(discord_, "_calendar", SimpleNamespace(keep=server.language_for))
    message = Message(1, MessageKind.HOME, 1, shown=Posted(ChannelId(1), MessageId(1)))
    view = view_of(event)
    over = replace(view, tournament=replace(event.t, status=TournamentStatus.FINISHED))
    for each in (view, view, over):
        await discord_.announce(message, each)
    assert server.drawn == [True, False, True], "its foot says that the standings are final"


async def test_an_older_home_message_that_cant_be_deleted_loses_its_buttons() -> None:
    older, edited = Posted(ChannelId(700), MessageId(5)), []

    class _Locked(_Server):
        async def erase(self, _: Posted) -> None:
            raise Refused("50083")

        async def components_of(self, posted: Posted) -> list[Any]:
            assert posted == older
            return [{"type": 10, "content": "Spring"}, {"type": 1, "components": []}]

        async def edit_page(self, _to: Posted, page: object, files: object = None) -> None:
            assert files is None
            edited.append(page)

    server: Any = _Locked()
    discord_ = DiscordTournaments(server, server, server, server, HandClock(AT))
    await discord_.put_away(older)
    assert edited == [[{"type": 10, "content": "Spring"}]]


async def test_the_home_message_that_may_have_been_posted_is_not_the_older_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = Event(setup_of(FormatKey.LADDER))
    event.begin(3)
    rules = {"type": 2, "custom_id": str(Control("trules", event.t.id)), "label": "Rules"}
    latest = [
        {"id": str(id_), "channel_id": "700", "components": [{"type": 1, "components": [rules]}]}
        for id_ in (6, 5)
    ]

    class _Channel(_Server):
        async def latest(self, _: Recipient) -> list[Any]:
            return latest

        async def no_sheet(self, *_: object) -> None:
            return None

    server: Any = _Channel()
    discord_ = DiscordTournaments(server, server, server, server, HandClock(AT))
    monkeypatch.setattr(discord_, "_calendar", SimpleNamespace(keep=server.language_for))
    monkeypatch.setattr(tournament_messages, "home_sheet", server.no_sheet)
    message = Message(1, MessageKind.HOME, 1, may_exist=True)
    found = [Posted(ChannelId(700), MessageId(id_)) for id_ in (6, 5)]

    async def posted(older: Posted | None) -> Posted | None:
        return await discord_.announce(replace(message, replaces=older), view_of(event))

    assert await posted(None) == found[0]
    assert await posted(found[1]) == found[0]
    assert await posted(found[0]) == found[1]


def test_one_notice_names_all_games_of_a_round() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN, name="Club *Cup*"))
    event.begin(5)
    said = _notice(event, MessageKind.ROUND)
    assert said.startswith(r"<@101>, **Club \*Cup\*** has begun. You have 4 games:")
    assert said.count("until <t:") == 4
    assert said.endswith("-# A first move is due within 2 days. Otherwise the game is forfeited.")
    assert {"you move first", "they move first"} <= set(said.replace("\n", " · ").split(" · "))


def test_the_notice_of_a_round_says_who_begins_and_that_a_game_is_in_direct_messages() -> None:
    event = Event(setup_of(FormatKey.TABLES))
    event.begin(4)
    view = view_of(event)
    (played,) = event.t.in_round(1)
    link = MatchLink(MatchStatus.RUNNING, 0, None, is_direct=True)
    view = replace(view, matches={played.game.id: link})
    lines = []
    for entrant in played.game.players[:2]:
        message = Message(1, MessageKind.ROUND, len(event.events), entrant, UserId(100 + entrant))
        lines.append(notice_text(message, EventText(view, EN))[0])
    assert "· you move first · in direct messages · until" in lines[0]
    assert "move first" not in lines[1]


def test_a_round_robin_whose_last_round_is_paired_again_has_begun_once() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN))
    event.begin(4)
    event.take((directing.redraw(event.t, event.act()),))
    event.draw()
    said = _notice(event, MessageKind.ROUND, detail=LATER)
    assert said.startswith("<@101>, round 3 of **Spring** is paired. You play:")
    assert said.count("until <t:") == 1


def test_a_bye_is_told_too() -> None:
    event = _swiss(7)
    left_over = next(iter(event.t.rounds[0].byes))
    said = _notice(event, MessageKind.ROUND, entrant=left_over, user_id=UserId(100 + left_over))
    assert "round 1 of **Spring**: you have no opponent this round and get a full point." in said


def test_what_directors_decide_is_told_with_the_reason() -> None:
    event = _swiss(8)
    played = event.t.in_round(1)[0]
    director = TournamentAct(event.at, UserId(900), note="Connection lost")
    result = (Fraction(1), Fraction(0))
    event.take(directing.decide(event.t, director, played.game.id, result))
    said = _notice(event, MessageKind.DECIDED, game=played.game.id)
    assert "a director decided your game" in said
    assert "1–0" in said
    assert "Reason: Connection lost" in said


def test_a_correction_that_is_undone_gives_no_number_for_a_reason() -> None:
    event = _swiss(8)
    game = event.t.in_round(1)[0].game.id
    event.score(game, 1, 0)
    undoing = TournamentAct(event.at, UserId(900), note="#19")
    event.take(directing.correct(event.t, undoing, game, (Fraction(0), Fraction(1))))
    said = _notice(event, MessageKind.CORRECTED, game=game)
    assert "a director corrected the result of your game" in said
    assert "Reason" not in said
    assert "#19" not in said


def test_a_table_of_four_shows_each_player_with_their_points_and_names_its_final() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=1, final_table=True))
    event.begin(4)
    game = event.t.in_round(1)[0].game
    event.score(game.id, 4, 2, 1, 0)
    who = mentions_of(event.t, EN)
    said = words_on(pairings_page(EventText(view_of(event), EN, who), 1, 0, plain=_name).page)
    shown = " · ".join(
        f"{who(one)}\u00a0**{worth}**" for one, worth in zip(game.players, "4210", strict=True)
    )
    assert shown in said
    event.draw()
    assert "you're at the final table of" in _notice(event, MessageKind.ROUND)
    page = words_on(home_page(EventText(view_of(event), EN, who)))
    assert "1 round and a final table" in page
    assert "Final table, until" in page
    pairings = words_on(pairings_page(EventText(view_of(event), EN, who), 2, 0, plain=_name).page)
    assert "**Final table**" in pairings


@pytest.mark.parametrize("kind", _TOLD)
@pytest.mark.parametrize("locale", sorted(LANGUAGES.known()))
def test_every_kind_of_message_has_words(kind: MessageKind, locale: str) -> None:
    language = LANGUAGES.known()[locale]
    event = _swiss(8)
    game = event.t.in_round(1)[0].game.id
    event.score(game, 1, 0, how=How.NO_SHOW)
    details = [each.value for each in TournamentTrouble] if kind is MessageKind.TROUBLE else ["1-2"]
    details = ["2"] if kind is MessageKind.ANSWERED else details
    for detail in details:
        message = Message(1, kind, 1, 1, UserId(101), game, detail)
        view = view_of(event, fact=_FACTS.get(kind))
        said, _ = notice_text(message, EventText(view, language))
        assert said.startswith("<@101>, ")
        assert len(said) > 20
        assert "{" not in said


def test_who_takes_the_place_of_a_challenged_player_reads_the_challenge() -> None:
    event = Event(setup_of(FormatKey.LADDER))
    event.begin(3)
    event.take(registration.replace(event.t, event.act(900), 1, UserId(104)))
    view = view_of(event)
    asked = replace(view.tournament, challenges=(Challenge(2, 1, AT),))
    message = Message(1, MessageKind.CHALLENGED, event.t.version, 1, UserId(104), detail="2")
    view = replace(view, tournament=asked, event=event.events[-1], fact=Replaced(1))
    said, buttons = notice_text(message, EventText(view, EN))
    assert said.startswith("<@104>, <@102> challenges you in **Spring**.")
    assert [each["label"] for each in buttons] == ["Accept", "Decline"]


def test_an_open_challenge_is_shown_on_the_ladder_and_to_the_two_whose_it_is() -> None:
    event = Event(setup_of(FormatKey.LADDER))
    event.begin(3)
    event.take(add(event.t, event.act(), Drawn(1, (), (), event.t.finish)))
    event.take(challenges.challenge(event.t, event.act(103), 3, 1))
    view, who = view_of(event), mentions_of(event.t, EN)
    line = "Open challenges:\n- <@103> challenged <@101> · answer by <t:"
    assert line in words_on(home_page(EventText(view, EN, who)))
    for number, answers in ((1, ["Accept", "Decline"]), (3, [])):
        page = mine_page(EventText(view, EN, who), event.t.entrants[number - 1]).page
        assert page is not None
        check(page)
        assert line in words_on(page)
        labels = [part["label"] for part in parts_of(page) if part["type"] == 2]
        assert labels == [*answers, "Standings", "Pairings", "Leave tournament"]
    page = mine_page(EventText(view, EN, who), event.t.entrants[1]).page
    assert "Open challenges" not in words_on(page)


def test_declining_again_counts_as_a_loss_and_both_are_told() -> None:
    event = Event(setup_of(FormatKey.LADDER))
    event.begin(3)
    event.take(add(event.t, event.act(), Drawn(1, (), (), event.t.finish)))

    def said(kind: MessageKind, entrant: int) -> str:
        view = view_of(event, fact=read_fact(event.events[-1].kind, event.events[-1].payload))
        message = Message(1, kind, 1, entrant, UserId(100 + entrant), "", "3")
        return notice_text(message, EventText(view, EN))[0]

    for again in (False, True):
        event.take(challenges.challenge(event.t, event.act(103), 3, 1))
        warned = "declining again counts as a lost game." in said(MessageKind.CHALLENGED, 1)
        assert warned is again
        event.take(challenges.decline(event.t, event.act(101), 1, 3))
        lost = said(MessageKind.DECLINED, 3)
        assert "<@101> declined your challenge in **Spring**." in lost
        assert lost.endswith("so you take their rung.") is again
    assert event.t.by_rung == (3, 1, 2)


def test_a_challenge_says_how_it_ended() -> None:
    event = _swiss(8)
    for fact, words in (
        (Drawn(1, (), (), AT), "you accepted the challenge by <@102>"),
        (Declined(2, 1, by_time=False), "you declined the challenge by <@102>"),
        (Declined(2, 1, by_time=True), "expired. It counts as declined."),
        (Withdrawn(2, Leaving.ASKED), "is off: a player has left."),
        (Excluded(1), "is off: a player has left."),
        (Replaced(1), "now goes to the player who took your place."),
        (Cancelled(), "is off: the ladder is over."),
    ):
        view = view_of(event, fact=fact)
        message = Message(1, MessageKind.ANSWERED, 1, 1, UserId(101), "", "2")
        said, buttons = notice_text(message, EventText(view, EN))
        assert words in said
        assert buttons == []


def test_who_waits_for_an_answer_hears_that_the_challenge_is_off() -> None:
    event = _swiss(8)
    for fact, words in (
        (Withdrawn(2, Leaving.ASKED), "<@102> has left **Spring**, so your challenge is off."),
        (Excluded(2), "<@102> has left **Spring**, so your challenge is off."),
        (Finished(), "**Spring** is over, so your challenge of <@102> is off."),
    ):
        message = Message(1, MessageKind.DECLINED, 1, 1, UserId(101), "", "2")
        view = view_of(event, fact=fact)
        assert words in notice_text(message, EventText(view, EN))[0]


def test_players_whose_game_an_arena_cuts_short_hear_that_it_does_not_count() -> None:
    event = Event(setup_of(FormatKey.ARENA))
    event.begin(2)
    drawn = Arena().pairs(event.t, dict.fromkeys((1, 2), event.at), event.at)
    assert drawn is not None
    event.take(running.draw_games(event.t, event.act(), drawn))
    game = drawn.games[0].id
    message = Message(1, MessageKind.UNFINISHED, 1, 1, UserId(101), game)
    said, _ = notice_text(message, EventText(view_of(event), EN))
    assert "**Spring** is over. Your game was still on, so it doesn't count" in said


@pytest.mark.parametrize("form", [each for each in FormatKey if each.facts.has_rounds])
def test_an_event_in_which_nobody_played_has_no_champion(form: FormatKey) -> None:
    event = Event(setup_of(form, rounds=3 if form is FormatKey.SWISS else None))
    event.begin(8)
    for number in range(1, 9):
        event.take(registration.withdraw(event.t, event.act(), number))
    event.draw()
    view, who = view_of(event), mentions_of(event.t, EN)
    for page in (finished_page(EventText(view, EN, who)), home_page(EventText(view, EN, who))):
        check(page)
        said = words_on(page)
        assert "No game was played, so nobody has won." in said
        assert not set("🏆🥇🥈🥉") & set(said)
    assert medal_in(view, UserId(101)) is None


def test_without_a_point_there_is_no_medal() -> None:
    event = Event(setup_of(FormatKey.ARENA))
    event.begin(4)
    rest = {each.number: event.at for each in event.t.active}
    drawn = not_none(Arena().pairs(event.t, rest, event.at))
    event.take(running.draw_games(event.t, event.act(), drawn))
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.at = event.t.finish
    event.take(running.end(event.t, event.act()))
    view, who = view_of(event), mentions_of(event.t, EN)
    assert [each.rank for each in view.standings] == [1, 1, 3, 3]
    said = words_on(finished_page(EventText(view, EN, who)))
    assert said.count("🥇") == 2
    assert "🥉" not in said
    medals = [medal_in(view, not_none(each.user_id)) for each in event.t.entrants]
    assert sorted(each.rank for each in medals if each is not None) == [1, 1]


@pytest.mark.parametrize(("most", "is_told"), [(2, False), (3, False), (4, True)])
def test_a_match_for_third_place_takes_four_players(most: int, is_told: bool) -> None:
    match = "There's a match for third place."
    setup = setup_of(FormatKey.KNOCKOUT, third_place=True, most=most)
    assert (match in rules_lines(setup, EN)) is is_told
    many = replace(setup, most=16)
    assert (match in rules_lines(many, EN, entrants=most)) is is_told


def test_a_second_game_of_a_meeting_is_not_called_a_round() -> None:
    event = Event(setup_of(FormatKey.KNOCKOUT, best_of=3))
    event.begin(2)
    who = mentions_of(event.t, EN)
    for lead in ("round 1 of **Spring** is paired. You play:", "**Spring**: your next game"):
        message = Message(1, MessageKind.ROUND, event.t.version, 1, UserId(101))
        assert lead in notice_text(message, EventText(view_of(event), EN, who))[0]
        (played,) = event.t.pending
        event.score(played.game.id, 1, 0)
        event.draw()


def test_who_is_not_at_the_final_table_reads_their_place() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=2, final_table=True))
    event.begin(8)
    while len(event.t.rounds) < 3:
        for played in event.t.pending:
            order = sorted(played.game.players)
            event.score(played.game.id, *(PLACES[order.index(x)] for x in played.game.players))
        event.draw()
    view, who = view_of(event), mentions_of(event.t, EN)
    final = event.t.rounds[-1]
    at_it = event.t.in_round(final.number)[0].game.players
    out = [each for each in view.standings if each.number not in at_it]
    assert len(out) == 4
    for each in out:
        user = event.t.entrants[each.number - 1].user_id
        message = Message(1, MessageKind.NO_FINAL, final.drawn, each.number, user)
        said, (table,) = notice_text(message, EventText(view, EN, who))
        assert f"You finish in place {each.rank} of 8." in said
        assert table["label"] == "Standings"


def test_a_player_who_alone_came_wins_by_forfeits() -> None:
    event = Event(setup_of(FormatKey.KNOCKOUT))
    event.begin(4)
    for number in (2, 3, 4):
        event.take(registration.withdraw(event.t, event.act(), number))
    event.draw()
    said = words_on(finished_page(EventText(view_of(event), EN)))
    assert "🏆 <@101> wins Spring!" in said


# ---- why ---------------------------------------------------------------------------------------


def _why(event: Event, number: int) -> str:
    played = event.t.in_round(number)[0]
    first, second = played.game.players
    pairing = why_pairing(event.t.crosstable(), number, first, second)
    found = WhyGame(played.game.id, pairing)
    page = why_game_page(EventText(view_of(event), EN), found).page
    check(page)
    return words_on(page)


def test_two_whose_game_was_not_played_may_be_paired_again_and_read_so() -> None:
    event = _swiss(4)
    for game in ("1.1", "1.2"):
        event.score(game, 0, 1, how=How.NO_SHOW)
    (one, two), (three, four) = (each.game.players for each in event.t.in_round(1))
    found = running.draw(event.t, event.act(), Paired(((one, two), (three, four)), None))
    assert not isinstance(found, Ask)
    event.take(found)
    said = _why(event, 2)
    assert "paired in round 1, but that game wasn't played, so they can still meet." in said
    assert "met before" not in said


def test_a_swiss_pairing_explains_itself() -> None:
    event = _swiss(8)
    assert "The upper half by rating meets the lower half" in _why(event, 1)
    for played in list(event.t.pending):
        event.score(played.game.id, 1, 0)
    event.draw()
    said = _why(event, 2)
    assert "Both had 1 point. So had:" in said
    event = _swiss(4)
    for name in ("1.1", "1.2"):
        event.score(name, 1, 0)
    event.draw()
    assert "Both had 1 point, and nobody else did." in _why(event, 2)
    assert "They hadn't met before." in said
    assert "first 1×, second 0×. They should move second." in said


def test_who_is_left_over_is_explained() -> None:
    event = _swiss(7)
    left_over = next(iter(event.t.rounds[0].byes))
    found = why_bye(event.t.crosstable(), 1, left_over)
    said = words_on(why_bye_page(EventText(view_of(event), EN), found).page)
    assert "An odd number of players was left" in said
    assert f"<@{100 + left_over}> had 0 points." in said


@pytest.mark.parametrize("tie_break", SWISS)
def test_a_place_opens_to_the_sum_of_each_number(tie_break: TieBreak) -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=5, late_entry=True))
    event.enter(*range(101, 110))
    event.take(registration.ask_bye(event.t, event.act(103), 3, 2, Kind.HALF_BYE))
    event.take(registration.close(event.t, event.act()))
    event.at = event.t.setup.begins
    event.draw()
    event.take(registration.withdraw(event.t, event.act(), 9, Leaving.ASKED))
    event.play_out()
    view = view_of(event)
    for place, shown in zip(standings(event.t.crosstable(), SWISS), view.standings, strict=True):
        page = why_place_page(EventText(view, EN), shown, tie_break).page
        check(page)
        said = words_on(page)
        value = place.value(tie_break)
        assert value is not None
        if not value.compares:
            assert not value.terms
            continue
        assert said.rpartition("Sum: **")[2].partition("**")[0] == points(value.total)
        rest = said.partition("Sum")[0].rpartition("\n**")[2].splitlines()
        assert sum(line.startswith("- ") for line in rest) == len(value.terms)
    assert Swiss().places(event.t)[0].number == standings(event.t.crosstable(), SWISS)[0].number


def test_a_player_who_goes_on_without_a_game_is_told_so_in_person() -> None:
    event = Event(setup_of(FormatKey.KNOCKOUT))
    event.begin(3)
    (left_over,) = event.t.rounds[0].byes
    user = UserId(100 + left_over)
    said = _notice(event, MessageKind.ROUND, entrant=left_over, user_id=user)
    assert said == f"<@{user}>, round 1 of **Spring**: you go on without a game."
    mine = mine_page(EventText(view_of(event), EN), event.t.entrants[left_over - 1])
    assert "You go on without a game." in words_on(mine.page)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_warning_speaks_of_a_vacation_only_where_it_helps(allowed: bool) -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3, vacations=allowed))
    event.begin(6)
    said = _notice(event, MessageKind.WARNED)
    assert "one more loss on time and you're out of **Spring**." in said
    assert ("vacation" in said) is allowed


# ---- rehearsal ---------------------------------------------------------------------------------


def test_a_rehearsal_shows_each_message_once_and_its_controls_do_nothing() -> None:
    event = _swiss(8)
    view = view_of(event)
    home = Message(1, MessageKind.HOME, 1)
    notices = [Message(n, MessageKind.ROUND, 12, n, UserId(-n)) for n in range(1, 9)]
    messages = [home, home, *notices, home]
    told = Rehearsal(tuple(Rehearsed(each, view) for each in messages), view)
    steps = steps_of(told.told)
    assert [each.told.message.kind.value for each in steps] == ["home", "round", "home"]
    assert steps[1].people == 8
    for number, step in enumerate(steps):
        reply = step_page(step, number, len(steps), EN, None)
        check(reply.page)
        assert reply.page is not None
        own = ("trehearse", "trehover")
        for part in parts_of(reply.page):
            if part["type"] == 2:
                mine = part["custom_id"].split(":")[3] in own
                # Back from the first and on from the last lead nowhere.
                nowhere = (number, part["label"]) in ((0, "Back"), (len(steps) - 1, "Next"))
                assert part["disabled"] is (nowhere or not mine)
    said = words_on(step_page(steps[1], 1, 3, EN, None).page)
    assert "Rehearsal: message 2 of 3" in said
    assert "To one player; 7 others get a similar message" in said
    assert timedelta(0) < event.t.finish - event.t.begins


def test_a_rehearsal_begins_with_the_message_that_players_join_by() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.enter(*range(-1007, -999))
    before = view_of(event)
    event.take(registration.close(event.t, event.act()))
    event.at = event.t.setup.begins
    event.draw()
    home = Message(1, MessageKind.HOME, 1)
    steps = steps_of((Rehearsed(home, before), Rehearsed(home, view_of(event))))
    assert len(steps) == 2
    said = words_on(step_page(steps[0], 0, 2, EN, None).page)
    assert "Join until" in said
    assert "**8 of 256** players have joined: Player 8, Player 7" in said
    assert "Computer" not in said


def test_a_pair_that_was_to_be_kept_apart_reads_why_it_meets() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.enter(*range(101, 105))
    event.take(registration.close(event.t, event.act()))
    event.take(directing.part(event.t, event.act(900), (1, 3), 0))
    drawn = running.draw(event.t, event.act(), Paired(((1, 3), (2, 4))))
    assert not isinstance(drawn, Ask)
    event.take(drawn)
    who = mentions_of(event.t, EN)
    for game, is_said in (("1.1", True), ("1.2", False)):
        shown = why_game_page(EventText(view_of(event), EN, who), why_game(event.t, game))
        assert ("wanted to keep them apart" in words_on(shown.page)) is is_said
    assert forbidden_in(event.t, 3) == ((2, 3, (1, 3)),)

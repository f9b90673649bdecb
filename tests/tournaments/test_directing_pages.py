"""Directors' pages, players' log and notices, and the reasons of a pairing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.match import MatchStatus
from bot.domain.preferences import Preferences
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.posts.sending import Gone, Posted, Recipient, Refused
from bot.tournaments.delivery import messages as tournament_messages
from bot.tournaments.delivery.messages import DiscordTournaments
from bot.tournaments.domain import acts as a
from bot.tournaments.domain import directing, registration, running
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.facts import Challenged, Declined, How, Leaving, Moved
from bot.tournaments.domain.formats.open_ended import Arena
from bot.tournaments.domain.formats.swiss import Swiss
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tiebreaks import SWISS, TieBreak, standings
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.posts import Message, MessageKind, TournamentTrouble
from bot.tournaments.services.rehearsal import Rehearsed
from bot.tournaments.services.views import Preview
from bot.tournaments.store.records import MatchLink
from bot.tournaments.ui.director_pages import (
    ask,
    confirm_page,
    manage_page,
    possible,
    read_act,
    read_points,
    typed_points,
    write_act,
    write_points,
)
from bot.tournaments.ui.home_page import finished_page, medal_in
from bot.tournaments.ui.message_pages import notice_text
from bot.tournaments.ui.player_pages import log_page
from bot.tournaments.ui.rehearsal_page import step_page, steps_of
from bot.tournaments.ui.setup_words import rules_lines
from bot.tournaments.ui.tables import Sheet
from bot.tournaments.ui.why_place_page import why_place_page
from bot.tournaments.ui.words import EventText, mentions_of, points
from bot.ui.pages.components import Control, File, Page, Picture, walk
from tests.support.kit import HandClock
from tests.support.not_none import not_none
from tests.tournaments.events_made import Event
from tests.tournaments.views import check, log_of, parts_of, setup_of, view_of, words_on

pytestmark = pytest.mark.slow

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
    event.do(running.begin_game, game)
    for ply in (0, 1):
        links = {game: MatchLink(MatchStatus.RUNNING, ply, None)}
        has_moved = "redraw" not in possible(replace(view_of(event), matches=links))
        assert has_moved is bool(ply)
    event.score(game, 1, 0)
    assert "correct" in possible(view_of(event))
    event.do(directing.pause)
    assert "resume" in possible(view_of(event))
    event.do(directing.cancel)
    assert possible(view_of(event)) == ()
    fixed = Event(setup_of(FormatKey.ROUND_ROBIN))
    fixed.begin(4)
    assert "redraw" not in possible(view_of(fixed)), "the pairs would be the same"
    assert "add" not in possible(view_of(fixed)), "it is too late"


def test_a_director_is_asked_first_for_games_that_are_played_now() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN, at_once=1))
    event.begin(4)
    event.do(running.begin_game, "1.2")
    for purpose, first in (("decide", ["1.2", "1.1", "2.1"]), ("extend", ["1:", "2:", "3:"])):
        page = ask(EventText(view_of(event), EN, _name), purpose).page
        assert page is not None
        (menu,) = (each for each in walk(page.components) if "options" in each)
        values = [each["value"].removeprefix(f"{purpose}:") for each in menu["options"]]
        assert values[:3] == first


def test_a_player_who_has_played_is_not_offered_to_be_replaced() -> None:
    event = _swiss(4)
    event.score("1.1", 1, 0)
    for purpose, count in (("replace", 2), ("withdraw", 4)):
        page = ask(EventText(view_of(event), EN, _name), purpose).page
        assert page is not None
        (menu,) = (each for each in walk(page.components) if "options" in each)
        assert len(menu["options"]) == count


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


# ---- notices -----------------------------------------------------------------------------------


_TOLD = sorted(
    set(MessageKind) - {MessageKind.HOME, MessageKind.FINISHED}, key=lambda each: each.value
)
_FACTS = {
    MessageKind.CHALLENGED: Challenged(3, 1, AT),
    MessageKind.DECLINED: Declined(1, 3, by_time=True),
    MessageKind.SUNK: Moved((3, 1, 2)),
}


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

    async def post(self, to: Recipient, page: list[Any], **_: object) -> Posted:
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
    told = Message(kind, 1, user_id=UserId(900), detail=detail)
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
    assert "<@103>" not in second + third, "others must not read who blocked a player"


async def test_a_player_is_told_directly_once_the_home_channel_is_gone() -> None:
    event = Event(setup_of(FormatKey.SWISS))
    event.begin(5)
    view, server = view_of(event), cast(Any, _Server())
    view = replace(view, home=replace(view.home, channel_id=ChannelId(700), message_id=None))
    discord_ = DiscordTournaments(server, server, server, server, HandClock(AT))
    await discord_.announce(Message(MessageKind.EXTENDED, 1, user_id=UserId(103)), view)
    ((to, said),) = server.said
    assert (to.user_id, to.channel_id) == (103, None)
    assert said.startswith("<@103>, ")


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
    message = Message(MessageKind.HOME, 1, shown=Posted(ChannelId(1), MessageId(1)))
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
    message = Message(MessageKind.HOME, 1, may_exist=True)
    found = [Posted(ChannelId(700), MessageId(id_)) for id_ in (6, 5)]

    async def posted(older: Posted | None) -> Posted | None:
        return await discord_.announce(replace(message, replaces=older), view_of(event))

    assert await posted(None) == found[0]
    assert await posted(found[1]) == found[0]
    assert await posted(found[0]) == found[1]


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
        message = Message(kind, 1, 1, UserId(101), game, detail)
        view = view_of(event, fact=_FACTS.get(kind))
        said, _ = notice_text(message, EventText(view, language, mentions_of(event.t, language)))
        assert said.startswith("<@101>, ")
        assert len(said) > 20
        assert "{" not in said


def test_without_a_point_there_is_no_medal() -> None:
    event = Event(setup_of(FormatKey.ARENA))
    event.begin(4)
    rest = {each.number: event.at for each in event.t.active}
    drawn = not_none(Arena().pairs(event.t, rest, event.at))
    event.do(running.draw_games, drawn)
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.at = event.t.finish
    event.do(running.end)
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


# ---- why ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tie_break", SWISS)
def test_a_place_opens_to_the_sum_of_each_number(tie_break: TieBreak) -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=5, late_entry=True))
    event.enter(*range(101, 110))
    event.do(registration.ask_bye, 3, 2, Kind.HALF_BYE, by=103)
    event.do(registration.close)
    event.at = event.t.setup.begins
    event.draw()
    event.do(registration.withdraw, 9, Leaving.ASKED)
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


# ---- rehearsal ---------------------------------------------------------------------------------


def test_a_rehearsal_shows_each_message_once_and_its_controls_do_nothing() -> None:
    event = _swiss(8)
    view = view_of(event)
    home = Message(MessageKind.HOME, 1)
    notices = [Message(MessageKind.ROUND, 12, n, UserId(-n)) for n in range(1, 9)]
    messages = [home, home, *notices, home]
    steps = steps_of([Rehearsed(each, view) for each in messages])
    assert [each.message.kind.value for each in steps] == ["home", "round", "home"]
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
    event.do(registration.close)
    event.at = event.t.setup.begins
    event.draw()
    home = Message(MessageKind.HOME, 1)
    steps = steps_of((Rehearsed(home, before), Rehearsed(home, view_of(event))))
    assert len(steps) == 2
    said = words_on(step_page(steps[0], 0, 2, EN, None).page)
    assert "Join until" in said
    assert "**8 of 256** players have joined: Player 8, Player 7" in said
    assert "Computer" not in said

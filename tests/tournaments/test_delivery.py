"""Messages of tournaments on their way to Discord, and the entry in the server's calendar."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.preferences import Preferences
from bot.i18n import Language
from bot.posts.sending import Gone, Posted, Recipient, Refused
from bot.tournaments.delivery import messages as tournament_messages
from bot.tournaments.delivery.messages import DiscordTournaments
from bot.tournaments.delivery.server_calendar import ServerCalendar
from bot.tournaments.domain.notices import MessageKind, TournamentTrouble
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.posts import Message
from bot.tournaments.services.views import EventView
from bot.tournaments.ui.tables import Sheet
from bot.ui.delivery.poster import RestCalls
from bot.ui.pages.components import Control, File, Page, Picture
from tests.support.kit import HandClock
from tests.tournaments.views import EN, Told, view_of, words_on

AT = datetime(2026, 12, 24, 18, tzinfo=UTC)
BUTTONS: list[Any] = [{"type": 10, "content": "Spring"}, {"type": 1, "components": []}]


class _Server:
    """A server, its client and messenger, as far as messages go: its home channel (700) is gone."""

    theme = lobby = None

    def __init__(self) -> None:
        self.said: list[tuple[Recipient, str]] = []
        self.refuses_direct = False
        self.edits: list[tuple[Posted, object, bool]] = []
        self.there: list[Any] = []
        may = discord.Permissions.all()
        channel = SimpleNamespace(id=702, permissions_for=lambda _: may)
        self.guild = SimpleNamespace(
            public_updates_channel=None,
            system_channel=channel,
            me=object(),
            get_thread=lambda _: None,
            get_channel_or_thread=lambda _: channel,
        )

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

    async def latest(self, _: Recipient) -> list[Any]:
        return self.there

    async def erase(self, _: Posted) -> None:
        raise Refused("50083")

    async def components_of(self, _: Posted) -> list[Any]:
        return BUTTONS

    async def edit_page(self, to: Posted, page: object, files: object = None) -> None:
        self.edits.append((to, page, bool(files)))

    async def post(self, to: Recipient, page: list[Any], **_: object) -> Posted:
        if to.channel_id == 700 or (to.channel_id is None and self.refuses_direct):
            raise Gone("channel")
        self.said.append((to, words_on(Page(*page))))
        return Posted(ChannelId(to.channel_id or 1), MessageId(1))


@pytest.fixture
def server() -> Any:
    return _Server()


@pytest.fixture
def delivery(server: Any, monkeypatch: pytest.MonkeyPatch) -> DiscordTournaments:
    """Without a calendar; each table is drawn alike."""

    async def sheet(*_: object) -> Sheet:
        return Sheet(lambda _: None, "1 Anna 0")  # type: ignore[arg-type,return-value]

    async def picture(*_: object) -> Picture:
        return Picture(File("table.png", b"png"), "A table")

    monkeypatch.setattr(tournament_messages, "home_sheet", sheet)
    monkeypatch.setattr(tournament_messages, "drawn", picture)
    found = DiscordTournaments(server, server, server, server, HandClock(AT))
    monkeypatch.setattr(found, "_calendar", SimpleNamespace(keep=server.language_for))
    return found


def _view() -> EventView:
    view = view_of(Told("swiss 5"))
    return replace(view, home=replace(view.home, channel_id=ChannelId(700), message_id=None))


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        (MessageKind.TROUBLE, TournamentTrouble.HOME_GONE.value),
        (MessageKind.BLOCKED_PAIRS, "1-3"),
    ],
)
async def test_a_message_to_directors_finds_a_place_when_the_home_channel_is_gone(
    server: Any, delivery: DiscordTournaments, kind: MessageKind, detail: str
) -> None:
    told = Message(kind, 1, user_id=UserId(900), detail=detail)
    await delivery.announce(told, _view())
    server.refuses_direct = True
    for each in (told, replace(told, user_id=None)):
        await delivery.announce(each, _view())
    places = [(to.user_id, to.channel_id) for to, _ in server.said]
    assert (places[0], [channel for _, channel in places[1:]]) == ((900, None), [702, 702])
    first, second, third = (said for _, said in server.said)
    assert first.startswith("<@900>, ")
    assert second.startswith("<@900>, ")
    assert "<@900>" not in third, "no director is left"
    assert "<@103>" not in second + third, "others must not read who blocked a player"


async def test_a_player_is_told_directly_once_the_home_channel_is_gone(
    server: Any, delivery: DiscordTournaments
) -> None:
    await delivery.announce(Message(MessageKind.EXTENDED, 1, user_id=UserId(103)), _view())
    ((to, said),) = server.said
    assert (to.user_id, to.channel_id) == (103, None)
    assert said.startswith("<@103>, ")


async def test_the_picture_of_the_home_message_is_drawn_anew_once_the_event_is_over(
    server: Any, delivery: DiscordTournaments
) -> None:
    message, view = Message(MessageKind.HOME, 1, shown=Posted(ChannelId(1), MessageId(1))), _view()
    over = replace(view, tournament=replace(view.tournament, status=TournamentStatus.FINISHED))
    for each in (view, view, over):
        await delivery.announce(message, each)
    drawn = [is_drawn for *_, is_drawn in server.edits]
    assert drawn == [True, False, True], "its foot says that the standings are final"


async def test_an_older_home_message_that_cant_be_deleted_loses_its_buttons(
    server: Any, delivery: DiscordTournaments
) -> None:
    older = Posted(ChannelId(700), MessageId(5))
    await delivery.put_away(older)
    assert server.edits == [(older, BUTTONS[:1], False)]


async def test_the_home_message_that_may_have_been_posted_is_not_the_older_one(
    server: Any, delivery: DiscordTournaments
) -> None:
    view = _view()
    rules = {"type": 2, "custom_id": str(Control("trules", view.tournament.id)), "label": "Rules"}
    row = [{"type": 1, "components": [rules]}]
    server.there = [{"id": id_, "channel_id": "700", "components": row} for id_ in "65"]
    six, five = (Posted(ChannelId(700), MessageId(id_)) for id_ in (6, 5))
    for older, found in ((None, six), (five, six), (six, five)):
        message = Message(MessageKind.HOME, 1, may_exist=True, replaces=older)
        assert await delivery.announce(message, view) == found


# ---- the calendar ------------------------------------------------------------------------------


class _Calendar:
    """Keeps one entry, starts and ends it at its times, and refuses what Discord refuses."""

    def __init__(self) -> None:
        self.now = AT
        self.entry: dict[str, Any] | None = None
        self.refused: list[dict[str, Any]] = []
        self.edits: list[dict[str, Any]] = []
        event = Told("swiss 0").t
        hour = timedelta(hours=1)
        self.t: Tournament = replace(event, begins=AT + hour, finish=AT + 5 * hour)

    def _move(self) -> None:
        for status, which in ((1, "start"), (2, "end")):
            if self.entry is not None and self.entry["status"] == status:
                at = datetime.fromisoformat(self.entry[f"scheduled_{which}_time"])
                self.entry["status"] += at <= self.now

    async def get_scheduled_events(self, _guild: int, **_: Any) -> list[dict[str, Any]]:
        self._move()
        return [] if self.entry is None or self.entry["status"] > 2 else [dict(self.entry)]

    async def create_guild_scheduled_event(self, _guild: int, **made: Any) -> dict[str, Any]:
        self._judge(made)
        self.entry = {**made, "id": "7", "status": 1}
        return self.entry

    async def edit_scheduled_event(self, _guild: int, _id: int, **changes: Any) -> None:
        self._move()
        changes.pop("reason")
        assert self.entry is not None
        self._judge(changes)
        if self.entry["status"] != 1 and "scheduled_start_time" in changes:
            self.refused.append(changes)
        steps = {1: (1, 2, 4), 2: (2, 3)}.get(self.entry["status"], ())
        if "status" in changes and changes["status"] not in steps:
            self.refused.append(changes)
        self.edits.append(changes)
        self.entry.update(changes)

    def _judge(self, body: dict[str, Any]) -> None:
        start = body.get("scheduled_start_time")
        if start is not None and datetime.fromisoformat(start) <= self.now:
            self.refused.append(body)

    async def keep(self, *, may_create: bool = True, **about: Any) -> None:
        """A process that knows of no entry yet keeps that of the tournament."""
        may = SimpleNamespace(create_events=may_create, manage_events=False)
        guild = SimpleNamespace(me=SimpleNamespace(guild_permissions=may))
        client: Any = SimpleNamespace(http=self, get_guild=lambda _id: guild)
        calendar = ServerCalendar(client, RestCalls(), lambda: self.now)
        await calendar.keep(view_of(replace(self.t, **about)), EN)


async def test_what_discord_has_started_and_ended_by_itself_is_not_started_again() -> None:
    calendar = _Calendar()
    await calendar.keep()
    calendar.now = calendar.t.begins + timedelta(minutes=1)
    await calendar.keep(status=TournamentStatus.CLOSED)
    await calendar.keep(status=TournamentStatus.RUNNING)
    calendar.now = calendar.t.finish + timedelta(minutes=1)
    await calendar.keep(status=TournamentStatus.FINISHED)
    assert (calendar.refused, calendar.edits) == ([], [])


async def test_a_start_that_has_passed_is_never_sent() -> None:
    calendar = _Calendar()
    calendar.now = calendar.t.begins + timedelta(minutes=1)
    await calendar.keep()
    assert (calendar.entry, calendar.refused) == (None, []), "nothing to come is announced"
    calendar.now = AT
    await calendar.keep()
    calendar.now = calendar.t.begins - timedelta(minutes=10)
    early = calendar.now - timedelta(minutes=1)
    await calendar.keep(begins=early, status=TournamentStatus.CLOSED)
    assert calendar.refused == []


async def test_a_new_process_edits_nothing_that_is_said_already() -> None:
    calendar = _Calendar()
    for _ in range(2):
        await calendar.keep()
    assert calendar.edits == []
    later = calendar.t.begins + timedelta(minutes=30)
    await calendar.keep(begins=later)
    assert calendar.edits == [{"scheduled_start_time": later.isoformat()}]


async def test_without_create_events_only_the_servers_entry_is_missing() -> None:
    calendar = _Calendar()
    await calendar.keep(may_create=False)
    assert calendar.entry is None

"""Tournaments in the simulated days: organisers, entrants, and those who don't come."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Match, Place
from bot.privacy.services import PrivacyService
from bot.store import transactions
from bot.tournaments.domain.setup import FormatKey
from games import catalog
from playground.forms import all_text
from playground.world.controls import walk
from tests.simulation.directors import Contest, Directors
from tests.simulation.host import EVENT_POINTS
from tests.simulation.programme import Sketch
from tests.simulation.record import Record
from tests.simulation.watch import Message

if TYPE_CHECKING:
    from tests.simulation.month import Month

Json = dict[str, Any]
_MENU = 3
AT_FIRST = ("replace", "pair again")
"""Actions before the first move, if they are possible at all."""
CROWD = 40
"""From more entrants than these games are given up early, and many don't come."""


@dataclass
class Club:
    """A server in which events are held."""

    guild: int
    organiser: int


@dataclass
class Contests:
    """All events, and what people do in them beside playing."""

    month: Month
    directors: Directors
    held: list[Contest] = field(default_factory=list)
    clubs: list[Club] = field(default_factory=list)
    _answered: set[int] = field(default_factory=set)

    # ---- the clubs -----------------------------------------------------------------------------

    def found(self, people: list[int]) -> None:
        """Two clubs; everybody is in both."""
        places = self.month.playground.world.places
        for name in ("First", "Second"):
            organiser = places.add_user(f"Organiser of the {name}")
            if self.clubs:
                guild = places.add_guild(f"{name} Club", organiser.id).id
                places.join(guild, places.state.bot_id)
            else:
                guild = self.month.playground.world.home.id
                places.join(guild, organiser.id)
            for user in people:
                places.join(guild, user)
            self.clubs.append(Club(guild, organiser.id))

    def schedule(self, programme: tuple[tuple[Sketch, ...], ...], begin: datetime) -> None:
        """Put all events on the agenda."""
        for club, sketches in zip(self.clubs, programme, strict=False):
            for sketch in sketches:
                at = begin + timedelta(days=sketch.at)
                self.month.at(at, self.month.once_up(partial(self._announce, club, sketch)))

    async def _announce(self, club: Club, sketch: Sketch) -> None:
        month = self.month
        setup = sketch.setup(month.clock.now())
        places = month.playground.world.places
        channel = places.add_channel(club.guild, sketch.name.lower().replace(" ", "-")).id
        view = await self.directors.service.create(
            self.directors.visitor(club.organiser, club.guild),
            Place(GuildId(club.guild), ChannelId(channel)),
            setup,
            interaction_id=self.directors.click(),
        )
        contest = Contest(sketch, setup, club.guild, channel, club.organiser, view.tournament.id)
        self.held.append(contest)
        month.counts["events"] += 1
        if len(self.held) <= month.plan.event_deaths:
            point = EVENT_POINTS[len(self.held) % len(EVENT_POINTS)]
            month.doom_at(setup.begins - timedelta(minutes=1), point)
        await month.settled()
        people = [user for user in month.lives if user not in self.month.erased]
        # Some more than may enter, or who come too late.
        spare = 2 if sketch.form is FormatKey.KNOCKOUT else 0
        chosen = month.rng.sample(people, min(len(people), sketch.size + spare))
        self._begin_actions(contest, chosen)
        for user in chosen:
            when = month.lives[user].acts_at(month.clock.at, month.rng)
            month.at(when, month.once_up(partial(self._join, contest, user)))

    def _begin_actions(self, contest: Contest, chosen: list[int]) -> None:
        """Plan the actions beside playing, with their times."""
        month, setup, actions = self.month, contest.setup, contest.sketch.actions
        lasts = setup.finish - setup.begins
        if "absent" in actions:
            some = 3 if contest.sketch.size > CROWD else 10
            contest.absent.update(chosen[: max(1, len(chosen) // some)])
        for number, action in enumerate(actions):
            do = {
                "withdraw": self._withdraw,
                "exclude": self.directors.exclude,
                "erase": self._erase,
                "correct": self.directors.correct,
                "decide": self.directors.decide,
                "replace": self.directors.replace,
                "pair again": self.directors.pair_again,
                "late": self._come_late,
            }.get(action)
            if do is not None:
                when = setup.begins + lasts * (0.15 + 0.7 * number / max(len(actions), 2))
                if action in AT_FIRST:
                    when = setup.begins + timedelta(seconds=40 + 20 * number)
                month.at(when, month.once_up(partial(do, contest)))
        if setup.format is FormatKey.LADDER:
            for number in range(int(lasts / timedelta(days=1)) * 2):
                when = setup.begins + timedelta(hours=12 * number + 1)
                month.at(when, month.once_up(partial(self._challenge, contest)))

    # ---- people --------------------------------------------------------------------------------

    def _home(self, contest: Contest) -> Json | None:
        """The home message as it is."""
        month = self.month
        name = contest.sketch.name
        found = [
            each for each in month.watcher.in_channel[contest.channel]
            if each.is_board and each.deleted_at is None and f"## {name}" in each.text
        ]  # fmt: skip
        if len(found) > 1:
            month.watcher.problems.append(f"{name}: {len(found)} home messages")
        return None if not found else self._page(found[0])

    def _page(self, message: Message) -> Json:
        shown = self.month.playground.world.state.messages[message.channel][message.id]
        return {"components": shown.components, "channel_id": message.channel, "id": message.id}

    async def _press(self, user: int, page: Json, label: str) -> Json | None:
        """Press a button, if it is there; the answer."""
        try:
            body = self.month.watcher.button(page, label)
        except LookupError:
            return None
        answer = await self.month.watcher.do(user, body, reads=True)
        await self.month.settled()
        return answer

    async def _join(self, contest: Contest, user: int) -> None:
        page = self._home(contest)
        if user in self.month.erased or user in contest.in_it:
            return
        if page is None:
            self.month.watcher.problems.append(f"{contest.sketch.name}: no home message")
            return
        answer = await self._press(user, page, "Join")
        if answer is not None and answer.get("failed"):
            # Discord says that the bot did not answer, as where it was killed: people press again.
            self.month.counts["pressed again"] += 1
            when = self.month.clock.at + timedelta(minutes=2)
            self.month.at(when, self.month.once_up(partial(self._join, contest, user)))
            return
        said = "" if answer is None else all_text(answer)
        if "You're in" in said:
            contest.in_it.add(user)
            self.month.counts["entries"] += 1
            return
        self.month.counts["not entered"] += 1
        late = self.month.clock.at >= contest.setup.closes
        full = len(contest.in_it - contest.left) >= contest.setup.most
        if not late and not full:
            self.month.watcher.problems.append(f"{contest.sketch.name}: cannot join: {said!r}")

    async def _come_late(self, contest: Contest) -> None:
        others = [
            each for each in self.month.lives
            if each not in contest.in_it and each not in self.month.erased
        ]  # fmt: skip
        before = len(contest.in_it)
        if others:
            await self._join(contest, self.month.rng.choice(others))
        self.month.counts["late entries"] += len(contest.in_it) - before

    def _playing(self, contest: Contest) -> list[int]:
        return sorted(contest.in_it - contest.left - contest.absent)

    async def _withdraw(self, contest: Contest) -> None:
        """Open one's games, press Leave tournament, and confirm."""
        page, people = self._home(contest), self._playing(contest)
        if page is None or not people:
            return
        user = self.month.rng.choice(people)
        mine = await self._press(user, page, "My games")
        asked = None if mine is None else await self._press(user, mine, "Leave tournament")
        sure = None if asked is None else await self._press(user, asked, "Leave tournament")
        if sure is not None and "You've left" in all_text(sure):
            contest.left.add(user)
            self.month.counts["withdrawals"] += 1

    async def _erase(self, contest: Contest) -> None:
        """A player who plays nothing else has their data erased."""
        people = [each for each in self._playing(contest) if each in self.month.guests]
        if not people:
            return
        user = self.month.rng.choice(people)
        assert self.month.bot is not None
        await self.month.bot.services.of(PrivacyService).erase(UserId(user))
        for each in self.held:
            if user in each.in_it:
                each.left.add(user)
        self.month.erased.add(user)
        self.month.counts["erasures"] += 1
        await self.month.settled()

    async def _challenge(self, contest: Contest) -> None:
        """A player of the ladder challenges a player above, by the buttons."""
        page = self._home(contest)
        people = [
            each for each in self._playing(contest)
            if self.month.lives[each].is_there(self.month.clock.at)
        ]  # fmt: skip
        if page is None or not people:
            return
        user = self.month.rng.choice(people)
        shown = await self._press(user, page, "Challenge")
        if shown is None:
            return
        menu = next((x for x in walk(shown["components"]) if x.get("type") == _MENU), None)
        if menu is None:
            return
        value = self.month.rng.choice(menu["options"])["value"]
        answer = await self.month.watcher.do(
            user,
            {
                "type": 3,
                "channel_id": str(shown["channel_id"]),
                "message_id": str(shown["id"]),
                "data": {
                    "component_type": _MENU,
                    "custom_id": menu["custom_id"],
                    "values": [value],
                },
            },
            reads=True,
        )
        self.month.counts["challenges"] += "You challenged" in all_text(answer)
        await self.month.settled()

    def hear(self, message: Message) -> None:
        """Challenged players answer later, or never."""
        if "challenges you in" not in message.text or message.id in self._answered:
            return
        self._answered.add(message.id)
        user = message.direct_to or next(iter(message.pings), 0)
        life = self.month.lives.get(user)
        lots = self.month.lots("challenge", user, message.at)
        chance = lots.random()
        if life is not None and chance < 0.9:
            label = "Accept" if chance < 0.75 else "Decline"
            when = life.acts_at(self.month.clock.at, lots)
            answer = partial(self._answer, message, user, label)
            self.month.at(when, self.month.once_up(answer))

    async def _answer(self, message: Message, user: int, label: str) -> None:
        if user not in self.month.erased:
            await self._press(user, self._page(message), label)

    # ---- matches -------------------------------------------------------------------------------

    async def meet(self, board: Message) -> Record | None:
        """A board nobody has seen before: the record of its match, if an event plays it."""
        assert board.shows is not None
        assert self.month.bot is not None
        match = await self.month.bot.store.read(transactions.match, MatchId(board.shows[0]))
        if match is None or match.tournament is None:
            return None
        if any(str(match.id) in each.called_off for each in self.held):
            return None
        contest = next(x for x in self.held if x.id == match.tournament.tournament_id)
        name = str(match.tournament.game)
        if name in contest.records:
            self.month.watcher.problems.append(f"{contest.sketch.name}: two matches for {name}")
        record = self._record(contest, match)
        record.channel = board.channel
        if match.created_at > board.at + self.month.plan.inexact:
            self.month.watcher.problems.append(f"{record.name}: a board before its match")
        record.begin(record.game.decode(match.state or ""), match.created_at)
        contest.records[name] = record
        self.month.counts["matches of events"] += 1
        return record

    def _record(self, contest: Contest, match: Match) -> Record:
        sketch = contest.sketch
        setup = contest.setup
        game = catalog.create(setup.game, dict(setup.options))
        users = tuple(int(each or 0) for each in match.players)
        # A crowd plays short games: what is looked at there is the event.
        lengths = (2, 6, 12, 20, 30) if sketch.size <= CROWD else (1, 1, 2, 2, 3)
        most = self.month.lots("length", match.id).choice(lengths) if len(users) == 2 else 10_000
        return Record(
            len(self.month.records),
            game,
            users,
            sketch.control,
            most,
            name=str(match.id),
            no_show=setup.no_show,
            absent=frozenset(contest.absent),
        )

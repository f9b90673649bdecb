"""People who offer one another matches, accept them, and play their moves or forget to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from bot.domain.ids import MatchId
from bot.services.presence import GRACE
from bot.store import transactions
from games import catalog
from playground.forms import all_text, find_control
from tests.simulation.record import CONTROLS, Record
from tests.simulation.resting import Resting
from tests.simulation.watch import Message

_SETUPS = (
    ("quax", "size 3, pie off"),
    ("quax", "size 4, pie on"),
    ("quux", "size 3"),
    ("ziggurat", ""),
    ("pux", ""),
    ("pythagoras", "seats 2"),
)


@dataclass
class Playing(Resting):
    """The actions of people at the boards."""

    erased: set[int] = field(default_factory=set)
    guests: set[int] = field(default_factory=set)
    """People who play in events only."""
    _by_channel: dict[int, Record] = field(default_factory=dict)

    def _moved(self, record: Record, move: str) -> None:
        """A move was played; who moves while a vacation began by itself is soon back."""
        user, at = record.turn.user, self.clock.at
        self.keep_up(user)
        record.moved(move, at, self.stopped_spans(record))
        if self.vacations[user].moved(at):
            self._rested(user)

    def _waiting(self) -> list[Record]:
        return [
            r for r in self.records
            if r.channel is not None and r.over is None and len(r.moves) < r.most
            and r.turn.user not in r.absent and r.turn.user not in self.erased
        ]  # fmt: skip

    def _is_there(self, record: Record) -> bool:
        return self.lives[record.turn.user].is_there(self.clock.at)

    def _some_move(self, record: Record) -> str:
        game, position = record.game, record.position
        legal = sorted(game.notation(position, move) for move in game.legal_moves(position))
        return self.lots("move", record.name, len(record.moves)).choice(legal)

    async def _offer(self) -> None:
        """A player who is awake offers a match to another."""
        others = [user for user in self.lives if user not in self.guests]
        awake = [user for user in others if self.lives[user].is_there(self.clock.at)]
        if not self.is_up or not awake:
            self.at(self.clock.at + timedelta(minutes=30), self._offer)
            return
        one = self.rng.choice(awake)
        two = self.rng.choice([user for user in others if user != one])
        key, options = self.rng.choice(_SETUPS)
        control = self.rng.choice(CONTROLS)
        game = catalog.create(
            key, dict(part.split() for part in options.split(", ")) if options else {}
        )
        record = Record(
            len(self.records), game, (one, two), control, self.rng.choice((2, 6, 12, 20, 30))
        )
        channels = self.playground.world.places.state.channels_of(self.playground.world.home.id)
        channel = next(each.id for each in channels if each.kind == 0)
        body = self.watcher.command(
            channel, "play", game=key, opponent=two, options=options or None, side="1",
            clock=control.typed,
        )  # fmt: skip
        body["data"]["options"] = [o for o in body["data"]["options"] if o["value"] is not None]
        known = set(self.watcher.messages)
        answer = await self.watcher.do(one, body)
        await self.settled()
        if "Offer sent" not in all_text(answer):
            self.watcher.problems.append(f"no offer came of it: {all_text(answer)}")
            return
        self.records.append(record)
        self.counts["offers"] += 1
        await self._unless_dead(partial(self._offered, record, channel, known))

    async def _unless_dead(self, action: Callable[[], Awaitable[None]]) -> None:
        """The action, put off if the bot has just died and says nothing until it is there again."""
        if self.is_dead:
            self.at(self.clock.at + timedelta(minutes=2), self.once_up(action))
        else:
            await action()

    async def _offered(self, record: Record, channel: int, known: set[int]) -> None:
        """An offer was made: look for it, for its player to accept it."""
        posted = (m for m in self.watcher.in_channel[channel] if m.id not in known)
        offer = next((m.id for m in posted if m.is_asking or m.is_board), None)
        if offer is None:
            self.watcher.problems.append(f"match {record.number}: no offer is there")
            return
        when = self.lives[record.users[1]].acts_at(self.clock.at, self.rng)
        self.at(when, partial(self._accept, record, channel, offer))

    async def _accept(self, record: Record, channel: int, offer: int) -> None:
        two = record.users[1]
        if not self.is_up:
            when = self.lives[two].acts_at(self.clock.at, self.rng)
            self.at(when, partial(self._accept, record, channel, offer))
            return
        shown = self.playground.world.state.messages[channel][offer]
        page = {"components": shown.components, "channel_id": channel, "id": offer}
        try:
            find_control(page, label="Accept")
        except LookupError:
            record.over = "lapsed"
            self.counts["lapsed"] += 1
            return
        known = set(self.watcher.messages)
        await self.watcher.do(two, self.watcher.button(page, "Accept"))
        await self.settled()
        await self._unless_dead(partial(self._begun, record, known, self.clock.at))

    async def _begun(self, record: Record, known: set[int], at: datetime) -> None:
        """A match was accepted: look for its board."""
        boards = [m for i, m in self.watcher.messages.items() if i not in known and m.is_board]
        board = next((m for m in boards if self._is_of_new_match(m)), None)
        if board is None:
            self.watcher.problems.append(f"match {record.number}: no board after it was accepted")
            record.over = "lost"
            return
        assert board.shows is not None
        assert self.bot is not None
        record.name, record.channel = board.shows[0], board.channel
        self._by_channel[record.channel] = record
        found = await self.bot.store.read(transactions.match, MatchId(record.name))
        assert found is not None
        # Only how the pieces lie at first; some games draw lots.
        record.begin(record.game.decode(found.state or ""), at)
        self.counts["matches"] += 1
        self._plan_move(record)

    def _is_of_new_match(self, message: Message) -> bool:
        """Whether it is the board of a match that no record is of; a vacation shows old ones."""
        shown = message.shows
        return shown is not None and all(each.name != shown[0] for each in self.records)

    def _plan_move(self, record: Record) -> None:
        life = self.lives[record.turn.user]
        number = len(record.moves)
        lots = self.lots("when", record.name, number, self.clock.at)
        if record.turn.user in record.absent or record.turn.user in self.erased:
            self._look_at_the_deadline(record)
            return
        deadline = record.deadline(self.stopped_spans(record))
        if deadline is not None:
            self._look_at_the_deadline(record)
            if lots.random() < life.forgets:
                return
        when = life.acts_at(self.clock.at, lots)
        if timedelta() < record.control.bank < timedelta(days=1) and lots.random() < 0.85:
            # The live players sit there.
            when = self.clock.at + timedelta(seconds=lots.uniform(3, 120))
        if deadline is not None and lots.random() < 0.03:
            when = deadline + timedelta(seconds=lots.choice((-1, 0, 4, 6)))
            when = max(when, self.clock.at + timedelta(seconds=1))
        self.at(when, partial(self._act, record, number))

    async def _act(self, record: Record, number: int) -> None:
        """Play a move, or give up; whatever is refused is remembered."""
        if record.over is not None or len(record.moves) != number:
            return
        if not self.is_up:
            self._plan_move(record)
            return
        assert record.channel is not None
        user = record.turn.user
        # A vacation that began by itself in another match stops this clock as well.
        self.keep_up(user)
        deadline = record.deadline(self.stopped_spans(record))
        if number >= record.most:
            asked = await self.watcher.do(
                user, self.watcher.command(record.channel, "match resign")
            )
            if "Resign" in str(asked.get("components")):
                await self.watcher.do(user, self.watcher.button(asked, "Resign"))
                await self.settled()
                if record.over is None:
                    record.over = "resigned"
                    record.turn.ended = self.clock.at
                    self.counts["resigned"] += 1
            return
        move = self._some_move(record)
        body = self.watcher.command(record.channel, "move", move=move)
        answer = all_text(await self.watcher.do(user, body))
        if f"You played {move}" in answer or (move == "swap" and "You swapped." in answer):
            self.counts["moves"] += 1
            if deadline is not None and self.clock.at >= deadline + GRACE:
                self.watcher.problems.append(f"{record.name}: a move at {self.clock.at} was late")
            self._moved(record, move)
            await self.settled()
            if record.over is None:
                self._plan_move(record)
            return
        self.counts["late"] += 1
        if deadline is None or self.clock.at < deadline + GRACE:
            self.watcher.problems.append(f"{record.name}: {move} was refused: {answer}")

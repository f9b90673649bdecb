"""Sending the messages of tournaments: in order for each addressee, and not in quiet hours.

No row of the outbox names a person: an entrant or director is looked up when a message is sent, so
that a person who was replaced or erased meanwhile gets none.
"""

from __future__ import annotations

import contextlib
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.domain.ids import MessageId, TournamentId, UserId
from bot.domain.match import MatchStatus
from bot.failpoints import hit
from bot.logs import logger
from bot.posts.outgoing import (
    QUIET,
    TOURNAMENT,
    Claim,
    Done,
    Handler,
    Key,
    Outcome,
    Outgoing,
    PutOff,
)
from bot.posts.sending import Gone, Posted, Refused
from bot.services.departures import IsMember
from bot.services.pairing import Pairing
from bot.services.rate_limits import CROWDED, ServerShares
from bot.store import Store, standing
from bot.store.errors import Conflict
from bot.store.standing import LOOK_AGAIN
from bot.tournaments.delivery.messages import DiscordTournaments
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.challenges import waiting
from bot.tournaments.domain.fold import replay
from bot.tournaments.domain.notices import (
    ALL_DIRECTORS,
    PODIUM_AGAIN,
    MessageKind,
    NewMessage,
    TournamentTrouble,
    hearing_of,
    to_directors,
)
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.posts import (
    AGAIN,
    LOOK,
    Message,
    invited_by,
    message_of,
    of_home,
    outgoing_of,
    podium_key,
    round_robin_games,
)
from bot.tournaments.services.views import EventView, viewed
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import StoredTournament, Writing
from bot.ui.delivery.notices import Notices

_log = logger(__name__)

NO_BOARDS = "no_boards"
"""The trouble of the announcement of a round whose matches have no threads yet."""
_NAMES_GAMES = frozenset({MessageKind.ROUND, MessageKind.OPPONENT})
_SAID_ANEW = frozenset({MessageKind.ENTERED, MessageKind.CHALLENGED})
"""The messages to each player who takes over a place."""
_LEAST = timedelta(seconds=1)
_BOARDS = timedelta(minutes=1)
"""How long the announcement of a round waits for slow threads."""
_LOOK_AGAIN_LIVE = timedelta(minutes=1)
"""The time between two looks for it while an event of a few hours runs."""
_LIVE = timedelta(hours=12)
"""The longest event whose players have come to play: their quiet hours do not count."""


def _asked(tournament_id: TournamentId, challenged: int, challenger: int | str) -> str:
    """The prefix of the keys of a challenge's messages; the version of each follows."""
    return f"challenge:{tournament_id}.{challenged}.{challenger}."


def _is_past(message: Message, t: Tournament) -> bool:
    """Whether it is too late for a message.

    Its round is over or undone, the challenge that a substitute should answer is over, the final
    table was undone, or the warned player is out and knows that.
    """
    if message.kind is MessageKind.INVITED:
        return t.status.is_final or not invited_by(message, t)
    if message.kind is MessageKind.CHECK_IN:
        entrant = t.entrants[message.entrant - 1]
        return t.checks_in is None or not entrant.is_active or entrant.is_here
    if message.kind is MessageKind.CHALLENGED and message.detail:
        return waiting(t, int(message.detail), message.entrant) is None
    if message.kind is MessageKind.WARNED:
        return not t.entrants[message.entrant - 1].is_active
    if message.detail == TournamentTrouble.GAVE_WAY.value:
        return all(each.drawn != message.version for each in t.rounds)
    if message.kind is MessageKind.NO_FINAL:
        return not t.rounds or t.rounds[-1].drawn != message.version
    if message.kind is not MessageKind.ROUND:
        return False
    if any(not each.is_over for each in t.of_entrant(message.entrant)):
        return False
    has_bye = bool(t.rounds) and message.entrant in t.rounds[-1].byes
    return t.status.is_final or not has_bye


def _waits_for_boards(message: Message, view: EventView, now: datetime) -> bool:
    """Whether matches that a notice should link to do not exist or have no thread, but soon may."""
    if message.kind is not MessageKind.ROUND or view.event is None:
        return False
    if now >= view.event.at + _BOARDS:
        return False
    games = [each.game.id for each in view.tournament.of_entrant(message.entrant)]
    links = [view.matches.get(name) for name in games]
    begins = view.wait is None and any(name in view.waiting for name in games)
    return begins or any(
        link is not None
        and link.status is MatchStatus.RUNNING
        and link.channel_id is None
        and not link.is_direct
        for link in links
    )


def _has_more(t: Tournament, entrant: int, drawn: f.Drawn) -> bool:
    """Whether an entrant may have a place in games that were drawn after these."""
    names = {each.id for each in drawn.games}
    return any(
        each.game.round >= drawn.round and each.game.id not in names
        for each in t.of_entrant(entrant)
    ) or any(entrant in each.byes for each in t.rounds[drawn.round :])


@dataclass(eq=False)
class TournamentTelling(Handler):
    """Sends the messages of tournaments; ``announcer`` has the words."""

    kinds = frozenset({TOURNAMENT})

    store: Store
    clock: Clock
    notices: Notices
    announcer: DiscordTournaments
    _: KW_ONLY
    shares: ServerShares | None = None
    pairing: Pairing | None = None
    is_member: IsMember | None = None

    async def make(self, claim: Claim) -> Outcome:
        """Send one message."""
        id_, _, _ = claim.key.partition(":")[2].partition(".")
        stored = await self.store.read(tournament_reading.stored, TournamentId(id_))
        if stored is None:
            return Done()
        new = message_of(claim.payload)
        if new.director == ALL_DIRECTORS:
            return Done(then=await self._to_directors(new, stored))
        found = await self._message(claim, new, stored)
        if found is None or _is_past(found, stored.tournament):
            return Done()
        if found.detail == TournamentTrouble.HOME_GONE.value and not stored.home_gone:
            return Done()  # it is there again
        if await self._is_overtaken(found, stored.tournament):
            return Done()
        wait = await self._quiet(found, stored.tournament)
        if wait is not None:
            return wait
        now = self.clock.now()
        view = await viewed(self.store, stored, found.version, pairing=self.pairing)
        if _waits_for_boards(found, view, now):
            return PutOff(now + _LEAST, NO_BOARDS, certain=True)
        guild, ticket = stored.home.guild_id, f"t{claim.id:x}"
        due = None if self.shares is None else self.shares.take(guild, ticket)
        if due is not None:
            return PutOff(due, CROWDED, certain=True)
        for message in dict.fromkeys((found, replace(found, shown=None))):
            try:
                posted = None
                if message.detail == LOOK and message.shown is not None and not stored.home_gone:
                    # It is only looked for; it may be editable where it can't be looked up.
                    with contextlib.suppress(Refused):
                        await self.announcer.look(message.shown)
                        posted = message.shown
                posted = posted or await self.announcer.announce(message, view)
            except (Gone, Refused) as error:
                is_gone = isinstance(error, Gone)
                if is_gone and message.shown is not None:
                    continue  # It was deleted, and is posted again.
                await self._refused(found, stored, is_there=message is found and not is_gone)
                if found.user_id is None:
                    raise
                _log.info("a tournament message not sent", tournament=id_, reason=error.reason)
            else:
                hit("c8")
                await self._stands(message, view, stored, posted)
                hit("c9")
                if found.replaces is not None:
                    await self.announcer.put_away(found.replaces)
            break
        if found.kind is not MessageKind.HOME or stored.tournament.status.is_final:
            return Done()
        # Look for the home message again: Discord does not report deletions to Parlour.
        t = stored.tournament
        is_live = t.finish - t.begins <= _LIVE and t.begins <= now
        pause = _LOOK_AGAIN_LIVE if is_live else LOOK_AGAIN
        return Done(then=(of_home(t.id, now + pause, LOOK),))

    async def _to_directors(
        self, message: NewMessage, stored: StoredTournament
    ) -> tuple[Outgoing, ...]:
        """A message to each director who is still there; one to the server where none is."""
        t = stored.tournament
        people = t.all_directors
        there = []
        for place, person in enumerate(people):
            if person is not None and person > 0 and place != message.but:
                is_member, guild = self.is_member, stored.home.guild_id
                # None where Discord does not say.
                if is_member is None or await is_member(guild, person) is not False:
                    there.append(place)
        message = replace(message, director=None, but=None)
        told = [replace(message, director=place) for place in there] or [message]
        if message.kind is MessageKind.CANCELLED:
            # Directors who play have been told as players.
            players = {each.user_id for each in t.active}
            told = [x for x in told if x.director is None or people[x.director] not in players]
        return tuple(outgoing_of(t, each) for each in told)

    async def _message(
        self, claim: Claim, new: NewMessage, stored: StoredTournament
    ) -> Message | None:
        """The message of a row, with its reader; None if there is none."""
        t, home, kind = stored.tournament, stored.home, new.kind
        person: UserId | None = None
        if new.director is not None:
            person = next(iter(t.all_directors[new.director :]), None)
        elif new.subject:
            event = await self.store.read(tournament_reading.event, t.id, new.version)
            person = None if event is None else event.subject_id
        elif new.former:
            # The person in an entrant's place before an event.
            history = await self.store.read(tournament_reading.history, t.id)
            person = replay(history[: new.version - 1]).entrants[new.entrant - 1].user_id
        elif new.entrant:
            person = t.entrants[new.entrant - 1].user_id
        is_personal = new.entrant or new.subject or new.director is not None
        is_gone = person is not None and person < 0 and kind is not MessageKind.ANSWERED
        if is_personal and (person is None or is_gone):
            return None
        shown = replaces = None
        if kind is MessageKind.HOME:
            if home.message_id is not None:
                shown = Posted(home.channel_id, home.message_id)
            if claim.slot == AGAIN:
                replaces = Posted(home.channel_id, MessageId(int(new.detail)))
            if shown == replaces:
                shown = None
        if new.detail == PODIUM_AGAIN:
            places = await self.store.read(standing.noted_places, podium_key(t.id))
            shown = next((posted for _, posted in places), None)
        message = Message(
            *(kind, new.version, new.entrant, person, new.game, new.detail),
            shown=shown,
            nonce=f"t{claim.id:x}",
            may_exist=claim.may_exist,
            replaces=replaces,
        )
        asked = await self._asked_at(t.id, message) if kind is MessageKind.ANSWERED else None
        return message if asked is None else replace(message, shown=asked[1])

    async def _asked_at(
        self, tournament_id: TournamentId, message: Message
    ) -> tuple[Key, Posted] | None:
        """The place of the last message of a challenge before it ended."""
        begins = _asked(tournament_id, message.entrant, message.detail)
        told = {
            int(key.removeprefix(begins)): (key, posted)
            for key, posted in await self.store.read(standing.noted_places, begins)
        }
        return told.get(max((each for each in told if each < message.version), default=0))

    async def _is_overtaken(self, message: Message, t: Tournament) -> bool:
        """Whether a later notice makes this one needless.

        That is the notice of a later round (but each of a ladder is about a game of its own), or,
        for a player who has taken over the place since, the one that names all its open games; also
        the messages that each such player gets.
        """
        kind, entrant = message.kind, message.entrant
        plays = any(not each.is_over for each in t.of_entrant(entrant))
        if kind in _SAID_ANEW or (plays and kind in _NAMES_GAMES):
            replaced = await self.store.read(tournament_reading.replaced, t.id, message.version)
            if entrant in replaced:
                return True
        if kind is not MessageKind.ROUND or t.setup.format is FormatKey.LADDER:
            return False
        event = await self.store.read(tournament_reading.event, t.id, message.version)
        if event is None:
            return False
        drawn = event.fact
        if t.setup.format is FormatKey.ROUND_ROBIN:
            return not round_robin_games(message, t)
        if isinstance(drawn, f.Drawn):
            there = t.rounds[drawn.round - 1 : drawn.round]
            if not there or there[0].drawn > message.version:
                return True  # that round was undone since
            mine = [each.id for each in drawn.games if message.entrant in each.players]
            if any(name not in t.games or t.games[name].drawn > message.version for name in mine):
                return True  # those games were
        if not isinstance(drawn, f.Drawn) or not _has_more(t, message.entrant, drawn):
            return False
        history = await self.store.read(tournament_reading.history, t.id)
        later = (each.fact for each in history[message.version :])
        return any(
            isinstance(each, f.Drawn) and message.entrant in hearing_of(t, each) for each in later
        )

    async def _quiet(self, message: Message, t: Tournament) -> PutOff | None:
        """When to send a message to a person in quiet hours; None for immediately."""
        if message.user_id is None or t.finish - t.begins <= _LIVE:
            return None
        if message.kind is MessageKind.ANSWERED:
            return None  # it edits an earlier message
        chosen = await self.notices.chosen_by(message.user_id)
        until = chosen.quiet_until(self.clock.now())
        return None if until is None else PutOff(until, QUIET, certain=True)

    async def _stands(
        self, message: Message, view: EventView, stored: StoredTournament, posted: Posted | None
    ) -> None:
        """Note the place of a message that will be edited, or forget one after its last edit."""
        id_, guild = stored.tournament.id, stored.home.guild_id
        if message.kind is MessageKind.ANSWERED:
            asked = await self._asked_at(id_, message)
            if asked is not None:
                await self.store.write(standing.forget_place, asked[0])
        elif posted is None:
            return
        elif message.kind is MessageKind.CHALLENGED:
            fact = view.fact
            challenger = fact.challenger if isinstance(fact, f.Challenged) else message.detail
            key = Key(f"{_asked(id_, message.entrant, challenger)}{message.version}")
            await self.store.write(standing.note_place, key, guild, posted)
        elif message.kind is MessageKind.FINISHED:
            await self.store.write(standing.note_place, podium_key(id_), guild, posted)
        elif message.kind is MessageKind.HOME and (posted != message.shown or stored.home_gone):
            await self.store.write(tournament_writing.set_home, id_, posted)

    async def _refused(self, message: Message, stored: StoredTournament, *, is_there: bool) -> None:
        """Nothing can be posted in the home channel: the directors are notified, once.

        Present messages are remembered, and are edited again once Parlour may.
        """
        if message.kind is not MessageKind.HOME or stored.home_gone:
            return
        t, home = stored.tournament, stored.home
        stands = None if home.message_id is None else Posted(home.channel_id, home.message_id)
        await self.store.write(
            tournament_writing.set_home, t.id, stands if is_there else None, is_gone=True
        )
        told = to_directors(t, TournamentTrouble.HOME_GONE)
        with contextlib.suppress(Conflict):
            await tournament_writing.commit(self.store, Writing(t, (), stored.due_at, (told,)))

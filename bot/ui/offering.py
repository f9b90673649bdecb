"""Offering a match, from ``/play`` or from its menus, and answering an offer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import discord

from bot.domain.clock import TimeControl
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Actor, MatchStatus, Venue
from bot.errors import UserError
from bot.i18n.sentences import STATUSES, refusal
from bot.services.matches import Answer
from bot.ui.acting import Acting
from bot.ui.answers import Reply
from bot.ui.clocks import read_default
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.names import escape
from bot.ui.options import find_game, read_options, read_side
from bot.ui.places import check_offering, venue_of
from bot.ui.setup import Draft, changed, read_draft, setup_page
from games import catalog

__all__ = ["Offering"]


class _Settle(Protocol):
    """What a service does about somebody else's or one's own offer."""

    async def __call__(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer: ...


class Offering(Acting):
    """Acts of offering and sitting down."""

    async def play(
        self,
        visit: Visit,
        *,
        game: str,
        opponents: tuple[Actor, ...],
        options: str,
        side: str,
        rated: bool = False,
        clock: str | None = None,
    ) -> Reply:
        """Offer a match."""
        venue = await self._venue(visit)
        info = find_game(game).info
        chosen = read_options(info, options)
        seat = read_side(info, chosen, side, visit.language)
        control = read_default(clock, await self._house(visit))
        answer = await self.desk.matches.challenge(
            visit.actor,
            visit.place,
            game=info.key,
            options=chosen,
            opponents=opponents,
            seat=seat,
            venue=venue,
            rated=rated,
            lasts=self.desk.offers_last,
            clock=control,
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    async def _venue(self, visit: Visit) -> Venue:
        """Where a match that this person offers here is played, if this server wants it here."""
        chosen = await self.desk.preferences.server(visit.place.guild_id)
        check_offering(visit.interaction, chosen)
        threads = self.desk.threads if chosen.threads is None else chosen.threads
        return venue_of(visit.interaction, threads=threads)

    async def set_up(self, visit: Visit, game: str | None = None) -> Reply:
        """``/play`` without a game: show the page of menus, with what the server begins with."""
        chosen = await self.desk.preferences.server(visit.place.guild_id)
        check_offering(visit.interaction, chosen)
        usual = chosen.game if chosen.game in catalog.GAMES else None
        return await self._offer_page(visit, Draft(game or usual))

    async def _house(self, visit: Visit) -> TimeControl | None:
        """The clock of a match whose offer names none: that of the server, else of the host."""
        chosen = await self.desk.preferences.server(visit.place.guild_id)
        return read_default(chosen.clock, self.desk.clock_of_house)

    async def _offer_page(self, visit: Visit, draft: Draft, *, refused: str = "") -> Reply:
        house = await self._house(visit)
        return setup_page(draft, visit.language, clock=house, refused=refused)

    async def set_up_for(self, visit: Visit, key: str) -> Reply:
        """**Offer a match** after a lesson: the page of menus with the game chosen."""
        return await self.set_up(visit, find_game(key).info.key)

    async def choose_set_up(self, visit: Visit, control: Control, values: tuple[str, ...]) -> Reply:
        """A choice on the page of menus."""
        draft = _draft(visit)
        if control.action == "sguest":
            try:
                _check_guests(visit.interaction)
            except UserError as error:
                said = visit.language(refusal(error))
                return await self._offer_page(visit, draft, refused=said)
        return await self._offer_page(visit, changed(draft, control, values))

    async def offer_set_up(self, visit: Visit) -> Reply:
        """Make the offer that the page of menus shows."""
        draft = _draft(visit)
        info = draft.info
        if info is None:
            raise UserError("game_needed")
        guild = visit.place.guild_id
        guests = tuple(Actor(UserId(guest), guild) for guest in draft.guests)
        seat = int(draft.side) - 1 if draft.side in "123456789" and draft.side else -1
        answer = await self.desk.matches.challenge(
            visit.actor,
            visit.place,
            game=info.key,
            options=draft.values(),
            opponents=guests,
            seat=seat if seat >= 0 else None,
            rated=draft.rated,
            venue=await self._venue(visit),
            lasts=self.desk.offers_last,
            clock=read_default(draft.clock, await self._house(visit)),
            interaction_id=_page_id(visit),
        )
        if answer.repeated:
            raise UserError("offered_already")
        return self._done(visit, answer)

    async def accept(self, visit: Visit, control: Control) -> Reply:
        """Take a seat in an offered match."""
        return await self._settle(visit, control, self.desk.matches.accept)

    async def decline(self, visit: Visit, control: Control) -> Reply:
        """Refuse an offer."""
        return await self._settle(visit, control, self.desk.matches.decline)

    async def withdraw(self, visit: Visit, control: Control) -> Reply:
        """Take an offer back, or leave one."""
        return await self._settle(visit, control, self.desk.matches.withdraw)

    async def _settle(self, visit: Visit, control: Control, settle: _Settle) -> Reply:
        try:
            answer = await settle(visit.actor, MatchId(control.match), interaction_id=visit.id)
        except UserError as error:
            raise _offer_closed(error, visit) from None
        return self._done(visit, answer)


def _page_id(visit: Visit) -> InteractionId:
    """Which interaction the page of menus answers: one page makes one offer, however often asked.

    That interaction has changed nothing itself, so it can stand for the offer.
    """
    message = visit.interaction.message
    opened = None if message is None else message.interaction_metadata
    return visit.id if opened is None else InteractionId(opened.id)


def _draft(visit: Visit) -> Draft:
    """What the page of menus shows that an interaction came from."""
    message = visit.interaction.message
    if message is None:
        raise UserError("out_of_date")
    return read_draft([component.to_dict() for component in message.components])


def _check_guests(interaction: discord.Interaction[Any]) -> None:
    """Refuse bots, and in a server strangers to it, as soon as they are chosen."""
    data: Mapping[str, Any] = interaction.data or {}
    resolved = data.get("resolved") or {}
    members = resolved.get("members") or {}
    for key, user in (resolved.get("users") or {}).items():
        if user.get("bot"):
            raise UserError("invite_bot")
        if int(key) == interaction.user.id:
            raise UserError("invite_self")
        if interaction.guild_id is not None and key not in members:
            raise UserError("not_in_server", name=escape(str(user.get("username"))))


def _offer_closed(error: UserError, visit: Visit) -> UserError:
    """The same refusal with what became of the offer in the reader's words."""
    if error.code != "offer_closed":
        return error
    status = MatchStatus(error.params["status"])
    return UserError("offer_closed", status=visit.language(STATUSES[status]))

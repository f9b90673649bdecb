"""Offering a match, from ``/play`` or from its menus, and answering an offer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import discord

from bot.domain.bands import Around, Band, read_band, write_band
from bot.domain.clock_text import write_clock, write_duration
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.lasting import read_lasting
from bot.domain.match import Actor, MatchStatus, Venue
from bot.domain.table import game_of
from bot.errors import UserError
from bot.i18n.sentences import STATUSES, refusal
from bot.services.matches import Answer
from bot.ui.acting import Acting
from bot.ui.answers import Page, Reply
from bot.ui.clocks import read_default
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.names import escape
from bot.ui.options import find_game, read_options, read_side
from bot.ui.parts import button, rows, text
from bot.ui.places import check_offering, venue_of
from bot.ui.setup import Draft, House, changed, read_draft, setup_page
from bot.ui.terms import band_for
from games import catalog

_SEATED = frozenset({"own_offer", "already_seated"})


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
        rating: str = "",
        expires: str = "",
    ) -> Reply:
        """Offer a match."""
        venue = await self._venue(visit)
        info = find_game(game).info
        chosen = read_options(info, options, visit.language)
        seat = read_side(info, chosen, side, visit.language)
        control = read_default(clock, (await self._house(visit)).clock)
        lasts = read_lasting(expires, self.desk.offers_last)
        try:
            answer = await self.desk.matches.challenge(
                visit.actor,
                visit.place,
                game=info.key,
                options=chosen,
                opponents=opponents,
                seat=seat,
                venue=venue,
                rated=rated,
                lasts=lasts,
                clock=control,
                band=await self._band(visit, rating, info.key),
                interaction_id=visit.id,
            )
        except UserError as error:
            casual = Draft(
                info.key,
                tuple((key, str(value)) for key, value in chosen.items()),
                tuple(guest.user_id for guest in opponents),
                clock=write_clock(control),
                band=rating and write_band(read_band(rating)),
                lasts=write_duration(lasts),
            )
            return await self._casually(visit, casual, error)
        return self._done(visit, answer)

    async def _casually(self, visit: Visit, draft: Draft, error: UserError) -> Reply:
        """Where one more rated match would be too much, the page on which to offer a casual one."""
        if error.code != "rated_often":
            raise error
        return await self._offer_page(
            visit, replace(draft, rated=False), refused=visit.language(refusal(error))
        )

    async def _band(self, visit: Visit, text: str, game: str) -> Band | None:
        """Whose ratings an offer is for; one around one's own needs to know that."""
        if not isinstance(read_band(text), Around):
            return band_for(text, 0)
        standing = await self.desk.ratings.standing(visit.user_id, game)
        return band_for(text, standing.points)

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

    async def _house(self, visit: Visit, game: str | None = None) -> House:
        """What an offer has that does not say: of the server, else of the host.

        The rating of whoever offers is that in ``game``.
        """
        chosen = await self.desk.preferences.server(visit.place.guild_id)
        rating = None
        if game is not None:
            rating = (await self.desk.ratings.standing(visit.user_id, game)).points
        clock = read_default(chosen.clock, self.desk.clock_of_house)
        return House(clock, self.desk.offers_last, rating)

    async def _offer_page(self, visit: Visit, draft: Draft, *, refused: str = "") -> Reply:
        game = None if draft.info is None else draft.info.key
        house = await self._house(visit, game)
        return setup_page(draft, visit.language, house, refused=refused)

    async def set_up_for(self, visit: Visit, key: str) -> Reply:
        """**Offer a match**: the page of menus, after a lesson with its game chosen."""
        return await self.set_up(visit, find_game(key).info.key if key else None)

    async def typed_band(self, visit: Visit, text: str) -> Reply:
        """The form of the page of menus: a rating band as a person writes it."""
        draft = _draft(visit)
        try:
            band = write_band(read_band(text))
        except UserError as error:
            return await self._offer_page(visit, draft, refused=visit.language(refusal(error)))
        return await self._offer_page(visit, replace(draft, band=band))

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
        seats = len(game_of(info.key, draft.values()).seats)
        band = draft.band if len(guests) < seats - 1 else ""
        try:
            answer = await self.desk.matches.challenge(
                visit.actor,
                visit.place,
                game=info.key,
                options=draft.values(),
                opponents=guests,
                seat=seat if seat >= 0 else None,
                rated=draft.rated,
                venue=await self._venue(visit),
                lasts=read_lasting(draft.lasts, self.desk.offers_last),
                clock=read_default(draft.clock, (await self._house(visit)).clock),
                band=await self._band(visit, band, info.key),
                interaction_id=_page_id(visit),
            )
        except UserError as error:
            return await self._casually(visit, draft, error)
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
        match_id = MatchId(control.match)
        try:
            answer = await settle(visit.actor, match_id, interaction_id=visit.id)
        except UserError as error:
            if error.code not in _SEATED or control.action == "withdraw":
                raise _offer_closed(error, visit) from None
            said = visit.language(refusal(error))
            leave = button(Control("withdraw", match_id), visit.language.say("Withdraw"))
            return Reply(said, Page(text(said), *rows([leave])))
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

"""Offering a match, from ``/play`` or from its menus, and answering an offer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import discord

from bot.domain.clock_text import write_clock, write_duration
from bot.domain.game_state import game_of
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Actor, MatchStatus, Venue
from bot.domain.offer_expiry import parse_offer_expiry
from bot.domain.rating_range import Around, RatingRange, format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.i18n.sentences import STATUSES, refusal
from bot.services.matches import Answer
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.permissions import check_offering, venue_of
from bot.ui.interaction.responses import Page, Reply
from bot.ui.offers.offer_terms import band_for
from bot.ui.offers.option_text import find_game, read_options, read_side
from bot.ui.offers.setup_page import Draft, OfferDefaults, changed, read_draft, setup_page
from bot.ui.pages.clock_text import read_default
from bot.ui.pages.components import button, rows, text
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
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
        context: InteractionContext,
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
        venue = await self._venue(context)
        info = find_game(game).info
        chosen = read_options(info, options, context.language)
        seat = read_side(info, chosen, side, context.language)
        control = read_default(clock, (await self._house(context)).clock)
        lasts = parse_offer_expiry(expires, self.services.offers_last)
        try:
            answer = await self.services.matches.challenge(
                context.actor,
                context.place,
                game=info.key,
                options=chosen,
                opponents=opponents,
                seat=seat,
                venue=venue,
                rated=rated,
                lasts=lasts,
                clock=control,
                band=await self._band(context, rating, info.key),
                interaction_id=context.id,
            )
        except UserError as error:
            casual = Draft(
                info.key,
                tuple((key, str(value)) for key, value in chosen.items()),
                tuple(guest.user_id for guest in opponents),
                clock=write_clock(control),
                band=rating and format_rating_range(parse_rating_range(rating)),
                lasts=write_duration(lasts),
            )
            return await self._casually(context, casual, error)
        return self._done(context, answer)

    async def _casually(self, context: InteractionContext, draft: Draft, error: UserError) -> Reply:
        """Where one more rated match would be too much, the page on which to offer a casual one."""
        if error.code != "rated_often":
            raise error
        return await self._offer_page(
            context, replace(draft, rated=False), refused=context.language(refusal(error))
        )

    async def _band(self, context: InteractionContext, text: str, game: str) -> RatingRange | None:
        """Whose ratings an offer is for; one around one's own needs to know that."""
        if not isinstance(parse_rating_range(text), Around):
            return band_for(text, 0)
        standing = await self.services.ratings.standing(context.user_id, game)
        return band_for(text, standing.points)

    async def _venue(self, context: InteractionContext) -> Venue:
        """Where a match that this person offers here is played, if this server wants it here."""
        chosen = await self.services.preferences.server(context.place.guild_id)
        check_offering(context.interaction, chosen)
        threads = self.services.threads if chosen.threads is None else chosen.threads
        return venue_of(context.interaction, threads=threads)

    async def set_up(self, context: InteractionContext, game: str | None = None) -> Reply:
        """``/play`` without a game: show the page of menus, with what the server begins with."""
        chosen = await self.services.preferences.server(context.place.guild_id)
        check_offering(context.interaction, chosen)
        usual = chosen.game if chosen.game in catalog.GAMES else None
        return await self._offer_page(context, Draft(game or usual))

    async def _house(self, context: InteractionContext, game: str | None = None) -> OfferDefaults:
        """What an offer has that does not say: of the server, else of the host.

        The rating of whoever offers is that in ``game``.
        """
        chosen = await self.services.preferences.server(context.place.guild_id)
        rating = None
        if game is not None:
            rating = (await self.services.ratings.standing(context.user_id, game)).points
        clock = read_default(chosen.clock, self.services.clock_of_house)
        return OfferDefaults(clock, self.services.offers_last, rating)

    async def _offer_page(
        self, context: InteractionContext, draft: Draft, *, refused: str = ""
    ) -> Reply:
        game = None if draft.info is None else draft.info.key
        house = await self._house(context, game)
        return setup_page(draft, context.language, house, refused=refused)

    async def set_up_for(self, context: InteractionContext, key: str) -> Reply:
        """**Offer a match**: the page of menus, after a lesson with its game chosen."""
        return await self.set_up(context, find_game(key).info.key if key else None)

    async def typed_band(self, context: InteractionContext, text: str) -> Reply:
        """The form of the page of menus: a rating band as a person writes it."""
        draft = _draft(context)
        try:
            band = format_rating_range(parse_rating_range(text))
        except UserError as error:
            return await self._offer_page(context, draft, refused=context.language(refusal(error)))
        return await self._offer_page(context, replace(draft, band=band))

    async def choose_set_up(
        self, context: InteractionContext, control: Control, values: tuple[str, ...]
    ) -> Reply:
        """A choice on the page of menus."""
        draft = _draft(context)
        if control.action == "sguest":
            try:
                _check_guests(context.interaction)
            except UserError as error:
                said = context.language(refusal(error))
                return await self._offer_page(context, draft, refused=said)
        return await self._offer_page(context, changed(draft, control, values))

    async def offer_set_up(self, context: InteractionContext) -> Reply:
        """Make the offer that the page of menus shows."""
        draft = _draft(context)
        info = draft.info
        if info is None:
            raise UserError("game_needed")
        guild = context.place.guild_id
        guests = tuple(Actor(UserId(guest), guild) for guest in draft.guests)
        seat = int(draft.side) - 1 if draft.side in "123456789" and draft.side else -1
        seats = len(game_of(info.key, draft.values()).seats)
        band = draft.band if len(guests) < seats - 1 else ""
        try:
            answer = await self.services.matches.challenge(
                context.actor,
                context.place,
                game=info.key,
                options=draft.values(),
                opponents=guests,
                seat=seat if seat >= 0 else None,
                rated=draft.rated,
                venue=await self._venue(context),
                lasts=parse_offer_expiry(draft.lasts, self.services.offers_last),
                clock=read_default(draft.clock, (await self._house(context)).clock),
                band=await self._band(context, band, info.key),
                interaction_id=_page_id(context),
            )
        except UserError as error:
            return await self._casually(context, draft, error)
        if answer.repeated:
            raise UserError("offered_already")
        return self._done(context, answer)

    async def accept(self, context: InteractionContext, control: Control) -> Reply:
        """Take a seat in an offered match."""
        return await self._settle(context, control, self.services.matches.accept)

    async def decline(self, context: InteractionContext, control: Control) -> Reply:
        """Refuse an offer."""
        return await self._settle(context, control, self.services.matches.decline)

    async def withdraw(self, context: InteractionContext, control: Control) -> Reply:
        """Take an offer back, or leave one."""
        return await self._settle(context, control, self.services.matches.withdraw)

    async def _settle(
        self, context: InteractionContext, control: Control, settle: _Settle
    ) -> Reply:
        match_id = MatchId(control.match)
        try:
            answer = await settle(context.actor, match_id, interaction_id=context.id)
        except UserError as error:
            if error.code not in _SEATED or control.action == "withdraw":
                raise _offer_closed(error, context) from None
            said = context.language(refusal(error))
            leave = button(Control("withdraw", match_id), context.language.say("Withdraw"))
            return Reply(said, Page(text(said), *rows([leave])))
        return self._done(context, answer)


def _page_id(context: InteractionContext) -> InteractionId:
    """Which interaction the page of menus answers: one page makes one offer, however often asked.

    That interaction has changed nothing itself, so it can stand for the offer.
    """
    message = context.interaction.message
    opened = None if message is None else message.interaction_metadata
    return context.id if opened is None else InteractionId(opened.id)


def _draft(context: InteractionContext) -> Draft:
    """What the page of menus shows that an interaction came from."""
    message = context.interaction.message
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


def _offer_closed(error: UserError, context: InteractionContext) -> UserError:
    """The same refusal with what became of the offer in the reader's words."""
    if error.code != "offer_closed":
        return error
    status = MatchStatus(error.params["status"])
    return UserError("offer_closed", status=context.language(STATUSES[status]))

"""Why a match is stuck, and what helps: what Discord refuses, and a turn nobody knows of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import discord

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Match
from bot.domain.untold_turns import AT_MOST, UntoldTurn
from bot.i18n import Language, Sentences
from bot.services.blocked import Blocked
from bot.store.records import RefusedDelivery
from bot.ui.pages import match_text
from bot.ui.pages.reader import Obstacle
from bot.ui.rest import missing

_LOCKED = 160005
_FILTERS = frozenset({200000, 200001, 240000})


@dataclass(eq=False)
class Obstacles:
    """Says why a match is stuck. ``is_crowded``: a server has had its share of messages for now."""

    client: discord.Client
    blocked: Blocked
    is_crowded: Callable[[GuildId | None], bool]

    def of(self, match: Match, viewer: UserId, language: Language) -> Obstacle:
        """The obstacle of a match; of the viewer's own turn they are told by seeing it."""
        turn = self.blocked.turn(match)
        if turn is not None and turn.user_id == viewer:
            turn = None
        stops = turn is not None and match.deadline is not None
        return Obstacle(self.words(match, self.blocked.parked(match), turn, language), stops)

    def reason(self, parked: RefusedDelivery, language: Language) -> str:
        """Why a message can't be posted, in one sentence."""
        if parked.is_direct:
            return language.say(
                "Parlour can't send {player} direct messages.",
                player=match_text.mention(parked.user_id, language),
            )
        place = f"<#{parked.channel_id}>"
        if parked.trouble.startswith("gone"):
            return language.say("Its channel was deleted.")
        lacking = missing(self.client, parked.match.origin.guild_id, parked.channel_id)
        code = parked.trouble.rpartition("_")[2]
        if code.isdigit() and int(code) == _LOCKED:
            return language.say("Parlour can't post in {place}: the thread is locked.", place=place)
        if code.isdigit() and int(code) in _FILTERS:
            return language.say(
                "Parlour can't post in {place}: a filter of this server stops the message.",
                place=place,
            )
        if lacking:
            return language.say(
                "Parlour can't post in {place}: it needs {permissions} there.",
                place=place,
                permissions=language.listed(f"**{language(each)}**" for each in lacking),
            )
        return language.say(
            "Parlour can't post in {place}: Discord refuses it (error {code}).",
            place=place,
            code=code,
        )

    def remedy(self, parked: RefusedDelivery, language: Language) -> str:
        """The remedy, in one sentence."""
        if parked.is_offer:
            return language.say(
                "Ask a moderator to change that, or withdraw the offer and make it elsewhere."
            )
        if parked.is_direct:
            return language.say(
                "{player} can allow them in Discord's privacy settings, or use any command of"
                " Parlour.",
                player=match_text.mention(parked.user_id, language),
            )
        if parked.trouble.startswith("gone"):
            return language.say("Play on in another channel with /match move-here.")
        return language.say(
            "Ask a moderator to change that, or play on in another channel with /match move-here."
        )

    def words(
        self,
        match: Match,
        parked: RefusedDelivery | None,
        turn: UntoldTurn | None,
        language: Language,
    ) -> str:
        """The reason, the remedy, and what follows for the players.

        ``turn`` is the present one, if its player doesn't know about it.
        """
        said = Sentences(language)
        if parked is not None:
            said += [self.reason(parked, language), self.remedy(parked, language)]
        elif turn is not None and self.is_crowded(match.origin.guild_id):
            said.say(
                "There are many messages in this server just now, so the board comes a little"
                " later."
            )
        elif turn is not None:
            said.say("Discord isn't taking the board right now. Parlour keeps trying.")
        if turn is not None:
            player = match_text.mention(turn.user_id, language)
            if match.deadline is None:
                said.say("{player} hasn't been told yet.", player=player)
            else:
                said.say(
                    "{player} hasn't been told yet, so the clock is stopped. If nothing changes"
                    " for {days} days, the match is aborted, and nobody loses.",
                    player=player,
                    days=AT_MOST.days,
                )
        return " ".join(said)

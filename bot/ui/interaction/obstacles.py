"""Why something of a match cannot be posted, what helps, and what follows, in words.

Permissions are those that the library remembers, which events of the gateway keep up to date. Their
names are those of Discord's own settings.
"""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.domain.ids import GuildId
from bot.domain.match import Match
from bot.domain.untold_turns import AT_MOST, UntoldTurn
from bot.i18n import Language
from bot.store.records import RefusedDelivery
from bot.ui.pages import match_text
from bot.ui.rest import missing

_LOCKED = 160005
_FILTERS = frozenset({200000, 200001, 240000})


class Obstacles:
    """Says why a match is stuck."""

    def __init__(
        self,
        client: discord.Client,
        is_crowded: Callable[[GuildId | None], bool] = lambda _: False,
    ) -> None:
        """``is_crowded``: a server has used up its share of messages for now."""
        self._client = client
        self._is_crowded = is_crowded

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
        lacking = missing(self._client, parked.match.origin.guild_id, parked.channel_id)
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
        """What helps, in one sentence."""
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

        ``turn`` is the present one, if its player hasn't been told of it.
        """
        said: list[str] = []
        if parked is not None:
            said += [self.reason(parked, language), self.remedy(parked, language)]
        elif turn is not None and self._is_crowded(match.origin.guild_id):
            said.append(
                language.say(
                    "There are many messages in this server just now, so the board comes a little"
                    " later."
                )
            )
        elif turn is not None:
            said.append(
                language.say("Discord isn't taking the board right now. Parlour keeps trying.")
            )
        if turn is not None:
            player = match_text.mention(turn.user_id, language)
            if match.deadline is None:
                said.append(language.say("{player} hasn't been told yet.", player=player))
            else:
                said.append(
                    language.say(
                        "{player} hasn't been told yet, so the clock is stopped. If nothing changes"
                        " for {days} days, the match is aborted, and nobody loses.",
                        player=player,
                        days=AT_MOST.days,
                    )
                )
        return " ".join(said)

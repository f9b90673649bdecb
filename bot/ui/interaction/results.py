"""What a person is told of what they have done."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterable

from bot.domain.computer_turns import awaited
from bot.domain.events import EventKind
from bot.domain.game_state import waits_for
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, Place, Venue
from bot.errors import UserError
from bot.i18n import Language
from bot.services.match_changes import Answer
from bot.ui.interaction.context import InteractionContext, Services
from bot.ui.pages import match_text
from bot.ui.pages.board_page import move_button
from bot.ui.pages.components import PRIMARY, Button, button, rows, text
from bot.ui.pages.custom_ids import NO_MATCH, Control
from bot.ui.pages.reply import Page, Reply
from games.view import Text

_DONE: dict[str, Text] = {
    EventKind.OFFERED.value: Text.of("Offer sent."),
    EventKind.JOINED.value: Text.of("You have a seat. The match starts when all seats are taken."),
    EventKind.STARTED.value: Text.of("The match has started. Its board is on the way."),
    EventKind.LEFT.value: Text.of("You gave up your seat."),
    EventKind.DECLINED.value: Text.of("You declined."),
    EventKind.WITHDRAWN.value: Text.of("You withdrew your offer."),
    EventKind.MOVED.value: Text.of("You played {move}."),
    EventKind.RESIGNED.value: Text.of("You resigned."),
    EventKind.ABORTED.value: Text.of("You aborted the match."),
    EventKind.NUDGED.value: Text.of("You reminded your opponent. They'll be told now."),
    EventKind.CLAIMED.value: Text.of("You claimed the match."),
    EventKind.DRAW_OFFERED.value: Text.of("You offered a draw."),
    EventKind.DRAW_ACCEPTED.value: Text.of("You accepted the draw."),
    EventKind.DRAW_DECLINED.value: Text.of("You declined the draw."),
    "draw_retracted": Text.of("You withdrew your draw offer."),
    "takeback_asked": Text.of("You asked to take back your last move."),
    "takeback_agreed": Text.of("You accepted the takeback."),
    "takeback_refused": Text.of("You declined the takeback."),
    "takeback_retracted": Text.of("You withdrew your takeback request."),
    "pause_asked": Text.of("You asked for a pause. The clock runs on until all players accept."),
    "pause_agreed": Text.of("You accepted the pause."),
    "pause_refused": Text.of("You declined the pause."),
    "pause_retracted": Text.of("You withdrew your pause request."),
    "abort_asked": Text.of("You asked to abort the match. It goes on until all players accept."),
    "abort_agreed": Text.of("You accepted. The match was aborted and has no result."),
    "abort_refused": Text.of("You declined. The match goes on."),
    "abort_retracted": Text.of("You withdrew your request to abort."),
    EventKind.RESUMED.value: Text.of("Resumed. The clock is running again."),
}
_FEW = 2
"""So many other matches before one are no wait worth a word."""


class WaitingMatches:
    """The matches that wait for at most ``limit`` people, as far as this process has seen.

    So the answer to a move offers the next match without asking the store. It may miss what another
    process has done; **Next game** itself asks the store when it is pressed.
    """

    def __init__(self, *, limit: int = 5000) -> None:
        self._limit = limit
        self._of: OrderedDict[UserId, set[MatchId]] = OrderedDict()

    def learn(self, user_id: UserId, matches: Iterable[Match]) -> None:
        """Take note of all matches of a person, as the store has them."""
        self._of[user_id] = {each.id for each in matches if waits_for(each, user_id)}
        self._of.move_to_end(user_id)
        if len(self._of) > self._limit:
            self._of.popitem(last=False)

    def saw(self, match: Match) -> None:
        """Take note of a match as it is now."""
        for player in match.players:
            known = None if player is None else self._of.get(player)
            if known is None or player is None:
                continue
            if waits_for(match, player):
                known.add(match.id)
            else:
                known.discard(match.id)

    def more(self, user_id: UserId, but: MatchId) -> bool | None:
        """Whether another match waits for a person; None if nothing is known of them."""
        known = self._of.get(user_id)
        return None if known is None else bool(known - {but})


def tell_done(
    services: Services, context: InteractionContext, answer: Answer, *, more: str = ""
) -> Reply:
    """Say what has been done, and how the match has ended if it has; note the match as it is."""
    services.memory(WaitingMatches).saw(answer.match)
    context.touched.add(answer.match.id)
    services.refusals.watch(context.interaction, context.user_id, context.language, answer)
    sentence = _DONE[answer.code]
    if answer.code == EventKind.MOVED.value:
        spoken = match_text.spoken(answer.match.game, str(answer.params["move"]))
        sentence = sentence if spoken is None else spoken.done
    said = context.language(sentence.filled(answer.params))
    if answer.code == EventKind.STARTED.value and _is_elsewhere(answer.match, context.place):
        there = f"<#{answer.match.origin.channel_id}>"
        found = context.language.say("It's in {channel}; /matches links to it.", channel=there)
        said = f"{said} {found}"
    if answer.match.result is not None and answer.code != EventKind.DRAW_ACCEPTED.value:
        # Who resigned need not hear twice that they did.
        is_known = answer.code == EventKind.RESIGNED.value
        end = match_text.winners if is_known else match_text.outcome
        said = f"{said} {end(answer.match, context.language)}"
    said = f"{said} {more}".rstrip()
    if answer.code != EventKind.MOVED.value:
        return Reply(said)
    buttons = []
    if _is_again(answer.match, context.user_id):
        # They are not called: what they see here and on the board is their call.
        again = context.language.say("It's your turn again.")
        said = f"{said} {again}"
        buttons.append(move_button(answer.match, context.language))
    if _is_more(services, context, answer.match):
        buttons.append(next_button(answer.match, context.language))
    return Reply(said, Page(text(said), *rows(buttons)) if buttons else None)


def _is_again(match: Match, user_id: UserId) -> bool:
    """Whether the last move has left the player who made it on turn."""
    mover = None if match.moved_by is None else match.players[match.moved_by]
    return mover == user_id and waits_for(match, user_id)


def _is_elsewhere(match: Match, place: Place) -> bool:
    """Whether a match is played in another channel than that; in direct messages it comes here."""
    return match.origin != place and match.venue is not Venue.DIRECT


def next_button(match: Match | None, language: Language) -> Button:
    """**Next game**: on to the next match after this one that waits for the person."""
    match_id = NO_MATCH if match is None else match.id
    return button(Control("next", match_id), language.say("Next match"), PRIMARY)


def _is_more(services: Services, context: InteractionContext, match: Match) -> bool:
    """Whether another match waits, as far as is known; a person who is not known is looked up."""
    more = services.memory(WaitingMatches).more(context.user_id, match.id)
    if more is None:
        services.background.start(_learn(services, context))
    return bool(more)


async def _learn(services: Services, context: InteractionContext) -> None:
    # Without the store there is no hint, and nobody misses it.
    with contextlib.suppress(UserError):
        services.memory(WaitingMatches).learn(
            context.user_id, await services.matches.matches_of(context.user_id)
        )


async def told_of_queue(context: InteractionContext, match: Match) -> str:
    """Why the computer's move may take a while, if it is to move in a match; else nothing."""
    if not match.has_computer or awaited(match) is None:
        return ""
    if context.services.computers.rests(context.user_id):
        return context.language.say(
            "The computer has played many moves against you within a minute, so its next one comes"
            " a little later."
        )
    queue = await context.services.computers.queue()
    others = queue.waiting + queue.taken - 1
    if others <= _FEW:
        return ""
    return context.language.plural(
        "{n} other match waits for the computer, so its move may take a while.",
        "{n} other matches wait for the computer, so its move may take a while.",
        n=others,
    )

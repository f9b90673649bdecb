"""Looking back: any position of a match, and the whole of it as a moving picture.

A match is played through from its events in a thread, and kept for as long as people leaf through
it. Everything a page needs to go on is in its custom ids, so it goes on after a restart.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import discord

from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.domain.playthrough import Playthrough, play_through
from bot.errors import UserError
from bot.i18n.sentences import REFUSALS, refusal
from bot.ui.delivery import rest
from bot.ui.history.history_page import HistoryState, history_page, replay_page
from bot.ui.interaction.context import InteractionContext, Services
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.responses import FAILURES, Reply
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
from bot.ui.pages.presenter import Film

_LARGEST = 10 * 1024 * 1024
"""Bytes of a replay at most, even where Discord would take more."""
_KEPT = 32
_SHARED = 1000
_SHARING = 20.0
"""Seconds that Discord may take to show a shared replay."""


class LookingBack(Acting):
    """Acts of those who look at what has been."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._lines: OrderedDict[tuple[MatchId, int], Playthrough] = OrderedDict()
        self._shared: OrderedDict[int, None] = OrderedDict()

    # ---- /history --------------------------------------------------------------------------

    async def history_here(
        self, context: InteractionContext, ply: int | None, match_id: str
    ) -> Reply:
        """``/history``: a position of the match that is meant, to this person alone."""
        rest = "" if ply is None else str(ply)
        match = await self._meant(context, f"history/{rest}", match_id)
        return await self._history(context, match, rest)

    async def history(self, context: InteractionContext, control: Control) -> Reply:
        """**History** under a finished board."""
        return await self._history(context, await self._match(context, control.match), "")

    async def turn_to(
        self, context: InteractionContext, control: Control, value: str = ""
    ) -> Reply:
        """A button or a menu of the page: show another leaf in its place.

        Whatever number a control sends, the page stays within the match.
        """
        leaf = HistoryState.read(control.arg)
        if value:
            leaf = HistoryState(HistoryState.read(f"{value}.p").ply, leaf.in_words)
        match = await self._match(context, control.match)
        line = await self._line(context, match)
        if leaf.ply is not None:
            leaf = HistoryState(min(leaf.ply, line.plies), leaf.in_words)
        return await history_page(match, line, leaf, context.presenter, context.language)

    async def turn_to_number(
        self, context: InteractionContext, control: Control, text: str
    ) -> Reply:
        """The form of the page: the number of a move, as a person writes it."""
        leaf = HistoryState.read(control.arg)
        match = await self._match(context, control.match)
        line = await self._line(context, match)
        lead = ""
        try:
            leaf = HistoryState(_number(text, line), leaf.in_words)
        except UserError as error:
            lead = context.language(refusal(error))
            leaf = HistoryState(min(leaf.ply or 0, line.plies), leaf.in_words)
        return await history_page(match, line, leaf, context.presenter, context.language, lead=lead)

    async def _history(self, context: InteractionContext, match: Match, rest: str) -> Reply:
        line = await self._line(context, match)
        leaf = HistoryState(_number(rest, line) if rest else None)
        return await history_page(match, line, leaf, context.presenter, context.language)

    # ---- /replay ---------------------------------------------------------------------------

    async def replay_here(self, context: InteractionContext, match_id: str) -> Reply:
        """``/replay``: the match that is meant as a moving picture, to this person alone."""
        return await self._replay(context, await self._meant(context, "replay", match_id))

    async def replay(self, context: InteractionContext, control: Control) -> Reply:
        """**Replay** under a finished board or a position."""
        return await self._replay(context, await self._match(context, control.match))

    async def _replay(self, context: InteractionContext, match: Match) -> Reply:
        line, film = await self._film(context, match)
        return await replay_page(match, line, film, context.presenter, context.language)

    async def share(self, context: InteractionContext, control: Control) -> Reply:
        """**Share here** on a private replay: for everybody in this channel, once."""
        page = context.interaction.message
        if page is None or not page.flags.ephemeral:
            raise UserError("out_of_date")
        match = await self._match(context, control.match)
        line, film = await self._film(context, match)
        presenter, language = context.presenter, context.language
        if not _may_write(context.interaction):
            note = language(REFUSALS["may_not_share"])
            return await replay_page(match, line, film, presenter, language, note=note)
        if page.id not in self._shared:
            self._shared[page.id] = None
            while len(self._shared) > _SHARED:
                self._shared.popitem(last=False)
            public = await replay_page(match, line, film, presenter, language, private=False)
            if not await self._post(context.interaction, public):
                self._shared.pop(page.id, None)
                note = language(REFUSALS["not_shared"])
                return await replay_page(match, line, film, presenter, language, note=note)
        note = language.say("Shared: everyone here can see this replay now.")
        return await replay_page(match, line, film, presenter, language, note=note, may_share=False)

    async def _post(self, interaction: discord.Interaction, reply: Reply) -> bool:
        """Follow up with a message for everybody, which pings nobody; whether Discord took it."""
        if reply.page is None:
            return False
        files = [file.open() for file in reply.files]
        said = rest.message(components=reply.page.components, files=files)
        task = self.services.background.start(rest.follow_up(interaction, said))
        done, _ = await asyncio.wait({task}, timeout=_SHARING)
        return bool(done) and not isinstance(task.exception(), FAILURES)

    # ---- what both need --------------------------------------------------------------------

    async def _meant(self, context: InteractionContext, purpose: str, match_id: str) -> Match:
        if match_id.strip():
            return await self._match(context, match_id.strip().lower()[:40])
        try:
            return await self._seen(context, purpose)
        except UserError as error:
            if error.code == "no_match_here":
                raise UserError("history_which") from error
            raise

    async def _line(self, context: InteractionContext, match: Match) -> Playthrough:
        """The match played through, from memory if it has been looked at already."""
        key = (match.id, match.version)
        kept = self._lines.get(key)
        if kept is None:
            events = await self.services.matches.history(context.actor, match.id)
            known = events[: match.version]
            kept = await asyncio.to_thread(play_through, match, known)
            self._lines[key] = kept
            while len(self._lines) > _KEPT:
                self._lines.popitem(last=False)
        self._lines.move_to_end(key)
        return kept

    async def _film(self, context: InteractionContext, match: Match) -> tuple[Playthrough, Film]:
        line = await self._line(context, match)
        if not line.plies:
            raise UserError("no_moves_yet")
        presenter = context.presenter
        film = await presenter.pictures.film(
            (match.id, match.position_since, match.status),
            lambda: [line.view(ply) for ply in range(line.plies + 1)],
            await presenter.style(match, context.language),
            min(_LARGEST, context.interaction.filesize_limit),
        )
        if film is None:
            raise UserError("no_film")
        return line, film


def _number(text: str, line: Playthrough) -> int:
    """The ply that somebody typed; :exc:`~bot.errors.UserError` (``no_such_ply``)."""
    said = text.strip()
    if said.isdecimal() and len(said) <= 6 and int(said) <= line.plies:
        return int(said)
    raise UserError("no_such_ply", number=escape(said, longest=20), count=line.plies)


def _may_write(interaction: discord.Interaction) -> bool:
    """Whether the person who asks may write here themselves."""
    if interaction.guild_id is None:
        return True
    may = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return may.send_messages_in_threads if in_thread else may.send_messages

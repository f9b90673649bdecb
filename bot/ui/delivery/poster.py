"""Any message of ours on Discord: posting it, editing it, deleting it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import discord

from bot.domain.ids import MessageId, RoleId, UserId
from bot.services.sending import Posted, Recipient
from bot.ui.delivery.already_posted import DiscordReader
from bot.ui.discord_api.rest import delete_message, edit_message, message, post
from bot.ui.pages.components import File

_ARCHIVED = 50083


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that Discord has made, or has made before under the same nonce."""

    posted: Posted
    components: list[Any]


class DiscordPoster(DiscordReader):
    """Posts, edits and deletes messages through a connected client."""

    async def erase(self, posted: Posted) -> None:
        """Delete a message of ours, which needs no permission."""
        http = self._client.http
        await self._calls.ask(lambda: delete_message(http, posted.channel_id, posted.message_id))

    async def post_page(
        self,
        to: Recipient,
        page: list[Any],
        *,
        nonce: str,
        files: Sequence[File] = (),
        pings: tuple[UserId, ...] = (),
    ) -> Posted:
        """Post components, silently unless they call a player."""
        opened = [file.open() for file in files] or None
        silent = not pings
        sent = await self.send(to, page, nonce=nonce, files=opened, pings=pings, silent=silent)
        return sent.posted

    async def post_line(
        self, to: Recipient, said: str, *, nonce: str, roles: tuple[RoleId, ...] = ()
    ) -> Posted:
        """Post a line of words that may wake its reader, or those who have one of the roles."""
        return (await self.send(to, said, nonce=nonce, roles=roles, silent=False)).posted

    async def components_of(self, posted: Posted) -> list[Any]:
        """The components of a message that this process did not post, as they can be sent again."""
        data = await self.see(posted)
        return [_sendable(component) for component in data.get("components", [])]

    async def send(
        self,
        to: Recipient,
        what: list[Any] | str,
        *,
        nonce: str,
        files: list[discord.File] | None = None,
        pings: tuple[UserId, ...] = (),
        roles: tuple[RoleId, ...] = (),
        silent: bool = True,
    ) -> Sent:
        """Post components or a line of words."""
        written = message(
            content=what if isinstance(what, str) else None,
            components=None if isinstance(what, str) else what,
            files=files,
            nonce=nonce,
            pings=pings,
            roles=roles,
            silent=silent,
        )

        async def send() -> Sent:
            where = await self._where(to)
            data = await post(self._client.http, where, written)
            posted = Posted(where, MessageId(int(data["id"])))
            return Sent(posted, cast(list[Any], data.get("components") or []))

        return await self._calls.ask(send)

    async def edit_page(
        self, posted: Posted, components: list[Any], files: Sequence[File] | None = None
    ) -> None:
        """Put components in the place of those of a message, and ``files`` in that of its files."""

        async def edit() -> None:
            opened = None if files is None else [file.open() for file in files]
            written = message(components=components, files=opened)
            await edit_message(self._client.http, posted.channel_id, posted.message_id, written)

        async def open_and_edit() -> None:
            try:
                await edit()
            except discord.HTTPException as error:
                if error.code != _ARCHIVED:
                    raise
                await self._client.http.edit_channel(posted.channel_id, archived=False)
                await edit()

        await self._calls.ask(open_and_edit)


def _sendable(component: Any) -> Any:
    """A component of a message as it can be sent again: files by name, not by address."""
    if isinstance(component, list):
        return [_sendable(part) for part in component]
    if not isinstance(component, dict):
        return component
    kept = {key: _sendable(value) for key, value in component.items()}
    media = component.get("media")
    if isinstance(media, dict) and media.get("attachment_id"):
        name = str(media.get("url", "")).partition("?")[0].rpartition("/")[2]
        kept["media"] = {"url": f"attachment://{name}"}
    return kept

"""``/server settings``: a page of menus with all that can be chosen for a server, and who did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.domain.ids import ChannelId
from bot.domain.preferences import ServerSettings
from bot.domain.webhooks import Webhook
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import refusal
from bot.store.lobbies import LobbyNote
from bot.store.records import AuditEntry
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply, button, heading, rows, text
from bot.ui.settings.log_page import log_line
from bot.ui.settings.panel import SettingChoices
from bot.ui.settings.server_panel import SERVER_PANEL
from games.view import Text


def server_page(
    chosen: ServerSettings,
    entries: Sequence[AuditEntry],
    shelf: SettingChoices,
    language: Language,
    *,
    lobby: LobbyNote | None = None,
    lead: str = "",
    without_threads: Mapping[ChannelId, Sequence[Text]] = MappingProxyType({}),
    webhook: Webhook | None = None,
) -> Reply:
    """All that can be chosen for a server, as it is now, and who changed what lately.

    ``lobby`` is how its lobby fares; ``without_threads`` are channels in which threads are wanted,
    with the permissions that these need and don't have; ``webhook`` is where results are sent.
    """
    title = language.say("Settings of this server")
    said = []
    if lobby is not None and lobby.is_given_up:
        error = UserError("lobby_refused", channel=f"<#{lobby.channel_id}>")
        trouble = language(refusal(error))
        said.append(f"**{trouble}**")
    elif chosen.lobby is not None:
        there = f"<#{chosen.lobby}>"
        said.append(language.say("The lobby message is in {channel}.", channel=there))
    for channel, lacking in without_threads.items():
        said.append(
            language.say(
                "⚠️ Threads can't be made in {channel}, so boards come into it side by side. Allow"
                " Parlour {permissions} there.",
                channel=f"<#{channel}>",
                permissions=language.listed(f"**{language(each)}**" for each in lacking),
            )
        )
    if chosen.puzzle is not None:
        there = f"<#{chosen.puzzle}>"
        said.append(
            language.say(
                "The puzzle of the day is posted in {channel}; see /server daily-puzzle.",
                channel=there,
            )
        )
    if webhook is not None and webhook.off_at is not None:
        off = language.say(
            "⚠️ The address for results failed for a day and was switched off. See /server webhook."
        )
        said.append(off)
    said.append(language.say("Every choice is saved at once and listed below with your name."))
    items = [text(heading(title, *said, lead=lead)), *SERVER_PANEL.parts(chosen, shelf, language)]
    items += rows([button(Control("sdefaults"), language.say("Defaults of /play"))])
    if entries:
        shown = "\n".join(log_line(entry, language) for entry in entries)
        items.append(text(match_text.cut(shown, 2500)))
    return Reply(lead or title, Page(*items))

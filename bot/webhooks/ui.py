"""``/server webhook``: sends results of a server to a program."""

from __future__ import annotations

from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import managed
from bot.ui.interaction.registry import Click, on_button, on_text
from bot.ui.interaction.slash import command
from bot.ui.pages import components as ui
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.settings.server_panel import SERVER
from bot.webhooks import store as webhooks
from bot.webhooks.domain import Webhook
from games.view import Text


@command("webhook", Text.of("Send results of this server to a program"), group=SERVER)
async def webhook_here(context: InteractionContext) -> Reply:
    """``/server webhook``: the address and its state, with buttons."""
    return await _page(context)


@on_text(
    "hook",
    "hooked",
    Text.of("Results for programs"),
    Text.of("Address"),
    300,
    example="https://example.org/parlour",
)
async def hooked(context: InteractionContext, click: Click) -> Reply:
    """An address: from now on results are sent there, signed with a new secret."""
    try:
        secret = await _choose(context, click.text)
    except UserError as error:
        if error.code != "webhook_address":
            raise
        return await _page(context, lead=context.why(error))
    return await _page(context, secret=secret)


@on_button("hooknew")
async def new_secret(context: InteractionContext, _click: Click) -> Reply:
    """**New secret**: replaces the old one. It also switches an address on again."""
    known = await _known(context)
    return await _page(context, secret="" if known is None else await _choose(context, known.url))


@on_button("hookoff")
async def removed(context: InteractionContext, _click: Click) -> Reply:
    """**Remove**."""
    if await _known(context) is not None:
        await _choose(context, None)
    return await _page(context)


async def _known(context: InteractionContext) -> Webhook | None:
    return await context.services.store.read(webhooks.of_server, managed(context.interaction))


async def _choose(context: InteractionContext, address: str | None) -> str:
    guild_id, now = managed(context.interaction), context.services.clock.now()
    return await context.services.store.write(
        webhooks.choose, guild_id, context.user_id, address, now
    )


async def _page(context: InteractionContext, *, lead: str = "", secret: str = "") -> Reply:
    return webhook_page(await _known(context), context.language, lead=lead, secret=secret)


def webhook_page(
    known: Webhook | None, language: Language, *, lead: str = "", secret: str = ""
) -> Reply:
    """The address of a server, its state, and a new secret, shown once."""
    title = language.say("Results for programs")
    said = Sentences(language)
    buttons = [ui.button(Control("hook"), language.say("Set address"), ui.PRIMARY)]
    if known is None:
        said.say(
            "Matches and tournaments that begin or end in this server can be sent to an https"
            " address, as signed JSON."
        )
    else:
        address = f"`{known.url}`"
        if known.off_at is not None:
            said.say(
                "{address} failed for a day and was switched off {when} ({why}). Set the"
                " address again once it works.",
                address=address,
                when=timestamp(known.off_at),
                why=known.trouble,
            )
        elif known.failing_since is not None:
            said.say(
                "Results are sent to {address}, which has failed since {when} ({why}). Parlour"
                " keeps trying for a day.",
                address=address,
                when=timestamp(known.failing_since, "f"),
                why=known.trouble,
            )
        else:
            said.say("Results are sent to {address}.", address=address)
        buttons += [
            ui.button(Control("hooknew"), language.say("New secret")),
            ui.button(Control("hookoff"), language.say("Remove"), ui.DANGER),
        ]
    if secret:
        said.say(
            "The secret, shown only now: {secret}\nKeep it where your program runs, and nowhere"
            " else.",
            secret=f"||`{secret}`||",
        )
    return Reply(title, Page(ui.text(ui.heading(title, *said, lead=lead)), *ui.rows(buttons)))

"""``/privacy``: what is held about a person, as a file, and erasing it."""

from __future__ import annotations

from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button
from bot.ui.interaction.slash import Group, command
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.components import Control, Page, Reply, attached, text
from bot.ui.settings.export_files import export_files
from games.view import Text

_PRIVACY = Group("privacy", Text.of("Download or erase your data"), personal=True)


@command("export", Text.of("Download everything Parlour stores about you"), group=_PRIVACY)
async def held(context: InteractionContext) -> Reply:
    """``/privacy export``: all of it, as a file for this person alone, and what its parts are."""
    held = await context.services.privacy.export(context.user_id)
    files = export_files(held, context.language)
    said = context.language.say(
        "Everything Parlour stores about you. Messages and names are never stored."
    )
    return Reply(said, Page(text(said), *map(attached, files)), files)


@command(
    "delete", Text.of("Erase everything Parlour stores about you; asks you first"), group=_PRIVACY
)
async def erase(context: InteractionContext) -> Reply:
    """``/privacy delete``: say what would happen, and ask."""
    language = context.language
    running = await context.services.privacy.running(context.user_id)
    lines = [
        language.say("**This erases everything Parlour stores about you. It can't be undone.**")
    ]
    if running:
        lines.append(
            language.plural(
                "You'll resign {count} running match.",
                "You'll resign {count} running matches.",
                by="count",
                count=running,
            )
        )
    lines.append(
        language.say(
            "Your settings, block list, plans and offers will be erased. Finished matches stay"
            " with your opponents, under a random number that nothing stored links to you. It takes"
            " the place of your name on final boards and result cards, in tournaments and in the"
            " names of threads, and you leave the leaderboards."
        )
    )
    lines.append(
        language.say(
            "What stays: earlier boards, messages that mention you, direct messages to others,"
            " threads that people renamed, and files that others have downloaded. Your opponents"
            " may remember that they played you."
        )
    )
    lines.append(language.say("To keep a copy, use /privacy export first."))
    erase_all = language.say("Erase everything")
    return confirmation("\n".join(lines), Control("forget"), erase_all, language)


@on_button("forget")
async def erase_now(context: InteractionContext, _click: Click) -> Reply:
    """**Erase everything**."""
    gone = await context.services.privacy.erase(context.user_id)
    context.services.preferences.forget(context.user_id)
    context.services.presenter.names.forget(context.user_id)
    language = context.language
    said = language.say("Everything stored about you has been erased.")
    if gone.resigned:
        said += " " + language.plural(
            "{n} match resigned.", "{n} matches resigned.", n=gone.resigned
        )
    if gone.withdrawn:
        said += " " + language.plural(
            "{n} offer withdrawn.", "{n} offers withdrawn.", n=gone.withdrawn
        )
    if gone.kept:
        said += " " + language.say(
            "The number takes the place of your name now, in a few seconds for each match. Earlier"
            " boards and messages that mention you stay; people who manage the server can delete"
            " them."
        )
    return Reply(said, Page(text(said)))

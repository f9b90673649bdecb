"""``/privacy``: what is held about somebody, as a file, and erasing it."""

from __future__ import annotations

import json

from bot.ui.acting import Acting
from bot.ui.answers import Page, Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.parts import DANGER, File, attached, button, rows, text


class Privacy(Acting):
    """Acts of those who want to know what is kept of them, or that nothing is."""

    async def held(self, visit: Visit) -> Reply:
        """``/privacy export``: all of it, as a file for this person alone."""
        held = await self.desk.privacy.export(visit.user_id)
        written = json.dumps(held, indent=1, ensure_ascii=False)
        file = File("parlour-about-me.json", written.encode())
        said = visit.language.say(
            "Everything Parlour stores about you. Messages and names are never stored."
        )
        return Reply(said, Page(text(said), attached(file)), (file,))

    async def erase(self, visit: Visit) -> Reply:
        """``/privacy delete``: say what would happen, and ask."""
        language = visit.language
        running = await self.desk.privacy.running(visit.user_id)
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
                " with your opponents, under a number that nobody can trace to you."
            )
        )
        lines.append(language.say("To keep a copy, use /privacy export first."))
        said = "\n".join(lines)
        yes = button(Control("forget"), language.say("Erase everything"), DANGER)
        return Reply(said, Page(text(said), *rows([yes])))

    async def erase_now(self, visit: Visit) -> Reply:
        """**Erase everything**."""
        gone = await self.desk.privacy.erase(visit.user_id)
        self.desk.preferences.forget(visit.user_id)
        self.desk.stage.names.forget(visit.user_id)
        language = visit.language
        said = language.say("Everything stored about you has been erased.")
        if gone.resigned:
            said += " " + language.plural(
                "{n} match resigned.", "{n} matches resigned.", n=gone.resigned
            )
        if gone.withdrawn:
            said += " " + language.plural(
                "{n} offer withdrawn.", "{n} offers withdrawn.", n=gone.withdrawn
            )
        return Reply(said, Page(text(said)))

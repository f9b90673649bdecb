"""Before a director's act is done: what would follow from it, and the button that does it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.tournaments import facts as f
from bot.domain.tournaments.acts import DirectorAct, Invite
from bot.domain.tournaments.inviting import Guest
from bot.domain.tournaments.planning import time_for_rounds
from bot.i18n import Language
from bot.services.tournaments.views import AuditLine, Preview
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import DANGER, Control, Page, Reply, button, rows, text
from bot.ui.pages.match_text import cut, mention
from bot.ui.tournaments.act_writing import write_act
from bot.ui.tournaments.log_page import log_line
from bot.ui.tournaments.words import EventText, last_day_style, named
from games.view import Text


def confirm_page(
    event: EventText,
    act: DirectorAct,
    preview: Preview,
    *,
    lead: str = "",
    notes: str = "",
    undone: AuditLine | None = None,
) -> Reply:
    """What an act would do, and the button that does it; ``undone`` is what it takes back.

    ``notes`` are lines of what it would leave out.
    """
    t = event.t
    title = act_words(event, act)
    said = [event.heading(title)]
    if undone is not None:
        said.append(log_line(event, undone))
    if act.is_explained:
        said.append(f"-# {event(act.hint)}")
    if lead:
        said.append(f"**{lead}**")
    if isinstance(act, Invite):
        said += _guests(event, act)
    if notes:
        said.append(notes)
    said += consequence_lines(event, act, preview)
    arg = write_act(act)
    if act.wants_reason:
        confirm = button(
            Control("twhy", t.id, preview.key, arg), event.say("Give a reason"), DANGER
        )
        said.append(event.say("Players read your reason in the log and in their message."))
    else:
        confirm = button(Control("tdo", t.id, preview.key, arg), event.say("Confirm"), DANGER)
    # Not "Cancel", which is an act itself here.
    back = button(Control("tmanage", t.id), event.say("Back"))
    return Reply(title, Page(text(cut("\n".join(said), 3900)), *rows([confirm, back])))


def _guests(event: EventText, act: Invite) -> list[str]:
    """Who would be invited, and who of the list is in."""
    ids = {each.user_id for each in event.t.active}
    lines = []
    for said, found in (
        (Text.of("To be invited: {players}"), [x for x in act.guests if x.user_id not in ids]),
        (Text.of("Already in: {players}"), [x for x in act.guests if x.user_id in ids]),
    ):
        if found:
            players = ", ".join(_listed(each, event.language) for each in found)
            lines.append(event(said.filled({"players": players})))
    return lines


def _listed(guest: Guest, language: Language) -> str:
    """A player as on the page of players: seed, name and rating, as far as the list gives them."""
    said = mention(guest.user_id, language)
    if guest.seed is not None:
        said = f"{guest.seed}. {said}"
    return said if guest.rating is None else f"{said} ({guest.rating})"


def consequence_lines(event: EventText, act: DirectorAct, preview: Preview) -> list[str]:
    """What follows from an act, a line each."""
    t = event.t
    lines = []
    ends = set(preview.ends)
    own = getattr(act, "game", "")
    forfeits = [each for each in preview.forfeits if each not in ends and each != own]
    for lead, games in (
        (Text.of("Games that get a result without being played:"), forfeits),
        (Text.of("Running matches that end:"), sorted(ends)),
        (Text.of("Running matches in which the others play on:"), preview.left),
        (Text.of("Running matches in which the substitute takes the seat:"), sorted(preview.seats)),
    ):
        lines += [event(lead), *_games(event, games)] if games else []
    lines += _challenges(event, preview)
    for fact in preview.facts:
        if isinstance(fact, f.Extended):
            lines += _last_day(event, fact)
            break
    for number in preview.undoes:
        lines.append(event.say("Round {round} will be paired again.", round=number))
    waiting = [each for each in preview.unpaired if each not in ends]
    if waiting:
        lines.append(event.say("Games that other players will be in:"))
        lines += _games(event, waiting)
    lines += [event(each) for each in type(act).notes(act, t, preview.facts)]
    if preview.told:
        lines.append(
            event.plural("{n} player gets a message.", "{n} players get a message.", n=preview.told)
        )
    if preview.is_posted:
        lines.append(event.say("Everyone is told in the tournament's channel."))
    if not preview.told and not preview.is_posted:
        lines.append(event.say("Nobody gets a message; the log shows it."))
    lines.append(
        event.say("You can undo it as long as nothing has followed from it.")
        if preview.can_undo
        else event.say("It can't be undone.")
    )
    return lines


def _challenges(event: EventText, preview: Preview) -> list[str]:
    """The challenges of a ladder that end, and those that wait for an answer again."""
    out = {x.entrant for x in preview.facts if isinstance(x, f.Withdrawn | f.Excluded)}
    ended = [x for x in event.t.challenges if out & {x.challenger, x.challenged}]
    again = [x for x in preview.facts if isinstance(x, f.Challenged)]
    lines = []
    for said, found in (
        (event.say("Challenges that end:"), ended),
        (event.say("Challenges that wait for an answer again:"), again),
    ):
        if found:
            pairs = (
                event.say(
                    "{one} challenged {two}.",
                    one=event.who(each.challenger),
                    two=event.who(each.challenged),
                )
                for each in found
            )
            lines += [said, *(f"- {each}" for each in pairs)]
    return lines


def _last_day(event: EventText, fact: f.Extended) -> list[str]:
    """What more time does to the promised day, and to rounds that are to come."""
    day = timestamp(fact.finish, last_day_style(event.t.begins, fact.finish))
    if fact.finish != event.t.finish:
        return [event.say("The tournament's last day becomes {date}.", date=day)]
    if time_for_rounds(event.t):
        return [
            event.say(
                "The tournament's last day stays {date}; later rounds have less time.", date=day
            )
        ]
    return []


def _games(event: EventText, games: Sequence[str]) -> list[str]:
    shown = [
        "- " + event.players(event.t.games[each].game)
        for each in games[:10]
        if each in event.t.games
    ]
    more = len(games) - 10
    if more > 0:
        shown.append("- " + event.say("And {count} more.", count=more))
    return shown


def act_words(event: EventText, act: DirectorAct) -> str:
    """What an act is, as a question or as what was done."""
    return event((act.title or act.label).filled(named(event, act)))

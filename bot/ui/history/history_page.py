"""The pages that look back on a match: a position with the moves around it, and the replay."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.domain.match import Match, MatchStatus
from bot.domain.playthrough import Playthrough
from bot.errors import UserError
from bot.i18n import Language
from bot.store.records import MatchNotes
from bot.ui.pages import board_page, match_text
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import escape
from bot.ui.pages.presenter import BoardPresenter
from renderers import Replay, describe


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game from a file, or a sample: its origin, its players by player index, its result.

    ``file`` travels with the page and is read again at the next click.
    """

    title: str
    names: tuple[str, ...]
    outcome: str
    file: ui.File | None = None

    def carried(self, reply: Reply) -> Reply:
        """A page with the file."""
        if self.file is None or reply.page is None:
            return reply
        return replace(reply, page=Page(*reply.page.components, ui.attached(self.file)))


NOTHING_KEPT = MatchNotes()
AS_FILE = "f"
"""Argument of the controls of a replay shown as a file."""
REPLAY = "replay.gif"
_AROUND = 4
"""Moves listed before and after the present one."""
_LEAF = re.compile(r"(?P<ply>[0-9]{1,6}|end)\.(?P<look>[pw])[a-z]?", re.ASCII)


@dataclass(frozen=True, slots=True)
class HistoryState:
    """The position shown, by the number of moves (None: the last), as text or picture."""

    ply: int | None = None
    in_words: bool = False

    @classmethod
    def read(cls, arg: str) -> HistoryState:
        """The state in a control's argument. Raises ``out_of_date``."""
        found = _LEAF.fullmatch(arg)
        if found is None:
            raise UserError("out_of_date")
        ply = None if found["ply"] == "end" else int(found["ply"])
        return cls(ply, found["look"] == "w")

    def write(self, tag: str = "") -> str:
        """The state as an argument; ``tag`` tells apart controls that lead to the same."""
        return f"{'end' if self.ply is None else self.ply}.{'w' if self.in_words else 'p'}{tag}"


async def history_page(
    match: Match,
    line: Playthrough,
    shown: HistoryState,
    presenter: BoardPresenter,
    language: Language,
    *,
    kept: MatchNotes = NOTHING_KEPT,
    lead: str = "",
    recorded: Recorded | None = None,
) -> Reply:
    """A position of the match, with the moves around it, and its reader's note (``kept``)."""
    if recorded is not None:
        presenter = replace(presenter, players=recorded.names)
    ply = line.plies if shown.ply is None else shown.ply
    here = HistoryState(ply, shown.in_words)
    view = line.view(ply)
    picture = None
    if not shown.in_words:
        picture = await presenter.picture(match, view, language, name="position")
    said = _where(match, line, ply, language, recorded)
    around = _moves_around(line, ply, language)
    items: list[ui.Part] = [
        ui.text(
            board_page.title(match, language, line.at(ply))
            if recorded is None
            else recorded_title(match, recorded)
        ),
        ui.text(said),
    ]
    if picture is not None:
        items.append(ui.gallery(picture))
    else:
        items.append(ui.text(await presenter.text(match, view, language)))
    if around:
        items.append(ui.text(around))
    note = kept.note(ply)
    if note:
        whose = language.say("Your note")
        items.append(ui.text(f"**{whose}**\n{escape(note)}"))
    frame = ui.container(*items)
    controls = _controls(match, line, here, language, kept=None if recorded else kept)
    page = Page(*([ui.text(lead)] if lead else []), frame, *controls)
    reply = Reply(lead or said, page)
    return reply if recorded is None else recorded.carried(reply)


def recorded_title(match: Match, recorded: Recorded) -> str:
    """The heading of a game that was not played here."""
    players = " – ".join(escape(each) for each in recorded.names)
    said = [f"### {match_text.game_name(match)} · {recorded.title}", players]
    return "\n".join(said)


def _side(
    match: Match, line: Playthrough, ply: int, language: Language, recorded: Recorded | None
) -> str:
    """The side and the player of a move, counted from 1."""
    before, seat = line.at(ply - 1), line.seats[ply - 1]
    side = language(before.game.seats[seat].name)
    player = before.game.seating(before.position)[seat]
    if recorded is not None:
        return f"{side} ({escape(recorded.names[player])})"
    return f"{side} {match_text.mention(match.players[player], language)}"


def _where(
    match: Match, line: Playthrough, ply: int, language: Language, recorded: Recorded | None
) -> str:
    if ply == 0:
        said = language.plural(
            "Start of the match ({count} move)",
            "Start of the match ({count} moves)",
            by="count",
            count=line.plies,
        )
    else:
        said = language.say(
            "Move {number} of {count}: {move} by {player}",
            number=ply,
            count=line.plies,
            move=match_text.move_words(match.game, line.notations[ply - 1], language),
            player=_side(match, line, ply, language, recorded),
        )
    said = f"**{said}**"
    end = recorded.outcome if recorded is not None else match_text.turn(match, language)
    return f"{said}\n{end}".rstrip() if ply == line.plies else said


def _moves_around(line: Playthrough, ply: int, language: Language) -> str:
    first, last = max(ply - _AROUND, 0), min(ply + _AROUND, line.plies)
    told = []
    for number in range(first, last + 1):
        move = (
            match_text.numbered(number, line.match.game, line.notations[number - 1], language)
            if number
            else language.say("Start")
        )
        told.append(f"**{move}**" if number == ply else move)
    before, after = "… " if first else "", " …" if last < line.plies else ""
    return match_text.cut(before + " · ".join(told) + after, ui.TEXT // 4)


def _controls(
    match: Match,
    line: Playthrough,
    here: HistoryState,
    language: Language,
    *,
    kept: MatchNotes | None,
) -> list[ui.Row]:
    ply, count = here.ply or 0, line.plies
    over = kept is None or match.status is not MatchStatus.RUNNING

    def control(action: str, shown: HistoryState, tag: str = "") -> Control:
        return Control(action, match.id, match.version, shown.write(tag))

    def to(ply: int | None) -> HistoryState:
        return HistoryState(ply, here.in_words)

    turning = [
        ui.button(control("past", to(0), "f"), language.say("First"), disabled=ply == 0),
        ui.button(
            control("past", to(max(ply - 1, 0)), "b"), language.say("Previous"), disabled=ply == 0
        ),
        ui.button(
            control("past", to(ply + 1), "n"),
            language.say("Next"),
            ui.PRIMARY,
            disabled=ply == count and over,
        ),
        ui.button(
            control("past", to(None), "l"), language.say("Last"), disabled=ply == count and over
        ),
        ui.button(control("number", here), language.say("Go to move")),
    ]
    look = language.say("Picture") if here.in_words else language.say("Text board")
    others = [ui.button(control("past", HistoryState(ply, not here.in_words), "w"), look)]
    if count:
        others.append(ui.button(Control("replay", match.id, match.version), language.say("Replay")))
    if over:
        here_at = Control("analyse", match.id, arg=str(ply))
        others.append(ui.button(here_at, language.say("Analyse")))
    if kept is not None:
        others.append(ui.button(control("jot", here), language.say("Note")))
        favour = Control("favour", match.id, int(not kept.is_favourite), here.write())
        star = "★ " if kept.is_favourite else ""
        others.append(ui.button(favour, star + language.say("Favourite")))
    first = max(min(ply - ui.CHOICES // 2, count - ui.CHOICES + 1), 0)
    options = [
        ui.Option(
            str(number),
            f"{number} {match_text.move_words(match.game, line.notations[number - 1], language)}"
            if number
            else language.say("Start"),
            (kept and kept.note(number)) or None,
            chosen=number == ply,
        )
        for number in range(first, min(first + ui.CHOICES, count + 1))
    ]
    made = ui.rows(turning)
    if len(options) > 1:
        made.append(ui.menu(control("leaf", here), language.say("Go to move"), options))
    return [*made, *ui.rows(others)]


async def replay_page(
    match: Match,
    line: Playthrough,
    film: Replay,
    presenter: BoardPresenter,
    language: Language,
    *,
    note: str = "",
    private: bool = True,
    may_share: bool = True,
    elsewhere: bool = False,
    as_file: bool = False,
    recorded: Recorded | None = None,
) -> Reply:
    """The animation of a match, with a ``note``; ``private`` adds the buttons.

    If it ``may_share``, it can be shared here, and ``elsewhere`` in another channel. ``as_file`` is
    a file to download instead of a picture.
    """
    title, said = board_page.title(match, language), match_text.turn(match, language)
    if recorded is not None:
        presenter = replace(presenter, players=recorded.names)
        title, said = recorded_title(match, recorded), recorded.outcome
    view = line.view(line.plies)
    alt = language.say(
        "The whole match as an animation, move by move. It ends like this: {position}",
        position=" ".join(describe(view, await presenter.style(match, language)).split("\n")),
    )
    picture = ui.Picture(ui.File(REPLAY, film.gif), alt)
    told = [language.plural("{count} move", "{count} moves", by="count", count=line.plies)]
    if film.frames < line.plies + 1:
        told.append(
            language.say(
                "The file would be too large with every position, so it shows {count} of them.",
                count=film.frames,
            )
        )
    if film.scale < 1:
        told.append(language.say("It's smaller than usual, because the file would be too large."))
    frame = ui.container(
        ui.text(f"{title}\n{said}".rstrip()),
        ui.attached(picture.file) if as_file else ui.gallery(picture),
        ui.text("\n".join(told)),
    )
    buttons: list[ui.Button] = []
    menus: list[ui.Row] = []
    if private:
        buttons.append(
            ui.button(Control("history", match.id, match.version), language.say("History"))
        )
        other = language.say("Picture") if as_file else language.say("Download")
        shown, turned = (AS_FILE, "") if as_file else ("", AS_FILE)
        buttons.append(ui.button(Control("refilm", match.id, match.version, turned), other))
        if may_share:
            share = Control("share", match.id, match.version, shown)
            buttons.insert(0, ui.button(share, language.say("Share here")))
            if elsewhere:
                prompt = language.say("Share in another channel")
                menus.append(
                    ui.entity_menu("channel", replace(share, action="shareto"), prompt, ())
                )
    noted: list[ui.Part] = [ui.text(note)] if note else []
    # What was pressed is below a picture that fills a phone: so is what came of it.
    parts = [frame, *noted] if private else [*noted, frame]
    page = Page(*parts, *ui.rows(buttons), *menus)
    reply = Reply(note or said or told[0], page)
    return recorded.carried(reply) if private and recorded is not None else reply

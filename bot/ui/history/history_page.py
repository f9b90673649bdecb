"""The pages that look back on a match: a position with the moves around it, and the replay."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.domain.match import Match, MatchStatus
from bot.domain.notes import Kept
from bot.domain.playthrough import Playthrough
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages import board_page, match_text
from bot.ui.pages.components import (
    CHOICES,
    PRIMARY,
    TEXT,
    File,
    Option,
    Part,
    Picture,
    Row,
    button,
    container,
    gallery,
    menu,
    rows,
    text,
)
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
from bot.ui.pages.presenter import BoardPresenter, Film
from bot.ui.pages.reply import Page, Reply
from renderers import describe

NOTHING_KEPT = Kept()
_AROUND = 4
"""Moves told before and after the present one."""
_LEAF = re.compile(r"(?P<ply>[0-9]{1,6}|end)\.(?P<look>[pw])[a-z]?", re.ASCII)


@dataclass(frozen=True, slots=True)
class HistoryState:
    """Where a person looks: after how many moves (None: after the last), in words or not."""

    ply: int | None = None
    in_words: bool = False

    @classmethod
    def read(cls, arg: str) -> HistoryState:
        """What a control's argument says; :exc:`~bot.errors.UserError` (``out_of_date``)."""
        found = _LEAF.fullmatch(arg)
        if found is None:
            raise UserError("out_of_date")
        ply = None if found["ply"] == "end" else int(found["ply"])
        return cls(ply, found["look"] == "w")

    def write(self, tag: str = "") -> str:
        """The leaf as an argument; ``tag`` tells controls apart that lead to the same leaf."""
        return f"{'end' if self.ply is None else self.ply}.{'w' if self.in_words else 'p'}{tag}"


async def history_page(
    match: Match,
    line: Playthrough,
    leaf: HistoryState,
    presenter: BoardPresenter,
    language: Language,
    *,
    kept: Kept = NOTHING_KEPT,
    lead: str = "",
) -> Reply:
    """The position of a leaf, which is one of the match, with what was played around it.

    ``kept`` is what its reader has kept of the match: a note stands below the moves.
    """
    ply = line.plies if leaf.ply is None else leaf.ply
    here = HistoryState(ply, leaf.in_words)
    view = line.view(ply)
    picture = None
    if not leaf.in_words:
        picture = await presenter.picture(match, view, language, name="position")
    said = _where(match, line, ply, language)
    around = _moves_around(line, ply, language)
    items: list[Part] = [
        text(board_page.title(match, language, line.at(ply))),
        text(said),
    ]
    if picture is not None:
        items.append(gallery(picture))
    else:
        items.append(text(await presenter.text(match, view, language)))
    if around:
        items.append(text(around))
    note = kept.note(ply)
    if note:
        whose = language.say("Your note")
        items.append(text(f"**{whose}**\n{escape(note)}"))
    frame = container(*items)
    controls = _controls(match, line, here, language, kept=kept)
    page = Page(*([text(lead)] if lead else []), frame, *controls)
    return Reply(lead or said, page, () if picture is None else (picture.file,))


def _side(match: Match, line: Playthrough, ply: int, language: Language) -> str:
    """Who made a move, counted from 1: the side and the person."""
    before, seat = line.at(ply - 1), line.seats[ply - 1]
    side = language(before.game.seats[seat].name)
    player = before.game.seating(before.position)[seat]
    return f"{side} {match_text.mention(match.players[player], language)}"


def _where(match: Match, line: Playthrough, ply: int, language: Language) -> str:
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
            move=line.notations[ply - 1],
            player=_side(match, line, ply, language),
        )
    said = f"**{said}**"
    return f"{said}\n{match_text.turn(match, language)}".rstrip() if ply == line.plies else said


def _moves_around(line: Playthrough, ply: int, language: Language) -> str:
    first, last = max(ply - _AROUND, 0), min(ply + _AROUND, line.plies)
    told = []
    for number in range(first, last + 1):
        move = (
            match_text.numbered(number, line.notations[number - 1])
            if number
            else language.say("Start")
        )
        told.append(f"**{move}**" if number == ply else move)
    before, after = "… " if first else "", " …" if last < line.plies else ""
    return match_text.cut(before + " · ".join(told) + after, TEXT // 4)


def _controls(
    match: Match, line: Playthrough, here: HistoryState, language: Language, *, kept: Kept
) -> list[Row]:
    ply, count = here.ply or 0, line.plies
    over = match.status is not MatchStatus.RUNNING

    def control(action: str, leaf: HistoryState, tag: str = "") -> Control:
        return Control(action, match.id, match.version, leaf.write(tag))

    def to(ply: int | None) -> HistoryState:
        return HistoryState(ply, here.in_words)

    turning = [
        button(control("past", to(0), "f"), language.say("First"), disabled=ply == 0),
        button(
            control("past", to(max(ply - 1, 0)), "b"), language.say("Previous"), disabled=ply == 0
        ),
        button(
            control("past", to(ply + 1), "n"),
            language.say("Next"),
            PRIMARY,
            disabled=ply == count and over,
        ),
        button(
            control("past", to(None), "l"), language.say("Last"), disabled=ply == count and over
        ),
        button(control("number", here), language.say("Go to move")),
    ]
    look = language.say("Picture") if here.in_words else language.say("Text board")
    others = [button(control("past", HistoryState(ply, not here.in_words), "w"), look)]
    if count:
        others.append(button(Control("replay", match.id, match.version), language.say("Replay")))
    if over:
        here_at = Control("analyse", match.id, arg=str(ply))
        others.append(button(here_at, language.say("Analyse")))
    others.append(button(control("jot", here), language.say("Note")))
    favour = Control("favour", match.id, int(not kept.is_favourite), here.write())
    heart = language.say("Unmark") if kept.is_favourite else language.say("Favourite")
    others.append(button(favour, heart))
    first = max(min(ply - CHOICES // 2, count - CHOICES + 1), 0)
    options = [
        Option(
            str(number),
            f"{number} {line.notations[number - 1]}" if number else language.say("Start"),
            kept.note(number) or None,
            chosen=number == ply,
        )
        for number in range(first, min(first + CHOICES, count + 1))
    ]
    made = rows(turning)
    if len(options) > 1:
        made.append(menu(control("leaf", here), language.say("Go to move"), options))
    return [*made, *rows(others)]


async def replay_page(
    match: Match,
    line: Playthrough,
    film: Film,
    presenter: BoardPresenter,
    language: Language,
    *,
    note: str = "",
    private: bool = True,
    may_share: bool = True,
) -> Reply:
    """The moving picture of a match; ``note`` is said first, ``private`` adds the buttons."""
    view = line.view(line.plies)
    alt = language.say(
        "The whole match as an animation, move by move. It ends like this: {position}",
        position=" ".join(describe(view, await presenter.style(match, language)).split("\n")),
    )
    picture = Picture(File("replay.gif", film.gif), alt)
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
    said = match_text.turn(match, language)
    frame = container(
        text(f"{board_page.title(match, language)}\n{said}".rstrip()),
        gallery(picture),
        text("\n".join(told)),
    )
    buttons = []
    if private:
        buttons.append(button(Control("history", match.id, match.version), language.say("History")))
        if may_share:
            buttons.insert(
                0, button(Control("share", match.id, match.version), language.say("Share here"))
            )
    top: list[Part] = [text(note)] if note else []
    return Reply(note or said or told[0], Page(*top, frame, *rows(buttons)), (picture.file,))

"""The message of a match's board, public and private."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from bot.domain.computers import is_erased
from bot.domain.game_state import GameState, board_view, game_state_of
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import Request
from bot.domain.vacation import UserVacation
from bot.i18n import Language
from bot.store.records import RatingChange
from bot.ui.pages import clock_text, match_text
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.reader import NO_OBSTACLE, Obstacle, Reader
from games import catalog
from games.view import Text

_ACTION_ROW = 1
_GALLERY = 12
_OF_BOARDS = frozenset({"move", "rematch", "text", "more"})
"""Every board has one of these buttons."""
_TURN = 90
"""The component id of the line with the player to move."""
_COLOUR = 0x4F7CAC
_COLOUR_OVER = 0x8A8F98


def title(match: Match, language: Language, table: GameState | None = None) -> str:
    """Game, options and sides, at present or at another table of the match."""
    name = match_text.game_name(match)
    said = match_text.terms(match, language, brief=True)
    shown = f"### {name}" + (f" · {said}" if said else "")
    if match.state:
        shown += "\n" + match_text.sides(match, table or game_state_of(match), language)
    return shown


def file_name(match: Match) -> str:
    """The name of a board's picture: the match, its version and hash.

    So a board is recognised although none of that is shown on it.
    """
    return f"board-{match.id}-{match.version}-{match.head_hash[:8]}"


_NAME = re.compile(r"board-([a-z2-7]{10})-([0-9]{1,9})-[0-9a-f]{8}\b", re.ASCII)


def version_shown(components: Iterable[Any], match: Match) -> int | None:
    """The version of a match that a message is the board of, None if it is none of its boards.

    By the name of its picture; a text board by its buttons.
    """
    found = None
    for part in ui.walk(components):
        if part.get("type") == _GALLERY:
            for item in part.get("items") or ():
                named = _NAME.search(str((item.get("media") or {}).get("url")))
                if named is not None and named[1] == match.id:
                    return int(named[2])
        control = Control.read(part.get("custom_id"))
        if control is not None and control.match == match.id and control.action in _OF_BOARDS:
            found = control.version
    return found


_LABELS: Mapping[str, Text] = {
    "move": Text.of("Make a move"),
    "resume": Text.of("Resume"),
    "plan": Text.of("Plan"),
    "history": Text.of("History"),
    "hint": Text.of("Hint"),
    "text": Text.of("Text board"),
    "rules": Text.of("Rules"),
    "draw": Text.of("Offer draw"),
    "takeback": Text.of("Take back"),
    "pause": Text.of("Pause"),
    "abort": Text.of("Abort"),
    "resign": Text.of("Resign"),
    "rematch": Text.of("Rematch"),
    "replay": Text.of("Replay"),
    "reviewit": Text.of("Review"),
    "export": Text.of("Download"),
    "more": Text.of("More"),
}
"""The labels of buttons under a board, by their actions."""
_FOR_ALL = frozenset({"text", "rules", "history", "replay", "reviewit", "export"})
"""The buttons that people have who do not play in the match."""


def buttons_of(match: Match, language: Language, *actions: str) -> list[ui.Button]:
    """The buttons of a board with these actions."""
    made = []
    for action in actions:
        control = Control(action, match.id, match.version)
        if action == "rules":
            control = Control(action, arg=match.game)
        style = ui.PRIMARY if action in ("move", "rematch") else ui.SECONDARY
        made.append(ui.button(control, language(_LABELS[action]), style))
    return made


def controls(match: Match, language: Language) -> list[ui.Button]:
    """All buttons of a board, the most wanted first."""
    return buttons_of(match, language, *_actions(match))


def _actions(match: Match) -> list[str]:
    if match.status is not MatchStatus.RUNNING:
        return _actions_after(match)
    terms = match.tournament
    wanted = {
        "move": True,
        "resume": match.is_paused,
        "plan": True,
        "history": match.ply > 0,
        "hint": match.has_hints,
        "text": True,
        "rules": True,
        "draw": catalog.GAMES[match.game].info.allows_draw_offer,
        "takeback": match.ply > 0 and match.takebacks and (terms is None or terms.takebacks),
        "pause": match.clock is not None and not match.is_paused and terms is None,
        "abort": match.ply < 2 and terms is None,
        "resign": True,
    }
    return [action for action, is_wanted in wanted.items() if is_wanted]


def _actions_after(match: Match) -> list[str]:
    """The actions after the end; a match aborted before its first move has nothing to look at."""
    is_finished = match.status is MatchStatus.FINISHED
    if not (is_finished or match.ply):
        return ["text", "rules"]
    review = ["reviewit"] if is_finished and match.ply else []
    return [*rematch(match), "replay", *review, "history", "text", "rules", "export"]


def rematch(match: Match) -> list[str]:
    """**Rematch**, once a match has a result; not in tournaments, nor with an erased player."""
    if match.status is not MatchStatus.FINISHED or match.tournament is not None:
        return []
    return [] if any(map(is_erased, match.players)) else ["rematch"]


def more_page(match: Match, language: Language, *, is_player: bool, has_moved: bool) -> Page:
    """The page behind **More** under a board: the other buttons.

    ``has_moved``: the reader has a move to take back.
    """
    _, *others = _actions(match)
    mine = [each for each in others if is_player and (has_moved or each != "takeback")]
    shown = [each for each in others if each in _FOR_ALL or each in mine]
    buttons = buttons_of(match, language, *shown)
    return Page(ui.text(title(match, language)), *ui.rows(buttons))


def move_button(match: Match, language: Language) -> ui.Button:
    """**Make a move**, in the present position."""
    return buttons_of(match, language, "move")[0]


def ways_out(match: Match, language: Language) -> list[ui.Button]:
    """Buttons to leave a match whose opponent has left the server, or to go on without them."""
    shown = [
        ui.button(Control("claim", match.id), language.say("Claim"), ui.PRIMARY),
        ui.button(Control("abort", match.id), language.say("Abort")),
    ]
    if len(match.players) > 2:
        shown.append(ui.button(Control("substitute", match.id), language.say("Find a substitute")))
    return shown


def agreement(match: Match, request: Request) -> Control:
    """**Accept** for a request; the version names it, so an old message answers no later one."""
    return Control("agree", match.id, request.version, request.wish.value)


def answers(match: Match, request: Request, language: Language) -> list[ui.Button]:
    """The buttons that answer a request."""
    agree = agreement(match, request)
    return [
        ui.button(agree, language.say("Accept"), ui.SUCCESS),
        ui.button(replace(agree, action="refuse"), language.say("Decline"), ui.DANGER),
    ]


def withdrawal(match: Match, request: Request, language: Language) -> ui.Button:
    """**Withdraw**, for the player who asked."""
    control = Control("retract", match.id, request.version, request.wish.value)
    return ui.button(control, language.say("Withdraw"))


def board_page(
    match: Match,
    turn: str,
    language: Language,
    *,
    buttons: bool = True,
    gains: tuple[RatingChange, ...] = (),
    vacations: tuple[UserVacation, ...] = (),
    obstacle: Obstacle = NO_OBSTACLE,
) -> Callable[[ui.Part], Page]:
    """Everything about a board; makes the page, given the part that shows the board.

    ``turn`` is from :func:`bot.ui.pages.match_text.turn`, ``gains`` are rating changes,
    ``vacations`` those of its players, ``obstacle`` is why it is stuck.
    """
    above: list[ui.Part] = [
        ui.text(title(match, language)),
        ui.text(_now(match, turn, language, vacations, obstacle), number=_TURN),
    ]
    if gains:
        above.append(ui.text(match_text.gains(gains, language)))
    told = [
        match_text.last_moves(match, language),
        match_text.example(match, language),
        *match_text.requests(match, language),
    ]
    said = "\n".join(part for part in told if part)
    below: list[ui.Part] = [ui.text(said)] if said else []
    below += _button_rows(match, language) if buttons else ()
    colour = _COLOUR if match.status is MatchStatus.RUNNING else _COLOUR_OVER
    return lambda shown: Page(ui.container(*above, shown, *below, colour=colour))


def _button_rows(match: Match, language: Language) -> list[ui.Row]:
    return ui.on_a_phone(controls(match, language), *buttons_of(match, language, "more"))


def _now(
    match: Match,
    turn: str,
    language: Language,
    vacations: tuple[UserVacation, ...],
    obstacle: Obstacle,
) -> str:
    """The ``turn`` and its deadline, vacations, or the end of the match."""
    left = "" if obstacle.stops else clock_text.time_left(match, language)
    gone = match_text.left(match, language)
    said = [
        f"**{turn}**",
        match_text.last_move_shown(match, language),
        left,
        gone,
        clock_text.vacations(match, vacations, language),
        obstacle.words,
    ]
    return "\n".join(each for each in said if each)


async def board(
    match: Match,
    reader: Reader,
    *,
    lead: str = "",
    buttons: bool = True,
    drawn: bool = True,
    vacations: tuple[UserVacation, ...] | None = None,
) -> Reply:
    """The present board as an answer, after a ``lead``.

    As text if it is not to be ``drawn``, or cannot be.
    """
    match, language = reader.credited(match), reader.language
    gains = await reader.gains(match) if match.rated else ()
    # All but the picture while the rest of the match is at hand, and not when it has been drawn.
    turn = match_text.turn(match, language)
    if vacations is None:
        vacations = await reader.away(match)
    page_with = board_page(
        match,
        turn,
        language,
        buttons=buttons,
        gains=gains,
        vacations=vacations,
        obstacle=reader.obstacle(match),
    )
    view = board_view(match)
    name, letters = file_name(match), not drawn
    page = page_with(await reader.part(match, view, name=name, in_letters=letters))
    if lead:
        page = Page(ui.text(lead), *page.components)
    return Reply(lead or turn, page)


def refused(match: Match, said: str, picture: ui.Picture, language: Language) -> Reply:
    """Why a move is illegal, with a picture that marks the place, and buttons to try again.

    Short, so that a phone shows the reason together with the picture.
    """
    again = ui.rows(buttons_of(match, language, "move", "rules"))
    page = Page(ui.text(f"**{said}**"), ui.gallery(picture), *again)
    return Reply(said, page)


def retired(components: list[Any]) -> list[Any]:
    """The components of an old board without its buttons and without the player to move.

    Takes and gives components as Discord writes them.
    """
    kept = (x for x in components if x.get("type") != _ACTION_ROW and x.get("id") != _TURN)
    return [
        {**each, "components": retired(each["components"])} if "components" in each else each
        for each in kept
    ]


def outdated(components: list[Any], said: str) -> list[Any]:
    """The components of a board with other words in place of the player to move."""
    shown = ({**x, "content": said} if x.get("id") == _TURN else x for x in components)
    return [
        {**each, "components": outdated(each["components"], said)} if "components" in each else each
        for each in shown
    ]


def confirmation(
    question: str, yes: Control, label: str, language: Language, *others: ui.Button
) -> Reply:
    """Ask before something final; **Never mind** leaves everything as it is."""
    never = ui.button(Control("nevermind"), language.say("Never mind"))
    buttons = [ui.button(yes, label, ui.DANGER), *others, never]
    return Reply(question, Page(ui.text(question), *ui.rows(buttons)))


async def text_board(match: Match, moves: tuple[str, ...], reader: Reader) -> Reply:
    """The position and all moves as text, as far as a message holds them.

    With the options, because some of them decide which moves are legal.
    """
    board_text, language = await reader.text(match, board_view(match)), reader.language
    shown, vacations = reader.credited(match), await reader.away(match)
    turn, obstacle = match_text.turn(shown, language), reader.obstacle(match)
    lead = _now(shown, turn, language, vacations, obstacle)
    head = f"{title(match, language)}\n{lead}"
    numbered = [
        match_text.numbered(number, match.game, move, language)
        for number, move in enumerate(moves, 1)
    ]
    room = ui.TEXT - len(board_text) - len(head) - 100
    listed = ", ".join(numbered)
    if len(listed) > room:
        listed = "… " + listed[-max(room, 0) :].partition(", ")[2]
    label = language.say("Moves: {moves}", moves=listed) if numbered else ""
    parts = [part for part in (head, board_text, label) if part]
    page = Page(*(ui.text(part) for part in parts))
    return Reply(lead, page)

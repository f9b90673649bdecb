"""Lessons, a task on a board each, and their puzzles; and the rules of games.

A page of a lesson is a function of a :class:`LessonState`, which travels in its custom ids. Moves
are picked from the same menus as in a match.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field, replace
from typing import Any

from bot.domain.game_state import GameState, game_of
from bot.errors import UserError
from bot.history.ui.sources import sample_name
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button, on_form, on_menu, opens_form
from bot.ui.offers.option_text import find_game
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.match_text import as_written, cut, game_facts
from bot.ui.pages.reader import Reader
from bot.ui.play import move_picker_page as picker
from bot.ui.play.move_picker import Menu, MovePick
from games import catalog
from games.api import Game, GameInfo, GuidePage
from games.errors import IllegalMove, MoveError
from games.lesson import Board, Lesson, Task
from games.view import BoardView, Marks, Text

_SPOT = re.compile(
    r"(?P<game>[a-z][a-z0-9_]{0,31})\.(?P<chapter>[0-9]{1,2})\.(?P<number>[0-9]{1,2}|end)"
    r"\.(?P<look>[pw])[a-z]?(?:/(?P<way>.*))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class LessonState:
    """A player's place in the lesson of a game.

    ``chapter`` 0 is the lesson itself, from 1 on its puzzles; ``number`` counts the tasks of the
    chapter from 0, and None is the page after the last one. ``way`` are the picks.
    """

    game: str
    chapter: int = 0
    number: int | None = 0
    in_words: bool = False
    way: MovePick = field(default_factory=MovePick)

    @classmethod
    def read(cls, arg: str) -> LessonState:
        """The state in a control's argument. Raises ``out_of_date``."""
        found = _SPOT.fullmatch(arg)
        if found is None:
            raise UserError("out_of_date")
        way = MovePick.read(found["way"] or "")
        number = None if found["number"] == "end" else int(found["number"])
        return cls(found["game"], int(found["chapter"]), number, found["look"] == "w", way)

    def write(self, tag: str = "") -> str:
        """The state as an argument; ``tag`` distinguishes controls that lead to the same state."""
        number = "end" if self.number is None else self.number
        look = "w" if self.in_words else "p"
        way = str(self.way)
        return f"{self.game}.{self.chapter}.{number}.{look}{tag}" + (f"/{way}" if way else "")


@dataclass(frozen=True, slots=True)
class LessonTask:
    """A task with its game and position."""

    info: GameInfo
    lesson: Lesson
    tasks: tuple[Task, ...]
    task: Task
    game: Game[Any, Any]
    board: Board

    @classmethod
    def at(cls, spot: LessonState) -> LessonTask:
        """The task of a state.

        Raises ``no_lesson``, ``out_of_date``, and :exc:`games.errors.OptionError` if there is no
        such game.
        """
        info, lesson = lesson_of(spot.game)
        if spot.chapter > len(lesson.puzzles) or spot.number is None:
            raise UserError("out_of_date")
        tasks = lesson.puzzles[spot.chapter - 1].tasks if spot.chapter else lesson.tasks
        if spot.number >= len(tasks):
            raise UserError("out_of_date")
        task = tasks[spot.number]
        game = game_of(info.key, info.resolve(task.options))
        return cls(info, lesson, tasks, task, game, task.set_up(game))

    @property
    def table(self) -> GameState:
        """The position of the task."""
        return GameState(self.game, self.board.position)

    def standing(self) -> BoardView:
        """The board with the move that led here."""
        return self.game.view(self.board.position, None).with_marks(self.board.marks)

    def asked(self, way: MovePick) -> Menu:
        """The question to which a way leads. Raises ``out_of_date``."""
        return picker.asked_at(self.table, way)

    def way_to(self, text: str) -> MovePick:
        """The picks of a typed move. Raises :exc:`games.errors.MoveError`."""
        return picker.way_to(self.table, text)


def lesson_of(key: str) -> tuple[GameInfo, Lesson]:
    """A game and its lesson. Raises :exc:`~bot.errors.UserError` (``no_lesson``)."""
    info = find_game(key).info
    lesson = catalog.LESSONS.get(info.key)
    if lesson is None:
        raise UserError("no_lesson", game=info.name)
    return info, lesson


def _after(spot: LessonState, lesson_task: LessonTask) -> LessonState:
    """The next task, the next puzzle, or the page at the end."""
    start = replace(spot, way=MovePick())
    if spot.number is not None and spot.number + 1 < len(lesson_task.tasks):
        return replace(start, number=spot.number + 1)
    if 0 < spot.chapter < len(lesson_task.lesson.puzzles):
        return replace(start, chapter=spot.chapter + 1, number=0)
    return replace(start, chapter=0, number=None)


def _before(spot: LessonState, lesson_task: LessonTask) -> LessonState | None:
    """The pick before, the same task again, or the task before."""
    if spot.way.back is not None:
        done = lesson_task.asked(spot.way).move is not None
        return replace(spot, way=MovePick() if done else spot.way.back)
    return replace(spot, number=spot.number - 1) if spot.number else None


def _heading(spot: LessonState, lesson_task: LessonTask, language: Language) -> str:
    number, count = (spot.number or 0) + 1, len(lesson_task.tasks)
    if not spot.chapter:
        place = language.say("Step {number} of {count}", number=number, count=count)
        return f"### {lesson_task.info.name} · {place}"
    puzzle = lesson_task.lesson.puzzles[spot.chapter - 1]
    place = language.say(
        "Puzzle {number} of {count}", number=spot.chapter, count=len(lesson_task.lesson.puzzles)
    )
    part = f" ({number}/{count})" if count > 1 else ""
    return f"### {lesson_task.info.name} · {place}\n**{language(puzzle.title)}**{part}"


@dataclass(frozen=True, slots=True)
class _Answer:
    """The reply to a wrong move: in words, and the board after it."""

    words: Text
    view: BoardView | None


def _answer(lesson_task: LessonTask, move: Any) -> _Answer | None:
    """The reply to a wrong move, where the task is to look ahead."""
    game, position = lesson_task.game, lesson_task.board.position
    refuted = lesson_task.task.refute(game, position, move)
    if refuted is None or refuted.answer is None:
        return None if refuted is None else _Answer(refuted.words, None)
    table = GameState(game, game.play(position, move))
    return _Answer(refuted.words, picker.view_after(table, refuted.answer))


async def task_page(
    spot: LessonState,
    reader: Reader,
    *,
    lead: str = "",
    refused: tuple[str, ...] = (),
) -> Reply:
    """A task: the question with its menu, or the verdict on a move.

    ``lead`` is a hint, or the reason of an illegal move, for which ``refused`` are cells to mark.
    Raises the errors of :meth:`LessonTask.at` and :meth:`LessonTask.asked`.
    """
    lesson_task, language = LessonTask.at(spot), reader.language
    asked = lesson_task.asked(spot.way)
    said, colour, is_right = language(lesson_task.task.words), picker.QUESTION_COLOUR, False
    answer: _Answer | None = None
    if asked.move is not None:
        move = lesson_task.game.parse(lesson_task.board.position, asked.move)
        verdict = lesson_task.task.judge(lesson_task.game, lesson_task.board.position, move)
        is_right = verdict.right
        words = language(verdict.words) if verdict.words is not None else ""
        if is_right:
            right = lead or language.say("{move} is right.", move=asked.move)
            said = f"**{right}** {words}"
            lead, colour = "", picker.RIGHT_COLOUR
        else:
            lead = language.say("{move} isn't the answer.", move=asked.move)
            answer = await asyncio.to_thread(_answer, lesson_task, move)
            if answer is not None:
                words = f"{words} {language(answer.words)}"
            lead, colour = f"{lead} {words.strip()}".rstrip(), picker.WRONG_COLOUR
            spot = replace(spot, way=MovePick())
            asked = lesson_task.asked(spot.way)
    elif refused:
        colour = picker.WRONG_COLOUR

    view = picker.looked_at(lesson_task.table, asked, lesson_task.standing())
    view = view.with_marks(Marks(refused=view.named(refused)))
    # Below the picture, where a phone shows it together with the task.
    shown = await reader.plain_part(view, name="lesson", in_letters=spot.in_words)
    items: list[ui.Part] = [ui.text(_heading(spot, lesson_task, language)), shown, ui.text(said)]
    if lead:
        items.append(ui.text(f"**{lead}**"))
    if answer is not None and answer.view is not None:
        items.append(await reader.plain_part(answer.view, name="answer", in_letters=spot.in_words))
    controls: list[ui.Part] = []
    if not is_right:
        items.append(ui.text(picker.question(lesson_task.table, asked, language)))
        controls = picker.choices(asked, Control("learnpick", arg=spot.write()), language)
        onward = Control("learn", arg=f"{replace(spot, way=MovePick()).write()}/")
        controls.extend(ui.rows(picker.specials(asked, onward, language)))
    page = Page(
        ui.container(*items, colour=colour),
        *controls,
        *ui.rows(_buttons(spot, lesson_task, language, is_right=is_right)),
    )
    return Reply(lead or said, page)


def _buttons(
    spot: LessonState, lesson_task: LessonTask, language: Language, *, is_right: bool
) -> list[ui.Button]:
    before = _before(spot, lesson_task)
    shown = []
    if before is not None:
        shown.append(ui.button(Control("learn", arg=before.write("b")), language.say("Back")))
    if lesson_task.lesson.puzzles and (spot.chapter or before is None):
        all_of_them = replace(spot, chapter=0, number=None, way=MovePick())
        shown.append(
            ui.button(Control("learn", arg=all_of_them.write("e")), language.say("Puzzles"))
        )
    label, style = (
        (language.say("Next"), ui.SUCCESS) if is_right else (language.say("Skip"), ui.SECONDARY)
    )
    following = Control("learn", arg=_after(spot, lesson_task).write("n"))
    shown.append(ui.button(following, label, style))
    other = replace(spot, in_words=not spot.in_words)
    look = language.say("Picture") if spot.in_words else language.say("Text board")
    if not is_right:
        start = replace(spot, way=MovePick()).write()
        shown += [
            ui.button(Control("learnhint", arg=start), language.say("Hint"), ui.PRIMARY),
            ui.button(Control("learnshow", arg=start), language.say("Show the answer")),
            ui.button(Control("learntype", arg=start), language.say("Type a move")),
        ]
    shown.append(ui.button(Control("learn", arg=other.write("w")), look))
    return shown


def overview_page(spot: LessonState, language: Language) -> Reply:
    """The page after a lesson: its puzzles, the rules, a match."""
    info, lesson = lesson_of(spot.game)
    said = language(lesson.farewell)
    head = ui.text(f"### {info.name}\n{said}")
    controls: list[ui.Part] = []
    if lesson.puzzles:
        options = [
            ui.Option(
                LessonState(info.key, number, 0, spot.in_words).write(),
                language.say("Puzzle {number}: {title}", number=number, title=language(each.title)),
            )
            for number, each in enumerate(lesson.puzzles[: ui.CHOICES], 1)
        ]
        prompt = language.say("Choose a puzzle")
        controls.append(ui.menu(Control("learnto", arg=spot.write()), prompt, options))
    begin = replace(spot, chapter=0, number=0, way=MovePick())
    buttons = [
        ui.button(Control("computer", arg=info.key), language.say("Play the computer"), ui.SUCCESS),
        ui.button(Control("setup", arg=info.key), language.say("Offer a match")),
        ui.button(Control("rules", arg=info.key), language.say("Rules")),
        ui.button(Control("learn", arg=begin.write("b")), language.say("Start over")),
    ]
    page = Page(ui.container(head, colour=picker.RIGHT_COLOUR), *controls, *ui.rows(buttons))
    return Reply(said, page)


@on_button("learn")
@on_menu("learnto")
async def learn_on(context: InteractionContext, click: Click) -> Reply:
    """A button of the page, or its menu of puzzles."""
    return await _learn(context, LessonState.read(click.value or click.arg))


@on_menu("learnpick")
async def learn_pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu of moves: ask for the next pick, or judge the move."""
    spot = LessonState.read(click.arg)
    way = spot.way.then(click.choice)
    return await _learn(context, replace(spot, way=way))


@on_button("learnhint")
async def learn_hint(context: InteractionContext, click: Click) -> Reply:
    """**Hint**."""
    spot = LessonState.read(click.arg)
    hint = context.language(LessonTask.at(spot).task.hint)
    return await _learn(context, spot, lead=hint)


@on_button("learnshow")
async def learn_answer(context: InteractionContext, click: Click) -> Reply:
    """**Show the answer**: as if the person had found it."""
    spot = LessonState.read(click.arg)
    lesson_task = LessonTask.at(spot)
    answer = lesson_task.task.answer
    lead = context.language.say("The answer is {move}.", move=answer)
    return await _learn(context, replace(spot, way=lesson_task.way_to(answer)), lead=lead)


opens_form("learntype", "learntyped")(picker.move_form)


@on_form("learntyped")
async def learn_typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form; a refusal names the rule and marks the place."""
    spot = LessonState.read(click.arg)
    lesson_task = LessonTask.at(spot)
    try:
        way = lesson_task.way_to(as_written(spot.game, click.text, context.language))
    except MoveError as error:
        lead = context.why(error, spot.game)
        place = error.place if isinstance(error, IllegalMove) else ()
        spot = replace(spot, way=MovePick())
        return await _learn(context, spot, lead=lead, refused=place)
    return await _learn(context, replace(spot, way=way))


async def _learn(
    context: InteractionContext, spot: LessonState, *, lead: str = "", refused: tuple[str, ...] = ()
) -> Reply:
    if spot.number is None:
        return overview_page(spot, context.language)
    return await task_page(spot, context.reader, lead=lead, refused=refused)


def _view(info: GameInfo, page: GuidePage) -> BoardView | None:
    """The position of a page, with its move played and marked."""
    if page.position is None:
        return None
    game = game_of(info.key, info.resolve(page.options))
    position = game.decode(page.position)
    if page.move is None:
        return game.view(position, None)
    move = game.parse(position, page.move)
    return game.view(game.play(position, move), None).with_marks(game.marks(position, move))


async def rules_page(key: str, number: int, reader: Reader) -> Reply:
    """One page of a game's rules, counted from 0 and kept within them.

    Raises :exc:`games.errors.OptionError` if there is no such game.
    """
    info, language = find_game(key).info, reader.language
    number = min(max(number, 0), max(len(info.pages) - 1, 0))
    items: list[ui.Part] = []
    title = info.name
    if info.pages:
        page = info.pages[number]
        title = f"{info.name} · {language(page.title)}"
        items.append(ui.text(f"### {title}"))
        view = _view(info, page)
        if view is not None:
            items += ui.pictured(await reader.plain_picture(view, name="rules"))
        # Below the picture, as in lessons: a phone shows the end of a long message.
        items.append(ui.text(language(page.body)))
    else:
        items.append(ui.text(f"### {title}\n{language(info.summary)}"))
    items.append(ui.text(_about(info, number, language)))
    samples: list[ui.Part] = []
    if info.samples and number == 0:
        lines = [
            ui.Option(
                sample_name(info.key, index),
                language(each.title),
                " – ".join(language(player) for player in each.players),
            )
            for index, each in enumerate(info.samples)
        ]
        samples.append(ui.menu(Control("sample"), language.say("Replay a sample game"), lines))
    pages = len(info.pages)
    buttons = ui.paging("page", ui.NO_MATCH, number, pages, language, arg=info.key, is_open=True)
    if info.key in catalog.LESSONS:
        first = Control("learn", arg=LessonState(info.key).write())
        buttons.append(ui.button(first, language.say("Learn by playing")))
    return Reply(title, Page(ui.container(*items), *samples, *ui.rows(buttons)))


def _about(info: GameInfo, number: int, language: Language) -> str:
    """The page number; on the first also facts about the game, its designer, and links."""
    made = language.say("{designer}, {year}", designer=info.designer, year=info.year)
    links = " ".join(f"<{link}>" for link in info.links)
    place = (
        language.say("Page {number} of {count}", number=number + 1, count=len(info.pages))
        if len(info.pages) > 1
        else ""
    )
    first = () if number else (game_facts(info, language), made, links)
    return cut("-# " + " · ".join(part for part in (*first, place) if part), 1000)

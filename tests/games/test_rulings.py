"""Every ruling of a game has a place on its page and worked cases in ``rulings/<game>.txt``.

A line that is not indented names rulings and what they say, or a position. Below it stand cases,
``[options] position | moves what ; moves what``: the moves are played from the position, and then

``= text``, ``== text``     is the position text, or the whole text; ``...`` stands for anything
``has``, ``lacks``, ``only``, ``count``  tell of the legal moves; ``only /x/`` of those that match
``winning``                 are the moves that win at once, ``absent`` the one for an absent player
``turn``, ``seats``         tell whose turn it is and which player has which seat
``over reason scores``      with ``won`` seats and ``by`` a chain, or the game ``goes on``
``shows``, ``holds``        tell the label of a cell, and the counts of a colour's tray
``points``                  are a line of the score
``tells``, ``hides``        are sentences that are said of it, or not
``picks``                   are some picks after those that stand before: ``key: words > move``
``! code``                  the last of the moves is refused, with its place and parameters
``~ code``, ``reads``       all that stands before is no move, or is read as one
``X code``                  the position is none

A line ``[options]`` by itself gives those of all cases. ``x*9`` stands for nine times x.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import catalog
from games.errors import IllegalMove, MoveSyntaxError, NotationError
from tests.reference import reference
from tests.reference.extract import RULINGS

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "rulings"
WORDS = (
    "==|=|has|lacks|only|count|winning|absent|turn|seats|over|goes|shows|holds|points|tells|hides"
    "|picks|!|~|reads|X"
)


def cases(key: str) -> Iterator[tuple[str, dict[str, Any], str, list[str]]]:
    """Name, options, position and checks of each case."""
    names: dict[str, str] = {}
    usual: dict[str, str] = {}
    found: list[tuple[str, dict[str, Any], str, list[str]]] = []
    title = ""
    for line in (CASES / f"{key}.txt").read_text(encoding="utf-8").splitlines():
        if given := re.fullmatch(r"([A-Z_0-9]+) = (.*)", line):
            names[given[1]] = given[2]
        elif given := re.fullmatch(r"\[(.*)\]", line):
            usual = _options(given[1])
        elif not line.startswith(" "):
            title = line
        elif line.startswith("    ;"):
            found[-1][3].extend(line.strip(" ;").split(" ; "))
        else:
            form = re.fullmatch(r"  (?:\[(.*?)\] )?(.*?) ?\| (.*)", line)
            assert form is not None, line
            options = _options(form[1] or "")
            text = re.sub(
                r"(\S+)\*(\d+)", lambda x: " ".join([x[1]] * int(x[2])), names.get(form[2], form[2])
            )
            checks = [
                re.sub(r"= (\w+)$", lambda x: f"= {names.get(x[1], x[1])}", each)
                for each in form[3].split(" ; ")
            ]
            found.append((title, {**usual, **options}, text, checks))
    yield from found


def _options(text: str) -> dict[str, str]:
    return dict(each.split("=") for each in text.split())


def check(game: Any, text: str, given: str, word: str, wanted: str) -> None:
    """Hold one case against the game."""
    info = game.info
    if word == "X":
        with pytest.raises(NotationError) as none:
            game.decode(text)
        assert none.value.code == wanted
        info.refusals[wanted].message.format(**none.value.params)
        return
    position = game.decode(text)
    if word == "~":
        with pytest.raises(MoveSyntaxError) as unread:
            game.parse(position, given)
        assert unread.value.code == wanted
        info.refusals[wanted].message.format(**unread.value.params)
        return
    if word == "reads":
        assert game.notation(position, game.parse(position, given)) == wanted
        return
    if word == "picks":
        steps = game.next_steps(position, tuple(given.split()))
        told = [f"{each.key}: {each.text.english()} > {each.move}" for each in steps]
        said = {each.removesuffix(" > None") for each in told}
        assert set(wanted.split(" / ")) <= said, said
        return
    *moves, last = given.split() if word == "!" else [*given.split(), ""]
    for move in moves:
        position = game.play(position, game.parse(position, move))
    if word == "!":
        with pytest.raises(IllegalMove) as refused:
            game.parse(position, last)
        code, *rest = wanted.split()
        params = dict(each.split("=") for each in rest if "=" in each)
        place = tuple(each for each in rest if "=" not in each)
        assert (refused.value.code, refused.value.place) == (code, place)
        assert last not in {game.notation(position, move) for move in game.legal_moves(position)}
        values = refused.value.params
        assert {name: str(values[name]) for name in params} == params
        info.refusals[code].message.format(**values)
        return
    assert tells(game, position, word, wanted) == wanted


def tells(game: Any, position: Any, word: str, wanted: str) -> str:
    """The same words as wanted, where they are true."""
    moves = list(game.legal_moves(position))
    legal = {game.notation(position, move): move for move in moves}
    outcome, said = game.outcome(position), set(wanted.split())
    if word in ("=", "=="):
        whole = game.position_text(position) if word == "=" else game.encode(position)
        form = ".*".join(re.escape(part) for part in wanted.split("..."))
        return wanted if re.fullmatch(form, whole) else str(whole)
    if word in ("has", "lacks"):
        there = said & set(legal)
        return wanted if there == (said if word == "has" else set()) else f"{set(legal)}"
    if word == "only":
        some = re.match(r"/(.*?)/", wanted)
        fit = {each for each in legal if some is None or re.match(some[1], each)}
        return wanted if fit == said - {some[0] if some else ""} else f"{fit}"
    if word in ("tells", "hides"):
        sentences, asked = set(_sentences(game.view(position, None))), set(wanted.split(" / "))
        there = sentences & asked
        return wanted if there == (asked if word == "tells" else set()) else f"{sentences}"
    if word == "winning":
        wins = {each for each, move in legal.items() if game.outcome(game.play(position, move))}
        return wanted if wins == said else f"{wins}"
    if word == "over" and outcome is not None:
        told = " ".join([outcome.reason, *(f"{score:g}" for score in outcome.scores)])
        told += " won " + (" ".join(str(int(seat)) for seat in outcome.winners) or "-")
        told += " by " + " ".join(outcome.path)
        return wanted if told.startswith(wanted) else told
    absent = game.move_for_absent(position) if word == "absent" else None
    rest: dict[str, Callable[[], str]] = {
        "count": lambda: str(len(moves)),
        "absent": lambda: "-" if absent is None else game.notation(position, absent),
        "turn": lambda: str(game.turn(position)),
        "seats": lambda: " ".join(str(int(each)) for each in game.seating(position)),
        "over": lambda: "goes on",
        "goes": lambda: "on" if outcome is None else outcome.reason,
        "shows": lambda: _label(game.view(position, None), wanted.partition(" ")[0]),
        "holds": lambda: _tray(game.view(position, None), *wanted.split()[:2]),
        "points": lambda: _points(game.view(position, None), wanted.partition(" ")[0]),
    }
    return rest[word]()


def _label(view: Any, cell: str) -> str:
    stack = view.cell(cell).stack
    return f"{cell} {stack[-1].label or len(stack)}"


def _tray(view: Any, colour: str, key: str) -> str:
    (tray,) = (each for each in view.colours[int(colour)].trays if each.key == key)
    return " ".join([colour, key, *(str(slot.count) for slot in tray.slots)])


def _sentences(view: Any) -> Iterator[str]:
    for colour in view.colours:
        yield from (each.english() for each in (colour.goal, *colour.notes) if each)
        yield from (each.words.english() for each in colour.signs)
    for grid in view.grids:
        yield from (each.english() for each in (grid.title, *grid.captions) if each)
    yield from (each.english() for each in (view.result, *view.captions) if each)


def _points(view: Any, part: str) -> str:
    (line,) = (each for each in view.score_lines if each.title.message.lower().startswith(part))
    return " ".join([part, *map(str, line.points)])


@pytest.mark.parametrize("key", list(RULINGS))
def test_a_game_is_played_as_its_rulings_say(key: str) -> None:
    wrong = []
    for title, options, text, checks in cases(key):
        game = catalog.create(key, options)
        for each in checks:
            form = re.search(rf"(?:^|(?<= ))({WORDS})(?: |$)", each)
            assert form is not None, (title, each)
            try:
                check(game, text, each[: form.start()].strip(), form[1], each[form.end() :])
            except (Exception, pytest.fail.Exception) as error:
                wrong.append(f"{title}\n  {options} {text} | {each}\n  {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_an_endless_text_is_no_position(key: str) -> None:
    game: Any = catalog.create(key)
    start = game.initial(Random(0))
    assert game.decode(game.encode(start)) == start
    with pytest.raises(NotationError):
        game.decode(game.encode(start) + " " * 1_000_001)


def page(key: str) -> set[str]:
    """The rulings that the game's page tells of; ``P28, P29`` and ``Q3 to Q5`` name several."""
    text = " ".join((ROOT / "docs/games" / f"{key}.md").read_text(encoding="utf-8").split())
    found = set(re.findall(rf"\b{RULINGS[key]}\b", text))
    for first, last in re.findall(rf"({RULINGS[key]}) to ({RULINGS[key]})", text):
        letters = first.rstrip("0123456789")
        low, high = (int(number.removeprefix(letters)) for number in (first, last))
        found |= {f"{letters}{number}" for number in range(low, high + 1)}
    return found


def covered(key: str) -> set[str]:
    """The rulings that cases and tests of the game begin their names with."""
    letters = RULINGS[key].removesuffix(r"\d+")
    start = letters.lower().replace("-", "")
    titles = re.findall(r"(?m)^([a-z0-9 ]+):", (CASES / f"{key}.txt").read_text(encoding="utf-8"))
    for path in Path(__file__).parent.glob(f"test_{key}*.py"):
        titles += re.findall(r"def test((?:_[a-z]+\d+[a-z]*)+)_", path.read_text(encoding="utf-8"))
    numbers = (number for each in titles for number in re.findall(rf"(?:\b|_){start}(\d+)", each))
    return {f"{letters}{number}" for number in numbers}


@pytest.mark.parametrize("key", list(RULINGS))
def test_every_ruling_is_told_and_tested(key: str) -> None:
    rulings = set(reference("rulings")[key])
    assert len(rulings) > 15
    assert rulings - page(key) == set()
    assert page(key) ^ covered(key) == set()

"""Whole games of all five by a player who has nothing but the words.

At each ply the player reads the position out of the words, either of the picture's alt text or of
the text board, sets up the referee of the rules page with it, chooses one of the moves that the
referee finds, and plays that in the real game. Alt texts end after 1024 characters, and have told
the whole position by then.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from games import catalog
from games.view import BoardView
from renderers import Style, text_board
from renderers.words import alt_text
from tests.referees import REFEREES, Referee

STYLE = Style(names=("Ada", "Bo", "Cy", "Di"))


@dataclass
class Heard:
    """The knowledge of a player from the words."""

    mover: str | None = None
    """The word of the colour that is to move."""
    winners: list[str] = field(default_factory=list)
    cells: dict[str, list[str]] = field(default_factory=dict)
    """The names of the pieces on each cell that has some, bottom first."""
    links: set[tuple[str, str]] = field(default_factory=set)
    trays: defaultdict[tuple[str, str], Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    """The contents of each colour's trays, by the names of the colour and the tray."""
    about: dict[str, str] = field(default_factory=dict)
    """The facts about each colour."""
    size: int = 0
    """How many ranks the board has."""
    rest: str = ""
    """All of it."""


WHO = r"(?:Ada|Bo|Cy|Di) \((\w+)\)"
CELLS = r"[a-o]\d+(?:,? [a-o]\d+)*"
TRAYS = "in hand|pit|exited|reserve|captured"


def headline(heard: Heard, text: str) -> None:
    """The player to move or the winner, with the same text in all words."""
    heard.rest = text
    if found := re.search(rf"{WHO} to move\.", text):
        heard.mover = found[1]
    if found := re.search(r"Winner: ([^.]*)\.", text):
        heard.winners = re.findall(WHO, found[1])


def hear(text: str) -> Heard:
    """Read sentences, as an alt text has them."""
    heard, colour = Heard(), ""
    headline(heard, text)
    for sentence in re.split(r"(?<=\.) ", text):
        if found := re.fullmatch(rf"{WHO}(, .*)\.", sentence):
            colour = found[1]
            heard.about[colour] = found[2]
        elif found := re.fullmatch(rf"(?i)({TRAYS}): (.*×.*)\.", sentence):
            counts = re.findall(r"([A-Za-z ]+) ×(\d+)", found[2])
            heard.trays[colour, found[1].lower()] = Counter(
                {name.strip(): int(count) for name, count in counts}
            )
        elif found := re.fullmatch(r"Stacks, bottom first: (.*)\.", sentence):
            for stack in found[1].split("; "):
                cell, _, pieces = stack.partition(" ")
                heard.cells[cell] = [unlabelled(piece) for piece in pieces.split(" + ")]
        elif found := re.fullmatch(r"Stacks, bottom first, with (.*): (.*)\.", sentence):
            stacks_in_letters(heard, *found.groups())
        elif found := re.fullmatch(r"Ranks from the left, (.*), - empty: (.*)\.", sentence):
            ranks_in_letters(heard, *found.groups())
        elif found := re.fullmatch(r"Links up (right|left) from: (.*)\.", sentence):
            step = 1 if found[1] == "right" else -1
            for rank in found[2].split("; "):
                number, *starts = rank.split()
                heard.links |= {
                    (f"{file}{number}", f"{chr(ord(file) + step)}{int(number) + 1}")
                    for file in starts
                }
        elif found := re.fullmatch(r"\w+ links: (.*)\.", sentence):
            heard.links |= set(re.findall(r"([a-o]\d+)-([a-o]\d+)", found[1]))
        elif found := re.fullmatch(r".*ells a1 to [a-o](\d+)\.", sentence):
            heard.size = max(heard.size, int(found[1]))
        elif found := re.fullmatch(rf"(?!Last|Winning)([\w ]+): ({CELLS})\.", sentence):
            for cell in re.findall(r"[a-o]\d+", found[2]):
                heard.cells[cell] = [unlabelled(found[1])]
    return heard


def ranks_in_letters(heard: Heard, key: str, told: str) -> None:
    """Read ``1 B R2 -4; 2 ...``: on the first rank one B, two R, four empty cells."""
    pieces: dict[str, str] = dict(entry.split(" ", 1) for entry in key.split(", "))
    for rank in told.split("; "):
        number, *runs = rank.split()
        row = "".join(run[0] * int(run[1:] or 1) for run in runs)
        heard.size = max(heard.size, len(row))
        for file, letter in zip("abcdefghijklmno", row, strict=False):
            if letter != "-":
                heard.cells[f"{file}{number}"] = [pieces[letter]]


def stacks_in_letters(heard: Heard, key: str, told: str) -> None:
    """Read ``f1 R1+B3``, where ``R1 Small Red`` and ``B Blue`` say what that is."""
    words = {letter: name for letter, _, name in (each.partition(" ") for each in key.split(", "))}
    sizes = {word[1]: name.split()[0] for word, name in words.items() if len(word) == 2}
    for stack in told.split("; "):
        cell, _, pieces = stack.partition(" ")
        heard.cells[cell] = [f"{sizes[one[1]]} {words[one[0]]}" for one in pieces.split("+")]


def unlabelled(name: str) -> str:
    """The name of a piece without the number that it bears."""
    return name.rstrip("0123456789 ")


def see(text: str) -> Heard:
    """Read the letters of a text board."""
    heard = Heard()
    before, block, after = text.split("```")
    headline(heard, before)
    heard.rest = text.replace("\\", "")
    lines = block.strip("\n").splitlines()
    colours: dict[str, str] = {}
    words: dict[str, str] = {}
    for line in after.splitlines():
        if found := re.fullmatch(rf"(?:([A-Z]) = )?{WHO}(.*)", line):
            colours[found[1] or found[2][0]] = found[2]
            heard.about[found[2]] = found[3]
        elif " = " in line:
            words |= dict(entry.split(" = ") for entry in line.split(", "))

    def pieces(token: str) -> list[str]:
        if words and all(len(word) == 1 for word in words):
            return [words[letter] for letter in token]
        sized = re.findall(r"([A-Z])(\d)", token)
        if any(word[-1].isdigit() for word in words):
            return [size_name(letter, size) for letter, size in sized]
        letters = token.rstrip("0123456789")
        return [words.get(letters) or f"{colours[letters]} stone"]

    def size_name(letter: str, size: str) -> str:
        written = next(word for word in words if word.endswith(size))
        return words[written].replace(colours[written[0]], colours[letter])

    for colour, about in heard.about.items():
        for tray, held in re.findall(rf"({TRAYS}) ([^,]+)", about):
            counts = re.findall(r"(\w+)×(\d+)", held)
            heard.trays[colour, tray] = Counter({pieces(p)[0]: int(n) for p, n in counts})
    feet = [n for n, line in enumerate(lines) if re.fullmatch(r"    [a-o]( .*)?", line)]
    for top, foot in zip([0, *(n + 1 for n in feet)], feet, strict=False):
        starts = {letter: place for place, letter in enumerate(lines[foot]) if letter.isalpha()}
        rows = [n for n in range(top, foot) if re.match(r" ?\d+  \S", lines[n])]
        for number in rows:
            rank = int(lines[number][:3])
            heard.size = max(heard.size, rank)
            for file, start in starts.items():
                token = lines[number][start:].partition(" ")[0] if lines[number][start:] else ""
                if token not in {"", "."}:
                    heard.cells[f"{file}{rank}"] = pieces(token)
            between = lines[number + 1] if number + 1 not in rows else ""
            for file, start in starts.items():
                stroke = between[start + 1 : start + 2]
                if stroke in {"/", "\\"}:
                    right = chr(ord(file) + 1)
                    ends = (rank - 1, rank) if stroke == "/" else (rank, rank - 1)
                    heard.links.add((f"{file}{ends[0]}", f"{right}{ends[1]}"))
    return heard


# From what was heard to the position text of the rules page


def ranks(
    heard: Heard, files: Callable[[int], str], cell: Callable[[list[str]], str], by: str
) -> str:
    """The ranks of a position text from the top, with ``by`` between cells."""
    rows = []
    for rank in range(heard.size, 0, -1):
        words: list[str | int] = []
        for file in files(rank):
            pieces = heard.cells.get(f"{file}{rank}")
            if pieces:
                words.append(cell(pieces))
            elif words and isinstance(words[-1], int):
                words[-1] += 1
            else:
                words.append(1)
        rows.append(by.join(map(str, words)))
    return "/".join(rows)


def square(heard: Heard) -> Callable[[int], str]:
    return lambda rank: "abcdefghijklmno"[: heard.size]


def quax(heard: Heard) -> str:
    board = ranks(heard, square(heard), lambda p: {"Black": "x", "Red": "u"}[p[0].split()[0]], "")
    links = ",".join(
        sorted("".join(sorted(link, key=lambda cell: cell[0])) for link in heard.links)
    )
    return f"{board} {'x' if heard.mover == 'Black' else 'u'} {links or '-'}"


def pyramids(pieces: list[str], first: str) -> str:
    """Letters of a pile: capitals for the first colour."""
    kinds = [re.sub(r" ?(White|Black|South|North) ?", "", name)[0] for name in pieces]
    return "".join(
        kind if first in name else kind.lower() for kind, name in zip(kinds, pieces, strict=True)
    )


def quux(heard: Heard) -> str:
    board = ranks(heard, square(heard), lambda pieces: pyramids(pieces, "White"), ",")
    phase = "m" if "Movement: turn" in heard.rest else "p"
    hands = []
    for colour in ("White", "Black"):
        hand = heard.trays[colour, "in hand"]
        hands.append(
            "".join(str(hand[f"{size} {colour}"]) for size in ("Large", "Medium", "Small"))
        )
    return f"{board} {'W' if heard.mover == 'White' else 'B'} {' '.join(hands)} {phase}"


def ziggurat(heard: Heard) -> str:
    board = ranks(heard, square(heard), lambda pieces: pyramids(pieces, "South"), ",")
    both = []
    for tray in ("reserve", "exited"):
        kinds = []
        for colour in ("South", "North"):
            held = heard.trays[colour, tray]
            letters = "".join(k[0] for k in ("Queen", "Drone", "Worker") if held[f"{colour} {k}"])
            kinds.append((letters if colour == "South" else letters.lower()) or "-")
        both.append("|".join(kinds))
    return f"{board} {'S' if heard.mover == 'South' else 'N'} {' '.join(both)}"


def pux(heard: Heard) -> str:
    def letter(pieces: list[str]) -> str:
        colour = "w" if "White" in pieces[-1] else "x"
        return colour.upper() if "promoted" in pieces[-1] else colour

    board = ranks(heard, square(heard), letter, "")
    sideways = [
        mark
        for mark, colour in (("w", "White"), ("x", "Black"))
        if "went sideways last turn" in heard.about[colour]
    ]
    return f"{board} {'w' if heard.mover == 'White' else 'x'} {''.join(sideways) or '-'}"


def pythagoras(heard: Heard) -> str:
    sizes = {"Small": "1", "Medium": "2", "Large": "3"}

    def stack(pieces: list[str]) -> str:
        return "".join(name.split()[1][0] + sizes[name.split()[0]] for name in pieces)

    files = {5: "abcde", 4: "abcdefghi"}
    board = ranks(heard, lambda rank: files.get(rank, "abcdefghijkl"), stack, ",")
    colours = ("Red", "Yellow", "Green", "Blue")
    hands, pits = [], []
    for colour in colours:
        hand, pit = heard.trays[colour, "in hand"], heard.trays[colour, "pit"]
        hands.append(
            "".join(str(hand[f"{size} {colour}"]) for size in ("Large", "Medium", "Small"))
        )
        held = "".join(sizes[s] * pit[f"{s} {colour}"] for s in ("Large", "Medium", "Small"))
        pits.append(held or "-")
    again = "+1" if "filled a line and moves again" in heard.rest else ""
    owners = ""
    for grid in ("5 × 5", "4 × 4", "3 × 3"):
        taken = re.search(rf"{grid}, bonus \d won by (\w)", heard.rest)
        owners += taken[1] if taken else "-"
    assert heard.mover is not None
    return " ".join([board, heard.mover[0] + again, *hands, *pits, owners])


READ: dict[str, Callable[[Heard], str]] = {
    "quax": quax,
    "quux": quux,
    "ziggurat": ziggurat,
    "pux": pux,
    "pythagoras": pythagoras,
}


def set_up(key: str, options: dict[str, str], heard: Heard) -> Referee:
    """The referee in the position that was heard, the state of a swap included."""
    referee: Any = REFEREES[key](**options)
    referee.set(READ[key](heard))
    if "swap" in catalog.GAMES[key].info.spoken:
        referee.may_swap(is_so="may swap colours instead" in heard.rest)
    return referee  # type: ignore[no-any-return]


def by_alt_text(view: BoardView) -> Heard | None:
    """The content of the alt text, None if it ends before it has named every part of the board."""
    words = alt_text(view, STYLE)
    told = re.findall(r"ells [a-l]1 to [a-o]\d+\.", words)
    return hear(words) if len(told) == len(view.grids) else None


def by_text_board(view: BoardView) -> Heard:
    return see(text_board(view, STYLE))


CASES = [
    ("quax", {}),
    ("quax", {"size": "4", "pie": "on"}),
    ("quax", {"size": "15", "pie": "off"}),
    ("quux", {}),
    ("quux", {"size": "3", "supply": "any"}),
    ("quux", {"size": "5", "path": "jump"}),
    ("quux", {"size": "6", "supply": "paired", "path": "jump", "pie": "on"}),
    ("ziggurat", {}),
    ("pux", {}),
    ("pythagoras", {"seats": "4"}),
    ("pythagoras", {"seats": "2"}),
]


@pytest.mark.parametrize("is_heard", [True, False], ids=["alt text", "text board"])
@pytest.mark.parametrize(("key", "options"), CASES, ids=str)
def test_a_game_is_played_from_words(key: str, options: dict[str, str], is_heard: bool) -> None:
    game: Any = catalog.create(key, options)
    rng = Random(f"{key} {options}")
    position = game.initial(rng)
    view = game.view(position, None)
    result = "none"
    plies = looked = 0
    while True:
        heard = by_alt_text(view) if is_heard else None
        looked += heard is None
        heard = heard or by_text_board(view)
        if heard.mover is None:
            break
        referee = set_up(key, options, heard)
        assert referee.text() == game.position_text(position)
        legal = sorted(referee.legal())
        assert legal == sorted(game.notation(position, m) for m in game.legal_moves(position))
        taking = [move for move in legal if set(move) & set(":^") or move == "swap"]
        move = rng.choice(taking if taking and rng.random() < 0.6 else legal)
        chosen = game.parse(position, move)
        marks = game.marks(position, chosen)
        position = game.play(position, chosen)
        view = game.view(position, None).with_marks(marks)
        referee.play(move)
        result = referee.result()
        plies += 1
    outcome = game.outcome(position)
    assert outcome is not None, "the words say that it is over"
    names = {colour.name.message: index for index, colour in enumerate(view.colours)}
    assert [names[winner] for winner in heard.winners] == [
        colour for seat in outcome.winners for colour in game.seats[seat].colours
    ]
    if result == "none":  # a draw by what was before, which one position does not show
        assert "Draw" in heard.rest
    else:
        assert [f"{score:g}" for score in outcome.scores] == result.split()[1:]
    assert plies > 5
    if is_heard:
        assert looked == 0, "an alt text ended before it had told the whole position"

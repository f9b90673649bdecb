"""Promises of every game to its host, as checks for any game.

``test_conformance.py`` puts every game of :data:`games.catalog.GAMES` through them, and
``test_conformance_kit.py`` shows with a toy game, broken in one way after another, that each check
fails when it should. A check takes a game and raises :exc:`AssertionError`; it knows nothing of
any game in particular.

Random play is given by a seed: ``check_random_game(game, seed)`` plays the same game again.
"""

from __future__ import annotations

import dataclasses
import pickle
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from math import factorial
from random import Random
from typing import Any, TypeVar

from games.api import ChoiceOption, Game, IntOption, OptionValue, Outcome, Refusal, Seat
from games.errors import (
    AmbiguousMove,
    GameError,
    IllegalMove,
    MoveError,
    NotationError,
    OptionError,
)
from games.view import BoardView, Marks, Text

E = TypeVar("E", bound=GameError)
AnyGame = Game[Any, Any]

MAX_PLIES = 5_000
"""No game of the catalogue may last longer, however badly it is played."""
MAX_PICKS = 8
MAX_KEY = 12
"""Picks of a move and the length of a key, so that a whole prefix fits into a custom id."""

_KEY = re.compile(r"[A-Za-z0-9@^!\-+x:]+")
_CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


# Facts that hold for a game as such


def option_sets(kind: type[AnyGame]) -> list[dict[str, OptionValue]]:
    """The defaults, each preset, and each single option at each of its values.

    Of whole numbers that is each offered value, the least and the greatest.
    """
    found: list[dict[str, OptionValue]] = [{}]
    found += [dict(preset.options) for preset in kind.info.presets]
    for option in kind.info.options:
        if isinstance(option, IntOption):
            found += [
                {option.key: value} for value in (*option.suggested, option.minimum, option.maximum)
            ]
        else:
            found += [{option.key: choice.key} for choice in option.choices]
    distinct: dict[tuple[tuple[str, OptionValue], ...], dict[str, OptionValue]] = {}
    for given in found:
        distinct.setdefault(tuple(kind.info.resolve(given).items()), given)
    return list(distinct.values())


def check_facts(kind: type[AnyGame]) -> None:
    """The static facts are whole: names, sentences, guide pages, presets."""
    info = kind.info
    assert _CODE.fullmatch(info.key), f"key {info.key!r}"
    assert info.name, "no name"
    assert info.designer, "no designer"
    assert info.move_hint, "no move hint"
    assert info.links, "no link to where the game comes from"
    assert all(link.startswith("https://") for link in info.links), info.links
    assert info.rules_version >= 1
    assert info.guide, "no page of rules"
    assert info.reasons, "no reason for any outcome"
    for code in (*info.refusals, *info.reasons):
        assert _CODE.fullmatch(code), f"code {code!r}"
    for text in (*info.refusals.values(), *info.reasons.values(), info.summary):
        placeholders(text)
    for page in info.pages:
        check_text_is_filled(page.title)
        check_text_is_filled(page.body)
        if page.position is None:
            assert page.move is None, f"{page.title.message}: a move without a position"
            continue
        game = kind(page.options)
        position = game.decode(page.position)
        check_view(game, position)
        if page.move is not None:
            move = game.parse(position, page.move)
            assert game.notation(position, move) == page.move, f"{page.move} is not canonical"
    check_options(kind)


def check_options(kind: type[AnyGame]) -> None:
    """Options take what they offer, give it back, and refuse anything else by OptionError."""
    info = kind.info
    keys = [option.key for option in info.options]
    assert len(set(keys)) == len(keys), f"options share a key: {keys}"
    for given in option_sets(kind):
        values = kind(given).options
        assert list(values) == keys, "options are not in the order of the rules page"
        assert dict(kind(values).options) == dict(values), f"{given} changes when given again"
        for option in info.options:
            as_text = str(values[option.key])
            assert option.read(f" {as_text.upper()} ") == values[option.key], as_text
    for option in info.options:
        assert option.read(option.default) == option.default, option.key
        check_text_is_filled(option.label)
        for bad in ("", "nonsense", "-1", "٣", "1" * 50, "\ud800", "\0"):
            if isinstance(option, ChoiceOption) and bad in {c.key for c in option.choices}:
                continue
            error = caught(OptionError, kind, {option.key: bad})
            assert error is not None, f"{option.key} takes {bad!r}"
    unknown = caught(OptionError, kind, {"no such option": 1})
    assert unknown is not None, "takes an option that it does not have"
    preset_keys = [preset.key for preset in info.presets]
    assert len(set(preset_keys)) == len(preset_keys), f"presets share a key: {preset_keys}"


# Random play


def check_random_game(game: AnyGame, seed: int, *, closely: int = 1) -> None:
    """Play one random game; every position keeps what :func:`check_ply` asks.

    The last position and ``closely`` others are looked at in all detail, and the moves that
    occurred anywhere in the game are tried there, where most of them do not belong.
    """
    rng = Random(seed)
    position = game.initial(rng)
    assert game.initial(Random(seed)) == position, "the seed does not fix the initial position"
    played: list[tuple[Any, Any]] = []
    while True:
        moves = check_ply(game, position)
        if not moves:
            break
        assert len(played) < MAX_PLIES, f"still running after {MAX_PLIES} plies"
        move = rng.choice(moves)
        played.append((position, move))
        position = game.play(position, move)
    check_position(game, position)
    strangers = [move for _, move in played]
    for place in sorted(rng.sample(range(len(played)), min(closely, len(played)))):
        before, move = played[place]
        check_position(game, before)
        check_play_changes_nothing(game, before, move)
        check_legality(game, before, strangers)
    check_legality(game, position, strangers)
    after = (*(before for before, _ in played[1:]), position)
    for (before, move), then in zip(played, after, strict=True):
        check_turn(game, before, move, then)


def check_game_ends(game: AnyGame, seed: int) -> None:
    """Play one random game: there is a move until there is an outcome, and there is an outcome."""
    rng = Random(seed)
    position = game.initial(rng)
    plies = 0
    while game.outcome(position) is None:
        moves = list(game.legal_moves(position))
        assert moves, f"no legal move and no outcome in {game.encode(position)}"
        assert plies < MAX_PLIES, f"still running after {MAX_PLIES} plies"
        position = game.play(position, rng.choice(moves))
        plies += 1
    check_ply(game, position)
    check_outcome(game, position)


def check_ply(game: AnyGame, position: Any) -> list[Any]:
    """Legal moves, outcome and turn agree with each other; the legal moves are returned."""
    moves = list(game.legal_moves(position))
    outcome = game.outcome(position)
    seat = game.to_move(position)
    assert (seat is None) == (outcome is not None), f"on turn: {seat}, outcome: {outcome}"
    assert bool(moves) == (outcome is None), f"{len(moves)} legal moves, outcome: {outcome}"
    assert (game.turn(position) == "-") == (outcome is not None), game.turn(position)
    assert len(set(moves)) == len(moves), "a legal move is listed twice"
    if seat is not None:
        assert 0 <= seat < len(game.seats), f"seat {seat} is not at the table"
    return moves


def check_turn(game: AnyGame, before: Any, move: Any, after: Any) -> None:
    """Where moves are made in turn, the next player is on turn after a move, unless it is over."""
    was, now = game.to_move(before), game.to_move(after)
    if not game.moves_in_turn or was is None or now is None:
        return
    following = (game.seating(before)[was] + 1) % len(game.seats)
    assert game.seating(after)[now] == following, (
        f"{game.notation(before, move)} does not hand the turn to player {following}"
    )


def check_position(game: AnyGame, position: Any) -> None:
    """Everything that can be asked of one position."""
    moves = check_ply(game, position)
    assert list(game.legal_moves(position)) == moves, "legal moves come in another order"
    check_value(game, position)
    check_texts(game, position, moves)
    check_notation(game, position, moves)
    check_steps(game, position, moves)
    check_view(game, position)
    check_outcome(game, position)
    if moves:
        default = game.move_for_absent(position)
        assert default is None or default in moves, f"the default move {default} is not legal"
    known = {cell.name for cell in game.view(position, None).cells}
    for move in moves:
        check_value_of_move(game, move)
        check_marks(game.marks(position, move), known)


def check_value(game: AnyGame, position: Any) -> None:
    """A position is a frozen value: it hashes, pickles, compares, and cannot be changed."""
    again = pickle.loads(pickle.dumps(position))
    assert again == position, "a pickled position comes back different"
    assert hash(again) == hash(position), "equal positions have different hashes"
    _check_frozen(position)


def check_value_of_move(game: AnyGame, move: Any) -> None:
    """So is a move."""
    again = pickle.loads(pickle.dumps(move))
    assert again == move, "a pickled move comes back different"
    assert hash(again) == hash(move), "equal moves have different hashes"
    _check_frozen(move)


def _check_frozen(value: Any) -> None:
    if not dataclasses.is_dataclass(value):
        return
    for field in dataclasses.fields(value):
        try:
            setattr(value, field.name, getattr(value, field.name))
        except (AttributeError, TypeError):
            continue
        raise AssertionError(f"{field.name} of {type(value).__name__} can be set")


def check_texts(game: AnyGame, position: Any, moves: list[Any]) -> None:
    """``encode`` keeps everything; the position text opens it and can be read by itself."""
    whole, bare = game.encode(position), game.position_text(position)
    for text in (whole, bare):
        assert text.isascii(), f"not plain ASCII: {text!r}"
        assert text.isprintable(), f"not one line: {text!r}"
    assert whole == bare or whole.startswith(f"{bare} "), f"{whole!r} does not open with {bare!r}"
    again = game.decode(whole)
    assert again == position, f"{whole!r} is read as another position"
    assert game.encode(again) == whole
    assert list(game.legal_moves(again)) == moves, "other moves after encode and decode"
    assert game.position_text(game.decode(bare)) == bare, f"{bare!r} is read as something else"


def check_notation(game: AnyGame, position: Any, moves: list[Any]) -> None:
    """Every legal move has a text of its own, and parse takes it in several spellings."""
    texts = [game.notation(position, move) for move in moves]
    assert len(set(texts)) == len(texts), "two legal moves share a notation"
    for move, text in zip(moves, texts, strict=True):
        assert text.isascii(), f"not plain ASCII: {text!r}"
        assert text == text.strip() != "", f"blanks around {text!r}"
        for spelling in (text, f"  {text}\n", text.upper(), text.lower(), full_width(text)):
            assert game.parse(position, spelling) == move, f"{spelling!r} is not read as {text}"


def full_width(text: str) -> str:
    """The text as an East Asian keyboard writes it."""
    table = {ord(c): chr(ord(c) + 0xFEE0) for c in string.ascii_letters + string.digits}
    wide = text.translate(table)
    assert unicodedata.normalize("NFKC", wide) == text
    return wide


def check_steps(game: AnyGame, position: Any, moves: list[Any]) -> None:
    """Picking one part after another leads to every legal move, and to nothing else.

    There is one way to each, or one for every order of the picks that come in any order.
    """
    texts = {game.notation(position, move): move for move in moves}
    cells = {cell.name for cell in game.view(position, None).cells}
    reached = dict(_walk(game, position, (), cells))
    assert set(reached.values()) == set(texts), "the picks lead elsewhere than legal_moves"
    ways = Counter(reached.values())
    for text, move in texts.items():
        picks = game.steps(position, move)
        assert reached.get(picks) == text, f"{text} is not picked as {picks}"
        assert ways[text] == _orders(game, picks), f"{ways[text]} ways lead to {text}"
    for prefix, text in reached.items():
        left = game.left_after(game.steps(position, texts[text]), prefix)
        assert left == (), f"{text} is picked as {prefix}"
        assert list(game.next_steps(position, prefix)) == [], f"picks after the whole of {text}"
    assert list(game.next_steps(position, ("no", "such", "pick"))) == []


def _orders(game: AnyGame, picks: tuple[str, ...]) -> int:
    """In how many orders a move may be picked: those of each run of picks that have none."""
    orders = 1
    for free, run in groupby(picks, game.in_any_order):
        orders *= factorial(len(list(run))) if free else 1
    return orders


def _walk(
    game: AnyGame, position: Any, prefix: tuple[str, ...], cells: set[str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    assert len(prefix) < MAX_PICKS, f"more than {MAX_PICKS} picks: {prefix}"
    steps = game.next_steps(position, prefix)
    assert steps or not prefix, f"{prefix} leads nowhere"
    keys = [step.key for step in steps]
    assert len(set(keys)) == len(keys), f"two picks after {prefix} share a key: {keys}"
    labels = [step.label.english() for step in steps]
    assert len(set(labels)) == len(labels), f"two picks after {prefix} read alike: {labels}"
    primer = game.primer(position, prefix)
    assert primer is None or primer in game.info.primers, f"nothing explains {primer}"
    for step in steps:
        assert _KEY.fullmatch(step.key), f"key {step.key!r}"
        assert len(step.key) <= MAX_KEY, f"key {step.key!r} is too long"
        assert step.cell is None or step.cell in cells, f"{step.key} lies on {step.cell}"
        check_text_is_filled(step.text)
        further = (*prefix, step.key)
        if step.move is None:
            yield from _walk(game, position, further, cells)
        else:
            yield further, step.move


def check_outcome(game: AnyGame, position: Any) -> None:
    """An outcome has a score for each seat, a known reason, winners with the best score."""
    outcome: Outcome | None = game.outcome(position)
    if outcome is None:
        return
    seats = range(len(game.seats))
    assert len(outcome.scores) == len(seats), f"scores {outcome.scores}"
    assert outcome.reason in game.info.reasons, f"no sentence for {outcome.reason!r}"
    assert set(outcome.winners) <= set(seats), f"winners {outcome.winners}"
    best = [seat for seat in seats if outcome.scores[seat] == max(outcome.scores)]
    assert not outcome.winners or sorted(outcome.winners) == best, (
        f"winners {outcome.winners} with scores {outcome.scores}"
    )
    if not outcome.winners:
        assert len(set(outcome.scores)) == 1, f"a draw with scores {outcome.scores}"
        assert game.info.allows_draw_offer, "a draw in a game that knows none"
    for move in game.legal_moves(position):
        raise AssertionError(f"{move} is legal after the end")


def check_play_changes_nothing(game: AnyGame, position: Any, move: Any) -> None:
    """``play`` leaves the position that it was given as it was, and answers the same each time."""
    before = game.encode(position), hash(position), game.view(position, None)
    after = game.play(position, move)
    assert (game.encode(position), hash(position), game.view(position, None)) == before, (
        f"{game.notation(position, move)} changes the position it is played in"
    )
    assert game.play(position, move) == after, "the same move leads to different positions"


def check_legality(game: AnyGame, position: Any, candidates: Iterable[Any]) -> None:
    """``why_illegal`` forbids exactly what ``legal_moves`` does not list, and says why in words.

    ``candidates`` are moves of this game from anywhere; the legal ones are added.
    """
    legal = set(game.legal_moves(position))
    view = game.view(position, None)
    cells = {cell.name for cell in view.cells}
    whole = game.encode(position)
    for move in {*candidates, *legal}:
        refusal: Refusal | None = game.why_illegal(position, move)
        name = game.notation(position, move)
        assert (refusal is None) == (move in legal), f"{name}: {refusal} in {whole}"
        assert game.is_legal(position, move) == (move in legal), f"{name} in {whole}"
        if refusal is None:
            continue
        check_sentence(game, refusal.code, refusal.params)
        assert set(refusal.place) <= cells, f"{name} is refused at {refusal.place}"
        error = caught(MoveError, game.play, position, move)
        assert isinstance(error, IllegalMove), f"{name} is not legal in {whole}, but: {error!r}"
        assert error.code == refusal.code, f"{name}: {error}, not {refusal}"
        assert error.place == refusal.place, f"{name}: {error.place}, not {refusal}"
    assert game.encode(position) == whole, "a refused move changes the position"


# What is to be seen


def check_view(game: AnyGame, position: Any) -> None:
    """Everybody's view is whole: known cells, colours and seats, filled texts, a frozen value."""
    for seat in (None, *map(Seat, range(len(game.seats)))):
        view = game.view(position, seat)
        assert view == game.view(position, seat), "the same position looks different"
        assert hash(view) == hash(pickle.loads(pickle.dumps(view)))
        _check_board(game, view)
        _check_table(game, position, view)


def _check_board(game: AnyGame, view: BoardView) -> None:
    assert view.game == game.info.key, f"view of {view.game!r}"
    names = [cell.name for cell in view.cells]
    assert names, "no cells"
    assert len(set(names)) == len(names), "two cells share a name"
    places = [(cell.file, cell.rank) for cell in view.cells]
    assert len(set(places)) == len(places), "two cells share a place"
    first = game.view(game.initial(Random(0)), None)
    if _rectangles(first) == _rectangles(view):
        assert places == [(cell.file, cell.rank) for cell in first.cells], "the cells move about"
        assert names == [cell.name for cell in first.cells], "cells are renamed"
    colours = range(len(view.colours))
    for cell in view.cells:
        inside = [
            grid
            for grid in view.grids
            if 0 <= cell.file - grid.file < grid.files and 0 <= cell.rank - grid.rank < grid.ranks
        ]
        assert len(inside) == 1, f"{cell.name} lies in {len(inside)} grids"
        for piece in (*cell.stack, *(() if cell.ghost is None else (cell.ghost,))):
            assert piece.colour in colours, f"{cell.name}: colour {piece.colour}"
            check_text_is_filled(piece.name)
    for link in view.links:
        assert {link.start, link.end} <= set(names), f"link {link} leaves the board"
        assert link.colour in colours, f"link {link}"
    sides = [edge.side for edge in view.edges]
    assert len(set(sides)) == len(sides), "a side has two owners"
    assert all(edge.colour in colours for edge in view.edges), view.edges
    check_marks(view.marks, set(names))
    assert view.marks == Marks(path=view.marks.path), "a view marks more than the winning path"


def _rectangles(view: BoardView) -> list[tuple[int, ...]]:
    return [(grid.file, grid.rank, grid.files, grid.ranks) for grid in view.grids]


def _check_table(game: AnyGame, position: Any, view: BoardView) -> None:
    colours = range(len(view.colours))
    outcome = game.outcome(position)
    seat = game.to_move(position)
    assert len(view.seats) == len(game.seats), "the view has other seats than the game"
    owned = [colour for seat_view in view.seats for colour in seat_view.colours]
    assert sorted(owned) == list(colours), f"seats own the colours {owned}"
    for info, seen in zip(game.seats, view.seats, strict=True):
        assert info.colours == seen.colours, f"{info} is seen as {seen}"
        check_text_is_filled(info.name)
    seating = game.seating(position)
    assert sorted(seating) == list(range(len(game.seats))), f"players sit as {seating}"
    assert tuple(seen.player for seen in view.seats) == seating, "wrong players"
    assert (view.to_move is None) == (outcome is not None), f"to move: {view.to_move}"
    if seat is not None:
        assert view.to_move in view.seats[seat].colours, f"to move: {view.to_move}, seat {seat}"
    assert (view.result is None) == (outcome is None), f"result: {view.result}"
    winners = outcome.winners if outcome else ()
    assert set(view.winners) == {c for won in winners for c in view.seats[won].colours}
    assert view.marks.path == (outcome.path if outcome else ()), "not the winning path"
    for colour in view.colours:
        for text in (colour.name, *colour.notes, *([colour.goal] if colour.goal else [])):
            check_text_is_filled(text)
        for tray in colour.trays:
            check_text_is_filled(tray.title)
            assert tray.colour in colours, f"tray {tray}"
            assert all(slot.count >= 0 for slot in tray.slots), f"tray {tray}"
    for line in view.score_lines:
        check_text_is_filled(line.title)
        assert len(line.points) == len(view.colours), f"points {line.points}"
    for text in (*view.captions, *([view.result] if view.result else [])):
        check_text_is_filled(text)
    for grid in view.grids:
        for text in (*grid.captions, *([grid.title] if grid.title else [])):
            check_text_is_filled(text)
    if view.rank_leaders:
        assert len(view.rank_leaders) == sum(grid.ranks for grid in view.grids[:1])
        assert all(leader is None or leader in colours for leader in view.rank_leaders)


def check_marks(marks: Marks, cells: set[str]) -> None:
    """Marks name cells of the board only, and what moved."""
    names = ("origins", "last", "earlier", "selected", "targets", "captures", "refused", "path")
    for name in names:
        places = set(getattr(marks, name))
        assert places <= cells, f"{name} marks {places - cells}"
    for start, end in (*marks.last_links, *marks.target_links):
        assert {start, end} <= cells, f"marks a link {start} {end}"
    for arrow in marks.arrows:
        assert arrow.start in cells, f"marks {arrow}"
        assert arrow.end is None or arrow.end in cells, f"marks {arrow}"
        assert arrow.end is not None or arrow.side is not None, f"leaves over no side: {arrow}"
        assert not arrow.via or arrow.via in cells, f"marks {arrow}"


# Words


def placeholders(text: Text) -> set[str]:
    """The names of the placeholders in a sentence; :exc:`AssertionError` if it cannot be filled."""
    assert text.message.strip(), "an empty sentence"
    names: set[str] = {text.counted} if text.many else set()
    for words in (text.message, text.many):
        try:
            parts = list(string.Formatter().parse(words))
        except ValueError as error:
            raise AssertionError(f"{words!r}: {error}") from None
        names |= {name for _, name, _, _ in parts if name is not None}
    assert all(re.fullmatch(r"[a-z_]+", name) for name in names), f"placeholders {names}"
    return names


def check_text_is_filled(text: Text) -> None:
    """A text carries exactly the parameters that its sentence has places for."""
    given = {key for key, _ in text.params}
    assert placeholders(text) == given, f"{text.message!r} with {given}"


def check_sentence(game: AnyGame, code: str, params: Any) -> None:
    """A refusal's code has a sentence, and the parameters fill it."""
    assert code in game.info.refusals, f"no sentence for the refusal {code!r}"
    wanted = placeholders(game.info.refusals[code])
    assert wanted <= set(params), f"{code!r} wants {wanted} and gets {set(params)}"


# Any text whatever


def check_any_text(game: AnyGame, position: Any, text: str) -> None:
    """Whatever the text, ``parse`` and ``decode`` answer, or raise what they declare."""
    error = caught(MoveError, game.parse, position, text)
    if error is None:
        move = game.parse(position, text)
        assert game.is_legal(position, move), f"{text!r} is read as an illegal {move}"
    else:
        assert type(error) in MoveError.__subclasses__(), f"{text!r} raises {error!r}"
        check_sentence(game, error.code, error.params)
        _check_can_be_told(error)
    if isinstance(error, AmbiguousMove):
        texts = {game.notation(position, move) for move in game.legal_moves(position)}
        assert len(error.candidates) > 1, f"{text!r} fits {error.candidates}"
        assert set(error.candidates) <= texts, f"{text!r} fits {error.candidates}"
    if isinstance(error, IllegalMove):
        cells = {cell.name for cell in game.view(position, None).cells}
        assert set(error.place) <= cells, f"{text!r} is refused at {error.place}"
    refused = caught(NotationError, game.decode, text)
    if refused is not None:
        check_sentence(game, refused.code, refused.params)
        _check_can_be_told(refused)
    else:
        found = game.decode(text)
        assert game.decode(game.encode(found)) == found, f"{text!r} does not come back"
        check_ply(game, found)
        check_view(game, found)


def caught(kind: type[E], call: Callable[..., Any], *args: Any) -> E | None:
    """The error of that kind that the call raises, None if it raises none."""
    try:
        call(*args)
    except kind as error:
        return error
    return None


def _check_can_be_told(error: GameError) -> None:
    """An error about a hostile text stays short enough to be logged and shown."""
    assert len(str(error)) < 1_000, "an error as long as the text that it refuses"

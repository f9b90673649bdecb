"""A recorded game for stepping through: every position, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bot.domain.ids import ChannelId, MatchId
from bot.domain.match import Ending, MatchStatus, Place, Result, Venue, unplayed
from bot.domain.playthrough import Playthrough, played_from
from bot.errors import UserError
from bot.history.domain.judging import Judged, next_move
from bot.history.domain.record import Conclusion, Person, Record, Resignation, on_turn, usual_start
from bot.history.domain.text import read_text
from bot.history.domain.variations import Tree
from games import catalog
from games.api import Game, GameInfo, SampleGame

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_NOWHERE = Place(None, ChannelId(0))
_WITHOUT_RESULT = (Conclusion.ABORTED, Conclusion.UNFINISHED)


def playback(judged: Judged, name: str) -> Playthrough:
    """The positions of a record whose moves have been played through.

    Its match was never stored: it has no players, and ``name`` stands for its id.
    """
    record = judged.record
    result = None
    if record.conclusion not in _WITHOUT_RESULT:
        ending = Ending(record.conclusion.value)
        result = Result(ending, record.reason or ending.value, record.scores, record.winners)
    status = MatchStatus.RUNNING if result is None else MatchStatus.FINISHED
    if record.conclusion is Conclusion.ABORTED:
        status = MatchStatus.ABORTED
    return _ended(_played(judged.game, record.start, record.moves, name), status, result)


def sample_line(info: GameInfo, sample: SampleGame, name: str) -> Playthrough:
    """The positions of one of a game's own samples; a player who resigned has lost."""
    game = catalog.create(info.key, {key: str(value) for key, value in sample.options.items()})
    line = _played(game, sample.start, tuple(sample.moves.split()), name)
    seating = game.seating(line.positions[-1])
    if sample.resigned is not None:
        winners = tuple(each for each in range(len(seating)) if each != sample.resigned)
        scores = tuple(float(each in winners) for each in seating)
        result = Result(Ending.RESIGNATION, Ending.RESIGNATION.value, scores, winners)
    else:
        outcome = game.outcome(line.positions[-1])
        assert outcome is not None  # noqa: S101 - a test has played every sample
        won = tuple(sorted(seating[each] for each in outcome.winners))
        result = Result(Ending.GAME, outcome.reason, tuple(outcome.scores), won)
    return _ended(line, MatchStatus.FINISHED, result)


def record_in(line: Playthrough, people: Sequence[Person]) -> Record:
    """The record of a sample."""
    match, game = line.match, line.table.game
    start, result = game.encode(line.positions[0]), match.result
    assert result is not None  # noqa: S101 - a sample is a whole game
    is_over = result.ending is Ending.GAME
    seating = game.seating(line.positions[-1])
    scores = tuple(result.scores[seating.index(player)] for player in range(len(seating)))
    return Record(
        game=match.game,
        options=match.options,
        rules_version=match.rules_version,
        players=tuple(people),
        moves=line.notations,
        conclusion=Conclusion(result.ending.value),
        reason=result.reason if is_over else "",
        scores=scores if is_over else result.scores,
        winners=result.winners,
        resignations=tuple(Resignation(player, line.plies) for player in match.retired),
        start="" if start == usual_start(game) else start,
    )


def tree_of(line: Playthrough, record: str = "") -> Tree:
    """The positions of a game, and those of the variations in its record.

    Raises :exc:`~bot.errors.UserError`.
    """
    game = line.table.game
    tree = Tree(game, line.positions, line.notations)
    if not record:
        return tree
    movers = [on_turn(game, each) for each in line.positions[:-1]]
    starts = [ply for ply, each in enumerate(movers) if not ply or each != movers[ply - 1]]
    draft = read_text(record)
    if len(draft.turns) != len(starts):
        raise UserError("out_of_date")
    for variation in draft.variations:
        tree.read(variation, starts, partial(next_move, game))
    return tree


def _ended(line: Playthrough, status: MatchStatus, result: Result | None) -> Playthrough:
    """The same with its end."""
    retired: tuple[int, ...] = ()
    if result is not None and result.ending is Ending.RESIGNATION:
        seats = range(len(line.match.players))
        retired = tuple(each for each in seats if each not in result.winners)
    return replace(line, match=replace(line.match, status=status, result=result, retired=retired))


def _played(game: Game[Any, Any], start: str, notations: tuple[str, ...], name: str) -> Playthrough:
    nobody = (None,) * len(game.seats)
    match = unplayed(
        MatchId(name),
        game,
        _NEVER,
        game=game.info.key,
        status=MatchStatus.RUNNING,
        place=_NOWHERE,
        venue=Venue.DIRECT,
        players=nobody,
        invited=nobody,
        offered_by=0,
        state="",
        expires_at=None,
    )
    line = played_from(match, game, game.decode(start or usual_start(game) or ""), notations)
    return replace(line, match=replace(match, state=game.encode(line.positions[-1])))

"""Playing a claimed record through: the result is true of the moves, whatever the file says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bot.domain.clock_text import read_clock, write_clock
from bot.domain.play import winners_of
from bot.errors import UserError
from bot.history.domain.claims import FileText, RecordDraft, RefusedInRecord, excerpt, wrong
from bot.history.domain.record import SITE, Conclusion, Person, Record, on_turn, ranks, usual_start
from bot.history.domain.variations import Tree, arranged
from games import catalog
from games.api import Game
from games.errors import GameError, IllegalMove, MoveError, MoveSyntaxError

MOST_MOVES = 3_000
"""The most moves of a file; only games prolonged on purpose are longer."""
_LONGEST_TURN = 200
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class Judged:
    """A record whose moves have been played through, to the ``position`` after the last."""

    record: Record
    game: Game[Any, Any]
    position: Any


def judge(draft: RecordDraft) -> Judged:
    """Play a claimed record through.

    Raises :exc:`~bot.errors.UserError` with the line and the reason: a code that begins with
    ``record_``, :exc:`RefusedInRecord` where the game itself refuses.
    """
    game = _game(draft)
    _check_rules(draft, game)
    if len(draft.people) != len(game.seats):
        line = draft.people[-1][0].line if draft.people else draft.game.line
        raise UserError(
            "record_players", line=line, seats=len(game.seats), players=len(draft.people)
        )
    if len(draft.turns) > MOST_MOVES:  # A turn has at least one move.
        raise UserError("record_long", line=draft.turns[MOST_MOVES].line, most=MOST_MOVES)
    replay = _Replay(game, _start(draft, game), draft)
    for turn in draft.turns:
        replay.play(turn)
    _check_count(draft, replay)
    tree = Tree(game, replay.positions, replay.moves)
    for variation in draft.variations:
        tree.read(variation, replay.starts, partial(next_move, game))
    conclusion = _Conclusion(draft, replay)
    scores, winners = conclusion.result()
    order = _order(draft, game, replay.position)
    record = Record(
        game=game.info.key,
        options=game.options,
        rules_version=game.info.rules_version,
        players=tuple(
            Person(claim.text, ident) for claim, ident in map(draft.people.__getitem__, order)
        ),
        moves=tuple(replay.moves),
        conclusion=conclusion.kind,
        reason=conclusion.reason,
        scores=scores,
        winners=winners,
        resignations=draft.resigned,
        start=draft.start.text if draft.start is not None and usual_start(game) is None else "",
        match=draft.match,
        site=draft.site or SITE,
        started=_moment(draft.started, "Date"),
        ended=_moment(draft.ended, "EndDate"),
        clock=_clock(draft.clock),
        tried=arranged(tree.plies, tree.tried)[0],
    )
    _check_scores(draft, record, order)
    return Judged(record, game, replay.position)


def _game(draft: RecordDraft) -> Game[Any, Any]:
    wanted = draft.game.text.strip().casefold()
    for key, kind in catalog.GAMES.items():
        if wanted in (key.casefold(), kind.info.name.casefold()):
            break
    else:
        names = ", ".join(kind.info.name for kind in catalog.GAMES.values())
        raise UserError(
            "record_game", line=draft.game.line, game=excerpt(draft.game.text), allowed=names
        )
    for name, claim in draft.options.items():
        _try_option(key, name, claim)
    try:
        return catalog.create(key, {name: claim.text for name, claim in draft.options.items()})
    except GameError as error:
        raise RefusedInRecord("record_refused", error, game=key, line=draft.game.line) from None


def _try_option(key: str, name: str, claim: FileText) -> None:
    """Refuse an option that is invalid on its own, with its own line."""
    try:
        catalog.GAMES[key].info.resolve({name: claim.text})
    except GameError as error:
        raise RefusedInRecord("record_refused", error, game=key, line=claim.line) from None


def _check_rules(draft: RecordDraft, game: Game[Any, Any]) -> None:
    if draft.rules is None:
        return
    ours = game.info.rules_version
    if draft.rules.text.strip() != str(ours):
        raise UserError(
            "record_rules",
            line=draft.rules.line,
            game=game.info.name,
            version=excerpt(draft.rules.text),
            ours=ours,
        )


def _start(draft: RecordDraft, game: Game[Any, Any]) -> Any:
    """The position at the start; a record may name one only where it is drawn by lot."""
    usual = usual_start(game)
    if draft.start is None:
        if usual is None:
            raise UserError("record_missing", name="Setup")
        return game.decode(usual)
    if usual is not None and draft.start.text != usual:
        raise UserError("record_setup", line=draft.start.line, game=game.info.name)
    try:
        return game.decode(draft.start.text)
    except GameError as error:
        line = draft.start.line
        raise RefusedInRecord("record_refused", error, game=game.info.key, line=line) from None


class _Replay:
    """A game being played through from the moves of a file."""

    def __init__(self, game: Game[Any, Any], start: Any, draft: RecordDraft) -> None:
        self.game = game
        self.start = start
        self._retired = draft.resigned
        self._retired_line = draft.resigned_line
        self.positions = [start]
        self.moves: list[str] = []
        self.starts: list[int] = []
        """The ply with which each turn begins."""

    @property
    def position(self) -> Any:
        """The position after the moves so far."""
        return self.positions[-1]

    def play(self, turn: FileText) -> None:
        """Play one turn: a move, or several joined by commas."""
        rest = turn.text
        self.starts.append(len(self.moves))
        mover = on_turn(self.game, self.position)
        while rest:
            now = on_turn(self.game, self.position)
            if now is not None and now != mover:
                raise UserError("record_turn", line=turn.line, turn=excerpt(turn.text))
            move, rest = next_move(self.game, self.position, rest, turn, len(self.moves) + 1)
            if now is not None:
                self._check_retired(move, now[0], turn)
            if len(self.moves) >= MOST_MOVES:
                raise UserError("record_long", line=turn.line, most=MOST_MOVES)
            self.moves.append(self.game.notation(self.position, move))
            self.positions.append(self.game.play(self.position, move))

    def _check_retired(self, move: Any, player: int, turn: FileText) -> None:
        """For a player who has left, only the game's own move is right."""
        number = len(self.moves)
        if not any(each.player == player and each.after <= number for each in self._retired):
            return
        expected = self.game.move_for_absent(self.position)
        if expected is None:
            raise UserError("record_resigned", line=self._retired_line)
        if expected != move:
            raise UserError(
                "record_retired",
                line=turn.line,
                number=number + 1,
                player=player + 1,
                expected=self.game.notation(self.position, expected),
            )


def next_move(
    game: Game[Any, Any], position: Any, text: str, turn: FileText, number: int
) -> tuple[Any, str]:
    """The first move of a text in a position, and the rest of the text.

    A comma may belong to a move or stand between two, so the longest text that is a move counts.
    """
    if game.to_move(position) is None:
        raise UserError("record_over", line=turn.line, number=number, move=excerpt(text))
    try:
        return game.parse(position, text[: _LONGEST_TURN + 1]), ""
    except MoveError as error:
        refusal: MoveError = error
    if isinstance(refusal, MoveSyntaxError) and len(text) <= _LONGEST_TURN:
        parts = text.split(",")
        for count in range(len(parts) - 1, 0, -1):
            try:
                move = game.parse(position, ",".join(parts[:count]))
            except MoveError as error:
                if count == 1 and isinstance(error, IllegalMove):
                    refusal, text = error, parts[0]
            else:
                return move, ",".join(parts[count:])
    raise RefusedInRecord(
        "record_move",
        refusal,
        game=game.info.key,
        line=turn.line,
        number=number,
        move=excerpt(text),
    )


def _check_count(draft: RecordDraft, replay: _Replay) -> None:
    if draft.count is not None and draft.count.text.strip() != str(len(replay.moves)):
        raise UserError(
            "record_count",
            line=draft.count.line,
            said=excerpt(draft.count.text),
            found=len(replay.moves),
        )


class _Conclusion:
    """The end of the play, from the moves and from the claims that moves cannot show."""

    def __init__(self, draft: RecordDraft, replay: _Replay) -> None:
        self._draft = draft
        self._game = replay.game
        self._position = replay.position
        self._plies = len(replay.moves)
        self._retired = draft.resigned
        self._outcome = replay.game.outcome(replay.position)
        self._goes_on = replay.game.move_for_absent(replay.start) is not None
        self._check_resignations()
        self.kind = self._kind()
        self.reason = self._outcome.reason if self.kind is Conclusion.GAME and self._outcome else ""
        claimed = draft.reason
        if claimed is not None and claimed.text.strip() != self.reason:
            found = self.reason or self.kind.value
            raise UserError(
                "record_result", line=claimed.line, said=excerpt(claimed.text), found=found
            )

    def _ends(self, number: int) -> bool:
        """Whether the match was over after this many resignations."""
        return number > 0 and (len(self._game.seats) - number < 2 or not self._goes_on)

    def _check_resignations(self) -> None:
        players = [each.player for each in self._retired]
        fits = len(set(players)) == len(players) and all(
            0 <= player < len(self._game.seats) for player in players
        )
        for number, each in enumerate(self._retired, 1):
            last = number == len(self._retired) and each.after == self._plies
            over = self._ends(number) and (not last or self._outcome is not None)
            fits = fits and 0 <= each.after <= self._plies and not over
        if not fits:
            raise UserError("record_resigned", line=self._draft.resigned_line)

    def _kind(self) -> Conclusion:
        claim = self._draft.conclusion
        if self._outcome is not None:
            actual = Conclusion.GAME
        elif self._ends(len(self._retired)):
            actual = Conclusion.RESIGNATION
        else:
            actual = Conclusion.UNFINISHED
        if claim is None:
            return actual
        said = claim.text.strip().casefold()
        # At any move: the host aborts a match whose player on turn it cannot notify.
        may_abort = actual is Conclusion.UNFINISHED
        may_agree = may_abort and self._game.info.allows_draw_offer
        if said == Conclusion.ADJUDICATION.value and self._draft.scores is not None:
            return Conclusion.ADJUDICATION
        if said == Conclusion.ABORTED.value and may_abort:
            return Conclusion.ABORTED
        if said == Conclusion.AGREEMENT.value and may_agree:
            return Conclusion.AGREEMENT
        if said == Conclusion.TIME.value and actual is Conclusion.RESIGNATION:
            return Conclusion.TIME
        if said != actual.value:
            raise UserError(
                "record_result", line=claim.line, said=excerpt(claim.text), found=actual.value
            )
        return actual

    def result(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Scores by player index, and the winners."""
        seats = self._game.seating(self._position)
        if self.kind is Conclusion.ADJUDICATION:
            return self._adjudicated()
        if self._outcome is not None:
            outcome = self._outcome
            scores = tuple(outcome.scores[seats.index(each)] for each in range(len(seats)))
            return scores, winners_of(outcome, seats, {each.player for each in self._retired})
        if self.kind is Conclusion.AGREEMENT:
            return (0.5,) * len(seats), ()
        if self.kind in (Conclusion.RESIGNATION, Conclusion.TIME):
            gone = {each.player for each in self._retired}
            left = tuple(each for each in range(len(seats)) if each not in gone)
            return tuple(float(each in left) for each in range(len(seats))), left
        return (), ()

    def _adjudicated(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """The result by decision of others: the file's claim, since the moves do not show it."""
        said = self._draft.scores or ()
        order = _order(self._draft, self._game, self._position)
        if len(said) != len(order):
            return (), ()
        scores = tuple(said[place] for place in order)
        won = tuple(player for player, score in enumerate(scores) if score == max(scores))
        return scores, () if len(won) == len(scores) else won


def _order(draft: RecordDraft, game: Game[Any, Any], position: Any) -> tuple[int, ...]:
    """For each player index the place of that player in the file's list."""
    seats = game.seating(position)
    return tuple(seats.index(player) if draft.by_seat else player for player in range(len(seats)))


def _check_scores(draft: RecordDraft, record: Record, order: tuple[int, ...]) -> None:
    """Compare claimed scores and ranks with those that the moves lead to."""
    found = record.scores
    if draft.scores is not None:
        whole = len(draft.scores) == len(order)
        claimed = tuple(draft.scores[place] for place in order) if whole else draft.scores
        if claimed != found:
            said, line = written_scores(claimed), draft.scores_line
            raise UserError(
                "record_result", line=line, said=excerpt(said), found=written_scores(found)
            )
    if draft.ranks is not None and found:
        claimed_ranks = tuple(draft.ranks[place] for place in order)
        levels = sorted(set(claimed_ranks))
        if tuple(levels.index(rank) for rank in claimed_ranks) != ranks(found, record.winners):
            said = ", ".join(str(rank) for rank in claimed_ranks)
            raise UserError(
                "record_result",
                line=draft.scores_line,
                said=excerpt(said),
                found=written_scores(found),
            )


def written_scores(scores: tuple[float, ...]) -> str:
    """Scores as the text record writes them: ``1-0``, ``1/2-1/2``, ``*`` for none."""
    return "-".join("1/2" if score == 0.5 else f"{score:g}" for score in scores) or "*"


def _clock(claim: FileText | None) -> str:
    """The canonical text of the clock; files from elsewhere have ``-`` or ``?`` for none."""
    if claim is None or claim.text.strip() in ("", "-", "?", "*"):
        return ""
    try:
        control = read_clock(claim.text)
    except UserError:
        raise wrong(claim.line, "TimeControl", claim.text) from None
    return "" if control is None else write_clock(control)


def _moment(claim: FileText | None, name: str) -> datetime | None:
    if claim is None:
        return None
    text = claim.text.strip()
    try:
        if _MOMENT.fullmatch(text) and text.isascii():
            return datetime.fromisoformat(text).astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError):
        pass
    raise wrong(claim.line, name, claim.text)

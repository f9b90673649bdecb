"""Notices of a tournament's events: kinds, readers, and the words that are always the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.domain.ids import UserId
from bot.domain.keyed import Keyed
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.fold import TournamentChange
from bot.tournaments.domain.formats.swiss import met_all_the_same
from bot.tournaments.domain.formats.tables import preliminary_rounds
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from games.view import Text

LATER = "later"
"""The detail of the notice of a round that was drawn after the event had begun."""
RISEN, FALLEN = "risen", "fallen"
"""The details of the notice of a league's next season."""


_VARIES = Text("")


@dataclass(frozen=True, slots=True)
class Notice:
    """A kind of notice, by its stored ``key``."""

    key: str
    said: Text = _VARIES
    """Its line, where that is always the same."""
    button: str = ""
    """The action of the button under it."""
    with_reason: bool = False
    """Whether the reason of the director whose act it follows from is added."""
    for_directors: bool = False
    """To the directors, or to people who manage the server if none is left."""


class MessageKind(Keyed):
    """The kinds of messages, to players where nothing else is said.

    Words that vary are in ``ui/message_pages.py``. Most kinds follow from facts, see
    :func:`messages_for`; others the runner sends.
    """

    about: Notice
    HOME = Notice("home")
    """The present home message: post it, or edit it in its place."""
    ROUND = Notice("round", button="tmine")
    """All one's games in a round, or the bye; ``detail`` is :data:`LATER` if the event had begun
    before."""
    NO_FINAL = Notice("no_final", button="tstand")
    WARNED = Notice("warned")
    WITHDRAWN = Notice("withdrawn", with_reason=True)
    EXCLUDED = Notice(
        "excluded", Text.of("a director excluded you from {event}."), with_reason=True
    )
    INVITED = Notice(
        "invited",
        Text.of("a director invites you to {event}. Press **Join**, and you're in."),
        button="tjoin",
    )
    """To a listed person, and once in the channel for a whole list, whose first event is
    ``detail``."""
    CHECK_IN = Notice("check_in", button="there")
    ENTERED = Notice("entered", button="tmine")
    """A director entered you, or you replace a player."""
    REPLACED = Notice("replaced")
    """To the player before."""
    OPPONENT = Notice("opponent", button="tmine")
    """Another player sits opposite you in a game that is not over."""
    DECIDED = Notice(
        "decided", Text.of("a director decided your game in {event}: {result}."), with_reason=True
    )
    CORRECTED = Notice(
        "corrected",
        Text.of("a director corrected the result of your game in {event}: {result}."),
        with_reason=True,
    )
    UNFINISHED = Notice("unfinished")
    FORFEITED = Notice("forfeited", Text.of("your game in {event} was forfeited: {result}."))
    REDRAWN = Notice("redrawn", with_reason=True)
    EXTENDED = Notice("extended", button="tmine", with_reason=True)
    """There is more time; in the channel: the promised day has moved."""
    PAUSED = Notice(
        "paused",
        Text.of("{event} is paused. Games that have begun go on; nothing is paired or decided."),
        with_reason=True,
    )
    """In the channel, as RESUMED."""
    RESUMED = Notice(
        "resumed",
        Text.of("{event} goes on. All later dates have moved by the length of the pause."),
    )
    CANCELLED = Notice("cancelled", with_reason=True)
    """Also to the directors, if none of them did it."""
    CHALLENGED = Notice("challenged")
    """``detail`` names the challenger where it is repeated: you took another player's place, or a
    cancellation was taken back."""
    ANSWERED = Notice("answered")
    """The challenge by the entrant that ``detail`` names has ended, or another player answers it
    now: its message says so, and has no buttons any more."""
    DECLINED = Notice("declined")
    SUNK = Notice("sunk", button="tladder")
    REVIVED = Notice("revived", Text.of("{event} goes on after all."), button="tmine")
    """A cancellation was taken back."""
    FINISHED = Notice("finished")
    """The champion, once, in the channel. Edited where it stands if ``detail`` is
    :data:`PODIUM_AGAIN`."""
    BLOCKED_PAIRS = Notice("blocked_pairs", button="tmanage", for_directors=True)
    """To the directors, or if none is left to people who manage the server: entrants have blocked
    one another, ``1-3 2-3``."""
    TROUBLE = Notice("trouble", button="tmanage", for_directors=True)
    """To the same people: something hinders the event, a :class:`TournamentTrouble`."""
    APPOINTED = Notice(
        "appointed",
        Text.of("you're a director of {event} now: you can add players, decide games and more."),
        button="tmanage",
    )
    DISMISSED = Notice("dismissed", Text.of("you're no longer a director of {event}."))
    SEASON = Notice("season", button="tleave")
    """``detail`` is :data:`RISEN` or :data:`FALLEN` for those who change their division."""


PODIUM_AGAIN = "podium_again"
"""The detail if a player's name has changed since the champion was announced."""


class TournamentTrouble(Keyed):
    """Troubles that hinder an event, as directors read them."""

    about: Notice
    HOME_GONE = Notice(
        "home_gone",
        Text.of(
            "the home channel of {event} is gone or closed to Parlour. Matches go on, but nobody"
            " sees the table."
        ),
    )
    NO_THREADS = Notice(
        "no_threads",
        Text.of(
            "the server can't have more threads right now, so matches of {event} are played in"
            " direct messages."
        ),
    )
    SIDE_BY_SIDE = Notice(
        "side_by_side",
        Text.of(
            "threads can't be made in the channel of {event}, so all boards of a round come into it"
            " side by side. Allow Parlour Create Public Threads and Send Messages in Threads there,"
            " and later games get threads."
        ),
    )
    WAITING = Notice(
        "waiting",
        Text.of(
            "the server can't have more matches or threads right now, so some games of {event} wait"
            " their turn. They start by themselves, and until then no time runs."
        ),
    )
    NO_PAIRING = Notice(
        "no_pairing",
        Text.of("the rules allow no further pairing in {event}, so it ends as it stands."),
    )
    PAIRING_FAILS = Notice(
        "pairing_fails",
        Text.of("the next round of {event} can't be paired right now. Parlour tries again."),
    )
    DIRECTOR_LEFT = Notice(
        "director_left", Text.of("a director of {event} has left the server or erased their data.")
    )
    GAVE_WAY = Notice(
        "gave_way",
        Text.of(
            "players who are kept apart meet in round {round} of {event}, because no other pairing"
            " was possible: {games}."
        ),
    )
    """``game`` is one of the round."""
    UNREACHABLE = Notice(
        "unreachable",
        Text.of(
            "a player of {event} couldn't be told of their turn for too long. Their game was"
            " decided by the rule of the last day."
        ),
    )


ALL_DIRECTORS = -1
"""All present directors when a message is sent."""


@dataclass(frozen=True, slots=True)
class NewMessage:
    """Something to tell, as it is written with the event that causes it.

    ``version`` is the number of that event, 0 for the last one of the act; ``game`` names a game
    where it is about one; ``detail`` is a code. The reader is the player of an ``entrant`` when it
    is sent, or the one before (``former``); a ``director`` (0 is the creator, then those appointed,
    or :data:`ALL_DIRECTORS` ``but`` one); the person the event is about (``subject``); or else the
    channel. ``user_id`` is that person, None for the channel; it is not kept.
    """

    kind: MessageKind
    version: int = 0
    entrant: int = 0
    user_id: UserId | None = None
    game: str = ""
    detail: str = ""
    director: int | None = None
    but: int | None = None
    former: bool = False
    subject: bool = False


_FOR_ACTOR_TOO = frozenset({MessageKind.CHALLENGED, MessageKind.ANSWERED})


def messages_for(
    before: Tournament | None, changes: Sequence[TournamentChange], *, made_up: bool = False
) -> tuple[NewMessage, ...]:
    """The messages about an act, each once; the home message follows every change.

    People get no notice of their own acts, except challenges, which have buttons; nor do people
    whose data was erased. ``made_up`` is for rehearsals, in which people have negative ids.
    """
    found: list[NewMessage] = [NewMessage(MessageKind.HOME)]
    t = before
    for change in changes:
        for each in (*_of_change(t, change), *_ended_challenges(t, change)):
            if each.entrant and each.user_id is None:
                continue
            if each.user_id is not None:
                if each.user_id == change.event.user_id and each.kind not in _FOR_ACTOR_TOO:
                    continue
                if each.user_id < 0 and not made_up:
                    continue
            if made_up and each.kind is MessageKind.ANSWERED:
                continue  # no message is repeated
            found.append(each)
        t = change.tournament
    found += _rounds(before, changes, made_up=made_up)
    found += _invitations(before, changes)
    return tuple(dict.fromkeys(found))


def to_directors(
    t: Tournament,
    about: MessageKind | TournamentTrouble,
    detail: str = "",
    *,
    game: str = "",
    but: int | None = None,
) -> NewMessage:
    """A message to the present directors when it is sent, without the one at place ``but``.

    If there are none, it goes to the server, for people who manage it.
    """
    if isinstance(about, TournamentTrouble):
        about, detail = MessageKind.TROUBLE, about.value
    return NewMessage(about, t.version, game=game, detail=detail, director=ALL_DIRECTORS, but=but)


def _to(
    t: Tournament, kind: MessageKind, numbers: Iterable[int], seq: int, game: str = ""
) -> Iterator[NewMessage]:
    for number in numbers:
        yield NewMessage(kind, seq, number, t.entrants[number - 1].user_id, game)


def hearing_of(t: Tournament, drawn: f.Drawn) -> frozenset[int]:
    """The entrants who are notified of a round: players, and those left out against their wish."""
    out = (
        each.entrant
        for each in drawn.byes
        if each.kind is not Kind.ZERO_BYE and drawn.round not in t.entrants[each.entrant - 1].byes
    )
    return frozenset(out).union(*(each.players for each in drawn.games))


def _rounds(
    before: Tournament | None, changes: Sequence[TournamentChange], *, made_up: bool
) -> Iterator[NewMessage]:
    """One notice for each player of all rounds drawn together. An arena notifies by the match."""
    t = changes[-1].tournament if changes else before
    if t is None or t.setup.format is FormatKey.ARENA:
        return
    drawn = [(change, fact) for change in changes if isinstance(fact := change.event.fact, f.Drawn)]
    if not drawn:
        return
    last, _ = drawn[-1]
    games = [game for _, fact in drawn for game in fact.games]
    about = games[0].id if t.setup.format is FormatKey.LADDER and games else ""
    had_begun = before is not None and before.status is TournamentStatus.RUNNING
    there = {number for _, fact in drawn for number in hearing_of(t, fact)}
    for each in _to(t, MessageKind.ROUND, sorted(there), last.event.seq, game=about):
        user = each.user_id
        if user in (None, last.event.user_id) or not t.entrants[each.entrant - 1].is_active:
            continue
        if made_up or (user is not None and user > 0):
            yield replace(each, detail=LATER if had_begun else "")


def _invitations(
    before: Tournament | None, changes: Sequence[TournamentChange]
) -> Iterator[NewMessage]:
    """One message for all newly listed people, and one for each who wants it alone."""
    was = {each.user_id for each in before.invited} if before is not None else set()
    t = changes[-1].tournament if changes else None
    new = [each for each in t.unanswered if each.user_id not in was] if t is not None else []
    for each in new:
        yield NewMessage(MessageKind.INVITED, each.since, user_id=each.user_id, subject=True)
    if new:
        detail = str(min(each.since for each in new))
        yield NewMessage(MessageKind.INVITED, max(each.since for each in new), detail=detail)


def _of_change(before: Tournament | None, change: TournamentChange) -> Iterator[NewMessage]:
    t, seq = change.tournament, change.event.seq
    fact = change.event.fact
    match fact:
        case f.Undrawn() | f.Unpaired() if before is not None:
            gone = [each for name, each in before.games.items() if name not in t.games]
            players = (x for played in gone for x in played.game.players)
            yield from _to(t, MessageKind.REDRAWN, dict.fromkeys(players), seq)
        case f.Scored(game, _, f.How.UNFINISHED):
            yield from _to(t, MessageKind.UNFINISHED, _there(t, game), seq, game)
        case f.Scored(game, _, f.How.NO_SHOW) if t.games[game].has_begun:
            pass  # a player who never moved has seen its end
        case f.Scored(game, _, f.How.NO_SHOW | f.How.DIRECTOR):
            yield from _to(t, MessageKind.FORFEITED, _there(t, game), seq, game)
        case f.Decided(game):
            yield from _to(t, MessageKind.DECIDED, _there(t, game), seq, game)
        case f.Corrected(game):
            yield from _to(t, MessageKind.CORRECTED, _there(t, game), seq, game)
        case f.Drawn(number) if t.setup.final_table and number > preliminary_rounds(t.setup):
            out = (each.number for each in t.active if each.number not in hearing_of(t, fact))
            yield from _to(t, MessageKind.NO_FINAL, out, seq)
        case f.Drawn(number) if met := met_all_the_same(t, number):
            yield to_directors(t, TournamentTrouble.GAVE_WAY, game=met[0].id)
        case f.Extended(number, game):
            games = [t.games[game]] if game else t.in_round(number)
            players = (x for each in games if not each.is_over for x in each.game.players)
            yield from _to(t, MessageKind.EXTENDED, dict.fromkeys(players), seq, game=game)
            if before is not None and before.finish != t.finish:
                yield NewMessage(MessageKind.EXTENDED, seq)
        case f.Paused():
            yield NewMessage(MessageKind.PAUSED, seq)
        case f.Resumed():
            yield NewMessage(MessageKind.RESUMED, seq)
        case f.Undone() if before is not None:
            yield from _of_undone(before, t, seq)
        case f.Finished():
            yield NewMessage(MessageKind.FINISHED, seq)
        case f.Cancelled():
            active = (each.number for each in t.active)
            yield from _to(t, MessageKind.CANCELLED, active, seq)
            if change.event.user_id is None:
                yield to_directors(t, MessageKind.CANCELLED)
        case f.Challenged(challenger, challenged):
            yield from _to(t, MessageKind.CHALLENGED, (challenged,), seq)
        case f.Declined(challenger, challenged):
            yield from _to(t, MessageKind.DECLINED, (challenger,), seq)
        case f.Moved(rungs) if before is not None:
            sunk = (each for at, each in enumerate(rungs) if at > before.by_rung.index(each))
            yield from _to(t, MessageKind.SUNK, sunk, seq)
        case f.Warned(number):
            yield from _to(t, MessageKind.WARNED, (number,), seq)
        case f.Withdrawn(number, f.Leaving.TIME | f.Leaving.ASKED | f.Leaving.ABSENT):
            yield from _to(t, MessageKind.WITHDRAWN, (number,), seq)
        case f.Excluded(number):
            yield from _to(t, MessageKind.EXCLUDED, (number,), seq)
        case f.Entered(number) if change.event.user_id is not None:
            yield from _to(t, MessageKind.ENTERED, (number,), seq)
    if before is not None:
        yield from _of_people(before, t, change)


def _there(t: Tournament, game: str) -> list[int]:
    """The players of a game who are still in."""
    return [x for x in t.games[game].game.players if t.entrants[x - 1].is_active]


def _challenged_anew(t: Tournament, seq: int) -> Iterator[NewMessage]:
    """Open challenges, announced again."""
    for each in t.challenges:
        (asked,) = _to(t, MessageKind.CHALLENGED, (each.challenged,), seq)
        yield replace(asked, detail=str(each.challenger))


def _ended_challenges(before: Tournament | None, change: TournamentChange) -> Iterator[NewMessage]:
    """Challenges that no longer wait for an answer, for any reason."""
    t = change.tournament
    if before is None or before.status.is_final:
        return
    still = () if t.status.is_final else t.challenges
    pairs = {each.pair for each in still}
    for each in before.challenges:
        if each.pair not in pairs:
            (told,) = _to(t, MessageKind.ANSWERED, (each.challenged,), change.event.seq)
            yield replace(told, detail=str(each.challenger))
            gone = isinstance(change.event.fact, f.Finished | f.Withdrawn | f.Excluded)
            if gone and t.entrants[each.challenger - 1].is_active:
                (told,) = _to(t, MessageKind.DECLINED, (each.challenger,), change.event.seq)
                yield replace(told, detail=str(each.challenged))


def _of_undone(before: Tournament, t: Tournament, seq: int) -> Iterator[NewMessage]:
    """Notices to players after an act was undone."""
    if t.status is not before.status is TournamentStatus.CANCELLED:
        yield from _to(t, MessageKind.REVIVED, (each.number for each in t.active), seq)
        yield from _challenged_anew(t, seq)
    if before.paused_at != t.paused_at:
        yield NewMessage(MessageKind.REVIVED if t.paused_at is None else MessageKind.PAUSED, seq)
        return  # all days have moved
    told: dict[int, tuple[MessageKind, str]] = {}
    for old, new in zip(before.entrants, t.entrants, strict=True):
        if old.standing is not new.standing:
            told[new.number] = MessageKind.ENTERED if new.is_active else MessageKind.WITHDRAWN, ""
    for name, played in t.games.items():
        was = before.games[name]
        if was.points != played.points or (was.until != played.until and not played.is_over):
            is_same = was.points == played.points
            kind = MessageKind.EXTENDED if is_same else MessageKind.CORRECTED
            told = dict.fromkeys(_there(t, name), (kind, name)) | told
    for number, (kind, game) in told.items():
        yield from _to(t, kind, (number,), seq, game=game)
    if before.finish != t.finish:
        yield NewMessage(MessageKind.EXTENDED, seq)


def _of_people(before: Tournament, t: Tournament, change: TournamentChange) -> Iterator[NewMessage]:
    """Notices to new directors and players."""
    seq, person = change.event.seq, change.event.subject_id
    if before.directors != t.directors:
        kind = MessageKind.APPOINTED if person in t.directors else MessageKind.DISMISSED
        yield NewMessage(kind, seq, 0, person, subject=True)
    for old, new in zip(before.entrants, t.entrants, strict=False):
        number = new.number
        if old.user_id == new.user_id:
            continue
        yield from _to(t, MessageKind.ENTERED, (number,), seq)
        if old.user_id is not None:
            yield NewMessage(MessageKind.REPLACED, seq, number, old.user_id, former=True)
        games = (each for each in t.of_entrant(number) if not each.is_over)
        others = {x for each in games for x in each.game.players if x != number}
        for told in _to(t, MessageKind.OPPONENT, sorted(others), seq):
            yield replace(told, detail=str(number))
        for asked in _challenged_anew(t, seq):
            if asked.entrant == number:
                yield asked
                yield replace(asked, kind=MessageKind.ANSWERED, user_id=old.user_id, former=True)

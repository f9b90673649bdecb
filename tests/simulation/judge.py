"""Conditions of a month, judged by the observations and the actions of people."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.domain.preferences import NoticeWay
from bot.services.verification import verify_all
from tests.simulation.contest_judge import judge_contests
from tests.simulation.record import Record, Turn
from tests.simulation.verdict import SLACK as _SLACK
from tests.simulation.verdict import Verdict, done_by
from tests.simulation.watch import Message

if TYPE_CHECKING:
    from tests.simulation.month import Month


_GRACE = timedelta(seconds=5)
_LINK = re.compile(r"<#(\d+)>")
_MENTION = re.compile(r"<@(\d+)>")


async def judge(month: Month) -> Verdict:
    """Hold everything against what was promised."""
    verdict = Verdict(list(month.watcher.problems))
    by_channel = {r.channel: r for r in month.records if r.channel is not None}
    _turns(month, by_channel, verdict)
    _nobody_is_woken(month, verdict)
    _nothing_is_posted_twice(month, verdict)
    for user in month.lives:
        month.keep_up(user)
    for record in by_channel.values():
        _flag(month, record, verdict)
        _standing(month, record, verdict)
    await _stored(month, by_channel, verdict)
    await judge_contests(month, verdict)
    return verdict


def _is_reminder(message: Message) -> bool:
    return " is due " in message.text


def _is_call(message: Message) -> bool:
    return ", your move in " in message.text and not _is_reminder(message)


def _told(message: Message) -> set[int]:
    people = set(message.pings) | {int(each) for each in _MENTION.findall(message.text[:40])}
    return people if message.direct_to is None else {message.direct_to}


def _turns(month: Month, by_channel: dict[int, Record], verdict: Verdict) -> None:
    """Every turn is told exactly once, in the way chosen, when it may be."""
    calls: dict[int, list[Message]] = defaultdict(list)
    for message in month.watcher.messages.values():
        if message.is_board or not _is_call(message):
            continue
        link = _LINK.search(message.text)
        home = message.channel if message.direct_to is None or link is None else int(link[1])
        record = by_channel.get(home)
        turn = None if record is None else _turn_at(month, record, message)
        if record is None or turn is None:
            verdict.problems.append(f"told about no turn: {message.at} {message.text!r}")
            continue
        calls[id(turn)].append(message)
    refused = _refused_digests(month)
    for record in by_channel.values():
        for turn in record.turns:
            _one_turn(month, record, turn, calls[id(turn)], refused, verdict)
    _digests_refused_in_time(month, refused, verdict)


def _refused_digests(month: Month) -> dict[int, datetime]:
    """When the digest of those who take no direct messages was first refused.

    Until then they are told nothing where they play, and from then on they are mentioned.
    """
    first: dict[int, datetime] = {}
    channels = {record.channel for record in month.records}
    for message in month.watcher.messages.values():
        if message.is_board or message.direct_to is not None or message.channel not in channels:
            continue
        if _is_reminder(message):
            continue  # comes before a digest too, if time is short
        for user in _told(message):
            life = month.lives[user]
            if life.chosen.way is NoticeWay.DIGEST and not life.takes_direct:
                first[user] = min(first.get(user, message.at), message.at)
    return first


def _digests_refused_in_time(month: Month, refused: dict[int, datetime], verdict: Verdict) -> None:
    """A digest is tried at its hour, or when the quiet hours around that or an outage are over;
    the first at which a turn waits is not left out."""
    for user, life in month.lives.items():
        if life.chosen.way is not NoticeWay.DIGEST or life.takes_direct:
            continue
        hours = list(_digest_hours(month, user))
        at = refused.get(user)
        if at is not None and not any(due <= at <= done_by(due, month.down) for due in hours):
            verdict.problems.append(f"{user}: a digest at {at}, not at {life.chosen.digest_hour}")
        turns = [
            turn for record in month.records for turn in record.turns
            if turn.user == user and record.channel is not None
        ]  # fmt: skip
        for due in hours:
            last = done_by(due, month.down)
            waits = any(
                turn.began < due and (turn.acted or turn.ended or month.clock.at) > last
                for turn in turns
            )
            if waits and last < month.clock.at:
                if at is None or at > last:
                    verdict.problems.append(f"{user}: no digest at {due}, and a turn waits")
                break


def _digest_hours(month: Month, user: int) -> Iterator[datetime]:
    """The instants at which digests of a person are due, after their quiet hours."""
    life = month.lives[user]
    there = ZoneInfo(life.zone)
    day = month.clock.at.astimezone(there).date()
    for back in range(60):
        date = day - timedelta(days=back)
        at = datetime(date.year, date.month, date.day, life.chosen.digest_hour, tzinfo=there)
        yield _awake(month, user, at.astimezone(UTC))


def _awake(month: Month, user: int, at: datetime) -> datetime:
    life = month.lives[user]
    while life.is_quiet(at):
        at = at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return at


def _turn_at(month: Month, record: Record, message: Message) -> Turn | None:
    (user,) = _told(message) or {0}
    return next(
        (
            turn for turn in reversed(record.turns)
            if turn.user == user and turn.began <= message.at + month.plan.inexact
            and (turn.ended is None or message.at <= turn.ended)
        ),
        None,
    )  # fmt: skip


def _due(month: Month, turn: Turn, *, at_once: bool) -> datetime:
    """When a player may first be told about their turn.

    A turn that begins as the bot is killed may be told ``at_once``, or after the next start.
    """
    life, at = month.lives[turn.user], turn.began
    spans = [(begin, end) for begin, end in month.down if begin < turn.began or not at_once]
    while True:
        over = next((end for begin, end in spans if begin <= at < end), None)
        if over is not None:
            at = over
        elif life.is_quiet(at):
            at = at.replace(second=0, microsecond=0) + timedelta(minutes=1)
        else:
            return at


def _one_turn(  # noqa: PLR0917 - what was seen of it
    month: Month,
    record: Record,
    turn: Turn,
    calls: list[Message],
    refused: dict[int, datetime],
    verdict: Verdict,
) -> None:
    life = month.lives[turn.user]
    what = f"{record.name} ply {turn.ply} of {turn.user} ({life.chosen.way.value})"
    verdict.facts["turns"] += 1
    verdict.facts["calls"] += len(calls)
    if life.chosen.way is NoticeWay.NOTHING or not turn.called:
        if calls:
            verdict.problems.append(f"{what}: told although they are not to be")
        return
    if life.chosen.way is NoticeWay.DIGEST and life.takes_direct:
        if calls:
            verdict.problems.append(f"{what}: told although there is a digest")
        return
    earliest, due = _due(month, turn, at_once=True), _due(month, turn, at_once=False)
    end = turn.acted or turn.ended or month.clock.at
    if life.chosen.way is NoticeWay.DIGEST:
        # Only when a digest doesn't get through it is known that they need a mention.
        since = refused.get(turn.user, month.clock.at)
        earliest, due = max(earliest, since), max(due, since)
    if len(calls) > 1:
        verdict.problems.append(f"{what}: told {[str(each.at) for each in calls]}")
    if not calls:
        if due + _SLACK < end:
            verdict.problems.append(f"{what}: not told, began {turn.began}, due {due}, ended {end}")
        return
    if not earliest - month.plan.inexact <= calls[0].at <= due + _SLACK:
        verdict.problems.append(f"{what}: told at {calls[0].at}, due {due}")
    by_direct = calls[0].direct_to is not None
    if by_direct != (life.chosen.way is NoticeWay.DIRECT and life.takes_direct):
        verdict.problems.append(f"{what}: told in another way than they chose")


def _nobody_is_woken(month: Month, verdict: Verdict) -> None:
    """Nothing in quiet hours, no reminder twice, and nobody else is called."""
    players = {r.channel: {*r.users, *r.former} for r in month.records if r.channel is not None}
    days: set[tuple[int, str]] = set()
    ends: Counter[tuple[int, int]] = Counter()
    tables = {r.channel: r for r in month.records if r.channel is not None and len(r.users) > 2}
    for message in month.watcher.messages.values():
        table = tables.get(message.channel)
        if table is not None and (message.is_board or " match is over." in message.text):
            ends.update((table.number, user) for user in message.pings)
        if message.is_board:
            if message.pings and table is not None and table.over is not None:
                _end_of_table(month, message, table, verdict)
            elif message.pings:
                _offer_or_not(month, message, verdict)
            continue
        if message.is_asking:
            continue
        told = _told(message)
        verdict.facts["lines"] += 1
        _as_chosen(month, message, told, days, verdict)
        if len(told) != 1:
            verdict.problems.append(f"{message.at}: told to {told}: {message.text!r}")
        for user in told:
            if month.lives[user].is_quiet(message.at):
                verdict.problems.append(f"{message.at}: {user} woken by {message.text!r}")
            if message.direct_to is None and user not in players.get(message.channel, {user}):
                verdict.problems.append(f"{message.at}: {user} does not play there")
    for (number, user), times in ends.items():
        record = month.records[number]
        if times > 1 + len(record.rulings):
            verdict.problems.append(f"{record.name}: {user} is told {times} times that it is over")


def _end_of_table(month: Month, message: Message, record: Record, verdict: Verdict) -> None:
    """The last board of a table of more than two tells all who read there and are awake."""
    verdict.facts["ends told by a board"] += 1
    seen = [each for each in month.watcher.in_channel[message.channel] if each.is_board]
    if message is not seen[-1] and not record.rulings:
        verdict.problems.append(f"{record.name}: a board calls {message.pings} and another follows")
    for user in message.pings:
        life = month.lives[user]
        if user not in record.users:
            verdict.problems.append(f"{message.at}: {user} does not play {record.name}")
        if life.is_quiet(message.at):
            verdict.problems.append(f"{message.at}: {user} woken by a board of {record.name}")
        is_elsewhere = life.chosen.way in (NoticeWay.DIRECT, NoticeWay.DIGEST) and life.takes_direct
        if life.chosen.way is NoticeWay.NOTHING or is_elsewhere:
            verdict.problems.append(f"{message.at}: {user} is not to be mentioned on a board")


def _nothing_is_posted_twice(month: Month, verdict: Verdict) -> None:
    """Also after a crash: one board, one call, one reminder at an hour, one digest a day."""
    posted: dict[str, Message] = {}
    for message in month.watcher.messages.values():
        if message.nonce is None:
            verdict.problems.append(f"{message.at}: a post without a name: {message.text!r}")
            continue
        first = posted.setdefault(message.nonce, message)
        if first is not message:
            verdict.problems.append(f"{first.at} and {message.at}: posted twice: {message.text!r}")


def _as_chosen(
    month: Month, message: Message, told: set[int], days: set[tuple[int, str]], verdict: Verdict
) -> None:
    """Reminders and digests go to those who want them, one digest a day at most.

    Each day begins at the hour of the digest: one that an outage and the quiet hours after it have
    held up until the morning is still that of the evening before.
    """
    for life in (month.lives[user] for user in told):
        if _is_reminder(message):
            verdict.facts["reminders"] += 1
            if life.chosen.way is NoticeWay.NOTHING or not life.chosen.reminders:
                verdict.problems.append(f"{message.at}: {life.user} wants no reminders")
        elif "These matches are waiting" in message.text:
            verdict.facts["digests"] += 1
            there = message.at.astimezone(ZoneInfo(life.zone))
            begun = there - timedelta(hours=life.chosen.digest_hour)
            day = (life.user, str(begun.date()))
            if life.chosen.way is not NoticeWay.DIGEST or day in days:
                verdict.problems.append(f"{message.at}: a digest too many for {life.user}")
            days.add(day)


def _offer_or_not(month: Month, message: Message, verdict: Verdict) -> None:
    """Only an offer calls a player by a page with buttons."""
    if "would like to play" not in message.text:
        verdict.problems.append(f"{message.at}: a board calls {message.pings}: {message.text!r}")


def _flag(month: Month, record: Record, verdict: Verdict) -> None:
    """A flag falls once, not before the time has run out, and soon after."""
    verdict.facts["flags"] += bool(record.flags)
    if len(record.flags) > 1:
        verdict.problems.append(f"{record.name}: {len(record.flags)} flags")
    deadline = record.deadline(month.stopped_spans(record))
    if deadline is None:
        if record.flags:
            verdict.problems.append(f"{record.name}: a flag without a clock")
        return
    if record.over == "flagged":
        if not deadline + _GRACE <= record.flags[0] <= done_by(deadline, month.down):
            verdict.problems.append(f"{record.name}: flag {record.flags[0]}, deadline {deadline}")
    elif record.over is None and deadline + _SLACK < month.clock.at:
        verdict.problems.append(f"{record.name}: no flag at {deadline}")


def _standing(month: Month, record: Record, verdict: Verdict) -> None:
    """At most one message a move is left, and those about the end."""
    assert record.channel is not None
    seen = month.watcher.in_channel[record.channel]
    left = [message for message in seen if message.deleted_at is None]
    boards = sum(message.is_board for message in left)
    ended = record.over in {"resigned", "flagged", "called off"}
    verdict.facts["rests"] += record.rests
    if boards > 1 + len(record.moves) + ended + len(record.rulings) + record.substitutes:
        verdict.problems.append(f"{record.name}: {boards} boards, {len(record.moves)} moves")
    lines = [message for message in left if not message.is_board]
    allowed = len(record.users) if record.over else 1
    verdict.facts["left"] += len(left)
    if len(lines) > allowed:
        texts = [message.text for message in lines]
        verdict.problems.append(f"{record.name} ({record.over}): {len(lines)} lines left: {texts}")


async def _stored(month: Month, by_channel: dict[int, Record], verdict: Verdict) -> None:
    """The store is sound, and says what people did and what they see."""
    assert month.bot is not None
    store = month.bot.store
    checked = await verify_all(store)
    verdict.facts["events"] = checked.events
    verdict.problems += [f"{each.id}: {each.error}" for each in checked.problems]
    by_name = {record.name: record for record in by_channel.values()}
    async for match, events in store.all_matches():
        record = by_name.pop(str(match.id), None)
        if record is None:
            continue
        kinds = Counter(event.kind.value for event in events)
        moves = [event.payload["move"] for event in events if event.kind.value == "moved"]
        if moves != record.moves:
            verdict.problems.append(f"{record.name}: stored {moves}, played {record.moves}")
        if record.loser is not None and len(record.users) > 2:
            continue  # at a table of four others have gone on, and the game for who has left
        if kinds["flagged"] != (record.over == "flagged"):
            verdict.problems.append(f"{record.name}: {kinds['flagged']} flags, {record.over}")
        if match.state != record.game.encode(record.position):
            verdict.problems.append(f"{record.name}: another position is stored")
        if record.control.runs and record.over is None and match.times is not None:
            others = [n for n in range(len(record.users)) if n != record.turn.player]
            if any(abs(match.times.left[n] - record.left[n]) > month.plan.inexact for n in others):
                verdict.problems.append(f"{record.name}: {match.times.left} left, {record.left}")
        assert record.channel is not None
        boards = [m for m in month.watcher.in_channel[record.channel] if m.is_board]
        foot = boards[-1].shows
        if match.ply != len(record.moves) or foot is None:
            verdict.problems.append(f"{record.name}: board {boards[-1].text!r}")
        elif foot[2] != match.head_hash[:8]:
            last = events[-1].kind.value
            if last != "credited":
                verdict.problems.append(f"{record.name}: the board shows {foot}, {last}")
    verdict.problems += [f"{name} is not stored" for name in by_name]

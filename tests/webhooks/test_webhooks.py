"""Results for programs: told in order, signed, at a measured pace, and given up at last."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot.domain.ids import GuildId, UserId
from bot.errors import UserError
from bot.posts.outgoing import WEBHOOK, Outgoing
from bot.privacy import store as privacy
from bot.services.outbox_worker import OutboxWorker
from bot.store import Store, outgoing, people
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.services.views import document
from bot.webhooks import store as webhooks
from bot.webhooks.services import WebhookFailed, Webhooks
from tests.support.kit import ANN, BOB, GUILD, Club
from tests.tournaments.kit import Hall

URL = "https://example.org/hook"


class Paper:
    """Takes what is posted, or fails."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, Mapping[str, str], bytes]] = []
        self.fails = ""
        self.tries = 0

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        self.tries += 1
        if self.fails:
            raise WebhookFailed(self.fails)
        self.taken.append((url, headers, body))

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.taken]


class Bench:
    """A club whose server has an address."""

    def __init__(self, store: Store) -> None:
        self.club, self.paper = Club(store), Paper()
        self.hooks = Webhooks(store, self.club.clock, self.paper.post, partial(document, store))
        self.worker = OutboxWorker(store, self.club.clock, *self.club.handlers, self.hooks)
        self.club.worker = self.club.changes.outbox = self.worker

    async def choose(self, guild_id: GuildId, user_id: UserId, address: str | None) -> str:
        now = self.club.clock.now()
        return await self.club.store.write(webhooks.choose, guild_id, user_id, address, now)

    async def pass_time(self, **by: float) -> None:
        self.club.clock.forward(**by)
        await self.worker.drain()


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store)


async def test_a_match_that_begins_and_ends_is_told_in_order_and_signed(bench: Bench) -> None:
    secret = await bench.choose(GUILD, ANN.user_id, URL)
    match_id = await bench.club.start(BOB)
    await bench.club.play(match_id, "a1")
    await bench.worker.drain()
    await bench.club.resign(ANN, match_id)
    await bench.pass_time(seconds=2)
    assert [each["event"] for each in bench.paper.told] == ["match.began", "match.ended"]
    ended = bench.paper.told[1]
    assert ended["server"] == str(GUILD)
    assert ended["match"]["id"] == match_id
    assert ended["match"]["ending"] == "resignation"
    people = {each["user"]: each["won"] for each in ended["match"]["players"]}
    assert people == {str(ANN.user_id): False, str(BOB.user_id): True}
    for url, headers, body in bench.paper.taken:
        assert url == URL
        # As docs/records.md says it.
        signed = headers["Parlour-Timestamp"].encode() + b"." + body
        expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        assert headers["Parlour-Signature"] == f"sha256={expected}"
        assert headers["Parlour-Delivery"] == json.loads(body)["delivery"]


async def test_a_person_who_was_erased_is_nobody_in_what_is_still_to_be_sent(bench: Bench) -> None:
    await bench.choose(GUILD, ANN.user_id, URL)
    bench.paper.fails = "500"
    match_id = await bench.club.start(BOB)
    await bench.club.resign(ANN, match_id)
    await bench.worker.drain()
    store, now = bench.club.store, bench.club.clock.now()
    await store.write(privacy.forget, ANN.user_id, UserId(-9), now)
    bench.paper.fails = ""
    await bench.pass_time(minutes=20)
    await bench.pass_time(seconds=2)
    assert len(bench.paper.told) == 2
    assert f'"{ANN.user_id}"' not in str(bench.paper.taken)
    assert all(
        None in {each["user"] for each in one["match"]["players"]} for one in bench.paper.told
    )


@pytest.mark.long
async def test_a_tournament_is_told_with_its_standings(store: Store) -> None:
    hall, paper = Hall(store), Paper()
    hooks = Webhooks(store, hall.clock, paper.post, partial(document, store))
    hall.worker._handlers["webhook"] = hall.club.worker._handlers["webhook"] = hooks
    await store.write(webhooks.choose, GUILD, ANN.user_id, URL, hall.clock.now())
    id_ = await hall.begun(FormatKey.KNOCKOUT, 4)
    t = await hall.play_out(id_)
    for _ in range(30):
        hall.clock.forward(seconds=2)
        await hall.worker.drain()
    events = [each["event"] for each in paper.told]
    assert events.count("tournament.began") == events.count("tournament.ended") == 1
    assert events.count("match.began") == events.count("match.ended") == len(t.games)
    told = next(each for each in paper.told if each["event"] == "tournament.ended")["tournament"]
    assert (told["id"], told["status"]) == (id_, "finished")
    assert [each["place"] for each in told["standings"]][:2] == [1, 2]
    played = [each["match"]["tournament"] for each in paper.told if "match" in each]
    assert {each["game"] for each in played} == set(t.games)


@pytest.mark.long
async def test_an_address_that_fails_for_a_day_is_switched_off(bench: Bench) -> None:
    await bench.choose(GUILD, ANN.user_id, URL)
    bench.paper.fails = "timeout"
    await bench.club.start(BOB)
    await bench.worker.drain()
    known = await bench.club.store.read(webhooks.of_server, GUILD)
    assert known is not None
    assert (known.trouble, known.off_at) == ("timeout", None)
    for _ in range(26 * 6):
        await bench.pass_time(minutes=10)
    known = await bench.club.store.read(webhooks.of_server, GUILD)
    assert known is not None
    assert known.off_at is not None
    assert known.failing_since is not None
    assert known.off_at - known.failing_since < timedelta(days=1, minutes=30)
    tries = bench.paper.tries
    assert tries < 200
    bench.paper.fails = ""
    await bench.club.start(BOB)
    await bench.pass_time(hours=1)
    assert bench.paper.tries == tries, "nothing more is sent"
    await bench.choose(GUILD, ANN.user_id, URL)
    await bench.club.start(BOB)
    await bench.pass_time(seconds=2)
    assert len(bench.paper.taken) == 1, "set again, it works again"


async def test_a_success_ends_a_time_of_failures(bench: Bench) -> None:
    await bench.choose(GUILD, ANN.user_id, URL)
    bench.paper.fails = "502"
    await bench.club.start(BOB)
    await bench.worker.drain()
    bench.paper.fails = ""
    await bench.pass_time(hours=20)
    known = await bench.club.store.read(webhooks.of_server, GUILD)
    assert known is not None
    assert known.failing_since is None
    assert len(bench.paper.taken) == 1


@pytest.mark.long
async def test_one_address_gets_thirty_requests_a_minute_and_no_other_server_is_told(
    bench: Bench,
) -> None:
    await bench.choose(GuildId(77), ANN.user_id, "https://other.example.org/")
    await bench.choose(GUILD, ANN.user_id, URL)
    match_id = await bench.club.start(BOB)
    now = bench.club.clock.now()
    more = [
        Outgoing(
            WEBHOOK,
            webhooks.webhook_key(GUILD),
            now,
            {"event": "match.began", "id": match_id, "at": now.isoformat()},
        )
        for _ in range(80)
    ]
    await bench.club.store.write(outgoing.plan, *more)
    for _ in range(60):
        await bench.pass_time(seconds=1)
    assert 25 <= len(bench.paper.taken) <= 31
    assert {url for url, _, _ in bench.paper.taken} == {URL}


async def test_without_an_address_nothing_waits_and_a_removed_one_leaves_nothing(
    bench: Bench,
) -> None:
    await bench.club.start(BOB)
    bench.paper.fails = "500"
    await bench.choose(GUILD, ANN.user_id, URL)
    await bench.club.start(BOB)
    await bench.worker.drain()
    await bench.choose(GUILD, ANN.user_id, None)
    bench.paper.fails = ""
    await bench.pass_time(hours=2)
    assert not bench.paper.taken
    assert await bench.club.store.read(webhooks.of_server, GUILD) is None
    log = await bench.club.store.read(people.audit_of, GUILD, 5)
    assert [dict(each.after) for each in log] == [{"host": None}, {"host": "example.org"}]
    with pytest.raises(UserError, match="webhook_address"):
        await bench.choose(GUILD, ANN.user_id, "http://127.0.0.1/")

"""Readers of a followed match: members who may read the channel of the match."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.match import Match, Place
from bot.follows.delivery import FollowedMatches
from bot.history.domain.playback import sample_line
from games import catalog


def _match(home: int | None = None) -> Match:
    info = catalog.GAMES["quax"].info
    match = sample_line(info, info.samples[0], "s0quax00").match
    home_id = None if home is None else ChannelId(home)
    return replace(match, origin=Place(GuildId(900), ChannelId(500)), home_id=home_id)


asked: list[int] = []


def _followed(channels: dict[int, bool], member: Any = None, error: Exception | None = None) -> Any:
    """Discord with these channels, and whether the reader may read each."""

    async def fetch_member(user: int) -> Any:
        asked.append(user)
        if error is not None:
            raise error
        return member

    def channel(number: int) -> Any:
        if number not in channels:
            return None
        may = SimpleNamespace(view_channel=channels[number])
        return SimpleNamespace(permissions_for=lambda _member: may)

    guild = SimpleNamespace(
        unavailable=False, fetch_member=fetch_member, get_channel_or_thread=channel
    )
    client: Any = SimpleNamespace(get_guild=lambda _id: guild)
    nothing: Any = None
    return FollowedMatches(nothing, nothing, nothing, nothing, client=client)


async def test_a_match_is_shown_to_those_alone_who_may_read_its_channel() -> None:
    match = _match()
    here = match.home_id or match.origin.channel_id
    reader = UserId(77)
    assert await _followed({here: True}).may_see(match, reader) is True
    assert await _followed({here: False}).may_see(match, reader) is False
    assert await _followed({}).may_see(match, reader) is None, "Discord does not say"


async def test_a_member_who_may_read_is_asked_for_once_and_one_who_may_not_each_time() -> None:
    match, channels = _match(), {500: True}
    followed = _followed(channels, member=object())
    asked.clear()
    assert [await followed.may_see(match, UserId(77)) for _ in range(3)] == [True] * 3
    assert asked == [77]
    channels[500] = False
    assert [await followed.may_see(match, UserId(77)) for _ in range(2)] == [False] * 2
    assert asked == [77] * 3


async def test_a_thread_that_was_put_away_counts_as_the_channel_it_hangs_from() -> None:
    match = _match(4242)
    origin = match.origin.channel_id
    assert await _followed({origin: True}).may_see(match, UserId(77)) is True
    assert await _followed({origin: False}).may_see(match, UserId(77)) is False


@pytest.mark.parametrize(("status", "seen"), [(404, False), (500, None)])
async def test_who_has_left_is_shown_nothing_and_an_outage_ends_nothing(
    status: int, seen: bool | None
) -> None:
    kind = discord.NotFound if status == 404 else discord.DiscordServerError
    response: Any = SimpleNamespace(status=status, reason="no")
    followed = _followed({}, error=kind(response, "no"))
    assert await followed.may_see(_match(), UserId(77)) is seen

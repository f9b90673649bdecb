"""Every kind of component and embed is handed back in the shape that Discord's description gives.

The observer holds each answer and each event against that description.
"""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import pytest

from playground.errors import DiscordError
from playground.forms import find_control
from playground.person import Person
from playground.server import Playground
from playground.wire import Json
from tests.playground.conftest import Rest, channel_id
from tests.playground.test_rules import V2, button, faults, menu, row, text
from tests.support.discord_spec import SpecObserver


async def send(rest: Rest, playground: Playground, body: Json, *files: tuple[str, bytes]) -> Json:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps(body))
    for index, (name, data) in enumerate(files):
        form.add_field(f"files[{index}]", data, filename=name)
    path = f"/channels/{channel_id(playground)}/messages"
    # Without a file a form would not be sent in parts.
    status, answer = await rest("POST", path, body, form=form if files else None)
    assert status == 200, answer
    made: Json = answer
    return made


async def test_all_kinds_of_layout(
    rest: Rest, playground: Playground, observer: SpecObserver
) -> None:
    observer.check_requests = True
    thumbnail = {"type": 11, "media": {"url": "attachment://a.png"}, "description": "small"}
    link = {"type": 2, "style": 5, "label": "Rules", "url": "https://example.org/"}
    parts: list[Json] = [
        text("# One of each"),
        {"type": 9, "components": [text("a"), text("b")], "accessory": thumbnail},
        {"type": 9, "components": [text("c")], "accessory": button("accessory")},
        {"type": 12, "items": [{"media": {"url": "https://example.org/x.png"}, "spoiler": True}]},
        {"type": 13, "file": {"url": "attachment://game.txt"}},
        {"type": 14, "divider": False, "spacing": 2},
        {"type": 14},
        row(button("b", emoji={"name": "♟️"}), link),
        row(menu(3, placeholder="Column", min_values=0, max_values=3)),
        *(row({"type": kind, "custom_id": f"select{kind}"}) for kind in (5, 6, 7, 8)),
        {"type": 17, "accent_color": 0x336699, "components": [text("inside"), row(button("in"))]},
    ]
    made = await send(
        rest, playground, {"flags": V2, "components": parts}, ("a.png", b"x"), ("game.txt", b"y")
    )
    kinds = [each["type"] for each in made["components"]]
    assert kinds == [10, 9, 9, 12, 13, 14, 14, 1, 1, 1, 1, 1, 1, 17]
    file = made["components"][4]
    assert (file["name"], file["size"]) == ("game.txt", 1)
    assert made["components"][1]["accessory"]["media"]["attachment_id"]
    path = f"/channels/{made['channel_id']}/messages/{made['id']}"
    fresh = {"components": [*parts[:2], text("changed")], "flags": V2}
    status, kept = await rest("PATCH", path, fresh)
    assert status == 200
    assert (
        kept["components"][1]["accessory"]["media"] == made["components"][1]["accessory"]["media"]
    )


async def test_a_picture_of_an_older_edit_is_there_for_a_moment_only(
    rest: Rest, playground: Playground
) -> None:
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    made = await send(rest, playground, {"flags": V2, "components": [gallery]}, ("a.png", b"x"))
    url = made["components"][0]["items"][0]["media"]["url"]
    async with rest.session.get(url) as answer:
        assert answer.status == 200
    path = f"/channels/{made['channel_id']}/messages/{made['id']}"
    status, _ = await rest("PATCH", path, {"components": [text("x")], "attachments": []})
    assert status == 200
    async with rest.session.get(url) as answer:
        assert answer.status == 200, "a page may just be loading it"
    dropped = playground.world.state.dropped
    dropped.expire(dropped.timer() + dropped.ttl)
    async with rest.session.get(url) as answer:
        assert answer.status == 404


@pytest.mark.parametrize(
    ("part", "path", "code"),
    [
        ({"type": 99}, "components.0.type", "UNION_TYPE_CHOICES"),
        (row(text("x")), "components.0.components.0.type", "UNION_TYPE_CHOICES"),
        (
            {"type": 12, "items": [{"media": {"url": "javascript:x"}}]},
            "components.0.items.0.media.url",
            "URL_TYPE_INVALID_SCHEME",
        ),
        (
            {"type": 17, "components": [{"type": 17, "components": [text("x")]}]},
            "components.0.components.0.type",
            "UNION_TYPE_CHOICES",
        ),
        (
            {"type": 9, "components": [button("y")], "accessory": button()},
            "components.0.components.0.type",
            "UNION_TYPE_CHOICES",
        ),
        (
            row({"type": 2, "style": 5, "label": "x", "url": "ftp://x"}),
            "components.0.components.0.url",
            "URL_TYPE_INVALID_SCHEME",
        ),
        (
            row(menu(3, min_values=3, max_values=2)),
            "components.0.components.0.max_values",
            "SELECT_COMPONENT_MAX_VALUES_TOO_SMALL",
        ),
    ],
)  # fmt: skip
async def test_layout_against_the_rules(
    part: Json, path: str, code: str, rest: Rest, playground: Playground
) -> None:
    where = f"/channels/{channel_id(playground)}/messages"
    status, answer = await rest("POST", where, {"flags": V2, "components": [part]})
    assert status == 400
    assert faults(answer["errors"]).get(path) == code


@pytest.mark.parametrize(("kind", "key"), [(5, "users"), (6, "roles"), (8, "channels")])
async def test_menus_of_users_roles_and_channels_are_resolved(
    kind: int, key: str, rest: Rest, playground: Playground, cleo: Person
) -> None:
    values: dict[str, Any] = {
        "users": cleo.id, "roles": cleo.guild["id"], "channels": cleo.channel("games"),
    }  # fmt: skip
    body = {"content": "x", "components": [row({"type": kind, "custom_id": "s"})]}
    message = await send(rest, playground, body)
    await cleo.select(message, "s", [values[key]])
    (made,) = playground.world.state.interactions.values()
    assert str(values[key]) in made.data["resolved"][key]
    with pytest.raises(DiscordError):
        await cleo.select(message, "s", [5])
    with pytest.raises(LookupError):
        find_control(message, label="Nothing")


async def test_reactions_are_given_listed_and_taken_away(
    rest: Rest, playground: Playground, cleo: Person
) -> None:
    message = await send(rest, playground, {"content": "x"})
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    await cleo.request("PUT", f"{path}/reactions/👍/@me")
    await cleo.request("PUT", f"{path}/reactions/👍/@me")
    await cleo.wait_event("MESSAGE_REACTION_ADD")
    _, users = await rest("GET", f"{path}/reactions/👍")
    assert [each["id"] for each in users] == [str(cleo.id)]
    assert (await rest("GET", f"{path}/reactions/👎"))[1] == []
    await cleo.request("DELETE", f"{path}/reactions/👍/@me")
    await cleo.wait_event("MESSAGE_REACTION_REMOVE")
    assert "reactions" not in (await rest("GET", path))[1]
    for number in range(20):
        assert (await rest("PUT", f"{path}/reactions/{chr(0x1F600 + number)}/@me"))[0] == 204
    assert (await rest("PUT", f"{path}/reactions/👍/@me"))[1]["code"] == 30010


async def test_servers_channels_members_and_threads_can_be_read(
    rest: Rest, playground: Playground, cleo: Person
) -> None:
    guild = f"/guilds/{playground.world.home.id}"
    games = f"/channels/{channel_id(playground)}"
    _, read = await rest("GET", f"{guild}?with_counts=true")
    assert read["approximate_member_count"] == 4
    assert len((await rest("GET", f"{guild}/channels"))[1]) == 2
    assert len((await rest("GET", f"{guild}/roles"))[1]) == 2
    assert (await rest("GET", f"{guild}/members?limit=10"))[1]["code"] == 50001
    _, found = await rest("GET", f"{guild}/members/search?query=cle&limit=5")
    assert [each["user"]["id"] for each in found] == [str(cleo.id)]
    assert (await rest("GET", f"{guild}/members/{cleo.id}"))[0] == 200
    assert (await rest("GET", f"{guild}/members/1"))[1]["code"] == 10007
    assert (await rest("GET", f"/users/{cleo.id}"))[1]["global_name"] == "Cleo"
    assert len((await rest("GET", "/users/@me/guilds"))[1]) == 1
    _, thread = await rest("POST", f"{games}/threads", {"name": "t", "type": 11})
    path = f"/channels/{thread['id']}"
    assert (await rest("PUT", f"{path}/thread-members/{cleo.id}"))[0] == 204
    assert len((await rest("GET", f"{path}/thread-members"))[1]) == 2
    assert (await rest("GET", f"{path}/thread-members/{cleo.id}"))[0] == 200
    assert (await rest("DELETE", f"{path}/thread-members/{cleo.id}"))[0] == 204
    assert (await rest("GET", f"{path}/thread-members/{cleo.id}"))[1]["code"] == 10007
    assert (await rest("PUT", f"{games}/thread-members/@me"))[1]["code"] == 50024
    assert (await rest("DELETE", f"{path}/thread-members/@me"))[0] == 204
    _, active = await rest("GET", f"{guild}/threads/active")
    assert [each["id"] for each in active["threads"]] == [thread["id"]]
    assert (await rest("PATCH", path, {"name": "", "archived": True}))[1]["code"] == 50035
    _, done = await rest("PATCH", path, {"name": "over", "archived": True, "locked": True})
    assert (done["name"], done["thread_metadata"]["locked"]) == ("over", True)
    assert (await rest("PUT", f"{path}/thread-members/@me"))[1]["code"] == 50083
    _, archived = await rest("GET", f"{games}/threads/archived/public")
    assert [each["id"] for each in archived["threads"]] == [thread["id"]]
    assert (await rest("GET", f"{games}/threads/archived/private"))[1]["threads"] == []
    assert (await rest("PATCH", games, {"name": "x"}))[1]["code"] == 50013
    assert (await rest("DELETE", games))[1]["code"] == 50013
    assert (await rest("DELETE", path))[0] == 200
    assert (await rest("DELETE", f"/users/@me{guild}"))[0] == 204
    assert (await rest("GET", guild))[1]["code"] == 50001

"""The playground refuses what Discord refuses, with Discord's own codes.

A bare bot sends the requests, since the library would refuse many of them itself.
"""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from playground.clock import ManualClock
from playground.person import Person
from playground.server import Playground
from playground.wire import Json
from playground.world.model import ChannelType, Overwrite
from playground.world.permissions import Permission
from playground.world.state import Limits
from tests.playground.conftest import Rest, channel_id

V2 = 1 << 15


def text(content: str) -> Json:
    return {"type": 10, "content": content}


def button(custom_id: str = "b", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "B", "custom_id": custom_id, **more}


def row(*inner: Json) -> Json:
    return {"type": 1, "components": list(inner)}


def menu(number: int = 3, **more: Any) -> Json:
    listed = [{"label": str(n), "value": str(n)} for n in range(number)]
    return {"type": 3, "custom_id": "m", "options": listed, **more}


@pytest.fixture
def games(playground: Playground) -> str:
    return f"/channels/{channel_id(playground)}"


def faults(errors: Json, path: str = "") -> dict[str, str]:
    """The nested errors of a 50035 as {path: code}."""
    found = {}
    for key, inner in errors.items():
        if key == "_errors":
            found[path] = inner[0]["code"]
        else:
            found |= faults(inner, f"{path}.{key}" if path else key)
    return found


BAD_MESSAGES: dict[str, tuple[Json, str, str]] = {
    "long content": ({"content": "x" * 2001}, "content", "BASE_TYPE_MAX_LENGTH"),
    "content beside V2": (
        {"content": "x", "flags": V2, "components": [text("t")]},
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "V2 component without its flag": (
        {"content": "x", "components": [text("t")]},
        "components.0.type",
        "UNION_TYPE_CHOICES",
    ),
    "41 components": (
        {"flags": V2, "components": [text("t")] * 41},
        "components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "41 components, nested": (
        {
            "flags": V2,
            "components": [{"type": 17, "components": [text("t")] * 40}],
        },
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4001 characters in all": (
        {"flags": V2, "components": [text("x" * 2001), text("y" * 2000)]},
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    "the same custom id twice": (
        {"content": "x", "components": [row(button("a"), button("a"))]},
        "components.0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "six buttons": (
        {"content": "x", "components": [row(*(button(str(n)) for n in range(6)))]},
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a menu beside a button": (
        {"content": "x", "components": [row(menu(), button())]},
        "components.0.components",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "the same value twice": (
        {"content": "x", "components": [row(menu(options=[{"label": "a", "value": "v"}] * 2))]},
        "components.0.components.0.options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "more values than options": (
        {"content": "x", "components": [row(menu(2, max_values=3))]},
        "components.0.components.0.max_values",
        "SELECT_COMPONENT_MAX_VALUES_TOO_LARGE",
    ),
    "a button without a label": (
        {"content": "x", "components": [row({"type": 2, "style": 1, "custom_id": "b"})]},
        "components.0.components.0",
        "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
    ),
    "an emoji that is none": (
        {"content": "x", "components": [row(button(emoji={"name": "stone"}))]},
        "components.0.components.0.emoji.name",
        "COMPONENT_INVALID_EMOJI",
    ),
    "a link button with a custom id": (
        {"content": "x", "components": [row(button(style=5, url="https://example.com"))]},
        "components.0.components.0",
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "a file that was not sent": (
        {
            "flags": V2,
            "components": [{"type": 12, "items": [{"media": {"url": "attachment://b.png"}}]}],
        },
        "components.0.items.0.media.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "an attachment that was not sent": (
        {"content": "x", "attachments": [{"id": 0, "filename": "b.png"}]},
        "attachments.0.id",
        "ATTACHMENT_NOT_FOUND",
    ),
    "a section without an accessory": (
        {"flags": V2, "components": [{"type": 9, "components": [text("t")]}]},
        "components.0.accessory",
        "BASE_TYPE_REQUIRED",
    ),
    "eleven embeds": ({"embeds": [{"title": "x"}] * 11}, "embeds", "BASE_TYPE_MAX_LENGTH"),
    "mentions both ways": (
        {"content": "<@1>", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    "a reply to nothing": (
        {"content": "x", "message_reference": {"message_id": "1"}},
        "message_reference",
        "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
    ),
    "an ephemeral message without an interaction": (
        {"content": "x", "flags": 64},
        "flags",
        "MESSAGE_INVALID_FLAGS",
    ),
}


@pytest.mark.parametrize("case", BAD_MESSAGES)
async def test_50035_names_the_place_and_nothing_is_sent(
    case: str, playground: Playground, rest: Rest, games: str
) -> None:
    body, path, code = BAD_MESSAGES[case]
    status, answer = await rest("POST", f"{games}/messages", body)
    assert (status, answer["code"]) == (400, 50035)
    assert faults(answer["errors"]) == {path: code}
    assert playground.world.state.messages == {}


async def test_faults_are_all_told_at_once(rest: Rest, games: str) -> None:
    body = {"content": "x" * 2001, "components": [row(button("a" * 101), button("a" * 101))]}
    _, answer = await rest("POST", f"{games}/messages", body)
    assert len(faults(answer["errors"])) == 3


@pytest.mark.parametrize(
    "body", [{}, {"content": ""}, {"content": "  \n"}, {"flags": V2, "components": []}]
)
async def test_50006_an_empty_message(body: Json, rest: Rest, games: str) -> None:
    assert await rest.refusal("POST", f"{games}/messages", body) == (400, 50006)


async def test_a_full_v2_message_of_exactly_40_parts_and_4000_characters_passes(
    rest: Rest, games: str
) -> None:
    body = {
        "flags": V2,
        "components": [{"type": 17, "components": [text("x" * 100)] * 38 + [text("y" * 200)]}],
    }
    status, answer = await rest("POST", f"{games}/messages", body)
    assert status == 200
    assert [each["id"] for each in answer["components"][0]["components"]] == list(range(2, 41))


async def test_40005_a_file_over_ten_mebibytes(rest: Rest, games: str) -> None:
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps({"content": "big"}))
    form.add_field("files[0]", io.BytesIO(b"x" * (10 * 1024 * 1024 + 1)), filename="big.bin")
    status, answer = await rest("POST", f"{games}/messages", form=form)
    assert (status, answer["code"]) == (413, 40005)


async def test_an_uploaded_file_gets_a_safe_name_its_type_and_is_served(
    rest: Rest, games: str
) -> None:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps({"attachments": [{"id": 0, "description": "alt"}]}))
    form.add_field(
        "files[0]",
        b"<script>",
        filename="../../b d.html",
        content_type="application/octet-stream",
    )
    _, answer = await rest("POST", f"{games}/messages", form=form)
    (file,) = answer["attachments"]
    assert file["filename"] == "b_d.html"
    assert file["description"] == "alt"
    async with rest.session.get(file["url"]) as served:
        assert await served.read() == b"<script>"
        assert served.headers["Content-Disposition"] == "attachment"


async def test_a_file_is_whole_however_its_bytes_come(rest: Rest, games: str) -> None:
    picture = bytes(range(256)) * 200

    async def drip() -> AsyncIterator[bytes]:
        disposition = b'Content-Disposition: form-data; name="files[0]"; filename="board.png"'
        yield b"--seam\r\n" + disposition + b"\r\n\r\n"
        for piece in (picture[:5], picture[5:10], picture[10:], b"\r\n--se", b"am--\r\n"):
            await asyncio.sleep(0.02)
            yield piece

    async with rest.session.post(
        f"{rest.base}{games}/messages",
        data=drip(),
        headers={
            "Authorization": f"Bot {rest.token}",
            "Content-Type": "multipart/form-data; boundary=seam",
        },
    ) as sent:
        assert sent.status == 200
        (file,) = (await sent.json())["attachments"]
    async with rest.session.get(file["url"]) as served:
        assert await served.read() == picture


async def test_unknown_things_have_their_own_codes(rest: Rest, games: str) -> None:
    for method, path, code in (
        ("GET", "/channels/1", 10003),
        ("GET", f"{games}/messages/1", 10008),
        ("GET", "/users/1", 10013),
        ("GET", "/guilds/1", 10004),
        ("POST", "/interactions/1/x/callback", 10062),
        ("POST", "/webhooks/1000000000000000001/x", 10015),
        ("GET", "/applications/1000000000000000001/commands/1", 10063),
        ("GET", "/applications/5/commands", 10002),
    ):
        body = {"type": 5} if method == "POST" else None
        status, answer = await rest(method, path, body)
        assert (status, answer["code"]) == (404, code), path


async def test_an_unknown_address_is_404_and_counted(playground: Playground, rest: Rest) -> None:
    status, _ = await rest("GET", "/guilds/1/bans")
    assert status == 404
    assert playground.problems == ["UNIMPLEMENTED GET /api/v10/guilds/1/bans"]
    playground.front.unimplemented.clear()


async def test_a_wrong_token_is_401_and_broken_json_50109(rest: Rest, games: str) -> None:
    good, rest.token = rest.token, "wrong"
    assert (await rest("GET", "/users/@me"))[0] == 401
    rest.token = good
    async with rest.session.post(
        f"{rest.base}{games}/messages",
        data=b"{",
        headers={"Authorization": f"Bot {good}", "Content-Type": "application/json"},
    ) as answer:
        assert (await answer.json())["code"] == 50109


async def test_50001_and_50013_when_rights_are_taken_away(
    playground: Playground, rest: Rest, games: str, ada: Person
) -> None:
    where = f"/channels/{channel_id(playground)}/permissions/@bot"
    _, sent = await rest("POST", f"{games}/messages", {"content": "x"})
    await ada.request("PUT", where, {"type": 1, "allow": "0", "deny": str(1 << 11)})
    assert await rest.refusal("POST", f"{games}/messages", {"content": "x"}) == (403, 50013)
    assert (await rest("PATCH", f"{games}/messages/{sent['id']}", {"content": "y"}))[0] == 200
    await ada.request("PUT", where, {"type": 1, "allow": "0", "deny": str(1 << 10)})
    assert await rest.refusal("GET", f"{games}/messages/{sent['id']}") == (403, 50001)
    await ada.request("DELETE", where)
    assert (await rest("POST", f"{games}/messages", {"content": "x"}))[0] == 200


async def test_a_plain_member_may_not_change_rights_or_channels(cleo: Person) -> None:
    games = cleo.channel("games")
    for method, path, body in (
        ("PUT", f"/channels/{games}/permissions/@bot", {"type": 1, "allow": "0", "deny": "0"}),
        ("DELETE", f"/channels/{games}", None),
        ("POST", "/channels", {"guild_id": cleo.guild["id"], "name": "x"}),
        ("DELETE", f"/guilds/{cleo.guild['id']}/members/@bot", None),
    ):
        with pytest.raises(Exception, match="50013"):
            await cleo.request(method, path, body)


async def test_only_the_author_edits_and_moderators_delete(
    rest: Rest, games: str, cleo: Person
) -> None:
    said = await cleo.say(cleo.channel("games"), "mine")
    path = f"{games}/messages/{said['id']}"
    assert (await rest("PATCH", path, {"content": "yours"}))[1]["code"] == 50005
    assert (await rest("DELETE", path))[1]["code"] == 50013
    _, own = await rest("POST", f"{games}/messages", {"content": "x"})
    assert (await rest("DELETE", f"{games}/messages/{own['id']}"))[0] == 204


async def test_the_v2_flag_cannot_be_taken_away_again(rest: Rest, games: str) -> None:
    _, sent = await rest("POST", f"{games}/messages", {"flags": V2, "components": [text("a")]})
    path = f"{games}/messages/{sent['id']}"
    _, answer = await rest("PATCH", path, {"flags": 0, "components": [text("b")]})
    assert answer["flags"] == V2
    assert await rest.refusal(
        "PATCH", path, {"flags": 0, "content": "plain", "components": []}
    ) == (400, 50035)


async def test_an_edit_keeps_what_it_does_not_name_and_drops_what_it_does_not_list(
    playground: Playground, rest: Rest, games: str
) -> None:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps({"content": "both"}))
    form.add_field("files[0]", b"1", filename="a.txt")
    form.add_field("files[1]", b"2", filename="b.txt")
    _, sent = await rest("POST", f"{games}/messages", form=form)
    path = f"{games}/messages/{sent['id']}"
    _, edited = await rest("PATCH", path, {"content": "words"})
    assert [each["filename"] for each in edited["attachments"]] == ["a.txt", "b.txt"]
    kept = edited["attachments"][1]["id"]
    _, edited = await rest("PATCH", path, {"attachments": [{"id": kept}]})
    assert [each["filename"] for each in edited["attachments"]] == ["b.txt"]
    assert edited["content"] == "words"


async def test_enforce_nonce_gives_the_first_message_back(
    rest: Rest, games: str, clock: ManualClock
) -> None:
    body = {"content": "board", "nonce": "g1p2r0", "enforce_nonce": True}
    _, first = await rest("POST", f"{games}/messages", body)
    _, again = await rest("POST", f"{games}/messages", body)
    assert again["id"] == first["id"]
    assert again["nonce"] == "g1p2r0"
    _, other = await rest("POST", f"{games}/messages", body | {"nonce": "g1p3r0"})
    assert other["id"] != first["id"]
    clock.advance(400)
    _, later = await rest("POST", f"{games}/messages", body)
    assert later["id"] != first["id"]
    _, loose = await rest("POST", f"{games}/messages", body | {"enforce_nonce": False})
    assert loose["id"] != later["id"]


async def test_30046_old_messages_take_three_edits_in_six_seconds(
    rest: Rest, games: str, clock: ManualClock
) -> None:
    _, sent = await rest("POST", f"{games}/messages", {"content": "board"})
    path = f"{games}/messages/{sent['id']}"
    for _ in range(5):
        assert (await rest("PATCH", path, {"content": "fresh"}))[0] == 200
    clock.advance(3601)
    for _ in range(3):
        assert (await rest("PATCH", path, {"content": "old"}))[0] == 200
    status, answer = await rest("PATCH", path, {"content": "old"})
    assert (status, answer["code"]) == (429, 30046)
    assert 5 < answer["retry_after"] <= 6
    clock.advance(6.1)
    assert (await rest("PATCH", path, {"content": "old"}))[0] == 200


async def test_allowed_mentions_decide_who_is_mentioned(
    playground: Playground, rest: Rest, games: str, cleo: Person, ada: Person
) -> None:
    everyone = playground.world.home.id
    content = f"<@{cleo.id}> <@!{ada.id}> <@&{everyone}> @everyone <@1>"
    cases: tuple[tuple[Json | None, list[int]], ...] = (
        (None, [cleo.id, ada.id]),
        ({"parse": []}, []),
        ({"users": [str(ada.id)]}, [ada.id]),
        ({"users": [cleo.id]}, [cleo.id]),
        ({"parse": ["roles"]}, []),
    )
    for allowed, users in cases:
        body = {"content": content, "allowed_mentions": allowed}
        _, answer = await rest("POST", f"{games}/messages", body)
        assert [int(each["id"]) for each in answer["mentions"]] == users, allowed
        assert answer["mention_everyone"] is (allowed is None)


async def test_a_reply_mentions_its_author_unless_told_not_to(
    rest: Rest, games: str, cleo: Person
) -> None:
    said = await cleo.say(cleo.channel("games"), "hello")
    body = {"content": "hi", "message_reference": {"message_id": said["id"]}}
    _, answer = await rest("POST", f"{games}/messages", body)
    assert answer["type"] == 19
    assert answer["referenced_message"]["content"] == "hello"
    assert [each["id"] for each in answer["mentions"]] == [str(cleo.id)]
    quiet = {"parse": [], "replied_user": False}
    _, answer = await rest("POST", f"{games}/messages", body | {"allowed_mentions": quiet})
    assert answer["mentions"] == []


async def test_50278_a_user_with_no_server_in_common(
    playground: Playground, rest: Rest, cleo: Person
) -> None:
    _, direct = await rest("POST", "/users/@me/channels", {"recipient_id": cleo.id})
    path = f"/channels/{direct['id']}/messages"
    assert (await rest("POST", path, {"content": "x"}))[0] == 200
    playground.world.places.leave(playground.world.home.id, cleo.id)
    assert await rest.refusal("POST", path, {"content": "x"}) == (403, 50278)


async def start_thread(rest: Rest, games: str, **more: Any) -> Json:
    thread: Json
    _, thread = await rest("POST", f"{games}/threads", {"name": "t", "type": 11, **more})
    assert "id" in thread, thread
    return thread


async def test_50083_and_160005_in_archived_and_locked_threads(
    playground: Playground, rest: Rest, games: str, ada: Person
) -> None:
    thread = await start_thread(rest, games)
    path = f"/channels/{thread['id']}"
    _, sent = await rest("POST", f"{path}/messages", {"content": "x"})
    await rest("PATCH", path, {"archived": True})
    assert await rest.refusal("PATCH", f"{path}/messages/{sent['id']}", {"content": "y"}) == (
        400,
        50083,
    )
    assert (await rest("POST", f"{path}/messages", {"content": "wake"}))[0] == 200
    assert not playground.world.state.channels[int(thread["id"])].archived
    role = next(r for r in playground.world.state.roles.values() if r.bot_id)
    playground.world.places.set_role_permissions(
        role.id, role.permissions & ~int(Permission.MANAGE_THREADS)
    )
    await ada.request("PATCH", path, {"archived": True, "locked": True})
    assert await rest.refusal("POST", f"{path}/messages", {"content": "x"}) == (400, 160005)


async def test_160004_160006_and_50024_when_starting_threads(
    rest: Rest, games: str, playground: Playground
) -> None:
    _, sent = await rest("POST", f"{games}/messages", {"content": "x"})
    path = f"{games}/messages/{sent['id']}/threads"
    assert (await rest("POST", path, {"name": "a"}))[0] == 201
    assert (await rest("POST", path, {"name": "b"}))[1]["code"] == 160004
    assert (await rest("GET", f"{games}/messages/{sent['id']}"))[1]["flags"] & 32
    thread = await start_thread(rest, games)
    assert await rest.refusal("POST", f"/channels/{thread['id']}/threads", {"name": "c"}) == (
        400,
        50024,
    )


async def test_160006_too_many_active_threads(clock: ManualClock) -> None:
    async with (
        Playground(clock=clock, limits=Limits(active_threads=1)) as playground,
        aiohttp.ClientSession() as session,
    ):
        rest = Rest(playground.rest_url, session, playground.token)
        games = f"/channels/{channel_id(playground)}"
        first = await start_thread(rest, games, auto_archive_duration=60)
        _, answer = await rest("POST", f"{games}/threads", {"name": "t", "type": 11})
        assert answer["code"] == 160006
        clock.advance(3601)
        await start_thread(rest, games)
        _, old = await rest("GET", f"/channels/{first['id']}")
        assert old["thread_metadata"]["archived"]
        assert await rest.refusal(
            "POST", f"/channels/{first['id']}/messages", {"content": "x"}
        ) == (400, 160006)


async def test_a_private_thread_is_seen_by_its_members_alone(
    playground: Playground, rest: Rest, games: str, cleo: Person
) -> None:
    playground.world.places.set_overwrite(
        playground.world.state.channels[channel_id(playground)],
        Overwrite(playground.world.state.bot_id, 1, int(Permission.CREATE_PRIVATE_THREADS), 0),
    )
    thread = await start_thread(rest, games, type=12)
    with pytest.raises(Exception, match="50001"):
        await cleo.messages(int(thread["id"]))
    assert (await rest("PUT", f"/channels/{thread['id']}/thread-members/{cleo.id}"))[0] == 204
    await cleo.messages(int(thread["id"]))


async def test_an_announcement_channel_has_threads_of_its_own_kind_alone(
    rest: Rest, playground: Playground
) -> None:
    world = playground.world
    news = world.places.add_channel(world.home.id, "news", kind=ChannelType.ANNOUNCEMENT)
    path = f"/channels/{news.id}"
    for kind in ({"type": 11}, {"type": 12}, {}):
        assert await rest.refusal("POST", f"{path}/threads", {"name": "t", **kind}) == (400, 50035)
    assert (await start_thread(rest, path, type=10))["type"] == 10
    _, sent = await rest("POST", f"{path}/messages", {"content": "x"})
    _, thread = await rest("POST", f"{path}/messages/{sent['id']}/threads", {"name": "u"})
    assert thread["type"] == 10


async def test_history_is_read_in_pages(rest: Rest, games: str) -> None:
    for number in range(5):
        await rest("POST", f"{games}/messages", {"content": str(number)})
    _, newest = await rest("GET", f"{games}/messages?limit=2")
    assert [each["content"] for each in newest] == ["4", "3"]
    _, older = await rest("GET", f"{games}/messages?limit=2&before={newest[-1]['id']}")
    assert [each["content"] for each in older] == ["2", "1"]
    _, newer = await rest("GET", f"{games}/messages?limit=2&after={older[-1]['id']}")
    assert [each["content"] for each in newer] == ["3", "2"]
    _, around = await rest("GET", f"{games}/messages?limit=3&around={older[0]['id']}")
    assert [each["content"] for each in around] == ["3", "2", "1"]
    assert (await rest("GET", f"{games}/messages?limit=101"))[1]["code"] == 50035


async def test_reactions_and_pins_are_counted(
    rest: Rest, games: str, cleo: Person, ada: Person
) -> None:
    said = await cleo.say(cleo.channel("games"), "well played")
    path = f"{games}/messages/{said['id']}"
    await ada.request("PUT", f"{path}/reactions/👍/@me")
    assert (await rest("PUT", f"{path}/reactions/👍/@me"))[0] == 204
    assert (await rest("PUT", f"{path}/reactions/thumb/@me"))[1]["code"] == 10014
    _, message = await rest("GET", path)
    assert message["reactions"][0]["count"] == 2
    assert message["reactions"][0]["me"]
    assert (await rest("PUT", f"{games}/messages/pins/{said['id']}"))[1]["code"] == 50013
    await ada.request("PUT", f"{games}/pins/{said['id']}")
    _, pins = await rest("GET", f"{games}/messages/pins")
    assert [each["message"]["id"] for each in pins["items"]] == [said["id"]]

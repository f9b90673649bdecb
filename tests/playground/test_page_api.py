"""The page's side answers its own machine and its own page alone, and tells each what is theirs."""

from __future__ import annotations

import aiohttp
import pytest

from playground.doors import is_loopback
from playground.errors import DiscordError
from playground.person import Person
from playground.server import Playground
from tests.playground.conftest import Rest


async def status_of(playground: Playground, path: str, **headers: str) -> int:
    """Of the answer to a request from outside the page."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(playground.address + path, headers=headers) as answer,
    ):
        return answer.status


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "script"},
    ],
)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/page/static/app.js",
        "/page/people",
        "/page/api/users/@me",
        "/page/gateway?user=1",
        "/api/v10/gateway",
        "/api/v10/users/@me",
        "/api/v10/webhooks/1/x/messages/@original",
        "/gateway/",
        "/gateway",
        "/cdn/attachments/1/2/board.png",
        "/attachments/1/2/board.png",
        "/cdn/emojis/1.png",
        "/nowhere",
    ],
)
async def test_other_hosts_and_other_pages_are_refused(
    headers: dict[str, str], path: str, playground: Playground
) -> None:
    assert await status_of(playground, path, **headers) == 403


@pytest.mark.parametrize("path", ["/gateway/", "/", "/page/gateway?user={ada}"])
async def test_no_other_page_opens_a_websocket(path: str, playground: Playground) -> None:
    address = playground.address + path.format(ada=playground.world.home.owner_id)
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(address, origin="https://evil.example")
        async with session.ws_connect(address, origin=playground.address):
            pass
    assert refused.value.status == 403


async def test_a_link_from_another_page_may_be_followed(playground: Playground) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert await status_of(playground, "", **link) == 200


def test_no_two_playgrounds_have_one_token() -> None:
    assert Playground().token != Playground().token


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("//127.0.0.1:80", True),
        ("//localhost:8310", True),
        ("//[::1]:80", True),
        ("//127.0.0.1.evil.example", False),
        ("//10.0.0.1", False),
        ("//", False),
        ("//[::1", False),
    ],
)
def test_only_loopback_is_this_machine(host: str, here: bool) -> None:
    assert is_loopback(host) is here


async def test_it_listens_to_loopback_alone(playground: Playground) -> None:
    assert playground.address.startswith("http://127.0.0.1:")


async def test_nobody_speaks_as_the_bot_or_as_no_one(playground: Playground) -> None:
    bot = playground.world.state.bot_id
    async with aiohttp.ClientSession(playground.address) as session:
        for who in ("", "person", "person 1", f"person {bot}", f"Bot {playground.token}"):
            async with session.get("/page/api/users/@me", headers={"Authorization": who}) as answer:
                assert answer.status == 401
        async with session.get(f"/page/gateway?user={bot}") as answer:
            assert answer.status == 401


@pytest.mark.parametrize("path", ["..%2f..%2fserver.py", "..", "%2e%2e", "index.html%00", "no.js"])
async def test_static_files_stay_in_their_folder(path: str, playground: Playground) -> None:
    assert await status_of(playground, f"/page/static/{path}") == 404


async def test_a_newcomer_is_seen_by_those_who_are_there(
    playground: Playground, ada: Person
) -> None:
    async with await Person.join(playground.address, "Dora", locale="de") as dora:
        told = await ada.wait_event("GUILD_MEMBER_ADD", lambda m: m["user"]["id"] == str(dora.id))
        assert told.data["user"]["global_name"] == "Dora"
        assert dora.ready["user"]["locale"] == "de"
        assert {each["name"] for each in dora.guild["channels"]} == {"general", "games"}
        await dora.say(dora.channel("games"), "hello")
        await ada.wait_message(lambda m: m["content"] == "hello")
        await dora.request("POST", f"/channels/{dora.channel('games')}/typing")
        await ada.wait_event("TYPING_START", lambda t: t["user_id"] == str(dora.id))


async def test_a_scripted_person_is_marked_in_the_list_of_people(playground: Playground) -> None:
    async with (
        await Person.join(playground.address, "Dora"),
        await Person.join(playground.address, "Robin", scripted=True),
        aiohttp.ClientSession(playground.address) as session,
        session.get("/page/people") as answer,
    ):
        people = {each["global_name"]: each["scripted"] for each in await answer.json()}
    assert (people["Dora"], people["Robin"]) == (False, True)


@pytest.mark.parametrize("name", ["", " ", "x" * 33])
async def test_a_name_has_1_to_32_characters(name: str, playground: Playground) -> None:
    async with (
        aiohttp.ClientSession(playground.address) as session,
        session.post("/page/people", json={"name": name}) as answer,
    ):
        assert answer.status == 400


async def test_the_owner_makes_and_deletes_channels_and_all_are_told(
    ada: Person, cleo: Person
) -> None:
    made = await ada.request(
        "POST", "/channels", {"guild_id": ada.guild["id"], "name": "correspondence"}
    )
    await cleo.wait_event("CHANNEL_CREATE", lambda c: c["id"] == made["id"])
    await ada.request("PATCH", f"/channels/{made['id']}", {"topic": "slow games"})
    await cleo.wait_event("CHANNEL_UPDATE", lambda c: c["topic"] == "slow games")
    await cleo.say(int(made["id"]), "first")
    await ada.request("DELETE", f"/channels/{made['id']}")
    await cleo.wait_event("CHANNEL_DELETE", lambda c: c["id"] == made["id"])
    with pytest.raises(DiscordError) as gone:
        await cleo.say(int(made["id"]), "second")
    assert gone.value.code == 10003


async def test_a_channel_that_is_closed_to_someone_is_silent_for_them(
    ada: Person, cleo: Person
) -> None:
    games = ada.channel("games")
    body = {"type": 1, "allow": "0", "deny": str(1 << 10)}
    await ada.request("PUT", f"/channels/{games}/permissions/{cleo.id}", body)
    await ada.say(games, "between us")
    await ada.say(ada.channel("general"), "to all")
    await cleo.wait_message(lambda m: m["content"] == "to all")
    heard = [each.data["content"] for each in cleo.events if each.name == "MESSAGE_CREATE"]
    assert heard == ["to all"]
    with pytest.raises(DiscordError) as refused:
        await cleo.messages(games)
    assert refused.value.code == 50001


async def test_the_bot_can_be_put_out_and_invited_again(
    playground: Playground, ada: Person, rest: Rest
) -> None:
    guild = ada.guild["id"]
    await ada.request("DELETE", f"/guilds/{guild}/members/@bot")
    assert (await rest("GET", f"/guilds/{guild}"))[1]["code"] == 50001
    assert (await rest("GET", "/users/@me/guilds"))[1] == []
    await ada.request("PUT", f"/guilds/{guild}/members/@bot")
    assert (await rest("GET", f"/guilds/{guild}"))[0] == 200


async def test_a_second_server_can_be_founded(playground: Playground, cleo: Person) -> None:
    made = await cleo.request("POST", "/guilds", {"name": "Club"})
    told = await cleo.wait_event("GUILD_CREATE", lambda g: g["id"] == made["id"])
    assert [each["name"] for each in told.data["channels"]] == ["general"]


async def test_two_windows_of_one_person_hear_the_same(
    playground: Playground, cleo: Person
) -> None:
    async with await Person.come_back(playground.address, cleo.id) as other:
        await cleo.say(cleo.channel("games"), "hello")
        for window in (cleo, other):
            await window.wait_message(lambda m: m["content"] == "hello")


async def test_a_script_that_is_uploaded_does_not_run_in_the_page(
    playground: Playground, cleo: Person
) -> None:
    file = await cleo.upload("evil.html", b"<script>")
    url = f"{playground.cdn_url}/attachments/0/{file}/evil.html"
    async with cleo.session.get(url) as answer:
        assert answer.headers["Content-Disposition"] == "attachment"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"

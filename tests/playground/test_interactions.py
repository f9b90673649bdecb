"""The life of an interaction, by a bare bot that may answer wrongly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from playground.clock import ManualClock
from playground.errors import DiscordError
from playground.person import InteractionFailed, Person
from playground.server import Playground
from playground.wire import Json
from playground.world.model import Interaction
from playground.world.state import Limits
from tests.playground.conftest import Rest
from tests.playground.test_commands import COMMANDS, command, option
from tests.playground.test_rules import V2, button, menu, row, text

HOOK = "/webhooks/1000000000000000001"
CommandContext = Callable[[], Awaitable[Interaction]]


@pytest.fixture
async def run_command(rest: Rest, cleo: Person, playground: Playground) -> CommandContext:
    """Cleo runs a command; the interaction."""
    await rest("PUT", COMMANDS, [command(options=[option(autocomplete=True)])])

    async def act() -> Interaction:
        await cleo.slash("play", cleo.channel("games"))
        return list(playground.world.state.interactions.values())[-1]

    return act


def callback(made: Interaction) -> str:
    return f"/interactions/{made.id}/{made.token}/callback?with_response=1"


async def test_with_response_tells_of_the_message(run_command: CommandContext, rest: Rest) -> None:
    made = await run_command()
    body = {"type": 4, "data": {"content": "hi", "flags": 64}}
    status, answer = await rest("POST", callback(made), body)
    assert status == 200
    assert answer["interaction"]["id"] == str(made.id)
    assert answer["interaction"]["response_message_ephemeral"]
    assert answer["resource"]["message"]["content"] == "hi"
    assert answer["interaction"]["response_message_id"] == answer["resource"]["message"]["id"]


async def test_without_it_204(run_command: CommandContext, rest: Rest) -> None:
    made = await run_command()
    path = callback(made).removesuffix("?with_response=1")
    assert (await rest("POST", path, {"type": 5})) == (204, None)


async def test_10062_after_three_seconds_or_with_a_wrong_token(
    run_command: CommandContext, rest: Rest, clock: ManualClock
) -> None:
    made = await run_command()
    wrong = f"/interactions/{made.id}/x/callback"
    assert (await rest("POST", wrong, {"type": 5}))[1]["code"] == 10062
    clock.advance(3.01)
    assert await rest.refusal("POST", callback(made), {"type": 5}) == (404, 10062)


async def test_just_inside_three_seconds_is_in_time(
    run_command: CommandContext, rest: Rest, clock: ManualClock
) -> None:
    made = await run_command()
    clock.advance(2.5)
    assert (await rest("POST", callback(made), {"type": 5}))[0] == 200


async def test_40060_for_a_second_answer(run_command: CommandContext, rest: Rest) -> None:
    made = await run_command()
    await rest("POST", callback(made), {"type": 5})
    assert await rest.refusal("POST", callback(made), {"type": 4, "data": {"content": "x"}}) == (
        400,
        40060,
    )


async def test_an_answer_that_was_refused_leaves_the_interaction_open(
    run_command: CommandContext, rest: Rest
) -> None:
    made = await run_command()
    bad = {"type": 4, "data": {"content": "x" * 2001}}
    status, answer = await rest("POST", callback(made), bad)
    assert (status, answer["code"]) == (400, 50035)
    assert "data" in answer["errors"]
    assert (await rest("POST", callback(made), {"type": 5}))[0] == 200


@pytest.mark.parametrize("kind", [1, 3, 6, 7, 8, 12, 99])
async def test_a_command_takes_no_answer_that_is_for_other_deeds(
    kind: int, run_command: CommandContext, rest: Rest
) -> None:
    made = await run_command()
    body = {"type": kind, "data": {"content": "x", "choices": []}}
    assert (await rest("POST", callback(made), body))[1]["code"] == 50035


async def test_10015_before_the_first_answer_and_50027_after_fifteen_minutes(
    run_command: CommandContext, rest: Rest, clock: ManualClock
) -> None:
    made = await run_command()
    hook = f"{HOOK}/{made.token}"
    assert await rest.refusal("POST", hook, {"content": "x"}) == (404, 10015)
    await rest("POST", callback(made), {"type": 5})
    clock.advance(890)
    assert (await rest("PATCH", f"{hook}/messages/@original", {"content": "x"}))[0] == 200
    clock.advance(11)
    for method, path in (("PATCH", f"{hook}/messages/@original"), ("POST", hook)):
        assert await rest.refusal(method, path, {"content": "x"}) == (401, 50027)


async def test_thinking_ends_with_an_edit_a_follow_up_or_a_deletion(
    run_command: CommandContext, rest: Rest, cleo: Person
) -> None:
    for end in ("edit", "follow up", "delete"):
        made = await run_command()
        hook = f"{HOOK}/{made.token}"
        await rest("POST", callback(made), {"type": 5})
        _, thinking = await rest("GET", f"{hook}/messages/@original")
        assert thinking["flags"] == 128
        if end == "edit":
            body = {"components": [text("board")], "flags": V2}
            _, done = await rest("PATCH", f"{hook}/messages/@original", body)
            assert done["flags"] == V2
        elif end == "follow up":
            _, done = await rest("POST", hook, {"content": "done"})
            assert done["flags"] == 0
        else:
            assert (await rest("DELETE", f"{hook}/messages/@original"))[0] == 204
            assert (await rest("GET", f"{hook}/messages/@original"))[1]["code"] == 10008
            continue
        assert done["id"] == thinking["id"]
        assert done["edited_timestamp"] is None


async def test_follow_ups_are_edited_and_deleted_by_their_id_alone(
    run_command: CommandContext, rest: Rest
) -> None:
    made, other = await run_command(), await run_command()
    for each in (made, other):
        await rest("POST", callback(each), {"type": 4, "data": {"content": "first"}})
    hook = f"{HOOK}/{made.token}"
    _, more = await rest("POST", hook, {"content": "more", "flags": 64})
    assert more["flags"] == 64
    path = f"{hook}/messages/{more['id']}"
    assert (await rest("PATCH", path, {"content": "else"}))[1]["content"] == "else"
    foreign = f"{HOOK}/{other.token}/messages/{more['id']}"
    assert (await rest("PATCH", foreign, {"content": "x"}))[1]["code"] == 10008
    assert (await rest("DELETE", path))[0] == 204
    assert (await rest("GET", path))[1]["code"] == 10008


async def test_suggestions_are_checked_like_choices(
    run_command: CommandContext, rest: Rest, cleo: Person, playground: Playground
) -> None:
    await run_command()
    games = cleo.channel("games")
    data = {
        "id": (await cleo.command("play", games))["id"],
        "type": 1,
        "options": [{"type": 3, "name": "cell", "value": "a", "focused": True}],
    }
    await cleo.request(
        "POST", "/interactions", {"type": 4, "channel_id": str(games), "data": data, "nonce": "n"}
    )
    made = list(playground.world.state.interactions.values())[-1]
    for bad in (
        [{"name": str(n), "value": "v"} for n in range(26)],
        [{"name": "x" * 101, "value": "v"}],
        [{"name": "a", "value": "v" * 101}],
        [{"name": "a", "value": ""}],
        [{"name": "a", "value": 3}],
    ):
        status, _ = await rest("POST", callback(made), {"type": 8, "data": {"choices": bad}})
        assert status == 400, bad
    good = [{"name": "a1", "value": "a1"}]
    assert (await rest("POST", callback(made), {"type": 8, "data": {"choices": good}}))[0] == 200
    told = await cleo.wait_event("APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE")
    assert told.data["choices"] == good


@pytest.fixture
async def board(rest: Rest, cleo: Person) -> Json:
    """A message of the bot with two buttons and a menu."""
    body = {
        "content": "board",
        "components": [
            row(button("a"), button("off", disabled=True)),
            row(menu(3, min_values=1, max_values=2)),
        ],
    }
    await rest("POST", f"/channels/{cleo.channel('games')}/messages", body)
    return (await cleo.messages(cleo.channel("games")))[0]


@pytest.mark.parametrize(
    "deed",
    [
        ("gone", 2, None),
        ("off", 2, None),
        ("a", 3, ["0"]),
        ("m", 3, []),
        ("m", 3, ["0", "1", "2"]),
        ("m", 3, ["0", "0"]),
        ("m", 3, ["7"]),
    ],
)
async def test_what_a_client_cannot_do_with_components_never_reaches_the_bot(
    deed: tuple[str, int, Any], board: Json, cleo: Person, playground: Playground
) -> None:
    with pytest.raises(DiscordError) as refused:
        await cleo.use(board, *deed)
    assert refused.value.code == 50035
    assert playground.world.state.interactions == {}


async def test_a_click_carries_the_message_and_its_answer_may_update_it(
    board: Json, cleo: Person, rest: Rest, playground: Playground
) -> None:
    await cleo.click(board, custom_id="a")
    (made,) = playground.world.state.interactions.values()
    assert made.metadata["interacted_message_id"] == board["id"]
    body = {"type": 7, "data": {"content": "fresh", "components": []}}
    _, answer = await rest("POST", callback(made), body)
    assert answer["resource"]["type"] == 7
    told = await cleo.wait_event("MESSAGE_UPDATE")
    assert (told.data["id"], told.data["content"]) == (board["id"], "fresh")
    hook = f"{HOOK}/{made.token}/messages/@original"
    assert (await rest("GET", hook))[1]["id"] == board["id"]


async def test_another_persons_ephemeral_message_cannot_be_clicked(
    run_command: CommandContext, rest: Rest, cleo: Person, ada: Person
) -> None:
    made = await run_command()
    data = {"content": "yours", "flags": 64, "components": [row(button("a"))]}
    await rest("POST", callback(made), {"type": 4, "data": data})
    mine = await cleo.wait_message(lambda m: m["content"] == "yours")
    for person, is_shown in ((cleo, True), (ada, False)):
        history = await person.messages(int(mine["channel_id"]))
        assert any(each["id"] == mine["id"] for each in history) is is_shown
    with pytest.raises(DiscordError) as refused:
        await ada.click(mine, custom_id="a")
    assert refused.value.code == 10008
    await cleo.click(mine, custom_id="a")


BAD_MODALS: dict[str, Json] = {
    "no title": {"custom_id": "m", "components": [text("x")]},
    "long title": {"custom_id": "m", "title": "x" * 46, "components": []},
    "no parts": {"custom_id": "m", "title": "t", "components": []},
    "six parts": {"custom_id": "m", "title": "t", "components": [text("x")] * 6},
    "a button": {"custom_id": "m", "title": "t", "components": [row(button())]},
    "a label of nothing": {
        "custom_id": "m", "title": "t", "components": [{"type": 18, "label": "l"}],
    },
    "one option in radio": {
        "custom_id": "m",
        "title": "t",
        "components": [
            {
                "type": 18,
                "label": "l",
                "component": {
                    "type": 21, "custom_id": "r", "options": [{"label": "a", "value": "a"}],
                },
            }
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_MODALS)
async def test_50035_for_a_modal_against_the_rules(
    case: str, run_command: CommandContext, rest: Rest
) -> None:
    made = await run_command()
    body = {"type": 9, "data": BAD_MODALS[case]}
    assert (await rest("POST", callback(made), body))[1]["code"] == 50035


async def test_a_modal_is_sent_back_whole_and_checked(
    run_command: CommandContext, rest: Rest, cleo: Person, playground: Playground
) -> None:
    made = await run_command()
    options = [{"label": each, "value": each} for each in ("a", "b", "c")]
    controls = [
        {"type": 4, "custom_id": "text", "style": 1, "min_length": 2, "max_length": 4},
        {"type": 21, "custom_id": "radio", "options": options},
        {"type": 22, "custom_id": "boxes", "options": options, "max_values": 2},
        {"type": 23, "custom_id": "box"},
        {"type": 19, "custom_id": "file", "required": False, "min_values": 0},
    ]
    modal = {
        "custom_id": "m",
        "title": "t",
        "components": [{"type": 18, "label": "l", "component": each} for each in controls],
    }
    assert (await rest("POST", callback(made), {"type": 9, "data": modal}))[0] == 200
    shown = (await cleo.wait_event("INTERACTION_MODAL_CREATE")).data
    good: dict[str, Any] = {"text": "abc", "radio": "b", "boxes": ["a", "c"], "box": True}
    wrong: tuple[dict[str, Any], ...] = (
        {"text": "a"},
        {"text": "abcde"},
        {"radio": "z"},
        {"boxes": ["a", "b", "c"]},
        {"boxes": []},
    )
    for bad in wrong:
        with pytest.raises(DiscordError) as refused:
            await cleo.submit_modal(shown, **{**good, **bad})
        assert refused.value.code == 50035, bad
    file = await cleo.upload("a.txt", b"x")
    await cleo.submit_modal(shown, **good, file=[file])
    sent = list(playground.world.state.interactions.values())[-1]
    answers = [each["component"] for each in sent.data["components"]]
    assert [each.get("value", each.get("values")) for each in answers] == [
        "abc",
        "b",
        ["a", "c"],
        True,
        [str(file)],
    ]
    assert str(file) in sent.data["resolved"]["attachments"]
    assert sent.metadata["triggering_interaction_metadata"]["id"] == str(made.id)
    with pytest.raises(DiscordError):
        await cleo.submit_modal(shown | {"custom_id": "other"}, **good)


async def test_the_person_is_told_of_a_failure_when_the_time_is_over(
    observer: object,
) -> None:
    async with (
        Playground(limits=Limits(answer_seconds=0.1)) as playground,
        await Person.join(playground.address, "Cleo") as cleo,
    ):
        body = [command()]
        playground.world.commands.overwrite(body, None)
        nonce = await cleo.slash("play", cleo.channel("games"))
        with pytest.raises(InteractionFailed):
            await cleo.wait_success(nonce)


async def test_old_interactions_are_forgotten(
    run_command: CommandContext, rest: Rest, clock: ManualClock, playground: Playground
) -> None:
    made = await run_command()
    clock.advance(1801)
    await run_command()
    assert made.id not in playground.world.state.interactions
    assert await rest.refusal("POST", f"{HOOK}/{made.token}", {"content": "x"}) == (404, 10015)

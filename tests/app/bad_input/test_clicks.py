"""Buttons, menus and forms that are stale, foreign, forged or from another release."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.app.bad_input.conftest import BUTTON, SELECT, USERS, Still
from tests.support.hosted import Json, picks

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bad_clicks")]

FORGED = {
    "no_such_match": "p1:abcdefghij:1:move:",
    "no_match_at_all": "p1:-:0:move:",
    "an_action_that_is_none": "p1:{match}:2:dance:",
    "too_long_an_argument": "p1:{match}:2:move:" + "x" * 70,
    "too_long_an_argument_of_a_form": "p1:{match}:2:retrytype:" + "x" * 74,
    "a_version_to_come": "p1:{match}:999999:move:",
    "a_version_in_other_digits": "p1:{match}:٣:move:",
    "a_line_feed_at_the_end": "p1:{match}:2:move:\n",
    "the_template_of_another_release": "p0:{match}:2:move:",
    "an_id_of_another_bot": "challenge_accept_17",
    "nothing": "",
    "a_hundred_letters": "x" * 100,
    "half_a_surrogate_pair": "p1:{match}:2:\ud800:",
    "a_menu_as_a_button": "p1:{match}:2:matches:a1",
    "a_way_that_leads_nowhere": "p1:{match}:4:way:zz",
    "a_part_that_is_none": "p1:{match}:4:way:=77",
    "a_move_that_is_none": "p1:{match}:4:play:zz",
    "more_than_a_move": "p1:{match}:4:play:c3/d4/e5",
    "a_page_that_is_none": "p1:-:0:page:quax/x.n",
    "a_page_beyond_the_end": "p1:-:0:page:quax/99.n",
    "the_rules_of_no_game": "p1:-:0:rules:nogame",
    "the_lesson_of_no_game": "p1:-:0:learnit:nogame",
    "accepting_what_has_started": "p1:{match}:2:accept:",
    "withdrawing_what_has_started": "p1:{match}:2:withdraw:",
    "agreeing_to_no_draw": "p1:{match}:2:drawyes:",
    "a_draw_in_a_game_without": "p1:{match}:2:draw:",
    "a_pause_without_a_clock": "p1:{match}:2:pause:",
    "going_on_without_a_pause": "p1:{match}:2:resume:",
    "declining_no_pause": "p1:{match}:2:refuse:pause",
    "agreeing_to_what_nobody_knows": "p1:{match}:2:agree:marriage",
    "withdrawing_what_nobody_asked": "p1:{match}:2:retract:draw",
    "a_rematch_of_a_match_that_runs": "p1:{match}:2:rematch:",
    "a_rematch_of_no_match": "p1:-:0:rematch:",
    "aborting_too_late": "p1:{match}:4:abortyes:",
    "a_past_without_a_number": "p1:{match}:4:past:",
    "a_past_in_a_look_that_is_none": "p1:{match}:4:past:1.q",
    "an_endless_past": "p1:{match}:4:past:" + "1" * 40 + ".p",
    "sharing_nothing": "p1:{match}:4:share:",
    "an_offer_from_no_page_of_menus": "p1:-:0:soffer:",
}


@pytest.mark.parametrize("name", sorted(FORGED))
async def test_a_control_that_nobody_drew_changes_nothing(still: Still, name: str) -> None:
    await still.click(FORGED[name])


@pytest.mark.parametrize("name", ["p0", "an_id_of_another_bot"])
async def test_an_unknown_control_shows_the_present_board_instead(still: Still, name: str) -> None:
    custom_id = FORGED.get(name, f"{name}:{still.id}:2:move:")
    answer = await still.click(custom_id, "This button or menu is out of date.")
    assert any(each["type"] == 12 for each in walk(answer["components"]))
    assert "1 a1 · 2 b5" in all_text(answer)


@pytest.mark.parametrize("control", ["2:move:", "3:play:c3"])
async def test_a_click_on_an_older_board_shows_the_present_one(still: Still, control: str) -> None:
    answer = await still.click(f"p1:{{match}}:{control}", "The position has changed")
    assert "1 a1 · 2 b5" in all_text(answer)
    assert any(each["type"] == 12 for each in walk(answer["components"]))


@pytest.mark.parametrize("arg", ["~zz", "~=9", "~a1/a2", "c3~d4"])
async def test_a_choice_that_was_not_offered_changes_nothing(still: Still, arg: str) -> None:
    panel = await still.panel()
    asked, _, _ = next(iter(picks(panel).values())).partition("~")
    data = {"component_type": BUTTON, "custom_id": f"{asked}{arg}"}
    await still.refused(data, "out of date", message=panel)


@pytest.mark.parametrize(
    ("does", "values"),
    [
        ("pref:theme", ["../dark"]),
        ("pref:theme", ["dark", "light"]),
        ("pref:remind", ["5"]),
        ("pref:quiet", ["-1"]),
        ("pref:digest", ["٣"]),
        ("pref:nothing", ["x"]),
        ("sgame:", ["nogame"]),
        ("spreset:", ["x"]),
        ("sside:", []),
        ("guide:", []),
        ("guide:", ["quax", "quux"]),
    ],
)
async def test_a_choice_that_no_menu_offers_changes_nothing(
    still: Still, does: str, values: list[str]
) -> None:
    data = {"component_type": SELECT, "custom_id": f"p1:-:0:{does}", "values": values}
    await still.refused(data, "out of date", message=still.board)


async def test_people_that_are_none_are_not_invited(still: Still) -> None:
    page = await still.game.black.ask("play", still.game.channel)
    for values in ([], ["x"], ["1", "2", "3", "4"], ["-1"], ["9" * 30]):
        data = {"component_type": USERS, "custom_id": "p1:-:0:offer:guests", "values": values}
        await still.refused(data, where=still.game.channel, message=page)


async def test_a_click_from_direct_messages_reaches_a_player_and_nobody_else(still: Still) -> None:
    cleo = await still.table.join("Cleo")
    there = await cleo.say(await cleo.open_direct(), "hello")
    await still.click(
        "p1:{match}:4:resignyes:",
        "no such match",
        by=cleo,
        where=int(there["channel_id"]),
        message=there,
    )


async def test_a_board_without_its_match_answers_all_the_same(still: Still) -> None:
    for action in ("move", "text", "resign", "resignyes", "history", "replay", "export", "draw"):
        answer = await still.click(f"p1:aaaaaaaaaa:4:{action}:", "no such match", "out of date")
        assert "/" in all_text(answer), "there is a way on"


def _text(value: object, custom_id: str = "move") -> Json:
    return {"type": 18, "component": {"type": 4, "custom_id": custom_id, "value": value}}


def _nested(field: Json, depth: int) -> list[Json]:
    return [field] if not depth else [{"type": 1, "components": _nested(field, depth - 1)}]


FORMS: dict[str, object] = {
    "no_fields": [],
    "no_list": "a1",
    "nothing": None,
    "another_field": [_text("c3", "other")],
    "no_text": [_text(["c3"])],
    "four_thousand_letters": [_text("x" * 4000)],
    "four_thousand_lines": [_text("\n" * 4000)],
    "empty": [{"type": 1, "components": [{"type": 4, "custom_id": "move", "value": ""}]}],
    "nested_too_deep": _nested(_text("c3"), 40),
    "parts_that_are_none": [None, 7, "x"],
    "the_field_twice_the_last_wrong": [_text("c3"), _text("zz")],
}


@pytest.mark.parametrize("name", sorted(FORMS))
async def test_a_form_whose_fields_do_not_fit_changes_nothing(still: Still, name: str) -> None:
    form = {"custom_id": f"p1:{still.id}:4:typed:", "components": FORMS[name]}
    await still.refused(form, kind=InteractionType.MODAL)


@pytest.mark.parametrize(
    "custom_id", ["setup_form", "p1:{}:4:move:", "p1:-:0:typed:", "", "p0:{}:4:typed:"]
)
async def test_a_form_that_nobody_opened_changes_nothing(still: Still, custom_id: str) -> None:
    form = {"custom_id": custom_id.format(still.id), "components": [_text("c3")]}
    await still.refused(form, "out of date", "no such match", kind=InteractionType.MODAL)


async def test_an_interaction_of_an_unknown_kind_is_answered(still: Still) -> None:
    button = {"component_type": BUTTON, "custom_id": f"p1:{still.id}:4:move:"}
    heard = still.table.playground.faults.event(
        "INTERACTION_CREATE", change=lambda data: {**data, "type": 99}
    )
    await still.refused(button, "out of date", message=still.board)
    assert heard.hits == 1

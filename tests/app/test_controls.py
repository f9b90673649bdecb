"""Buttons, menus and forms that are stale, foreign, repeated, forged or from another release."""

from __future__ import annotations

import pytest
from hosted import Game, InteractionType, Json, all_text, find_control, walk

BUTTON, SELECT = 2, 3


def _button(custom_id: str) -> Json:
    return {"component_type": BUTTON, "custom_id": custom_id}


def _select(custom_id: str, values: list[str]) -> Json:
    return {"component_type": SELECT, "custom_id": custom_id, "values": values}


async def _panel(game: Game) -> Json:
    board = await game.board()
    return await game.black.wait_answer(await game.black.click(board, label="Make a move"))


async def test_c2_25_a_click_on_an_older_board_shows_the_present_one(game: Game) -> None:
    old = await game.board()
    await game.say(game.black, "a1")
    await game.say(game.white, "b2")
    await game.hosted.settled()
    make = find_control(old, label="Make a move")["custom_id"]
    answer = await game.hosted.raw(
        game.black, InteractionType.COMPONENT, game.home, _button(make), message=old
    )
    assert "The position has changed" in all_text(answer)
    assert "1 a1 · 2 b2" in all_text(answer)
    assert answer["flags"] & 64


async def test_c2_26_a_double_click_plays_once_and_is_no_error(game: Game) -> None:
    board = await game.board()
    panel = await game.black.wait_answer(await game.black.click(board, label="Make a move"))
    select = next(each for each in walk(panel["components"]) if each["type"] == SELECT)
    after = len(game.black.events)
    await game.black.select(panel, select["custom_id"], ["a1"])
    panel = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
    play = find_control(panel, label="Play a1")["custom_id"]
    after = len(game.black.events)
    for _ in range(3):
        game.hosted.playground.deliver_raw(
            InteractionType.COMPONENT,
            channel_id=game.home,
            user_id=game.black.id,
            data=_button(play),
            message_id=int(panel["id"]),
        )
    seen: set[str] = set()
    while len(seen) < 2:
        told = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
        after = (
            game.black.events.index(next(e for e in game.black.events[after:] if e.data is told))
            + 1
        )
        seen.add(all_text(told))
    assert seen == {"You have played a1.", "You have already played a1."}
    (match, _), *_ = await game.hosted.history()
    assert match.ply == 1


@pytest.mark.parametrize(
    "custom_id",
    [
        "p1:abcdefghij:1:move:",
        "p1:-:0:move:",
        "p1:{match}:2:dance:",
        "p1:{match}:2:move:" + "x" * 70,
        "p1:{match}:999999:move:",
        "p1:{match}:٣:move:",
        "p1:{match}:2:pick:a1",
        "p1:{match}:2:way:zz",
        "p1:{match}:2:way:=77",
        "p1:{match}:2:play:zz",
        "p1:{match}:2:play:",
        "p1:{match}:2:typed:",
        "p1:-:0:page:quax/x.n",
        "p1:-:0:page:quax/99.n",
        "p1:-:0:page:nogame/1.n",
        "p1:-:0:rules:nogame",
        "p1:-:0:rules:",
        "p1::2:move:",
        "p1:{match}:2:move:\n",
        "p0:{match}:2:move:",
        "challenge_accept_17",
        "",
        "x" * 100,
        "\0",
        "p1:{match}:2:accept:",
        "p1:{match}:2:decline:",
        "p1:{match}:2:withdraw:",
        "p1:{match}:2:drawyes:",
        "p1:{match}:2:draw:",
        "p1:{match}:2:choose:move",
    ],
)
async def test_c2_27_a_forged_control_is_answered_and_changes_nothing(
    game: Game, custom_id: str
) -> None:
    (match, _), *_ = before = await game.hosted.history()
    board = await game.board()
    answer = await game.hosted.raw(
        game.black,
        InteractionType.COMPONENT,
        game.home,
        _button(custom_id.format(match=match.id)),
        message=board,
    )
    assert all_text(answer)
    assert "wrong on our side" not in all_text(answer)
    assert answer["flags"] & 64
    assert await game.hosted.history() == before


async def test_an_unknown_control_shows_the_present_board(game: Game) -> None:
    board = await game.board()
    answer = await game.hosted.raw(
        game.black, InteractionType.COMPONENT, game.home, _button("old_release_7"), message=board
    )
    assert "This control is out of date." in all_text(answer)
    assert any(each["type"] == 12 for each in walk(answer["components"]))


@pytest.mark.parametrize(
    "values", [[], ["zz"], ["a1", "a2"], ["a1", "a1"], ["x" * 100], ["="], ["=9"], [""], ["a1/a2"]]
)
async def test_c2_29_values_that_were_not_offered_change_nothing(
    game: Game, values: list[str]
) -> None:
    panel = await _panel(game)
    select = next(each for each in walk(panel["components"]) if each["type"] == SELECT)
    before = await game.hosted.history()
    answer = await game.hosted.raw(
        game.black,
        InteractionType.COMPONENT,
        game.home,
        _select(select["custom_id"], values),
        message=panel,
    )
    assert "out of date" in all_text(answer)
    assert await game.hosted.history() == before


async def test_c2_30_a_panel_goes_on_after_a_restart(game: Game) -> None:
    panel = await _panel(game)
    await game.hosted.restart()
    select = next(each for each in walk(panel["components"]) if each["type"] == SELECT)
    after = len(game.black.events)
    await game.black.select(panel, select["custom_id"], ["c3"])
    panel = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
    await game.hosted.restart()
    after = len(game.black.events)
    await game.black.click(panel, label="Play c3")
    told = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
    assert "You have played c3." in all_text(told)


async def test_c2_33_confirming_after_the_position_has_changed_plays_nothing(game: Game) -> None:
    panel = await _panel(game)
    select = next(each for each in walk(panel["components"]) if each["type"] == SELECT)
    after = len(game.black.events)
    await game.black.select(panel, select["custom_id"], ["c3"])
    panel = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
    await game.say(game.black, "a1")
    await game.say(game.white, "a2")
    after = len(game.black.events)
    await game.black.click(panel, label="Play c3")
    told = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
    assert "The position has changed" in all_text(told)
    (match, _), *_ = await game.hosted.history()
    assert match.ply == 2


async def test_back_leads_to_the_question_before(game: Game) -> None:
    panel = await _panel(game)
    select = next(each for each in walk(panel["components"]) if each["type"] == SELECT)
    after = len(game.black.events)
    await game.black.select(panel, select["custom_id"], ["c3"])
    shown = panel["id"]
    panel = await game.black.wait_message(lambda m: m["id"] == shown, after=after)
    after = len(game.black.events)
    await game.black.click(panel, label="Back")
    panel = await game.black.wait_message(lambda m: m["id"] == shown, after=after)
    again = next(each for each in walk(panel["components"]) if each["type"] == SELECT)
    assert again["options"] == select["options"]


async def test_c3_35_a_form_that_was_open_during_a_restart_still_counts(game: Game) -> None:
    panel = await _panel(game)
    form = await game.black.wait_modal(await game.black.click(panel, label="Type a move"))
    await game.hosted.restart()
    after = len(game.black.events)
    await game.black.submit_modal(form, move="d4")
    told = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
    assert "You have played d4." in all_text(told)


async def test_c3_36_a_form_submitted_after_the_position_has_changed_plays_nothing(
    game: Game,
) -> None:
    panel = await _panel(game)
    form = await game.black.wait_modal(await game.black.click(panel, label="Type a move"))
    await game.say(game.black, "a1")
    await game.say(game.white, "a2")
    after = len(game.black.events)
    await game.black.submit_modal(form, move="d4")
    told = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
    assert "The position has changed" in all_text(told)


@pytest.mark.parametrize(
    "components",
    [
        [],
        [{"type": 18, "component": {"type": 4, "custom_id": "other", "value": "a1"}}],
        [{"type": 18, "component": {"type": 4, "custom_id": "move", "value": "x" * 4000}}],
        [{"type": 18, "component": {"type": 4, "custom_id": "move", "value": "\n" * 4000}}],
        [{"type": 1, "components": [{"type": 4, "custom_id": "move", "value": ""}]}],
    ],
)
async def test_c3_38_forms_with_fields_that_do_not_fit_change_nothing(
    game: Game, components: list[Json]
) -> None:
    before = await game.hosted.history()
    (match, _), *_ = before
    answer = await game.hosted.raw(
        game.black,
        InteractionType.MODAL,
        game.home,
        {"custom_id": f"p1:{match.id}:{match.version}:typed:", "components": components},
    )
    assert all_text(answer)
    assert "wrong on our side" not in all_text(answer)
    assert await game.hosted.history() == before


async def test_a_form_of_another_release_is_out_of_date(game: Game) -> None:
    answer = await game.hosted.raw(
        game.black,
        InteractionType.MODAL,
        game.home,
        {"custom_id": "setup_form", "components": []},
    )
    assert "This control is out of date." in all_text(answer)


async def test_resigning_and_aborting_ask_first(game: Game) -> None:
    board = await game.board()
    for label, question in (("Abort", "no result"), ("Resign", "You will lose it")):
        asked = await game.black.wait_answer(await game.black.click(board, label=label))
        assert question in all_text(asked)
        assert asked["flags"] & 64
    (match, _), *_ = await game.hosted.history()
    assert match.status.value == "running"
    await game.say(game.black, "a1")
    await game.say(game.white, "a2")
    abort = find_control(board, label="Abort")["custom_id"]
    late = await game.hosted.raw(
        game.black, InteractionType.COMPONENT, game.home, _button(abort), message=board
    )
    assert "only before its second move" in all_text(late)


async def test_the_other_wins_when_one_resigns(game: Game) -> None:
    asked = await game.black.wait_answer(await game.black.slash("resign", game.home))
    after = len(game.black.events)
    await game.black.click(asked, label="Resign")
    told = await game.black.wait_message(lambda m: m["id"] == asked["id"], after=after)
    assert f"<@{game.white.id}> wins!" in all_text(told)
    await game.hosted.settled()
    assert f"<@{game.black.id}> resigned." in all_text(await game.board())

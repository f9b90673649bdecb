"""Posted messages are found again by their words, in every language, and no others are."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.i18n import Language, Languages
from bot.posts.notices import NOTICES, NoticeKind
from bot.posts.sending import Notice, Reminder, VacationNews
from bot.ui.delivery.poster import has_control, has_words, is_line
from bot.ui.pages import clock_text, match_text, notice_text
from bot.ui.pages.components import Control
from bot.ui.rest import printed
from tests.domain.people import played, started
from tests.support.kit import ANN, BOB, START

CALLS = (NoticeKind.TURN, NoticeKind.TAKEBACK_AGREED)


def _language(locale: str) -> Language:
    return Languages().known()[locale]


@pytest.mark.parametrize("locale", Languages().known())
def test_every_call_is_known_after_any_move_and_nothing_else_is(locale: str) -> None:
    language = _language(locale)
    begun = started()
    moved = replace(played(begun, "b2"), last_move="f4-f6. b: c")
    user = BOB.user_id
    any_call = notice_text.any_call(moved, user, language)
    until = language.say(
        "Time runs out {time}: {date}.",
        time=clock_text.timestamp(START),
        date=clock_text.timestamp(START, "f"),
    )
    for match in (begun, moved, replace(moved, retired=(0,), moved_by=0)):
        for notice in CALLS:
            said = notice_text.line(match, user, notice, language)
            for after in ("", f" {until}", f" {until} <#77>", " <#77>"):
                message = {"content": printed(f"{said}{after}")}
                assert is_line(message, any_call), message
                assert is_line(message, said), "also by its very words"
                assert is_line(message, any_call, place=" <#77>") == after.endswith("<#77>")
                longer = {"content": printed(f"{said}x")}
                assert is_line(longer, said) == said.endswith("。"), "no space follows that"
    others = [
        notice_text.line(moved, user, kind, language)
        for kind in NOTICES.values()
        if kind not in CALLS
        and notice_text.request_of(moved, kind) is None
        and "_asked" not in kind.value
    ]
    others += [
        *(
            notice_text.words(Notice(moved, user, kind, ""), language)
            for kind in (Reminder(START), VacationNews(START), VacationNews(None))
        ),
        notice_text.line(moved, ANN.user_id, NoticeKind.TURN, language),
        notice_text.line(moved, UserId(22), NoticeKind.TURN, language),
        match_text.mention(user, language),
    ]
    for said in others:
        assert not is_line({"content": said}, any_call), said


@pytest.mark.parametrize("locale", Languages().known())
def test_a_line_is_known_although_its_moment_has_moved(locale: str) -> None:
    language = _language(locale)
    match, later = started(), START + timedelta(days=1)
    reminder, moved, other = (
        notice_text.words(Notice(match, who.user_id, Reminder(deadline), ""), language)
        for who, deadline in ((ANN, START), (ANN, later), (BOB, START))
    )
    assert reminder != moved
    shown = {"content": printed(f"{reminder} <#77>")}
    assert is_line(shown, moved, place=" <#77>")
    assert not is_line(shown, other)


def test_the_words_of_a_page_are_known_as_they_are_printed() -> None:
    said = "f4-f6。 f6-f4"
    assert has_words({"components": [{"content": printed(said)}]}, said)


def test_a_control_is_found_wherever_it_stands_and_no_other_for_it() -> None:
    control = Control("withdraw", "abcdefghij")
    button = {"type": 2, "custom_id": str(control)}
    for message in (
        {"components": [{"type": 1, "components": [button]}]},
        {"components": [{"type": 17, "components": [{"type": 9, "accessory": button}]}]},
    ):
        assert has_control(message, control)
        assert not has_control(message, replace(control, match="bbcdefghij"))
        assert not has_control(message, replace(control, action="accept"))
    nothing: tuple[Any, ...] = (
        {},
        {"components": None},
        {"components": [None, {"custom_id": 3}]},
    )
    for message in nothing:
        assert not has_control(message, control)

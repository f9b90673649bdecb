"""Threads beside the event loop."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.media.pictures import PictureMaker, give_way
from renderers import Picture, Style
from tests.app.test_pictures import _views, dots


def _is_known_here() -> bool:
    """Whether this system lets a thread give way at all."""
    if sys.platform != "linux":
        return False

    def asked() -> bool:
        try:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        except OSError:
            return False
        return os.sched_getscheduler(0) == os.SCHED_BATCH

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asked).result()


@pytest.mark.skipif(not _is_known_here(), reason="this system does not let threads give way")
async def test_threads_that_draw_do_not_interrupt_the_event_loop() -> None:
    mine = os.sched_getscheduler(0)
    policies: list[int] = []

    def render(view: object, style: object) -> Picture:
        policies.append(os.sched_getscheduler(0))
        return dots(b"x")

    maker = PictureMaker(render)
    await maker.picture(_views(1)[0], Style())
    maker.close()
    assert policies == [os.SCHED_BATCH]
    assert os.sched_getscheduler(0) == mine


def test_a_host_that_does_not_let_threads_give_way_is_none_the_worse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refused, raising=False)
    with ThreadPoolExecutor(1, initializer=give_way) as pool:
        assert pool.submit(threading.current_thread).result() is not threading.main_thread()

"""Interactions that nobody has thought of: each is drawn, often spoilt, and handled by the bot.

Commands, suggestions, controls and forms come from three people, at their worst and in their right
mind: pages that the bot shows are used as well, so that the drawing leads deep into it. Discord is
a stand-in that takes everything. ``make fuzz`` draws a million.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import os
import re
import sys
import time
from collections import OrderedDict, deque
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord import AppCommandOptionType as Kind
from discord import app_commands
from discord.webhook.async_ import AsyncWebhookAdapter

from bot.services.rate_limits import Cooldowns
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.registry import BUTTONS, FORMS, MENUS, OPENERS
from games import catalog
from playground.world import shapes
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.app.bad_input.conftest import BUTTON, GONE, ODD, Still, envelope_of
from tests.support.hosted import Hosted, Json, start_quax

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bad_random")]

FUZZ = int(os.environ.get("PARLOUR_FUZZ", "400"))
SEED = int(os.environ.get("PARLOUR_SEED", "1"))
_AT_ONCE = 20
_TYPING = 4
_SUGGESTIONS = 8
"""The type of an answer to what is being typed."""
_PAGES = 300
"""Pages that are remembered, to use their controls."""
_ANSWERS = 10_000
"""Answers that are remembered, to see that none is given twice."""
_WARM_UP = 30_000
_MOST_KEPT = 96
"""MiB by which memory may grow after these, however many follow: what the pictures, replays and
forms that are kept may have together."""
_TEXTS = (
    *("", " ", "c3", "d4 e5", "swap", "resign", "size 7", "size 7, pie off", "pie", "1d", "90s"),
    *("0", "1", "7", "25", "-1", "1e9", "9" * 30, "٣", "nan", "2026-12-24", "24.12.", "30/02/2027"),
    *("en", "de", "Europe/Warsaw", "UTC+99", "../x", "@everyone", "<@4713>", "</play:1>", "||x||"),
    *("a\0", "\ud800", "\u202ea1\u202c", "🙂" * 60, "[a](" * 400, "e" + "\u0301" * 900, "x" * 4000),
    *("\n" * 4000, "'; --", "{}", "%s%n", "p1:-:0:move:", "aaaaaaaaaa", "quax", "dark", "on"),
)
_ENDS = re.compile(":(resignyes|abortyes|agree|claim)")
"""Actions that would end a match and so make the rest of the test weaker."""
_NUMBERS = (0, 1, 2, 5, 25, -1, 2**31, 2**53, 2**63, 10**400, 1.5, True, None, "7")


class _Discord:
    """Takes what the bot answers, and remembers its pages."""

    def __init__(self) -> None:
        self.answered = self.twice = 0
        self.answers: OrderedDict[str, None] = OrderedDict()
        self.pages: deque[list[Json]] = deque(maxlen=_PAGES)
        self.forms: deque[Json] = deque(maxlen=_PAGES)
        self._ids = itertools.count(1 << 60)

    async def request(self, route: Any, *_session: object, **given: Any) -> object:
        """Take a request about an interaction."""
        parts = given.get("multipart")
        body = json.loads(parts[0]["value"]) if parts else given.get("payload") or {}
        json.dumps(body)
        data = body.get("data") or {}
        if shown := body.get("components") or data.get("components"):
            if "custom_id" in data:
                self.forms.append(data)
            else:
                self.pages.append(shown)
        if route.method == "DELETE":
            return None
        if route.url.endswith("/callback") and body.get("type") != _SUGGESTIONS:
            self.answered += 1
            self.twice += route.url in self.answers
            self.answers[route.url] = None
            if len(self.answers) > _ANSWERS:
                self.answers.popitem(last=False)
        return {"id": str(next(self._ids)), "interaction": {"id": "1", "type": 2}}


class _Drawn:
    """Interactions, drawn from a seed."""

    def __init__(self, still: Still, taker: _Discord, envelopes: list[str]) -> None:
        self.still, self.taker, self.envelopes = still, taker, envelopes
        self.rng = Random(SEED)
        self.may_end = False
        self.odd_ids: set[str] = set()
        tree = still.table.bot.client.tree
        self.commands = [c for c in tree.walk_commands() if isinstance(c, app_commands.Command)]
        self.ids = {
            each.name: each.id for each in still.table.playground.world.state.commands.values()
        }
        self.people = [
            still.game.black.id,
            still.game.white.id,
            still.table.playground.world.state.bot_id,
        ]

    def draw(self) -> Json:
        """The next one."""
        rng, state = self.rng, self.still.table.playground.world.state
        made = rng.choice((self._command, self._control, self._control, self._form))()
        while not self.may_end and _ENDS.search(str(made["data"].get("custom_id"))):
            made = self._control()
        envelope: Json = json.loads(rng.choice(self.envelopes)) | json.loads(json.dumps(made))
        envelope["id"] = own = str(state.ids.next())
        envelope["token"] = f"{own}-token"
        if rng.random() < 0.6:
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                self._spoil(envelope if rng.random() < 0.5 else envelope.get("data"))
        if (spoilt := envelope.get("id")) != own:  # no two have the same
            envelope["token"] = f"{own}-token"
            if repr(spoilt) in self.odd_ids:
                envelope["id"] = own
            self.odd_ids.add(repr(spoilt))
        return envelope

    def _spoil(self, part: Any) -> None:
        """Have some part of it be missing, or something else."""
        rng = self.rng
        while isinstance(part, dict | list) and part:
            key = rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
            if not isinstance(part[key], dict | list) or rng.random() < 0.2:
                value = rng.choice((*ODD, GONE, *_TEXTS, *_NUMBERS))
                if value is GONE:
                    del part[key]
                else:
                    part[key] = copy.copy(value)
                return
            part = part[key]

    def _text(self) -> str:
        rng = self.rng
        if rng.random() < 0.3:
            return rng.choice((*catalog.GAMES, self.still.id, *map(str, self.people)))
        if rng.random() < 0.3:
            return f"{rng.choice('abcdefghop')}{rng.randint(0, 16)}"
        return rng.choice(_TEXTS)

    def _value(self, kind: Kind) -> object:
        rng = self.rng
        if rng.random() < 0.1:
            return rng.choice((*ODD, *_NUMBERS))
        if kind in (Kind.user, Kind.attachment):
            return str(rng.choice((*self.people, 4713, 2**63)))
        if kind is Kind.integer:
            return rng.choice(_NUMBERS)
        return rng.choice((True, False)) if kind is Kind.boolean else self._text()

    def _command(self) -> Json:
        rng, state = self.rng, self.still.table.playground.world.state
        leaf = rng.choice(self.commands)
        top, _, inner = leaf.qualified_name.partition(" ")
        options: list[Json] = [
            {"type": each.type.value, "name": each.name, "value": self._value(each.type)}
            for each in leaf.parameters
            if rng.random() < (0.9 if each.required else 0.4)
        ]
        is_typing = bool(options) and rng.random() < 0.3
        if is_typing:
            rng.choice(options)["focused"] = True
        users = {str(each): shapes.user(state.user(each)) for each in self.people}
        options = [{"type": 1, "name": inner, "options": options}] if inner else options
        kind = InteractionType.AUTOCOMPLETE if is_typing else InteractionType.COMMAND
        data = {"id": str(self.ids.get(top, 1)), "name": top, "type": 1, "options": options}
        return {"type": kind.value, "data": data | {"resolved": {"users": users}}}

    def _custom_id(self, actions: list[str]) -> str:
        rng = self.rng
        match = rng.choice((self.still.id, self.still.id, "-", "aaaaaaaaaa"))
        version = rng.choice((0, 2, 3, 4, 4, 4, 5, 99))
        return f"p1:{match}:{version}:{rng.choice(actions)}:{self._text()}"[:100]

    def _control(self) -> Json:
        rng = self.rng
        shown = rng.choice(self.taker.pages) if self.taker.pages else []
        known = [
            each for each in walk(shown) if "custom_id" in each and each["type"] in range(2, 9)
        ]
        if known and rng.random() < 0.7:
            data = rng.choice(known)
            kind, offered = data["type"], data.get("options")
        else:
            kind, offered = rng.choice((BUTTON, BUTTON, 3, 5)), None
            actions = list(MENUS) if kind != BUTTON else [*BUTTONS, *(name for name, _ in OPENERS)]
            data = {"custom_id": self._custom_id(actions)}
        used: Json = {"component_type": kind, "custom_id": data["custom_id"]}
        if kind != BUTTON:
            values = [each["value"] for each in offered or ()] or [
                self._text(),
                str(self.people[0]),
            ]
            used["values"] = rng.sample(values, rng.choice((0, 1, 1, 1, len(values))))
        message = self.still.board | {"components": shown, "flags": rng.choice((0, 64, 64))}
        return {"type": InteractionType.COMPONENT.value, "data": used, "message": message}

    def _form(self) -> Json:
        rng = self.rng
        if self.taker.forms and rng.random() < 0.7:
            form = rng.choice(self.taker.forms)
            custom_id = form["custom_id"]
            names = [each["custom_id"] for each in walk(form["components"]) if "custom_id" in each]
        else:
            custom_id, names = self._custom_id(list(FORMS)), ["move"]
        fields = [
            {
                "type": 18,
                "id": 1,
                "component": {"type": 4, "custom_id": name, "value": self._text()},
            }
            for name in names
        ]
        return {
            "type": InteractionType.MODAL.value,
            "data": {"custom_id": custom_id, "components": fields},
            "message": self.still.board,
        }


def _forget(table: Hosted) -> None:
    """Have the stand-in not keep what has been posted; only the bot's memory is to count."""
    for person in table.people:
        person.events.clear()
    table.playground.world.state.files.clear()


def _resident() -> int:
    """MiB that this process is resident in."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


async def _envelopes(still: Still) -> list[str]:
    """The envelopes around the data: of both players and an onlooker, here and there."""
    direct = await still.game.black.open_direct()
    cleo = await still.table.join("Cleo")
    asked = await still.command("move", {"move": "zz"})
    return [
        json.dumps(await envelope_of(still, InteractionType.COMMAND, asked, by=by, where=where))
        for by, where in (
            (still.game.black, still.game.home),
            (still.game.white, still.game.home),
            (still.game.black, still.game.channel),
            (cleo, still.game.home),
            (still.game.black, direct),
        )
    ]


@pytest.mark.long
@pytest.mark.timeout(0)
async def test_no_interaction_is_a_bug_or_goes_unanswered(
    still: Still,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With many of them, the memory used is shown on the way, and stays as it is."""
    caplog.set_level("ERROR")
    game = await start_quax(still.table, options="size 15, pie off")
    ((match, _), *_) = await still.table.history()
    still = Still(game, match, await game.board())
    client, nobodys, owed, warm = still.table.bot.client, 0, 0, 0
    drawn = _Drawn(still, taker := _Discord(), await _envelopes(still))
    context_of = InteractionHandler._context

    def context(handler: InteractionHandler, interaction: Any) -> object:
        nonlocal nobodys
        found = context_of(handler, interaction)
        nobodys += found is None
        return found

    async def request(_adapter: object, route: Any, *session: object, **given: Any) -> object:
        return await taker.request(route, *session, **given)

    monkeypatch.setattr(InteractionHandler, "_context", context)
    monkeypatch.setattr(AsyncWebhookAdapter, "request", request)
    monkeypatch.setattr(Cooldowns, "take", lambda *_given: True)
    parse = client._connection.parsers["INTERACTION_CREATE"]
    began = time.monotonic()
    for first in range(0, FUZZ, _AT_ONCE):
        others = asyncio.all_tasks()
        for _ in range(first, min(first + _AT_ONCE, FUZZ)):
            drawn.may_end = first > 0.9 * FUZZ
            envelope, unread = drawn.draw(), client.malformed
            parse(envelope)
            owed += client.malformed == unread and envelope.get("type") != _TYPING
        if begun := asyncio.all_tasks() - others:
            _, late = await asyncio.wait(begun, timeout=60)
            assert not late
        assert not caplog.records, caplog.text
        _forget(still.table)
        if first == _WARM_UP:
            warm = _resident()
        if first % 10_000 == 0 and FUZZ > 10_000:
            with capsys.disabled():
                took = time.monotonic() - began
                sys.stdout.write(f"\n{first:,} interactions, {took:.0f} s, {_resident()} MiB")
                sys.stdout.flush()
    async with asyncio.timeout(10):
        while taker.answered < owed - nobodys:
            await asyncio.sleep(0.01)
    assert taker.answered == owed - nobodys
    assert not taker.twice
    assert owed > FUZZ // 2, "most can be read"
    assert FUZZ <= _WARM_UP or _resident() - warm < _MOST_KEPT

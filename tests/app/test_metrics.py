"""The series of a bot for Prometheus, and that alerts and the dashboard use them."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from bot import metrics
from tests.support.hosted import Game, hosted, start_quax

DEPLOY = Path(__file__).parents[2] / "deploy"


def _series(text: str) -> dict[tuple[str, ...], float]:
    """Each series by its name and the values of its labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _get(port: int, path: str) -> tuple[int, str]:
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


async def test_a_match_shows_in_the_series_and_no_person_does(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    before = _series(metrics.text().decode())
    async with hosted(tmp_path, health_port=port) as table:
        game = await start_quax(table)
        await game.say(game.black, "a1")
        await game.say(game.black, "a2")
        await table.settled()
        code, told = await asyncio.to_thread(_get, port, "/metrics")
        now = _series(told)

        def more(*key: str) -> float:
            return now.get(key, 0) - before.get(key, 0)

        assert code == 200
        assert more("parlour_match_events_total", "moved") == 1
        assert more("parlour_match_events_total", "started") == 1
        assert more("parlour_interactions_total", "application_command", "refused") == 1
        assert more("parlour_interactions_total", "application_command", "done") >= 2
        assert more("parlour_answer_seconds_count", "application_command") >= 3
        assert sum(more(*key) for key in now if key[0] == "parlour_posts_total") >= 2
        assert more("parlour_post_age_seconds_count") >= 2
        assert more("parlour_discord_answers_total", "POST", "200") >= 1
        assert more("parlour_transaction_seconds_count", "write") > 3
        assert more("parlour_sweep_seconds_count", "heartbeat") >= 1
        assert now["parlour_connected",] == now["parlour_database",] == 1
        assert now["parlour_shard_connected", "0"] == 1
        assert now["parlour_database_bytes",] > 10_000
        assert now["parlour_jobs_waiting", "turn"] == now["parlour_posts_due_since_seconds",] == 0
        ids = {str(each.id) for each in table.people} | {str(game.home)}
        assert not [each for each in ids if each in told]

        code, said = await asyncio.to_thread(_get, port, "/health/ready")
        assert (code, json.loads(said)["shards"]) == (200, {"0": True})
        table.playground.gateway.trouble.refuse_status = 503
        table.playground.gateway.abort_all()
        async with asyncio.timeout(10):
            while (await asyncio.to_thread(_get, port, "/health/ready"))[0] == 200:
                await asyncio.sleep(0.05)
        assert (await asyncio.to_thread(_get, port, "/health/live"))[0] == 200
        table.playground.gateway.trouble.refuse_status = None


@pytest.mark.parametrize("file", ["prometheus/parlour.rules.yml", "grafana/parlour.json"])
def test_alerts_and_panels_are_made_of_series_that_there_are(file: str) -> None:
    ends = {"counter": ["_total"], "histogram": ["", "_bucket", "_sum", "_count"], "gauge": [""]}
    there = {
        f"{family.name}{end}" for family in metrics.REGISTRY.collect() for end in ends[family.type]
    }
    used = set(re.findall(r"\b(?:parlour|process)_[a-z_]+\b", (DEPLOY / file).read_text()))
    assert used
    assert used <= there


@pytest.mark.parametrize(
    ("path", "way"),
    [
        ("/api/v10/channels/123456789/messages", "/channels/:id/messages"),
        ("/api/v10/interactions/123456789/aW50/callback", "/interactions/:id/:token/callback"),
        (
            "/api/v10/channels/123456789/messages/987654321/reactions/%F0%9F%91%8D/@me",
            "/channels/:id/messages/:id/reactions",
        ),
        ("/attachments/1/2/board.png", "elsewhere"),
    ],
)
def test_the_route_of_a_request_names_nobody(path: str, way: str) -> None:
    assert metrics.route(path) == way


@pytest.mark.long
async def test_an_interaction_is_traced_with_its_parts_and_names_nobody(game: Game) -> None:
    spans = InMemorySpanExporter()
    metrics.trace_with(SimpleSpanProcessor(spans))
    try:
        await game.say(game.black, "a1")
        await game.hosted.settled()
    finally:
        metrics.trace_with(None)
    found = spans.get_finished_spans()
    (whole,) = [each for each in found if each.name == "interaction application_command"]
    parts = {each.name for each in found if each.parent == whole.context}
    assert {"database read", "database write"} <= parts
    assert any(each.startswith("discord POST /interactions/:id/:token") for each in parts), parts
    assert not [each.name for each in found if each.parent is None and each is not whole]
    told = " ".join(each.to_json() for each in found)
    for number in (game.black.id, game.white.id, game.home, game.channel):
        assert str(number) not in told

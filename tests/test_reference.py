"""The reference data are what the originals say, wherever those are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tests.reference import FOLDER, reference
from tests.reference.extract import EVENT_SCHEMAS, bare, extract, served

ORIGINALS = Path(os.environ.get("PARLOUR_SHARED", Path(__file__).parents[1] / "../shared"))


def test_the_data_are_up_to_date_with_the_originals_beside_the_project() -> None:
    for name, text in extract(ORIGINALS).items():
        kept = (FOLDER / name).read_text(encoding="utf-8")
        assert kept == text, f"{name}: run make reference FROM={ORIGINALS}"


def test_what_discord_says_is_kept_of_every_operation_that_the_playground_serves() -> None:
    kept = {bare(name) for name in reference("discord")["operations"]}
    assert kept == served(), "run make reference FROM=the folder of Discord's description"


def test_prose_and_what_nothing_uses_are_left_out(tmp_path: Path) -> None:
    schemas: dict[str, Any] = {
        key: {"type": "object", "description": "Prose"} for key in EVENT_SCHEMAS
    }
    schemas["Sent"] = {
        "type": "object",
        "title": "Prose",
        "properties": {"description": {"type": "string", "maxLength": 9, "description": "Prose"}},
        "required": ["description"],
    }
    schemas["Kind"] = {"type": "integer", "oneOf": [{"title": "Prose", "const": 1}, {"const": 2}]}
    schemas["Unused"] = {"type": "integer"}
    operation = {
        "operationId": "Prose",
        "requestBody": _json("Sent"),
        "responses": {
            "200": {"description": "Prose", **_json("Kind")},
            "204": {"description": "Prose"},
            "4XX": {"$ref": "#/components/responses/Error"},
        },
    }
    description = {
        "paths": {
            "/channels/{id}/messages": {"parameters": [], "post": operation},
            "/moon": {"post": operation},
        },
        "components": {"schemas": schemas, "responses": {"Error": _json("Kind")}},
    }
    (tmp_path / "discord-openapi.json").write_text(json.dumps(description))
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors/two.json").write_text('{"quax": {"moves": ["a1"], "note": "Prose"}}')

    made = {name: json.loads(text) for name, text in extract(tmp_path).items()}

    assert made == {
        "discord.json": {
            "operations": {
                "POST /channels/{id}/messages": {
                    "request": {"$ref": "#/schemas/Sent"},
                    "responses": {
                        "200": {"$ref": "#/schemas/Kind"},
                        "204": None,
                        "4XX": {"$ref": "#/schemas/Kind"},
                    },
                }
            },
            "schemas": {
                **{key: {"type": "object"} for key in EVENT_SCHEMAS},
                "Kind": {"type": "integer", "enum": [1, 2]},
                "Sent": {
                    "type": "object",
                    "properties": {"description": {"type": "string", "maxLength": 9}},
                    "required": ["description"],
                },
            },
        },
        "vectors/quax.json": {"moves": ["a1"]},
    }


def _json(schema: str) -> dict[str, object]:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}}

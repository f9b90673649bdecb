"""Reference data that the project is held against, kept here so that the tests stand alone.

- ``discord.json``: what Discord's OpenAPI description says of the operations that the playground
  serves: fields, enums and limits, without its prose.
- ``vectors``: positions, games and counts of moves for each game.
- ``rulings.json``: the numbers of the rulings in the rules of each game.
- ``swiss``: fifty tournaments in FIDE's report format (TRF), for a program that pairs players. Each
  round was paired by bbpPairings 6.0 (Dutch system of 2026); a right pairing, given the rounds
  before, has the same opponents, the same sides and the same bye. The file's name tells players,
  rounds and the seed of the generator.

``make reference FROM=folder`` writes them again from the originals.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def reference(name: str) -> dict[str, Any]:
    """The data of that name: "discord", "rulings" or "vectors/" and a game's key."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found

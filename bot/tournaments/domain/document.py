"""A tournament as the programs of others read it, described in docs/records.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.tournaments.domain.tiebreaks import Placing
from bot.tournaments.domain.tournament import Tournament
from bot.webhooks.domain import person_document


def tournament_document(t: Tournament, places: Sequence[Placing]) -> dict[str, Any]:
    """A tournament as programs read it, with its standings as they are."""
    standings: list[dict[str, Any]] = [
        {
            **person_document(t.entrants[each.number - 1].user_id),
            "place": each.rank,
            "division": each.division or None,
            "points": float(each.points),
            "rating": t.entrants[each.number - 1].rating,
        }
        for each in places
    ]
    return {
        "id": t.id,
        "name": t.setup.name,
        "game": t.setup.game,
        "format": t.setup.format.value,
        "status": t.status.value,
        "begins": t.begins.isoformat(),
        "ended": t.updated_at.isoformat() if t.status.is_final else None,
        "rounds": len(t.rounds),
        "standings": standings,
    }

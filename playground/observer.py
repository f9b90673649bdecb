"""Observers of the playground's traffic: tests put a validator here."""

from __future__ import annotations

from typing import Any, Protocol

from playground.wire import Json


class Observer(Protocol):
    """Sees the whole traffic with a bot."""

    def request(self, method: str, path: str, content: Any) -> None:
        """The bot sent a request; ``path`` begins after /api/v10, ``content`` is JSON or None."""
        ...

    def response(self, method: str, path: str, status: int, content: Any) -> None:
        """The playground answered."""
        ...

    def event(self, name: str, data: Json) -> None:
        """The playground sent an event by the gateway."""
        ...


class Indifferent:
    """Ignores everything."""

    def request(self, method: str, path: str, content: Any) -> None:
        """Do nothing."""

    def response(self, method: str, path: str, status: int, content: Any) -> None:
        """Do nothing."""

    def event(self, name: str, data: Json) -> None:
        """Do nothing."""

"""How the owner ends Parlour from Discord, and whether a supervisor then restarts it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum

from bot.settings import HOLD


class Shutdown(Enum):
    """The owner's choice."""

    RESTART = "restart"
    STOP = "stop"


class Ended(Exception):
    """The owner has ended Parlour, and everything is closed."""

    def __init__(self, how: Shutdown) -> None:
        super().__init__(how.value)
        self.how = how


class Supervisor(Enum):
    """The supervisor of this process, which may restart it."""

    HELD = "held"
    """Docker or similar, which restarts any process that ends: a stopped one has to wait."""
    SYSTEMD = "systemd"
    KUBERNETES = "kubernetes"
    UNKNOWN = "unknown"


def is_to_hold(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the host wants a process that only a person can fix to wait instead of ending."""
    return environment.get(HOLD, "").strip().lower() in ("1", "true", "yes", "on")


def supervisor(environment: Mapping[str, str] = os.environ) -> Supervisor:
    """The supervisor of this process, as far as its environment shows."""
    if is_to_hold(environment):
        return Supervisor.HELD
    if "KUBERNETES_SERVICE_HOST" in environment:
        return Supervisor.KUBERNETES
    if environment.get("SYSTEMD_EXEC_PID") == str(os.getpid()):
        return Supervisor.SYSTEMD
    return Supervisor.UNKNOWN

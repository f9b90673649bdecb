"""How the owner ends Parlour from Discord, and whether what runs it then starts it again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum

from bot.settings import HOLD


class Shutdown(Enum):
    """What the owner wants."""

    RESTART = "restart"
    STOP = "stop"


class Ended(Exception):
    """The owner has ended Parlour, and everything is closed."""

    def __init__(self, how: Shutdown) -> None:
        super().__init__(how.value)
        self.how = how


class Supervisor(Enum):
    """What started this process, and would start it again."""

    HELD = "held"
    """Docker or the like, which starts again whatever ends: so what is to stay stopped waits."""
    SYSTEMD = "systemd"
    KUBERNETES = "kubernetes"
    UNKNOWN = "unknown"


def is_to_hold(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the host wants a process that only a person can mend to stay instead of ending."""
    return environment.get(HOLD, "").strip().lower() in ("1", "true", "yes", "on")


def supervisor(environment: Mapping[str, str] = os.environ) -> Supervisor:
    """What started this process, as far as its environment tells."""
    if is_to_hold(environment):
        return Supervisor.HELD
    if "KUBERNETES_SERVICE_HOST" in environment:
        return Supervisor.KUBERNETES
    if environment.get("SYSTEMD_EXEC_PID") == str(os.getpid()):
        return Supervisor.SYSTEMD
    return Supervisor.UNKNOWN

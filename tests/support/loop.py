"""The loop that the bot runs on."""

try:
    from uvloop import new_event_loop
except ImportError:  # no wheel for this machine
    from asyncio import new_event_loop  # type: ignore[assignment]

__all__ = ["new_event_loop"]

"""Custom ids: what a button, menu or form stands for.

A custom id says which control it is and what it was drawn for. It carries no authority: who may do
what is asked of the services each time, and whatever a client sends back is read with suspicion.
There is one template, anchored at both ends, so no id is ever taken for two things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NO_MATCH = "-"
LIMIT = 100
_TEMPLATE = re.compile(
    r"p1:(?P<match>[a-z0-9]{1,24}|-):(?P<version>[0-9]{1,9}):(?P<action>[a-z]{1,12})"
    r":(?P<arg>[A-Za-z0-9@^!+:x/=~.,_*-]*)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Control:
    """A control of a message: what it does, and for which match at which version.

    ``match`` is :data:`NO_MATCH` and ``version`` 0 where no match is concerned. ``arg`` is what
    the action needs, in ASCII letters, digits and ``@^!+:x/=~.,_*-``.
    """

    action: str
    match: str = NO_MATCH
    version: int = 0
    arg: str = ""

    def __str__(self) -> str:
        """The custom id; :exc:`ValueError` if it would not be read back as this control."""
        text = f"p1:{self.match}:{self.version}:{self.action}:{self.arg}"
        found = _TEMPLATE.fullmatch(text)
        mine = (self.match, str(self.version), self.action, self.arg)
        if found is None or found.groups() != mine or len(text) > LIMIT:
            raise ValueError(text)
        return text

    @property
    def is_writable(self) -> bool:
        """Whether there is a custom id for this control, within Discord's limit."""
        try:
            return bool(str(self))
        except ValueError:
            return False

    @classmethod
    def read(cls, text: object) -> Control | None:
        """The control of a custom id, or None if it is none of ours."""
        if not isinstance(text, str) or len(text) > LIMIT:
            return None
        found = _TEMPLATE.fullmatch(text)
        if found is None:
            return None
        return cls(found["action"], found["match"], int(found["version"]), found["arg"])

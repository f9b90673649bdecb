"""Why a database must not be used, or cannot be now."""

from __future__ import annotations

_PASSING = frozenset({"in_use", "busy", "unreachable"})


class StoreRefused(Exception):
    """The database must not be used as it is, or cannot be used now.

    ``code`` is ``lost``, ``rewound``, ``other``, ``corrupt``, ``foreign``, ``newer``,
    ``not_upgraded``, ``unsafe``, ``folder``, ``login``, ``missing``, ``tls``, ``driver``,
    ``refused`` or ``url``, which are for a person to mend; or ``in_use``, ``busy`` or
    ``unreachable``, which may pass by themselves. ``str()`` says in words for the host what is
    wrong and what to do.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code

    @property
    def may_pass(self) -> bool:
        """Whether trying again later may help."""
        return self.code in _PASSING

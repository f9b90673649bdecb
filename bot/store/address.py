"""Addresses of databases, as people and their hosting companies write them.

``postgres://`` is ``postgresql://``, and a password need not be escaped: what stands between the
first colon after the user and the last ``@`` before the host is the password, whatever is in it.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.refused import StoreRefused

_FORMS = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+_]*):")
_POSTGRES = (
    r"postgres(?:ql)?(?:\+[a-z0-9_]+)?://(?:(?P<user>[^:@/?#]*)(?::(?P<password>{}))?@)?"
    r"(?P<place>(?:[^:@/?#]*|\[[0-9a-f:.]+\])(?::[0-9]*)?)(?:/(?P<name>[^/?#]*))?(?:\?(?P<query>.*))?"
)
_PASSWORDS = ("[^@/?#]*", ".*")
"""As it should be written, and anything at all."""
_READINGS = [re.compile(_POSTGRES.format(each), re.IGNORECASE) for each in _PASSWORDS]


def read_address(text: str) -> URL:
    """The address of a SQLite file or of a PostgreSQL, with everything in it escaped.

    Raises :exc:`StoreRefused` (``url``); what is said of the address does not name its password.
    """
    text = text.strip()
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise _unclear(f"does not begin with sqlite: or postgresql:. Write it as {_FORMS}.")
    backend = scheme[1].lower().partition("+")[0]
    if backend in ("postgres", "postgresql"):
        return _postgres(text)
    if backend != "sqlite":
        raise _unclear(f"names {backend}. Parlour keeps matches in sqlite or postgresql: {_FORMS}.")
    try:
        address = make_url(text)
    except ArgumentError:
        raise _unclear(f"cannot be read. Write it as {_FORMS}.") from None
    if address.host:
        raise _unclear("has two slashes too few or too many: write it as sqlite:///PATH.")
    return address


def _postgres(text: str) -> URL:
    for reading in _READINGS:
        found = reading.fullmatch(text)
        if found is not None:
            break
    else:
        raise _unclear(f"cannot be read. Write it as {_FORMS}.")
    user, password = (
        None if part is None else quote(unquote(part), safe="")
        for part in (found["user"], found["password"])
    )
    who = "" if user is None else user if password is None else f"{user}:{password}"
    at = "@" if who else ""
    query = "" if found["query"] is None else f"?{found['query']}"
    try:
        address = make_url(f"postgresql://{who}{at}{found['place']}/{found['name'] or ''}{query}")
    except (ArgumentError, ValueError):
        raise _unclear(f"cannot be read. Write it as {_FORMS}.") from None
    if "ssl" in address.query and "sslmode" not in address.query:
        address = address.update_query_dict({"sslmode": address.query["ssl"]})
        address = address.difference_update_query(("ssl",))
    return address


def _unclear(words: str) -> StoreRefused:
    return StoreRefused("url", f"PARLOUR_DATABASE {words}")

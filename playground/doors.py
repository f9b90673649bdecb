"""Access control: only this machine's programs and the playground's own page may send requests.

Any page that is open in a browser of this machine can send requests here, so every one of them is
checked before it reaches a handler: the bot's API, the gateway, files and the page's side alike.
"""

from __future__ import annotations

from collections.abc import Container
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware


def guard(names: Container[str]) -> Middleware:
    """Refuse, with 403, pages from elsewhere and hosts that are neither loopback nor in ``names``.

    The ``Host`` of a name that was rebound to this machine is still that name. ``Origin`` comes
    with each request by which another page could read or change data, ``Sec-Fetch-Site`` also with
    the rest, such as its pictures; following a link to here is fine.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not is_loopback(f"//{request.host}") and request.host not in names:
            raise web.HTTPForbidden(text="The playground answers to its own machine alone.")
        origin = request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site", "none")
        is_link = request.headers.get("Sec-Fetch-Dest") == "document" and request.method == "GET"
        if origin is None:
            is_foreign = site not in {"none", "same-origin"} and not is_link
        else:
            is_foreign = origin.partition("://")[2] != request.host
        if is_foreign:
            raise web.HTTPForbidden(text="The playground answers to its own page alone.")
        return await handler(request)

    return check


def is_loopback(url: str) -> bool:
    """Whether the host of an address is this machine."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False

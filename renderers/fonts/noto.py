"""Noto Sans CJK, whole, with the letters of every Chinese, Japanese and Korean name.

``python -m renderers.fonts.noto`` fetches it from its makers, unless it is there.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

_URL = "https://github.com/notofonts/noto-cjk/raw/Sans2.004/Sans/OTC/NotoSansCJK-Regular.ttc"
_SHA256 = "b76b0433203017ca80401b2ee0dd69350349871c4b19d504c34dbdd80541690a"
_BYTES = 19_484_784
_FETCHED = Path(__file__).parent / "NotoSansCJK-Regular.ttc"
_PLACES = (
    _FETCHED,
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
    Path("/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc"),
    Path("/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc"),
)
"""Beside this file, and its places in Debian and Ubuntu, Arch, and Fedora."""


def installed() -> Path | None:
    """The font, if this machine has it."""
    return next((place for place in _PLACES if place.exists()), None)


def main() -> int:
    """Fetch it; returns the exit code."""
    if installed() is not None:
        return 0
    try:
        with urlopen(_URL, timeout=60) as answer:
            font = answer.read(_BYTES + 1)
    except OSError as error:
        why = f"cannot be fetched ({error})"
    else:
        if sha256(font).hexdigest() == _SHA256:
            fresh = _FETCHED.with_suffix(".new")
            fresh.write_bytes(font)
            fresh.replace(_FETCHED)
            return 0
        why = "is not the file that it should be"
    sys.stderr.write(
        f"{_URL} {why}. Debian and Ubuntu have the same font: apt install fonts-noto-cjk\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())

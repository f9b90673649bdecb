"""``python -m tests.reference FROM`` writes the reference data again from the originals.

``FROM`` is a folder with ``discord-openapi.json`` (``specs/openapi.json`` in Discord's repository
discord-api-spec), ``vectors`` and ``rules``. What the folder lacks stays as it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.reference import FOLDER
from tests.reference.extract import extract


def main(arguments: list[str]) -> int:
    """Write what the folder holds originals of; 1 if it holds none."""
    if len(arguments) != 1:
        sys.exit("usage: python -m tests.reference FROM")
    extracted = extract(Path(arguments[0]))
    for name, text in extracted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(extracted)} files written\n")
    return 0 if extracted else 1


sys.exit(main(sys.argv[1:]))

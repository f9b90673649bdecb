"""Releases that are not there yet: today's migrations, and pretended ones that follow them."""

from __future__ import annotations

import os
import shutil
import textwrap
from pathlib import Path

from bot.store import schema
from tests.support.forked import run_bot

_MIGRATION = """
import re

import sqlalchemy as sa
from alembic import op

revision = "{name}"
down_revision = "{before}"
UNUSED = {unused}
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade():
{upgrade}
"""

HARMLESS = """
op.add_column("matches", sa.Column("mood", sa.Text()))
op.add_column("matches", sa.Column("rank", NUMBER, nullable=False, server_default="0"))
op.create_table("moods", sa.Column("id", NUMBER, primary_key=True))
op.create_index("ix_matches_mood", "matches", ["mood"])
"""
"""Changes of tables that a release may make while processes of the one before go on."""
ADDED = ("matches.mood", "matches.rank")
"""Their additions, which are ``unused``: the code of these tests has no such columns."""
NEW_KIND = """
name = op.f("ck_events_kind")
found = sa.inspect(op.get_bind()).get_check_constraints("events")
kinds = re.findall(r"'(\\w+)'", next(each["sqltext"] for each in found if each["name"] == name))
with op.batch_alter_table("events") as events:
    events.drop_constraint(name, type_="check")
    events.create_check_constraint(name, sa.column("kind").in_([*kinds, "slept"]))
"""
"""Another kind of event."""


def run_next_release(arguments: tuple[str, ...]) -> None:
    """``parlour`` of a release with the migrations of the folder ``NEXT_RELEASE``."""
    schema.MIGRATIONS = Path(os.environ["NEXT_RELEASE"])
    run_bot(arguments)


def number_of(revision: str) -> int:
    """The number that the name of a revision begins with."""
    return int(revision[:4])


def follow(
    *upgrades: str, folder: Path, oldest: int | None = None, unused: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Write today's migrations and these after them, to be taken for ``schema.MIGRATIONS``.

    Returns the names of the new ones. At each of them code of the one before may work; at the last,
    that of ``oldest``. ``unused`` is what code no longer needs from the first on.
    """
    shutil.copytree(schema.MIGRATIONS, folder)
    before = max(each.stem for each in folder.glob("versions/rev_*.py")).removeprefix("rev_")
    names: list[str] = []
    for upgrade in upgrades:
        number = number_of(before)
        reach = oldest if oldest is not None and upgrade is upgrades[-1] else number
        name = f"{number + 1:04}_from_{reach:04}"
        text = _MIGRATION.format(
            name=name,
            before=before,
            unused=() if names else unused,
            upgrade=textwrap.indent(upgrade, "    "),
        )
        (folder / "versions" / f"rev_{name}.py").write_text(text, encoding="utf-8")
        names.append(name)
        before = name
    return tuple(names)

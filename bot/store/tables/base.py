"""What all tables share, and what is known of the database itself."""

from __future__ import annotations

from sqlalchemy import (
    REAL,
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    Integer,
    MetaData,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

Number = BigInteger().with_variant(Integer(), "sqlite")
Real: Double[float] = Double().with_variant(REAL(), "sqlite")


NAMED = {"person": "named"}
"""A column with the id of a person, in a row that others need: erased, it has a pseudonym."""
OWN = {"person": "own"}
"""One in a row that is the person's alone, or of no use without them: the row is erased."""
CHOSEN = {"person": "chosen"}
"""The same of what another has chosen about the person, who is not told which other."""


def one_of(column: str, values: list[str], name: str) -> CheckConstraint:
    """The constraint that a text column holds one of these values."""
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({words})", name=name)


installation = Table(
    "installation",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created_at", Number, nullable=False),
    sqlite_strict=True,
)
"""One row: which installation this database belongs to."""

applications = Table(
    "applications",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=False),
    sqlite_strict=True,
)
"""The applications of Discord that were served with this database; 0 stands for the next
one."""

verification = Table(
    "verification",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=False),
    Column("after", Text, nullable=False),
    Column("whole_at", Number),
    CheckConstraint("id = 1", name="one"),
    sqlite_strict=True,
)
"""One row: after which match histories are to be verified further, and when last all had been."""

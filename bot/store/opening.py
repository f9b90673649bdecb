"""Opening a database by its address, or refusing to, with what the host can do about it.

Addresses are read as people and their hosting companies write them.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from urllib.parse import quote, unquote

from sqlalchemy import URL, Connection, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from bot.store import upkeep
from bot.store.database import StoreRefused
from bot.store.files import (
    bring_up,
    check_file,
    check_readable,
    damage_told,
    folder_told,
    forget_lost,
    keep_private,
    lock,
    prepare,
    refuse_schema,
)
from bot.store.guards import HighWater, mark_of
from bot.store.postgres import PostgresDatabase, engine_of, is_in_the_way, why_refused
from bot.store.records import ANY
from bot.store.schema import SchemaState, may_catch_up, schema_state
from bot.store.sqlite import SqliteDatabase, looking_engine
from bot.store.store import Store
from bot.store.tables import installation

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


# ---- addresses -----------------------------------------------------------------------------------

_LOCK_TIMEOUT = 5
"""How long a transaction on PostgreSQL waits for a lock, in seconds, as long as one on SQLite."""
_PATIENCE = 15.0
"""How long a statement waits for PostgreSQL, in seconds, before the connection counts as lost."""
_UPGRADES, _IN_THE_WAY, _PAUSE = 20, 1, 3.0
"""How often the tables are tried to be brought up, for how many seconds others then wait behind a
statement that waits for them, and how many seconds they have in between."""


async def open_store(
    url: str, *, data: Path | None = None, set_aside: bool = False, catches_up: bool = False
) -> Store:
    """Open the database of that URL, making it if this is the first start.

    ``sqlite:///PATH`` or ``postgresql://USER:PASSWORD@HOST/NAME``. A SQLite file is brought to the
    newest schema. PostgreSQL, which other processes may be using, waits for
    :func:`upgrade_store`; with ``catches_up`` only where these could not work on. ``data`` is the
    folder in which is kept how far a PostgreSQL has come;
    without it an older one is not noticed. ``set_aside``: a SQLite file is not refused because one
    of its newest matches is damaged; the match is set aside. Raises :exc:`StoreRefused`.
    """
    address = read_address(url)
    if address.get_backend_name() == "sqlite":
        return await _open_sqlite(sqlite_path(url), set_aside)
    return await _open_postgres(address, data, catches_up=catches_up)


async def open_reader(url: str, *, whole: bool = False) -> Store:
    """Open a database to look at it, also while the bot runs; nothing can be written.

    ``whole`` has SQLite look through the whole file for damage first, however large it is. Raises
    :exc:`StoreRefused`.
    """
    address = read_address(url)
    if address.get_backend_name() != "sqlite":
        return await _open_postgres(address)
    path = sqlite_path(url)
    await check_readable(path, whole=whole)
    return Store(SqliteDatabase(path, read_only=True))


async def waits_for_upgrade(url: str) -> bool:
    """Whether a SQLite file is of an older release, and opening it would change its tables.

    Raises :exc:`StoreRefused`.
    """
    address = read_address(url)
    if address.get_backend_name() != "sqlite" or not sqlite_path(url).exists():
        return False
    path = sqlite_path(url)
    engine = looking_engine(path)
    try:
        with damage_told(path):
            async with engine.connect() as connection:
                return await connection.run_sync(schema_state) is SchemaState.OLDER
    finally:
        await engine.dispose()


async def upgrade_store(url: str) -> None:
    """Bring the database of that URL to the newest schema, making it if there is none."""
    address = read_address(url)
    if address.get_backend_name() == "sqlite":
        await (await open_store(url)).close()
    else:
        await _bring_up_postgres(address)


async def _bring_up_postgres(address: URL) -> None:
    engine = engine_of(address, settings={"lock_timeout": f"{_IN_THE_WAY}s"})
    try:
        for left in reversed(range(_UPGRADES)):
            try:
                async with engine.begin() as connection:
                    await connection.execute(text("SELECT pg_advisory_xact_lock(7271)"))
                    await connection.run_sync(prepare)
            except DBAPIError as error:
                if not left or not is_in_the_way(error):
                    raise why_refused(error) from error
                await asyncio.sleep(_PAUSE)
            else:
                return
    finally:
        await engine.dispose()


async def start_over(url: str) -> None:
    """Make an empty database where the one before is lost, for the next application.

    Raises :exc:`StoreRefused`, among others for a database in which something has happened.
    """
    if read_address(url).get_backend_name() == "sqlite":
        await asyncio.to_thread(forget_lost, sqlite_path(url))
    await upgrade_store(url)
    async with await open_store(url) as store:
        if await store.read(upkeep.is_used):
            raise StoreRefused(
                "url",
                "There are matches in the database, so nothing was changed. To start over without"
                " them, move it away first, or name another one.",
            )
        await store.write(upkeep.serve, ANY)


def sqlite_path(url: str) -> Path:
    """The file that a SQLite URL names; :exc:`StoreRefused` if it names none."""
    name = read_address(url).database
    if not name or name == ":memory:" or not Path(name).name:
        raise StoreRefused("url", "PARLOUR_DATABASE names no file; sqlite:///parlour.db would do.")
    return Path(name)


# ---- SQLite ---------------------------------------------------------------------------------


async def _open_sqlite(path: Path, set_aside: bool) -> Store:
    with folder_told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        unlock = lock(path)
        mark = HighWater(mark_of(path))
        try:
            keep_private(path)
            check_file(path)
            await bring_up(path, mark, set_aside=set_aside)
            keep_private(path)
            return Store(SqliteDatabase(path, on_close=unlock), mark=mark)
        except BaseException:
            mark.close()
            unlock()
            raise


# ---- PostgreSQL -----------------------------------------------------------------------------


async def _open_postgres(
    address: URL, data: Path | None = None, *, catches_up: bool = False
) -> Store:
    engine = engine_of(
        address,
        settings={"lock_timeout": f"{_LOCK_TIMEOUT}s"},
        patience=_PATIENCE,
        pool_size=5,
        max_overflow=5,
        pool_timeout=5,
    )
    try:
        if catches_up:
            async with engine.connect() as connection:
                is_older = await connection.run_sync(may_catch_up)
            if is_older:
                await _bring_up_postgres(address)
        async with engine.connect() as connection:
            await connection.run_sync(_check_postgres)
            mark = await connection.run_sync(_check_mark, data)
    except StoreRefused:
        await engine.dispose()
        raise
    except DBAPIError as error:
        await engine.dispose()
        raise why_refused(error) from error
    return Store(PostgresDatabase(engine), mark=mark)


def _check_mark(connection: Connection, data: Path | None) -> HighWater | None:
    """Refuse a database that lacks what this process, or one beside it, had stored there."""
    found = connection.execute(installation.select()).first()
    if data is None or found is None:
        return None
    mark = HighWater(data / f"postgres-{found.id}.newest")
    if not mark.is_there(connection):
        raise StoreRefused(
            "rewound",
            "The database is older than what was here: moves that Parlour had stored are missing."
            " Either it was put back to a backup, or a standby took over that did not have them."
            " Put the newest state back. If you mean to go on from this earlier one, remove"
            f" {mark.path}: the moves that came after it are lost, and the number at the foot of a"
            " board tells how far its match had come.",
        )
    mark.begin(connection)
    return mark


def _check_postgres(connection: Connection) -> None:
    for setting in ("fsync", "synchronous_commit"):
        value = connection.execute(text(f"SHOW {setting}")).scalar()
        if value == "off":
            raise StoreRefused(
                "unsafe",
                f"PostgreSQL runs with {setting}=off and would lose moves in a power cut. "
                f"Set {setting}=on.",
            )
    state = schema_state(connection)
    refuse_schema(connection, state)
    if state not in (SchemaState.CURRENT, SchemaState.AHEAD):
        raise StoreRefused(
            "not_upgraded",
            "The database has no tables yet, or old ones that processes may be using which cannot"
            " work with newer ones. Stop all processes and run: parlour db upgrade",
        )

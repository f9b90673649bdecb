"""The databases of these tests."""

from tests.databases import (  # noqa: F401
    database_url,
    postgres_url,
    sqlite_url,
    store,
)

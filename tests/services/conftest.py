"""The databases of these tests."""

from __future__ import annotations

import os

import pytest

from bot.store import Store
from tests.databases import POSTGRES, database_url, postgres_url, sqlite_url, store
from tests.kit import Club
from tests.tournament_kit import Hall

__all__ = ["database_url", "postgres_url", "sqlite_url", "store"]


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """In ``make soak`` have PostgreSQL too in each test that says nothing else of its database.

    These services make no statement there which others do not make: the tests of the store hold
    both databases to the same answers, and those that are about processes, deaths and repeated
    clicks say themselves that they run on both.
    """
    says = (mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if (
        "PARLOUR_SOAK" in os.environ
        and "database_url" in metafunc.fixturenames
        and "sqlite_url" not in metafunc.fixturenames
        and "database_url" not in says
    ):
        metafunc.parametrize("database_url", ["sqlite_url", POSTGRES], indirect=True)

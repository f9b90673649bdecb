"""The growth of a database in bytes for each event of a match, on both databases.

Matches of every game are played to their end with random moves, or up to a number of moves and then
resigned, with everything stored for them but delivered messages. Then each table is asked for its
size with its indexes. Prints bytes an event and a match, by table, and the total for a million
matches.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from random import Random

from sqlalchemy import Connection, func, select, text

import bot.features  # noqa: F401 - the match has its features
from bot.domain.game_state import game_of, game_state_of, player_on_turn
from bot.domain.match import Actor, MatchStatus
from bot.store import Store, open_store
from bot.store.tables import events, matches, metadata
from games import catalog
from tests.support.databases import empty_postgres, postgres_running
from tests.support.kit import GUILD, Club, person

RESULTS = Path(__file__).parent / "results" / "growth.json"
MANY = 1_000_000
_SIZES = {
    "sqlite": (
        "SELECT sum(pgsize) FROM dbstat JOIN sqlite_master USING (name) WHERE tbl_name = :name"
    ),
    "postgresql": "SELECT pg_total_relation_size(CAST(:name AS text)::regclass)",
}


async def play(store: Store, each: int, plies: int) -> None:
    """Play ``each`` matches of every game, with as many different players."""
    club, random = Club(store), Random(5)
    for game in catalog.GAMES:
        seats = len(game_of(game, {}).seats)
        for number in range(each):
            people = [person(1000 + number * 4 + seat) for seat in range(seats)]
            match_id = await club.start(*people[1:], by=people[0], game=game, rated=True, seat=None)
            match = await club.service.match(people[0], match_id)
            for _ in range(plies):
                if match.status is not MatchStatus.RUNNING:
                    break
                table = game_state_of(match)
                move = random.choice(list(table.game.legal_moves(table.position)))
                user = match.players[player_on_turn(match) or 0]
                assert user is not None
                said = table.game.notation(table.position, move)
                match = (await club.move(Actor(user, GUILD), match_id, said)).match
            for user in match.players:
                if match.status is MatchStatus.RUNNING:
                    assert user is not None
                    match = (await club.resign(Actor(user, GUILD), match_id)).match
            await club.worker.drain()


def sizes(connection: Connection) -> tuple[dict[str, int], int, int]:
    """Bytes of each table with its indexes, the number of events, and the number of matches."""
    asked = text(_SIZES[connection.dialect.name])
    found = {
        name: int(connection.execute(asked, {"name": name}).scalar() or 0)
        for name in metadata.tables
    }
    events_, matches_ = (
        connection.execute(select(func.count()).select_from(each)).scalar_one()
        for each in (events, matches)
    )
    return found, events_, matches_


async def measure(url: str, each: int, plies: int) -> dict[str, float]:
    """Bytes an event in total, and of the tables that grew most."""
    store = await open_store(url)
    before, _, _ = await store.read(sizes)
    await play(store, each, plies)
    after, number, many = await store.read(sizes)
    await store.close()
    grown = {name: after[name] - before[name] for name in after}
    total = sum(grown.values())
    found = {
        "matches": many,
        "events": number,
        "bytes_an_event": total / number,
        "bytes_a_match": total / many,
        "gb_of_a_million_matches": total / many * MANY / 1e9,
    }
    most = sorted(grown.items(), key=lambda item: -item[1])[:6]
    return found | {f"bytes_an_event_in_{name}": size / number for name, size in most}


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40, help="matches of each game")
    parser.add_argument("--plies", type=int, default=60, help="moves of a match, at most")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/parlour.db"
        found = {"sqlite": asyncio.run(measure(url, given.matches, given.plies))}
    with postgres_running() as server:

        async def on_postgres() -> dict[str, float]:
            return await measure(await empty_postgres(server), given.matches, given.plies)

        found["postgresql"] = asyncio.run(on_postgres())
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    for database, numbers in found.items():
        print(database)
        for name, value in numbers.items():
            print(f"  {name:<36}{value:12.1f}")


if __name__ == "__main__":
    main()

"""A tournament as a web page: whole, inside its limits, and nobody's words are markup in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from bot.domain.ids import GuildId, TournamentId, UserId
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.media.pictures import PictureMaker
from bot.privacy import store as privacy
from bot.site.writer import FolderRefused, Site, SiteWritten
from bot.store import Store, people
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.services.views import Visitor
from bot.tournaments.ui.web_page import EventDocument, Run, Written, write_document
from bot.tournaments.ui.words import EventText
from bot.ui.pages.display_names import NameBook
from bot.ui.pages.reader import Reader
from renderers import render
from tests.support.kit import PLACE
from tests.tournaments.kit import DIRECTOR, Hall

T = TypeVar("T")
ENGLISH = Languages().default
NASTY = "</script><img src=x onerror=alert(1)>"


class _Reader(HTMLParser):
    """The elements of a document."""

    def __init__(self, document: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words = ""
        self.feed(document.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [about for name, about in self.tags if name == tag]


async def _at_once(work: Callable[[], T], /) -> T:
    return work()


def _reader(**names: str) -> Reader:
    book = NameBook()
    for number in range(1, 9):
        book.note(UserId(number), names.get(f"p{number}", f"Player{number}"))
    return Reader(PictureMaker(render), book, ENGLISH)


async def _document(
    hall: Hall,
    id_: TournamentId,
    *,
    limit: int = 10_000_000,
    run: Run = _at_once,
    name: str = "",
    language: Language = ENGLISH,
) -> Written:
    visitor = Visitor(DIRECTOR)
    view = await hall.service.tournament(visitor, id_)
    begun = await hall.service.games_begun(visitor, id_)
    event = EventText(view, language, lambda number: name or f"Player{number}")
    document = EventDocument(event, hall.clock.now())
    reader = replace(_reader(p1=name), language=language)
    return await write_document(document, begun, reader, run, limit)


@pytest.mark.parametrize(
    ("form", "both_sides"),
    [
        (FormatKey.SWISS, True),
        *(pytest.param(each, False, marks=pytest.mark.long) for each in FormatKey),
    ],
)
async def test_the_page_of_an_event_has_every_game_and_every_link_leads_somewhere(
    hall: Hall, form: FormatKey, both_sides: bool
) -> None:
    players = 8 if form is FormatKey.TABLES else 4
    id_ = await hall.begun(form, players, name=NASTY, both_sides=both_sides)
    t = await hall.head(id_)
    for each in t.pending:
        await hall.win(id_, each.game.id)
    await hall.sweep()
    written = await _document(hall, id_, name=NASTY)
    page = _Reader(written.content)
    begun = await hall.service.games_begun(Visitor(DIRECTOR), id_)
    assert len(page.all("details")) == len(begun)
    assert NASTY in page.words
    assert not page.all("img"), "a name is no markup"
    assert len(page.all("script")) == 1
    ids = [about["id"] for _, about in page.tags if "id" in about]
    assert len(ids) == len(set(ids))
    links = [about["href"] for about in page.all("a") + page.all("use")]
    assert {each.removeprefix("#") for each in links} <= set(ids)
    listed = [each for each in links if each.startswith("#g-")]
    assert len(set(listed)) == len(begun)
    if both_sides:
        assert not any("winner" in about.get("class", "") for about in page.all("span"))
    played = [each for each in begun if each.match.ply]
    boards = [about for about in page.all("svg") if about.get("class") == "board"]
    assert len(boards) == len(played)
    assert b"no room for pictures" not in written.content, "a game without a move has none"
    assert all(about["role"] == "img" and about["aria-label"] for about in boards)
    for about in page.all("th"):
        assert about["scope"] in ("col", "row")


async def test_sentences_in_japanese_follow_each_other_without_a_space(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    await hall.play_out(id_, Random(3))
    written = await _document(hall, id_, language=Languages().known()["ja"])
    assert re.search("。\\S", written.content.decode())
    assert "。 " not in written.content.decode()


@pytest.mark.long
async def test_what_has_no_room_or_no_time_keeps_its_moves(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 6)
    await hall.play_out(id_, Random(3))
    whole = await _document(hall, id_)
    assert whole.without == ()
    limit = len(whole.content) * 5 // 6
    part = await _document(hall, id_, limit=limit)
    assert len(part.content) <= limit
    assert 0 < len(part.without) < 9
    moves = re.compile(rb'<ol class="moves".*?</ol>', re.DOTALL)
    assert moves.findall(part.content) == moves.findall(whole.content)
    newest = {each.game.id for each in (await hall.head(id_)).in_round(3)}
    assert not newest & set(part.without), "the oldest are left out"
    turns = iter(range(3))

    async def a_while(work: Callable[[], T], /) -> T:
        if next(turns, None) is None:
            raise UserError("too_much_work", seconds=5)
        return work()

    assert len((await _document(hall, id_, run=a_while)).without) == 7
    with pytest.raises(UserError, match="file_too_large"):
        await _document(hall, id_, limit=5_000)


async def test_a_site_has_what_servers_want_on_it_and_forgets_with_them(
    store: Store, hall: Hall, tmp_path: Path
) -> None:
    id_ = await hall.begun(FormatKey.KNOCKOUT, 4)
    await hall.play_out(id_, Random(3))
    folder = tmp_path / "site"

    async def write() -> SiteWritten:
        return await Site(store, _reader(p2="محمد"), hall.clock, folder).written()

    async def wanted(*, want: bool) -> None:
        await store.write(
            people.change_server,
            GuildId(PLACE.guild_id or 0),
            UserId(5),
            lambda before: replace(before, website=want),
            hall.clock.now(),
        )

    assert (await write()).events == 0, "no server has asked for it"
    await wanted(want=True)
    assert (await write()).events == 1
    event = folder / "events" / f"{id_}.html"
    assert "Player1" in event.read_text()
    assert f'href="events/{id_}.html"' in (folder / "index.html").read_text()
    for each in (folder / "index.html", folder / "leaderboard.html", event):
        assert each.stat().st_mode & 0o777 == 0o644, "another user serves it"
    await store.write(privacy.forget, UserId(1), UserId(-(2**52)), hall.clock.now())
    await write()
    pages = "".join(each.read_text() for each in folder.rglob("*.html"))
    assert "Player1" not in pages
    assert "\u2068محمد\u2069" in pages, "a score stays behind a name from right to left"
    await wanted(want=False)
    await write()
    assert not event.exists()
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(FolderRefused):
        await Site(store, _reader(), hall.clock, tmp_path).written()
    assert (tmp_path / "index.html").read_text() == "mine"

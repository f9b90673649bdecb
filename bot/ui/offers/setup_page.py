"""The page of ``/play``: asks for a game and an opponent, and sends an offer.

It shows the first board and the other terms in one line; **More options** opens their menus. The
choices stand in the page itself, as the chosen lines of its menus. So nothing is remembered, and
the page works after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from bot.domain.clock import DAY, TimeControl, Vacations
from bot.domain.clock_text import (
    OFFERED,
    PRESETS,
    SHORTEST_OFFER,
    parse_offer_expiry,
    read_clock,
    write_clock,
    write_duration,
)
from bot.domain.offers import MOST_MATCHES
from bot.domain.preferences import HINTS, RATED
from bot.domain.rating_range import Around, RatingRange, parse_rating_range
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import id_in, number_in
from bot.ui.offers.draft import OfferDraft, begun, house_of
from bot.ui.offers.offer_terms import AROUND, band_words
from bot.ui.offers.option_text import sides
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import clock_line, clock_words, duration
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.reader import Reader
from bot.ui.settings.game_menus import game_menu, rules_menus
from bot.ui.settings.panel import Choice, Line, Menu, Panel, Setting
from games import catalog
from games.api import GameInfo, OptionValue
from games.view import Text

OFFER = "offer"
"""The action of all menus of the page."""
_DEFAULTS = Text.of(
    "Players see these terms first and can choose others. Size and rules are for the game"
    " chosen here, everything else is for all games. Every choice is saved at once."
)


@dataclass(frozen=True)
class _Guests(Setting[OfferDraft]):
    """As many players as there are seats beside the maker's."""

    def parts(self, control: Control, chosen: OfferDraft, language: Language) -> list[ui.Part]:
        most, prompt = chosen.seats - 1, language(self.label)
        return [ui.entity_menu("user", control, prompt, chosen.guests[:most], most=most)]

    def read(self, values: tuple[str, ...]) -> object:
        return tuple(map(id_in, values))


_Menu = Menu[OfferDraft]


def _menus(it: OfferDraft) -> Iterator[Setting[OfferDraft]]:
    """The menus of the page; all but the first two under **More options**."""
    info, house, values = it.info, it.house, it.values()
    yield game_menu(Text.of("Which game?"), catalog.GAMES, _with_game)
    if not it.for_server:
        yield _Guests("guests", Text.of("Opponent? (empty: anyone can join)"))
    if info is None or not (it.more or it.for_server):
        return
    yield from rules_menus(info, values, _with_rules)
    seats = _sides(info, values)
    yield _Menu(
        "seat",
        Text.of("Side"),
        list(seats.items()),
        get=lambda it: it.seat if it.seat in seats else None,
        put=lambda it, seat: replace(
            it, seat=seat, stakes=it.stakes if seat is None or it.stakes != RATED else None
        ),
    )
    yield _Menu(
        "stakes",
        Text.of("Rated or casual"),
        [
            (None, Text.of("Casual"), Text.of("Nobody's rating changes")),
            (
                HINTS,
                Text.of("Casual, with hints"),
                Text.of("All players may ask the computer for hints"),
            ),
            (RATED, Text.of("Rated"), Text.of("Ratings change, sides are random")),
        ],
        put=lambda it, stakes: replace(it, stakes=stakes, seat=_fair(stakes, it.seat)),
    )
    clock, lasts = write_clock(it.clock), it.lasts or house.lasts
    yield _Menu("clock", Text.of("Clock"), _clocks(it), parse=read_clock, get=lambda _: clock)
    if it.clock is not None and it.clock.bank >= DAY:
        yield _Menu(
            "vacation",
            Text.of("Vacation"),
            [
                (
                    Vacations.ALLOWED,
                    Text.of("Vacation stops the clock"),
                    Text.of("Each player's own vacation; see /vacation"),
                ),
                (
                    Vacations.AUTOMATIC,
                    Text.of("Vacation starts by itself"),
                    Text.of("When a player's time runs out and vacation days are left"),
                ),
                (
                    Vacations.NEVER,
                    Text.of("No vacation in this match"),
                    Text.of("The clock runs on while a player is away"),
                ),
            ],
            get=lambda it: it.clock and it.clock.vacations,
            put=lambda it, rule: replace(it, clock=_ruled(it.clock, rule)),
        )
    yield _Menu(
        "takebacks",
        Text.of("Takebacks"),
        [
            (True, Text.of("Takebacks"), Text.of("A move is taken back if all players agree")),
            (False, Text.of("No takebacks"), Text.of("A move that is played stays")),
        ],
    )
    if house.languages and not it.for_server:
        note = Text.of("Of the board and all public messages of the match")
        lines: list[Line] = [(None, Text.of("as in this server"), note)]
        lines += ((each, match_text.own_name(each)) for each in house.languages)
        yield Choice("language", Text.of("Language"), lines)
    times = sorted({*OFFERED, house.lasts, lasts})
    yield _Menu(
        "lasts",
        Text.of("Expires after"),
        [(write_duration(time), partial(_expires, time)) for time in times],
        parse=partial(parse_offer_expiry, usual=SHORTEST_OFFER),
        get=lambda _: write_duration(lasts),
    )
    if it.is_open:
        yield _Menu("band", Text.of("Rating range"), _bands(it), parse=parse_rating_range)
    if not it.guests and not it.for_server:
        note = Text.of("Each player who accepts starts a new one")
        lines = [(1, Text.of("One match"))]
        for n in sorted({2, 3, 5, MOST_MATCHES, it.matches} - {1}):
            lines.append((n, Text.plural("Up to {n} match", "Up to {n} matches", n=n), note))
        read = partial(number_in, most=MOST_MATCHES)
        yield _Menu("matches", Text.of("Number of matches"), lines, parse=read)


def _with_game(it: OfferDraft, game: str) -> OfferDraft:
    """Another game begins with the options and the side that the server has for it."""
    first = begun(game, it.house)
    return replace(it, game=game, options=first.options, seat=_fair(it.stakes, first.seat))


def _fair(stakes: str | None, seat: int | None) -> int | None:
    """Sides are random where ratings change."""
    return None if stakes == RATED else seat


def _with_rules(it: OfferDraft, options: Mapping[str, OptionValue]) -> OfferDraft:
    return replace(it, options=tuple(options.items()))


def _sides(info: GameInfo, values: Mapping[str, OptionValue]) -> dict[int | None, Text]:
    named = sides(info, values).items()
    return {seat: Text.of("Your side: {side}", side=(name,)) for seat, name in named}


def _ruled(clock: TimeControl | None, rule: Vacations) -> TimeControl | None:
    """A clock with a vacation rule, if it is long enough for one."""
    return clock if clock is None or clock.bank < DAY else replace(clock, vacations=rule)


def _clocks(it: OfferDraft) -> list[Line]:
    """The named clocks, the default, and the chosen one, all with the chosen vacation rule."""
    rule = Vacations.ALLOWED if it.clock is None else it.clock.vacations
    named = {_ruled(preset.control, rule): preset.label for preset in PRESETS}
    return [
        (write_clock(each), partial(clock_line, each), named.get(each))
        for each in dict.fromkeys((*named, None, _ruled(it.house.clock, rule), it.clock))
    ]


def _expires(time: timedelta, language: Language) -> str:
    return language.say("Expires after {time}", time=duration(time, language))


def _bands(it: OfferDraft) -> list[Line]:
    """All ratings, some ranges around the player's rating, and the chosen range."""
    rating = it.house.rating

    def note(band: Around | RatingRange | None) -> str:
        return str(band.of(rating)) if isinstance(band, Around) and rating is not None else ""

    offered = dict.fromkeys((None, *AROUND, it.band))
    return [(band, band_words(band), note(band)) for band in offered]


TERMS = Panel(OFFER, _menus)


async def draft_of(context: InteractionContext) -> OfferDraft:
    """The draft of the page that was used; the defaults fill in what no menu shows."""
    parts, draft = context.parts(), begun(None, await house_of(context))
    actions = {each.action for each in ui.controls_in(parts)}
    draft = replace(draft, more="sfewer" in actions, for_server="susual" in actions)
    return TERMS.shown(draft, parts)


async def setup_page(draft: OfferDraft, reader: Reader, *, refused: str = "") -> Reply:
    """The page: game and opponents; the other terms in one line, or in menus.

    ``refused`` says what was wrong with the last choice, which was not taken. The defaults of a
    server have the same menus, but neither board nor opponents.
    """
    language = reader.language
    title = language.say("Offer a match")
    about, info = [language(_DEFAULTS)] if draft.for_server else [], draft.info
    menus = TERMS.parts(draft, language)
    if info is not None:
        said = ui.text(f"**{terms_in_short(info, draft, language)}**")
        menus.insert(1 if draft.for_server else 2, said)
    if draft.for_server:
        title = language.say("What offers begin with in this server")
    elif info is not None:
        # Above all menus: below them it would push them off the screen of a phone.
        board = await reader.first_board(info.key, draft.values())
        menus = [*ui.pictured(board), *menus]
    top = ui.text(ui.heading(title, *about, lead=refused))
    return Reply(refused or title, Page(top, *menus, *ui.rows(_buttons(draft, language))))


def terms_in_short(info: GameInfo, it: OfferDraft, language: Language) -> str:
    """The terms of an offer in one line: options, side, clock, rated or casual."""
    parts = [
        match_text.options(info, it.values(), language),
        clock_words(it.clock, language),
        language.say("rated") if it.stakes == RATED else language.say("casual"),
        language.say("hints allowed") if it.stakes == HINTS else "",
        "" if it.takebacks else language.say("no takebacks"),
        match_text.language_line(it.language, language) if it.language else "",
    ]
    if it.matches > 1:
        parts.append(language.plural("up to {n} match", "up to {n} matches", n=it.matches))
    if it.band is not None:
        parts.append(language(band_words(it.band)))
    if it.lasts not in (None, it.house.lasts):
        time = duration(it.lasts, language)
        parts.append(language.say("expires after {time}", time=time))
    if it.seat is not None:
        parts += (
            language(said) for seat, said in _sides(info, it.values()).items() if seat == it.seat
        )
    return match_text.capital(" · ".join(part for part in parts if part))


def _buttons(it: OfferDraft, language: Language) -> list[ui.Button]:
    # The one for standard options is also how a page with all menus is known again. These leave
    # room for few buttons: a page takes 40 parts.
    usual = Control("susual" if it.for_server else "sfewer")
    more = [ui.button(usual, language.say("Standard options"))]
    if it.is_open:
        more.append(ui.button(Control("bandtype"), language.say("Type a rating range")))
    if it.for_server:
        return more
    has_game, arg, send = it.info is not None, it.game or "", language.say("Send offer")
    offer = ui.button(Control("soffer"), send, ui.SUCCESS, disabled=not has_game)
    if it.more and has_game:
        return [offer, *more]
    alone = ui.button(Control("alone", arg=arg), language.say("Play the computer"))
    if not has_game:
        return [offer, alone]
    rules = ui.button(Control("rules", arg=arg), language.say("Rules"))
    return [offer, alone, ui.button(Control("smore"), language.say("More options")), rules]

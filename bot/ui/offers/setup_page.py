"""The page of ``/play``: asks for a game and an opponent, and sends an offer.

It shows the first board and the other terms in one line; **More options** opens their menus. The
choices stand in the page itself, as the chosen lines of its menus. So nothing is remembered, and
the page works after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from bot.domain.ids import read_id
from bot.domain.offers import MOST_MATCHES
from bot.domain.preferences import HINTS, RATED
from bot.domain.rating_range import Around, parse_rating_range
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, number_in
from bot.ui.offers.draft import OfferDefaults, OfferDraft, begun, house_of
from bot.ui.offers.offer_terms import AROUND, band_words, option_values, preset_of
from bot.ui.offers.option_text import sides
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import clock_line, clock_words, duration
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.settings.panel import Choice, Line, Panel, Setting
from games import catalog
from games.api import ChoiceOption, GameInfo, IntOption
from games.view import Text


@dataclass(frozen=True)
class _Guests(Setting[OfferDraft, OfferDefaults]):
    """As many players as there are seats beside the maker's."""

    def parts(
        self, control: Control, chosen: OfferDraft, _house: OfferDefaults, language: Language
    ) -> list[ui.Part]:
        most, prompt = chosen.seats - 1, language(self.label)
        return [ui.entity_menu("user", control, prompt, chosen.guests[:most], most=most)]

    def read(self, values: tuple[str, ...], _chosen: OfferDraft, _house: OfferDefaults) -> object:
        if None in (found := tuple(map(read_id, values))):
            raise UserError("out_of_date")
        return found


def _games(_it: OfferDraft, _house: OfferDefaults) -> list[Line]:
    return [(key, kind.info.name, kind.info.summary) for key, kind in catalog.GAMES.items()]


def _with_game(it: OfferDraft, game: str) -> OfferDraft:
    """Another game begins with the options and the side that the server has for it."""
    if game == it.game:
        return it
    first = begun(game, it.house)
    return replace(it, game=game, options=first.options, seat=_fair(it.stakes, first.seat))


def _fair(stakes: str | None, seat: int | None) -> int | None:
    """Sides are random where ratings change."""
    return None if stakes == RATED else seat


_Menu = partial(Choice[OfferDraft, OfferDefaults], bare=True)


def _of_game(info: GameInfo) -> Iterator[Setting[OfferDraft, OfferDefaults]]:
    """The presets of a game, and its options."""
    presets = {each.key: each.options for each in info.presets}
    yield _Menu(
        "preset",
        Text.of("Preset"),
        [(each.key, each.label, each.reason) for each in info.presets],
        get=lambda it: preset_of(info, it.values()),
        put=lambda it, key: replace(it, options=tuple(presets[key].items())),
    )
    for option in info.options:
        yield _option(option)


def _option(option: IntOption | ChoiceOption) -> Choice[OfferDraft, OfferDefaults]:
    return Choice(
        option.key,
        option.label,
        lambda it, _: option_values(option, it.values()),
        id=f"option/{option.key}",
        parse=str,  # a value that it doesn't take counts as its default
        get=lambda it: str(it.values()[option.key]),
        put=lambda it, value: replace(it, options=(*it.options, (option.key, value))),
    )


def _sides(it: OfferDraft, _house: OfferDefaults) -> list[tuple[int | None, Text]]:
    found = {} if it.info is None else sides(it.info, it.values())
    return [(seat, Text.of("Your side: {side}", side=(name,))) for seat, name in found.items()]


def _ruled(clock: TimeControl | None, rule: Vacations) -> TimeControl | None:
    """A clock with a vacation rule, if it is long enough for one."""
    return clock if clock is None or clock.bank < DAY else replace(clock, vacations=rule)


def _clocks(it: OfferDraft, house: OfferDefaults) -> list[Line]:
    """The named clocks, the default, and the chosen one, all with the chosen vacation rule."""
    rule = Vacations.ALLOWED if it.clock is None else it.clock.vacations
    named = {_ruled(preset.control, rule): preset.label for preset in PRESETS}
    return [
        (write_clock(each), partial(clock_line, each), named.get(each))
        for each in dict.fromkeys((*named, None, _ruled(house.clock, rule), it.clock))
    ]


def _times(it: OfferDraft, house: OfferDefaults) -> list[Line]:
    return [
        (write_duration(time), partial(_expires, time))
        for time in sorted({*OFFERED, house.lasts, it.lasts or house.lasts})
    ]


def _expires(time: timedelta, language: Language) -> str:
    return language.say("Expires after {time}", time=duration(time, language))


def _bands(it: OfferDraft, house: OfferDefaults) -> Iterator[Line]:
    """All ratings, some ranges around the player's rating, and the chosen range."""
    for band in dict.fromkeys((None, *AROUND, it.band)):
        note = isinstance(band, Around) and house.rating is not None and band.of(house.rating)
        yield band, band_words(band), str(note or "")


def _languages(it: OfferDraft, house: OfferDefaults) -> Iterator[Line]:
    if house.languages and not it.for_server:
        note = Text.of("Of the board and all public messages of the match")
        yield None, Text.of("as in this server"), note
        yield from ((each, match_text.own_name(each)) for each in house.languages)


def _numbers(it: OfferDraft, _house: OfferDefaults) -> Iterator[Line]:
    yield 1, Text.of("One match")
    for count in sorted({2, 3, 5, MOST_MATCHES, it.matches} - {1}):
        words = Text.plural("Up to {n} match", "Up to {n} matches", n=count)
        yield count, words, Text.of("Each player who accepts starts a new one")


_STAKES = (
    (None, Text.of("Casual"), Text.of("Nobody's rating changes")),
    (HINTS, Text.of("Casual, with hints"), Text.of("All players may ask the computer for hints")),
    (RATED, Text.of("Rated"), Text.of("Ratings change, sides are random")),
)
_VACATIONS = (
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
)
_TAKEBACKS = (
    (True, Text.of("Takebacks"), Text.of("A move is taken back if all players agree")),
    (False, Text.of("No takebacks"), Text.of("A move that is played stays")),
)
TERMS = "terms"
FIRST = Panel[OfferDraft, OfferDefaults](
    "offer",
    (
        _Menu("game", Text.of("Which game?"), _games, put=_with_game),
        _Guests(
            "guests",
            Text.of("Opponent? (empty: anyone can join)"),
            when=lambda it: not it.for_server,
        ),
    ),
)
_TERMS = (
    _Menu(
        "seat",
        Text.of("Side"),
        _sides,
        get=lambda it: it.seat if it.seat in range(it.seats) else None,
        put=lambda it, seat: replace(
            it, seat=seat, stakes=it.stakes if seat is None or it.stakes != RATED else None
        ),
    ),
    _Menu(
        "stakes",
        Text.of("Rated or casual"),
        _STAKES,
        put=lambda it, stakes: replace(it, stakes=stakes, seat=_fair(stakes, it.seat)),
    ),
    _Menu(
        "clock", Text.of("Clock"), _clocks, parse=read_clock, get=lambda it: write_clock(it.clock)
    ),
    _Menu(
        "vacation",
        Text.of("Vacation"),
        _VACATIONS,
        when=lambda it: it.clock is not None and it.clock.bank >= DAY,
        get=lambda it: it.clock and it.clock.vacations,
        put=lambda it, rule: replace(it, clock=_ruled(it.clock, rule)),
    ),
    _Menu("takebacks", Text.of("Takebacks"), _TAKEBACKS),
    _Menu("language", Text.of("Language"), _languages, bare=False),
    _Menu(
        "lasts",
        Text.of("Expires after"),
        _times,
        parse=partial(parse_offer_expiry, usual=SHORTEST_OFFER),
        get=lambda it: write_duration(it.lasts or it.house.lasts),
    ),
    _Menu(
        "band",
        Text.of("Rating range"),
        _bands,
        parse=parse_rating_range,
        when=lambda it: it.is_open,
    ),
    _Menu(
        "matches",
        Text.of("Number of matches"),
        _numbers,
        parse=partial(number_in, most=MOST_MATCHES),
        when=lambda it: not it.guests and not it.for_server,
    ),
)


def _terms(it: OfferDraft) -> Panel[OfferDraft, OfferDefaults]:
    """The menus of **More options**, once a game is chosen."""
    return Panel(TERMS, () if it.info is None else (*_of_game(it.info), *_TERMS))


def changed(draft: OfferDraft, click: Click) -> OfferDraft:
    """The draft after a choice in one of its menus. Raises :exc:`UserError`."""
    panel = FIRST if click.action == FIRST.action else _terms(draft)
    return panel.changed(draft, click, draft.house)


async def draft_of(context: InteractionContext) -> OfferDraft:
    """The draft of the page that was used; the defaults fill in what no menu shows."""
    parts, draft = context.parts(), begun(None, await house_of(context))
    actions = {control.action for control, _ in ui.chosen_in(parts)}
    if FIRST.action not in actions:
        raise UserError("out_of_date")
    draft = replace(draft, more="sfewer" in actions, for_server="susual" in actions)
    draft = FIRST.read(parts, draft, draft.house)
    return _terms(draft).read(parts, draft, draft.house)


async def setup_page(
    draft: OfferDraft, presenter: BoardPresenter, language: Language, *, refused: str = ""
) -> Reply:
    """The page: game and opponents; the other terms in one line, or in menus.

    ``refused`` says what was wrong with the last choice, which was not taken.
    """
    title = language.say("Offer a match")
    info = draft.info
    items: list[ui.Part] = [ui.text(ui.heading(title, lead=refused))]
    if info is not None:
        # Above all menus: below them it would push them off the screen of a phone.
        items += ui.pictured(await presenter.first_board(info.key, draft.values(), language))
    return Reply(refused or title, Page(*items, *_menus(draft, language)))


def defaults_page(draft: OfferDraft, language: Language, *, refused: str = "") -> Reply:
    """The same menus for the defaults of a server; each choice is saved at once."""
    title = language.say("What offers begin with in this server")
    about = language.say(
        "Players see these terms first and can choose others. Size and rules are for the game"
        " chosen here, everything else is for all games. Every choice is saved at once."
    )
    top = ui.text(ui.heading(title, about, lead=refused))
    return Reply(refused or title, Page(top, *_menus(draft, language)))


def _menus(draft: OfferDraft, language: Language) -> list[ui.Part]:
    """All below the heading and the board."""
    shown = FIRST.parts(draft, draft.house, language)
    if draft.info is not None:
        shown.append(ui.text(f"**{terms_in_short(draft.info, draft, language)}**"))
    if draft.more or draft.for_server:
        shown += _terms(draft).parts(draft, draft.house, language)
    return [*shown, *ui.rows(_buttons(draft, language))]


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
        parts += (language(words) for seat, words in _sides(it, it.house) if seat == it.seat)
    return match_text.capital(" · ".join(part for part in parts if part))


def _buttons(it: OfferDraft, language: Language) -> list[ui.Button]:
    arg, has_game = it.game or "", it.info is not None
    offer = ui.button(
        Control("soffer"), language.say("Send offer"), ui.SUCCESS, disabled=not has_game
    )
    alone = ui.button(Control("alone", arg=arg), language.say("Play the computer"))
    if not has_game and not it.for_server:
        return [offer, alone]
    if not it.more and not it.for_server:
        rules = ui.button(Control("rules", arg=arg), language.say("Rules"))
        return [offer, alone, ui.button(Control("smore"), language.say("More options")), rules]
    # The button is also how the page is known again as the one with all menus. These leave room for
    # few buttons: a page takes 40 parts.
    usual = Control("susual" if it.for_server else "sfewer")
    shown = [ui.button(usual, language.say("Standard options"))]
    if it.is_open:
        shown.append(ui.button(Control("bandtype"), language.say("Type a rating range")))
    return shown if it.for_server else [offer, *shown]

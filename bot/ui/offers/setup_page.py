"""``/play`` without more: a private page that asks for a game and an opponent, and offers a match.

It shows the board that one will get and all other terms in one line, and **More options** opens the
menus for them. What has been chosen so far stands in the page itself, as the chosen lines of its
menus; each choice is read together with the page that it was made on. So nothing is remembered, and
the page goes on after a restart.
"""

from __future__ import annotations

from dataclasses import replace

from bot.domain.clock import DAY, TimeControl, Vacations
from bot.domain.clock_text import (
    NONE,
    PRESETS,
    parse_offer_expiry,
    read_clock,
    write_clock,
    write_duration,
)
from bot.domain.offers import MOST_MATCHES
from bot.domain.rating_range import parse_rating_range
from bot.i18n import Language
from bot.ui.offers.draft import LIKE_SERVER, OfferDefaults, OfferDraft, with_rule
from bot.ui.offers.offer_terms import (
    band_menu,
    game_lines,
    lasting_menu,
    option_lines,
    preset_lines,
)
from bot.ui.offers.option_text import suggest_sides
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import clock_line, clock_words, duration
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.presenter import BoardPresenter
from games.api import GameInfo

_MATCHES = (1, 2, 3, 5, MOST_MATCHES)


async def setup_page(
    draft: OfferDraft,
    presenter: BoardPresenter,
    language: Language,
    house: OfferDefaults,
    *,
    refused: str = "",
) -> Reply:
    """The page: what to play and with whom; the rest in one line, or in menus if that is wanted.

    ``refused`` says what was wrong with the last choice, which was not taken.
    """
    title = language.say("Offer a match")
    info = draft.info
    items: list[ui.Part] = [ui.text(ui.heading(title, lead=refused))]
    if info is not None:
        # Above all menus: below them it would push them off the screen of a phone.
        items += ui.pictured(await presenter.first_board(info.key, draft.values(), language))
    seats = draft.seats
    items += [_games(draft, language), *_opponents(draft, seats, language)]
    if info is not None:
        items.append(ui.text(f"**{terms_in_short(info, draft, house, language)}**"))
        if draft.more:
            items += _more(info, draft, seats, house, language)
    items += ui.rows(_buttons(info, draft, seats, language))
    return Reply(refused or title, Page(*items))


def defaults_page(
    draft: OfferDraft, house: OfferDefaults, language: Language, *, refused: str = ""
) -> Reply:
    """What offers of a server begin with: the same menus, of which each choice is saved at once."""
    title = language.say("What offers begin with in this server")
    about = language.say(
        "Players see these terms first and can choose others. Size and rules are for the game"
        " chosen here, everything else is for all games. Every choice is saved at once."
    )
    items: list[ui.Part] = [
        ui.text(ui.heading(title, about, lead=refused)),
        _games(draft, language),
    ]
    info = draft.info
    if info is not None:
        items.append(ui.text(f"**{terms_in_short(info, draft, house, language)}**"))
        items += _more(info, replace(draft, guests=()), draft.seats, house, language)
    shown = [ui.button(Control("susual"), language.say("Standard options"))]
    if info is not None:
        shown.append(ui.button(Control("bandtype"), language.say("Type a rating range")))
    items += ui.rows(shown)
    return Reply(refused or title, Page(*items))


def _games(draft: OfferDraft, language: Language) -> ui.Row:
    return ui.choice_menu(
        Control("sgame"), language.say("Which game?"), game_lines(language), draft.game or ""
    )


def _opponents(draft: OfferDraft, seats: int, language: Language) -> list[ui.Row]:
    """With whom: players of the server, or anyone who wants to join if the menu is left empty."""
    most = seats - 1
    prompt = language.say("Opponent? (empty: anyone can join)")
    return [ui.entity_menu("user", Control("sguest"), prompt, draft.guests[:most], most=most)]


def terms_in_short(
    info: GameInfo, draft: OfferDraft, house: OfferDefaults, language: Language
) -> str:
    """All terms of an offer in one line: options, side, clock, rated or casual."""
    control = read_clock(draft.clock) if draft.clock else house.clock
    parts = [
        match_text.options(info, draft.values(), language),
        clock_words(control, language),
        language.say("rated") if draft.rated else language.say("casual"),
        language.say("hints allowed") if draft.hints else "",
    ]
    if not draft.takebacks:
        parts.append(language.say("no takebacks"))
    if draft.language:
        parts.append(match_text.language_line(draft.language, language))
    if draft.matches > 1:
        parts.append(language.plural("up to {n} match", "up to {n} matches", n=draft.matches))
    band = parse_rating_range(draft.band)
    if band is not None:
        parts.append(language.say("Rating range: {band}", band=str(band)))
    if draft.lasts and draft.lasts != write_duration(house.lasts):
        time = duration(parse_offer_expiry(draft.lasts, house.lasts), language)
        parts.append(language.say("expires after {time}", time=time))
    if draft.side != "0":
        parts += (
            language.say("Your side: {side}", side=one.shown)
            for one in suggest_sides(info, draft.values(), "", language)
            if one.value == draft.side
        )
    return match_text.capital(" · ".join(part for part in parts if part))


def _more(
    info: GameInfo, draft: OfferDraft, seats: int, house: OfferDefaults, language: Language
) -> list[ui.Row]:
    """The menus for all other terms."""
    values = draft.values()
    items = []
    if info.presets:
        lines, chosen = preset_lines(info, values, language)
        items.append(ui.choice_menu(Control("spreset"), language.say("Preset"), lines, chosen))
    for option in info.options:
        control, label = Control("sopt", arg=option.key), language(option.label)
        lines = option_lines(option, values, language)
        items.append(ui.choice_menu(control, label, lines, str(values[option.key])))
    sides = suggest_sides(info, values, "", language)
    items.append(
        ui.choice_menu(
            Control("sside"),
            language.say("Side"),
            [(one.value, language.say("Your side: {side}", side=one.shown)) for one in sides],
            draft.side if any(one.value == draft.side for one in sides) else "0",
        )
    )
    items.append(_rated(draft, language))
    items += _clocks(draft, house.clock, language)
    items.append(_takebacks(draft, language))
    if house.languages and not draft.for_server:
        items.append(_languages(draft, house.languages, language))
    items.append(lasting_menu(parse_offer_expiry(draft.lasts, house.lasts), house.lasts, language))
    if len(draft.guests) < seats - 1:
        items.append(band_menu(draft.band, house.rating, language))
    if not draft.guests and not draft.for_server:
        items.append(_matches(draft, language))
    return items


def _buttons(
    info: GameInfo | None, draft: OfferDraft, seats: int, language: Language
) -> list[ui.Button]:
    offer = ui.button(
        Control("soffer"), language.say("Send offer"), ui.SUCCESS, disabled=info is None
    )
    arg = "" if info is None else info.key
    alone = ui.button(Control("alone", arg=arg), language.say("Play the computer"))
    if info is None:
        return [offer, alone]
    if not draft.more:
        rules = ui.button(Control("rules", arg=info.key), language.say("Rules"))
        return [offer, alone, ui.button(Control("smore"), language.say("More options")), rules]
    # The button is also how the page is known again as the one with all menus. These leave room for
    # few buttons: a page takes 40 parts.
    shown = [offer, ui.button(Control("sfewer"), language.say("Standard options"))]
    if len(draft.guests) < seats - 1:
        shown.append(ui.button(Control("bandtype"), language.say("Type a rating range")))
    return shown


def _rated(draft: OfferDraft, language: Language) -> ui.Row:
    chosen = "rated" if draft.rated else "hints" if draft.hints else "casual"
    return ui.choice_menu(
        Control("srated"),
        language.say("Rated or casual"),
        [
            ("casual", language.say("Casual"), language.say("Nobody's rating changes")),
            (
                "hints",
                language.say("Casual, with hints"),
                language.say("All players may ask the computer for hints"),
            ),
            ("rated", language.say("Rated"), language.say("Ratings change, sides are random")),
        ],
        chosen,
    )


def _matches(draft: OfferDraft, language: Language) -> ui.Row:
    """How many matches one offer may start, if anyone can accept it."""
    label = language.say("Number of matches")
    return ui.choice_menu(
        Control("smatches"),
        label,
        [
            (
                str(count),
                language.plural("Up to {n} match", "Up to {n} matches", n=count),
                language.say("Each player who accepts starts a new one"),
            )
            if count > 1
            else (str(count), language.say("One match"))
            for count in sorted({*_MATCHES, draft.matches})
        ],
        str(draft.matches),
    )


def _takebacks(draft: OfferDraft, language: Language) -> ui.Row:
    chosen = "asked" if draft.takebacks else "never"
    return ui.choice_menu(
        Control("stakeback"),
        language.say("Takebacks"),
        [
            (
                "asked",
                language.say("Takebacks"),
                language.say("A move is taken back if all players agree"),
            ),
            ("never", language.say("No takebacks"), language.say("A move that is played stays")),
        ],
        chosen,
    )


def _languages(draft: OfferDraft, known: tuple[str, ...], language: Language) -> ui.Row:
    """Which language everybody sees the match in."""
    label = language.say("Language")
    usual = language.say("as in this server")
    note = language.say("Of the board and all public messages of the match")
    lines: list[ui.Line] = [
        (LIKE_SERVER, language.say("{what}: {value}", what=label, value=usual), note),
        *((each, match_text.language_line(each, language)) for each in known),
    ]
    return ui.choice_menu(Control("slanguage"), label, lines, draft.language or LIKE_SERVER)


def _clocks(draft: OfferDraft, house: TimeControl | None, language: Language) -> list[ui.Row]:
    """The clocks that have names, that of the house, and the one chosen; what vacations do to it.

    In the menu of clocks all are without what vacations do: that is the other one's.
    """
    control = read_clock(draft.clock) if draft.clock else house
    chosen = with_rule(control, Vacations.ALLOWED)
    notes = {write_clock(preset.control): language(preset.label) for preset in PRESETS}
    offered = dict.fromkeys((*notes, NONE, with_rule(house, Vacations.ALLOWED), chosen))
    lines = [
        (value, clock_line(read_clock(value), language), notes.get(value)) for value in offered
    ]
    shown = [ui.choice_menu(Control("sclock"), language.say("Clock"), lines, chosen)]
    if control is not None and control.bank >= DAY:
        shown.append(_vacations(control.vacations, language))
    return shown


def _vacations(chosen: Vacations, language: Language) -> ui.Row:
    return ui.choice_menu(
        Control("svacation"),
        language.say("Vacation"),
        [
            (
                Vacations.ALLOWED.value,
                language.say("Vacation stops the clock"),
                language.say("Each player's own vacation; see /vacation"),
            ),
            (
                Vacations.AUTOMATIC.value,
                language.say("Vacation starts by itself"),
                language.say("When a player's time runs out and vacation days are left"),
            ),
            (
                Vacations.NEVER.value,
                language.say("No vacation in this match"),
                language.say("The clock runs on while a player is away"),
            ),
        ],
        chosen.value,
    )

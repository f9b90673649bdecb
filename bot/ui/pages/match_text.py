"""A match in words: players, turn, result."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from babel import Locale, UnknownLocaleError

from bot.domain.computers import is_computer
from bot.domain.game_state import GameState, game_state_of, player_at
from bot.domain.ids import UserId
from bot.domain.match import MANAGED, UNCOUNTED, Ending, Match, MatchStatus, Venue
from bot.domain.ratings.rated import is_too_short, ranks_of
from bot.domain.untold_turns import AT_MOST
from bot.domain.wishes import WISHES
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import nameless
from bot.store.records import RatingChange
from bot.ui.pages.display_names import escape
from games import catalog
from games.api import ChoiceOption, GameInfo, IntOption, OptionValue, SpokenMove
from games.errors import OptionError
from games.notation import plain
from games.view import Text

_LAST = 6
LONGEST_MOVE = 100
"""Characters that a typed move may have."""
_LONG_WORD = 20


def cut(text: str, longest: int) -> str:
    """The text, or as many of its words as fit with an ellipsis; a very long word is cut."""
    if len(text) <= longest:
        return text
    kept = text[: longest - 1]
    words, _, rest = kept.rpartition(" ")
    if words and len(rest) < _LONG_WORD and not text[longest - 1].isspace():
        kept = words
    return kept.rstrip() + "…"


def capital(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def own_name(locale: str, _language: Language | None = None) -> str:
    """The own name of a language."""
    try:
        name = Locale.parse(locale, sep="-").get_display_name()
    except (UnknownLocaleError, ValueError):
        return locale
    return capital(name or locale)


def language_line(locale: str, language: Language) -> str:
    """The language of a match, by its own name."""
    what = language.say("Language")
    return language.pair(what, own_name(locale))


def mention(user_id: UserId | None, language: Language) -> str:
    """A player in a message; the allowed mentions decide whether that pings."""
    if user_id is None:
        return "—"
    # Computers, and people who had their data erased, have numbers that are none of Discord's.
    return f"<@{user_id}>" if user_id > 0 else language(nameless(user_id))


def mentions(users: tuple[UserId | None, ...], language: Language) -> str:
    """Several players in a sentence."""
    return language.listed(mention(user, language) for user in users if user is not None)


def place(match: Match) -> str:
    """The thread or channel of a match, as a link."""
    return f"<#{match.home_id or match.origin.channel_id}>"


def which(match: Match) -> str:
    """A match by its game and its place."""
    name = game_name(match)
    return name if match.venue is Venue.DIRECT else f"{name} {place(match)}"


def game_name(match: Match) -> str:
    """The name of the match's game."""
    return named_game(match.game)


def info_of(key: str | None) -> GameInfo | None:
    """A game by its key, None if this installation does not have it."""
    kind = catalog.GAMES.get(key or "")
    return None if kind is None else kind.info


def named_game(key: str) -> str:
    """The name of a game, its key if this installation no longer has it."""
    info = info_of(key)
    return key if info is None else info.name


def spoken(game: str, move: str) -> SpokenMove | None:
    """The words for a move that is no place on the board; None for any other move."""
    info = info_of(game)
    return None if info is None else info.spoken.get(move)


def sensible_values(info: GameInfo, given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """All options of a game; missing or invalid ones have defaults."""
    values: dict[str, OptionValue] = {}
    for option in info.options:
        try:
            values[option.key] = option.read(given.get(option.key, option.default))
        except OptionError:
            values[option.key] = option.default
    return values


def options(
    info: GameInfo, values: Mapping[str, OptionValue], language: Language, *, brief: bool = False
) -> str:
    """The options in words: ``Board size: 11 · standard rules``; ``brief`` leaves defaults out.

    Rules are named only where they differ from the standard ones.
    """
    said = []
    are_standard = []
    for option in info.options:
        value = values.get(option.key, option.default)
        if isinstance(option, ChoiceOption):
            are_standard.append(value == option.default)
        if value != option.default or not (brief or isinstance(option, ChoiceOption)):
            label, words = language(option.label), _value(option, value, language)
            said.append(language.pair(label, words))
    if are_standard and all(are_standard) and not brief:
        said.append(language.say("standard rules"))
    return " · ".join(said)


def game_facts(info: GameInfo, language: Language) -> str:
    """Players, duration and depth of a game; '' if unknown."""
    facts = info.facts
    if facts is None:
        return ""
    most = max(facts.players)
    players = language.plural("{count} player", "{count} players", by="count", count=most)
    if len(facts.players) > 1:
        numbers = "/".join(str(each) for each in facts.players)
        players = language.say("{numbers} players", numbers=numbers)
    low, high = facts.minutes
    minutes = language.say("{low}–{high} minutes", low=low, high=high)
    depth = language.say("depth {depth} of 5", depth=facts.depth)
    return f"{players} · {minutes} · {depth}"


def terms(match: Match, language: Language, *, brief: bool = False) -> str:
    """The options, rated or casual, hints, takebacks and language of a match of a known game.

    ``brief`` goes on in a line, and has only what is special.
    """
    info = info_of(match.game)
    if info is None:
        return ""
    parts = [options(info, match.options, language, brief=brief)]
    if match.rated:
        parts.append(language.say("rated"))
    elif not brief:
        parts.append(language.say("casual"))
    if match.hints:
        parts.append(language.say("hints allowed"))
    if not match.takebacks:
        parts.append(language.say("no takebacks"))
    if match.language is not None and not brief:
        parts.append(language_line(match.language, language))
    said = " · ".join(part for part in parts if part)
    return said if brief else capital(said)


def matches_left(match: Match, language: Language) -> str:
    """The number of matches that an open offer may still start; empty for a single one."""
    if match.status is not MatchStatus.OFFERED or not match.repeats:
        return ""
    return language.plural(
        "{n} match left: each player who accepts starts a new one",
        "{n} matches left: each player who accepts starts a new one",
        n=match.repeats + 1,
    )


def _value(option: IntOption | ChoiceOption, value: OptionValue, language: Language) -> str:
    if isinstance(option, ChoiceOption):
        for choice in option.choices:
            if choice.key == value:
                return language(choice.label)
    return str(value)


def sides(match: Match, table: GameState, language: Language) -> str:
    """The sides: ``Black <@1> · Red <@2>``."""
    return " · ".join(
        f"{language(seat.name)} {mention(match.players[player], language)}"
        for seat, player in zip(table.game.seats, table.game.seating(table.position), strict=True)
    )


def turn(match: Match, language: Language) -> str:
    """The player to move, or the end of the match, in one line."""
    if match.too_late is not None and match.tournament is not None:
        return language.say(
            "{player} didn't make the first move in time and forfeits the game.",
            player=mention(match.players[match.too_late], language),
        )
    if match.too_late is not None:
        return language.say(
            "{player} ran out of time before the second move. The match was aborted, and nobody"
            " loses.",
            player=mention(match.players[match.too_late], language),
        )
    if match.was_put_aside:
        return language.say(
            "This match was aborted: for {days} days Parlour couldn't reach the player to move."
            " Nobody lost.",
            days=AT_MOST.days,
        )
    if match.status is MatchStatus.ABORTED and match.verdict and match.tournament is not None:
        return language.say(
            "A director had this round paired again, so the match was aborted: {reason}",
            reason=quoted(match.verdict),
        )
    if match.status is MatchStatus.ABORTED and match.verdict:
        return language.say(
            "A manager of this server ended this match without a result: {reason}",
            reason=quoted(match.verdict),
        )
    if match.status is MatchStatus.ABORTED:
        return language.say("This match was aborted. It has no result.")
    if match.result is not None:
        return outcome(match, language)
    if match.status is not MatchStatus.RUNNING:
        return ""
    table = game_state_of(match)
    seat = table.game.to_move(table.position)
    if seat is None:
        return ""
    user = match.players[player_at(table, seat)]
    side = side_to_move(table, language)
    if is_computer(user):
        return language.say(
            "{player} is thinking ({side})", player=mention(user, language), side=side
        )
    return language.say("{player} is to move ({side})", player=mention(user, language), side=side)


def last_move_shown(match: Match, language: Language) -> str:
    """The effect of a last move that is no place on the board, such as a swap; else ''."""
    said = spoken(match.game, match.last_move)
    if said is None or said.shown is None or match.moved_by is None:
        return ""
    if match.status is not MatchStatus.RUNNING:
        return ""
    player = mention(match.players[match.moved_by], language)
    return language(said.shown.filled({"player": player}))


def left(match: Match, language: Language) -> str:
    """Players who have left a running match; '' if none."""
    if match.status is not MatchStatus.RUNNING or not match.retired:
        return ""
    gone = mentions(tuple(match.players[each] for each in match.retired), language)
    return language.say("Left the match: {players}", players=gone)


def side_to_move(table: GameState, language: Language) -> str:
    """The side to move; of a player with several colours, the colour. Empty after the end."""
    game, position = table.game, table.position
    seat = game.to_move(position)
    if seat is None:
        return ""
    info = game.seats[seat]
    if len(info.colours) > 1:
        view = game.view(position, None)
        if view.to_move is not None:
            return language(view.colours[view.to_move].name)
    return language(info.name)


def outcome(match: Match, language: Language) -> str:
    """The result of a finished match: winners, score, reason."""
    said = [winners(match, language), _reason(match, language)]
    if is_too_short(match):
        said.append(language.say("Too short to count for ratings."))
    return " ".join(each for each in said if each)


def winners(match: Match, language: Language) -> str:
    """The winners of a finished match, or that it was a draw, or lost by all."""
    result = match.result
    if result is None:
        return ""
    if result.is_lost_by_all:
        return language.say("Nobody wins.")
    return won_by([mention(match.players[each], language) for each in result.winners], language)


def won_by(names: Sequence[str], language: Language) -> str:
    """Says that these players have won, or that it was a draw."""
    if not names:
        return language.say("Draw.")
    if len(names) == 1:
        return language.say("{player} wins!", player=names[0])
    return language.say("{players} share the win!", players=language.listed(names))


def points(names: Iterable[str], scores: Sequence[float]) -> str:
    """``Anna 7 · Ben 5``; empty where nothing but wins and draws is counted."""
    pairs = zip(names, scores, strict=True) if has_points(scores) else ()
    return " · ".join(f"{name} {score:g}" for name, score in pairs)


def has_points(scores: Iterable[float]) -> bool:
    """Whether scores say more than who won."""
    return any(score not in (0, 0.5, 1) for score in scores)


def _reason(match: Match, language: Language) -> str:
    result = match.result
    if result is None:
        return ""
    if result.ending is Ending.AGREEMENT:
        return language.say("The players agreed to a draw.")
    if result.reason in (MANAGED, UNCOUNTED):
        return _decision(match, language)
    if result.ending is Ending.ADJUDICATION:
        said = language.say("The tournament decided the result.")
        if match.rated and result.is_lost_by_all:
            said += " " + language.say("It changes no ratings.")
        return said
    if result.ending in (Ending.RESIGNATION, Ending.TIME):
        # Others may have left before, for the one reason or the other; the last one ended it.
        last = mentions(tuple(match.players[index] for index in match.retired[-1:]), language)
        if set(match.retired[-1:]) & set(match.departed):
            return language.say("{player} left the server.", player=last)
        if result.ending is Ending.TIME:
            return language.say("{player} ran out of time.", player=last)
        return language.say("{player} resigned.", player=last)
    info = info_of(match.game)
    reason = info.reasons.get(result.reason) if info is not None else None
    words = language(reason) if reason is not None else result.reason
    if info is None or not has_points(result.scores):
        return words
    seats = (language(each.name) for each in game_state_of(match).game.seats)
    told = language.say("Points: {points}.", points=points(seats, result.scores))
    return f"{words} {told}"


def _decision(match: Match, language: Language) -> str:
    """A manager's decision about a match, and what it means for ratings."""
    result = match.result
    if result is None:
        return ""
    said = [
        language.say(
            "A manager of this server decided the match: {reason}", reason=quoted(match.verdict)
        )
    ]
    if len(match.players) > 2:
        said.append(places(match, language))
    if match.rated and not is_too_short(match):
        counted = language.say("The result counts for ratings.")
        uncounted = language.say("It changes no ratings.")
        said.append(uncounted if result.reason == UNCOUNTED else counted)
    return " ".join(each for each in said if each)


def places(match: Match, language: Language) -> str:
    """``1. Anna · 2. Ben and Carl · 4. Dora``."""
    try:
        ranks = ranks_of(match)
    except UserError:  # its rules are gone
        return ""
    said = []
    for rank in sorted(set(ranks)):
        there = tuple(
            player for player, each in zip(match.players, ranks, strict=True) if each == rank
        )
        ahead = sum(each < rank for each in ranks)
        said.append(f"{ahead + 1}. {mentions(there, language)}")
    return language.say("Places: {places}.", places=" · ".join(said))


def quoted(reason: str) -> str:
    """A reason, escaped, ended like a sentence."""
    said = escape(reason, longest=200)
    return said if said[-1:] in ".!?。" else f"{said}."


def gains(found: Sequence[RatingChange], language: Language) -> str:
    """The rating changes of a match: ``Ratings: <@1> 1512 (+12)``."""
    said = " · ".join(
        f"{mention(gain.user_id, language)} {gain.after} ({gain.after - gain.before:+d})"
        for gain in found
    )
    return language.say("Ratings: {ratings}", ratings=said.replace("(-", "(−"))


def move_words(game: str, move: str, language: Language) -> str:
    """A move: its notation, or the name of one that is no place on the board."""
    named = spoken(game, move)
    return move if named is None else language(named.label)


def numbered(number: int, game: str, move: str, language: Language) -> str:
    """A move with its number, kept on one line."""
    return f"{number}\N{NO-BREAK SPACE}{move_words(game, move, language)}"


def last_moves(match: Match, language: Language) -> str:
    """The last few moves with their numbers, oldest first: ``5 f7 · 6 e8f9``."""
    recent = match.recent[-_LAST:]
    first = match.ply - len(recent) + 1
    return " · ".join(
        numbered(first + index, match.game, move, language) for index, move in enumerate(recent)
    )


def example(match: Match, language: Language) -> str:
    """An example of a written move, under the first board of each player; else ''."""
    info = info_of(match.game)
    is_new = match.status is MatchStatus.RUNNING and match.ply < len(match.players)
    if info is None or info.example is None or not is_new:
        return ""
    return f"-# {language(info.example)}"


def requests(match: Match, language: Language) -> list[str]:
    """The open requests of players."""
    askers = ((each, mention(match.players[each.asker], language)) for each in match.requests)
    return [
        language(WISHES[request.wish].board.filled({"player": player}))
        for request, player in askers
    ]


def as_written(game: str, typed: str, language: Language) -> str:
    """The typed text in the notation of the game.

    ``Queen a1`` becomes ``Q a1``. The words may be those of the reader's language or English ones,
    in any case. Everything else stays as it is, cut where it is longer than any move; what is no
    move, the game refuses.
    """
    typed = typed[: LONGEST_MOVE + 1]
    info = info_of(game)
    if info is None:
        return typed
    folded = _folded(typed)
    for move, spoken in info.spoken.items():
        if folded in _spoken_names(spoken.label, language):
            return move
    names = [
        (name, letter)
        for letter, piece in info.pieces.items()
        for name in _spoken_names(piece, language)
    ]
    for name, letter in sorted(names, key=lambda each: -len(each[0])):
        if folded.startswith(name):
            return f"{letter} {folded.removeprefix(name).strip()}"
    return typed


def pieces_begun(game: str, typed: str, language: Language) -> list[str]:
    """The letters of the pieces whose names begin with what has been typed so far."""
    folded, info = _folded(typed[: LONGEST_MOVE + 1]), info_of(game)
    if info is None or not folded:
        return []
    return [
        letter
        for letter, piece in info.pieces.items()
        if any(name.startswith(folded) for name in _spoken_names(piece, language))
    ]


def _spoken_names(text: Text, language: Language) -> set[str]:
    return {_folded(language(text)), _folded(text.english())}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", plain(text)).casefold()

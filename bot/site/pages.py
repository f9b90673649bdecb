"""The pages of a site beside those of its events: the list of events, and the leaderboards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.domain.ids import UserId
from bot.i18n import Language
from bot.store.records import PlayerRating
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.web_page import made_words
from bot.tournaments.ui.words import EventText
from bot.ui.pages import match_text
from bot.ui.pages.display_names import clean
from bot.ui.web.document import day_words, document


def index_page(events: Sequence[tuple[EventText, str]], language: Language, now: datetime) -> bytes:
    """The list of events, each with the address of its page."""
    listed = []
    for event, href in events:
        t = event.t
        is_over = t.status is TournamentStatus.FINISHED
        champions = event.view.champion if is_over else ()
        listed.append(
            {
                "href": href,
                "name": clean(t.setup.name, longest=80),
                "champion": language.listed(event.who(each) for each in champions),
                "game": match_text.named_game(t.setup.game),
                "format": setup_words.format_name(t.setup, language),
                "day": day_words(t.begins.date(), language),
                "players": language.plural("{n} player", "{n} players", n=len(t.entrants)),
                "state": language(words.STATUS_WORDS[t.status]),
            }
        )
    said = {
        "tournaments": language.say("Tournaments"),
        "leaderboard": language.say("Leaderboard"),
        "contents": language.say("More pages"),
        "tournament": language.say("Tournament"),
        "game": language.say("Game"),
        "state": language.say("Status"),
        "none": language.say("There are no tournaments yet."),
        "made": made_words(now, language),
    }
    return document("index.html", language, events=listed, said=said)


def leaderboard_document(
    best: Mapping[str, Sequence[PlayerRating]],
    names: Mapping[UserId, str],
    language: Language,
    now: datetime,
) -> bytes:
    """The best of each game, by the key of the game; games without any are left out."""
    boards = [
        {
            "id": f"g-{game}",
            "title": match_text.named_game(game),
            "rows": [
                {
                    "name": names[each.user_id],
                    "rating": str(each),
                    "matches": each.record.matches,
                }
                for each in players
            ],
        }
        for game, players in best.items()
        if players
    ]
    said = {
        "all": language.say("All tournaments"),
        "leaderboard": language.say("Leaderboard"),
        "contents": language.say("On this page"),
        "place": language.say("Place"),
        "player": language.say("Player"),
        "rating": language.say("Rating"),
        "matches": language.say("Matches"),
        "none": language.say("Nobody has finished a rated match yet."),
        "provisional": language.say("? = provisional, listed after all others"),
        "made": made_words(now, language),
    }
    return document("leaderboard.html", language, boards=boards, said=said)

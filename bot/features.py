"""The features beside the match: what they do inside its transactions, and their rooms in Discord.

A match, its players and its messages know none of them. Import this module, and all are there.
"""

# ruff: noqa: F401 - a room registers its commands, buttons, menus and forms as it is imported

from __future__ import annotations

import bot.ui.computers.against_computer
import bot.ui.computers.analysis
import bot.ui.computers.hints
import bot.ui.computers.retry
import bot.ui.computers.review
import bot.ui.history.positions
import bot.ui.history.records
import bot.ui.history.replay
import bot.ui.learn
import bot.ui.lobby
import bot.ui.match_actions
import bot.ui.offers.answer_handlers
import bot.ui.offers.offer_handlers
import bot.ui.overview
import bot.ui.owner
import bot.ui.plans
import bot.ui.play.move_handlers
import bot.ui.puzzles
import bot.ui.ratings
import bot.ui.settings.end_match
import bot.ui.settings.moderation
import bot.ui.settings.person_settings
import bot.ui.settings.privacy
import bot.ui.settings.server_log
import bot.ui.settings.server_settings
import bot.ui.settings.vacations
import bot.ui.settings.webhooks
import bot.ui.tournaments.director_handlers
import bot.ui.tournaments.file_handlers
import bot.ui.tournaments.guests
import bot.ui.tournaments.ladder
import bot.ui.tournaments.player_handlers
import bot.ui.tournaments.setup_handlers
import bot.ui.tournaments.table_pages
import bot.ui.watching
from bot.store import (
    changes,
    follows,
    jobs,
    lobbies,
    match_feed,
    pairing,
    plans,
    ratings,
    times,
    webhooks,
)
from bot.store.hooks import hooks
from bot.store.tournaments import writing as tournaments
from bot.ui.command_sync import names_for_babel

hooks.answers = (changes.sit_down, plans.answers_to)
hooks.changed = (
    lobbies.show_change,
    pairing.tally,
    follows.follow_players,
    times.shorten_vacations,
    ratings.rate,
    tournaments.note_end,
    jobs.note,
    match_feed.post_change,
    follows.show_change,
    webhooks.note_match,
    changes.offer_again,
)
hooks.housed = (tournaments.link_again,)
hooks.blocked = (follows.end_between,)

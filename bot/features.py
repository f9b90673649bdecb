"""The features beside the match: their part in its transactions, and their rooms in Discord.

The match, its players and its messages know none of them. Importing this module loads them all.
"""

# ruff: noqa: F401 - a room registers its commands, buttons, menus and forms as it is imported

from __future__ import annotations

import bot.computers.ui.against_computer
import bot.computers.ui.analysis
import bot.computers.ui.hints
import bot.computers.ui.retry
import bot.computers.ui.review
import bot.follows.ui
import bot.history.ui.positions
import bot.history.ui.records
import bot.history.ui.replay
import bot.learn.ui.help
import bot.learn.ui.lessons
import bot.learn.ui.puzzles
import bot.lobby.ui
import bot.owner.ui
import bot.plans.ui
import bot.privacy.ui
import bot.profiles
import bot.servers.end_match
import bot.servers.log
import bot.servers.moderation
import bot.servers.settings
import bot.tournaments.ui.file_handlers
import bot.tournaments.ui.guest_lists
import bot.tournaments.ui.ladder
import bot.tournaments.ui.managing
import bot.tournaments.ui.player_pages
import bot.tournaments.ui.rehearsal_page
import bot.tournaments.ui.setup_page
import bot.tournaments.ui.tables
import bot.ui.match_actions
import bot.ui.offers.answer_handlers
import bot.ui.offers.offer_handlers
import bot.ui.play.move_handlers
import bot.ui.settings.person_settings
import bot.ui.settings.vacations
import bot.webhooks.ui
from bot.computers import store as jobs
from bot.follows import store as follows
from bot.lobby import store as lobbies
from bot.plans import store as plans
from bot.store import changes, match_feed, pairing, ratings, vacations
from bot.store.hooks import hooks
from bot.tournaments.store import writing as tournaments
from bot.ui.command_sync import names_for_babel
from bot.webhooks import store as webhooks

hooks.answers = (jobs.sit_down, plans.answers_to)
hooks.listed = (lobbies.is_listed,)
hooks.ended = (ratings.rate, tournaments.note_end)
hooks.changed = (
    lobbies.show_change,
    pairing.tally,
    follows.follow_players,
    vacations.shorten_vacations,
    jobs.note,
    match_feed.post_change,
    follows.show_change,
    webhooks.note_match,
    changes.offer_again,
)
hooks.housed = (tournaments.link_again,)
hooks.blocked = (follows.end_between,)
hooks.server_changed = (lobbies.choose,)
hooks.put_back = (jobs.put_back,)

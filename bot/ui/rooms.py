"""Every room, imported so that it registers its commands, buttons, menus and forms."""

from __future__ import annotations

import bot.ui.computers.against_computer
import bot.ui.computers.analysis
import bot.ui.computers.hints
import bot.ui.computers.retry
import bot.ui.computers.review
import bot.ui.history.history_handlers
import bot.ui.history.record_handlers
import bot.ui.history.replay
import bot.ui.learn.lessons
import bot.ui.lobby
import bot.ui.match_actions
import bot.ui.offers.answer_handlers
import bot.ui.offers.defaults_handlers
import bot.ui.offers.offer_handlers
import bot.ui.overview.overview_handlers
import bot.ui.owner
import bot.ui.plans.plan_handlers
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
import bot.ui.watching  # noqa: F401

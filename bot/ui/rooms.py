"""Every room, imported so that it registers its commands, buttons, menus and forms."""

from __future__ import annotations

import bot.ui.computers.analysis_handlers
import bot.ui.computers.computer_handlers
import bot.ui.computers.hint_handlers
import bot.ui.computers.retry_handlers
import bot.ui.computers.review_handlers
import bot.ui.history.history_handlers
import bot.ui.history.record_handlers
import bot.ui.history.replay_handlers
import bot.ui.learn.lesson_handlers
import bot.ui.lobby.lobby_handlers
import bot.ui.offers.answer_handlers
import bot.ui.offers.defaults_handlers
import bot.ui.offers.offer_handlers
import bot.ui.offers.play_fields
import bot.ui.overview.overview_handlers
import bot.ui.owner.owner_handlers
import bot.ui.plans.plan_handlers
import bot.ui.play.ending_handlers
import bot.ui.play.move_handlers
import bot.ui.puzzles.puzzle_handlers
import bot.ui.ratings.rating_handlers
import bot.ui.requests.request_handlers
import bot.ui.settings.end_match_handlers
import bot.ui.settings.privacy_handlers
import bot.ui.settings.server_handlers
import bot.ui.settings.setting_handlers
import bot.ui.settings.vacation_handlers
import bot.ui.settings.webhook_handlers
import bot.ui.tournaments.director_handlers
import bot.ui.tournaments.file_handlers
import bot.ui.tournaments.guests
import bot.ui.tournaments.ladder
import bot.ui.tournaments.player_handlers
import bot.ui.tournaments.setup_handlers
import bot.ui.tournaments.table_pages
import bot.ui.watching.follow_handlers  # noqa: F401

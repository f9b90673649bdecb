"""Refusals by code: a file for each subject.

Code that raises :exc:`bot.errors.UserError` names a code from here; a new refusal is one line in
the file of its subject.
"""

from __future__ import annotations

from bot.i18n.refusals.computers import COMPUTERS
from bot.i18n.refusals.interface import INTERFACE
from bot.i18n.refusals.matches import MATCHES
from bot.i18n.refusals.offers import OFFERS
from bot.i18n.refusals.records import RECORDS
from bot.i18n.refusals.settings import SETTINGS
from bot.i18n.refusals.tournaments import TOURNAMENTS
from games.view import Text

REFUSALS: dict[str, Text] = (
    MATCHES | OFFERS | COMPUTERS | TOURNAMENTS | SETTINGS | RECORDS | INTERFACE
)

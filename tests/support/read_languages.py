"""Importing this reads all catalogues; see :mod:`tests.support.forked`."""

from bot.i18n import Languages

for _language in Languages().known().values():
    _language.say("Rules")

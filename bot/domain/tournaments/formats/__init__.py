"""One module a format; :mod:`bot.domain.tournaments.formats.catalog` lists them all."""

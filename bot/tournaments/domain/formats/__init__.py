"""One module a format; :mod:`bot.tournaments.domain.formats.catalog` lists them all."""

"""Tournaments: the actions of organisers and players, and automatic progress.

*Pages* call :class:`~bot.tournaments.services.service.TournamentService` with a
:class:`~bot.tournaments.services.views.Visitor` and show the views that it returns. Refusals are
:exc:`bot.errors.UserError`.

*Messages that Parlour sends by itself*: every :class:`~bot.tournaments.posts.Message` was written
in the same transaction as the event that caused it. It has a kind and an addressee, never words. It
is sent at least once, in order for each addressee; where its place is remembered, the next one
edits it instead of posting again.

*Only* :class:`~bot.tournaments.services.runner.TournamentRunner` *advances a tournament*: it looks
every few seconds for due work, in any process, and every step of it can be repeated.
"""

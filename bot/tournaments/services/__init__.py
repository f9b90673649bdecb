"""Tournaments: what organisers and players can do with them, and how they run by themselves.

*Pages* call :class:`~bot.tournaments.services.service.TournamentService` with a
:class:`~bot.tournaments.services.views.Visitor` and show the views that it returns. Refusals are
:exc:`bot.errors.UserError`.

*Messages that Parlour sends by itself* arrive at an
:class:`~bot.tournaments.services.messages.Announcer`, which the user interface provides. Every
:class:`~bot.tournaments.services.messages.Message` was written in the same transaction as the event
that caused it. It names what is to be told and to whom, never the words; it is sent at least once,
in order for each addressee, and an announcer that returns where the message stands has it edited
instead of posted again the next time.

*Nothing else moves a tournament*: :class:`~bot.tournaments.services.runner.TournamentRunner` looks
every few seconds for what is due, in any process, and every step of it can be repeated.
"""

"""The process: its start, its parts (:mod:`bot.app.wiring`), its life (:mod:`bot.app.life`)."""

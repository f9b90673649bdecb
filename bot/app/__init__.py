"""Everything put together (:mod:`bot.app.wiring`), and its life (:mod:`bot.app.life`)."""

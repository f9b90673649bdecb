"""A sixth game, complete: whatever the bot and the renderers do for five, they must do for it."""

from tests.sixth_game.game import LESSON, Rows

__all__ = ["LESSON", "Rows"]

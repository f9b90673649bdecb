"""x"""

from games.api import SampleGame

SAMPLES: tuple[SampleGame, ...] = ()

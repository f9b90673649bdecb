"""A package, lest another ``tests`` that something brought along be found first.

The sixth game of the tests is installed beside the five, for every test and every process of one.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).with_name("installed")))

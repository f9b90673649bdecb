"""Show the values in failed assertions of the conformance kit, as in the tests themselves."""

import pytest

pytest.register_assert_rewrite("tests.games.conformance")

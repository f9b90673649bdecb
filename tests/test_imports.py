"""No module imports itself by way of others, not even for types alone."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp


def test_no_circle_of_imports_among_modules() -> None:
    packages = ("games", "renderers", "engines", "bot", "playground")
    graph = grimp.build_graph(*packages, cache_dir=None)
    imports = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle

"""Pages for a browser, each in one file: templates, their look, and what they may load: nothing."""

"""Offering a match, from `/play` or its menus, and answering an offer."""

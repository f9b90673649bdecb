"""Tournaments: setting one up, its home message, players' pages, directors' acts, rehearsals."""

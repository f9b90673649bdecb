"""Documents for a browser: templates filled in, with everything that they need inside.

A document loads nothing: its style and its script stand in it, named by their digests in the policy
that the browser keeps to, and pictures are ``data:`` addresses. Whatever comes from people is
escaped by the templates; text that is markup already is a :class:`markupsafe.Markup`.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import date
from pathlib import Path
from typing import Any

from babel.dates import format_date
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bot.i18n import Language
from bot.ui.pages.typed_times import locale_of

_TEMPLATES = Path(__file__).parent / "templates"
_ENVIRONMENT = Environment(
    loader=FileSystemLoader(_TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _inside(name: str) -> tuple[Markup, str]:
    """A file of ours as it stands in a document, and its source for the policy."""
    text = (_TEMPLATES / name).read_text(encoding="utf-8").strip()
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Markup(text), f"'sha256-{digest}'"  # noqa: S704 - a file of ours, from no person


_STYLE, _STYLE_SOURCE = _inside("style.css")
_SCRIPT, _SCRIPT_SOURCE = _inside("script.js")
_POLICY = (
    f"default-src 'none'; img-src data:; style-src {_STYLE_SOURCE}; script-src {_SCRIPT_SOURCE};"
    " base-uri 'none'; form-action 'none'"
)


def document(template: str, language: Language, **about: Any) -> bytes:
    """A whole document of UTF-8 from a template and what is ``about`` to fill it."""
    filled = _ENVIRONMENT.get_template(template).render(
        **about, locale=language.locale, policy=_POLICY, style=_STYLE, script=_SCRIPT
    )
    return filled.encode()


def fragment(template: str, **about: Any) -> Markup:
    """A part of a document."""
    return Markup(_ENVIRONMENT.get_template(template).render(**about))  # noqa: S704 - escaped there


def day_words(day: date, language: Language) -> str:
    """A day as readers of a language write it in full."""
    return format_date(day, "long", locale=locale_of(language))

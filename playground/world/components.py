"""Components of messages: Discord's limits on them, and the form in which Discord returns them.

A :class:`MessageComponents` reads a bot's message: it notes every error with its path, resolves
``attachment://`` addresses into media objects and numbers the components.
https://docs.discord.com/developers/components/reference
"""

from __future__ import annotations

from collections.abc import Callable

from playground.errors import FormErrors
from playground.wire import Json
from playground.world.controls import SELECTS, ComponentType, EmojiKnown, Parts, number

LAYOUT = frozenset({1, 9, 10, 12, 13, 14})
_MAX_COMPONENTS = 40
_MAX_TEXT = 4000

#: Returns the media object of an address, or None if it names a missing file.
MediaFinder = Callable[[str], Json | None]


class MessageComponents(Parts):
    """Reads the components of one message."""

    def __init__(
        self, errors: FormErrors, *, v2: bool, media: MediaFinder, emoji_known: EmojiKnown
    ) -> None:
        super().__init__(errors, emoji_known=emoji_known)
        self._v2 = v2
        self._media = media
        self._count = 0
        self._text = 0

    def read(self, raw: object, path: str = "components") -> list[Json]:
        """The components as Discord returns them; errors go to the given collector."""
        made: list[Json] = []
        if not self._v2:
            for index, each in enumerate(self.as_list(raw, path, 0, 5)):
                here = f"{path}.{index}"
                if each.get("type") != ComponentType.ACTION_ROW:
                    self.bad_type(here, frozenset({1}))
                else:
                    made.append(self._row(each, here))
        else:
            for index, each in enumerate(self.as_list(raw, path, 0, _MAX_COMPONENTS)):
                here = f"{path}.{index}"
                if each.get("type") == ComponentType.CONTAINER:
                    made.append(self._container(each, here))
                else:
                    made += self._layout(each, here, LAYOUT | {17})
            if self._count > _MAX_COMPONENTS:
                self.errors.add(
                    path,
                    "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                    f"The maximum number of total components allowed is {_MAX_COMPONENTS}",
                )
            if self._text > _MAX_TEXT:
                self.errors.add(
                    path,
                    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                    f"Total size of displayable text exceeds maximum size of {_MAX_TEXT}",
                )
        if not self.errors:
            number(made)
        return made

    def start(self, raw: Json, path: str) -> Json:
        """A fresh component, counted."""
        self._count += 1
        return super().start(raw, path)

    def _row(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        children: list[Json] = []
        inside = self.as_list(raw.get("components"), f"{path}.components", 1, 5)
        for index, each in enumerate(inside):
            here = f"{path}.components.{index}"
            kind = each.get("type")
            if kind == ComponentType.BUTTON:
                children.append(self.button(each, here))
            elif kind in SELECTS:
                children.append(self.select(each, here))
            else:
                self.bad_type(here, frozenset({2}) | SELECTS)
        if len(children) > 1 and any(each["type"] in SELECTS for each in children):
            self.errors.add(
                f"{path}.components",
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
        made["components"] = children
        return made

    def _container(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        colour = raw.get("accent_color")
        if colour is not None and not (isinstance(colour, int) and 0 <= colour <= 0xFFFFFF):
            self.errors.add(
                f"{path}.accent_color", "NUMBER_TYPE_MAX", "Value should be from 0 to 16777215."
            )
        made |= {"accent_color": colour, "spoiler": bool(raw.get("spoiler"))}
        children: list[Json] = []
        inside = self.as_list(raw.get("components"), f"{path}.components", 1, _MAX_COMPONENTS)
        for index, each in enumerate(inside):
            children += self._layout(each, f"{path}.components.{index}", LAYOUT)
        made["components"] = children
        return made

    def _layout(self, raw: Json, path: str, allowed: frozenset[int]) -> list[Json]:
        match raw.get("type"):
            case ComponentType.ACTION_ROW:
                return [self._row(raw, path)]
            case ComponentType.SECTION:
                return [self._section(raw, path)]
            case ComponentType.TEXT_DISPLAY:
                return [self._text_display(raw, path)]
            case ComponentType.MEDIA_GALLERY:
                return [self._gallery(raw, path)]
            case ComponentType.FILE:
                return [self._file(raw, path)]
            case ComponentType.SEPARATOR:
                made = self.start(raw, path)
                divider, spacing = raw.get("divider"), raw.get("spacing")
                made["divider"] = True if divider is None else bool(divider)
                made["spacing"] = 1 if spacing is None else spacing
                return [made]
        self.bad_type(path, allowed)
        return []

    def _text_display(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        self.errors.check_length(f"{path}.content", raw.get("content"), 1, _MAX_TEXT)
        made["content"] = str(raw.get("content", ""))
        self._text += len(made["content"])
        return made

    def _section(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        children: list[Json] = []
        inside = self.as_list(raw.get("components"), f"{path}.components", 1, 3)
        for index, each in enumerate(inside):
            here = f"{path}.components.{index}"
            if each.get("type") == ComponentType.TEXT_DISPLAY:
                children.append(self._text_display(each, here))
            else:
                self.bad_type(here, frozenset({10}))
        made["components"] = children
        accessory = raw.get("accessory")
        here = f"{path}.accessory"
        if not isinstance(accessory, dict):
            self.errors.required(here)
        elif accessory.get("type") == ComponentType.BUTTON:
            made["accessory"] = self.button(accessory, here)
        elif accessory.get("type") == ComponentType.THUMBNAIL:
            shown = self.start(accessory, here)
            self._media_item(accessory, shown, here)
            made["accessory"] = shown
        else:
            self.bad_type(here, frozenset({2, 11}))
        return made

    def _gallery(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        made["items"] = []
        for index, each in enumerate(self.as_list(raw.get("items"), f"{path}.items", 1, 10)):
            item: Json = {}
            self._media_item(each, item, f"{path}.items.{index}")
            made["items"].append(item)
        return made

    def _media_item(self, raw: Json, made: Json, path: str) -> None:
        description = raw.get("description")
        if description is not None:
            self.errors.check_length(f"{path}.description", description, 1, 1024)
        made |= {"description": description, "spoiler": bool(raw.get("spoiler"))}
        made["media"] = self._resolve(raw.get("media"), f"{path}.media")

    def _file(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        media = self._resolve(raw.get("file"), f"{path}.file")
        url = str((raw.get("file") or {}).get("url", ""))
        name = url.removeprefix("attachment://") if url.startswith("attachment://") else None
        made |= {
            "file": media,
            "name": name,
            "size": media.pop("size", None),
            "spoiler": bool(raw.get("spoiler")),
        }
        return made

    def _resolve(self, raw: object, path: str) -> Json:
        url = raw.get("url") if isinstance(raw, dict) else None
        if not isinstance(url, str) or not url:
            self.errors.required(f"{path}.url")
            return {}
        if not url.startswith(("attachment://", "http://", "https://")):
            self.errors.add(
                f"{path}.url",
                "URL_TYPE_INVALID_SCHEME",
                "Scheme must be one of ('http', 'https', 'attachment').",
            )
            return {}
        found = self._media(url)
        if found is None:
            self.errors.add(
                f"{path}.url",
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                "The referenced attachment was not found",
            )
            return {}
        return found

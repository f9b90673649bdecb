"""Pictures are measured as Pillow measures them, and names lead nowhere."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from playground.world.media import content_type, picture_size, safe_filename


def encoded(kind: str, width: int, height: int, **options: object) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(data, kind, **options)
    return data.getvalue()


@pytest.mark.parametrize(("width", "height"), [(1, 1), (40, 30), (1000, 7), (300, 2000)])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("PNG", {}),
        ("GIF", {}),
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("WEBP", {"lossless": True}),
        ("WEBP", {"quality": 50}),
    ],
)
def test_sizes_of_pictures(kind: str, options: dict[str, object], width: int, height: int) -> None:
    assert picture_size(encoded(kind, width, height, **options)) == (width, height)


def test_the_size_of_an_animated_webp() -> None:
    data = io.BytesIO()
    frames = [Image.new("RGB", (50, 60), colour) for colour in ("red", "blue")]
    frames[0].save(data, "WEBP", save_all=True, append_images=frames[1:])
    assert picture_size(data.getvalue()) == (50, 60)


STARTS = [
    b"",
    b"\x89PNG\r\n\x1a\n",
    b"GIF89a",
    b"\xff\xd8",
    b"RIFF0000WEBPVP8X",
    b"RIFF0000WEBPVP8L",
]


@given(st.binary(max_size=64), st.sampled_from(STARTS))
def test_no_bytes_break_the_measuring(data: bytes, start: bytes) -> None:
    size = picture_size(start + data)
    assert size is None or all(each >= 0 for each in size)


@given(st.text(max_size=300))
@pytest.mark.long
def test_a_file_name_is_never_a_path(name: str) -> None:
    safe = safe_filename(name)
    assert 1 <= len(safe) <= 255
    assert not set(safe) & set("/\\\0")
    assert not safe.startswith(".")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("board.png", "image/png"),
        ("game.txt", "text/plain; charset=utf-8"),
        ("strange.zzz", "application/octet-stream"),
    ],
)
def test_the_type_comes_from_the_name(name: str, kind: str) -> None:
    assert content_type(name) == kind

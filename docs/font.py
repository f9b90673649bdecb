"""Cut renderers/fonts/NotoSansCJK-JIS1.otf out of Noto Sans CJK; run by `make font`.

It keeps what one needs to write Japanese: the signs, kana and 2,965 kanji of JIS X 0208, level 1.
For a sentence with another character, put it into MORE and make the font again.
"""

from pathlib import Path

from fontTools import subset

from renderers.fonts.noto import installed

MORE = "～－"
ROWS = (1, 2, 3, 4, 5, *range(16, 48))
MADE = Path(__file__).parents[1] / "renderers/fonts/NotoSansCJK-JIS1.otf"


def letters() -> str:
    """The characters of those rows, read off their places in EUC-JP."""
    places = (bytes((0xA0 + row, 0xA0 + cell)) for row in ROWS for cell in range(1, 95))
    return "".join(place.decode("euc_jp", "ignore") for place in places) + MORE


def main() -> None:
    """Write the font; the same source makes the same bytes."""
    # The first font of the collection is the Japanese one.
    options = subset.Options(font_number=0, layout_features=[], notdef_outline=True)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    font = subset.load_font(installed(), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=letters())
    cutter.subset(font)
    subset.save_font(font, MADE, options)


main()

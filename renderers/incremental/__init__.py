"""Drawing only the changes of a page since the page before.

A player sees a picture after every move, and from one move to the next a page hardly changes.
Blending sprites, finding palette colours and deflating rows cost time, so a page is described first
and only its new parts are drawn. From the bottom up:

1. :mod:`~renderers.incremental.images` caches finished images (masks, sprites, empty boards) in a
   store bounded in bytes. Each image has a *shape*, a small token that stands for it in keys.
2. :mod:`~renderers.incremental.layer` is a list of *notes*: this shape, at this place, in this
   colour. Drawing functions all over :mod:`renderers` write notes and never touch pixels.
3. :mod:`~renderers.incremental.sheet` is a layer on an empty *ground*: some rows of the page. It
   compares its notes with those of the sheet it follows, draws a box around each difference, and
   caches common boxes, since many cells look the same.
4. :mod:`~renderers.incremental.composition` stacks the sheets of a page.
5. :mod:`~renderers.incremental.png` writes the file in *bands* of rows that are deflated
   separately, so that a band without changes is reused as it is.

A page drawn this way has the same pixels as one drawn whole; tests compare the two
(``tests/renderers/test_sheet.py``), and ``make bench`` measures the gain (``picture``).
"""

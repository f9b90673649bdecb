"""Questions to a page, in its own language: each answers a list of what is wrong."""

from __future__ import annotations

#: Boxes of the frame that hold more than they are wide.
OVERFLOWING = """
[...document.querySelectorAll('html, body, .scroller, .message, .composer, .main')]
  .filter(e => e.scrollWidth > e.clientWidth + 1)
  .filter(e => getComputedStyle(e).overflowX !== 'visible')
  .map(e => e.className || e.tagName)
"""

#: Controls and pictures of the open place that lie outside the window's width.
OUTSIDE = """
[...document.querySelectorAll('.main :is(button, a, input, textarea, img)')]
  .filter(e => e.checkVisibility() && !e.closest('pre'))
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1
    || e.getBoundingClientRect().left < -1)
  .map(e => e.outerHTML.slice(0, 120))
"""

#: Controls, lists, dialogs and pictures without a name that assistive technology could say.
UNNAMED = """
[...document.querySelectorAll('button, a, input, textarea, select, summary, img, dialog, '
    + '[role=listbox], [role=dialog], [tabindex="0"]')]
  .filter(e => e.checkVisibility() && !e.closest('[inert]'))
  .filter(e => {
    const by = (e.getAttribute('aria-labelledby') ?? '').split(' ')
      .map(id => document.getElementById(id)?.textContent ?? '').join('');
    const labels = [...(e.labels ?? [])].map(label => label.textContent).join('');
    const alts = [...e.querySelectorAll('img')].map(image => image.alt).join('');
    const name = e.getAttribute('aria-label') || by || labels || e.getAttribute('alt')
      || e.textContent + alts;
    return !name.trim() && !(e.tagName === 'IMG' && e.hasAttribute('alt'));
  })
  .map(e => e.outerHTML.slice(0, 160))
"""

#: Ids that two elements share.
SHARED_IDS = """
[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, at, all) => all.indexOf(id) < at)
"""

#: Text that stands out from its ground by less than WCAG 2.2 asks for (4.5 to 1).
POOR_CONTRAST = """() => {
  const numbers = colour => (colour.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = rgb => rgb.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = e => {
    for (let at = e; at; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.data.trim();
    const e = walker.currentNode.parentElement;
    if (!words || !e.checkVisibility({ visibilityProperty: true })) continue;
    if (e.closest('.for-readers, .avatar, :disabled, .skip, .alt-button, [inert]')) continue;
    const [a, b] = [light(numbers(getComputedStyle(e).color)), light(ground(e))]
      .sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${e.className} ${words.slice(0, 30)}`);
  }
  return poor;
}"""

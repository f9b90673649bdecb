"""The page's reading of markdown and of typed command lines, module by module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from playground.server import Playground
from tests.support.page_driver import leave, new_page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

RENDER = """async (text) => {
  const { markdown } = await import('/page/static/markdown.js');
  const box = document.createElement('div');
  const names = { '7': 'Ada', '8': '<b>Ben</b>' };
  box.append(...markdown(text, {
    userName: id => names[id] ?? 'unknown', roleName: () => 'crew', isMe: id => id === '7',
    channel: id => id === '5' ? { id, name: 'general' } : null,
    channelAddress: (id, at) => `#in=${id}${at ? `&at=${at}` : ''}`, startCommand: () => {},
  }));
  for (const e of box.querySelectorAll('*')) {
    for (const name of ['class', 'tabindex', 'rel', 'target', 'title', 'type', 'data-user']) {
      e.removeAttribute(name);
    }
  }
  return box.innerHTML;
}"""

READ = """async ([command, line]) => {
  const { flatten, readLine, readValue } = await import('/page/static/slash.js');
  const read = readLine(flatten([command]), line);
  if (!read) return null;
  return read.given.map(([name, text]) => {
    const option = read.entry.options.find(one => one.name === name);
    const people = [{ key: '7', label: '@Ada' }, { key: '8', label: '@Ada Lovelace' }];
    const value = readValue(option, text, { choices: option.choices ?? [], entities: people });
    return [name, value.problem ? 'problem' : value.value];
  });
}"""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def blank(browser: Browser) -> AsyncIterator[Page]:
    """A page from which the modules can be asked for."""
    async with Playground() as playground:
        page = await new_page(browser)
        await page.goto(playground.address)
        yield page
        await leave(page)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain", "<p>plain</p>"),
        ("**b** *i* _j_", "<p><strong>b</strong> <em>i</em> <em>j</em></p>"),
        ("__u__ ~~s~~", "<p><u>u</u> <s>s</s></p>"),
        ("***both***", "<p><strong><em>both</em></strong></p>"),
        ("snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"),
        ("`a **b**`", "<p><code>a **b**</code></p>"),
        ("``a ` b``", "<p><code>a ` b</code></p>"),
        ("```py\nx = '*y*'\n```", "<pre><code>x = '*y*'</code></pre>"),
        ("before\n```\na\n```\nafter", "<p>before</p><pre><code>a</code></pre><p>after</p>"),
        ("# One\n## Two\n### Three", "<h3>One</h3><h4>Two</h4><h5>Three</h5>"),
        ("#none", "<p>#none</p>"),
        ("-# small *print*", "<p>small <em>print</em></p>"),
        ("> a\n> b\nc", "<blockquote><p>a\nb</p></blockquote><p>c</p>"),
        (">>> a\nb", "<blockquote><p>a\nb</p></blockquote>"),
        ("- a\n- b\n  - c\n- d", "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        (r"\*not\* and \_this\_", "<p>*not* and _this_</p>"),
        ("<@7> <@&3>", "<p><span>@Ada</span> <span>@crew</span></p>"),
        ("<@!8>", "<p><span>@&lt;b&gt;Ben&lt;/b&gt;</span></p>"),
        ("<#5> <#6>", '<p><a href="#in=5">#general</a> <span>#unknown</span></p>'),
        ("</move:12>", "<p><button>/move</button></p>"),
        ("https://a.be/c_d_e.", '<p><a href="https://a.be/c_d_e">https://a.be/c_d_e</a>.</p>'),
        ("[**y**](https://a.be/)", '<p><a href="https://a.be/"><strong>y</strong></a></p>'),
        ("[x](https://a.example/(b))", '<p><a href="https://a.example/(b)">x</a></p>'),
        ("[x](https://discord.com/channels/1/5/9)", '<p><a href="#in=5&amp;at=9">x</a></p>'),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("<javascript:alert(1)>", "<p>&lt;javascript:alert(1)&gt;</p>"),
        ("<img src=x onerror=y>", "<p>&lt;img src=x onerror=y&gt;</p>"),
        ("a\n\nb", "<p>a\n\nb</p>"),
    ],
)  # fmt: skip
async def test_markdown_becomes_these_elements(blank: Page, text: str, html: str) -> None:
    assert await blank.evaluate(RENDER, text) == html


async def test_spoiler_hides_its_text_until_it_is_opened(blank: Page) -> None:
    html = await blank.evaluate(RENDER, "||hidden **b**||")
    assert 'aria-label="Spoiler: show it"' in html
    assert '<span aria-hidden="true">hidden <strong>b</strong></span>' in html


async def test_timestamps_are_in_the_readers_words_and_stay_true(blank: Page) -> None:
    now = int(await blank.evaluate("Date.now() / 1000"))
    assert "in 2 hours" in await blank.evaluate(RENDER, f"<t:{now + 7205}:R>")
    assert "3 days ago" in await blank.evaluate(RENDER, f"<t:{now - 3 * 86400 - 60}:R>")
    assert "2009" in await blank.evaluate(RENDER, "<t:1234567890>")
    assert "Invalid date" in await blank.evaluate(RENDER, "<t:9999999999999:f>")
    await blank.evaluate(
        """async (seconds) => {
          const { timeElement } = await import('/page/static/time.js');
          document.body.append(timeElement(seconds, 'R'));
        }""",
        now - 30,
    )
    shown = blank.locator("time.timestamp")
    first = await shown.inner_text()
    await expect(shown).not_to_have_text(first)


@pytest.mark.parametrize(
    "piece",
    ["*", "**", "_", "__", "~~", "||", "`", "[", "[a](", "*a ", "_a_", "> ", "- ", "<", "**a*"],
)
async def test_no_text_holds_the_page_up(blank: Page, piece: str) -> None:
    took = await blank.evaluate(
        f"async (text) => {{ const from = performance.now(); await ({RENDER})(text);"
        "return performance.now() - from; }",
        piece * (4000 // len(piece)),
    )
    assert took < 1500, f"{piece!r} took {took:.0f} ms"


PLAY: dict[str, Any] = {
    "name": "play",
    "type": 1,
    "options": [
        {"type": 3, "name": "game", "required": True, "choices": [{"name": "Quax", "value": "q"}]},
        {"type": 4, "name": "size", "min_value": 3, "max_value": 15},
        {"type": 6, "name": "opponent"},
        {"type": 5, "name": "rated"},
        {"type": 3, "name": "note", "max_length": 5},
    ],
}


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("/play", None),
        ("/pl ", None),
        ("/play ", []),
        ("/play quax", [["game", "q"]]),
        ("/play game:Quax size:9", [["game", "q"], ["size", 9]]),
        ("/play size: 2 game:q", [["size", "problem"], ["game", "q"]]),
        ("/play size:9.5", [["size", "problem"]]),
        ("/play size:", [["size", "problem"]]),
        ("/play Chess", [["game", "problem"]]),
        ("/play opponent:@Ada rated:yes", [["opponent", "7"], ["rated", True]]),
        ("/play opponent:<@8> rated:perhaps", [["opponent", "8"], ["rated", "problem"]]),
        ("/play opponent:ada lovelace", [["opponent", "8"]]),
        ("/play note:size matters", [["note", "problem"]]),
        ("/play note:a:b", [["note", "a:b"]]),
    ],
)
async def test_typed_line_is_read_as_a_command(blank: Page, line: str, given: object) -> None:
    assert await blank.evaluate(READ, [PLAY, line]) == given

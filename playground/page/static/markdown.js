// @ts-check
// Discord's markdown as DOM nodes. The text is read by hand and every piece ends in a text node,
// so a name or a message can hold any markup and stay inert.

import { fileAddress, h, webAddress } from "./dom.js";
import { timeElement } from "./time.js";

const FENCE = /```(?:([\w+#.-]*)\n)?([\s\S]*?)\n?```/g;
const LIST_ITEM = /^(\s*)(?:[-*]|(\d{1,9})\.)\s+(.*)$/;
const DEPTH = 8;

/**
 * The nodes of one text.
 *
 * `context` has names: `userName(id)`, `roleName(id)`, `channel(id)`, `isMe(id)`,
 * `channelAddress(id)`, `startCommand(name)` for a mention of a command, and `locale()`, the reader's.
 */
export function markdown(text, context) {
  const nodes = [];
  let last = 0;
  for (const match of text.matchAll(FENCE)) {
    nodes.push(...blocks(text.slice(last, match.index).replace(/\n$/, ""), context));
    nodes.push(h("pre", { class: "fence", tabindex: "0" }, h("code", {}, match[2])));
    last = match.index + match[0].length;
    if (text[last] === "\n") last += 1;
  }
  nodes.push(...blocks(text.slice(last), context));
  return nodes;
}

/** Only the inline part: names of buttons' neighbours, titles, headings. */
export function inlineMarkdown(text, context) {
  return inline(text, context, 0);
}

function blocks(text, context) {
  if (!text) return [];
  const nodes = [];
  const lines = text.split("\n");
  let plain = [];
  const flush = () => {
    if (plain.length && plain.some((line) => line.trim())) {
      nodes.push(h("p", { class: "para" }, inline(plain.join("\n"), context, 0)));
    }
    plain = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const heading = /^(#{1,3})\s+(.+)$/.exec(line);
    if (heading) {
      flush();
      // A message sits under the channel's own heading, so its headings begin one level lower.
      nodes.push(
        h(`h${heading[1].length + 2}`, { class: `heading level-${heading[1].length}` }, inline(heading[2], context, 0)),
      );
      continue;
    }
    const subtext = /^-#\s+(.+)$/.exec(line);
    if (subtext) {
      flush();
      nodes.push(h("p", { class: "subtext" }, inline(subtext[1], context, 0)));
      continue;
    }
    if (line.startsWith(">>> ")) {
      flush();
      const rest = [line.slice(4), ...lines.slice(at + 1)].join("\n");
      nodes.push(h("blockquote", {}, blocks(rest, context)));
      return nodes;
    }
    if (/^> ?/.test(line) && line.startsWith(">")) {
      const quoted = [];
      while (at < lines.length && lines[at].startsWith("> ")) {
        quoted.push(lines[at].slice(2));
        at += 1;
      }
      if (quoted.length) {
        flush();
        nodes.push(h("blockquote", {}, blocks(quoted.join("\n"), context)));
        at -= 1;
        continue;
      }
    }
    if (LIST_ITEM.test(line)) {
      flush();
      const items = [];
      while (at < lines.length && LIST_ITEM.test(lines[at])) {
        items.push(LIST_ITEM.exec(lines[at]));
        at += 1;
      }
      at -= 1;
      nodes.push(list(items, context));
      continue;
    }
    plain.push(line);
  }
  flush();
  return nodes;
}

function list(items, context) {
  const indent = items[0][1].length;
  const ordered = items[0][2] !== undefined;
  const parent = h(ordered ? "ol" : "ul", ordered ? { start: items[0][2] } : {});
  for (let at = 0; at < items.length;) {
    const entry = h("li", {}, inline(items[at][3], context, 0));
    parent.append(entry);
    at += 1;
    const nested = [];
    while (at < items.length && items[at][1].length > indent) {
      nested.push(items[at]);
      at += 1;
    }
    if (nested.length) entry.append(list(nested, context));
  }
  return parent;
}

/** @typedef {(match: RegExpExecArray, context: any, depth: number) => Node | string} Make */

/** @type {[RegExp, Make][]} */
const RULES = [
  [/\\([^A-Za-z0-9\s])/y, (m) => m[1]],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, (m) => h("code", {}, m[2].replace(/^ (?=`)|(?<=`) $/g, ""))],
  [/<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y, (m, c) => timeElement(m[1], m[2], c.locale?.())],
  [
    /<@!?(\d{1,20})>/y,
    (m, c) =>
      h(
        "span",
        {
          class: c.isMe(m[1]) ? "mention me" : "mention",
          dataset: { user: m[1] },
        },
        `@${c.userName(m[1])}`,
      ),
  ],
  [/<@&(\d{1,20})>/y, (m, c) => h("span", { class: "mention" }, `@${c.roleName(m[1])}`)],
  [/<#(\d{1,20})>/y, (m, c) => channelMention(m[1], c)],
  [
    /<\/([^:<>]{1,100}):\d{1,20}>/y,
    (m, c) =>
      h(
        "button",
        {
          type: "button",
          class: "mention command",
          onclick: () => c.startCommand(m[1]),
        },
        `/${m[1]}`,
      ),
  ],
  [/<a?:(\w{2,32}):(\d{1,20})>/y, (m) => customEmoji(m[1], m[2])],
  [/<(https?:\/\/[^\s<>]+)>/y, (m, c) => link(m[1], [m[1]], c)],
  [
    /\[((?:\\.|[^[\]\\\n])+)\]\(\s*<?(https?:\/\/(?:\([^\s()<>]*\)|[^\s()<>])+)>?(?:\s+"[^"\n]*")?\s*\)/y,
    (m, c, d) => link(m[2], inline(m[1], { ...c, noLinks: true }, d + 1), c),
  ],
  [/https?:\/\/[^\s<]*[^\s<.,:;!?"'\])]/y, (m, c) => (c.noLinks ? m[0] : link(m[0], [m[0]], c))],
  [/\*\*([\s\S]+?)\*\*(?!\*)/y, (m, c, d) => h("strong", {}, inline(m[1], c, d + 1))],
  [/__([\s\S]+?)__(?!_)/y, (m, c, d) => h("u", {}, inline(m[1], c, d + 1))],
  [/~~([\s\S]+?)~~(?!~)/y, (m, c, d) => h("s", {}, inline(m[1], c, d + 1))],
  [/\|\|([\s\S]+?)\|\|/y, (m, c, d) => spoiler(inline(m[1], c, d + 1))],
  [/\*(?=[^\s*])((?:\*\*|\\[\s\S]|[^*\\])*?[^\s*])\*(?!\*)/y, (m, c, d) => h("em", {}, inline(m[1], c, d + 1))],
  [
    /(?<![A-Za-z0-9])_(?=[^\s_])((?:__|\\[\s\S]|[^_\\])*?[^\s_])_(?![A-Za-z0-9_])/y,
    (m, c, d) => h("em", {}, inline(m[1], c, d + 1)),
  ],
  [/@(everyone|here)\b/y, (m) => h("span", { class: "mention" }, m[0])],
];

const SPECIAL = /[\\`<[*_~|@h]/g;

function inline(text, context, depth) {
  if (depth > DEPTH) return [text];
  const nodes = [];
  let plain = 0;
  let at = 0;
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(text);
    if (!next) break;
    at = next.index;
    const found = firstRule(text, at);
    if (!found) {
      at += 1;
      continue;
    }
    const [match, make] = found;
    if (at > plain) nodes.push(text.slice(plain, at));
    nodes.push(make(match, context, depth));
    at += match[0].length;
    plain = at;
  }
  if (plain < text.length) nodes.push(text.slice(plain));
  return nodes;
}

/** @returns {[RegExpExecArray, Make] | null} */
function firstRule(text, at) {
  for (const [pattern, make] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return [match, make];
  }
  return null;
}

/** A link; one to a channel or message of Discord's form leads to that place on this page. */
export function link(address, children, context) {
  const url = webAddress(address);
  if (!url) return h("span", {}, children);
  const inside = localPlace(url, context);
  if (inside) return h("a", { href: inside, class: "link" }, children);
  return h(
    "a",
    {
      href: url.href,
      class: "link",
      target: "_blank",
      rel: "noopener noreferrer nofollow",
    },
    children,
  );
}

/** The place on this page for a https://discord.com/channels/... address, or null. */
export function localPlace(url, context) {
  const match = /^\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/.exec(url.pathname);
  if (!match || !/(^|\.)(discord\.com|discordapp\.com)$|^(127\.0\.0\.1|localhost)$/.test(url.hostname)) {
    return null;
  }
  return context.channelAddress(match[1], match[2]);
}

function channelMention(id, context) {
  const channel = context.channel(id);
  if (!channel) return h("span", { class: "mention" }, "#unknown");
  return h("a", { class: "mention", href: context.channelAddress(id) }, `#${channel.name}`);
}

function customEmoji(name, id) {
  const image = h("img", {
    class: "emoji",
    alt: `:${name}:`,
    title: `:${name}:`,
    src: fileAddress(`/cdn/emojis/${id}.png`),
  });
  image.addEventListener("error", () => image.replaceWith(`:${name}:`), { once: true });
  return image;
}

function spoiler(children) {
  const cover = h(
    "span",
    {
      class: "spoiler",
      role: "button",
      tabindex: "0",
      "aria-expanded": "false",
      "aria-label": "Spoiler: show it",
    },
    h("span", { class: "hidden-text", "aria-hidden": "true" }, children),
  );
  const show = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    if (cover.classList.contains("shown")) return;
    event.preventDefault();
    cover.classList.add("shown");
    cover.removeAttribute("role");
    cover.removeAttribute("aria-label");
    cover.removeAttribute("aria-expanded");
    cover.firstChild.removeAttribute("aria-hidden");
  };
  cover.addEventListener("click", show);
  cover.addEventListener("keydown", show);
  return cover;
}

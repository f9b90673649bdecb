// @ts-check
// Small helpers to build the page. Text always goes in as text nodes: nothing that another
// person or a bot wrote is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with its properties and children.
 *
 * Keys beginning with "on" add listeners, `class` and `dataset` are set as such, `false`,
 * `null` and `undefined` leave an attribute out, `true` sets it empty; anything else becomes an
 * attribute. Children may be nodes, text, arrays of both, or nothing.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** Append nodes, text and nested arrays of them; skip nothing-values. */
export function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.append(child);
  }
  return parent;
}

/** Replace all children of an element. */
export function fill(parent, ...children) {
  parent.replaceChildren();
  return append(parent, children);
}

/**
 * Update the children of an element to match others; equal ones stay.
 *
 * A press is lost if the element under the finger is replaced before it is lifted. A child stays if
 * it equals a new one, or if both have the same `data-key`, and then only its changes apply.
 */
export function renew(parent, ...children) {
  const fresh = append(document.createDocumentFragment(), children);
  let at = parent.firstChild;
  for (const child of [...fresh.childNodes]) {
    const kept = keeper(at, child);
    if (!kept) {
      parent.insertBefore(child, at);
      continue;
    }
    while (at !== kept) at = without(at);
    at = kept.nextSibling;
    if (kept.isEqualNode(child)) continue;
    for (const name of kept.getAttributeNames()) if (!child.hasAttribute(name)) kept.removeAttribute(name);
    for (const name of child.getAttributeNames()) kept.setAttribute(name, child.getAttribute(name));
    renew(kept, [...child.childNodes]);
  }
  while (at) at = without(at);
}

/** The first of a node and those after it that can stay in place of a new one. */
function keeper(node, fresh) {
  const key = fresh.dataset?.key;
  for (let at = node; at; at = at.nextSibling) {
    if (key === undefined ? at.isEqualNode(fresh) : at.dataset?.key === key && at.tagName === fresh.tagName) return at;
  }
  return null;
}

/** Remove a node; returns the one after it. */
function without(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

const ICONS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  chevron: "M7 10l5 5 5-5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  hash: "M9.5 4l-2 16M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  thread: "M5 4v8a4 4 0 0 0 4 4h10M15 12l4 4-4 4",
  at: "M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zm0 0v1.5a2.5 2.5 0 0 0 5 0V12a8.5 8.5 0 1 0-3.5 6.9",
  plus: "M12 5v14M5 12h14",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  link: "M14 5h5v5M19 5l-8 8M17 14v5H5V7h5",
  reply: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  send: "M4 12l16-8-5 16-3.5-6.5z",
  down: "M12 5v14M6 13l6 6 6-6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zm13 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  pen: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  pin: "M9 4h6l-1 6 4 4H6l4-4zM12 14v6",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z",
};

/** A line icon; decorative, so hidden from assistive technology. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24",
    class: "icon",
    "aria-hidden": "true",
    focusable: "false",
  }))
    svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

let counter = 0;

/** An id that no other element of this page has. */
export function uniqueId(prefix) {
  counter += 1;
  return `${prefix}-${counter}`;
}

/** A round avatar drawn from a user's name and id: no picture has to be fetched. */
export function avatar(user, extra = "") {
  const name = displayName(user);
  const hue = [...String(user?.id ?? "0")].reduce((sum, digit) => (sum * 7 + Number(digit)) % 12, 0);
  const initial = [...name.trim()][0] ?? "?";
  return h("span", { class: `avatar hue-${hue} ${extra}`, "aria-hidden": "true" }, initial.toUpperCase());
}

/** The displayed name. */
export function displayName(user) {
  return user?.global_name || user?.username || "Unknown user";
}

/** A safe address to link to (http or https), else null. */
export function webAddress(text) {
  try {
    const url = new URL(text, location.href);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

/** The address of a stored file: files of this machine are fetched from this very origin. */
export function fileAddress(text) {
  const url = webAddress(text);
  if (!url) return null;
  const local = ["127.0.0.1", "localhost", "[::1]", "cdn.discordapp.com"].includes(url.hostname);
  return local ? url.pathname + url.search : url.href;
}

/** Announce a text once to assistive technology. */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}

/** A number of bytes in words. */
export function fileSize(bytes) {
  if (!Number.isFinite(bytes)) return "";
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

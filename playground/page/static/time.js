// @ts-check
// Snowflakes and the timestamps that messages hold, shown in the reader's own time.

import { h } from "./dom.js";

const EPOCH = 1420070400000n;

/** The moment (milliseconds) at which an id was made. */
export function snowflakeTime(id) {
  return Number((BigInt(id) >> 22n) + EPOCH);
}

/** A fresh id for something this page sends. */
export function makeNonce() {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] & 0x3fffff;
  return String(((BigInt(Date.now()) - EPOCH) << 22n) | BigInt(random));
}

/** Order of two ids: negative when the first is older. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const STEPS = [
  ["year", 31556952],
  ["month", 2629746],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** The page's own language, and that of a person whose languages this browser does not know. */
const OWN = "en-GB";

function known(locale) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale ?? OWN)[0] ?? OWN;
  } catch {
    return OWN;
  }
}

/** "in 3 hours", "vor 2 Tagen": the distance of a moment (milliseconds) from now. */
export function relativeTime(moment, locale) {
  const now = Date.now();
  const seconds = Math.round((moment - now) / 1000);
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? STEPS.at(-1);
  const words = new Intl.RelativeTimeFormat(locale, { numeric: unit === "second" ? "always" : "auto" });
  return words.format(Math.round(seconds / length), unit);
}

/**
 * A moment (seconds since 1970) in one of Discord's styles, in the reader's language; "R" stays true
 * while it is shown.
 */
export function timeElement(seconds, style, readers) {
  const locale = known(readers);
  const moment = Number(seconds) * 1000;
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return h("span", {}, "Invalid date");
  const full = new Intl.DateTimeFormat(locale, FORMATS.F).format(date);
  const relative = style === "R";
  const text = relative
    ? relativeTime(moment, locale)
    : new Intl.DateTimeFormat(locale, FORMATS[style] ?? FORMATS.f).format(date);
  return h(
    "time",
    {
      class: "timestamp",
      lang: locale,
      datetime: date.toISOString(),
      title: full,
      dataset: relative ? { relative: String(moment) } : {},
    },
    text,
  );
}

/** Keep every relative timestamp of the page true, once a second. */
export function keepTimesTrue() {
  setInterval(() => {
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("time[data-relative]"))) {
      const text = relativeTime(Number(element.dataset.relative), element.lang);
      if (element.textContent !== text) element.textContent = text;
    }
  }, 1000);
}

/** The time of a message in its shortest form. */
export function messageTime(moment) {
  const date = new Date(moment);
  const time = new Intl.DateTimeFormat(OWN, { timeStyle: "short" }).format(date);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(moment).setHours(0, 0, 0, 0)) / 86400000);
  if (days === 0) return time;
  if (days === 1) return `Yesterday ${time}`;
  return `${new Intl.DateTimeFormat(OWN, { dateStyle: "short" }).format(date)} ${time}`;
}

/** The full date and time, for tooltips. */
export function fullTime(moment) {
  return new Intl.DateTimeFormat(OWN, FORMATS.F).format(new Date(moment));
}

/** The day on which a message was written, for the line between days. */
export function dayName(moment) {
  return new Intl.DateTimeFormat(OWN, { dateStyle: "long" }).format(new Date(moment));
}

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

const STEPS = [
  ["year", 31556952], ["month", 2629746], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1],
];

/** "in 3 hours", "2 days ago": the distance of a moment (milliseconds) from now. */
export function relativeTime(moment, now = Date.now()) {
  const seconds = Math.round((moment - now) / 1000);
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? STEPS.at(-1);
  const words = new Intl.RelativeTimeFormat("en", { numeric: unit === "second" ? "always" : "auto" });
  return words.format(Math.round(seconds / length), unit);
}

/** A moment (seconds since 1970) in one of Discord's styles; "R" stays true while it is shown. */
export function timeElement(seconds, style) {
  const moment = Number(seconds) * 1000;
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return h("span", {}, "Invalid date");
  const full = new Intl.DateTimeFormat("en-GB", FORMATS.F).format(date);
  const relative = style === "R";
  const text = relative
    ? relativeTime(moment)
    : new Intl.DateTimeFormat("en-GB", FORMATS[style] ?? FORMATS.f).format(date);
  return h("time", {
    class: "timestamp", datetime: date.toISOString(), title: full,
    dataset: relative ? { relative: String(moment) } : {},
  }, text);
}

/** Keep every relative timestamp of the page true, once a second. */
export function keepTimesTrue() {
  setInterval(() => {
    for (const element of document.querySelectorAll("time[data-relative]")) {
      const text = relativeTime(Number(element.dataset.relative));
      if (element.textContent !== text) element.textContent = text;
    }
  }, 1000);
}

/** When a message was written, as short as it can be said. */
export function messageTime(moment) {
  const date = new Date(moment);
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" }).format(date);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(moment).setHours(0, 0, 0, 0)) / 86400000);
  if (days === 0) return time;
  if (days === 1) return `Yesterday ${time}`;
  return `${new Intl.DateTimeFormat("en-GB", { dateStyle: "short" }).format(date)} ${time}`;
}

/** The full date and time, for tooltips. */
export function fullTime(moment) {
  return new Intl.DateTimeFormat("en-GB", FORMATS.F).format(new Date(moment));
}

/** The day on which a message was written, for the line between days. */
export function dayName(moment) {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long" }).format(new Date(moment));
}

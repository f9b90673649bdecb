// @ts-check
// One message: its author, its content, and its actions.

import { avatar, displayName, h, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { fullTime, messageTime, snowflakeTime } from "./time.js";
import { FLAG, MAY } from "./store.js";
import { TYPE, components } from "./components.js";
import { embeds } from "./embeds.js";
import { attachments } from "./media.js";

const REPLY = 19;
const COMMAND = 20;
const CONTEXT_COMMAND = 23;

const SYSTEM = {
  1: (name) => `${name} added a person`,
  2: (name) => `${name} removed a person`,
  3: (name) => `${name} started a call`,
  4: (name, message) => `${name} renamed this to ${message.content}`,
  5: (name) => `${name} changed the picture`,
  6: (name) => `${name} pinned a message`,
  7: (name) => `${name} joined`,
  18: (name, message) => `${name} started a thread: ${message.content}`,
  21: () => "The thread began with an earlier message",
};

/** Whether a message is written by the playground about a person. */
export function isSystem(message) {
  return message.type in SYSTEM;
}

/**
 * The element of one message.
 *
 * `context` comes from messages.js: store, markdown, interactions, and the actions `reply`,
 * `remove`, `dismiss`, `use`. `grouped` leaves out the author when the message follows another of
 * the same author. `reuse` holds the pictures of an earlier state of the same message.
 */
export function renderMessage(message, context, { grouped = false, reuse = new Map() } = {}) {
  const { store } = context;
  const name = store.nameOf(message.author);
  const headId = `head-${message.id}`;
  const classes = ["message"];
  if (grouped) classes.push("grouped");
  if (message.flags & FLAG.EPHEMERAL) classes.push("ephemeral");
  if (store.mentionsMe(message)) classes.push("mentions-me");
  if (isSystem(message)) classes.push("system");
  const article = h("article", {
    class: classes.join(" "),
    id: `message-${message.id}`,
    tabindex: "-1",
    "aria-labelledby": headId,
    dataset: { messageId: message.id, author: message.author?.id ?? "" },
  });
  const moment = Date.parse(message.timestamp) || snowflakeTime(message.id);
  const time = h(
    "time",
    { class: "when", datetime: new Date(moment).toISOString(), title: fullTime(moment) },
    messageTime(moment),
  );
  if (isSystem(message)) {
    const words = SYSTEM[message.type](name, message);
    const thread = message.message_reference?.channel_id;
    article.append(
      h(
        "p",
        { id: headId, class: "system-words" },
        words,
        " ",
        thread &&
          thread !== message.channel_id &&
          store.channels.has(thread) &&
          h("a", { class: "link", href: context.markdown.channelAddress(thread) }, "Open"),
        " ",
        time,
      ),
    );
    return article;
  }
  article.append(...origin(message, context));
  const head = h(
    "header",
    { class: "message-head", id: headId },
    h("span", { class: "author" }, name),
    message.author?.bot && h("span", { class: "bot-tag" }, "BOT"),
    time,
    message.pinned ? h("span", { class: "detail" }, "pinned") : null,
    message.flags & 4096 ? h("span", { class: "detail", title: "Sent without a notification" }, "silent") : null,
  );
  article.append(
    h(
      "div",
      { class: "message-row" },
      h("div", { class: "gutter" }, avatar(message.author)),
      h("div", { class: "body" }, head, ...body(message, context, reuse)),
    ),
  );
  if (!(message.flags & (FLAG.EPHEMERAL | FLAG.LOADING))) article.append(tools(message, context));
  refreshControls(article, message, context);
  return article;
}

/** The line above a message: the command it answers, or the message it replies to. */
function origin(message, { store }) {
  const source = message.interaction_metadata ?? message.interaction;
  if ((message.type === COMMAND || message.type === CONTEXT_COMMAND) && source?.user) {
    const command = message.interaction?.name ?? source.name;
    return [
      h(
        "p",
        { class: "origin" },
        icon("reply"),
        avatar(source.user, "tiny"),
        h("span", {}, h("strong", {}, store.nameOf(source.user)), command ? " used " : " used a command"),
        command && h("span", { class: "mention" }, message.type === COMMAND ? `/${command}` : command),
      ),
    ];
  }
  const reference = message.referenced_message;
  if (message.type === REPLY && message.message_reference) {
    if (!reference) return [h("p", { class: "origin" }, icon("reply"), "A message that was deleted")];
    return [
      h(
        "p",
        { class: "origin" },
        icon("reply"),
        avatar(reference.author, "tiny"),
        h(
          "a",
          {
            href: `#message-${reference.id}`,
            class: "origin-link",
            onclick: (event) => {
              event.preventDefault();
              const target = document.getElementById(`message-${reference.id}`);
              target?.scrollIntoView({ block: "center" });
              target?.focus();
            },
          },
          h("strong", {}, store.nameOf(reference.author)),
          " ",
          summary(reference, store),
        ),
      ),
    ];
  }
  return [];
}

/** A message in a few words, for replies and notices. */
export function summary(message, store) {
  const text = plain(message.content || firstText(message.components) || message.embeds?.[0]?.title || "", store);
  if (text) return text.length > 90 ? `${text.slice(0, 89)}…` : text;
  if (message.attachments?.length) return "a picture or file";
  return "a message";
}

function firstText(parts) {
  for (const part of parts ?? []) {
    const text = part.type === TYPE.TEXT ? part.content : firstText(part.components);
    if (text) return text;
  }
  return "";
}

/** Text without its marks and escaping backslashes, with names instead of ids. */
function plain(text, store) {
  return (
    text
      .split("\n")
      .find((line) => line.trim())
      ?.replace(/^(#{1,3}|-#|>|[-*])\s+/, "")
      .replaceAll(/<@!?(\d+)>/g, (_, id) => `@${displayName(store.user(id))}`)
      .replaceAll(/<t:(-?\d+)(:\w)?>/g, (_, seconds) => messageTime(Number(seconds) * 1000))
      .replaceAll(/\*\*|__|~~|\|\||`/g, "")
      .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
      .trim() ?? ""
  );
}

function body(message, context, reuse) {
  const nodes = [];
  const inner = {
    store: context.store,
    markdown: context.markdown,
    message,
    reuse,
    chosen: context.chosenIn(message.id),
    use: (component, data) => context.use(message, data),
  };
  if (message.flags & FLAG.LOADING) {
    nodes.push(
      h(
        "p",
        { class: "thinking" },
        `${displayName(message.author)} is thinking`,
        h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      ),
    );
  }
  if (message.content && !(message.flags & FLAG.LOADING)) {
    const text = h("div", { class: "text content" }, markdown(message.content, context.markdown));
    if (message.edited_timestamp) text.append(" ", edited(message));
    nodes.push(text);
  }
  if (message.flags & FLAG.COMPONENTS_V2) {
    nodes.push(h("div", { class: "layout" }, components(message.components, inner)));
    if (message.edited_timestamp) nodes.push(h("p", { class: "edited-line" }, edited(message)));
  } else {
    const files = message.attachments ?? [];
    if (files.length) nodes.push(h("div", { class: "attachments" }, attachments(files, { reuse })));
    if (message.embeds?.length) nodes.push(h("div", { class: "embeds" }, embeds(message.embeds, inner)));
    if (message.components?.length) nodes.push(h("div", { class: "layout" }, components(message.components, inner)));
  }
  if (message.reactions?.length) {
    nodes.push(
      h(
        "p",
        { class: "reactions" },
        message.reactions.map((reaction) =>
          h(
            "span",
            {
              class: reaction.me ? "reaction me" : "reaction",
            },
            `${reaction.emoji.name ?? ""} ${reaction.count}`,
          ),
        ),
      ),
    );
  }
  if (message.thread) {
    nodes.push(
      h(
        "a",
        { class: "thread-link", href: context.markdown.channelAddress(message.thread.id) },
        icon("thread"),
        h("span", {}, message.thread.name),
        h("span", { class: "detail" }, "Open the thread"),
      ),
    );
  }
  nodes.push(h("p", { class: "problem control-problem", role: "alert", hidden: true }));
  if (message.flags & FLAG.EPHEMERAL) {
    nodes.push(
      h(
        "p",
        { class: "only-you" },
        icon("eye"),
        "Only you can see this",
        h("span", { "aria-hidden": "true" }, " · "),
        h(
          "button",
          { type: "button", class: "text-button", onclick: () => context.dismiss(message) },
          "Dismiss message",
        ),
      ),
    );
  }
  return nodes;
}

function edited(message) {
  return h("span", { class: "edited", title: fullTime(Date.parse(message.edited_timestamp)) }, "(edited)");
}

function tools(message, context) {
  const own = message.author?.id === context.store.me?.id;
  const direct = context.store.isDirect(context.store.channels.get(message.channel_id));
  const mayRemove = own || (!direct && context.store.may(MAY.MANAGE_MESSAGES, message.channel_id));
  return h(
    "div",
    { class: "tools" },
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": `Reply to ${context.store.nameOf(message.author)}`,
        title: "Reply",
        onclick: () => context.reply(message),
      },
      icon("reply"),
    ),
    own &&
      Boolean(message.content) &&
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": "Edit this message",
          title: "Edit",
          onclick: () => context.edit(message),
        },
        icon("pen"),
      ),
    (direct || context.store.may(MAY.PIN_MESSAGES, message.channel_id)) &&
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-pressed": String(Boolean(message.pinned)),
          "aria-label": message.pinned ? "Unpin this message" : "Pin this message",
          title: message.pinned ? "Unpin" : "Pin",
          onclick: () => context.pin(message),
        },
        icon("pin"),
      ),
    mayRemove &&
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": "Delete this message",
          title: "Delete",
          onclick: () => context.remove(message),
        },
        icon("trash"),
      ),
  );
}

/** Show the waiting controls of a message, and their errors. */
export function refreshControls(article, message, { interactions }) {
  for (const control of article.querySelectorAll("[data-custom-id]")) {
    const busy = interactions.stateOf(message.id, control.dataset.customId) === "sending";
    control.classList.toggle("busy", busy);
    if (busy) control.setAttribute("aria-busy", "true");
    else control.removeAttribute("aria-busy");
  }
  const note = article.querySelector(".control-problem");
  if (!note) return;
  const failure = interactions.failureOf(message.id);
  note.hidden = !failure;
  note.textContent = failure ?? "";
}

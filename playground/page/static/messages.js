// @ts-check
// The messages of the open channel: kept in order, edited in place, scrolled with care.

import { announce, displayName, fill, h, icon, renew } from "./dom.js";
import { FLAG } from "./store.js";
import { dayName, snowflakeTime } from "./time.js";
import { isSystem, refreshControls, renderMessage, summary } from "./message.js";

const GROUP_WITHIN = 7 * 60 * 1000;
const PAGE = 50;
const NEAR_END = 120;

export class MessageView {
  constructor({ store, api, interactions, markdown, notify, reply, edit, confirmRemoval, welcome }) {
    this.store = store;
    this.api = api;
    this.notify = notify;
    this.welcome = welcome;
    this.chosen = new Map();
    this.elements = new Map();
    /** The shown state of each message, by element. */
    this.shown = new WeakMap();
    this.list = h("div", { class: "message-list", role: "log", "aria-live": "off", "aria-label": "Messages" });
    this.earlier = h(
      "button",
      { type: "button", class: "button secondary small earlier", hidden: true, onclick: () => this.loadEarlier() },
      "Load earlier messages",
    );
    this.start = h("p", { class: "channel-start", hidden: true });
    this.hello = h("div", { class: "hello", hidden: true });
    this.waiting = h("div", { class: "waiting" });
    this.jump = h(
      "button",
      { type: "button", class: "button primary small jump", hidden: true, onclick: () => this.toEnd() },
      icon("down"),
      "New messages",
    );
    this.scroller = h(
      "div",
      { class: "scroller", tabindex: "0", role: "region", "aria-label": "Messages", onscroll: () => this.scrolled() },
      h("div", { class: "inner" }, this.earlier, this.start, this.hello, this.list, this.waiting),
    );
    this.element = h("div", { class: "messages" }, this.scroller, this.jump);
    this.atEnd = true;
    this.context = {
      store,
      interactions,
      markdown,
      chosenIn: (id) => this.chosenIn(id),
      use: (message, data) => interactions.component(message, data),
      dismiss: (message) => this.dismiss(message),
      reply,
      edit,
      pin: (message) => {
        api.pin(message.channel_id, message.id, !message.pinned).catch((error) => notify(error.message));
      },
      remove: async (message) => {
        if (!(await confirmRemoval())) return;
        api.deleteMessage(message.channel_id, message.id).catch((error) => notify(error.message));
      },
    };
    store.on("messages", (change) => this.changed(change));
    // Names of people, roles and channels may have changed while the stream was cut.
    store.on("ready", () => {
      this.shown = new WeakMap();
    });
    store.on("pending", ({ channel }) => channel === this.channel && this.showWaiting());
    // Pictures whose size is not known make the list grow: stay at the end if we were there.
    new ResizeObserver(() => this.atEnd && this.toEnd()).observe(this.list);
    new ResizeObserver(() => this.atEnd && this.toEnd()).observe(this.scroller);
  }

  chosenIn(id) {
    if (!this.chosen.has(id)) this.chosen.set(id, new Map());
    return this.chosen.get(id);
  }

  /** Show a channel; its messages are fetched unless they are here. */
  async open(channelId) {
    this.channel = channelId;
    this.elements.clear();
    this.list.replaceChildren();
    this.hello.hidden = true;
    this.atEnd = true;
    this.rebuild();
    await this.refresh();
  }

  /** Ask for the latest messages again, as after a lost connection. */
  async refresh() {
    const channel = this.channel;
    if (!channel) return;
    try {
      await this.store.askHistory(channel, () => this.api.messages(channel, { limit: PAGE }), { limit: PAGE });
    } catch (error) {
      if (channel === this.channel && this.store.connection === "open") this.notify(error.message);
    }
  }

  async loadEarlier() {
    const channel = this.channel;
    const first = this.store.messagesIn(channel).find((message) => !(message.flags & FLAG.EPHEMERAL));
    if (!first || this.loading) return;
    this.loading = true;
    const height = this.scroller.scrollHeight;
    const top = this.scroller.scrollTop;
    try {
      await this.store.askHistory(
        channel,
        () => {
          this.atEnd = false;
          return this.api.messages(channel, { before: first.id, limit: PAGE });
        },
        { older: true, limit: PAGE },
      );
      this.scroller.scrollTop = top + this.scroller.scrollHeight - height;
    } catch (error) {
      this.notify(error.message);
    } finally {
      this.loading = false;
    }
  }

  changed({ channel, id, whole, fresh, controls }) {
    if (channel !== this.channel) return;
    if (whole) {
      this.rebuild();
      return;
    }
    const message = this.store.messages.get(channel)?.get(id);
    const old = this.elements.get(id);
    if (controls) {
      if (old && message) refreshControls(old, message, this.context);
      return;
    }
    if (!message) {
      this.chosen.delete(id);
      if (old) this.replace();
      return;
    }
    if (old) {
      this.chosen.delete(id);
      this.rerender(message, old);
      return;
    }
    this.replace();
    if (fresh) this.followAnswer(message);
    if (fresh && message.author?.id !== this.store.me?.id) {
      announce(`${displayName(message.author)}: ${summary(message, this.store)}`);
      if (!this.atEnd) this.jump.hidden = false;
    }
    if (fresh && message.author?.id === this.store.me?.id) this.toEnd();
  }

  /** A private answer to a key press takes the focus, which would otherwise scroll out of view. */
  followAnswer(message) {
    const pressed = document.activeElement?.closest("[data-custom-id]:focus-visible");
    const asked = pressed && this.elements.get(message.interaction_metadata?.interacted_message_id);
    if (message.flags & FLAG.EPHEMERAL && asked?.contains(pressed))
      this.elements.get(message.id)?.focus({ preventScroll: true });
  }

  /** The element of a message in its present state. */
  render(message, options) {
    const element = renderMessage(message, this.context, options);
    this.elements.set(message.id, element);
    this.shown.set(element, message);
    return element;
  }

  /** Replace a message with its new state; the focus stays on the same control. */
  rerender(message, old) {
    const active = /** @type {HTMLElement} */ (document.activeElement);
    const focused = old.contains(active) ? active : null;
    const reuse = new Map([...old.querySelectorAll("img.picture")].map((image) => [image.getAttribute("src"), image]));
    const fresh = this.render(message, { grouped: old.classList.contains("grouped"), reuse });
    old.replaceWith(fresh);
    if (focused) {
      const same =
        focused.dataset.customId &&
        fresh.querySelector(`[data-custom-id="${CSS.escape(focused.dataset.customId)}"]:not(:disabled)`);
      const next = same || fresh.querySelector(".layout :is(.button, .select):not(:disabled)") || fresh;
      next.focus({ preventScroll: true });
    }
    if (this.atEnd) this.toEnd();
  }

  rebuild() {
    for (const [id, element] of this.elements) {
      const message = this.store.messages.get(this.channel)?.get(id);
      if (message && message !== this.shown.get(element)) this.rerender(message, element);
    }
    this.replace();
    this.showWaiting();
    const channel = this.store.channels.get(this.channel);
    const complete = this.store.complete.has(this.channel);
    const messages = this.store.messagesIn(this.channel);
    this.earlier.hidden = complete || messages.length < PAGE;
    this.start.hidden = !complete || !messages.length;
    const kind = this.store.isDirect(channel)
      ? "your direct messages with "
      : this.store.isThread(channel)
        ? "the thread "
        : "#";
    this.start.textContent = `This is the beginning of ${kind}${this.store.channelName(channel)}.`;
    this.greet();
    if (this.atEnd) this.toEnd();
  }

  /** The hint in an empty place. */
  greet() {
    const empty = this.store.complete.has(this.channel) && !this.store.messagesIn(this.channel).length;
    if (this.hello.hidden !== empty) return;
    this.hello.hidden = !empty;
    fill(this.hello, empty ? this.welcome(this.channel) : null);
  }

  /** The same again, for example after a new person has come. */
  greetAgain() {
    if (!this.hello.hidden && !this.hello.contains(document.activeElement))
      fill(this.hello, this.welcome(this.channel));
  }

  /** Update the list from the store; existing elements stay. */
  replace() {
    const messages = this.store.messagesIn(this.channel);
    const wanted = [];
    let before = null;
    for (const message of messages) {
      const moment = snowflakeTime(message.id);
      const day = new Date(moment).toDateString();
      if (!before || new Date(snowflakeTime(before.id)).toDateString() !== day) {
        wanted.push(this.dayLine(day, moment));
        before = null;
      }
      const grouped = Boolean(before) && this.follows(before, message);
      let element = this.elements.get(message.id);
      if (element) element.classList.toggle("grouped", grouped);
      else element = this.render(message, { grouped });
      wanted.push(element);
      before = message;
    }
    for (const id of [...this.elements.keys()]) {
      if (!id.startsWith("day ") && !this.store.messages.get(this.channel)?.has(id)) this.elements.delete(id);
    }
    // Deleted messages first: moving another one past them would take the focus from it.
    for (const each of [...this.list.children]) {
      if (wanted.includes(each)) continue;
      // Who pressed a button of it goes on from here by keyboard.
      if (each.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
      each.remove();
    }
    let at = this.list.firstChild;
    for (const element of wanted) {
      if (element === at) at = at.nextSibling;
      else this.list.insertBefore(element, at);
    }
    this.greet();
    if (this.atEnd) this.toEnd();
  }

  follows(before, message) {
    return (
      before.author?.id === message.author?.id &&
      !isSystem(before) &&
      !isSystem(message) &&
      message.type === 0 &&
      !((before.flags ^ message.flags) & FLAG.EPHEMERAL) &&
      snowflakeTime(message.id) - snowflakeTime(before.id) < GROUP_WITHIN
    );
  }

  dayLine(day, moment) {
    const key = `day ${day}`;
    let line = this.elements.get(key);
    if (!line) {
      line = h("p", { class: "day" }, h("span", {}, dayName(moment)));
      this.elements.set(key, line);
    }
    return line;
  }

  /** The commands that wait for the bot, or that it did not answer. */
  showWaiting() {
    const rows = this.context.interactions.rowsIn(this.channel);
    renew(
      this.waiting,
      rows.map((row) =>
        h(
          "article",
          {
            class: "message ephemeral waiting-row",
            dataset: { key: row.nonce },
            "aria-label": `Your command ${row.label}`,
          },
          h(
            "p",
            { class: "origin" },
            icon("reply"),
            h("span", {}, "You used "),
            h("span", { class: "mention" }, row.label),
          ),
          row.state === "failed"
            ? [
                h("p", { class: "problem", role: "alert" }, row.reason ?? `${this.store.botName} did not respond`),
                h(
                  "p",
                  { class: "only-you" },
                  icon("eye"),
                  "Only you can see this",
                  h("span", { "aria-hidden": "true" }, " · "),
                  h(
                    "button",
                    {
                      type: "button",
                      class: "text-button",
                      onclick: () => this.context.interactions.drop(row),
                    },
                    "Dismiss message",
                  ),
                ),
              ]
            : h(
                "p",
                { class: "thinking" },
                "Sending the command",
                h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
              ),
        ),
      ),
    );
    if (rows.length) this.toEnd();
  }

  dismiss(message) {
    this.store.removeMessage(message.channel_id, message.id);
    this.api.deleteMessage(message.channel_id, message.id).catch((error) => this.notify(error.message));
    this.scroller.focus({ preventScroll: true });
  }

  scrolled() {
    this.atEnd = this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < NEAR_END;
    if (this.atEnd) this.jump.hidden = true;
    if (this.scroller.scrollTop < 40 && !this.earlier.hidden) this.loadEarlier();
  }

  toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.atEnd = true;
    this.jump.hidden = true;
  }
}

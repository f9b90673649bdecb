// @ts-check
// The place to write: plain messages, mentions, and the list of commands behind "/".

import { fill, h, icon } from "./dom.js";
import { CommandForm } from "./commandform.js";
import { OptionList } from "./listbox.js";
import { personItem } from "./components.js";
import { flatten, matching, readLine } from "./slash.js";
import { makeNonce } from "./time.js";
import { summary } from "./message.js";

const LONGEST = 2000;
const TYPING_EVERY = 8000;

export class Composer {
  constructor({ store, api, interactions, notify }) {
    this.store = store;
    this.api = api;
    this.interactions = interactions;
    this.notify = notify;
    /** @type {(() => void) | null} */
    this.onLoaded = null;
    this.drafts = new Map();
    this.entries = [];
    this.files = [];
    this.replyTo = null;
    this.editing = null;
    this.form = null;
    this.mode = null;
    this.panel = h("div", { class: "panel", hidden: true });
    this.list = new OptionList({ owner: null, label: "Commands", onPick: (item) => this.pick(item) });
    this.input = h("textarea", {
      class: "message-input",
      rows: "1",
      role: "combobox",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-controls": this.list.id,
      "aria-haspopup": "listbox",
      "aria-label": "Message",
      enterkeyhint: "send",
      autocomplete: "off",
      oninput: () => this.typed(),
      onkeydown: (event) => this.key(event),
      onfocus: () => this.suggest(),
      onclick: () => this.suggest(),
      onblur: () => !this.form && this.closePanel(),
      onpaste: (event) => this.paste(event),
    });
    this.list.owner = this.input;
    this.counter = h("span", { class: "detail counter", hidden: true });
    this.attach = h("input", {
      type: "file",
      multiple: true,
      hidden: true,
      onchange: () => this.addFiles(this.attach.files),
    });
    this.plain = h(
      "div",
      { class: "plain" },
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": "Attach files",
          title: "Attach files",
          onclick: () => this.attach.click(),
        },
        icon("plus"),
      ),
      this.attach,
      this.input,
      this.counter,
      h(
        "button",
        {
          type: "button",
          class: "icon-button slash-button",
          "aria-label": "Show the commands",
          title: "Commands",
          onclick: () => this.begin("/"),
        },
        "/",
      ),
      h(
        "button",
        {
          type: "button",
          class: "icon-button send",
          "aria-label": "Send the message",
          title: "Send (Enter)",
          onclick: () => this.send(),
        },
        icon("send"),
      ),
    );
    this.extras = h("div", { class: "extras" });
    this.box = h("div", { class: "composer-box" }, this.extras, this.plain);
    this.typing = h("p", { class: "typing", role: "status" });
    this.element = h("div", { class: "composer" }, this.panel, this.box, this.typing);
    store.on("typing", () => this.showTyping());
    // A command may have been added or changed while this page was open.
    store.on("presence", () => this.loadCommands());
  }

  /** Prepare for a channel. */
  open(channelId) {
    if (this.channel) this.drafts.set(this.channel, this.editing ? "" : this.input.value);
    this.channel = channelId;
    this.cancelForm("");
    this.setReply(null);
    if (this.editing) this.setEdit(null);
    const channel = this.store.channels.get(channelId);
    const name = this.store.channelName(channel);
    const target = `${this.store.isDirect(channel) ? "@" : this.store.isThread(channel) ? "" : "#"}${name}`;
    this.input.setAttribute("aria-label", `Message ${target}`);
    this.input.placeholder = matchMedia("(max-width: 720px)").matches
      ? "Message, or / for commands"
      : `Message ${target}, or / for commands`;
    this.input.value = this.drafts.get(channelId) ?? "";
    this.grow();
    this.showTyping();
    return this.loadCommands();
  }

  async loadCommands() {
    const channel = this.channel;
    if (!channel || this.store.connection !== "open") return;
    try {
      const commands = await this.api.commands(channel);
      if (channel !== this.channel) return;
      this.entries = flatten(commands?.application_commands ?? commands ?? [], this.store.me?.locale);
      this.onLoaded?.();
      if (document.activeElement === this.input) this.typed({ loaded: true });
    } catch {
      // The list stays as it was; the composer says so when a command is not found.
    }
  }

  focus() {
    if (this.form) this.form.focus();
    else this.input.focus({ preventScroll: true });
  }

  /** Put a text into the field, as if it had been typed. */
  begin(text) {
    this.cancelForm("");
    this.input.value = text;
    this.input.focus();
    this.typed();
  }

  // ---- plain text

  typed({ loaded = false } = {}) {
    this.grow();
    const read = readLine(this.entries, this.input.value);
    if (read) {
      this.startForm(read.entry, read.given);
      return;
    }
    this.suggest();
    if (!loaded) this.sayTyping();
  }

  grow() {
    const { input } = this;
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight, 200)}px`;
    const left = LONGEST - [...input.value].length;
    this.counter.hidden = left > 200;
    this.counter.textContent = left < 0 ? `${-left} too many` : String(left);
    this.counter.classList.toggle("problem", left < 0);
  }

  sayTyping() {
    if (!this.input.value.trim() || this.input.value.startsWith("/")) return;
    if (Date.now() - (this.saidTyping ?? 0) < TYPING_EVERY) return;
    this.saidTyping = Date.now();
    this.api.typing(this.channel).catch(() => {});
  }

  suggest() {
    const text = this.input.value;
    const command = /^\/([^\n]*)$/.exec(text);
    if (command) {
      this.mode = "command";
      const found = matching(this.entries, command[1]);
      this.show(
        found.map((entry) => ({
          key: entry.name,
          label: `/${entry.name}`,
          description: entry.description,
          detail: entry.options
            .filter((option) => option.required)
            .map((option) => option.name)
            .join(" "),
        })),
        this.entries.length
          ? found.length
            ? null
            : "No command has this name. Type only / to see them all."
          : this.noCommands(),
        "Commands",
      );
      return;
    }
    const before = text.slice(0, this.input.selectionStart);
    const mention = /(?:^|\s)@([^\s@]{0,32})$/.exec(before);
    if (mention) {
      this.mode = "mention";
      const wanted = mention[1].toLowerCase();
      const items = this.store
        .peopleIn(this.channel)
        .map(personItem)
        .filter((item) => `${item.label} ${item.detail ?? ""}`.toLowerCase().includes(wanted))
        .slice(0, 8);
      if (items.length) {
        this.show(items, null, "People");
        return;
      }
    }
    this.closePanel();
  }

  noCommands() {
    return this.store.botOnline === false
      ? `${this.store.botName} is offline, so no commands are known yet.`
      : "The bot has no commands here.";
  }

  show(items, note, label) {
    this.list.element.setAttribute("aria-label", label);
    this.list.show(items);
    this.list.element.hidden = !items.length;
    fill(
      this.panel,
      h("p", { class: "panel-head" }, h("strong", {}, label)),
      this.list.element,
      note && h("p", { class: "detail nothing", role: "status" }, note),
    );
    this.panel.hidden = false;
    this.input.setAttribute("aria-expanded", String(items.length > 0));
  }

  closePanel() {
    this.panel.hidden = true;
    this.mode = null;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  pick(item) {
    if (this.mode === "command") {
      this.startForm(
        this.entries.find((entry) => entry.name === item.key),
        [],
      );
      return;
    }
    const at = this.input.selectionStart;
    const before = this.input.value.slice(0, at).replace(/@([^\s@]{0,32})$/, `@${item.label} `);
    this.input.value = before + this.input.value.slice(at);
    this.input.setSelectionRange(before.length, before.length);
    this.mentions = (this.mentions ?? new Map()).set(`@${item.label}`, item.key);
    this.closePanel();
    this.grow();
  }

  key(event) {
    if (event.isComposing) return;
    const closed = this.panel.hidden;
    if (closed && event.key === "ArrowDown") {
      this.suggest();
      if (!this.panel.hidden) event.preventDefault();
      return;
    }
    const listed = !closed && this.list.items.length > 0;
    if (listed && this.list.key(event)) return;
    if (event.key === "Escape") {
      if (!closed) this.closePanel();
      else if (this.replyTo) this.setReply(null);
      else if (this.editing) this.setEdit(null);
      else if (this.input.value.startsWith("/")) this.begin("");
      else return;
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "ArrowUp" && !this.input.value && !this.editing) {
      const mine = this.store
        .messagesIn(this.channel)
        .findLast((message) => message.author?.id === this.store.me?.id && message.content);
      if (!mine) return;
      event.preventDefault();
      this.setEdit(mine);
    } else if ((event.key === "Enter" && !event.shiftKey) || (event.key === "Tab" && !event.shiftKey && listed)) {
      event.preventDefault();
      if (listed && this.list.current) this.pick(this.list.current);
      else this.send();
    }
  }

  async send() {
    const typed = this.input.value.trim();
    if (this.form) return;
    if (/^\/\S/.test(typed) && !this.files.length && !this.editing) {
      this.suggest();
      return;
    }
    if ((!typed && (this.editing || !this.files.length)) || this.sending) return;
    if ([...typed].length > LONGEST) {
      this.notify(`A message holds at most ${LONGEST} characters.`);
      return;
    }
    let content = typed;
    for (const [text, id] of this.mentions ?? []) content = content.replaceAll(text, `<@${id}>`);
    const message = { content, nonce: makeNonce() };
    if (this.replyTo) message.message_reference = { message_id: this.replyTo.id, channel_id: this.replyTo.channel_id };
    this.sending = true;
    try {
      if (this.editing) await this.api.editMessage(this.channel, this.editing.id, content);
      else await this.api.send(this.channel, message, this.files);
      this.editing = null;
      this.input.value = "";
      this.files = [];
      this.mentions = null;
      this.saidTyping = 0;
      this.setReply(null);
      this.grow();
      this.closePanel();
    } catch (error) {
      this.notify(`Not sent: ${error.message}`);
    } finally {
      this.sending = false;
    }
  }

  // ---- files and replies

  paste(event) {
    if (!event.clipboardData?.files.length) return;
    event.preventDefault();
    this.addFiles(event.clipboardData.files);
  }

  addFiles(files) {
    this.files = [...this.files, ...files].slice(0, 10);
    this.attach.value = "";
    this.showExtras();
    this.input.focus();
  }

  setReply(message) {
    if (message && this.editing) this.setEdit(null);
    this.replyTo = message;
    this.showExtras();
    if (message) this.input.focus();
  }

  /** Take one's own message back into the field, to send it again in its place. */
  setEdit(message) {
    this.editing = message;
    this.replyTo = null;
    this.mentions = new Map();
    this.input.value = (message?.content ?? "").replace(/<@!?(\d+)>/g, (whole, id) => {
      const user = this.store.user(id);
      if (!user) return whole;
      const name = `@${this.store.nameOf(user)}`;
      this.mentions.set(name, id);
      return name;
    });
    this.grow();
    this.closePanel();
    this.showExtras();
    this.input.focus();
  }

  showExtras() {
    fill(
      this.extras,
      this.editing &&
        h(
          "p",
          { class: "reply-to" },
          h("span", {}, "Editing your message. Enter keeps the change, Escape leaves it as it was."),
          h(
            "button",
            { type: "button", class: "icon-button", "aria-label": "Do not edit", onclick: () => this.setEdit(null) },
            icon("close"),
          ),
        ),
      this.replyTo &&
        h(
          "p",
          { class: "reply-to" },
          h(
            "span",
            {},
            "Replying to ",
            h("strong", {}, this.store.nameOf(this.replyTo.author)),
            ` ${summary(this.replyTo, this.store)}`,
          ),
          h(
            "button",
            { type: "button", class: "icon-button", "aria-label": "Do not reply", onclick: () => this.setReply(null) },
            icon("close"),
          ),
        ),
      this.files.map((file, index) =>
        h(
          "span",
          { class: "file-chip" },
          icon("file"),
          file.name,
          h(
            "button",
            {
              type: "button",
              class: "icon-button",
              "aria-label": `Remove ${file.name}`,
              onclick: () => {
                this.files.splice(index, 1);
                this.showExtras();
              },
            },
            icon("close"),
          ),
        ),
      ),
    );
  }

  showTyping() {
    const names = this.store.typists(this.channel).map((user) => this.store.nameOf(user));
    this.typing.textContent = !names.length
      ? ""
      : names.length === 1
        ? `${names[0]} is typing…`
        : names.length < 4
          ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are typing…`
          : "Several people are typing…";
  }

  // ---- commands

  startForm(entry, given) {
    this.closePanel();
    this.input.value = "";
    this.grow();
    this.form = new CommandForm(entry, given, {
      store: this.store,
      interactions: this.interactions,
      api: this.api,
      panel: this.panel,
      onSend: async (data, label) => {
        await this.interactions.command(this.channel, data, label);
        this.cancelForm("");
      },
      onCancel: (text) => this.cancelForm(text),
    });
    this.plain.hidden = true;
    this.box.append(this.form.element);
    this.form.focus();
  }

  /** Leave the command; `text` is the plain field's new content. */
  cancelForm(text) {
    if (!this.form) return;
    const focused = this.form.element.contains(document.activeElement) || document.activeElement === document.body;
    const { form } = this;
    this.form = null;
    form.closePanel();
    form.element.remove();
    this.plain.hidden = false;
    this.input.value = text;
    this.grow();
    if (focused) {
      this.input.focus();
      if (text) this.typed();
    }
  }
}

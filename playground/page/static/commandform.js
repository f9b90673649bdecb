// @ts-check
// A command being filled in: one field an option, suggestions above, errors beside the field.

import { fill, h, icon, uniqueId } from "./dom.js";
import { OptionList } from "./listbox.js";
import { personItem } from "./components.js";
import { KIND, OPTION, commandData, readValue } from "./slash.js";

const DEBOUNCE = 120;

/**
 * The form of one command.
 *
 * `context` is `{store, interactions, api, panel, onSend(data, label), onCancel(text)}`. `panel` is the
 * place above the composer where lists go.
 */
export class CommandForm {
  constructor(entry, given, context) {
    this.entry = entry;
    this.context = context;
    this.channel = context.store.current;
    this.fields = [];
    this.question = 0;
    this.heading = h("p", { class: "panel-head" });
    this.list = new OptionList({ owner: null, label: "Suggestions", onPick: (item) => this.pick(item) });
    this.list.owner = null;
    this.fieldsPlace = h("span", { class: "command-fields" });
    this.more = h("span", { class: "more-options" });
    this.problem = h("p", { class: "problem command-problem", role: "alert", hidden: true });
    this.element = h(
      "div",
      {
        class: "command-form",
        role: "group",
        "aria-label": `Command ${entry.name}`,
        onkeydown: (event) => this.key(event),
        onfocusout: (event) => !this.element.contains(event.relatedTarget) && this.closePanel(),
      },
      h(
        "div",
        { class: "command-line" },
        h("span", { class: "command-name" }, `/${entry.name}`),
        this.fieldsPlace,
        this.more,
        h(
          "span",
          { class: "command-buttons" },
          h(
            "button",
            {
              type: "button",
              class: "icon-button",
              "aria-label": "Cancel the command",
              title: "Cancel (Esc)",
              onclick: () => context.onCancel(""),
            },
            icon("close"),
          ),
          h(
            "button",
            {
              type: "button",
              class: "icon-button send",
              "aria-label": "Send the command",
              title: "Send (Enter)",
              onclick: () => this.send(),
            },
            icon("send"),
          ),
        ),
      ),
      this.problem,
    );
    for (const option of entry.options) if (option.required) this.add(option);
    for (const [name, text] of given) this.fill(name, text);
    this.showMore();
    if (!this.fields.length && entry.options.length) this.addLoose();
  }

  /**
   * A field for the name of an option, where none is needed and none has been chosen. Text after
   * the command's name goes here, as in Discord.
   */
  addLoose() {
    const input = h("input", {
      class: "option-input",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      autocapitalize: "off",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.list.id,
      "aria-label": "Name of an option",
      enterkeyhint: "send",
      onfocus: () => this.open(this.loose),
      oninput: () => this.typed(this.loose),
    });
    const node = h("span", { class: "loose-option" }, input);
    this.loose = {
      option: { name: "", type: OPTION.STRING },
      input,
      error: h("span"),
      node,
      choices: [],
      picked: null,
      touched: false,
    };
    this.fieldsPlace.append(node);
    this.fit(this.loose);
  }

  /** Take text that names no option to be the value of the first one. */
  settleLoose() {
    const text = this.loose?.input.value.trim();
    if (text) this.fill(this.entry.options[0].name, text);
  }

  option(name) {
    return this.entry.options.find((option) => option.name === name);
  }

  field(name) {
    return this.fields.find((field) => field.option.name === name);
  }

  /** Give an option its text, adding its field if it is not there yet. */
  fill(name, text) {
    const field = this.field(name) ?? this.add(this.option(name));
    if (field.option.type !== OPTION.ATTACHMENT) field.input.value = text;
    this.fit(field);
    return field;
  }

  add(option) {
    const id = uniqueId("option");
    const file = option.type === OPTION.ATTACHMENT;
    const input = h("input", {
      id,
      class: "option-input",
      type: file ? "file" : "text",
      autocomplete: "off",
      spellcheck: "false",
      autocapitalize: "off",
      role: file ? null : "combobox",
      "aria-autocomplete": file ? null : "list",
      "aria-expanded": file ? null : "false",
      "aria-controls": file ? null : this.list.id,
      "aria-required": option.required ? "true" : null,
      "aria-describedby": `${id}-error`,
      dataset: { option: option.name },
      enterkeyhint: "send",
      onfocus: () => this.open(field),
      oninput: () => this.typed(field),
      onchange: () => file && this.check(field),
      onblur: () => field.touched && this.check(field),
    });
    const error = h("span", { class: "field-error", id: `${id}-error` });
    const node = h(
      "span",
      { class: "option-field" },
      h(
        "label",
        { for: id, title: option.description },
        option.name,
        option.required && h("span", { class: "for-readers" }, " (required)"),
      ),
      input,
      !option.required &&
        h(
          "button",
          {
            type: "button",
            class: "remove-option",
            "aria-label": `Remove ${option.name}`,
            onclick: () => this.remove(field),
          },
          icon("close"),
        ),
      error,
    );
    const field = { option, input, error, node, choices: option.choices ?? [], picked: null, touched: false };
    this.loose?.node.remove();
    this.loose = null;
    this.fields.push(field);
    this.fieldsPlace.append(node);
    this.fit(field);
    this.showMore();
    return field;
  }

  remove(field) {
    this.fields = this.fields.filter((one) => one !== field);
    field.node.remove();
    this.showMore();
    if (!this.fields.length) this.addLoose();
    (this.fields.at(-1) ?? this.loose).input.focus();
  }

  /** The options that could be added. */
  showMore() {
    const rest = this.entry.options.filter((option) => !this.field(option.name));
    fill(
      this.more,
      rest.map((option) =>
        h(
          "button",
          {
            type: "button",
            class: "add-option",
            title: option.description,
            "aria-label": `Add option ${option.name}: ${option.description}`,
            onclick: () => this.add(option).input.focus(),
          },
          icon("plus"),
          option.name,
        ),
      ),
    );
  }

  focus() {
    const empty = this.fields.find((field) => !field.input.value) ?? this.fields.at(-1) ?? this.loose;
    if (empty) {
      empty.input.focus();
      const end = empty.input.value.length;
      if (empty.input.type === "text") empty.input.setSelectionRange(end, end);
    } else {
      this.element.querySelector(".send").focus();
      this.showPanel(h("span", {}, this.entry.description, ". Press Enter to send."), []);
    }
  }

  fit(field) {
    if (field.input.type !== "text") return;
    const length = [...field.input.value].length;
    field.input.style.width = `${Math.min(34, Math.max(6, length + 1))}ch`;
    field.node.classList.toggle("empty", !length);
  }

  // ---- suggestions

  open(field) {
    this.active = field;
    this.suggest(field, false);
  }

  typed(field) {
    // "opponent:" typed inside another field moves on to that option, as in Discord.
    const jump = this.jumpIn(field);
    if (jump) {
      field.input.value = jump.before;
      this.fit(field);
      (this.field(jump.target.name) ?? this.add(jump.target)).input.focus();
      return;
    }
    field.picked = null;
    this.say(field, null);
    this.fit(field);
    this.problem.hidden = true;
    this.suggest(field, true);
  }

  /** The option whose name and colon were just typed at the end of a field, and the text before it. */
  jumpIn({ option, input, taken }) {
    const text = input.value;
    for (const target of this.entry.options.filter((one) => text.endsWith(`${one.name}:`))) {
      const before = text.slice(0, -target.name.length - 1);
      const apart = before === "" || /\s$/.test(before) || before === taken;
      if (apart && (target !== option || before === "")) return { target, before: before.trim() };
    }
    return null;
  }

  entities(option) {
    const { store } = this.context;
    const people = () =>
      store.peopleIn(this.channel).map((user) => ({ ...personItem(user), label: `@${personItem(user).label}` }));
    const roles = () =>
      store
        .rolesIn(this.channel)
        .map((role) => ({ key: role.id, label: `@${role.name.replace(/^@/, "")}`, detail: "role" }));
    switch (option.type) {
      case OPTION.USER:
        return people();
      case OPTION.ROLE:
        return roles();
      case OPTION.MENTIONABLE:
        return [...people(), ...roles()];
      case OPTION.CHANNEL: {
        const guild = store.channels.get(this.channel)?.guild_id;
        return store
          .channelsOf(guild)
          .filter((channel) => !option.channel_types?.length || option.channel_types.includes(channel.type))
          .map((channel) => ({ key: channel.id, label: `#${channel.name}` }));
      }
      default:
        return [];
    }
  }

  suggest(field, changed) {
    clearTimeout(this.timer);
    // Answers to questions from before this keystroke come too late.
    this.question += 1;
    const { option } = field;
    const typed = field.picked ? "" : field.input.value.trim().toLowerCase();
    if (option.autocomplete) {
      this.wait(field);
      this.timer = setTimeout(() => this.ask(field), changed ? DEBOUNCE : 0);
      return;
    }
    let items = [];
    if (field === this.loose)
      items = this.entry.options.map((one) => ({ key: one.name, label: one.name, description: one.description }));
    else if (option.type === OPTION.BOOLEAN)
      items = [
        { key: "true", label: "True" },
        { key: "false", label: "False" },
      ];
    else if (option.choices?.length)
      items = option.choices.map((choice) => ({ key: String(choice.value), label: choice.name }));
    else items = this.entities(option);
    const wanted = typed.replace(/^[@#]/, "");
    items = items.filter((item) => `${item.label} ${item.detail ?? ""}`.toLowerCase().includes(wanted)).slice(0, 25);
    this.showPanel(this.head(field), items);
    // Enter sends the command as it is until something has been typed.
    if (field === this.loose && !typed) this.list.activate(-1);
  }

  /** Until suggestions come, the last ones of the same field stay, faded, so that nothing jumps. */
  wait(field) {
    const { panel } = this.context;
    if (this.panelOpen && this.suggested === field && this.list.items.length) this.list.activate(-1);
    else this.showPanel(this.head(field), [], { waiting: "Looking for suggestions" });
    panel.setAttribute("aria-busy", "true");
  }

  async ask(field) {
    const { question } = this;
    const options = this.fields
      .filter((one) => one.input.value || one === field)
      .map((one) => {
        const read = this.read(one);
        const focused = one === field;
        if (focused)
          return { type: one.option.type, name: one.option.name, value: one.input.value.trim(), focused: true };
        return read.problem || one.option.type === OPTION.ATTACHMENT
          ? null
          : { type: one.option.type, name: one.option.name, value: read.value };
      })
      .filter(Boolean);
    let choices = null;
    try {
      choices = await this.context.interactions.suggestions(this.channel, commandData(this.entry, options));
    } catch {
      choices = null;
    }
    if (
      question !== this.question ||
      this.active !== field ||
      !this.panelOpen ||
      document.activeElement !== field.input
    )
      return;
    if (choices === null) {
      this.showPanel(this.head(field), [], { waiting: "The suggestions did not come. You can type on." });
      return;
    }
    field.choices = choices;
    this.suggested = field;
    const items = choices.map((choice) => ({ key: String(choice.value), label: choice.name }));
    this.showPanel(this.head(field), items, items.length ? {} : { waiting: "Nothing fits" });
  }

  head(field) {
    const { option } = field;
    if (field === this.loose) return `${this.entry.description}. Press Enter to send, or choose an option first.`;
    return [
      h("strong", {}, option.name),
      ` · ${option.description} · ${KIND[option.type] ?? "value"}, ${option.required ? "required" : "optional"}`,
    ];
  }

  showPanel(head, items, { waiting = null } = {}) {
    const { panel } = this.context;
    fill(this.heading, head);
    this.list.owner = this.active?.input ?? null;
    this.list.show(items);
    fill(
      panel,
      this.heading,
      this.list.element,
      waiting && h("p", { class: "detail nothing", role: "status" }, waiting),
    );
    this.list.element.hidden = !items.length;
    panel.hidden = false;
    panel.removeAttribute("aria-busy");
    this.panelOpen = true;
    this.active?.input.setAttribute("aria-expanded", String(items.length > 0));
  }

  closePanel() {
    this.panelOpen = false;
    this.context.panel.removeAttribute("aria-busy");
    clearTimeout(this.timer);
    this.context.panel.hidden = true;
    for (const field of this.fields) field.input.setAttribute("aria-expanded", "false");
  }

  /** Take a suggestion into the field and go on to the next required one. */
  pick(item) {
    const field = this.active;
    if (field === this.loose) {
      this.add(this.option(item.key)).input.focus();
      return;
    }
    field.input.value = item.label;
    field.picked = item;
    field.taken = item.label;
    this.say(field, null);
    this.fit(field);
    const next = this.fields.find((one) => one.option.required && !one.input.value);
    if (next) next.input.focus();
    else {
      field.input.focus();
      this.closePanel();
    }
  }

  // ---- reading and sending

  read(field) {
    const { option, input } = field;
    if (option.type === OPTION.ATTACHMENT) {
      return input.files.length ? { value: input.files[0] } : { problem: "Choose a file." };
    }
    if (!input.value.trim()) return { problem: option.required ? "This is needed." : "Give it a value, or remove it." };
    if (field.picked) {
      const choice = field.choices.find((one) => String(one.value) === field.picked.key);
      if (choice) return { value: choice.value };
      if (option.type === OPTION.BOOLEAN) return { value: field.picked.key === "true" };
      return { value: field.picked.key };
    }
    return readValue(option, input.value, { choices: field.choices, entities: this.entities(option) });
  }

  say(field, problem) {
    field.error.textContent = problem ?? "";
    field.node.classList.toggle("invalid", Boolean(problem));
    if (problem) field.input.setAttribute("aria-invalid", "true");
    else field.input.removeAttribute("aria-invalid");
  }

  check(field) {
    const read = this.read(field);
    this.say(field, read.problem);
    return read;
  }

  async send() {
    if (this.sending) return;
    this.problem.hidden = true;
    this.settleLoose();
    const options = [];
    const reads = this.fields.map((field) => [field, this.check(field)]);
    const wrong = reads.find(([, read]) => read.problem);
    if (wrong) {
      wrong[0].touched = true;
      wrong[0].input.focus();
      return;
    }
    this.sending = true;
    try {
      for (const [{ option }, { value }] of reads) {
        const sent = option.type === OPTION.ATTACHMENT ? (await this.context.api.upload(value)).id : value;
        options.push({ type: option.type, name: option.name, value: sent });
      }
      await this.context.onSend(commandData(this.entry, options), `/${this.entry.name}`);
    } catch (error) {
      this.problem.textContent = error.message;
      this.problem.hidden = false;
      (this.active ?? this.fields[0])?.input.focus();
    } finally {
      this.sending = false;
    }
  }

  key(event) {
    const inField = event.target.classList.contains("option-input");
    if (event.key === "Escape") {
      event.preventDefault();
      if (this.panelOpen && this.list.items.length) this.closePanel();
      else this.context.onCancel("");
      return;
    }
    if (!inField || event.isComposing) return;
    const field = this.active;
    const current = this.panelOpen ? this.list.current : null;
    if (event.key === "Enter") {
      event.preventDefault();
      const exact =
        current &&
        field !== this.loose &&
        [current.label, current.key].some((text) => text.toLowerCase() === field.input.value.trim().toLowerCase());
      if (current && field.picked !== current) {
        this.pick(current);
        if (exact && !this.fields.some((one) => one.option.required && !one.input.value)) this.send();
      } else this.send();
    } else if (event.key === "Tab" && !event.shiftKey && current && field.input.value && !field.picked) {
      event.preventDefault();
      this.pick(current);
    } else if (event.key === "Backspace" && !field.input.value && (field === this.loose || field === this.fields[0])) {
      event.preventDefault();
      this.context.onCancel(`/${this.entry.name}`);
    } else if (event.key === "Backspace" && !field.input.value && !field.option.required) {
      event.preventDefault();
      this.remove(field);
    } else if (this.panelOpen) this.list.key(event);
    else if (event.key === "ArrowDown" && field) {
      event.preventDefault();
      this.open(field);
    }
  }
}

// @ts-check
// Lists of options: the one list that menus and the composer share, and the popup for menus.

import { append, fill, h, icon, uniqueId } from "./dom.js";

/**
 * A listbox whose active option follows the keys while the focus stays with its owner.
 *
 * Items are `{key, label, detail?, description?, image?, selected?}`. `owner` is the element that
 * has the focus (an input, or the list itself); it gets aria-activedescendant.
 */
export class OptionList {
  constructor({ owner = null, label, multiple = false, onPick }) {
    this.id = uniqueId("list");
    this.element = h("ul", {
      role: "listbox",
      id: this.id,
      class: "options",
      "aria-label": label,
      "aria-multiselectable": multiple && "true",
    });
    this.owner = owner ?? this.element;
    this.multiple = multiple;
    this.onPick = onPick;
    this.items = [];
    this.active = -1;
  }

  /** Show other items; `active` is the index that Enter takes, -1 for none. */
  show(items, active = items.length ? 0 : -1) {
    this.items = items;
    fill(
      this.element,
      items.map((item, index) => this.option(item, index)),
    );
    this.activate(active);
  }

  option(item, index) {
    return h(
      "li",
      {
        role: "option",
        id: `${this.id}-${index}`,
        class: "option",
        "aria-selected": item.selected ? "true" : "false",
        dataset: { key: item.key },
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => {
          this.activate(index);
          this.onPick(item);
        },
      },
      this.multiple && h("span", { class: "tick", "aria-hidden": "true" }, icon("check")),
      item.image,
      h(
        "span",
        { class: "words" },
        h("span", { class: "name" }, item.label, item.detail && [" ", h("span", { class: "detail" }, item.detail)]),
        item.description && h("span", { class: "description" }, item.description),
      ),
      !this.multiple && item.selected && h("span", { class: "tick", "aria-hidden": "true" }, icon("check")),
    );
  }

  activate(index) {
    const options = this.element.children;
    options[this.active]?.classList.remove("active");
    this.active = index;
    const option = options[index];
    if (!option) {
      this.owner?.removeAttribute("aria-activedescendant");
      return;
    }
    option.classList.add("active");
    this.owner?.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  get current() {
    return this.items[this.active] ?? null;
  }

  /** Handle a key; true when it moved the active option. */
  key(event) {
    const last = this.items.length - 1;
    if (last < 0 || event.altKey || event.ctrlKey || event.metaKey) return false;
    const target = {
      ArrowDown: this.active >= last ? 0 : this.active + 1,
      ArrowUp: this.active <= 0 ? last : this.active - 1,
      PageDown: Math.min(last, this.active + 8),
      PageUp: Math.max(0, this.active - 8),
    }[event.key];
    if (target === undefined) return false;
    event.preventDefault();
    this.activate(target);
    return true;
  }
}

let open = null;

/** Close the popup of a menu that is open, if there is one. */
export function closeMenus() {
  open?.close();
}

/**
 * A select menu: a button and its popup.
 *
 * `items()` gives the options when it opens; `search` adds a field that filters them. `values` are
 * the initial keys. `onChange(values)` is called at a new choice: immediately for a single
 * choice, at "Done" for several (at each tick with `live`, as in a modal).
 */
export function selectMenu({
  items,
  values = [],
  placeholder,
  min = 1,
  max = 1,
  search = false,
  disabled = false,
  live = false,
  label = null,
  customId = null,
  onChange,
}) {
  const text = h("span", { class: "chosen" });
  const textId = uniqueId("chosen");
  text.id = textId;
  const trigger = h(
    "button",
    {
      type: "button",
      class: "select",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      disabled,
      "aria-labelledby": label ? `${label} ${textId}` : null,
      dataset: customId ? { customId } : {},
      onclick: () => (open?.trigger === trigger ? open.close() : openMenu()),
      onkeydown: (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          openMenu();
        }
      },
    },
    text,
    icon("chevron"),
  );
  let chosen = [...values];

  const showChosen = () => {
    const names = items()
      .filter((item) => chosen.includes(item.key))
      .map((item) => item.label);
    text.textContent = names.length ? names.join(", ") : placeholder;
    text.classList.toggle("placeholder", !names.length);
  };

  const openMenu = () => {
    if (trigger.disabled) return;
    closeMenus();
    open = new Menu();
  };

  class Menu {
    constructor() {
      this.trigger = trigger;
      this.draft = [...chosen];
      const multiple = max > 1;
      this.search =
        search &&
        h("input", {
          type: "text",
          class: "field",
          placeholder: "Search",
          role: "combobox",
          "aria-expanded": "true",
          "aria-label": `Search: ${placeholder}`,
          autocomplete: "off",
          "aria-autocomplete": "list",
          oninput: () => this.show(),
        });
      this.list = new OptionList({
        owner: this.search || null,
        label: placeholder,
        multiple,
        onPick: (item) => this.pick(item),
      });
      if (this.search) this.search.setAttribute("aria-controls", this.list.id);
      else this.list.element.tabIndex = 0;
      this.note = multiple && h("span", { class: "note" });
      this.done =
        multiple &&
        h(
          "button",
          {
            type: "button",
            class: "button primary small",
            onclick: () => this.submit(),
          },
          "Done",
        );
      this.popup = h(
        "div",
        { class: "popup", popover: "manual", onkeydown: (event) => this.key(event) },
        this.search,
        this.list.element,
        multiple && h("div", { class: "foot" }, this.note, this.done),
      );
      (trigger.closest("dialog") ?? document.body).append(this.popup);
      this.popup.showPopover();
      trigger.setAttribute("aria-expanded", "true");
      this.outside = (event) => {
        if (!this.popup.contains(event.target) && !trigger.contains(event.target)) this.close(false);
      };
      addEventListener("pointerdown", this.outside, true);
      this.show();
      this.follow();
      (this.search || this.list.element).focus({ preventScroll: true });
    }

    show() {
      const wanted = (this.search?.value ?? "").trim().toLowerCase().replace(/^@/, "");
      const all = items().filter((item) => `${item.label} ${item.detail ?? ""}`.toLowerCase().includes(wanted));
      const shown = all.map((item) => ({ ...item, selected: this.draft.includes(item.key) }));
      this.list.show(
        shown,
        shown.length
          ? Math.max(
              0,
              shown.findIndex((item) => item.selected),
            )
          : -1,
      );
      if (!shown.length) {
        append(this.list.element, [h("li", { class: "nothing", role: "presentation" }, "Nothing found")]);
      }
      this.count();
    }

    count() {
      if (!this.done) return;
      this.note.textContent =
        min === max
          ? `Choose ${max}: ${this.draft.length} chosen`
          : `Choose ${min} to ${max}: ${this.draft.length} chosen`;
      this.done.disabled = this.draft.length < min || this.draft.length > max;
    }

    pick(item) {
      if (max === 1) {
        this.draft = min === 0 && this.draft.includes(item.key) ? [] : [item.key];
        this.submit();
        return;
      }
      const at = this.draft.indexOf(item.key);
      if (at >= 0) this.draft.splice(at, 1);
      else if (this.draft.length < max) this.draft.push(item.key);
      const active = this.list.active;
      this.list.show(
        this.list.items.map((one) => ({ ...one, selected: this.draft.includes(one.key) })),
        active,
      );
      this.count();
      if (live) this.commit();
    }

    commit() {
      chosen = [...this.draft];
      showChosen();
      onChange([...chosen]);
    }

    submit() {
      if (this.draft.length < min || this.draft.length > max) return;
      this.close();
      this.commit();
    }

    key(event) {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.close();
      } else if (event.key === "Tab" && !this.done) {
        this.close();
      } else if (event.target !== this.done && (event.key === "Enter" || (event.key === " " && !this.search))) {
        event.preventDefault();
        if (this.list.current) this.pick(this.list.current);
      } else if (event.target !== this.done && !this.list.key(event) && !this.search) {
        this.jump(event);
      }
    }

    /** A letter moves to the next option that begins with it. */
    jump(event) {
      if (event.key === "Home" || event.key === "End") {
        event.preventDefault();
        this.list.activate(event.key === "Home" ? 0 : this.list.items.length - 1);
        return;
      }
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return;
      const count = this.list.items.length;
      for (let step = 1; step <= count; step += 1) {
        const index = (this.list.active + step) % count;
        if (this.list.items[index].label.toLowerCase().startsWith(event.key.toLowerCase())) {
          this.list.activate(index);
          return;
        }
      }
    }

    /** Stay at the button while the page moves under it. */
    follow() {
      if (!trigger.isConnected) {
        this.close(false);
        return;
      }
      const place = trigger.getBoundingClientRect();
      const height = this.popup.offsetHeight;
      const below = innerHeight - place.bottom - 8;
      const above = place.top - 8;
      const up = below < height && above > below;
      const width = Math.min(Math.max(place.width, 220), innerWidth - 16);
      Object.assign(this.popup.style, {
        width: `${width}px`,
        left: `${Math.max(8, Math.min(place.left, innerWidth - width - 8))}px`,
        top: up ? "auto" : `${place.bottom + 4}px`,
        bottom: up ? `${innerHeight - place.top + 4}px` : "auto",
        maxHeight: `${Math.max(140, Math.min(360, up ? above : below))}px`,
      });
      requestAnimationFrame(() => {
        if (open === this) this.follow();
      });
    }

    close(focus = true) {
      if (open === this) open = null;
      removeEventListener("pointerdown", this.outside, true);
      this.popup.remove();
      trigger.setAttribute("aria-expanded", "false");
      if (focus && trigger.isConnected) trigger.focus({ preventScroll: true });
    }
  }

  showChosen();
  return trigger;
}

// @ts-check
// The list of places: servers with their channels and threads, direct messages, and the person.

import { avatar, displayName, h, icon, renew } from "./dom.js";
import { askText } from "./modal.js";
import { MAY } from "./store.js";

export class Sidebar {
  constructor({ store, api, address, personAddress, notify, onChosen, people }) {
    this.store = store;
    this.api = api;
    this.address = address;
    this.notify = notify;
    this.onChosen = onChosen;
    this.places = h("nav", { class: "places", "aria-label": "Channels" });
    this.me = h("div", { class: "me" });
    this.personAddress = personAddress;
    this.people = people;
    /** The channels whose closed threads are listed. */
    this.unfolded = new Set();
    this.element = h(
      "aside",
      { class: "sidebar", id: "sidebar", "aria-label": "Places and people" },
      this.places,
      this.me,
    );
    store.on("channels", () => this.draw());
    store.on("presence", () => this.draw());
    store.on("members", () => this.drawMe());
  }

  draw() {
    const { store } = this;
    const active = /** @type {HTMLElement} */ (document.activeElement);
    const focused = this.places.contains(active) && active;
    renew(
      this.places,
      [...store.guilds.values()].map((guild) =>
        h(
          "section",
          { class: "guild", dataset: { key: guild.id } },
          h(
            "div",
            { class: "place-head" },
            h("h2", {}, guild.name),
            this.mayAdd(guild) &&
              h(
                "button",
                {
                  type: "button",
                  class: "icon-button",
                  "aria-label": `Add a channel to ${guild.name}`,
                  title: "Add a channel",
                  onclick: () => this.addChannel(guild),
                },
                icon("plus"),
              ),
          ),
          h(
            "ul",
            { dataset: { key: "places" } },
            store.channelsOf(guild.id).map((channel) => this.channel(channel)),
          ),
        ),
      ),
      h(
        "section",
        { class: "guild", dataset: { key: "direct" } },
        h("div", { class: "place-head" }, h("h2", {}, "Direct messages")),
        h("ul", { dataset: { key: "places" } }, this.directPlaces()),
      ),
    );
    // A closed thread is another row, among the closed ones.
    if (focused && !focused.isConnected)
      this.places.querySelector(`a[data-key="${CSS.escape(focused.dataset.key)}"]`)?.focus();
    this.drawMe();
  }

  mayAdd(guild) {
    return this.store.channelsOf(guild.id).some((channel) => this.store.may(MAY.MANAGE_CHANNELS, channel.id));
  }

  channel(channel) {
    const isClosed = (thread) => thread.thread_metadata?.archived && thread.id !== this.store.current;
    const threads = this.store.threadsOf(channel.id);
    const open = threads.filter((thread) => !isClosed(thread));
    const closed = threads.filter(isClosed).reverse();
    const row = (thread) => h("li", { dataset: { key: thread.id } }, this.place(thread, "thread"));
    return h(
      "li",
      { dataset: { key: channel.id } },
      this.place(channel, "hash"),
      open.length
        ? h(
            "ul",
            { class: "threads", dataset: { key: "threads" }, "aria-label": `Threads of ${channel.name}` },
            open.map(row),
          )
        : null,
      closed.length
        ? h(
            "details",
            {
              class: "closed-threads",
              dataset: { key: "closed" },
              open: this.unfolded.has(channel.id),
              ontoggle: (event) =>
                event.target.open ? this.unfolded.add(channel.id) : this.unfolded.delete(channel.id),
            },
            h(
              "summary",
              { dataset: { key: "summary" } },
              closed.length === 1 ? "1 closed thread" : `${closed.length} closed threads`,
            ),
            h(
              "ul",
              { class: "threads", dataset: { key: "threads" }, "aria-label": `Closed threads of ${channel.name}` },
              closed.map(row),
            ),
          )
        : null,
    );
  }

  place(channel, symbol) {
    const { store } = this;
    const unread = store.unread.get(channel.id);
    const current = channel.id === store.current;
    const name = store.channelName(channel);
    const closed = channel.thread_metadata?.archived;
    const words = unread?.mentions ? `, ${unread.mentions} for you` : unread ? ", new messages" : "";
    return h(
      "a",
      {
        class: `place${current ? " current" : ""}${unread ? " unread" : ""}`,
        href: this.address(channel.id),
        "aria-current": current ? "page" : null,
        dataset: { key: channel.id },
        onclick: () => this.onChosen(),
      },
      symbol === "at"
        ? avatar(
            channel.recipients?.find((user) => user.id !== store.me?.id),
            "small",
          )
        : icon(symbol),
      h("span", { class: "place-name" }, name),
      words && h("span", { class: "for-readers" }, words),
      closed && h("span", { class: "detail" }, "closed"),
      channel.thread_metadata?.locked && icon("lock"),
      unread?.mentions ? h("span", { class: "badge", "aria-hidden": "true" }, String(unread.mentions)) : null,
    );
  }

  directPlaces() {
    const { store } = this;
    const direct = store.directChannels();
    const { bot } = store;
    const withBot = bot && direct.some((channel) => (channel.recipients ?? []).some((user) => user.id === bot.id));
    return [
      ...direct.map((channel) => h("li", { dataset: { key: channel.id } }, this.place(channel, "at"))),
      bot &&
        !withBot &&
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "place",
              onclick: () => this.openDirect(bot),
            },
            avatar(bot, "small"),
            h("span", { class: "place-name" }, `Write to ${displayName(bot)}`),
          ),
        ),
    ];
  }

  async openDirect(user) {
    try {
      const channel = await this.api.openDirect(user.id);
      this.store.learnChannel(channel);
      this.store.tell("channels");
      this.onChosen();
      location.hash = this.address(channel.id);
    } catch (error) {
      this.notify(error.message);
    }
  }

  async addChannel(guild) {
    const name = await askText({
      title: "Add a channel",
      label: "Name",
      hint: `Everybody in ${guild.name} will see it.`,
      action: "Add",
    });
    if (!name) return;
    try {
      const channel = await this.api.createChannel(guild.id, name.toLowerCase().replaceAll(/\s+/g, "-"));
      this.store.learnChannel(channel);
      this.store.tell("channels");
      location.hash = this.address(channel.id);
    } catch (error) {
      this.notify(error.message);
    }
  }

  /** The person of this window, and the others for a second window. */
  drawMe() {
    const { me } = this.store;
    if (!me) return;
    const wasOpen = this.me.querySelector("details")?.open;
    const others = this.people().filter((user) => user.id !== me.id);
    renew(
      this.me,
      h(
        "details",
        { class: "me-menu", dataset: { key: "me" }, open: wasOpen },
        h(
          "summary",
          { "aria-label": `You are ${displayName(me)}. Open a window as another person` },
          avatar(me),
          h(
            "span",
            { class: "me-words" },
            h("span", { class: "me-name" }, displayName(me)),
            h("span", { class: "detail" }, "this window’s person"),
          ),
          icon("chevron"),
        ),
        h(
          "div",
          { class: "me-list" },
          h("p", { class: "detail" }, "Open another window as"),
          others.map((user) =>
            h(
              "a",
              {
                class: "place",
                href: this.personAddress(user.id),
                target: "_blank",
                rel: "noopener",
              },
              avatar(user, "small"),
              h("span", { class: "place-name" }, displayName(user)),
              icon("link"),
            ),
          ),
          h(
            "a",
            { class: "place", href: "#new", target: "_blank", rel: "noopener" },
            icon("plus"),
            h("span", { class: "place-name" }, "a new person"),
            icon("link"),
          ),
          h(
            "a",
            { class: "place", href: "#" },
            icon("reply"),
            h("span", { class: "place-name" }, "Switch person here"),
          ),
        ),
      ),
    );
  }
}

// @ts-check
// The page: the person of this window (in its address), the shown place, and the links between
// the parts.
//
// The address is #as=<person>&in=<channel>&at=<message>, so that each window or tab is its own
// person and a reload changes nothing.

import { Api, listPeople } from "./api.js";
import { Composer } from "./composer.js";
import { announce, displayName, fill, h, icon, renew } from "./dom.js";
import { Gateway } from "./gateway.js";
import { Interactions } from "./interactions.js";
import { closeMenus } from "./listbox.js";
import { summary } from "./message.js";
import { MessageView } from "./messages.js";
import { askSure, openModal } from "./modal.js";
import { showPeople } from "./people.js";
import { Sidebar } from "./sidebar.js";
import { Store } from "./store.js";
import { keepTimesTrue } from "./time.js";

const root = document.getElementById("app");
let session = null;

function place() {
  const fields = new URLSearchParams(location.hash.slice(1));
  return {
    person: fields.get("as"),
    channel: fields.get("in"),
    message: fields.get("at"),
    adding: location.hash === "#new",
  };
}

const personAddress = (person) => `#as=${person}`;

/** One person's window. */
class Session {
  constructor(person) {
    this.person = person;
    this.people = [];
    this.store = new Store();
    this.api = new Api(person);
    this.interactions = new Interactions(this.api, this.store);
    this.interactions.onModal = (modal, channel) => this.showModal(modal, channel);
    this.markdown = this.markdownContext();
    const shared = {
      store: this.store,
      api: this.api,
      interactions: this.interactions,
      markdown: this.markdown,
      notify: notify,
    };
    this.composer = new Composer(shared);
    this.composer.onLoaded = () => this.messages?.greetAgain();
    this.messages = new MessageView({
      ...shared,
      reply: (message) => this.composer.setReply(message),
      edit: (message) => this.composer.setEdit(message),
      welcome: (channel) => this.welcome(channel),
      confirmRemoval: () =>
        askSure({ title: "Delete this message?", text: "Nobody will see it any more.", action: "Delete" }),
    });
    this.sidebar = new Sidebar({
      ...shared,
      personAddress,
      address: (channel) => this.address(channel),
      people: () => this.people,
      onChosen: () => this.closeDrawer(),
    });
    this.build();
    this.store.on("ready", () => this.ready());
    this.store.on("channels", () => this.placesChanged());
    this.store.on("presence", () => this.showState());
    this.store.on("members", () => this.loadPeople());
    this.gateway = new Gateway(person, {
      onEvent: (type, data) => this.store.event(type, data),
      onStatus: (status) => this.status(status),
    });
  }

  address(channel, message) {
    return `#as=${this.person}&in=${channel}${message ? `&at=${message}` : ""}`;
  }

  markdownContext() {
    const { store } = this;
    return {
      userName: (id) => (store.user(id) ? store.nameOf(store.user(id)) : "unknown-user"),
      roleName: (id) => store.rolesIn(store.current).find((role) => role.id === id)?.name ?? "unknown-role",
      channel: (id) => {
        const channel = store.channels.get(id);
        return channel && { id, name: store.channelName(channel) };
      },
      channelAddress: (channel, message) => this.address(channel, message),
      isMe: (id) => id === store.me?.id,
      locale: () => store.me?.locale,
      startCommand: (name) => this.composer.begin(`/${name} `),
    };
  }

  build() {
    this.news = h("span", { class: "badge", "aria-hidden": "true", hidden: true });
    this.drawerButton = h(
      "button",
      {
        type: "button",
        class: "icon-button drawer-button",
        "aria-label": "Channels and people",
        "aria-expanded": "false",
        "aria-controls": "sidebar",
        onclick: () => this.toggleDrawer(),
      },
      icon("menu"),
      this.news,
    );
    this.title = h("h1", { class: "channel-title", tabindex: "-1" });
    this.botState = h("span", { class: "bot-state" });
    this.line = h("p", { class: "connection", role: "status", hidden: true });
    this.backdrop = h("div", { class: "backdrop", onclick: () => this.closeDrawer() });
    this.main = h(
      "main",
      { class: "main" },
      h(
        "header",
        { class: "channel-head" },
        this.drawerButton,
        this.title,
        h(
          "button",
          {
            type: "button",
            class: "icon-button",
            "aria-label": "Pinned messages",
            title: "Pinned messages",
            onclick: () => this.showPins(),
          },
          icon("pin"),
        ),
        this.botState,
      ),
      this.line,
      this.messages.element,
      this.composer.element,
    );
    fill(
      root,
      h(
        "a",
        {
          class: "skip",
          href: "#",
          onclick: (event) => {
            event.preventDefault();
            this.composer.focus();
          },
        },
        "Skip to writing",
      ),
      h("div", { class: "frame" }, this.sidebar.element, this.backdrop, this.main),
    );
    this.narrow = matchMedia("(max-width: 720px)");
    this.onNarrow = () => this.closeDrawer();
    this.narrow.addEventListener("change", this.onNarrow);
    this.closeDrawer();
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.onVisible = () => {
      if (!document.hidden && this.store.current) this.store.open(this.store.current);
    };
    document.addEventListener("visibilitychange", this.onVisible);
  }

  async loadPeople() {
    try {
      this.people = await listPeople();
      this.sidebar.drawMe();
      this.messages.greetAgain();
    } catch {
      // The list of other people is a convenience; it comes with the next connection.
    }
  }

  ready() {
    this.store.connection = "open";
    this.loadPeople();
    const wanted = place().channel;
    const target = this.store.channels.has(wanted) ? wanted : this.firstPlace();
    if (!target) return;
    if (target !== this.store.current) this.show(target);
    else {
      this.messages.refresh();
      this.composer.loadCommands();
    }
  }

  firstPlace() {
    for (const guild of this.store.guilds.values()) {
      const [first] = this.store.channelsOf(guild.id);
      if (first) return first.id;
    }
    return this.store.directChannels()[0]?.id ?? null;
  }

  /** Show a channel and, if the address names one, a message in it. */
  async show(channel) {
    closeMenus();
    const here = place();
    if (here.channel !== channel) history.replaceState(null, "", this.address(channel));
    this.store.open(channel);
    this.showTitle();
    this.composer.open(channel);
    const opened = this.messages.open(channel);
    if (!this.narrow.matches) this.composer.focus();
    await opened;
    const target = here.message && document.getElementById(`message-${here.message}`);
    if (target) {
      this.messages.atEnd = false;
      target.scrollIntoView({ block: "center" });
      target.focus({ preventScroll: true });
    }
  }

  moved() {
    const { channel } = place();
    if (!channel || this.store.connection === "connecting") return;
    if (this.store.channels.has(channel)) this.show(channel);
    else notify("This place is gone, or you cannot see it.");
  }

  placesChanged() {
    this.showTitle();
    if (this.store.current && this.store.connection === "open" && !this.store.channels.has(this.store.current)) {
      notify("The place you were in was deleted.");
      const first = this.firstPlace();
      if (first) this.show(first);
    }
  }

  showTitle() {
    const channel = this.store.channels.get(this.store.current);
    if (!channel) return;
    const name = this.store.channelName(channel);
    const parent = this.store.channels.get(channel.parent_id);
    renew(
      this.title,
      icon(this.store.isDirect(channel) ? "at" : this.store.isThread(channel) ? "thread" : "hash"),
      h("span", {}, name),
      this.store.isThread(channel) && parent
        ? h("a", { class: "detail link", href: this.address(parent.id) }, `in #${this.store.channelName(parent)}`)
        : null,
    );
    const news = [...this.store.unread.values()].reduce((sum, one) => sum + one.mentions, 0);
    document.title = `${news ? `(${news}) ` : ""}${displayName(this.store.me)} in ${name} – playground`;
    // On a phone this button hides the list of places, which says where the news is.
    this.drawerButton.setAttribute("aria-label", `Channels and people${news ? `, ${news} for you` : ""}`);
    this.news.textContent = String(news);
    this.news.hidden = !news;
    this.showState();
  }

  showState() {
    const { botOnline, bot } = this.store;
    if (!bot || botOnline === null) {
      renew(this.botState);
      return;
    }
    const words = botOnline ? "online" : "offline";
    this.botState.className = `bot-state ${words}`;
    renew(
      this.botState,
      h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", {}, `${this.store.botName} is ${words}`),
    );
    this.botState.title = botOnline ? "" : "Commands and buttons get no answer until it is back.";
  }

  status(status) {
    this.store.connection = status;
    if (status === "unknown") {
      leave();
      showPeople(root, {
        address: personAddress,
        note: "The playground does not know this person any more. Choose again.",
      });
    } else if (status === "lost") {
      fill(
        this.line,
        "The connection to the playground is lost. Trying again… ",
        h(
          "button",
          {
            type: "button",
            class: "text-button",
            onclick: () => this.gateway.retryNow(),
          },
          "Try now",
        ),
      );
      this.line.className = "connection lost";
      this.line.hidden = false;
    } else if (status === "open" && !this.line.hidden) this.back();
    document.body.dataset.connection = status;
  }

  back() {
    fill(this.line, "Connected again.");
    this.line.className = "connection back";
    setTimeout(() => {
      if (this.store.connection === "open") this.line.hidden = true;
    }, 2500);
  }

  /** The first steps in a place without messages. */
  welcome(channel) {
    const { store } = this;
    const here = store.channels.get(channel);
    const name = `${store.isDirect(here) || store.isThread(here) ? "" : "#"}${store.channelName(here)}`;
    const others = this.people.filter((user) => user.id !== this.person);
    const first = store.application?.first_command;
    const begin =
      this.composer.entries.some((entry) => entry.name === first) &&
      h(
        "button",
        { type: "button", class: "button primary", onclick: () => this.composer.begin(`/${first}`) },
        `Begin with /${first}`,
      );
    const commands = h(
      "button",
      { type: "button", class: `button ${begin ? "secondary" : "primary"}`, onclick: () => this.composer.begin("/") },
      "Show the commands",
    );
    return [
      h("h2", {}, `Nothing in ${name} yet`),
      h(
        "ol",
        {},
        !store.isDirect(here) &&
          h(
            "li",
            {},
            h("p", {}, "Open a second window, so that there are two of you."),
            h(
              "div",
              { class: "row" },
              others.slice(0, 4).map((user) =>
                h(
                  "a",
                  {
                    class: "button secondary",
                    href: `#as=${user.id}&in=${channel}`,
                    target: "_blank",
                    rel: "noopener",
                  },
                  `Open as ${displayName(user)}`,
                  icon("link"),
                ),
              ),
              !others.length &&
                h(
                  "a",
                  { class: "button secondary", href: "#new", target: "_blank", rel: "noopener" },
                  "Open as a new person",
                  icon("link"),
                ),
            ),
          ),
        h(
          "li",
          {},
          h("p", {}, `See what ${store.botName} can do: type / in the field below.`),
          h("div", { class: "row" }, begin, commands),
        ),
        h(
          "li",
          {},
          h("p", {}, "Follow what the bot answers, in each window: press its buttons, or use more commands."),
        ),
      ),
    ];
  }

  showModal(modal, channel) {
    openModal(modal, {
      store: this.store,
      markdown: this.markdown,
      botName: this.store.botName,
      channel,
      upload: (file) => this.api.upload(file),
      submit: (components) => this.interactions.modal(modal, channel, components),
    });
  }

  /** The pinned messages of this place, with links. */
  async showPins() {
    const channel = this.store.current;
    let pins;
    try {
      pins = await this.api.pins(channel);
    } catch (error) {
      notify(error.message);
      return;
    }
    const close = () => dialog.close();
    const dialog = h(
      "dialog",
      { class: "modal small", "aria-labelledby": "pins-title", onclose: () => dialog.remove() },
      h("h2", { id: "pins-title" }, "Pinned messages"),
      pins.length
        ? h(
            "ul",
            { class: "pins" },
            pins.map((message) =>
              h(
                "li",
                {},
                h(
                  "a",
                  {
                    class: "link",
                    href: this.address(channel, message.id),
                    onclick: close,
                  },
                  h("strong", {}, this.store.nameOf(message.author)),
                  " ",
                  summary(message, this.store),
                ),
              ),
            ),
          )
        : h("p", { class: "detail" }, "Nothing is pinned here."),
      h(
        "div",
        { class: "dialog-foot" },
        h("button", { type: "button", class: "button secondary", onclick: close }, "Close"),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  toggleDrawer() {
    if (this.sidebar.element.classList.contains("open")) this.closeDrawer();
    else {
      this.sidebar.element.classList.add("open");
      this.backdrop.classList.add("open");
      this.sidebar.element.inert = false;
      this.main.inert = true;
      this.drawerButton.setAttribute("aria-expanded", "true");
      (this.sidebar.element.querySelector(".place.current") ?? this.sidebar.element.querySelector(".place"))?.focus();
    }
  }

  closeDrawer() {
    const wasOpen = this.sidebar.element.classList.contains("open");
    this.sidebar.element.classList.remove("open");
    this.backdrop.classList.remove("open");
    this.sidebar.element.inert = this.narrow.matches;
    this.main.inert = false;
    this.drawerButton.setAttribute("aria-expanded", "false");
    if (wasOpen) this.drawerButton.focus();
  }

  key(event) {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && this.sidebar.element.classList.contains("open")) this.closeDrawer();
    // Typing anywhere writes a message, as people expect of a chat.
    const typing = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    const active = document.activeElement;
    if (!typing || active.matches("input, textarea, select, [role=listbox]") || active.closest(".popup, .sidebar"))
      return;
    this.composer.focus();
  }

  close() {
    this.gateway.close();
    closeMenus();
    removeEventListener("keydown", this.onKey);
    document.removeEventListener("visibilitychange", this.onVisible);
    this.narrow.removeEventListener("change", this.onNarrow);
  }
}

let noticeTimer = null;

/** Show a message at the foot of the page for a while. */
function notify(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.hidden = false;
  announce(text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    notice.hidden = true;
  }, 6000);
}

function leave() {
  session?.close();
  session = null;
}

function route() {
  const { person, adding } = place();
  if (!person) {
    leave();
    showPeople(root, { address: personAddress, adding });
  } else if (session?.person === person) session.moved();
  else {
    leave();
    session = new Session(person);
  }
}

addEventListener("hashchange", route);
keepTimesTrue();
route();

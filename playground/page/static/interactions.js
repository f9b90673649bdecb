// @ts-check
// The unanswered actions of a person: commands, buttons, menus, modals and suggestions, each with
// its nonce.

import { makeNonce } from "./time.js";

// The playground reports a missing answer after three seconds; this is for lost reports.
const GIVE_UP = 12000;

export class Interactions {
  constructor(api, store) {
    this.api = api;
    this.store = store;
    this.pending = new Map();
    /** Called with the data of a modal that the bot opens. */
    /** @type {(modal: object, channel: string) => void} */
    this.onModal = () => {};
    store.on("event", ({ type, data }) => this.event(type, data));
  }

  /** The common fields of all interactions of the open channel. */
  base(channelId) {
    const channel = this.store.channels.get(channelId);
    const payload = { application_id: this.store.application?.id, channel_id: channelId };
    if (channel?.guild_id) payload.guild_id = channel.guild_id;
    return payload;
  }

  /** Send a command; a row at the end of the channel shows it until the bot has answered. */
  async command(channelId, data, label) {
    const row = { kind: "command", channel: channelId, label, state: "sending" };
    await this.start(row, { ...this.base(channelId), type: 2, data });
  }

  /** Ask for suggestions; resolves to the choices, rejects without any. */
  suggestions(channelId, data) {
    return new Promise((resolve, reject) => {
      const row = { kind: "suggestions", channel: channelId, resolve, reject };
      this.start(row, { ...this.base(channelId), type: 4, data }).catch(reject);
    });
  }

  /** Press a button or choose from a menu of a message. */
  async component(message, data) {
    const key = `${message.id}/${data.custom_id}`;
    if ([...this.pending.values()].some((row) => row.key === key && row.state === "sending")) return;
    this.forgetFailures(message.id);
    const row = {
      kind: "component",
      key,
      channel: message.channel_id,
      message: message.id,
      customId: data.custom_id,
      state: "sending",
    };
    try {
      await this.start(row, {
        ...this.base(message.channel_id),
        type: 3,
        message_id: message.id,
        message_flags: message.flags ?? 0,
        application_id: message.application_id ?? this.store.application?.id,
        data,
      });
    } catch (error) {
      this.fail(row, error.message);
    }
  }

  /** Submit a modal; resolves if the bot accepted it, rejects if it did not. */
  modal(modal, channelId, components) {
    return new Promise((resolve, reject) => {
      const row = { kind: "modal", channel: channelId, resolve, reject };
      const data = { id: modal.id, custom_id: modal.custom_id, components };
      this.start(row, { ...this.base(channelId), type: 5, data }).catch(reject);
    });
  }

  async start(row, payload) {
    row.nonce = makeNonce();
    this.pending.set(row.nonce, row);
    row.timer = setTimeout(() => this.fail(row), GIVE_UP);
    this.changed(row);
    try {
      await this.api.interact({ ...payload, nonce: row.nonce });
    } catch (error) {
      if (row.kind !== "component") this.drop(row);
      throw error;
    }
  }

  /** The state of a component: "sending", an error, or null. */
  stateOf(messageId, customId) {
    for (const row of this.pending.values()) {
      if (row.kind === "component" && row.message === messageId && row.customId === customId) {
        return row.state;
      }
    }
    return null;
  }

  /** The words to show under a message whose control failed, or null. */
  failureOf(messageId) {
    for (const row of this.pending.values()) {
      if (row.message === messageId && row.state === "failed") return row.reason ?? "This interaction failed";
    }
    return null;
  }

  /** The commands of a channel that wait or failed, oldest first. */
  rowsIn(channelId) {
    return [...this.pending.values()].filter((row) => row.kind === "command" && row.channel === channelId);
  }

  forgetFailures(messageId) {
    for (const row of [...this.pending.values()]) {
      if (row.message === messageId && row.state === "failed") this.drop(row);
    }
  }

  drop(row) {
    clearTimeout(row.timer);
    this.pending.delete(row.nonce);
    this.changed(row);
  }

  fail(row, reason) {
    clearTimeout(row.timer);
    if (row.reject) {
      this.pending.delete(row.nonce);
      row.reject(new Error(reason ?? `${this.store.botName} did not respond`));
      return;
    }
    row.state = "failed";
    row.reason = reason;
    this.changed(row);
  }

  succeed(row, value) {
    this.drop(row);
    row.resolve?.(value);
  }

  changed(row) {
    if (row.kind === "command") this.store.tell("pending", { channel: row.channel });
    if (row.kind === "component")
      this.store.tell("messages", { channel: row.channel, id: row.message, controls: true });
  }

  find(data) {
    return this.pending.get(data.nonce) ?? [...this.pending.values()].find((row) => row.id && row.id === data.id);
  }

  event(type, data) {
    if (type === "MESSAGE_CREATE") {
      // The answer itself: the waiting row goes at the same moment.
      const source = data.interaction_metadata?.id;
      for (const row of [...this.pending.values()]) {
        if (row.kind === "command" && source && row.id === source) this.drop(row);
      }
      return;
    }
    const row = /^(INTERACTION_|APPLICATION_COMMAND_AUTO)/.test(type) ? this.find(data) : null;
    if (type === "INTERACTION_MODAL_CREATE") {
      // Another window of the same person did not ask for it.
      if (!row) return;
      this.succeed(row);
      this.onModal(data, row.channel);
      return;
    }
    if (!row) return;
    if (type === "INTERACTION_CREATE") row.id = data.id;
    else if (type === "INTERACTION_SUCCESS") this.succeed(row);
    else if (type === "INTERACTION_FAILURE") this.fail(row);
    else if (type === "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE") this.succeed(row, data.choices ?? []);
  }
}

// @ts-check
// The state of this page: channels, people, messages, and actions in progress. Events of the stream
// change it; views listen for "change" events with the name of the changed part.

import { compareIds } from "./time.js";
import { displayName } from "./dom.js";

export const THREADS = new Set([10, 11, 12]);
const DIRECT = 1;
const READABLE = new Set([0, 1, 3, 5, 10, 11, 12]);
const TYPING_LASTS = 10000;

export const MAY = { MANAGE_CHANNELS: 1n << 4n, MANAGE_MESSAGES: 1n << 13n, PIN_MESSAGES: 1n << 51n };
export const FLAG = { EPHEMERAL: 64, LOADING: 128, COMPONENTS_V2: 32768 };

/** The fields that only events of a message have, and fetched messages do not. */
const EVENT_ALONE = new Set(["guild_id", "member", "nonce"]);

/** Whether two states of a message are the same. */
function alike(one, other) {
  return Object.keys({ ...one, ...other }).every(
    (key) => EVENT_ALONE.has(key) || JSON.stringify(one[key]) === JSON.stringify(other[key]),
  );
}

export class Store extends EventTarget {
  constructor() {
    super();
    this.me = null;
    this.application = null;
    this.botOnline = null;
    this.connection = "connecting";
    this.users = new Map();
    this.guilds = new Map();
    this.channels = new Map();
    this.members = new Map();
    this.roles = new Map();
    this.messages = new Map();
    this.complete = new Set();
    this.changes = new Map();
    this.typing = new Map();
    this.unread = new Map();
    this.current = null;
  }

  /** Notify the views of a change. */
  tell(what, detail = {}) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  on(what, listener) {
    this.addEventListener(what, (/** @type {CustomEvent} */ event) => listener(event.detail));
  }

  // ---- questions

  user(id) {
    return this.users.get(String(id));
  }

  /** The name of a user in the server of the open channel. */
  nameOf(user, guild = this.channels.get(this.current)?.guild_id) {
    return this.members.get(guild)?.get(user?.id)?.nick || displayName(user);
  }

  /** The bot of this world, if it is known. */
  get bot() {
    const id = this.application?.bot?.id ?? this.application?.id;
    return this.users.get(id) ?? [...this.users.values()].find((user) => user.bot) ?? null;
  }

  get botName() {
    return this.bot ? displayName(this.bot) : this.application?.name || "The bot";
  }

  channelName(channel) {
    if (!channel) return "unknown";
    if (channel.type === DIRECT) {
      const other = (channel.recipients ?? []).find((user) => user.id !== this.me?.id);
      return other ? displayName(other) : "Direct message";
    }
    return channel.name || "unnamed";
  }

  isDirect(channel) {
    return channel?.type === DIRECT;
  }

  isThread(channel) {
    return THREADS.has(channel?.type);
  }

  /** The channels of a server that hold messages, in their order. */
  channelsOf(guild) {
    return [...this.channels.values()]
      .filter((channel) => channel.guild_id === guild && READABLE.has(channel.type) && !this.isThread(channel))
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id));
  }

  threadsOf(parent) {
    return [...this.channels.values()]
      .filter((channel) => channel.parent_id === parent && this.isThread(channel))
      .sort((a, b) => compareIds(a.id, b.id));
  }

  directChannels() {
    return [...this.channels.values()].filter((channel) => channel.type === DIRECT);
  }

  /** The people to mention in a channel, the bot last. */
  peopleIn(channelId) {
    const channel = this.channels.get(channelId);
    const found = channel?.guild_id
      ? [...(this.members.get(channel.guild_id)?.keys() ?? [])].map((id) => this.users.get(id))
      : // In direct messages too, a command can name all known people.
        [...(channel?.recipients ?? []), this.me, ...this.users.values()];
    const seen = new Map(found.filter(Boolean).map((user) => [user.id, user]));
    return [...seen.values()].sort(
      (a, b) => Number(Boolean(a.bot)) - Number(Boolean(b.bot)) || displayName(a).localeCompare(displayName(b)),
    );
  }

  rolesIn(channelId) {
    const guild = this.channels.get(channelId)?.guild_id;
    return [...(this.roles.get(guild)?.values() ?? [])];
  }

  /** The messages of a channel that are here, oldest first. */
  messagesIn(channelId) {
    return [...(this.messages.get(channelId)?.values() ?? [])].sort((a, b) => compareIds(a.id, b.id));
  }

  typists(channelId) {
    const now = Date.now();
    return [...(this.typing.get(channelId) ?? [])]
      .filter(([id, until]) => until > now && id !== this.me?.id)
      .map(([id]) => this.users.get(id))
      .filter(Boolean);
  }

  /** Whether the person has a permission (a bit, as a BigInt) in a channel; by default yes. */
  may(permission, channelId) {
    const channel = this.channels.get(channelId);
    const granted = channel?.permissions ?? this.channels.get(channel?.parent_id)?.permissions;
    return granted === undefined || Boolean(BigInt(granted) & permission);
  }

  mentionsMe(message) {
    const roles = this.members.get(this.channels.get(message.channel_id)?.guild_id)?.get(this.me?.id)?.roles ?? [];
    return Boolean(
      message.mention_everyone ||
      (message.mentions ?? []).some((user) => user.id === this.me?.id) ||
      (message.mention_roles ?? []).some((id) => roles.includes(id)),
    );
  }

  // ---- changes

  learnUser(user) {
    if (user?.id) this.users.set(user.id, { ...this.users.get(user.id), ...user });
  }

  learnMember(guildId, member) {
    const user = member.user ?? this.users.get(member.user_id);
    if (!user) return;
    this.learnUser(user);
    const members = this.members.get(guildId) ?? new Map();
    members.set(user.id, member);
    this.members.set(guildId, members);
  }

  learnChannel(channel) {
    for (const user of channel.recipients ?? []) this.learnUser(user);
    this.channels.set(channel.id, { ...this.channels.get(channel.id), ...channel });
  }

  ready(data) {
    this.guilds.clear();
    this.channels.clear();
    this.members.clear();
    this.roles.clear();
    this.me = data.user;
    this.learnUser(data.user);
    this.application = data.application ?? null;
    this.learnUser(data.application?.bot);
    for (const guild of data.guilds ?? []) this.learnGuild(guild);
    for (const channel of data.private_channels ?? []) this.learnChannel(channel);
    for (const presence of data.presences ?? []) this.learnPresence(presence);
    // Messages from before the stream was cut may have changed: fetch them again.
    for (const id of this.messages.keys()) this.complete.delete(id);
    this.tell("ready");
    this.tell("channels");
    this.tell("presence");
  }

  learnGuild(guild) {
    this.guilds.set(guild.id, guild);
    this.roles.set(guild.id, new Map((guild.roles ?? []).map((role) => [role.id, role])));
    for (const channel of [...(guild.channels ?? []), ...(guild.threads ?? [])]) {
      this.learnChannel({ ...channel, guild_id: guild.id });
    }
    for (const member of guild.members ?? []) this.learnMember(guild.id, member);
    for (const presence of guild.presences ?? []) this.learnPresence(presence);
  }

  learnPresence(presence) {
    const id = presence.user?.id ?? presence.user_id;
    const bot = this.bot?.id ?? this.application?.id;
    if (id === bot) this.botOnline = presence.status !== "offline";
  }

  addMessage(message) {
    this.learnUser(message.author);
    for (const user of message.mentions ?? []) this.learnUser(user);
    const known = this.messages.get(message.channel_id) ?? new Map();
    known.set(message.id, message);
    this.messages.set(message.channel_id, known);
  }

  /** Have `ask` fetch messages of a channel; again if something happened there meanwhile, since the
   *  answer may be from before it. */
  async askHistory(channelId, ask, { older = false, limit = 50 } = {}) {
    let messages;
    let before;
    do {
      before = this.changes.get(channelId);
      messages = await ask();
    } while (this.changes.get(channelId) !== before);
    const known = this.messages.get(channelId);
    if (!older) this.messages.set(channelId, new Map());
    for (const message of messages) {
      const state = known?.get(message.id);
      this.addMessage(state && alike(state, message) ? state : message);
    }
    if (messages.length < limit) this.complete.add(channelId);
    this.tell("messages", { channel: channelId, whole: true, older });
  }

  removeMessage(channelId, id) {
    if (this.messages.get(channelId)?.delete(id)) this.tell("messages", { channel: channelId, id });
  }

  open(channelId) {
    this.current = channelId;
    this.unread.delete(channelId);
    this.tell("channels");
  }

  /** Take in one event of the stream. */
  event(type, data) {
    const handler = this[`on${type}`];
    if (type.startsWith("MESSAGE_")) this.changes.set(data.channel_id, (this.changes.get(data.channel_id) ?? 0) + 1);
    if (handler) handler.call(this, data);
    this.tell("event", { type, data });
  }

  onREADY(data) {
    this.ready(data);
  }

  onMESSAGE_CREATE(message) {
    this.addMessage(message);
    this.typing.get(message.channel_id)?.delete(message.author?.id);
    const away = message.channel_id !== this.current || document.hidden;
    if (away && message.author?.id !== this.me?.id) {
      const unread = this.unread.get(message.channel_id) ?? { messages: 0, mentions: 0 };
      unread.messages += 1;
      if (this.mentionsMe(message) || this.isDirect(this.channels.get(message.channel_id))) unread.mentions += 1;
      this.unread.set(message.channel_id, unread);
      this.tell("channels");
    }
    this.tell("messages", { channel: message.channel_id, id: message.id, fresh: true });
    this.tell("typing", { channel: message.channel_id });
  }

  onMESSAGE_UPDATE(change) {
    const known = this.messages.get(change.channel_id)?.get(change.id);
    if (!known) return;
    this.addMessage({ ...known, ...change });
    this.tell("messages", { channel: change.channel_id, id: change.id });
  }

  onMESSAGE_DELETE({ channel_id: channel, id }) {
    this.removeMessage(channel, id);
  }

  onMESSAGE_DELETE_BULK({ channel_id: channel, ids }) {
    for (const id of ids) this.removeMessage(channel, id);
  }

  onMESSAGE_REACTION_ADD({ channel_id: channel, message_id: id, user_id: user, emoji }) {
    this.react(channel, id, emoji, 1, user);
  }

  onMESSAGE_REACTION_REMOVE({ channel_id: channel, message_id: id, user_id: user, emoji }) {
    this.react(channel, id, emoji, -1, user);
  }

  react(channel, id, emoji, change, user) {
    const message = this.messages.get(channel)?.get(id);
    if (!message) return;
    const same = (reaction) => (reaction.emoji.id ?? reaction.emoji.name) === (emoji.id ?? emoji.name);
    const reactions = (message.reactions ?? []).map((reaction) => ({ ...reaction }));
    let reaction = reactions.find(same);
    if (!reaction) {
      reaction = { emoji, count: 0, me: false };
      reactions.push(reaction);
    }
    reaction.count += change;
    if (user === this.me?.id) reaction.me = change > 0;
    message.reactions = reactions.filter((one) => one.count > 0);
    this.tell("messages", { channel, id });
  }

  onCHANNEL_CREATE(channel) {
    this.learnChannel(channel);
    this.tell("channels");
  }

  onCHANNEL_UPDATE(channel) {
    this.onCHANNEL_CREATE(channel);
  }

  onCHANNEL_DELETE(channel) {
    this.channels.delete(channel.id);
    for (const thread of this.threadsOf(channel.id)) this.channels.delete(thread.id);
    this.unread.delete(channel.id);
    this.tell("channels");
  }

  onTHREAD_CREATE(channel) {
    this.onCHANNEL_CREATE(channel);
    this.tell("threads", { channel: channel.id });
  }

  onTHREAD_UPDATE(channel) {
    this.onTHREAD_CREATE(channel);
  }

  onTHREAD_DELETE(channel) {
    this.onCHANNEL_DELETE(channel);
  }

  onTHREAD_LIST_SYNC({ threads }) {
    for (const thread of threads ?? []) this.learnChannel(thread);
    this.tell("channels");
  }

  onGUILD_CREATE(guild) {
    this.learnGuild(guild);
    this.tell("channels");
  }

  onGUILD_DELETE(guild) {
    this.guilds.delete(guild.id);
    for (const channel of [...this.channels.values()]) {
      if (channel.guild_id === guild.id) this.channels.delete(channel.id);
    }
    this.tell("channels");
  }

  onGUILD_MEMBER_ADD(member) {
    this.learnMember(member.guild_id, member);
    this.tell("members");
  }

  onGUILD_MEMBER_UPDATE(member) {
    this.onGUILD_MEMBER_ADD(member);
  }

  onGUILD_MEMBER_REMOVE({ guild_id: guild, user }) {
    this.members.get(guild)?.delete(user.id);
    this.tell("members");
  }

  onGUILD_ROLE_CREATE({ guild_id: guild, role }) {
    this.roles.get(guild)?.set(role.id, role);
  }

  onGUILD_ROLE_UPDATE(change) {
    this.onGUILD_ROLE_CREATE(change);
  }

  onPRESENCE_UPDATE(presence) {
    this.learnPresence(presence);
    this.tell("presence");
  }

  onTYPING_START({ channel_id: channel, user_id: user }) {
    const typing = this.typing.get(channel) ?? new Map();
    typing.set(user, Date.now() + TYPING_LASTS);
    this.typing.set(channel, typing);
    this.tell("typing", { channel });
    setTimeout(() => this.tell("typing", { channel }), TYPING_LASTS + 50);
  }
}

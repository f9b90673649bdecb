// @ts-check
// Requests to the playground, in the shapes that a Discord client sends.

/** A refusal of the playground: Discord's code and words. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{user?: string, body?: unknown, form?: FormData}} [given]
 */
async function request(method, path, { user, body, form } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (user) headers.Authorization = `person ${user}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
  } catch {
    throw new ApiError(0, 0, "The playground cannot be reached. Is it still running?");
  }
  if (response.status === 204) return null;
  const text = await response.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!response.ok) {
    throw new ApiError(
      response.status,
      data?.code ?? 0,
      data?.message ?? `The playground answered ${response.status}.`,
    );
  }
  return data;
}

/** The people of this world to choose from, without scripted ones. */
export const listPeople = async () => (await request("GET", "/page/people")).filter((user) => !user.scripted);

/** Add a person, who joins the default server and reads this language. */
export const addPerson = (name, locale) => request("POST", "/page/people", { body: { name, locale } });

/** The actions of one person. */
export class Api {
  constructor(user) {
    this.user = user;
  }

  call(method, path, body) {
    return request(method, `/page/api/${path}`, { user: this.user, body });
  }

  /**
   * @param {string} channel
   * @param {{before?: string, limit?: number}} [which]
   */
  messages(channel, { before, limit = 50 } = {}) {
    const query = new URLSearchParams({ limit: String(limit) });
    if (before) query.set("before", before);
    return this.call("GET", `channels/${channel}/messages?${query}`);
  }

  /** Send a message with its files (File objects). */
  send(channel, message, files = []) {
    const path = `channels/${channel}/messages`;
    if (!files.length) return this.call("POST", path, message);
    const attachments = files.map((file, id) => ({ id, filename: file.name }));
    const form = new FormData();
    form.append("payload_json", JSON.stringify({ ...message, attachments }));
    files.forEach((file, id) => form.append(`files[${id}]`, file, file.name));
    return request("POST", `/page/api/${path}`, { user: this.user, form });
  }

  editMessage(channel, message, content) {
    return this.call("PATCH", `channels/${channel}/messages/${message}`, { content });
  }

  pins(channel) {
    return this.call("GET", `channels/${channel}/pins`);
  }

  pin(channel, message, pinned) {
    return this.call(pinned ? "PUT" : "DELETE", `channels/${channel}/pins/${message}`);
  }

  deleteMessage(channel, message) {
    return this.call("DELETE", `channels/${channel}/messages/${message}`);
  }

  commands(channel) {
    return this.call("GET", `application-commands?channel_id=${channel}`);
  }

  interact(payload) {
    return this.call("POST", "interactions", payload);
  }

  typing(channel) {
    return this.call("POST", `channels/${channel}/typing`);
  }

  createChannel(guild, name) {
    return this.call("POST", "channels", { guild_id: guild, name });
  }

  openDirect(recipient) {
    return this.call("POST", "users/@me/channels", { recipient_id: recipient });
  }

  upload(file) {
    const form = new FormData();
    form.append("file", file, file.name);
    return request("POST", "/page/api/attachments", { user: this.user, form });
  }
}

// @ts-check
// The stream of events for one person, open as long as the page is.

import { listPeople } from "./api.js";

const WAITS = [400, 800, 1500, 3000, 5000];

/**
 * Opens the stream and opens it again whenever it is cut.
 *
 * `onEvent(type, data)` gets every event; `onStatus` gets "connecting", "open", "lost", or
 * "unknown" when the playground does not know the person (the stream then stays closed).
 */
export class Gateway {
  constructor(user, { onEvent, onStatus }) {
    this.user = user;
    this.onEvent = onEvent;
    this.onStatus = onStatus;
    this.attempt = 0;
    this.closed = false;
    this.timer = null;
    this.soon = () => this.retryNow();
    addEventListener("online", this.soon);
    this.connect();
  }

  connect() {
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/page/gateway?user=${encodeURIComponent(this.user)}`);
    this.socket = socket;
    let greeted = false;
    socket.addEventListener("message", (message) => {
      const frame = JSON.parse(message.data);
      if (frame.op !== 0) return;
      if (frame.t === "READY") {
        greeted = true;
        this.attempt = 0;
        this.onEvent(frame.t, frame.d);
        this.onStatus("open");
      } else this.onEvent(frame.t, frame.d);
    });
    socket.addEventListener("close", () => {
      if (this.closed || socket !== this.socket) return;
      if (!greeted) this.askIfKnown();
      this.onStatus("lost");
      const wait = WAITS[Math.min(this.attempt, WAITS.length - 1)];
      this.attempt += 1;
      this.timer = setTimeout(() => this.connect(), wait);
    });
  }

  /** A stream that never began may mean that this world has no such person. */
  async askIfKnown() {
    try {
      const people = await listPeople();
      if (this.closed || people.some((user) => user.id === this.user)) return;
    } catch {
      return;
    }
    this.close();
    this.onStatus("unknown");
  }

  /** Try again immediately. */
  retryNow() {
    if (this.closed || this.timer === null) return;
    clearTimeout(this.timer);
    this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.soon);
    this.socket?.close();
  }
}

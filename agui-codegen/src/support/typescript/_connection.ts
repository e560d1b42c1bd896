import type { Fetch } from "./_support.js";

/** Limits the attempts to make a lost connection again, with their times in milliseconds. */
export type ReconnectOptions = {
  /** The number of attempts since the last event; 0 for none. By default only `giveUpAfter` limits them. */
  readonly attempts?: number;
  /** The pause before the first attempt, which doubles with each further one. The default is 250. */
  readonly firstPause?: number;
  /** The longest pause. The default is 10 000. */
  readonly longestPause?: number;
  /**
   * The longest time without a connection, at least until one attempt has failed. The default is 300 000, five minutes. Not counted
   * in a browser that knows that it has no network.
   */
  readonly giveUpAfter?: number;
};

/** Settings for a server that stores threads. */
export type ThreadOptions = {
  /** The attempts to make a lost connection again. */
  reconnect?: ReconnectOptions | undefined;
  /**
   * True if the server is known to store threads: a run whose request got no answer is then requested again too. By
   * default this is known from the first event with an id.
   */
  resumable?: boolean | undefined;
};

/** The connection to an agent: none, being made, open, or lost and being made again. */
export type ConnectionStatus = "closed" | "connecting" | "open" | "reconnecting";

/** A request that a server refused, for a reason that another attempt does not change. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The status of the response. */
  readonly status: number;
  /** The code of the reason, such as `thread_busy`. */
  readonly code: string | undefined;
  /** The body of the response, if it is JSON. */
  readonly payload: unknown;

  constructor(status: number, code: string | undefined, message: string, payload?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.payload = payload;
  }
}

/** A run that ended in RUN_ERROR. */
export class RunFailedError extends Error {
  override readonly name = "RunFailedError";
  /** The code of the reason, if the agent gives one. */
  readonly code: string | undefined;

  constructor(code: string | undefined, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A connection that was lost and could not be made again. The run may go on: `connectAgent` finds it later, and the next
 * `runAgent` begins as always.
 */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

/** The state that the connections of one agent share. */
export class AgentLink {
  status: ConnectionStatus = "closed";
  resumable: boolean;
  private readonly attempts: number;
  private readonly firstPause: number;
  private readonly longestPause: number;
  private readonly giveUpAfter: number;
  private readonly listeners = new Set<() => void>();

  constructor({ reconnect, resumable }: ThreadOptions) {
    const { attempts = Infinity, firstPause = 250, longestPause = 10_000, giveUpAfter = 300_000 } = reconnect ?? {};
    this.resumable = resumable === true;
    this.attempts = attempts;
    this.firstPause = firstPause;
    this.longestPause = longestPause;
    this.giveUpAfter = giveUpAfter;
  }

  /** Calls a function after each change of the status. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  set(status: ConnectionStatus): void {
    if (status !== this.status) {
      this.status = status;
      this.listeners.forEach((listener) => {
        listener();
      });
    }
  }

  /**
   * The pause before an attempt, between its half and its whole; `undefined` if there are none left. A browser that knows that it
   * has no network does not give up: no attempt could succeed before the network is back.
   */
  pause(attempt: number, asked: number, lostAt: number): number | undefined {
    const isLate = attempt > 0 && Date.now() - lostAt >= this.giveUpAfter;
    const isOver = (attempt >= this.attempts || isLate) && !isOffline();
    if (!this.gives || asked > LONGEST_ASKED || isOver) {
      return undefined;
    }
    const whole = Math.min(this.firstPause * 2 ** attempt, this.longestPause);
    return Math.max(asked, whole * (0.5 + Math.random() / 2));
  }

  /** True if a connection that lasted so long was no failure. */
  lasted(since: number): boolean {
    return Date.now() - since >= this.longestPause;
  }

  get gives(): boolean {
    return this.attempts > 0;
  }
}

/** The longest pause that a server may ask for, in milliseconds. */
const LONGEST_ASKED = 60_000;

/** The events of a browser, and what it knows of the network, which other platforms do not have. */
type Place = Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">> & {
  readonly document?: Place & { readonly visibilityState?: string };
  readonly navigator?: { readonly onLine?: boolean };
};

/** True in a browser without network. */
function isOffline(): boolean {
  return (globalThis as Place).navigator?.onLine === false;
}

/** Calls a function when the network is back (`true`), and when the page is shown again; nowhere but in browsers. */
export function onReturn(listener: (isOnline: boolean) => void): () => void {
  const place = globalThis as Place;
  const { document } = place;
  const online = () => {
    listener(true);
  };
  const shown = () => {
    if (document?.visibilityState === "visible") {
      listener(false);
    }
  };
  place.addEventListener?.("online", online);
  document?.addEventListener?.("visibilitychange", shown);
  return () => {
    place.removeEventListener?.("online", online);
    document?.removeEventListener?.("visibilitychange", shown);
  };
}

const links = /* @__PURE__ */ new WeakMap<Fetch, AgentLink>();

/** Keeps the link of the agents with this configured function. */
export function keepLink(fetch: Fetch, link: AgentLink): void {
  links.set(fetch, link);
}

/** The link of the agents with this configured function. */
export function linkOf(fetch: Fetch): AgentLink {
  return links.get(fetch) ?? new AgentLink({});
}

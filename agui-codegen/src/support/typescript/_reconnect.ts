import type { HttpAgentConfig } from "@ag-ui/client";
import { isObject } from "./_check.js";
import { AgentLink, ConnectionLostError, keepLink, onReturn, RefusedError, type ThreadOptions } from "./_connection.js";
import { EventRecords } from "./_records.js";
import { DeliveredRun, eventOf, isEnd, type ReceivedRecord } from "./_restate.js";
import type { Fetch } from "./_support.js";

/** A configuration whose streams continue over lost connections, if the server stores threads. */
export function resumed<C extends HttpAgentConfig & ThreadOptions>(config: C): C {
  const send: Fetch = config.fetch ?? ((url, init) => fetch(url, init));
  const link = new AgentLink(config);
  const follow: Fetch = async (url, init) => {
    const request = requestOf(url, init);
    return request === undefined ? send(url, init) : new ResumedStream(send, link, request).response();
  };
  keepLink(follow, link);
  return { ...config, fetch: follow };
}

/** An address below that of an agent. */
export function below(url: string, ...segments: string[]): string {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  return [path.replace(/\/+$/, ""), ...segments.map(encodeURIComponent)].join("/") + rest;
}

type Followed = {
  readonly init: RequestInit;
  /** The address of the agent. */
  readonly url: string;
  /** The start of the ids of its events, if it is a run. */
  readonly ids: string | undefined;
  /** True if the client connects to a thread, and starts no run. */
  readonly connects: boolean;
};

/** The header by which {@link ThreadAgent} marks a request that connects. */
export const CONNECTS = "x-agui-connects";

function requestOf(url: string, init: RequestInit): Followed | undefined {
  const headers = new Headers(init.headers);
  const isStream = headers.get("accept")?.includes("text/event-stream") === true;
  if (init.method !== "POST" || !isStream || typeof init.body !== "string") {
    return undefined;
  }
  const connects = headers.has(CONNECTS);
  headers.delete(CONNECTS);
  return { init: connects ? { ...init, headers } : init, url, ids: connects ? undefined : idsOf(init.body), connects };
}

/** The start of the ids of a run's events, as servers that store threads write them: `<run>.<number>`. */
function idsOf(body: string): string | undefined {
  try {
    const input: unknown = JSON.parse(body);
    const run = isObject(input) ? input["runId"] : undefined;
    if (typeof run !== "string") {
      return undefined;
    }
    const code = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
    return `${encodeURIComponent(run).replace(/[.!*'()]/g, code)}.`;
  } catch {
    return undefined;
  }
}

type ByteReader = ReadableStreamDefaultReader<Uint8Array>;

const decoder = /* @__PURE__ */ new TextDecoder();

/** The longest silence of a connection that a page which is shown again trusts: servers send comments more often. */
const LONGEST_SILENCE = 20_000;

/** A run, or a thread, over successive connections. */
class ResumedStream {
  private connects: boolean;
  private cursor: string | undefined;
  private attempts = 0;
  /** The time since which the present connection is open, and the one since which there is none. */
  private since = 0;
  private lostAt = 0;
  /** The time of the last bytes, or of the last request. */
  private heard = 0;
  /** Ends the present connection, or the request for it, which has no response yet if `asks`. */
  private present = new AbortController();
  private asks = false;
  /** Ends the pause before the next attempt. */
  private wake: (() => void) | undefined;
  private readonly forget: () => void;
  private reader: ByteReader | undefined;
  private records = new EventRecords();
  /** True once a record has shown that the server stores no threads: all bytes pass as they are. */
  private isPlain = false;
  private hasDelivered = false;
  private readonly delivered = new DeliveredRun();
  /** The events of a stream that begins again, up to the first one with an id. */
  private prelude: ReceivedRecord[] | undefined;
  private readonly left = new AbortController();
  private readonly send: Fetch;
  private readonly link: AgentLink;
  private readonly request: Followed;

  constructor(send: Fetch, link: AgentLink, request: Followed) {
    this.send = send;
    this.link = link;
    this.request = request;
    this.connects = request.connects;
    this.lostAt = Date.now();
    this.left.signal.addEventListener("abort", () => {
      this.present.abort(this.left.signal.reason);
    });
    this.forget = onReturn((isOnline) => {
      this.back(isOnline);
    });
    const { signal } = request.init;
    const leave = () => {
      this.left.abort(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true) {
      leave();
    }
  }

  /** The response to the request, whose body does not end with a connection. */
  async response(): Promise<Response> {
    this.link.set("connecting");
    let response: Response;
    try {
      response = await this.first();
    } catch (error) {
      this.close();
      throw error;
    }
    // A server that stores no threads has no such path.
    if (this.connects && [204, 404, 405].includes(response.status)) {
      this.close();
      return new Response("", { headers: { "content-type": "text/event-stream" } });
    }
    if (!response.ok || response.body === null || !isEventStream(response)) {
      this.close();
      return response;
    }
    this.open(response.body);
    const { status, statusText, headers } = response;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => this.pull(controller),
      cancel: async (reason) => {
        this.left.abort(reason);
        this.close();
        await this.reader?.cancel(reason);
      },
    });
    return new Response(body, { status, statusText, headers });
  }

  private close(): void {
    this.forget();
    this.link.set("closed");
  }

  /** The network is back, or the page is shown again: what waits goes on at once, and what may be dead is made anew. */
  private back(isOnline: boolean): void {
    if (!isOnline && this.wake === undefined && Date.now() - this.heard < LONGEST_SILENCE) {
      return;
    }
    [this.attempts, this.lostAt] = [0, Date.now()];
    this.wake?.();
    if (this.asks && this.link.resumable) {
      this.present.abort();
    } else if (this.canResume()) {
      this.reader?.cancel().catch(() => undefined);
    }
  }

  private async first(): Promise<Response> {
    for (;;) {
      try {
        const response = await this.ask(this.request.init);
        if (!this.link.resumable || !mayPass(response.status) || !(await this.wait(pauseOf(response)))) {
          return response;
        }
      } catch (error) {
        if (!this.link.resumable || this.isLeft() || !(await this.wait(0))) {
          throw error;
        }
      }
    }
  }

  private open(body: ReadableStream<Uint8Array>): void {
    this.reader = body.getReader();
    this.records = new EventRecords();
    this.since = this.heard = Date.now();
    this.link.set("open");
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      while (!(await this.step(controller))) {
        // Nothing was delivered yet.
      }
    } catch (error) {
      this.close();
      controller.error(error);
    }
  }

  /** Takes the next bytes; true if something was delivered, or the end. */
  private async step(controller: ReadableStreamDefaultController<Uint8Array>): Promise<boolean> {
    let lost: { readonly error?: unknown } = {};
    try {
      const read = await this.reader?.read();
      if (read !== undefined && !read.done) {
        this.heard = Date.now();
        return this.take(read.value, controller);
      }
    } catch (error) {
      lost = { error };
    }
    if (this.isLeft() || !this.canResume()) {
      if ("error" in lost && !this.delivered.isOver) {
        throw lost.error;
      }
      const rest = this.records.rest();
      // An incomplete record of a stream with ids is not an event.
      if (rest.length > 0 && this.cursor === undefined) {
        controller.enqueue(rest);
      }
      this.close();
      controller.close();
      return true;
    }
    await this.again(lost.error ?? new Error("the stream stopped before the run ended"));
    return false;
  }

  /** True if another connection can continue the stream: the client can name the last event, or has none. */
  private canResume(): boolean {
    const known = this.connects || this.cursor !== undefined || (this.link.resumable && !this.hasDelivered);
    return known && !this.isPlain && !this.delivered.isOver && this.link.gives;
  }

  private passes(): boolean {
    return this.isPlain;
  }

  private take(bytes: Uint8Array, controller: ReadableStreamDefaultController<Uint8Array>): boolean {
    if (this.passes()) {
      controller.enqueue(bytes);
      return true;
    }
    const out: Uint8Array[] = [];
    for (const record of this.records.push(bytes)) {
      out.push(...this.taken(record));
      if (this.passes()) {
        out.push(this.records.rest());
        break;
      }
    }
    out.forEach((record) => {
      controller.enqueue(record);
    });
    this.hasDelivered ||= out.length > 0;
    return out.length > 0;
  }

  /** The records to deliver after one was received. */
  private taken(bytes: Uint8Array): Uint8Array[] {
    const record = decoder.decode(bytes);
    if (!/^data:/m.test(record)) {
      return [];
    }
    const id = this.accepted(/^id: ?(.*?)\r?$/m.exec(record)?.[1]);
    if (id !== undefined) {
      this.attempts = 0;
      this.link.resumable = true;
    } else if (this.cursor === undefined && !this.connects) {
      this.isPlain = true;
      return [bytes];
    }
    this.cursor = id ?? this.cursor;
    const entry = { bytes, event: eventOf(record) };
    if (this.prelude === undefined) {
      this.delivered.note(entry.event);
      return [bytes];
    }
    this.prelude.push(entry);
    if (id === undefined && !isEnd(entry.event)) {
      return [];
    }
    const joined = this.delivered.join(this.prelude);
    this.prelude = undefined;
    return joined;
  }

  /** An id, if it is the cursor of an event: other servers number their events too, and would start a second run. */
  private accepted(id: string | undefined): string | undefined {
    if (id === undefined || this.connects || this.link.resumable) {
      return id;
    }
    const { ids } = this.request;
    return ids !== undefined && id.startsWith(ids) && /^\d+$/.test(id.slice(ids.length)) ? id : undefined;
  }

  /** Makes another connection after one was lost. */
  private async again(lost: unknown): Promise<void> {
    this.link.set("reconnecting");
    this.reader?.cancel().catch(() => undefined);
    if (this.attempts === 0 || this.link.lasted(this.since)) {
      [this.attempts, this.lostAt] = [0, Date.now()];
    }
    let last: unknown = lost;
    let asked = 0;
    for (;;) {
      if (!(await this.wait(asked))) {
        throw new ConnectionLostError(`the connection was lost, and ${this.attempts} attempts to make it again failed`, {
          cause: last,
        });
      }
      if (this.cursor === undefined && this.hasDelivered) {
        this.restate();
      }
      try {
        let response = await this.next();
        if (response.status === 410 && this.cursor !== undefined) {
          this.restate();
          response = await this.next();
        }
        if (response.ok && response.body !== null && isEventStream(response)) {
          this.open(response.body);
          if (this.isLeft()) {
            await this.reader?.cancel();
          }
          return;
        }
        last = await refusal(response);
        if (!mayPass(response.status)) {
          throw last;
        }
        asked = pauseOf(response);
      } catch (error) {
        if (this.isLeft() || error instanceof RefusedError) {
          throw error;
        }
        [last, asked] = [error, 0];
      }
    }
  }

  private next(): Promise<Response> {
    const { init } = this.request;
    const headers = new Headers(init.headers);
    if (this.cursor !== undefined) {
      headers.set("Last-Event-ID", this.cursor);
    }
    // Plain members, as some functions that replace `fetch` expect.
    return this.ask({ ...init, headers: Object.fromEntries(headers) });
  }

  /** Sends a request, with a signal of its own: the client may give it up without leaving the run. */
  private async ask(init: RequestInit): Promise<Response> {
    const { url } = this.request;
    this.left.signal.throwIfAborted();
    [this.present, this.asks, this.heard] = [new AbortController(), true, Date.now()];
    const { signal } = this.present;
    try {
      return await this.send(this.connects ? below(url, "connect") : url, { ...init, signal });
    } finally {
      this.asks = false;
    }
  }

  /** Asks for the conversation as it is now: the missed events are not kept any more, or cannot be named. */
  private restate(): void {
    this.connects = true;
    this.cursor = undefined;
    this.prelude = [];
  }

  /** Waits before the next attempt; false if there is none left. An abort ends it at once. */
  private async wait(asked: number): Promise<boolean> {
    const pause = this.link.pause(this.attempts, asked, this.lostAt);
    if (pause === undefined) {
      return false;
    }
    this.link.set("reconnecting");
    this.attempts += 1;
    const { signal } = this.left;
    signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", go);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(go, pause);
      signal.addEventListener("abort", go);
      // A server that asks for a pause gets it.
      this.wake = asked > 0 ? () => undefined : go;
    });
    signal.throwIfAborted();
    return true;
  }

  private isLeft(): boolean {
    return this.left.signal.aborted;
  }
}

function isEventStream(response: Response): boolean {
  return response.headers.get("content-type") !== "application/vnd.ag-ui.event+proto";
}

/** True if the same request may succeed later. */
function mayPass(status: number): boolean {
  return [408, 425, 429, 502, 503, 504].includes(status);
}

/** The pause that a response asks for, in milliseconds. */
function pauseOf(response: Response): number {
  const value = response.headers.get("retry-after") ?? "";
  const pause = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(pause) ? 0 : Math.max(pause, 0);
}

async function refusal(response: Response): Promise<RefusedError> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  try {
    const body: unknown = JSON.parse(text);
    const error = isObject(body) ? body["error"] : undefined;
    if (isObject(error) && typeof error["code"] === "string") {
      return new RefusedError(status, error["code"], `${error["code"]}: ${String(error["message"])}`, body);
    }
  } catch {
    // A proxy answers in its own way.
  }
  return new RefusedError(status, undefined, `the server answered with status ${status}: ${text.slice(0, 200)}`);
}

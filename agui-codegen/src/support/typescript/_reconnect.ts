import type { HttpAgentConfig } from "@ag-ui/client";
import { isObject } from "./_check.js";
import type { Fetch } from "./_support.js";

/** How often a lost connection is made again, and after which pauses in milliseconds. */
export type ReconnectOptions = {
  /** The number of attempts since the last event; 0 for none. The default is 10. */
  readonly attempts?: number;
  /** The pause before the first attempt, which doubles with each further one. The default is 250. */
  readonly firstPause?: number;
  /** The longest pause. The default is 10 000. */
  readonly longestPause?: number;
};

/** Settings for a server that keeps threads. */
export type ThreadOptions = {
  /** How often a lost connection is made again. */
  reconnect?: ReconnectOptions | undefined;
  /**
   * True if the server is known to keep threads: a run whose request got no answer is then requested again too. By
   * default this is known from the first event with an id.
   */
  resumable?: boolean | undefined;
};

/** The connection to an agent: none, being made, open, or lost and about to be made again. */
export type ConnectionStatus = "closed" | "connecting" | "open" | "reconnecting";

/** A request that a server refused, for a reason that another attempt does not change. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The status of the response. */
  readonly status: number;
  /** The code of the reason, such as `thread_busy`. */
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A connection that was lost and could not be made again. The run may go on: `connectAgent` finds it later. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

/** What the connections of one agent have in common. */
export class AgentLink {
  status: ConnectionStatus = "closed";
  resumable: boolean;
  private readonly attempts: number;
  private readonly firstPause: number;
  private readonly longestPause: number;
  private readonly listeners = new Set<() => void>();

  constructor({ reconnect, resumable }: ThreadOptions) {
    const { attempts = 10, firstPause = 250, longestPause = 10_000 } = reconnect ?? {};
    this.resumable = resumable === true;
    this.attempts = attempts;
    this.firstPause = firstPause;
    this.longestPause = longestPause;
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

  /** The pause before an attempt, between its half and its whole; `undefined` if there are none left. */
  pause(attempt: number, asked: number): number | undefined {
    if (attempt >= this.attempts || asked > LONGEST_ASKED) {
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

const links = /* @__PURE__ */ new WeakMap<Fetch, AgentLink>();

/** The link of the agents with this configured function. */
export function linkOf(fetch: Fetch): AgentLink {
  return links.get(fetch) ?? new AgentLink({});
}

/** A configuration whose streams continue over lost connections, if the server keeps threads. */
export function resumed<C extends HttpAgentConfig & ThreadOptions>(config: C): C {
  const send: Fetch = config.fetch ?? ((url, init) => fetch(url, init));
  const link = new AgentLink(config);
  const follow: Fetch = async (url, init) => {
    const request = requestOf(url, init);
    return request === undefined ? send(url, init) : new ResumedStream(send, link, request).response();
  };
  links.set(follow, link);
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

/** The start of the ids of a run's events, as servers that keep threads write them: `<run>.<number>`. */
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

/** A run, or a thread, over successive connections. */
class ResumedStream {
  private connects: boolean;
  private cursor: string | undefined;
  private attempts = 0;
  private since = 0;
  private reader: ByteReader | undefined;
  private records = new EventRecords();
  /** True once a record has shown that the server keeps no threads: all bytes pass as they are. */
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
      this.link.set("closed");
      throw error;
    }
    if (this.connects && response.status === 204) {
      this.link.set("closed");
      return new Response("", { headers: { "content-type": "text/event-stream" } });
    }
    if (!response.ok || response.body === null || !isEventStream(response)) {
      this.link.set("closed");
      return response;
    }
    this.open(response.body);
    const { status, statusText, headers } = response;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => this.pull(controller),
      cancel: async (reason) => {
        this.left.abort(reason);
        this.link.set("closed");
        await this.reader?.cancel(reason);
      },
    });
    return new Response(body, { status, statusText, headers });
  }

  private async first(): Promise<Response> {
    const ask = () => this.send(this.connects ? below(this.request.url, "connect") : this.request.url, this.request.init);
    for (;;) {
      try {
        const response = await ask();
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
    this.since = Date.now();
    this.link.set("open");
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      while (!(await this.step(controller))) {
        // Nothing was delivered yet.
      }
    } catch (error) {
      this.link.set("closed");
      controller.error(error);
    }
  }

  /** Takes the next bytes; true if something was delivered, or the end. */
  private async step(controller: ReadableStreamDefaultController<Uint8Array>): Promise<boolean> {
    let lost: { readonly error?: unknown } = {};
    try {
      const read = await this.reader?.read();
      if (read !== undefined && !read.done) {
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
      this.link.set("closed");
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

  /** An id, if it is the place of an event: other servers number their events too, and would start a second run. */
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
    if (this.link.lasted(this.since)) {
      this.attempts = 0;
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
    const { init, url } = this.request;
    const headers = new Headers(init.headers);
    if (this.cursor !== undefined) {
      headers.set("Last-Event-ID", this.cursor);
    }
    // Plain members, as some functions that replace `fetch` expect.
    return this.send(this.connects ? below(url, "connect") : url, { ...init, headers: Object.fromEntries(headers) });
  }

  /** Asks for the conversation as it is now: the missed events are not kept any more, or cannot be named. */
  private restate(): void {
    this.connects = true;
    this.cursor = undefined;
    this.prelude = [];
  }

  /** Waits before the next attempt; false if there is none left. An abort ends it at once. */
  private async wait(asked: number): Promise<boolean> {
    const pause = this.link.pause(this.attempts, asked);
    if (pause === undefined) {
      return false;
    }
    this.attempts += 1;
    const { signal } = this.left;
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, pause);
      if (signal.aborted) {
        abort();
      }
      signal.addEventListener("abort", abort, { once: true });
    });
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
      return new RefusedError(status, error["code"], `${error["code"]}: ${String(error["message"])}`);
    }
  } catch {
    // A proxy answers in its own way.
  }
  return new RefusedError(status, undefined, `the server answered with status ${status}: ${text.slice(0, 200)}`);
}

// --- Records -------------------------------------------------------------------------

const decoder = /* @__PURE__ */ new TextDecoder();
const encoder = /* @__PURE__ */ new TextEncoder();

const LF = 10;
const CR = 13;

/** The records of a stream of server-sent events, each with the empty line that ends it. */
class EventRecords {
  private held = new Uint8Array();
  /** The bytes in which no record ends. */
  private seen = 0;

  *push(bytes: Uint8Array): Generator<Uint8Array> {
    const all = new Uint8Array(this.held.length + bytes.length);
    all.set(this.held);
    all.set(bytes, this.held.length);
    this.held = all;
    for (let end = this.end(); end !== undefined; end = this.end()) {
      const record = this.held.subarray(0, end);
      this.held = this.held.subarray(end);
      this.seen = 0;
      yield record;
    }
  }

  /** What is left of the bytes. */
  rest(): Uint8Array {
    const rest = this.held;
    this.held = new Uint8Array();
    return rest;
  }

  /** The place after the first empty line. Lines end at LF, CR LF or CR. */
  private end(): number | undefined {
    const { held } = this;
    for (let at = this.seen; at < held.length; at += 1) {
      const next = lineEnd(held, at);
      const second = next === undefined ? undefined : lineEnd(held, next);
      if (second !== undefined) {
        return second;
      }
    }
    // A line end may be incomplete: CR LF CR LF has four bytes.
    this.seen = Math.max(0, held.length - 4);
    return undefined;
  }
}

/** The place after a line end; `undefined` if there is none, or if its second half may follow. */
function lineEnd(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] === LF) {
    return at + 1;
  }
  if (bytes[at] !== CR || at + 1 === bytes.length) {
    return undefined;
  }
  return bytes[at + 1] === LF ? at + 2 : at + 1;
}

// --- Joining -------------------------------------------------------------------------

type ReceivedRecord = { readonly bytes: Uint8Array; readonly event: { readonly [key: string]: unknown } };

/** The kinds of spans: the event that opens one, those that close it, and the member with its id. */
const SPANS: readonly (readonly [string, readonly string[], string])[] = [
  ["TEXT_MESSAGE_START", ["TEXT_MESSAGE_END"], "messageId"],
  ["TOOL_CALL_START", ["TOOL_CALL_END"], "toolCallId"],
  ["REASONING_START", ["REASONING_END"], "messageId"],
  ["REASONING_MESSAGE_START", ["REASONING_MESSAGE_END"], "messageId"],
  ["STEP_STARTED", ["STEP_FINISHED"], "stepName"],
  ["SUBAGENT_STARTED", ["SUBAGENT_FINISHED", "SUBAGENT_ERROR"], "subagentRunId"],
];

function eventOf(record: string): ReceivedRecord["event"] {
  // Events in the middle of a span are not looked at, so they are not parsed.
  if (!/_(START|END|STARTED|FINISHED|ERROR)"/.test(record)) {
    return {};
  }
  try {
    const lines = record.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
    const event: unknown = JSON.parse(lines.map((line) => line.slice(5)).join("\n"));
    return isObject(event) ? event : {};
  } catch {
    return {};
  }
}

function isEnd(event: ReceivedRecord["event"]): boolean {
  return event["type"] === "RUN_FINISHED" || event["type"] === "RUN_ERROR";
}

/** The name of the span that an event opens (0) or closes (1). */
function spanOf(event: ReceivedRecord["event"], side: 0 | 1): string | undefined {
  const found = SPANS.find((span) => [span[side]].flat().includes(String(event["type"])));
  if (found === undefined) {
    return undefined;
  }
  const [opening, , member] = found;
  // The steps of two subagents may have one name.
  const owner = member === "subagentRunId" ? undefined : event["subagentRunId"];
  return JSON.stringify([opening, event[member], owner]);
}

/** The run as far as it was delivered. */
class DeliveredRun {
  isOver = false;
  private run: unknown;
  /** The open spans, the first opened first. */
  private open: string[] = [];

  note(event: ReceivedRecord["event"]): void {
    const [opened, closed] = [spanOf(event, 0), spanOf(event, 1)];
    if (opened !== undefined) {
      this.open.push(opened);
    } else if (closed !== undefined) {
      this.open = this.open.filter((span) => span !== closed);
    } else if (event["type"] === "RUN_STARTED") {
      this.run = event["runId"];
    }
    this.isOver ||= isEnd(event);
  }

  /**
   * Joins a stream that begins again, with the conversation as it is now and an opening event for each open span. The
   * result leads from what was delivered to that: no second beginning, the ends of the spans that are not open any
   * more, the beginnings of those that are new.
   */
  join(prelude: readonly ReceivedRecord[]): Uint8Array[] {
    const [records, last]: [Uint8Array[], Uint8Array[]] = [[], []];
    const opened = new Map<string, Uint8Array>();
    for (const { bytes, event } of prelude) {
      const span = spanOf(event, 0);
      if (span !== undefined) {
        opened.set(span, bytes);
      } else if (event["type"] === "RUN_STARTED") {
        if (this.run !== undefined && this.run !== event["runId"]) {
          throw new RefusedError(410, "run_superseded", "the rest of the run is not kept any more, and another one has begun");
        }
        if (this.run === undefined) {
          records.push(bytes);
        }
        this.run = event["runId"];
      } else {
        (isEnd(event) ? last : records).push(bytes);
      }
    }
    const ended = this.open.filter((span) => !opened.has(span)).reverse();
    const begun = [...opened].filter(([span]) => !this.open.includes(span));
    this.open = [...opened.keys()];
    this.isOver = last.length > 0;
    return [...records, ...ended.map(endOf), ...begun.map(([, bytes]) => bytes), ...last];
  }
}

/** The record that closes a span. */
function endOf(span: string): Uint8Array {
  const [opening, id, subagentRunId] = JSON.parse(span) as [string, unknown, unknown];
  const [, closing = [], member = ""] = SPANS.find((known) => known[0] === opening) ?? [];
  const owner = subagentRunId === null || subagentRunId === undefined ? {} : { subagentRunId };
  return encoder.encode(`data: ${JSON.stringify({ type: closing[0], [member]: id, ...owner })}\n\n`);
}

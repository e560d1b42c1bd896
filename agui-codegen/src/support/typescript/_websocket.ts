import { isObject } from "./_check.js";
import type { Fetch } from "./_support.js";

/** Settings of {@link webSocketFetch}. */
export type WebSocketOptions = {
  /** The class of sockets; the platform's by default. */
  readonly WebSocket?: new (url: string, protocol: string) => WebSocket;
  /** Sends the requests that start no run; the platform's `fetch` by default. */
  readonly fetch?: Fetch;
};

/** The name of the frames, which the server accepts in the handshake. */
const SUBPROTOCOL = "agui-runtime.v1";

/** The path of a socket, below that of its server. */
const PATH = "/agui/ws";

/** The events that the server may send ahead of the reader of a run. */
const WINDOW = 64;

/** The headers that describe the body of a request, which frames do not have. */
const OF_BODIES = ["accept", "content-type"];

/**
 * Sends runs over one WebSocket of a server of agui-runtime, whose address ends with `/agui/ws`, instead of a request for
 * each. Give the result to the agents of that server: `new ChefAgent({ url, fetch: webSocketFetch("wss://…/agui/ws") })`.
 * The socket is made with the first run, and again after it was lost. A run that is read slowly stops no other run.
 */
export function webSocketFetch(url: string, options: WebSocketOptions = {}): Fetch {
  const send: Fetch = options.fetch ?? ((target, init) => fetch(target, init));
  const Socket = options.WebSocket ?? WebSocket;
  const server = new URL(url, base());
  if (!server.pathname.endsWith(PATH)) {
    throw new TypeError(`expected an address of a WebSocket that ends with ${PATH}, found ${url}`);
  }
  server.pathname = server.pathname.slice(0, -PATH.length);
  let link: SocketLink | undefined;
  return async (target, init) => {
    const run = runOf(target, init, server);
    if (run === undefined) {
      return send(target, init);
    }
    for (;;) {
      const isOld = link !== undefined && !link.isClosed;
      link = isOld && link !== undefined ? link : new SocketLink(new Socket(url, SUBPROTOCOL));
      const response = await link.open(run);
      if (response !== undefined) {
        return response;
      }
      if (!isOld) {
        throw new TypeError("the server closed the WebSocket at once");
      }
      // It was closed before the server read the frame, so the run has not begun.
    }
  };
}

/** The address of the page, if there is one: relative addresses are allowed there. */
function base(): string | undefined {
  return (globalThis as { readonly location?: { readonly href: string } }).location?.href;
}

type RunRequest = {
  readonly path: string;
  readonly input: unknown;
  readonly headers: Record<string, string>;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal | undefined;
};

/** The path of an address below a server; `undefined` if it is one of another server. */
function pathBelow(target: string, server: URL): string | undefined {
  const { protocol, host, pathname } = new URL(target, base());
  // `http:` and `ws:` have the same default port, as have `https:` and `wss:`, and a page may give either for its socket.
  const isSecure = (scheme: string) => ["https:", "wss:"].includes(scheme);
  const prefix = server.pathname === "/" ? "" : server.pathname;
  if (host !== server.host || isSecure(protocol) !== isSecure(server.protocol) || !pathname.startsWith(prefix)) {
    return undefined;
  }
  const path = pathname.slice(prefix.length) || "/";
  return path.startsWith("/") ? path : undefined;
}

/** The run that a request starts or continues; `undefined` for other requests, and for other servers. */
function runOf(target: string, init: RequestInit, server: URL): RunRequest | undefined {
  const headers = new Headers(init.headers);
  const isStream = headers.get("accept")?.includes("text/event-stream") === true;
  const path = pathBelow(target, server);
  if (init.method !== "POST" || !isStream || typeof init.body !== "string" || path === undefined) {
    return undefined;
  }
  const cursor = headers.get("last-event-id") ?? undefined;
  [...OF_BODIES, "last-event-id"].forEach((name) => {
    headers.delete(name);
  });
  const input: unknown = JSON.parse(init.body);
  return { path, input, headers: Object.fromEntries(headers), cursor, signal: init.signal ?? undefined };
}

/** One run on a socket. */
class SocketRun {
  private readonly queue: Uint8Array[] = [];
  private wake: (() => void) | undefined;
  private end: { readonly error?: Error } | undefined;
  private read = 0;
  readonly answer: (response: Response | undefined) => void;
  readonly fail: (error: Error) => void;
  private readonly give: (more: number) => void;
  private readonly leave: () => void;
  private hasAnswer = false;

  constructor(
    answer: (response: Response | undefined) => void,
    fail: (error: Error) => void,
    give: (more: number) => void,
    leave: () => void,
  ) {
    this.answer = answer;
    this.fail = fail;
    this.give = give;
    this.leave = leave;
  }

  begin(status: number, headers: Headers): void {
    this.hasAnswer = true;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.pull(controller),
        cancel: () => {
          this.leave();
        },
      },
      { highWaterMark: 0 },
    );
    this.answer(new Response(stream, { status, headers }));
  }

  add(record: string): void {
    this.queue.push(utf8.encode(record));
    this.wake?.();
  }

  /** Ends the stream, or the request if there is none yet. */
  finish(error?: Error): void {
    this.end ??= error === undefined ? {} : { error };
    if (!this.hasAnswer && error !== undefined) {
      this.fail(error);
    }
    this.wake?.();
  }

  /** The server has not read the frame of this run. */
  unread(): void {
    if (!this.hasAnswer) {
      this.answer(undefined);
    }
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const record = this.queue.shift();
      if (record !== undefined) {
        controller.enqueue(record);
        this.read += 1;
        if (this.read >= WINDOW / 2) {
          this.give(this.read);
          this.read = 0;
        }
        return;
      }
      if (this.end !== undefined) {
        if (this.end.error === undefined) {
          controller.close();
        } else {
          controller.error(this.end.error);
        }
        return;
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

const utf8 = /* @__PURE__ */ new TextEncoder();

/** One connection, and the runs on it. */
class SocketLink {
  isClosed = false;
  private readonly runs = new Map<string, SocketRun>();
  private next = 0;
  private readonly opened: Promise<void>;
  private readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.opened = new Promise((resolve) => {
      socket.addEventListener("open", () => {
        resolve();
      });
      socket.addEventListener("close", ({ code }) => {
        this.close(code);
        resolve();
      });
    });
    socket.addEventListener("message", ({ data }) => {
      this.take(data);
    });
  }

  /** Sends a run; `undefined` if the server closed the socket before it read the frame. */
  async open({ path, input, headers, cursor, signal }: RunRequest): Promise<Response | undefined> {
    signal?.throwIfAborted();
    const id = `${this.next}`;
    this.next += 1;
    let isSent = false;
    const leave = () => {
      if (this.runs.delete(id) && isSent) {
        this.send({ type: "cancel", id });
      }
    };
    const answered = new Promise<Response | undefined>((resolve, reject) => {
      const give = (more: number) => {
        if (this.runs.has(id)) {
          this.send({ type: "window", id, more });
        }
      };
      const run = new SocketRun(resolve, reject, give, leave);
      this.runs.set(id, run);
      const abort = () => {
        run.finish(signal?.reason as Error);
        leave();
      };
      signal?.addEventListener("abort", abort, { once: true });
    });
    // A run that is lost before its frame was sent has no other reader.
    answered.catch(() => undefined);
    await this.opened;
    if (this.runs.has(id)) {
      isSent = true;
      this.send({ type: "run", id, path, headers, lastEventId: cursor, window: WINDOW, input });
    }
    return answered;
  }

  private send(frame: object): void {
    if (!this.isClosed) {
      this.socket.send(JSON.stringify(frame));
    }
  }

  private take(data: unknown): void {
    const frame: unknown = typeof data === "string" ? JSON.parse(data) : undefined;
    if (!isObject(frame)) {
      return;
    }
    const id = String(frame["id"]);
    const run = this.runs.get(id);
    if (run === undefined) {
      return;
    }
    switch (frame["type"]) {
      case "open":
        run.begin(Number(frame["status"]), headersOf(frame["headers"]));
        break;
      case "event": {
        const place = frame["eventId"];
        const line = typeof place === "string" ? `id: ${place}\n` : "";
        run.add(`${line}data: ${JSON.stringify(frame["event"])}\n\n`);
        break;
      }
      case "end":
        this.runs.delete(id);
        this.end(run, frame);
        break;
    }
  }

  private end(run: SocketRun, frame: Record<string, unknown>): void {
    const { status, body, error } = frame;
    if (typeof status === "number") {
      const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
      run.answer(new Response(status === 204 ? null : text, { status, headers: headersOf(frame["headers"]) }));
    } else if (isObject(error)) {
      run.finish(new TypeError(`${String(error["code"])}: ${String(error["message"])}`));
    } else {
      run.finish();
    }
  }

  private close(code: number): void {
    this.isClosed = true;
    const lost = new TypeError(`the WebSocket was closed with code ${code} before the run ended`);
    for (const run of this.runs.values()) {
      if (code === 1000 || code === 1001) {
        run.unread();
      }
      run.finish(lost);
    }
    this.runs.clear();
  }
}

function headersOf(value: unknown): Headers {
  const headers = new Headers();
  for (const [name, text] of Object.entries(isObject(value) ? value : {})) {
    headers.set(name, String(text));
  }
  return headers;
}

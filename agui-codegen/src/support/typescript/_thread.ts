import { type AgentSubscriber, HttpAgent, type HttpAgentConfig, runHttpRequest, transformHttpEventStream } from "@ag-ui/client";
import { isObject } from "./_check.js";
import { type ConnectionStatus, linkOf, RefusedError, RunFailedError, type ThreadOptions } from "./_connection.js";
import { below, CONNECTS, resumed } from "./_reconnect.js";
import { answerOf, ThreadList, type ThreadRequest } from "./_thread_list.js";

type ConnectInput = Parameters<HttpAgent["run"]>[0];
type ConnectParameters = Parameters<HttpAgent["connectAgent"]>[0];
type ConnectResult = Awaited<ReturnType<HttpAgent["runAgent"]>>;
type RunParameters = Parameters<HttpAgent["runAgent"]>[0];

/** The thread that a connection brought; `failure` if its last run, or the run that was followed, ended in RUN_ERROR. */
export type ThreadResult = ConnectResult & { readonly failure?: RunFailedError };

/** The codes of RUN_ERROR for a run that someone stopped. */
const STOPPED = ["abort", "cancelled"];

/** The member of the metadata of RUN_ERROR that says which interrupts are open. */
const OPEN = "agui-rust/openInterrupts";

/** The times in milliseconds before each look for the run that a message starts. */
const PAUSES = [0, 50, 100, 200, 400, 800, 1600, 3200];

/**
 * An agent whose server may store its threads. If it does, a lost connection is made again and the run continues after
 * the last event that arrived; without such a server all is as with `HttpAgent`.
 */
export class ThreadAgent extends HttpAgent {
  /** The response to the last message that steered. It counts as a reader, and its events are not read. */
  private held: ReadableStream<Uint8Array> | undefined;
  /** Resolves when the run that this client reads has ended. */
  private ending: Promise<void> = Promise.resolve();

  constructor(config: HttpAgentConfig & ThreadOptions) {
    super(resumed(config));
  }

  /** The connection to the agent. */
  get connection(): ConnectionStatus {
    return linkOf(this.fetch).status;
  }

  /** Calls a function after each change of {@link connection}, until the returned function is called. */
  onConnection(listener: () => void): () => void {
    return linkOf(this.fetch).listen(listener);
  }

  /**
   * Runs the agent. Rejects with {@link RunFailedError} if the run ends in RUN_ERROR, unless it was stopped, and with
   * {@link RefusedError} if the server refuses it.
   *
   * If a run fails that was answered, a server that stores threads says which interrupts are open; the
   * official client would ask for answers to the others before each further run.
   */
  override async runAgent(parameters?: RunParameters, subscriber?: AgentSubscriber): Promise<ConnectResult> {
    const { failure, ...result } = await this.heeding(parameters?.resume ?? [], () => super.runAgent(parameters, subscriber));
    if (failure !== undefined) {
      throw failure;
    }
    return result;
  }

  /** Closes interrupts that are not open any more, as the end of a run or the refusal of its answers says. */
  private async heeding(
    resume: readonly { readonly interruptId: string }[],
    run: () => Promise<ConnectResult>,
  ): Promise<ThreadResult> {
    let failure: RunFailedError | undefined;
    let end: () => void = () => undefined;
    this.ending = new Promise((resolve) => {
      end = resolve;
    });
    const subscription = this.subscribe({
      onRunStartedEvent: () => {
        failure = undefined;
      },
      onRunErrorEvent: ({ event }) => {
        failure = STOPPED.includes(event.code ?? "") ? undefined : new RunFailedError(event.code, event.message);
        const { metadata } = event as { readonly metadata?: unknown };
        const open = isObject(metadata) ? metadata[OPEN] : undefined;
        if (Array.isArray(open)) {
          this.pendingInterrupts = open as HttpAgent["pendingInterrupts"];
        }
      },
    });
    try {
      const result = await run();
      return failure === undefined ? result : { ...result, failure };
    } catch (error) {
      const closed = resume[placeOfClosed(error) ?? -1]?.interruptId;
      if (closed !== undefined) {
        this.pendingInterrupts = this.pendingInterrupts.filter(({ id }) => id !== closed);
      }
      throw refusedBy(error);
    } finally {
      subscription.unsubscribe();
      end();
    }
  }

  /**
   * Gets the thread from the server that stores it: the messages, the state and the open interrupts, after a reload or on
   * another machine. If a run goes on, it is followed to its end; the result has its failure if that end is RUN_ERROR. Nothing
   * changes if the thread is empty.
   */
  override async connectAgent(parameters?: ConnectParameters, subscriber?: AgentSubscriber): Promise<ThreadResult> {
    this.abortController = new AbortController();
    // The thread says which interrupts are open; the official client would ask for answers first.
    const open = this.pendingInterrupts;
    this.pendingInterrupts = [];
    try {
      return await this.heeding([], () => super.connectAgent(parameters, subscriber));
    } catch (error) {
      this.pendingInterrupts = open;
      throw error;
    }
  }

  /** Changes to another thread, and gets it from the server that stores it. */
  async openThread(threadId: string): Promise<ThreadResult> {
    this.threadId = threadId;
    this.setMessages([]);
    super.setState({});
    this.pendingInterrupts = [];
    return this.connectAgent();
  }

  /**
   * Says something while a run works: on a server with `BusyThread::Steer` the message joins that run, before the model's next
   * turn, and appears in `messages` there, in all tabs. A message that the run does not take starts the next run, which is
   * followed. Without a run in this client, the message starts one.
   *
   * Resolves when the server has stored the message. Rejects with {@link RefusedError} if the server refuses the message, for
   * example with the code `thread_busy`.
   */
  async steer(text: string, parameters?: RunParameters): Promise<void> {
    const prepared = this.prepareRunAgentInput(parameters);
    const message = { id: `user-${prepared.runId}`, role: "user" as const, content: text };
    if (!this.isRunning) {
      this.addMessage(message);
      await this.runAgent({ ...parameters, runId: prepared.runId });
      return;
    }
    const input = { ...prepared, messages: [message], state: {} };
    const { headers, signal: _, ...init } = this.requestInit(input);
    // The run's own stream brings the message, so nothing is read here, and no lost connection is made again.
    const plain = { ...(headers as Record<string, string>), Accept: "application/json" };
    const { ending } = this;
    const response = await this.fetch(this.url, { ...init, headers: plain });
    if (!response.ok) {
      await answerOf(response);
    }
    // With an open response, a run that the message starts has a reader.
    const earlier = this.held;
    this.held = response.body ?? undefined;
    void earlier?.cancel().catch(() => undefined);
    const { threadId } = this;
    void ending.then(() => this.followed(message.id, threadId)).catch(() => undefined);
  }

  /** Follows the next run, if no run has taken the message. That run may begin some time after the end of the one before. */
  private async followed(message: string, threadId: string): Promise<void> {
    const { held } = this;
    const waits = () => this.threadId === threadId && !this.isRunning && !this.messages.some(({ id }) => id === message);
    try {
      for (const pause of PAUSES) {
        if (pause > 0 && waits()) {
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
        if (waits()) {
          await this.connectAgent();
        }
      }
    } finally {
      void held?.cancel().catch(() => undefined);
      if (this.held === held) {
        this.held = undefined;
      }
    }
  }

  /**
   * Stops the run of the thread, wherever it is; false if none goes on. It ends soon, as cancelled. `abortRun` only
   * leaves a run whose server stores threads.
   */
  async stop(): Promise<boolean> {
    const body = await this.request("POST", ["stop", this.threadId]);
    return isObject(body) && body["stopped"] === true;
  }

  /** The threads that the server stores for this user. */
  get threads(): ThreadList {
    return new ThreadList((...request) => this.request(...request));
  }

  private async request(...[method, path, query = "", body]: Parameters<ThreadRequest>): Promise<unknown> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const headers = { ...this.headers, Accept: "application/json", ...type };
    return answerOf(await this.fetch(withQuery(below(this.url, ...path), query), { method, headers, ...sent }));
  }

  protected override connect(input: ConnectInput): ReturnType<HttpAgent["run"]> {
    const init = this.requestInit(input);
    const headers = { ...(init.headers as Record<string, string>), [CONNECTS]: "1" };
    return transformHttpEventStream(runHttpRequest(() => this.fetch(this.url, { ...init, headers })), this.debugLogger);
  }
}

/** An address with more parameters. */
function withQuery(url: string, query: string): string {
  return query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`;
}

/** The error of a response that refuses a run; any other error as it is. */
function refusedBy(error: unknown): unknown {
  const { status, payload, message } = (error ?? {}) as { readonly status?: unknown; readonly payload?: unknown; readonly message?: unknown };
  if (typeof status !== "number" || error instanceof RefusedError) {
    return error;
  }
  const reason = isObject(payload) && isObject(payload["error"]) ? payload["error"] : {};
  const code = typeof reason["code"] === "string" ? reason["code"] : undefined;
  const text = typeof reason["message"] === "string" ? reason["message"] : String(message);
  return new RefusedError(status, code, code === undefined ? text : `${code}: ${text}`, payload);
}

/** The place of the answer that a server refused, because its interrupt is not open. */
function placeOfClosed(error: unknown): number | undefined {
  const payload = (error as { readonly payload?: unknown } | undefined)?.payload;
  const reason = isObject(payload) ? payload["error"] : undefined;
  if (!isObject(reason) || reason["code"] !== "interrupt_not_open") {
    return undefined;
  }
  const place = /^resume\[(\d+)\]/.exec(String(reason["path"]))?.[1];
  return place === undefined ? undefined : Number(place);
}

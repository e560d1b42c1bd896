import type { HttpAgent, HttpAgentConfig, Message, Tool } from "@ag-ui/client";
import { isObject, type Issue, list } from "./_check.js";
import type { Checked, Schema } from "./_schema.js";

// --- The agent -----------------------------------------------------------------------

/** A tool as the agent declares it. */
export type ToolContract = {
  readonly name: string;
  readonly side: "backend" | "frontend";
  readonly description: string;
  readonly parameters: Schema<unknown>;
  readonly result?: Schema<unknown>;
  /** The name for people. */
  readonly title?: string;
  /** Hints about its behaviour, as the Model Context Protocol names them. */
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
};

/** Client and agent were built from different manifests: the hash of each. */
export type Drift = { readonly client: string; readonly agent: string };

/** Called about a difference; without it, one warning goes to the console. */
export type DriftListener = { onDrift?: ((drift: Drift) => void) | undefined };

/** The declarations of an agent. */
export type Contract = {
  readonly state?: { readonly written: Schema<unknown>; readonly read: Schema<unknown> };
  readonly tools: { readonly [name: string]: ToolContract };
  readonly events: {
    readonly [name: string]: { readonly name: string; readonly value: Schema<unknown> };
  };
  readonly activities?: {
    readonly [type: string]: { readonly type: string; readonly content: Schema<unknown> };
  };
  readonly result?: Schema<unknown>;
};

/** The identity of a tool call. */
export type ToolCallInfo = { readonly id: string; readonly name: string };

/** A value that does not have the declared type: most often, one side is older. */
export type Problem = {
  readonly what: "state" | "event" | "arguments" | "result" | "activity" | "item" | "progress";
  /** The name of the event or the tool, or the type of the activity; empty for the state and the result of a run. */
  readonly name: string;
  readonly issues: readonly Issue[];
  readonly value: unknown;
};

/** How far a tool that takes a while has come, in a unit of its own. */
export type ToolProgress = { readonly progress: number; readonly total?: number; readonly message?: string };

/** The items of the tools whose result is a list: such a tool may send them one by one before the result. */
export type ItemsOf<ToolResults> = {
  [K in keyof ToolResults as ToolResults[K] extends readonly unknown[] ? K : never]: ToolResults[K] extends readonly (infer Item)[]
    ? Item
    : never;
};

/** The failure of a run. */
export type RunFailure = { message: string; code?: string | undefined };

/** Functions to be called with typed values while an agent runs. */
export type Listeners<
  State,
  Events,
  ToolArgs,
  ToolResults,
  Activities = Record<never, never>,
  Result = never,
> = {
  /** The state changed. */
  state?: ((state: State) => void) | undefined;
  /** A custom event arrived. */
  events?: { [K in keyof Events]?: ((value: Events[K]) => void) | undefined } | undefined;
  /** An activity was shown, or changed. */
  activities?:
    | { [K in keyof Activities]?: ((content: Activities[K], activity: { readonly id: string }) => void) | undefined }
    | undefined;
  /** A run finished with its result; not called if there is none because the agent waits for answers. */
  finished?: ((result: Result) => void) | undefined;
  /** The arguments of a call are complete. */
  toolCalls?:
    | { [K in keyof ToolArgs]?: ((args: ToolArgs[K], call: ToolCallInfo) => void) | undefined }
    | undefined;
  /** A tool that gives its result item by item sent an item. */
  toolItems?:
    | { [K in keyof ItemsOf<ToolResults>]?: ((item: ItemsOf<ToolResults>[K], call: ToolCallInfo) => void) | undefined }
    | undefined;
  /** A tool that is still running reported its progress. */
  toolProgress?: ((progress: ToolProgress, call: ToolCallInfo) => void) | undefined;
  /** A tool that runs in the agent answered. */
  toolResults?:
    | { [K in keyof ToolResults]?: ((result: ToolResults[K], call: ToolCallInfo) => void) | undefined }
    | undefined;
  /** A tool that runs in the agent failed: its result is exactly `{"error": "…"}`. */
  toolFailure?: ((error: string, call: ToolCallInfo) => void) | undefined;
  /** A run failed; if no listeners of the agent have this function, `console.error` is called. */
  failed?: ((failure: RunFailure) => void) | undefined;
  /** A value does not have the declared type; without this function, `console.error` is called. */
  problem?: ((problem: Problem) => void) | undefined;
};

/** The listeners of each agent, by which a failed run without a listener is found. */
const listening = /* @__PURE__ */ new WeakMap<HttpAgent, Set<{ readonly failed?: unknown }>>();

/** The names of the custom events that report on a call. */
const ITEM = "agui-rust.tool_item";
const PROGRESS = "agui-rust.tool_progress";

type AnyListener = ((value: unknown, about?: object) => void) | undefined;

/** Subscribes typed listeners; the returned function unsubscribes them. */
export function listen<State, Events, ToolArgs, ToolResults, Activities, Result>(
  agent: HttpAgent,
  contract: Contract,
  listeners: Listeners<State, Events, ToolArgs, ToolResults, Activities, Result>,
): () => void {
  const tools = new Map(Object.entries(contract.tools));
  const events = new Map(Object.entries(contract.events));
  const activities = new Map(Object.entries(contract.activities ?? {}));
  const of = (group: object | undefined): Map<string, AnyListener> =>
    new Map(Object.entries(group ?? {}) as [string, AnyListener][]);
  const eventListeners = of(listeners.events);
  const activityListeners = of(listeners.activities);
  const finished = listeners.finished as AnyListener;
  const callListeners = of(listeners.toolCalls);
  const resultListeners = of(listeners.toolResults);
  const itemListeners = of(listeners.toolItems);

  const deliver = (
    what: Problem["what"],
    name: string,
    checked: Checked<unknown>,
    value: unknown,
    use: (value: unknown) => void,
  ) => {
    if (checked.issues === undefined) {
      use(checked.value);
    } else {
      report(listeners.problem, { what, name, issues: checked.issues, value });
    }
  };

  const reported = (name: string, value: unknown, messages: readonly Readonly<Message>[]) => {
    const call = isObject(value) ? findCall(messages, String(value["toolCallId"])) : undefined;
    const declared = call && tools.get(call.name);
    if (!isObject(value) || call === undefined || declared === undefined) {
      return;
    }
    const info = { id: call.id, name: call.name };
    const listener = name === ITEM ? itemListeners.get(call.name) : (listeners.toolProgress as AnyListener);
    if (listener !== undefined) {
      const what = name === ITEM ? "item" : "progress";
      const checked = name === ITEM ? itemOf(declared.result, value["item"]) : progressOf(value);
      deliver(what, call.name, checked, value, (given) => {
        listener(given, info);
      });
    }
  };

  /** The activities whose change is not yet in the messages. */
  const changing = new Set<string>();

  const all = listening.get(agent) ?? new Set();
  listening.set(agent, all.add(listeners));

  const subscription = agent.subscribe({
    onRunErrorEvent: ({ event: { message, code } }) => {
      if (listeners.failed !== undefined) {
        listeners.failed({ message, code });
      } else if (code !== "abort" && isFirstOf(all, listeners)) {
        console.error(`agui: the run failed: ${message}${code === undefined ? "" : ` (${code})`}`);
      }
    },
    onStateChanged: ({ state }) => {
      const listener = listeners.state as AnyListener;
      if (listener === undefined) {
        return;
      }
      const checked = contract.state?.written.check(state) ?? { value: state as unknown };
      // An incomplete value that this side set is not a mistake of the agent.
      if (checked.issues === undefined || contract.state?.read.check(state).issues !== undefined) {
        deliver("state", "", checked, state, listener);
      }
    },
    onCustomEvent: ({ event, messages }) => {
      if (event.name === ITEM || event.name === PROGRESS) {
        reported(event.name, event.value, messages);
      }
      const declared = events.get(event.name);
      const listener = eventListeners.get(event.name);
      if (declared !== undefined && listener !== undefined) {
        deliver("event", event.name, declared.value.check(event.value), event.value, listener);
      }
    },
    onActivitySnapshotEvent: ({ event }) => {
      changing.add(event.messageId);
    },
    onActivityDeltaEvent: ({ event }) => {
      changing.add(event.messageId);
    },
    onMessagesChanged: ({ messages }) => {
      for (const message of messages) {
        if (message.role !== "activity" || !changing.delete(message.id)) {
          continue;
        }
        const { activityType, content, id } = message;
        const declared = activities.get(activityType);
        const listener = activityListeners.get(activityType);
        if (declared !== undefined && listener !== undefined) {
          deliver("activity", activityType, declared.content.check(content), content, (value) => {
            listener(value, { id });
          });
        }
      }
    },
    onRunFinishedEvent: (params) => {
      if (finished === undefined || contract.result === undefined || params.outcome !== "success") {
        return;
      }
      if (params.result !== undefined || openCalls(params.messages).length === 0) {
        // A result that is `null` is left out.
        const result = params.result ?? null;
        deliver("result", "", contract.result.check(result), result, finished);
      }
    },
    onToolCallEndEvent: ({ event, messages }) => {
      const found = findCall(messages, event.toolCallId);
      const declared = found && tools.get(found.name);
      const listener = found && callListeners.get(found.name);
      if (found !== undefined && declared !== undefined && listener !== undefined) {
        const read = readArguments(declared, found.arguments);
        deliver("arguments", found.name, read, found.arguments, (args) => {
          listener(args, { id: found.id, name: found.name });
        });
      }
    },
    onToolCallResultEvent: ({ event, messages }) => {
      const found = findCall(messages, event.toolCallId);
      const declared = found && tools.get(found.name);
      if (found === undefined || declared === undefined) {
        return;
      }
      const info = { id: found.id, name: found.name };
      const content = contentText(event.content);
      const failure = failureOf(content);
      const listener = resultListeners.get(found.name);
      if (failure !== undefined) {
        listeners.toolFailure?.(failure, info);
      } else if (listener !== undefined) {
        const read = readContent(declared.result, content);
        deliver("result", found.name, read, content, (result) => {
          listener(result, info);
        });
      }
    },
  });
  return () => {
    all.delete(listeners);
    subscription.unsubscribe();
  };
}

/** An item of a result, as the only one of its list. */
function itemOf(result: Schema<unknown> | undefined, item: unknown): Checked<unknown> {
  const checked = result?.check([item]) ?? { issues: [{ message: "the tool has no result", path: [] }] };
  return checked.issues === undefined ? { value: list(checked.value)[0] } : checked;
}

function progressOf(value: Record<string, unknown>): Checked<unknown> {
  const { toolCallId: _id, ...progress } = value;
  const isMaybe = (member: unknown, type: string) => member === undefined || typeof member === type;
  const { progress: done, total, message } = progress;
  const fits = typeof done === "number" && isMaybe(total, "number") && isMaybe(message, "string");
  return fits ? { value: progress } : { issues: [{ message: "expected progress", path: [] }] };
}

/** True for the first listeners of an agent, if no listener handles failed runs: they report for all. */
function isFirstOf(all: Set<{ readonly failed?: unknown }>, listeners: object): boolean {
  const [first, ...others] = all;
  return first === listeners && [first, ...others].every((each) => each.failed === undefined);
}

function report(listener: ((problem: Problem) => void) | undefined, problem: Problem): void {
  if (listener !== undefined) {
    listener(problem);
    return;
  }
  const places = problem.issues.map((i) => `${i.path.join(".") || "value"}: ${i.message}`);
  console.error(`agui: ${problem.what} ${problem.name} is not as declared: ${places.join("; ")}`);
}

const lastState = /* @__PURE__ */ new WeakMap<object, { state: unknown; fits: boolean }>();

/** The agent's state, if it fits the schema. */
export function readState<T>(agent: { readonly state: unknown }, schema: Schema<T>): T | undefined {
  const state: unknown = agent.state;
  const last = lastState.get(agent);
  const fits =
    last !== undefined && last.state === state ? last.fits : schema.check(state).issues === undefined;
  lastState.set(agent, { state, fits });
  return fits ? (state as T) : undefined;
}

/** A value, if it fits the schema. */
export function fitting<T>(schema: Schema<T>, value: unknown): T | undefined {
  const checked = schema.check(value);
  return checked.issues === undefined ? checked.value : undefined;
}

/** A run whose result has a type. */
export type TypedRun<Result> = Omit<RunResult, "result"> & {
  /** The result; `undefined` if the run did not finish with one that fits its type, and for `null`, which is left out. */
  result: Result | undefined;
};

/** The parameters of a run whose forwarded props have a type. */
export type TypedParameters<Props> = Omit<AgentRunParameters, "forwardedProps"> & {
  /** The data that the agent gets with this run. */
  forwardedProps?: Props | undefined;
};

/** A run with its result, if it fits the schema. */
export function typedRun<T>(run: RunResult, schema: Schema<T>): TypedRun<T> {
  const result: unknown = run.result;
  return { ...run, result: result === undefined ? undefined : fitting(schema, result) };
}

// --- Drift ---------------------------------------------------------------------------

const MANIFEST = "x-agui-manifest";

/** The function that sends the requests of an agent. */
export type Fetch = NonNullable<HttpAgentConfig["fetch"]>;

/** A configuration whose requests send the hash of this side's manifest, and compare the server's. */
export function compared<C extends HttpAgentConfig & DriftListener>(config: C, hash: string): C {
  const send: Fetch = config.fetch ?? ((url, init) => fetch(url, init));
  let told = false;
  const watched: Fetch = async (url, init) => {
    const response = await send(url, isNear(url) ? withHeader(init, hash) : init);
    const agent = response.headers.get(MANIFEST);
    if (agent !== null && agent !== hash && !told) {
      told = true;
      const drift = { client: hash, agent };
      (config.onDrift ?? warn)(drift);
    }
    return response;
  };
  return { ...config, fetch: watched };
}

/** True if the browser sends our header without a preflight request. */
function isNear(url: string): boolean {
  const here = (globalThis as { location?: { href: string; origin: string } }).location;
  return here === undefined || new URL(url, here.href).origin === here.origin;
}

function withHeader(init: RequestInit, hash: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(MANIFEST, hash);
  return { ...init, headers };
}

function warn({ client, agent }: Drift): void {
  console.warn(
    `agui: this client was generated for another version of the agent (${client}) than the one that runs (${agent}): generate it again`,
  );
}

// --- Tools ---------------------------------------------------------------------------

/** A call with the text of its arguments. */
export type FoundCall = ToolCallInfo & { readonly arguments: string };

function findCall(messages: readonly Readonly<Message>[], id: string): FoundCall | undefined {
  return allCalls(messages).find((call) => call.id === id);
}

/** The calls without an answer. */
function openCalls(messages: readonly Readonly<Message>[]): FoundCall[] {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  return allCalls(messages).filter((call) => !answered.has(call.id));
}

/** All calls of tools, oldest first. */
export function allCalls(messages: readonly Readonly<Message>[]): FoundCall[] {
  return messages.flatMap((message) =>
    message.role === "assistant"
      ? (message.toolCalls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: call.function.arguments,
        }))
      : [],
  );
}

/** The arguments of a call, from their text. */
export function readArguments(tool: ToolContract, text: string): Checked<unknown> {
  try {
    // An empty string means no arguments.
    return tool.parameters.check(JSON.parse(text.trim() === "" ? "{}" : text));
  } catch (error) {
    return { issues: [{ message: messageOf(error), path: [] }] };
  }
}

/** The text of the content of a message. */
export function contentText(content: unknown): string {
  if (typeof content === "string") {
    return content;
  }
  const texts = list(content).map((part) =>
    isObject(part) && part["type"] === "text" ? String(part["text"]) : "",
  );
  return texts.join("");
}

/** A value as the content of a tool message: a string as it is, any other value as JSON. */
export function writeContent(value: unknown): string {
  if (typeof value === "string") {
    return isJsonString(value) || failureOf(value) !== undefined ? JSON.stringify(value) : value;
  }
  return JSON.stringify(value ?? null);
}

/** The reverse of {@link writeContent}, for a value of the given schema. */
export function readContent<T>(schema: Schema<T> | undefined, content: string): Checked<T> {
  const check = (value: unknown): Checked<T> =>
    schema === undefined ? { value: null as T } : schema.check(value);
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return check(content);
  }
  const checked = check(parsed);
  if (checked.issues === undefined || typeof parsed === "string") {
    return checked;
  }
  const raw = check(content);
  return raw.issues === undefined ? raw : checked;
}

function isJsonString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false;
  }
}

/** The error of a failed tool, if the content is exactly `{"error": "…"}`: an equal string result is sent quoted. */
export function failureOf(content: string): string | undefined {
  try {
    const value: unknown = JSON.parse(content);
    const error = isObject(value) && Object.keys(value).length === 1 ? value["error"] : undefined;
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

/** The answer of a handler as the content of a tool message; an exception becomes the tool's error. */
export async function answer<Args, Answer>(
  tool: ToolContract,
  args: unknown,
  id: string,
  handler: (args: Args, call: ToolCallInfo) => Answer | Promise<Answer>,
): Promise<string> {
  try {
    const checked = accepted<Args>(tool, tool.parameters.check(args));
    return writeContent(await handler(checked, { id, name: tool.name }));
  } catch (thrown) {
    return JSON.stringify({ error: messageOf(thrown) });
  }
}

function accepted<Args>(tool: ToolContract, checked: Checked<unknown>): Args {
  if (checked.issues !== undefined) {
    const places = checked.issues.map((i) => `${i.path.join(".") || "arguments"}: ${i.message}`);
    throw new Error(`the arguments of ${tool.name} do not fit: ${places.join("; ")}`);
  }
  return checked.value as Args;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

type AgentRunParameters = NonNullable<Parameters<HttpAgent["runAgent"]>[0]>;
type RunResult = Awaited<ReturnType<HttpAgent["runAgent"]>>;
type Handler = (args: never, call: ToolCallInfo) => unknown;

/** The parameters and the result of a run of an agent. */
type ParametersOf<A extends HttpAgent> = NonNullable<Parameters<A["runAgent"]>[0]>;
type ResultOf<A extends HttpAgent> = Awaited<ReturnType<A["runAgent"]>>;

/** The tools that run in the user interface: offered with each run, answered when called. */
export class FrontendTools<A extends HttpAgent = HttpAgent> {
  /** The tools to offer: `agent.runAgent({ tools })`. */
  readonly tools: Tool[];
  private readonly agent: A;
  private readonly contracts: Map<string, ToolContract>;
  private readonly handlers: Map<string, Handler>;

  constructor(agent: A, contract: Contract, handlers: { [name: string]: Handler }) {
    this.agent = agent;
    this.handlers = new Map(Object.entries(handlers));
    const frontend = Object.values(contract.tools).filter((tool) => tool.side === "frontend");
    this.contracts = new Map(frontend.map((tool) => [tool.name, tool]));
    this.tools = frontend.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters.toJsonSchema(),
    }));
  }

  /** The calls of these tools without an answer. */
  pending(): ToolCallInfo[] {
    return this.open().map(({ id, name }) => ({ id, name }));
  }

  /** Runs the agent with these tools, and again after each answer, until no call or an interrupt is pending. */
  async run(parameters?: ParametersOf<A>): Promise<ResultOf<A>> {
    const result = await this.start(parameters ?? {});
    return (await this.dispatch(parameters)) ?? result;
  }

  /**
   * Answers the pending calls and runs the agent again, until no call is pending.
   * Returns the result of the last run, or `undefined` if there was no run.
   *
   * While interrupts are pending, the answers stay in the messages: the next run needs a `resume`, and sends them.
   */
  async dispatch(parameters?: ParametersOf<A>): Promise<ResultOf<A> | undefined> {
    // A run id is used once, and a resume answers one run.
    const { runId: _runId, resume: _resume, ...again }: AgentRunParameters = parameters ?? {};
    let result: ResultOf<A> | undefined;
    while ((await this.answer()) && this.agent.pendingInterrupts.length === 0) {
      result = await this.start(again);
    }
    return result;
  }

  /** Starts a run that offers these tools. The agent's own types say what it takes and returns. */
  private async start(parameters: AgentRunParameters): Promise<ResultOf<A>> {
    const others = (parameters.tools ?? []).filter((tool) => !this.contracts.has(tool.name));
    const run = this.agent.runAgent({ ...parameters, tools: [...others, ...this.tools] });
    return (await run) as ResultOf<A>;
  }

  private open(): FoundCall[] {
    return openCalls(this.agent.messages).filter((call) => this.contracts.has(call.name));
  }

  /** Adds an answer to each pending call; returns true if there was one. */
  private async answer(): Promise<boolean> {
    // A call waits until its interrupt is answered.
    const asked = new Set(this.agent.pendingInterrupts.map((interrupt) => interrupt.toolCallId));
    const calls = this.open().filter((call) => !asked.has(call.id));
    for (const call of calls) {
      const message = { id: `${call.id}-answer`, role: "tool" as const, toolCallId: call.id };
      try {
        this.agent.addMessage({ ...message, content: writeContent(await this.handle(call)) });
      } catch (thrown) {
        const error = messageOf(thrown);
        this.agent.addMessage({ ...message, content: JSON.stringify({ error }), error });
      }
    }
    return calls.length > 0;
  }

  private handle(call: FoundCall): unknown {
    const contract = this.contracts.get(call.name);
    const handler = this.handlers.get(call.name);
    if (contract === undefined || handler === undefined) {
      throw new Error(`no handler for the tool ${call.name}`);
    }
    const args = accepted<never>(contract, readArguments(contract, call.arguments));
    return handler(args, { id: call.id, name: call.name });
  }
}

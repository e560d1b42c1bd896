import type { HttpAgent, Interrupt, Message } from "@ag-ui/client";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { isObject } from "./_check.js";
import type { ConnectionStatus } from "./_connection.js";
import type { Schema } from "./_schema.js";
import { allCalls, contentText, failureOf, readArguments, readContent, type ToolContract } from "./_support.js";
import type { ThreadAgent } from "./_thread.js";

/** The status of an agent: it runs, waits for answers to its interrupts, failed in its last run, or none of these. */
export type AgentStatus =
  | { readonly status: "idle" | "running" | "interrupted"; readonly error?: undefined }
  | { readonly status: "failed"; readonly error: string };

/** The status of an agent whose server stores threads: also while its connection is made, and made again. */
export type ThreadStatus =
  | AgentStatus
  | { readonly status: "connecting" | "reconnecting"; readonly error?: undefined };

/** A thread that the server stores. */
export type AgentThread = ThreadStatus & {
  /** Stops the run that goes on, wherever it is; false if there is none. */
  readonly stop: () => Promise<boolean>;
  /** Says something while the run goes on, which joins the run; without a run, starts one. See {@link ThreadAgent.steer}. */
  readonly steer: (text: string) => Promise<void>;
};

/** A call of one of several tools, discriminated by its `name`. */
export type AgentCall<Args, Results> = {
  [K in keyof Args & keyof Results & string]: { readonly id: string; readonly name: K } & (
    | { readonly status: "arriving" }
    | { readonly status: "called"; readonly args: Args[K] }
    | { readonly status: "answered"; readonly args: Args[K]; readonly result: Results[K] }
    | { readonly status: "failed"; readonly error: string }
  );
}[keyof Args & keyof Results & string];

/** One of several activities as the agent shows it now, told apart by its `type`. */
export type AgentActivity<Activities> = {
  [K in keyof Activities & string]: { readonly id: string; readonly type: K; readonly content: Activities[K] };
}[keyof Activities & string];

/** The messages, and the ids of the calls whose arguments are arriving. */
type Talk = { readonly messages: readonly Message[]; readonly arriving: ReadonlySet<string> };

/** All that components show of an agent. A part that did not change is the same object. */
type Snapshot = {
  readonly talk: Talk;
  readonly state: unknown;
  readonly interrupts: readonly Interrupt[];
  readonly status: AgentStatus;
};

/** The parts of an agent as React reads them. It listens to the agent only while a component is mounted. */
class Store {
  /** The values before the first effect: those that the server rendered. */
  readonly initial: Snapshot;
  private readonly agent: HttpAgent;
  private readonly listeners = new Set<() => void>();
  private stop: (() => void) | undefined;
  private last: Snapshot;
  private arriving: ReadonlySet<string> = new Set();
  private running: boolean;
  private failure: string | undefined;

  constructor(agent: HttpAgent) {
    this.agent = agent;
    this.running = agent.isRunning;
    this.last = {
      talk: { messages: copied(agent.messages, []), arriving: this.arriving },
      state: agent.state,
      interrupts: agent.pendingInterrupts,
      status: { status: "idle" },
    };
    this.initial = this.current();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.stop ??= this.listen();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) {
        this.stop?.();
        this.stop = undefined;
      }
    };
  };

  readonly snapshot = (): Snapshot => {
    if (this.stop === undefined) {
      // Without a subscription, the agent may have changed unnoticed.
      this.running = this.agent.isRunning;
      return this.current();
    }
    return this.last;
  };

  private listen(): () => void {
    this.running = this.agent.isRunning;
    const changed = () => {
      const before = this.last;
      if (this.current() !== before) {
        this.listeners.forEach((listener) => {
          listener();
        });
      }
    };
    const ended = () => {
      this.running = false;
      this.arriving = new Set();
      changed();
    };
    const subscription = this.agent.subscribe({
      onRunInitialized: () => {
        this.running = true;
        this.failure = undefined;
        changed();
      },
      onRunErrorEvent: ({ event }) => {
        this.failure = event.message;
      },
      onRunFailed: ({ error }) => {
        this.failure ??= error.message;
        ended();
      },
      onRunFinalized: ended,
      onToolCallStartEvent: ({ event }) => {
        this.arriving = new Set([...this.arriving, event.toolCallId]);
      },
      onToolCallEndEvent: ({ event }) => {
        this.arriving = new Set([...this.arriving].filter((id) => id !== event.toolCallId));
        changed();
      },
      onMessagesChanged: changed,
      onStateChanged: changed,
    });
    this.current();
    return () => {
      subscription.unsubscribe();
    };
  }

  /** Reads the agent; returns the last snapshot if nothing changed. */
  private current(): Snapshot {
    const last = this.last;
    const messages = copied(this.agent.messages, last.talk.messages);
    const isSameTalk = messages === last.talk.messages && this.arriving === last.talk.arriving;
    const talk = isSameTalk ? last.talk : { messages, arriving: this.arriving };
    const { state, pendingInterrupts: interrupts } = this.agent as { state: unknown; pendingInterrupts: Interrupt[] };
    const status = this.status(interrupts.length > 0);
    const isSameStatus = status.status === last.status.status && status.error === last.status.error;
    if (talk !== last.talk || state !== last.state || interrupts !== last.interrupts || !isSameStatus) {
      this.last = { talk, state, interrupts, status: isSameStatus ? last.status : status };
    }
    return this.last;
  }

  private status(asks: boolean): AgentStatus {
    if (this.running) {
      return { status: "running" };
    }
    return this.failure === undefined
      ? { status: asks ? "interrupted" : "idle" }
      : { status: "failed", error: this.failure };
  }
}

/** Copies of messages, because the client changes them in place. A message that did not change keeps its copy. */
function copied(messages: readonly Message[], before: readonly Message[]): readonly Message[] {
  const now = messages.map((message, index) => {
    const old = before[index];
    return old !== undefined && isSame(old, message) ? old : structuredClone(message);
  });
  return now.length === before.length && now.every((message, index) => message === before[index]) ? before : now;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
  }
  return a === b;
}

const stores = /* @__PURE__ */ new WeakMap<HttpAgent, Store>();

function storeOf(agent: HttpAgent): Store {
  let store = stores.get(agent);
  if (store === undefined) {
    store = new Store(agent);
    stores.set(agent, store);
  }
  return store;
}

/** The part of an agent that `read` returns. */
function usePart<T>(agent: HttpAgent, read: (snapshot: Snapshot) => T): T {
  const store = storeOf(agent);
  return useSyncExternalStore(
    store.subscribe,
    () => read(store.snapshot()),
    () => read(store.initial),
  );
}

/** The conversation; a message that did not change is the same object. */
export function useMessages(agent: HttpAgent): readonly Message[] {
  return usePart(agent, (snapshot) => snapshot.talk.messages);
}

/** The status of the agent, with the error of a failed run. */
export function useStatus(agent: HttpAgent): AgentStatus {
  return usePart(agent, (snapshot) => snapshot.status);
}

/** The connection to the agent, also while it is lost and being made again. */
export function useConnection(agent: ThreadAgent): ConnectionStatus {
  const listen = useMemo(() => (listener: () => void) => agent.onConnection(listener), [agent]);
  return useSyncExternalStore(listen, () => agent.connection, () => "closed" as const);
}

/**
 * Gets the thread from the server when the component mounts: the messages, the state, the open interrupts, and the run
 * that goes on. When it unmounts, the page leaves the run, which goes on.
 */
export function useThread(agent: ThreadAgent, threadId?: string): AgentThread {
  const status = useStatus(agent);
  const [hasAsked, setHasAsked] = useState(false);
  const connection = useConnection(agent);
  useEffect(() => {
    // A component that unmounts at once, as in strict mode, asks for nothing.
    const timer = setTimeout(() => {
      setHasAsked(true);
      if (agent.isRunning) {
        return;
      }
      const isOther = threadId !== undefined && threadId !== agent.threadId;
      // The status shows a failure.
      (isOther ? agent.openThread(threadId) : agent.connectAgent()).catch(() => undefined);
    });
    return () => {
      clearTimeout(timer);
      void agent.detachActiveRun();
      agent.abortRun();
    };
  }, [agent, threadId]);
  return useMemo(() => {
    const actions = { stop: () => agent.stop(), steer: (text: string) => agent.steer(text) };
    if (!hasAsked || connection === "connecting") {
      return { status: "connecting", ...actions };
    }
    return connection === "reconnecting" ? { status: "reconnecting", ...actions } : { ...status, ...actions };
  }, [agent, connection, hasAsked, status]);
}

/** The shared state, or `undefined` if it does not (yet) fit its type. */
export function useSharedState<T>(agent: HttpAgent, schema: Schema<T>): T | undefined {
  const state = usePart(agent, (snapshot) => snapshot.state);
  return useMemo(() => {
    const checked = schema.check(state);
    return checked.issues === undefined ? checked.value : undefined;
  }, [schema, state]);
}

/** The open interrupts, as `read` returns them. */
export function useOpenInterrupts<T>(agent: HttpAgent, read: (open: readonly Interrupt[]) => readonly T[]): readonly T[] {
  const open = usePart(agent, (snapshot) => snapshot.interrupts);
  return useMemo(() => read(open), [read, open]);
}

/** The activities of these types, oldest first. Activities whose content does not fit are left out. */
export function useActivities<Activities>(
  agent: HttpAgent,
  activities: { readonly [type: string]: { readonly content: Schema<unknown> } },
): readonly AgentActivity<Activities>[] {
  const messages = useMessages(agent);
  return useMemo(() => {
    const declared = new Map(Object.entries(activities));
    const shown: unknown[] = messages.flatMap((message) => {
      if (message.role !== "activity") {
        return [];
      }
      const { id, activityType: type } = message;
      const checked = declared.get(type)?.content.check(message.content);
      return checked === undefined || checked.issues !== undefined ? [] : [{ id, type, content: checked.value }];
    });
    return shown as AgentActivity<Activities>[];
  }, [messages, activities]);
}

/** The calls of these tools in the conversation, oldest first. */
export function useCalls<Args, Results>(
  agent: HttpAgent,
  tools: { readonly [name: string]: ToolContract },
): readonly AgentCall<Args, Results>[] {
  const talk = usePart(agent, (snapshot) => snapshot.talk);
  return useMemo(() => callsOf(talk, tools) as AgentCall<Args, Results>[], [talk, tools]);
}

function callsOf({ messages, arriving }: Talk, tools: { readonly [name: string]: ToolContract }): unknown[] {
  const contracts = new Map(Object.entries(tools));
  const answers = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message] as const] : [])),
  );
  return allCalls(messages).flatMap((call) => {
    const contract = contracts.get(call.name);
    if (contract === undefined) {
      return [];
    }
    const { id, name } = call;
    const failed = (error: string | undefined) => ({ id, name, status: "failed", error });
    if (arriving.has(id)) {
      return [{ id, name, status: "arriving" }];
    }
    const read = readArguments(contract, call.arguments);
    if (read.issues !== undefined) {
      return [failed(read.issues[0]?.message)];
    }
    const args = read.value;
    const answer = answers.get(id);
    if (answer === undefined) {
      return [{ id, name, status: "called", args }];
    }
    const content = contentText(answer.content);
    const failure = answer.error ?? failureOf(content);
    if (failure !== undefined) {
      return [failed(failure)];
    }
    const result = readContent(contract.result, content);
    return result.issues === undefined
      ? [{ id, name, status: "answered", args, result: result.value }]
      : [failed(result.issues[0]?.message)];
  });
}

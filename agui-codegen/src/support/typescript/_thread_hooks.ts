import { useMemo, useSyncExternalStore } from "react";
import { onReturn } from "./_connection.js";
import type { ThreadAgent } from "./_thread.js";
import type { ThreadEntry, ThreadPage } from "./_thread_list.js";

/** Settings for a list of threads. */
export type ThreadsOptions = {
  /** The number of threads in a page, up to 100; 20 by default. */
  readonly limit?: number;
  /** True to show archived threads too. */
  readonly includeArchived?: boolean;
};

/** The list as it is now; a list that could not be read again keeps what it had. */
type ThreadsSnapshot = {
  /** The threads, the last changed first. */
  readonly threads: readonly ThreadEntry[];
  readonly status: "loading" | "ready" | "failed";
  /** The reason why the list could not be read. */
  readonly error: Error | undefined;
  /** True if the server has older threads, which `more` gets. */
  readonly hasMore: boolean;
};

/** The functions of a list. A function that changes a thread rejects if the server refuses. */
type ThreadsActions = {
  /** Gets the next page. */
  readonly more: () => Promise<void>;
  /** Gets again what is shown. A list does so by itself after each run of its agent, and when the page is shown again. */
  readonly refresh: () => Promise<void>;
  /** Gives a thread a title, or takes it away with `null`. */
  readonly rename: (threadId: string, title: string | null) => Promise<void>;
  /** Puts a thread away, or lists it again with `false`. */
  readonly archive: (threadId: string, archived?: boolean) => Promise<void>;
  /** Deletes a thread. */
  readonly remove: (threadId: string) => Promise<void>;
};

/** The threads that the server stores for this user. */
export type ShownThreads = ThreadsSnapshot & ThreadsActions;

const NO_THREADS: ThreadsSnapshot = { threads: [], status: "loading", error: undefined, hasMore: false };

/** A list as React reads it. It asks the server only while a component is mounted. */
class ThreadsStore {
  private readonly agent: ThreadAgent;
  private readonly limit: number;
  private readonly includeArchived: boolean;
  private readonly listeners = new Set<() => void>();
  private shown = NO_THREADS;
  private next: string | undefined;
  /** The number of the last request for the list: only its answer counts. */
  private asked = 0;
  private leave: (() => void) | undefined;

  readonly actions: ThreadsActions = {
    more: () => this.more(),
    refresh: () => this.refresh(),
    rename: (threadId, title) => this.changed(this.agent.threads.rename(threadId, title)),
    archive: (threadId, archived = true) => {
      const { threads } = this.agent;
      return this.changed(archived ? threads.archive(threadId) : threads.unarchive(threadId));
    },
    remove: (threadId) => this.changed(this.agent.threads.delete(threadId)),
  };

  constructor(agent: ThreadAgent, limit: number, includeArchived: boolean) {
    this.agent = agent;
    this.limit = limit;
    this.includeArchived = includeArchived;
  }

  readonly snapshot = (): ThreadsSnapshot => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.leave ??= this.listen();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) {
        this.leave?.();
        this.leave = undefined;
        this.asked += 1;
      }
    };
  };

  private listen(): () => void {
    const again = () => void this.refresh();
    // A component that unmounts at once, as in strict mode, asks for nothing.
    const timer = setTimeout(again);
    const runs = this.agent.subscribe({ onRunStartedEvent: again, onRunFailed: again, onRunFinalized: again });
    const forget = onReturn(again);
    return () => {
      clearTimeout(timer);
      runs.unsubscribe();
      forget();
    };
  }

  private show(shown: Partial<ThreadsSnapshot>): void {
    this.shown = { ...this.shown, ...shown };
    this.listeners.forEach((listener) => {
      listener();
    });
  }

  /** Gets pages until there are as many threads as before. */
  private refresh(): Promise<void> {
    return this.ask(async () => {
      const wanted = Math.max(this.shown.threads.length, this.limit);
      let page = await this.page(undefined, wanted);
      let threads = page.threads;
      while (page.next !== undefined && threads.length < wanted) {
        page = await this.page(page.next, wanted - threads.length);
        threads = joinedPages(threads, page.threads);
      }
      return { threads, next: page.next };
    });
  }

  private async more(): Promise<void> {
    const { next } = this;
    if (next !== undefined) {
      await this.ask(async () => {
        const page = await this.page(next, this.limit);
        return { ...page, threads: joinedPages(this.shown.threads, page.threads) };
      });
    }
  }

  private page(after: string | undefined, limit: number): Promise<ThreadPage> {
    return this.agent.threads.list({ after, limit: Math.min(limit, 100), includeArchived: this.includeArchived });
  }

  /** Shows what `read` returns, unless something newer was asked meanwhile. */
  private async ask(read: () => Promise<ThreadPage>): Promise<void> {
    const asked = ++this.asked;
    try {
      const { threads, next } = await read();
      if (asked === this.asked) {
        this.next = next;
        this.show({ threads, status: "ready", error: undefined, hasMore: next !== undefined });
      }
    } catch (cause) {
      if (asked === this.asked) {
        this.show({ status: "failed", error: cause instanceof Error ? cause : new Error(String(cause)) });
      }
    }
  }

  private async changed(change: Promise<unknown>): Promise<void> {
    await change;
    await this.refresh();
  }
}

/** Two pages. A thread that has changed between them is in both. */
function joinedPages(first: readonly ThreadEntry[], second: readonly ThreadEntry[]): readonly ThreadEntry[] {
  const known = new Set(first.map(({ threadId }) => threadId));
  return [...first, ...second.filter(({ threadId }) => !known.has(threadId))];
}

/** The threads that the server stores for this user, the last changed first. */
export function useThreads(agent: ThreadAgent, { limit = 20, includeArchived = false }: ThreadsOptions = {}): ShownThreads {
  const store = useMemo(() => new ThreadsStore(agent, limit, includeArchived), [agent, limit, includeArchived]);
  const shown = useSyncExternalStore(store.subscribe, store.snapshot, () => NO_THREADS);
  return useMemo(() => ({ ...shown, ...store.actions }), [shown, store]);
}

import { isObject } from "./_check.js";
import { RefusedError } from "./_connection.js";

/** The last message of a thread, as a list shows it. */
export type LastMessage = { readonly id: string; readonly role: string; readonly text: string };

/** A thread of the user, as the server lists it. */
export type ThreadEntry = {
  readonly threadId: string;
  /** The title; `null` if the thread has none. */
  readonly title: string | null;
  /** True if the thread is put away: a list leaves it out unless it asks for archived threads. */
  readonly archived: boolean;
  /** Facts that the page or the server keeps with the thread. */
  readonly metadata: { readonly [name: string]: unknown };
  readonly lastMessage: LastMessage | null;
  /** The time of the first run, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The time of the last change, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly running: boolean;
  readonly openInterrupts: readonly string[];
  readonly lastRunId?: string;
  /** True for a thread that a newer server has written: it can only be deleted. */
  readonly unreadable?: true;
};

/** A part of the list of threads. */
export type ThreadPage = {
  readonly threads: readonly ThreadEntry[];
  /** The cursor of the next page; `undefined` on the last one. */
  readonly next: string | undefined;
};

/** The part of the list to get. */
export type ThreadQuery = {
  /** The cursor of the page before. */
  readonly after?: string | undefined;
  /** The number of threads, up to 100. */
  readonly limit?: number | undefined;
  /** True to list archived threads too. */
  readonly includeArchived?: boolean | undefined;
};

/** Sends a request below the address of an agent; returns the JSON of the answer. */
export type ThreadRequest = (method: string, path: readonly string[], query?: string, body?: object) => Promise<unknown>;

/**
 * The threads that an agent's server stores for one user. The server must know who asks, and refuses a list otherwise
 * (`identity_needed`). Each method rejects with {@link RefusedError} if the server refuses it.
 */
export class ThreadList {
  private readonly send: ThreadRequest;

  constructor(send: ThreadRequest) {
    this.send = send;
  }

  /** Lists threads, the last changed first. */
  async list({ after, limit, includeArchived }: ThreadQuery = {}): Promise<ThreadPage> {
    const query = new URLSearchParams();
    if (after !== undefined) {
      query.set("after", after);
    }
    if (limit !== undefined) {
      query.set("limit", String(limit));
    }
    if (includeArchived === true) {
      query.set("includeArchived", "true");
    }
    const page = await this.send("GET", ["threads"], query.toString());
    const [threads, next] = isObject(page) ? [page["threads"], page["next"]] : [];
    if (!Array.isArray(threads)) {
      throw new TypeError("the server answered with something else than a list of threads");
    }
    return { threads: threads.map(entryOf), next: typeof next === "string" ? next : undefined };
  }

  /** Gets the entry of a thread. */
  async get(threadId: string): Promise<ThreadEntry> {
    return entryOf(await this.send("GET", ["threads", threadId]));
  }

  /** Gives a thread a title, or takes it away with `null`. */
  rename(threadId: string, title: string | null): Promise<ThreadEntry> {
    return this.change(threadId, { title });
  }

  /** Puts a thread away. It stays stored, and a new message goes on with it. */
  archive(threadId: string): Promise<ThreadEntry> {
    return this.change(threadId, { archived: true });
  }

  /** Lists an archived thread again. */
  unarchive(threadId: string): Promise<ThreadEntry> {
    return this.change(threadId, { archived: false });
  }

  /** Sets the members of the metadata that are given, and removes those that are `null`. */
  setMetadata(threadId: string, metadata: { readonly [name: string]: unknown }): Promise<ThreadEntry> {
    return this.change(threadId, { metadata });
  }

  /** Deletes a thread, and ends its run. */
  async delete(threadId: string): Promise<void> {
    await this.send("DELETE", ["threads", threadId]);
  }

  private async change(threadId: string, change: object): Promise<ThreadEntry> {
    return entryOf(await this.send("PATCH", ["threads", threadId], "", change));
  }
}

/** Reads an entry. Members that an older server does not know are empty. */
function entryOf(value: unknown): ThreadEntry {
  if (!isObject(value) || typeof value["threadId"] !== "string") {
    throw new TypeError("the server answered with something else than a thread");
  }
  const empty = { title: null, archived: false, metadata: {}, lastMessage: null, running: false, openInterrupts: [] };
  return { ...empty, ...value } as unknown as ThreadEntry;
}

/** The JSON of an answer; `undefined` without a body. Throws if the server refuses the request. */
export async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) {
    return body;
  }
  const error = isObject(body) ? body["error"] : undefined;
  const [code, message] = isObject(error) ? [error["code"], error["message"]] : [];
  const what = typeof message === "string" ? message : `the server answered with status ${response.status}`;
  throw new RefusedError(response.status, typeof code === "string" ? code : undefined, what, body);
}

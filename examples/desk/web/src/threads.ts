import type { ThreadEntry, ThreadList } from "../../ts/agui/_thread_list.js";
import { byId, create } from "./dom.js";

/** The pauses in milliseconds before the list is read again for a title: 45 seconds together, and the server waits 30 for its model. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000, 15_000];

/** The customer's conversations, the last changed first. Hidden while there are none. */
export class ThreadPane {
  readonly #threads: ThreadList;
  readonly #current: string;
  readonly #open: (threadId: string | undefined) => void;
  readonly #list = byId("thread-list", HTMLUListElement);
  readonly #archived = byId("archived", HTMLInputElement);
  readonly #more = byId("more-threads", HTMLButtonElement);
  /** The number of conversations to show. */
  #limit = 20;
  /** True if the current conversation has a title in the list. */
  #isTitled = false;
  /** The newest wait for a title. */
  #waiting = {};

  /** Shows conversations, of which one is `current`; `open` changes to another one, or to a new one. */
  constructor(threads: ThreadList, current: string, open: (threadId: string | undefined) => void) {
    this.#threads = threads;
    this.#current = current;
    this.#open = open;
    this.#archived.addEventListener("change", () => void this.refresh());
    this.#more.addEventListener("click", () => {
      this.#limit = 100;
      void this.refresh();
    });
  }

  /**
   * Reads the list again after a run, and then with growing pauses until the current conversation has a title: the server's model
   * writes the title after the first run, and may take half a minute.
   */
  async refreshUntilTitled(): Promise<void> {
    const waiting = (this.#waiting = {});
    await this.refresh();
    for (const pause of PAUSES) {
      if (this.#isTitled) return;
      await new Promise((next) => setTimeout(next, pause));
      // Another run waits by itself. A title that the customer writes meanwhile is not taken away.
      if (this.#waiting !== waiting) return;
      if (this.#list.querySelector("form") === null) await this.refresh();
    }
  }

  /** Reads the list again: after a run, and after each change. */
  async refresh(): Promise<void> {
    try {
      const { threads, next } = await this.#threads.list({ limit: this.#limit, includeArchived: this.#archived.checked });
      this.#isTitled = threads.some(({ threadId, title }) => threadId === this.#current && title !== null);
      this.#list.replaceChildren(...threads.map((entry) => this.#row(entry)));
      this.#more.hidden = next === undefined || this.#limit === 100;
      byId("threads", HTMLElement).hidden = threads.length === 0 && !this.#archived.checked;
    } catch {
      // A list that cannot be read now stays as it was; the conversation shows the failure.
    }
  }

  #row(entry: ThreadEntry): HTMLLIElement {
    const { threadId, title, lastMessage, archived } = entry;
    const name = title ?? lastMessage?.text ?? "New conversation";
    const words = create("span", "words", create("strong", "", name));
    if (title !== null && lastMessage !== null) words.append(create("span", "last", lastMessage.text));
    const open = create("button", "open", words);
    if (threadId === this.#current) open.setAttribute("aria-current", "true");
    open.addEventListener("click", () => this.#open(threadId));
    const rename = this.#action("Rename", name, () => this.#rename(row, entry));
    const archive = this.#action(archived ? "Restore" : "Archive", name, () =>
      this.#change(archived ? this.#threads.unarchive(threadId) : this.#threads.archive(threadId)),
    );
    const remove = this.#action("Delete", name, () => this.#remove(entry, name));
    const row = create("li", archived ? "archived" : "", open, create("div", "actions", rename, archive, remove));
    return row;
  }

  #action(label: string, name: string, act: () => unknown): HTMLButtonElement {
    const button = create("button", "", label);
    button.setAttribute("aria-label", `${label} ${name}`);
    button.addEventListener("click", () => void act());
    return button;
  }

  /** Asks for the title in the row; without one, the last message takes its place. */
  #rename(row: HTMLLIElement, { threadId, title }: ThreadEntry): void {
    const field = create("input");
    field.value = title ?? "";
    field.maxLength = 100;
    field.setAttribute("aria-label", "Title");
    const form = create("form", "rename", field, create("button", "quiet", "Save"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#change(this.#threads.rename(threadId, field.value.trim() || null));
    });
    form.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") void this.refresh();
    });
    row.replaceChildren(form);
    field.focus();
  }

  async #remove({ threadId }: ThreadEntry, name: string): Promise<void> {
    if (!window.confirm(`Delete “${name}” for ever?`)) return;
    await this.#change(this.#threads.delete(threadId));
    if (threadId === this.#current) this.#open(undefined);
  }

  async #change(change: Promise<unknown>): Promise<void> {
    // A thread that another tab has deleted is gone from the list.
    await change.catch(() => undefined);
    await this.refresh();
  }
}

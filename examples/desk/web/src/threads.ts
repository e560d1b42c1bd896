import type { ThreadEntry, ThreadList } from "../../ts/agui/_thread_list.js";
import { byId, create } from "./dom.js";

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

  /** True while the customer writes a title. */
  get isRenaming(): boolean {
    return this.#list.querySelector("form") !== null;
  }

  /** Reads the list again: after a run, and after each change. */
  async refresh(): Promise<void> {
    try {
      const { threads, next } = await this.#threads.list({ limit: this.#limit, includeArchived: this.#archived.checked });
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

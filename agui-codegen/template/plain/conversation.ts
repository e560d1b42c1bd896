import type { Message, ToolCall } from "@ag-ui/client";
import type { AssistantInterrupt } from "./agui/assistant/client.js";
import { contentText, failureOf } from "./agui/_support.js";
import { titleOf, words } from "./tools.js";

export const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

/** The messages of the conversation as texts and cards of calls, with the question about a call in its card. */
export class Conversation {
  readonly #list = byId<HTMLOListElement>("messages");
  /** The entries by the ids of their messages and calls. */
  readonly #entries = new Map<string, HTMLLIElement>();

  /** Shows exactly these messages. Only what changed is written, so that screen readers do not read all of it for each word. */
  show(messages: readonly Readonly<Message>[], isRunning: boolean): void {
    const isAtEnd = window.innerHeight + window.scrollY > document.body.scrollHeight - 80;
    let place = 0;
    const put = (id: string, className: string): HTMLLIElement => {
      const entry = this.#entries.get(id) ?? Object.assign(document.createElement("li"), { className });
      this.#entries.set(id, entry);
      const there = this.#list.children[place++];
      if (there !== entry) this.#list.insertBefore(entry, there ?? null);
      return entry;
    };
    for (const message of messages) {
      if (message.role !== "user" && message.role !== "assistant") continue;
      const text = contentText(message.content);
      if (text !== "") write(put(message.id, message.role), text);
      for (const call of message.role === "assistant" ? (message.toolCalls ?? []) : []) {
        const result = messages.find((other) => other.role === "tool" && other.toolCallId === call.id);
        const failure = result?.role === "tool" ? (result.error ?? failureOf(contentText(result.content))) : undefined;
        const status = this.#status(call.id, result !== undefined, failure !== undefined, isRunning);
        showCall(put(call.id, "call"), call.function, status, status === "failed" ? failure : undefined);
      }
    }
    while (this.#list.children.length > place) this.#list.lastElementChild?.remove();
    byId("empty").hidden = place > 0;
    if (isAtEnd) window.scrollTo(0, document.body.scrollHeight);
  }

  #status(id: string, isAnswered: boolean, isFailed: boolean, isRunning: boolean): string {
    if (isAnswered) return isFailed ? "failed" : "done";
    if (this.#entries.get(id)?.querySelector(".question")) return "waits for you";
    return isRunning ? "running" : "stopped";
  }

  /** Asks the user about a call, in the card of the call; resolves to true if they accept. */
  ask(asked: AssistantInterrupt): Promise<boolean> {
    const card = byId<HTMLTemplateElement>("question").content.cloneNode(true) as DocumentFragment;
    const question = card.querySelector("section") as HTMLElement;
    const [heading, accept, decline] = question.querySelectorAll<HTMLElement>("h2, button");
    const title = `${words(asked.payload.tool, asked.payload.arguments)}?`;
    heading!.textContent = title;
    question.ariaLabel = title;
    const id = asked.toolCallId ?? asked.id;
    const entry = this.#entries.get(id) ?? this.#list;
    entry.append(question);
    showStatus(entry, "waits for you");
    question.scrollIntoView({ block: "nearest" });
    question.focus(); // a screen reader reads the question, and Tab goes to its buttons
    return new Promise((answered) => {
      const answer = (approved: boolean) => () => {
        question.remove();
        answered(approved);
      };
      accept!.onclick = answer(true);
      decline!.onclick = answer(false);
    });
  }

  /** While an answer is written, screen readers wait for whole sentences. */
  set busy(busy: boolean) {
    this.#list.ariaBusy = String(busy);
  }
}

/** Shows a call: its words, as soon as its arguments are whole, and its status. */
function showCall(card: HTMLElement, call: ToolCall["function"], status: string, failure: string | undefined): void {
  if (card.children.length === 0) card.append(document.createElement("b"), document.createElement("span"));
  write(card.querySelector("b"), titleOf(call));
  showStatus(card, status, failure);
}

function showStatus(card: HTMLElement, status: string, text = status): void {
  card.dataset["status"] = status;
  write(card.querySelector("span"), text);
}

function write(element: HTMLElement | null, text: string): void {
  if (element !== null && element.textContent !== text) element.textContent = text;
}

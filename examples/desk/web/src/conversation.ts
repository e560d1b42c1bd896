import type { Message } from "@ag-ui/client";
import { contentText, failureOf, readArguments, readContent, type ToolCallInfo, type ToolContract } from "../../ts/agui/_support.js";
import { tools } from "../../ts/agui/desk/agent.js";
import type { ToolCallResponse } from "../../ts/agui/desk/types.js";
import { create, icon } from "./dom.js";
import type { Failure } from "./failure.js";
import { Log } from "./log.js";
import { money } from "./money.js";
import { Question } from "./question.js";
import { ToolCard } from "./tool-card.js";
import { isTool, TOOLS } from "./tools.js";

/** The messages of the conversation as texts and cards, then a question or a failure. */
export class Conversation {
  readonly #log = new Log();
  readonly #texts = new Map<string, HTMLElement>();
  readonly #cards = new Map<string, ToolCard>();
  /** The calls whose arguments are shown, and those whose results are. */
  readonly #called = new Set<string>();
  readonly #answered = new Set<string>();
  #alert: HTMLElement | undefined;

  /**
   * Shows exactly these messages, in their order: texts grow while they arrive, the answer of a run that failed goes when it is
   * tried again, and messages of another tab come in between.
   */
  show(messages: readonly Readonly<Message>[]): void {
    const texts = new Set<string>();
    const calls = new Set<string>();
    let last: HTMLElement | undefined;
    const place = (element: HTMLElement) => {
      const isAfter = last === undefined || last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (!isAfter) last?.after(element);
      last = element;
      return element;
    };
    for (const message of messages) {
      if (message.role === "tool") this.#answer(message.toolCallId, message.error ?? undefined, contentText(message.content));
      if (message.role !== "user" && message.role !== "assistant") continue;
      const text = contentText(message.content);
      if (text !== "") {
        texts.add(message.id);
        place(this.#text(message.id, message.role === "user" ? "from-customer" : "from-desk")).textContent = text;
      }
      for (const call of message.role === "assistant" ? (message.toolCalls ?? []) : []) {
        calls.add(call.id);
        place(this.card({ id: call.id, name: call.function.name }).element);
        this.#call(call.id, call.function.name, call.function.arguments);
      }
    }
    for (const [id, text] of this.#texts) {
      if (!texts.has(id)) this.#forget(this.#texts, id, text);
    }
    for (const [id, card] of this.#cards) {
      if (calls.has(id)) continue;
      this.#forget(this.#cards, id, card.element);
      this.#called.delete(id);
      this.#answered.delete(id);
    }
  }

  /** Shows the arguments of a call, as soon as they are whole. */
  #call(id: string, name: string, text: string): void {
    if (!isTool(name) || this.#called.has(id)) return;
    const args = readArguments(tools[name], text);
    if (args.issues !== undefined) return;
    this.#called.add(id);
    this.card({ id, name }).line = TOOLS[name].called(args.value as never);
  }

  /** Shows the result of a call. */
  #answer(id: string, error: string | undefined, text: string): void {
    const card = this.#cards.get(id);
    if (card === undefined || this.#answered.has(id)) return;
    this.#answered.add(id);
    const failure = error ?? failureOf(text);
    if (failure !== undefined) return card.fail(failure);
    if (!isTool(card.tool)) return;
    const contract: ToolContract = tools[card.tool];
    const read = readContent(contract.result, text);
    if (read.issues === undefined) card.answer(TOOLS[card.tool].answered(read.value as never), TOOLS[card.tool].done);
  }

  /** The card of a call. */
  card({ id, name }: ToolCallInfo): ToolCard {
    const shown = this.#cards.get(id);
    if (shown !== undefined) return shown;
    const card = new ToolCard(name);
    this.#cards.set(id, card);
    this.#log.append(card.element);
    return card;
  }

  /** Shows a question until it is answered; `card` is that of the call that waits for it. */
  async ask(question: Question, card: ToolCard): Promise<ToolCallResponse> {
    card.ask(question.element);
    this.#log.toEnd();
    if (!isWriting()) question.element.focus({ preventScroll: true });
    const response = await question.answer;
    question.element.remove();
    card.status = response.approved ? "running" : "refused";
    if (response.editedArgs != null) card.amount = money(response.editedArgs.cents);
    return response;
  }

  fail({ title, detail, code }: Failure, retry: () => void): void {
    const again = create("button", "quiet", "Try again");
    again.type = "button";
    again.addEventListener("click", retry);
    const words = create("div", "words", create("strong", "", title), create("p", "", detail), again);
    if (code !== undefined) again.before(create("code", "", code));
    this.#alert = create("div", "alert", icon("alert"), words);
    this.#alert.setAttribute("role", "alert");
    this.#log.append(this.#alert);
    this.#log.toEnd();
  }

  /** While the desk works, a cursor or dots move at the end. */
  set busy(busy: boolean) {
    this.#log.busy = busy;
    if (!busy) for (const card of this.#cards.values()) card.close();
    if (busy) this.#alert?.remove();
  }

  #forget(shown: Map<string, unknown>, id: string, element: HTMLElement): void {
    element.remove();
    shown.delete(id);
  }

  #text(id: string, from: string): HTMLElement {
    const shown = this.#texts.get(id);
    if (shown !== undefined) return shown;
    const text = create("p", `said ${from}`);
    this.#texts.set(id, text);
    this.#log.append(text);
    if (from === "from-customer") this.#log.toEnd();
    return text;
  }
}

/** True if the customer is in the middle of a message, which must not lose the keyboard. */
function isWriting(): boolean {
  return document.activeElement instanceof HTMLTextAreaElement && document.activeElement.value !== "";
}

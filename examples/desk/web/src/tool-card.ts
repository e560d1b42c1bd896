import { create, icon } from "./dom.js";
import { isTool, type Line, TOOLS } from "./tools.js";

type Status = "running" | "waiting" | "done" | "refused" | "failed" | "stopped";

const SAID: { readonly [S in Status]: string } = {
  running: "",
  waiting: "waits for you",
  done: "done",
  refused: "refused",
  failed: "failed",
  stopped: "stopped",
};

/** A call of a tool, as a small card: first the question, then the answer. */
export class ToolCard {
  readonly element = create("div", "tool");
  readonly #title: HTMLElement;
  readonly #detail = create("span", "detail");
  readonly #amount = create("span", "amount");
  readonly #said = create("span", "said-status");

  constructor(readonly tool: string) {
    this.#title = create("b", "", tool);
    const drawing = create("span", "drawing", icon(isTool(tool) ? TOOLS[tool].icon : "parcel"));
    this.element.append(
      drawing,
      create("span", "words", this.#title, this.#detail),
      create("span", "side", this.#amount, this.#said),
    );
    this.element.dataset["tool"] = tool;
    this.status = "running";
  }

  get status(): Status {
    return this.element.dataset["status"] as Status;
  }

  set status(status: Status) {
    this.element.dataset["status"] = status;
    this.#said.textContent = SAID[status];
  }

  /** The text; an amount that is left out stays. */
  set line({ title, detail, amount }: Line) {
    this.#title.textContent = title;
    this.#detail.textContent = detail;
    if (amount !== undefined) this.#amount.textContent = amount;
  }

  set amount(amount: string) {
    this.#amount.textContent = amount;
  }

  answer(line: Line, done: string): void {
    this.line = line;
    this.status = "done";
    this.#said.textContent = done;
  }

  /** Shows a question about the call, until it is answered. */
  ask(question: HTMLElement): void {
    this.status = "waiting";
    this.element.append(question);
  }

  /** The tool failed; a call that the customer refused does so too. */
  fail(error: string): void {
    if (this.status === "refused") return;
    this.status = "failed";
    this.#detail.textContent = error;
  }

  /** The run has ended: a call without an answer gets none. */
  close(): void {
    if (this.status === "running") this.status = "stopped";
  }
}

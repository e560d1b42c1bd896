import { create, icon } from "../dom.js";
import { TOOLS, isTool } from "./tools.js";

type Status = "running" | "waiting" | "done" | "failed" | "stopped";

const SAID: { readonly [S in Status]: string } = {
  running: "running",
  waiting: "waits for you",
  done: "done",
  failed: "failed",
  stopped: "stopped",
};

/** One tool call: a line with the question and the answer, which opens to show the JSON. */
export class ToolCard {
  readonly element: HTMLDetailsElement;
  readonly #brief = create("span", "brief");
  readonly #answer = create("span", "answer");
  readonly #args = create("code");
  readonly #result = create("code");

  constructor(readonly tool: string) {
    const drawing = icon(isTool(tool) ? TOOLS[tool].icon : "pot");
    const summary = create("summary", "", drawing, create("b", "", tool), this.#brief, this.#answer);
    const details = create("dl", "", create("dt", "", "Arguments"), create("dd", "", this.#args));
    details.append(create("dt", "", "Answer"), create("dd", "", this.#result));
    this.element = create("details", "tool", summary, details);
    this.element.dataset["tool"] = tool;
    this.status = "running";
  }

  set status(status: Status) {
    this.element.dataset["status"] = status;
    this.#answer.textContent = SAID[status];
  }

  /** True if there is no answer yet. */
  get open(): boolean {
    return ["running", "waiting"].includes(this.element.dataset["status"] ?? "");
  }

  /** The arguments so far. */
  set args(json: string) {
    this.#args.textContent = pretty(json);
  }

  /** The question, in a few words. */
  set brief(words: string) {
    this.#brief.textContent = words;
  }

  /** The answer as JSON. */
  set content(content: string) {
    this.#result.textContent = pretty(content);
  }

  answer(status: "done" | "failed", words: string): void {
    this.status = status;
    this.#answer.textContent = words;
  }
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 1).replace(/\n\s*/g, " ");
  } catch {
    return json; // half of it, or plain text
  }
}

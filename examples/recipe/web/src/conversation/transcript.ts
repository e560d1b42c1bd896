import type { AgentSubscriber } from "@ag-ui/client";
import type { ToolArgs, ToolResults } from "../agui/cook/agent.js";
import type { CookAgent } from "../agui/cook/client.js";
import { create, icon } from "../dom.js";
import type { Failure } from "../failure.js";
import { alert } from "./alert.js";
import { Log } from "./log.js";
import { ToolCard } from "./tool-card.js";
import { TOOLS } from "./tools.js";

/** Renders the events of a run in their order. */
export class Transcript {
  readonly #log = new Log();
  readonly #messages = new Map<string, HTMLElement>();
  readonly #calls = new Map<string, ToolCard>();
  readonly #steps = new Map<string, HTMLElement>();

  constructor(agent: CookAgent) {
    agent.subscribe(this.#events());
    // The same calls, with the types that the agent declares in Rust.
    agent.on({
      toolCalls: {
        price: (args, { id }) => this.#asked("price", id, args),
        write_recipe: (args, { id }) => this.#asked("write_recipe", id, args),
        confirm_order: (args, { id }) => this.#asked("confirm_order", id, args),
      },
      toolResults: {
        price: (result, { id }) => this.answered("price", id, result),
        write_recipe: (result, { id }) => this.answered("write_recipe", id, result),
      },
      toolFailure: (error, { id }) => this.#calls.get(id)?.answer("failed", error),
    });
  }

  /** The user's message. */
  person(text: string): void {
    this.#log.append(create("p", "said by-person", text));
    this.#log.toEnd();
  }

  /** A remark about the conversation itself. */
  note(text: string): void {
    this.#add(create("p", "note", text));
  }

  alert(failure: Failure, retry: () => void): void {
    this.#log.append(alert(failure, retry));
    this.#log.toEnd();
  }

  set busy(busy: boolean) {
    this.#log.busy = busy;
    if (!busy) this.#closeAll();
  }

  /** A tool answered, here or in the agent. */
  answered<K extends keyof ToolResults>(tool: K, id: string, result: ToolResults[K]): void {
    const card = this.#calls.get(id);
    card?.answer("done", TOOLS[tool].result(result));
    if (card !== undefined && tool === "confirm_order") card.content = JSON.stringify(result);
  }

  #asked<K extends keyof ToolArgs>(tool: K, id: string, args: ToolArgs[K]): void {
    const card = this.#calls.get(id);
    if (card === undefined) return;
    card.brief = TOOLS[tool].args(args);
    if (tool === "confirm_order") card.status = "waiting";
  }

  #events(): AgentSubscriber {
    return {
      onTextMessageStartEvent: ({ event }) => {
        const bubble = create("p", "said by-cook streaming");
        this.#messages.set(event.messageId, bubble);
        this.#add(bubble);
      },
      onTextMessageContentEvent: ({ event }) => {
        this.#messages.get(event.messageId)?.append(event.delta);
      },
      onTextMessageEndEvent: ({ event }) => {
        this.#messages.get(event.messageId)?.classList.remove("streaming");
      },
      onToolCallStartEvent: ({ event }) => {
        const card = new ToolCard(event.toolCallName);
        this.#calls.set(event.toolCallId, card);
        this.#add(card.element);
      },
      onToolCallArgsEvent: ({ event, toolCallBuffer }) => {
        // The buffer holds the text before this event.
        const card = this.#calls.get(event.toolCallId);
        if (card !== undefined) card.args = toolCallBuffer + event.delta;
      },
      onToolCallResultEvent: ({ event }) => {
        const card = this.#calls.get(event.toolCallId);
        if (card === undefined) return;
        card.content = typeof event.content === "string" ? event.content : JSON.stringify(event.content);
        card.status = "done";
      },
      onStepStartedEvent: ({ event }) => {
        const step = create("section", "step open", create("h3", "", event.stepName, icon("done")));
        step.setAttribute("aria-label", `Step ${event.stepName}`);
        this.#add(step);
        this.#steps.set(event.stepName, step);
      },
      onStepFinishedEvent: ({ event }) => {
        this.#steps.get(event.stepName)?.classList.remove("open");
        this.#steps.delete(event.stepName);
      },
    };
  }

  /** Into the innermost open step, or to the end of the log. */
  #add(entry: HTMLElement): void {
    const step = [...this.#steps.values()].at(-1);
    if (step === undefined) this.#log.append(entry);
    else step.append(entry);
  }

  /** A run that was stopped or broke off leaves nothing spinning. */
  #closeAll(): void {
    for (const bubble of this.#messages.values()) bubble.classList.remove("streaming");
    for (const step of this.#steps.values()) step.classList.remove("open");
    for (const card of this.#calls.values()) if (card.open) card.status = "stopped";
    this.#messages.clear();
    this.#calls.clear();
    this.#steps.clear();
  }
}

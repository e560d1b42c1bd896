import type { AgentSubscriber, Message } from "@ag-ui/client";
import { contentText, failureOf, readContent, type ToolContract } from "../agui/_support.js";
import { tools, type ToolArgs, type ToolResults } from "../agui/cook/agent.js";
import type { CookAgent } from "../agui/cook/client.js";
import { create, icon } from "../dom.js";
import type { Failure } from "../failure.js";
import { alert } from "./alert.js";
import { Log } from "./log.js";
import { ToolCard } from "./tool-card.js";
import { TOOLS, isTool } from "./tools.js";

/** Renders the events of a run in their order. */
export class Transcript {
  readonly #log = new Log();
  readonly #messages = new Map<string, HTMLElement>();
  readonly #calls = new Map<string, ToolCard>();
  readonly #steps = new Map<string, HTMLElement>();
  readonly #alerts: HTMLElement[] = [];
  /** The alerts from before the run that goes on, or went on last. */
  readonly #overcome: HTMLElement[] = [];

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
    const box = alert(failure, retry);
    this.#alerts.push(box);
    this.#log.append(box);
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

  /** Shows the conversation as the server stores it. */
  #restore(messages: readonly Message[]): void {
    this.#closeAll();
    this.#log.clear();
    for (const message of messages) {
      if (message.role === "user" && typeof message.content === "string") this.person(message.content);
      if (message.role === "assistant") this.#restoreAnswer(message);
      if (message.role === "tool") this.#restoreResult(message);
    }
    this.#log.toEnd();
  }

  #restoreAnswer({ id, content, toolCalls }: Extract<Message, { role: "assistant" }>): void {
    if (content !== undefined && content !== "") {
      const bubble = create("p", "said by-cook", content);
      this.#messages.set(id, bubble);
      this.#add(bubble);
    }
    for (const call of toolCalls ?? []) {
      const card = this.#call(call.id, call.function.name);
      card.args = call.function.arguments;
      // Arguments that are still arriving have no line about them yet.
      const args = parsed(call.function.arguments);
      if (isTool(call.function.name) && args !== undefined) this.#asked(call.function.name, call.id, args as never);
    }
  }

  #restoreResult({ toolCallId, content, error }: Extract<Message, { role: "tool" }>): void {
    const card = this.#calls.get(toolCallId);
    if (card === undefined) return;
    const text = contentText(content);
    card.content = text;
    const failure = error ?? failureOf(text);
    if (failure !== undefined) card.answer("failed", failure);
    else card.answer("done", wordsOf(card.tool, text) ?? "done");
  }

  #call(id: string, tool: string): ToolCard {
    const card = new ToolCard(tool);
    this.#calls.set(id, card);
    this.#add(card.element);
    return card;
  }

  #events(): AgentSubscriber {
    return {
      onRunInitialized: () => {
        this.#overcome.push(...this.#alerts.splice(0));
      },
      onRunFinishedEvent: ({ event }) => {
        if (event.outcome?.type === "cancelled") return;
        // The action that failed before has worked now.
        for (const box of this.#overcome.splice(0)) box.remove();
      },
      onMessagesSnapshotEvent: ({ event }) => this.#restore(event.messages),
      onTextMessageStartEvent: ({ event }) => {
        // A message that was there when the page was loaded goes on.
        const known = this.#messages.get(event.messageId);
        known?.classList.add("streaming");
        if (known !== undefined) return;
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
        if (!this.#calls.has(event.toolCallId)) this.#call(event.toolCallId, event.toolCallName);
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

/** The answer of a tool in a few words, if it fits the type of the tool's results. */
function wordsOf(tool: string, content: string): string | undefined {
  if (!isTool(tool)) return undefined;
  const { result }: ToolContract = tools[tool];
  const read = readContent(result, content);
  return read.issues === undefined ? TOOLS[tool].result(read.value as never) : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

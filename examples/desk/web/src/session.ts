import { type AgentSubscriber, randomUUID } from "@ag-ui/client";
import { RunFailedError } from "../../ts/agui/_connection.js";
import type { DeskAgent, DeskInterrupt } from "../../ts/agui/desk/client.js";
import type { ToolCallResponse } from "../../ts/agui/desk/types.js";
import { BROKEN_OFF, type Failure, runError, STOPPED, transportFailure } from "./failure.js";

/** `waiting` is for an answer of the customer. */
export type Status = "ready" | "working" | "waiting";

/** The page's part in a conversation, besides showing its messages and its state. */
export type Page = {
  readonly status: (status: Status) => void;
  readonly ask: (asked: DeskInterrupt) => Promise<ToolCallResponse>;
  readonly failed: (failure: Failure) => void;
};

/** One conversation with the desk: messages, answers to its questions, and another try after a failure. */
export class Session {
  readonly #agent: DeskAgent;
  readonly #page: Page;
  /** True if the server stores conversations: what is said meanwhile reaches a desk that works. */
  readonly #isStored: boolean;
  #status: Status = "ready";
  #outcome: "none" | "started" | "finished" | "failed" = "none";
  #isStopped = false;
  #isLoaded = false;
  /** The number of messages before the last run. */
  #before = 0;

  constructor(agent: DeskAgent, page: Page, isStored: boolean) {
    this.#agent = agent;
    this.#page = page;
    this.#isStored = isStored;
    agent.subscribe(this.#outcomes());
  }

  async say(text: string): Promise<void> {
    if (this.#status === "working" && this.#isStored) return this.#steer(text);
    if (this.#status !== "ready") return;
    this.#agent.addMessage({ id: randomUUID(), role: "user", content: text });
    await this.#converse();
  }

  async #steer(text: string): Promise<void> {
    try {
      await this.#agent.steer(text);
    } catch (error) {
      this.#page.failed(transportFailure(error));
    }
  }

  /** Gets the conversation from a server that stores it, follows a run that goes on, and asks what is open. */
  async load(): Promise<void> {
    this.#isLoaded = false;
    await this.#converse(async () => {
      this.#begin();
      await this.#agent.connectAgent();
      this.#isLoaded = true;
      // A server that stores nothing has no conversation.
      if (this.#outcome === "none") this.#outcome = "finished";
    });
  }

  /** Runs again after a failure. Results of tools are kept; the unfinished answer after them is not. */
  async retry(): Promise<void> {
    if (this.#status !== "ready") return;
    if (!this.#isLoaded) return this.load();
    const messages = [...this.#agent.messages];
    while (messages.length > this.#before && messages.at(-1)?.role === "assistant") messages.pop();
    this.#agent.setMessages(messages);
    await this.#converse();
  }

  stop(): void {
    this.#isStopped = true;
    this.#agent.abortRun();
  }

  /** Lets the desk answer, and answers its questions, until it is done. */
  async #converse(begin = () => this.#run()): Promise<void> {
    try {
      await begin();
      while (this.#outcome === "finished" && this.#agent.pendingInterrupts.length > 0) {
        this.#become("waiting");
        for (const asked of this.#agent.interrupts) this.#agent.resolve(asked, await this.#page.ask(asked));
        await this.#run();
      }
      // The client accepts a stream without an event for the end of the run, and a stop before the first event.
      if (this.#outcome === "none" || this.#outcome === "started") this.#page.failed(this.#isStopped ? STOPPED : BROKEN_OFF);
    } catch (error) {
      // The page has shown the end of a run that failed.
      if (error instanceof RunFailedError) return;
      this.#page.failed(this.#outcome === "started" ? BROKEN_OFF : transportFailure(error));
    } finally {
      this.#become("ready");
    }
  }

  async #run(): Promise<void> {
    this.#begin();
    const isAnswer = this.#agent.pendingInterrupts.length > 0;
    await this.#agent.runAgent(isAnswer ? { resume: this.#agent.answers() } : {});
  }

  #begin(): void {
    this.#outcome = "none";
    this.#isStopped = false;
    this.#before = this.#agent.messages.length;
    this.#become("working");
  }

  #become(status: Status): void {
    this.#status = status;
    this.#page.status(status);
  }

  #outcomes(): AgentSubscriber {
    return {
      onRunStartedEvent: () => {
        this.#outcome = "started";
        // The answers have arrived. Each counts once, so another try does not send them again.
        this.#agent.pendingInterrupts = [];
      },
      onRunFinishedEvent: () => {
        this.#outcome = "finished";
      },
      onRunErrorEvent: ({ event: { message, code } }) => {
        this.#outcome = "failed";
        // The client's own code for a run that was stopped here.
        this.#page.failed(code === "abort" ? STOPPED : runError(message, code));
      },
    };
  }
}

import { randomUUID, type AgentSubscriber } from "@ag-ui/client";
import { RunFailedError } from "./agui/_connection.js";
import type { FrontendTools } from "./agui/_support.js";
import { CookAgent, type FrontendToolHandlers } from "./agui/cook/client.js";
import type { Recipe } from "./agui/cook/types.js";
import { brokenOff, type Failure, runError, transportFailure } from "./failure.js";

/** The page's part in a conversation, besides rendering the agent's events. */
export type Page = {
  readonly busy: (busy: boolean) => void;
  readonly failed: (failure: Failure) => void;
  readonly stopped: () => void;
};

/** One conversation with the cook: the turns, and the input of each run. */
export class Session {
  readonly #agent: CookAgent;
  readonly #tools: FrontendTools;
  readonly #page: Page;
  #busy = false;
  #started = false;
  #ended = false;
  #isStopped = false;

  constructor(agent: CookAgent, handlers: FrontendToolHandlers, page: Page) {
    this.#agent = agent;
    this.#tools = agent.registerFrontendTools(handlers);
    this.#page = page;
    agent.subscribe(this.#outcomes());
  }

  /** Sends the user's message, with the recipe as it is now. */
  async say(text: string): Promise<void> {
    if (this.#busy) return;
    this.#agent.addMessage({ id: randomUUID(), role: "user", content: text });
    await this.run();
  }

  /** The last message of the user. */
  get lastSaid(): string {
    const said = this.#agent.messages.filter((message) => message.role === "user").at(-1)?.content;
    return typeof said === "string" ? said : "";
  }

  /** Lets the cook answer, with `confirm_order` answered by the page in between. */
  async run(): Promise<void> {
    if (this.#busy) return;
    this.#setBusy(true);
    try {
      await this.#tools.run();
      // The client accepts a stream without an event for the end of the run, and a stop before the first event.
      if (this.#ended) return;
      if (this.#isStopped) this.#page.stopped();
      else this.#page.failed(brokenOff());
    } catch (error) {
      // The page has shown the end of a run that failed.
      if (!(error instanceof RunFailedError)) this.#page.failed(transportFailure(error, this.#started));
    } finally {
      this.#setBusy(false);
    }
  }

  /** Gets the conversation that the server stores, after a reload, and follows a run that goes on. */
  async load(): Promise<void> {
    this.#setBusy(true);
    try {
      await this.#agent.connectAgent();
      // The cook may wait for an answer of this page.
      await this.#tools.dispatch();
    } catch (error) {
      // The page has shown the end of a run that failed.
      if (!(error instanceof RunFailedError)) this.#page.failed(transportFailure(error, true));
    } finally {
      this.#setBusy(false);
    }
  }

  /** Stops the run on the server; without one, or before the server has it, only this page leaves it. */
  stop(): void {
    this.#isStopped = true;
    const leave = () => this.#agent.abortRun();
    this.#agent.stop().then((isFound) => isFound || leave(), leave);
  }

  /** The recipe with the user's changes, from which the next run starts. */
  change(recipe: Recipe): void {
    if (!this.#busy) this.#agent.setState(recipe);
  }

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#page.busy(busy);
  }

  #outcomes(): AgentSubscriber {
    return {
      onRunInitialized: () => {
        this.#started = false;
        this.#ended = false;
        this.#isStopped = false;
      },
      onRunStartedEvent: () => {
        this.#started = true;
      },
      onRunFinishedEvent: ({ event }) => {
        this.#ended = true;
        if (event.outcome?.type === "cancelled") this.#page.stopped();
      },
      onRunErrorEvent: ({ event }) => {
        this.#ended = true;
        // The client's own code for a run that was stopped here.
        if (event.code === "abort") this.#page.stopped();
        else this.#page.failed(runError(event.message, event.code));
      },
    };
  }
}

import type { {{official}} } from "@ag-ui/client";
import { answers, cancel, resolve, type ResponseTo, type TypedInterrupt, typedInterrupts } from "../_interrupts.js"; //+asks
import type { ThreadOptions } from "../_connection.js";
import {
  {{.}}, //+support
} from "../_support.js";
import { ThreadAgent } from "../_thread.js";
import { MANIFEST_HASH, {{values}} } from "./agent.js";
import type { {{types}} } from "./agent.js";
import type * as types from "./types.js"; //+has_types

const contract: Contract = { {{schemas}} };

/** The listeners for a run of `{{base}}Agent`. */
export type {{base}}Listeners = Listeners<
  {{.}}, //+listened
  {{last_listened}}
>;
//+has_frontend

/** One function for each tool that runs in the user interface. */
export type FrontendToolHandlers = {
  [K in FrontendToolName]: (
    args: ToolArgs[K],
    call: ToolCallInfo,
  ) => ToolResults[K] | Promise<ToolResults[K]>;
};
//-has_frontend
//+asks

/** An open interrupt of `{{base}}Agent`, discriminated by its `reason`. */
export type {{base}}Interrupt = TypedInterrupt<Interrupts>;
//-asks

/** The configuration of `{{base}}Agent`. */
export type {{base}}AgentConfig = HttpAgentConfig & DriftListener & ThreadOptions; //!state
//+state
export type {{base}}AgentConfig = Omit<HttpAgentConfig, "initialState"> &
  DriftListener &
  ThreadOptions & {
    /** The state that the first run starts from. */
    initialState?: {{read}} | undefined;
  };
//-state

{{doc}}
export class {{base}}Agent extends ThreadAgent {
//?state
  /** The shared state, unchecked: {@link typedState} has a type. */
  declare state: unknown;

//-state
  constructor(config: {{base}}AgentConfig) {
    super(compared(config, MANIFEST_HASH));
  }

//+state
  /** The shared state, or `undefined` if it does not (yet) fit its type. */
  get typedState(): {{written}} | undefined {
    return readState(this, state.written);
  }

  /** Replaces the state that the next run starts from. */
  override setState(next: {{read}}): void {
    super.setState(next);
  }

//-state
//+typed_run
  /** Runs the agent once. */
  override async runAgent(
    parameters?: TypedParameters<{{props}}>,
    subscriber?: AgentSubscriber,
  ): Promise<TypedRun<{{result}}>> {
    return typedRun(await super.runAgent(parameters, subscriber), result); //+has_result
    return super.runAgent(parameters, subscriber); //!has_result
  }

//-typed_run
  /** Calls the listeners with typed values, until the returned function is called. */
  on(listeners: {{base}}Listeners): () => void {
    return listen(this, contract, listeners);
  }
//+has_frontend

  /** Returns the tools that run here, to offer them and to answer their calls. */
  registerFrontendTools(handlers: FrontendToolHandlers): FrontendTools{{run}} {
    return new FrontendTools{{run}}(this, contract, handlers);
  }
//-has_frontend
//+asks

  /** The declared interrupts that ended the last run. */
  get interrupts(): {{base}}Interrupt[] {
    return typedInterrupts<Interrupts>(interrupts, this.pendingInterrupts);
  }

  /** Answers an interrupt, in the next run. */
  resolve<Q extends {{base}}Interrupt>(interrupt: Q, response: ResponseTo<Interrupts, Q>): void {
    resolve(this, interrupts, interrupt, response);
  }

  /** Cancels an interrupt, in the next run; also an undeclared one. */
  cancel(interrupt: { readonly id: string }): void {
    cancel(this, interrupt);
  }

  /**
   * The answers to the open interrupts: `runAgent({ resume: agent.answers() })`. Throws while one has no answer,
   * because leaving it out does not cancel it.
   */
  answers(): ResumeEntry[] {
    return answers(this);
  }
//-asks
}

import { useAgent, useFrontendTools } from "@copilotkit/react-core/v2"; //+has_frontend
import { useAgent } from "@copilotkit/react-core/v2"; //!has_frontend
import type { ReactElement } from "react"; //+has_elements
import {
  type AgentOptions,
  type CallView, //?tools
  offer, //+has_frontend
  type Prompt, //+has_frontend
  useCallView, //?tools
  usePrompt, //+has_frontend
} from "../_react.js";
import { type OpenInterrupt, type OthersRender, useInterrupts } from "../_react_interrupts.js"; //+asks
import { fitting } from "../_support.js"; //+state
import { {{values}} } from "./agent.js";
import type { {{maps}} } from "./agent.js"; //+has_elements
import type { FrontendToolHandlers } from "./client.js"; //+has_frontend
import type * as types from "./types.js"; //+has_types

/** The agent of the surrounding provider; the component renders again when it changes. */
export function use{{base}}Agent(options: AgentOptions = {}) {
  const { agent, isReady } = useAgent({ ...options, agentId: AGENT });
  return {
    agent,
    isReady,
//+state
    /** The shared state, or `undefined` if it does not (yet) fit its type. */
    state: fitting(state.written, agent.state),
    /** Replaces the state that the next run starts from. */
    setState: (next: {{.}}): void => {
      agent.setState(next);
    },
//-state
  };
}
//+has_frontend

/** Offers the tools that run here while the component is mounted, and answers their calls. */
export function use{{base}}Tools(handlers: FrontendToolHandlers, deps?: readonly unknown[]): void {
  useFrontendTools(
    [
      offer(AGENT, tools{{.}}, handlers{{.}}), //+offers
    ],
    deps,
  );
}
//-has_frontend
//+tools
//+prompt

{{prompt_doc}}
export function {{prompt}}(
  render: (prompt: Prompt<ToolArgs[{{key}}], ToolResults[{{key}}]>) => ReactElement | null,
  deps?: readonly unknown[],
): void {
  usePrompt(AGENT, tools{{access}}, render, deps);
}
//-prompt

{{view_doc}}
export function {{view}}(
  render: (call: CallView<ToolArgs[{{key}}], ToolResults[{{key}}]>) => ReactElement | null,
  deps?: readonly unknown[],
): void {
  useCallView(AGENT, tools{{access}}, render, deps);
}
//-tools
//+asks

/**
 * Renders each open interrupt inside the chat: the element answers it with `resolve`, or cancels it with `cancel`.
 * The agent continues when all its interrupts have an answer. `others` renders interrupts that are not declared here;
 * without it, they are cancelled, with a warning.
 */
export function use{{base}}Interrupts(
  render: (interrupt: OpenInterrupt<Interrupts>) => ReactElement | null,
  others?: OthersRender,
): void {
  useInterrupts<Interrupts>(AGENT, interrupts, render, others);
}
//-asks

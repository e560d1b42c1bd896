import type { Interrupt, Message } from "@ag-ui/client"; //+asks
import type { Message } from "@ag-ui/client"; //!asks
import type { ConnectionStatus } from "../_connection.js";
import {
  type AgentActivity, //+shows
  type AgentCall, //+has_tools
  type AgentStatus,
  type AgentThread,
  useActivities, //+shows
  useCalls, //+has_tools
  useConnection,
  useMessages,
  useOpenInterrupts, //+asks
  useSharedState, //+state
  useStatus,
  useThread,
} from "../_hooks.js";
import { type ShownThreads, type ThreadsOptions, useThreads } from "../_thread_hooks.js";
import { typedInterrupts } from "../_interrupts.js"; //+asks
import { {{values}} } from "./agent.js"; //?values
import type { {{maps}} } from "./agent.js"; //?maps
import type { {{base}}Agent, {{base}}Interrupt } from "./client.js"; //+asks
import type { {{base}}Agent } from "./client.js"; //!asks
import type * as types from "./types.js"; //+has_types
//+has_tools

/** A call of one of the agent's tools, discriminated by its `name`. */
export type {{base}}Call = AgentCall<ToolArgs, ToolResults>;
//-has_tools
//+shows

/** One of the agent's activities, told apart by its `type`. */
export type {{base}}Activity = AgentActivity<Activities>;
//-shows
//+asks

const open = (all: readonly Interrupt[]) => typedInterrupts<Interrupts>(interrupts, all);
//-asks
//+state

/** The shared state, or `undefined` if it does not (yet) fit its type. */
export function use{{base}}State(agent: {{base}}Agent): {{.}} | undefined {
  return useSharedState(agent, state.written);
}
//-state

/** The conversation; a message that did not change is the same object. */
export function use{{base}}Messages(agent: {{base}}Agent): readonly Message[] {
  return useMessages(agent);
}
//+has_tools

/** The calls of the agent's tools, oldest first. */
export function use{{base}}Calls(agent: {{base}}Agent): readonly {{base}}Call[] {
  return useCalls<ToolArgs, ToolResults>(agent, tools);
}
//-has_tools
//+shows

/** The activities that fit their types, oldest first. */
export function use{{base}}Activities(agent: {{base}}Agent): readonly {{base}}Activity[] {
  return useActivities<Activities>(agent, activities);
}
//-shows
//+asks

/** The declared interrupts that ended the last run: answer them with the agent's `resolve` or `cancel`. */
export function use{{base}}Interrupts(agent: {{base}}Agent): readonly {{base}}Interrupt[] {
  return useOpenInterrupts(agent, open);
}
//-asks

/** The status of the agent, with the error of a failed run. */
export function use{{base}}Status(agent: {{base}}Agent): AgentStatus {
  return useStatus(agent);
}

/** The connection to the agent: `reconnecting` while it is lost and being made again. */
export function use{{base}}Connection(agent: {{base}}Agent): ConnectionStatus {
  return useConnection(agent);
}

/**
 * Gets the thread from a server that stores it when the component mounts, and follows the run that goes on.
 * Its status is also `connecting` or `reconnecting`.
 */
export function use{{base}}Thread(agent: {{base}}Agent, threadId?: string): AgentThread {
  return useThread(agent, threadId);
}

/**
 * The threads that the server stores for this user, the last changed first. The list follows the runs of this agent. The server
 * must know who asks: see `Server::identity`.
 */
export function use{{base}}Threads(agent: {{base}}Agent, options?: ThreadsOptions): ShownThreads {
  return useThreads(agent, options);
}

import { buildResumeArray, type HttpAgent, type Interrupt, type ResumeEntry } from "@ag-ui/client";
import type { Schema } from "./_schema.js";

/** An interrupt as the agent declares it. */
export type InterruptContract = {
  readonly reason: string;
  readonly message?: string;
  readonly payload: Schema<unknown>;
  readonly response: Schema<unknown>;
};

/** All interrupts that an agent declares, by reason. */
export type InterruptContracts = { readonly [reason: string]: InterruptContract };

/** What is asked and what answers it, by reason. */
export type Asked = { [reason: string]: { payload: unknown; response: unknown } };

/** An open interrupt of one of several kinds, told apart by its `reason`. */
export type TypedInterrupt<A extends Asked> = {
  [R in keyof A & string]: {
    readonly id: string;
    readonly reason: R;
    /** What the person is asked, where the agent has words for it. */
    readonly message?: string | undefined;
    readonly payload: A[R]["payload"];
    /** The tool call that waits for the answer. */
    readonly toolCallId?: string | undefined;
    /** When it will be too late for an answer. */
    readonly expiresAt?: string | undefined;
    /** The invocation of a subagent that asks; without it, the agent itself does. */
    readonly subagentRunId?: string | undefined;
  };
}[keyof A & string];

/** What answers an interrupt; where that may be one of several kinds, what answers each of them. */
export type ResponseTo<A extends Asked, Q extends { readonly reason: string }> = (
  Q extends { readonly reason: infer R extends keyof A } ? (response: A[R]["response"]) => void : never
) extends (response: infer Response) => void
  ? Response
  : never;

/** Where what is asked travels: the protocol has no member for it. */
const PAYLOAD = "agui-rust/payload";

type Responses = Parameters<typeof buildResumeArray>[1];

/** What was said to the interrupts of a run; another run has others. */
const said = new WeakMap<readonly Interrupt[], Responses>();

const reported = new WeakSet<Interrupt>();

/** Those of the open interrupts that the agent declares. */
export function typedInterrupts<A extends Asked>(
  contracts: InterruptContracts,
  interrupts: readonly Interrupt[],
): TypedInterrupt<A>[] {
  return interrupts.flatMap((open) => {
    const contract = contractOf(contracts, open.reason);
    if (contract === undefined) {
      return [];
    }
    const checked = contract.payload.check(open.metadata?.[PAYLOAD]);
    if (checked.issues !== undefined) {
      if (!reported.has(open)) {
        reported.add(open);
        console.error(`agui: interrupt ${open.reason} is not as declared: ${places(checked.issues)}`);
      }
      return [];
    }
    const { id, reason, message, toolCallId, expiresAt, subagentRunId } = open as Interrupt & {
      // Before 1.0, the official client did not know of it.
      readonly subagentRunId?: string | undefined;
    };
    const payload = checked.value;
    return [{ id, reason, message, payload, toolCallId, expiresAt, subagentRunId }] as TypedInterrupt<A>[];
  });
}

/** Keeps the answer to an open interrupt for the next run. */
export function resolve(
  agent: HttpAgent,
  contracts: InterruptContracts,
  interrupt: { readonly id: string; readonly reason: string },
  response: unknown,
): void {
  assertFits(contracts, interrupt, response);
  // What is `null` is an answer without a payload.
  const payload = response === null || response === undefined ? {} : { payload: response };
  say(agent, interrupt.id, { status: "resolved", ...payload });
}

/** Throws where a response does not answer the interrupt. */
export function assertFits(
  contracts: InterruptContracts,
  interrupt: { readonly id: string; readonly reason: string },
  response: unknown,
): void {
  const issues = contractOf(contracts, interrupt.reason)?.response.check(response ?? null).issues;
  if (issues !== undefined) {
    throw new Error(`the response to ${interrupt.id} does not fit: ${places(issues)}`);
  }
}

/** Cancels an open interrupt, in the next run. */
export function cancel(agent: HttpAgent, interrupt: { readonly id: string }): void {
  say(agent, interrupt.id, { status: "cancelled" });
}

/** What was said to the open interrupts, all of them; throws where one has no answer yet. */
export function answers(agent: HttpAgent): ResumeEntry[] {
  return buildResumeArray(agent.pendingInterrupts, said.get(agent.pendingInterrupts) ?? {});
}

function say(agent: HttpAgent, id: string, response: Responses[string]): void {
  const open = agent.pendingInterrupts;
  if (!open.some((interrupt) => interrupt.id === id)) {
    throw new Error(`the interrupt ${id} is not open`);
  }
  said.set(open, { ...said.get(open), [id]: response });
}

function contractOf(contracts: InterruptContracts, reason: string): InterruptContract | undefined {
  return Object.prototype.hasOwnProperty.call(contracts, reason) ? contracts[reason] : undefined;
}

function places(issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[]): string {
  return issues.map((i) => `${i.path.join(".") || "value"}: ${i.message}`).join("; ");
}

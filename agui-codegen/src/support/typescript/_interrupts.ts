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

/** The payload and the response of each interrupt, by reason. */
export type Asked = { [reason: string]: { payload: unknown; response: unknown } };

/** An open interrupt of one of several kinds, discriminated by its `reason`. */
export type TypedInterrupt<A extends Asked> = {
  [R in keyof A & string]: {
    readonly id: string;
    readonly reason: R;
    /** The question to the user, if the agent has words for it. */
    readonly message?: string | undefined;
    readonly payload: A[R]["payload"];
    /** The tool call that waits for the response. */
    readonly toolCallId?: string | undefined;
    /** The time after which a response is too late. */
    readonly expiresAt?: string | undefined;
    /** The run of the subagent that asks; without it, the agent itself asks. */
    readonly subagentRunId?: string | undefined;
  };
}[keyof A & string];

/** The response to an interrupt; for a union of interrupts, the responses to each of them. */
export type ResponseTo<A extends Asked, Q extends { readonly reason: string }> = (
  Q extends { readonly reason: infer R extends keyof A } ? (response: A[R]["response"]) => void : never
) extends (response: infer Response) => void
  ? Response
  : never;

/** The member with the payload: the protocol has none for it. */
const PAYLOAD = "agui-rust/payload";

type Responses = Parameters<typeof buildResumeArray>[1];

/** The answers to the interrupts of each run. */
const said = /* @__PURE__ */ new WeakMap<readonly Interrupt[], Responses>();

const reported = /* @__PURE__ */ new WeakSet<Interrupt>();

/** The open interrupts that the agent declares. */
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
      // Before 1.0, the official client did not have this member.
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
  // A `null` response is an answer without a payload.
  const payload = response === null || response === undefined ? {} : { payload: response };
  say(agent, interrupt.id, { status: "resolved", ...payload });
}

/** Throws if a response does not fit the interrupt. */
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

/** The answers to all open interrupts; throws if one has no answer yet. */
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

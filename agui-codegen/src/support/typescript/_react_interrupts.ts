import type { Interrupt } from "@ag-ui/client";
import { useInterrupt } from "@copilotkit/react-core/v2";
import { createElement, Fragment, type ReactElement } from "react";
import { type Asked, assertFits, type InterruptContracts, type TypedInterrupt, typedInterrupts } from "./_interrupts.js";

/** An open interrupt and the ways to answer it; the agent continues when all its interrupts have an answer. */
export type OpenInterrupt<A extends Asked> = {
  [R in keyof A & string]: TypedInterrupt<Pick<A, R>> & {
    readonly resolve: (response: A[R]["response"]) => Promise<void>;
    readonly cancel: () => Promise<void>;
  };
}[keyof A & string];

/** Renders an interrupt that the agent does not declare, or not with this payload: its response has no type. */
export type OthersRender = (
  interrupt: Interrupt,
  ways: { readonly cancel: () => Promise<void> },
) => ReactElement | null;

const warned = /* @__PURE__ */ new WeakSet<Interrupt>();

/** Renders each open interrupt that the agent declares, inside the chat; cancels all others, or calls `others` for them. */
export function useInterrupts<A extends Asked>(
  agentId: string,
  contracts: InterruptContracts,
  render: (interrupt: OpenInterrupt<A>) => ReactElement | null,
  others?: OthersRender,
): void {
  const othersOf = (interrupts: readonly Interrupt[]): Interrupt[] => {
    const own = new Set(typedInterrupts<A>(contracts, interrupts).map((interrupt) => interrupt.id));
    return interrupts.filter((interrupt) => !own.has(interrupt.id));
  };
  useInterrupt({
    agentId,
    // CopilotKit continues when all have an answer, so an interrupt that is not shown would stop the thread for good.
    handler: ({ interrupts, cancel }) => {
      if (others === undefined) {
        for (const interrupt of othersOf(interrupts)) {
          if (!warned.has(interrupt)) {
            warned.add(interrupt);
            console.warn(`agui: interrupt ${interrupt.reason} is cancelled: it is not declared, or its payload has another type`);
          }
          void cancel(interrupt.id);
        }
      }
    },
    render: ({ interrupts, resolve, cancel }) => {
      const drawn = typedInterrupts<A>(contracts, interrupts).map((interrupt) => {
        const open = {
          ...interrupt,
          resolve: async (response: unknown) => {
            assertFits(contracts, interrupt, response);
            // A `null` response is an answer without a payload.
            await resolve(response ?? undefined, interrupt.id);
          },
          cancel: async () => {
            await cancel(interrupt.id);
          },
        };
        return createElement(Fragment, { key: interrupt.id }, render(open as OpenInterrupt<A>));
      });
      const drawnOthers = (others === undefined ? [] : othersOf(interrupts)).map((interrupt) => {
        const ways = {
          cancel: async () => {
            await cancel(interrupt.id);
          },
        };
        return createElement(Fragment, { key: interrupt.id }, others?.(interrupt, ways));
      });
      return createElement(Fragment, null, ...drawn, ...drawnOthers);
    },
  });
}

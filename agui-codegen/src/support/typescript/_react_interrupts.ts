import { useInterrupt } from "@copilotkit/react-core/v2";
import { createElement, Fragment, type ReactElement } from "react";
import { type Asked, assertFits, type InterruptContracts, type Question, questions } from "./_interrupts.js";

/** An open question and the ways to answer it; the agent goes on when all that it asked have an answer. */
export type OpenQuestion<A extends Asked> = {
  [R in keyof A & string]: Question<Pick<A, R>> & {
    readonly resolve: (response: A[R]["response"]) => Promise<void>;
    readonly cancel: () => Promise<void>;
  };
}[keyof A & string];

/** Draws each open question of the kinds that the agent declares, inside the chat. */
export function useQuestions<A extends Asked>(
  agentId: string,
  contracts: InterruptContracts,
  render: (question: OpenQuestion<A>) => ReactElement | null,
): void {
  useInterrupt({
    agentId,
    render: ({ interrupts, resolve, cancel }) => {
      const drawn = questions<A>(contracts, interrupts).map((question) => {
        const open = {
          ...question,
          resolve: async (response: unknown) => {
            assertFits(contracts, question, response);
            // What is `null` is an answer without a payload.
            await resolve(response ?? undefined, question.id);
          },
          cancel: async () => {
            await cancel(question.id);
          },
        };
        return createElement(Fragment, { key: question.id }, render(open as OpenQuestion<A>));
      });
      return createElement(Fragment, null, ...drawn);
    },
  });
}

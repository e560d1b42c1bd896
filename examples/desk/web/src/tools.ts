import type { ToolArgs, ToolResults } from "../../ts/agui/desk/agent.js";
import { money } from "./money.js";

/** The text of a card. */
export type Line = { readonly title: string; readonly detail: string; readonly amount?: string };

type Words<K extends keyof ToolArgs> = {
  readonly icon: "parcel" | "refund";
  readonly called: (args: ToolArgs[K]) => Line;
  readonly answered: (result: ToolResults[K]) => Line;
  /** The status of an answered call. */
  readonly done: string;
};

/** The words about each tool of the agent. A tool added in Rust is a type error here until it has some. */
export const TOOLS: { readonly [K in keyof ToolArgs]: Words<K> } = {
  order: {
    icon: "parcel",
    called: ({ number }) => ({ title: `Order ${number}`, detail: "Looking it up" }),
    answered: ({ number, item, cents, refunded }) => ({
      title: `Order ${number}`,
      detail: refunded === 0 ? item : `${item}, ${money(refunded)} refunded`,
      amount: money(cents),
    }),
    done: "found",
  },
  refund: {
    icon: "refund",
    called: ({ number, cents }) => ({ title: "Refund", detail: `Order ${number}`, amount: money(cents) }),
    answered: ({ number, item }) => ({ title: "Refund", detail: `Order ${number}, ${item}` }),
    done: "paid back",
  },
};

export function isTool(name: string): name is keyof ToolArgs {
  return Object.hasOwn(TOOLS, name);
}

import type { ToolArgs, ToolResults } from "../agui/cook/agent.js";
import { money } from "../format.js";

type Words<K extends keyof ToolArgs & keyof ToolResults> = {
  readonly icon: "basket" | "pot" | "tag";
  readonly args: (args: ToolArgs[K]) => string;
  readonly result: (result: ToolResults[K]) => string;
};

/** The line about each tool of the agent. A tool added in Rust is a type error here until it has one. */
export const TOOLS: { readonly [K in keyof ToolArgs]: Words<K> } = {
  price: {
    icon: "tag",
    args: ({ name }) => name,
    result: money,
  },
  write_recipe: {
    icon: "pot",
    args: ({ title, servings }) => `${title} for ${servings}`,
    result: () => "written",
  },
  confirm_order: {
    icon: "basket",
    args: ({ total, items }) => `${items.length} items, ${money(total)}`,
    result: ({ approved }) => (approved ? "confirmed" : "declined"),
  },
};

export function isTool(name: string): name is keyof ToolArgs {
  return Object.hasOwn(TOOLS, name);
}

import { type ToolArgs, tools } from "./agui/assistant/agent.js";
import { readArguments } from "./agui/_support.js";

/** The words for a call of each tool; a tool without words is shown by its name. */
const WORDS: { readonly [K in keyof ToolArgs]?: (args: ToolArgs[K]) => string } = {
  add: ({ task }) => `Add “${task}”`,
  remove: ({ task }) => `Remove “${task}”`,
};

/** The words for a call whose arguments have the type of its tool. */
export function words<K extends keyof ToolArgs>(tool: K, args: ToolArgs[K]): string {
  return WORDS[tool]?.(args) ?? tool;
}

/** The words for a call of a message: its name, until its arguments are whole. */
export function titleOf({ name, arguments: text }: { readonly name: string; readonly arguments: string }): string {
  if (!Object.hasOwn(tools, name)) return name;
  const tool = name as keyof ToolArgs;
  const read = readArguments(tools[tool], text);
  return read.issues === undefined ? words(tool, read.value as never) : name;
}

/** Messages that a new user can send with one click. */
export const SUGGESTIONS = ["Buy rice", "Water the plants"];

/** An error, in words for the user. */
export function reason(error: unknown): string {
  // The error of `fetch` without a server: its message differs between browsers.
  if (error instanceof TypeError) return "The agent cannot be reached. Does it run?";
  return error instanceof Error ? error.message : String(error);
}

import { codeOf } from "./codes.mjs";

// The names in the verifier's texts beside the rule: kind, id and owner, or the owner alone.
const PATTERNS = {
  V_OWNER_MISMATCH: /does not match the (.*) '(.*)' opener's subagent '(.*)'\.$/,
  V_TOOL_PARENT_OWNER: /parent message '.*' owner '(.*)'\. /,
  V_TOOL_REOPEN_OWNER: /is owned by '(.*)' but its parent/,
};

/** A text of the verifier as its code and what it names: `V_FINISH_WITH_OPEN_TEXT|x|y`, open things sorted. */
export function verdictOf(message) {
  const code = codeOf(message);
  if (code.startsWith("V_FINISH_WITH_OPEN_")) {
    const open = message.slice(message.indexOf(": ") + 2).split(", ");
    return [code, ...open.sort()].join("|");
  }
  const pattern = PATTERNS[code];
  if (!pattern) return code === "OTHER" ? `OTHER|${message}` : code;
  const match = pattern.exec(message);
  if (!match) throw new Error(`unexpected text for ${code}: ${message}`);
  return [code, ...match.slice(1)].join("|");
}

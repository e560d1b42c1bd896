// Short names for the client's error texts, as our own verifier and our test vectors use them.
const TABLE = [
  ["V_FIRST_EVENT", /^First event must be/],
  ["V_AFTER_ERROR", /The run has already errored/],
  ["V_AFTER_FINISHED", /The run has already finished/],
  ["V_RUN_ACTIVE", /while a run is still active/],
  ["V_TEXT_DUPLICATE_START", /A text message with ID .* is already in progress/],
  ["V_TEXT_CONTENT_NOT_OPEN", /'TEXT_MESSAGE_CONTENT' event: No active text message/],
  ["V_TEXT_END_NOT_OPEN", /'TEXT_MESSAGE_END' event: No active text message/],
  ["V_TOOL_DUPLICATE_START", /A tool call with ID .* is already in progress/],
  ["V_TOOL_ARGS_NOT_OPEN", /'TOOL_CALL_ARGS' event: No active tool call/],
  ["V_TOOL_END_NOT_OPEN", /'TOOL_CALL_END' event: No active tool call/],
  ["V_TOOL_PARENT_OWNER", /does not match its parent message/],
  ["V_TOOL_REOPEN_OWNER", /is owned by .* but its parent message/],
  ["V_STEP_DUPLICATE_START", /is already active for 'STEP_STARTED'/],
  ["V_STEP_OTHER_OWNER", /A step must be finished by whoever started it/],
  ["V_STEP_FINISH_NOT_OPEN", /that was not started$/],
  ["V_REASONING_SPAN_DUPLICATE", /A reasoning span with ID .* is already in progress/],
  ["V_REASONING_SPAN_NOT_OPEN", /No active reasoning span found/],
  ["V_REASONING_MSG_DUPLICATE", /A reasoning message with ID .* is already in progress/],
  ["V_REASONING_MSG_NOT_OPEN", /No active reasoning message found/],
  ["V_SUBAGENT_ACTIVE", /subagent .* is already active/],
  ["V_SUBAGENT_REUSED", /has already finished in this run/],
  ["V_SUBAGENT_PARENT_UNKNOWN", /parentSubagentRunId .* has not been started/],
  ["V_SUBAGENT_NOT_ACTIVE", /no active subagent found/],
  ["V_SUBAGENT_FIELD_MISSING", /^Cannot send 'SUBAGENT_\w+' without a/],
  ["V_SUBAGENT_OUTCOME", /with outcome type/],
  ["V_SUBAGENT_INTERRUPT_IDS", /non-string entry in 'outcome.interruptIds'/],
  ["V_NULL_FIELD", /: null'/],
  ["V_FINISH_WITH_OPEN_STEPS", /while steps are still active/],
  ["V_FINISH_WITH_OPEN_TEXT", /while text messages are still active/],
  ["V_FINISH_WITH_OPEN_REASONING_MESSAGES", /while reasoning messages are still active/],
  ["V_FINISH_WITH_OPEN_REASONING_SPANS", /while reasoning spans are still active/],
  ["V_FINISH_WITH_OPEN_TOOLS", /while tool calls are still active/],
  ["V_FINISH_WITH_OPEN_SUBAGENTS", /while subagents are still active/],
  ["C_TEXT_NO_ID", /^First TEXT_MESSAGE_CHUNK must have a messageId/],
  ["C_TOOL_NO_ID", /^First TOOL_CALL_CHUNK must have a toolCallId/],
  ["C_TOOL_NO_NAME", /^First TOOL_CALL_CHUNK must have a toolCallName/],
  ["C_REASONING_NO_ID", /^First REASONING_MESSAGE_CHUNK must have a messageId/],
  ["C_OWNER_CONFLICT", /^Cannot continue .*: chunk subagentRunId/],
  ["C_CONFLICT", /^Cannot continue .*: chunk \w+ .* does not match the open stream's/],
  ["C_AMBIGUOUS", /^Ambiguous /],
  ["V_OWNER_MISMATCH", /does not match the .* opener's subagent/],
  ["P_PATCH_FAILED", /JsonPatch|JSON Patch|Cannot perform the operation|does not exist|out of bounds/],
];

/** The short name for an error text; malformed values (a JSON list of issues) are `S_MALFORMED`. */
export function codeOf(message) {
  if (message === undefined) return undefined;
  const hit = TABLE.find(([, pattern]) => pattern.test(message));
  if (hit) return hit[0];
  return /^\[\s*\{/.test(message) ? "S_MALFORMED" : "OTHER";
}

/** Paths of the values a malformed-value error objects to, as JSON pointers. */
export function malformedPaths(message) {
  try {
    return JSON.parse(message).map((issue) => `/${issue.path.join("/")}`);
  } catch {
    return undefined;
  }
}

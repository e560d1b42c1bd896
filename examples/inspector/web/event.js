// An event, as the page shows it: its family, which has a colour, and a few words about it.

/** The families in the order of the filters. */
export const FAMILIES = {
  run: "Run",
  text: "Text",
  reasoning: "Reasoning",
  tool: "Tools",
  state: "State",
  activity: "Activity",
  subagent: "Subagents",
  custom: "Custom",
  unknown: "Unknown",
};

const PREFIXES = [
  ["RUN_", "run"],
  ["STEP_", "run"],
  ["TEXT_MESSAGE_", "text"],
  ["MESSAGES_", "text"],
  ["REASONING_", "reasoning"],
  ["THINKING_", "reasoning"],
  ["TOOL_CALL_", "tool"],
  ["STATE_", "state"],
  ["ACTIVITY_", "activity"],
  ["SUBAGENT_", "subagent"],
  ["CUSTOM", "custom"],
  ["RAW", "custom"],
];

const SEVERITY = { unread: 1, warning: 2, spec: 3, refused: 4 };

/** The verdicts by their level: a sign, and its words. */
export const VERDICTS = {
  ok: ["✓", "in order"],
  unread: ["–", "not read"],
  warning: ["!", "warning"],
  spec: ["§", "violates the specification"],
  refused: ["✕", "refused"],
};

/** Reads a line of the server. */
export function readEvent(line, n, run) {
  const json = parsed(line.text);
  const type = typeof json?.type === "string" ? json.type : "";
  const family = PREFIXES.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "unknown";
  const worst = line.findings.reduce((most, { level }) => (SEVERITY[level] > (SEVERITY[most] ?? 0) ? level : most), "ok");
  return {
    n, run, type, family, json,
    at: line.at,
    bytes: line.bytes,
    text: line.text,
    isCut: line.isCut,
    findings: line.findings,
    becomes: line.becomes,
    verdict: worst,
    isProblem: worst !== "ok" && worst !== "unread",
    author: typeof json?.subagentRunId === "string" ? json.subagentRunId : "",
    name: type || "not an event",
    summary: json ? summary(type, json) : line.text,
    lane: null,
  };
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The part of an event that differs from others of its type, on one line. */
function summary(type, json) {
  const pick = Object.hasOwn(SUMMARIES, type) ? SUMMARIES[type] : null;
  const found = pick ? pick(json) : JSON.stringify({ ...json, type: undefined });
  const text = typeof found === "string" ? found : JSON.stringify(found) ?? "";
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

const operations = (patch) =>
  Array.isArray(patch) ? patch.map((one) => `${one?.op} ${one?.path ?? ""}`).join(", ") : JSON.stringify(patch);

const SUMMARIES = {
  RUN_STARTED: (e) => `run ${e.runId}`,
  RUN_FINISHED: (e) => outcome(e),
  RUN_ERROR: (e) => [e.code, e.message].filter(Boolean).join(": "),
  STEP_STARTED: (e) => e.stepName,
  STEP_FINISHED: (e) => e.stepName,
  TEXT_MESSAGE_START: (e) => e.role ?? "assistant",
  TEXT_MESSAGE_CONTENT: (e) => e.delta,
  TEXT_MESSAGE_CHUNK: (e) => e.delta ?? "",
  TEXT_MESSAGE_END: () => "",
  REASONING_START: () => "",
  REASONING_END: () => "",
  REASONING_MESSAGE_START: () => "",
  REASONING_MESSAGE_END: () => "",
  REASONING_MESSAGE_CONTENT: (e) => e.delta,
  REASONING_MESSAGE_CHUNK: (e) => e.delta ?? "",
  REASONING_ENCRYPTED_VALUE: (e) => ["of", e.entityId, e.encryptedValueType].filter(Boolean).join(" "),
  TOOL_CALL_START: (e) => e.toolCallName,
  TOOL_CALL_ARGS: (e) => e.delta,
  TOOL_CALL_CHUNK: (e) => [e.toolCallName, e.delta].filter(Boolean).join(" "),
  TOOL_CALL_END: () => "",
  TOOL_CALL_RESULT: (e) => e.content,
  STATE_SNAPSHOT: (e) => e.snapshot,
  STATE_DELTA: (e) => operations(e.delta),
  MESSAGES_SNAPSHOT: (e) => (Array.isArray(e.messages) ? `${e.messages.length} messages` : ""),
  ACTIVITY_SNAPSHOT: (e) => `${e.activityType} ${JSON.stringify(e.content)}`,
  ACTIVITY_DELTA: (e) => `${e.activityType} ${operations(e.patch)}`,
  SUBAGENT_STARTED: (e) => e.name ?? "",
  SUBAGENT_FINISHED: (e) => outcome(e),
  SUBAGENT_ERROR: (e) => [e.code, e.message].filter(Boolean).join(": "),
  CUSTOM: (e) => `${e.name} ${JSON.stringify(e.value)}`,
  RAW: (e) => `${e.source ? `${e.source} ` : ""}${JSON.stringify(e.event)}`,
};

function outcome(event) {
  const { outcome } = event;
  if (outcome?.type === "interrupt") {
    const count = outcome.interrupts?.length ?? 0;
    return `interrupted: ${count} ${count === 1 ? "question" : "questions"}`;
  }
  const result = event.result === undefined ? "" : ` ${JSON.stringify(event.result)}`;
  return `${outcome?.type ?? "finished"}${result}`;
}

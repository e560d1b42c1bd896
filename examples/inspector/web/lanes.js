// The lanes: one for each run, message, call, reasoning, step, activity and subagent, from its first event to its last.

/** The kinds of lanes by the prefixes of types: the family, and the member of the event that names the lane. */
const KINDS = [
  ["TEXT_MESSAGE_", "text", "messageId"],
  ["REASONING_", "reasoning", "messageId"],
  ["THINKING_", "reasoning", "messageId"],
  ["TOOL_CALL_", "tool", "toolCallId"],
  ["STEP_", "step", "stepName"],
  ["ACTIVITY_", "activity", "messageId"],
  ["SUBAGENT_", "subagent", "subagentRunId"],
  ["STATE_", "state", null],
  ["CUSTOM", "custom", null],
  ["RAW", "custom", null],
];

const LABELS = { text: "message", reasoning: "reasoning", state: "state", custom: "custom", tool: "call" };

export class Lanes {
  list = [];
  #byKey = new Map();
  /** The lanes that pieces without an id continue, by author and kind. */
  #last = new Map();
  /** The depth of subagents by their ids. */
  #depth = new Map([["", 0]]);

  /** Puts an event into its lane. */
  add(event) {
    const [, kind, member] = KINDS.find(([prefix]) => event.type.startsWith(prefix)) ?? ["", "run", null];
    if (event.type === "SUBAGENT_STARTED") this.#started(event);
    const id = this.#id(event, kind, member);
    const author = kind === "subagent" ? "" : event.author;
    const key = [event.run, kind, author, id].join("\u0000");
    let lane = this.#byKey.get(key);
    if (!lane) {
      lane = { key, kind, id, author, depth: this.#depthOf(kind, author, id), events: [], isOver: false, label: "", role: "" };
      this.#byKey.set(key, lane);
      this.list.push(lane);
    }
    lane.events.push(event.n);
    lane.label = this.#label(lane, event) || lane.label;
    if (/_(END|FINISHED|ERROR|RESULT)$/.test(event.type)) lane.isOver = true;
    event.lane = lane;
  }

  #started({ json }) {
    const parent = json.parentSubagentRunId ?? "";
    this.#depth.set(json.subagentRunId, (this.#depth.get(parent) ?? 0) + 1);
  }

  #depthOf(kind, author, id) {
    return kind === "subagent" ? Math.max(0, (this.#depth.get(id) ?? 1) - 1) : this.#depth.get(author) ?? 0;
  }

  /** Chunks, results and the events of legacy reasoning may have no id of their own. */
  #id({ run, author, json }, kind, member) {
    const last = [run, author, kind].join("\u0000");
    const named = member ? json?.[member] : "";
    if (typeof named === "string" && named) this.#last.set(last, named);
    return typeof named === "string" ? named : this.#last.get(last) ?? "";
  }

  #label(lane, { type, json, run }) {
    switch (lane.kind) {
      case "run": return `run ${run + 1}`;
      case "tool": return json.toolCallName ?? (lane.label || LABELS.tool);
      case "step": return `step ${json.stepName}`;
      case "activity": return json.activityType;
      case "subagent": return json.name ?? (lane.label || json.subagentRunId);
      case "text": return type === "TEXT_MESSAGE_START" ? json.name ?? json.role ?? LABELS.text : lane.label || LABELS.text;
      default: return LABELS[lane.kind];
    }
  }
}

import { isObject } from "./_check.js";
import { RefusedError } from "./_connection.js";

const encoder = /* @__PURE__ */ new TextEncoder();

/** A record with its event. */
export type ReceivedRecord = { readonly bytes: Uint8Array; readonly event: { readonly [key: string]: unknown } };

/** The kinds of spans: the event that opens one, those that close it, and the member with its id. */
const SPANS: readonly (readonly [string, readonly string[], string])[] = [
  ["TEXT_MESSAGE_START", ["TEXT_MESSAGE_END"], "messageId"],
  ["TOOL_CALL_START", ["TOOL_CALL_END"], "toolCallId"],
  ["REASONING_START", ["REASONING_END"], "messageId"],
  ["REASONING_MESSAGE_START", ["REASONING_MESSAGE_END"], "messageId"],
  ["STEP_STARTED", ["STEP_FINISHED"], "stepName"],
  ["SUBAGENT_STARTED", ["SUBAGENT_FINISHED", "SUBAGENT_ERROR"], "subagentRunId"],
];

/** The event of a record, if it opens or closes something. */
export function eventOf(record: string): ReceivedRecord["event"] {
  // Events in the middle of a span are not looked at, so they are not parsed.
  if (!/_(START|END|STARTED|FINISHED|ERROR)"/.test(record)) {
    return {};
  }
  try {
    const lines = record.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
    const event: unknown = JSON.parse(lines.map((line) => line.slice(5)).join("\n"));
    return isObject(event) ? event : {};
  } catch {
    return {};
  }
}

/** True for the last event of a run. */
export function isEnd(event: ReceivedRecord["event"]): boolean {
  return event["type"] === "RUN_FINISHED" || event["type"] === "RUN_ERROR";
}

/** The name of the span that an event opens (0) or closes (1). */
function spanOf(event: ReceivedRecord["event"], side: 0 | 1): string | undefined {
  const found = SPANS.find((span) => [span[side]].flat().includes(String(event["type"])));
  if (found === undefined) {
    return undefined;
  }
  const [opening, , member] = found;
  // The steps of two subagents may have one name.
  const owner = member === "subagentRunId" ? undefined : event["subagentRunId"];
  return JSON.stringify([opening, event[member], owner]);
}

/** The run as far as it was delivered. */
export class DeliveredRun {
  isOver = false;
  private run: unknown;
  /** The open spans, the first opened first. */
  private open: string[] = [];

  note(event: ReceivedRecord["event"]): void {
    const [opened, closed] = [spanOf(event, 0), spanOf(event, 1)];
    if (opened !== undefined) {
      this.open.push(opened);
    } else if (closed !== undefined) {
      this.open = this.open.filter((span) => span !== closed);
    } else if (event["type"] === "RUN_STARTED") {
      this.run = event["runId"];
    }
    this.isOver ||= isEnd(event);
  }

  /**
   * Joins a stream that begins again, with the conversation as it is now and an opening event for each open span. The
   * result leads from what was delivered to that: no second beginning, the ends of the spans that are not open any
   * more, the beginnings of those that are new.
   */
  join(prelude: readonly ReceivedRecord[]): Uint8Array[] {
    const [records, last]: [Uint8Array[], Uint8Array[]] = [[], []];
    const opened = new Map<string, Uint8Array>();
    for (const { bytes, event } of prelude) {
      const span = spanOf(event, 0);
      if (span !== undefined) {
        opened.set(span, bytes);
      } else if (event["type"] === "RUN_STARTED") {
        if (this.run !== undefined && this.run !== event["runId"]) {
          throw new RefusedError(410, "run_superseded", "the rest of the run is not kept any more, and another one has begun");
        }
        if (this.run === undefined) {
          records.push(bytes);
        }
        this.run = event["runId"];
      } else {
        (isEnd(event) ? last : records).push(bytes);
      }
    }
    const ended = this.open.filter((span) => !opened.has(span)).reverse();
    const begun = [...opened].filter(([span]) => !this.open.includes(span));
    this.open = [...opened.keys()];
    this.isOver = last.length > 0;
    return [...records, ...ended.map(endOf), ...begun.map(([, bytes]) => bytes), ...last];
  }
}

/** The record that closes a span. */
function endOf(span: string): Uint8Array {
  const [opening, id, subagentRunId] = JSON.parse(span) as [string, unknown, unknown];
  const [, closing = [], member = ""] = SPANS.find((known) => known[0] === opening) ?? [];
  const owner = subagentRunId === null || subagentRunId === undefined ? {} : { subagentRunId };
  return encoder.encode(`data: ${JSON.stringify({ type: closing[0], [member]: id, ...owner })}\n\n`);
}

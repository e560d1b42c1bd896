#!/usr/bin/env node
// stdin: a list of frames (JSON texts) per line. stdout: for each line one list, a result per frame until one is refused:
//   {"event", "warnings"}            what became of it; no "event" if it was dropped
//   {"refused", "paths", "warnings"} why it was not taken
// The reader's own check, the compatibility boundary and enforcement, nothing else. See README.md.
import { createInterface } from "node:readline";
import { Observable, Subject } from "rxjs";
import { CompatibilityBoundary, enforceEvents } from "@ag-ui/client";
import { codeOf, malformedPaths } from "./codes.mjs";

const warnings = [];
console.warn = (line) => warnings.push(line);

/** The two stages, fed by hand; what comes out goes to `observer`. */
function stages(observer) {
  const source = new Subject();
  const agent = { run: () => source.asObservable() };
  const translated = new Observable((next) => new CompatibilityBoundary().run({ messages: [] }, agent).subscribe(next));
  enforceEvents(false)(translated).subscribe(observer);
  return source;
}

function read(frame) {
  let event;
  try {
    event = JSON.parse(frame);
  } catch {
    return { refused: "S_NOT_JSON" };
  }
  const isEvent = typeof event === "object" && event !== null && !Array.isArray(event);
  return isEvent && typeof event.type === "string" && event.type !== "" ? { event } : { refused: "S_NOT_AN_EVENT" };
}

function take(frames) {
  let passed;
  let failure;
  const source = stages({ next: (event) => (passed = event), error: (cause) => (failure = cause) });
  const results = [];
  for (const frame of frames) {
    warnings.length = 0;
    passed = undefined;
    const { event, refused } = read(frame);
    if (event) source.next(event);
    const text = failure && (failure.message ?? String(failure));
    const result = failure
      ? { refused: failure instanceof TypeError ? "S_MALFORMED" : codeOf(text), paths: malformedPaths(text) ?? [] }
      : refused
        ? { refused, paths: [] }
        : { event: passed };
    results.push({ ...result, warnings: [...warnings] });
    if (result.refused) break;
  }
  return results;
}

/** Half a character, which no reader of UTF-8 takes, stands there as the text of its escape. */
const spell = (results) => JSON.stringify(results).replace(/(?<!\\)\\(u[dD][89a-fA-F])/g, "\\\\$1");

let out = [];
const flush = () => new Promise((resolve) => process.stdout.write(out.splice(0).join(""), resolve));

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  out.push(`${spell(take(JSON.parse(line)))}\n`);
  if (out.length >= 1024) await flush();
}
await flush();

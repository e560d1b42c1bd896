#!/usr/bin/env node
// stdin: an event (an object; it gets the next number, from 0) or a trace (an array of such numbers) per line.
// stdout: for each trace one line, empty if the official client takes it, else [index, code, text]. See README.md.
import { createInterface } from "node:readline";
import { Subject } from "rxjs";
import { enforceEvents, transformChunks, verifyEvents } from "@ag-ui/client";
import { codeOf } from "./codes.mjs";
import { frozen } from "./frozen.mjs";
import { capturing } from "./lib.mjs";

// The result of enforcement for each event, or the reason why it does not pass unchanged. It reads each alone, so once
// is enough.
const events = [];
const faults = [];

async function enforce(event) {
  const out = [];
  let fault;
  const { warnings } = await capturing(async () => {
    const source = new Subject();
    enforceEvents(false)(source).subscribe({
      next: (passed) => out.push(passed),
      error: (cause) => (fault = [codeOf(cause.message), cause.message]),
    });
    source.next(structuredClone(event));
    return {};
  });
  // It warns wherever it leaves something out.
  if (!fault && (warnings.length > 0 || out.length !== 1)) fault = ["S_NOT_AS_IT_IS", warnings.join("\n")];
  faults.push(fault);
  events.push(frozen(out[0]));
}

function judge(trace) {
  const source = new Subject();
  let failure;
  let at = 0;
  const stages = transformChunks(false)(source);
  verifyEvents(false)(stages).subscribe({ error: (cause) => (failure = cause) });
  for (; at < trace.length; at += 1) {
    const fault = faults[trace[at]];
    if (fault) return [at, ...fault];
    source.next(events[trace[at]]);
    if (failure) return [at, codeOf(failure.message), failure.message];
  }
  source.complete();
  return failure ? [at, codeOf(failure.message), failure.message] : undefined;
}

let out = [];
const flush = () => new Promise((resolve) => process.stdout.write(out.splice(0).join(""), resolve));

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const job = JSON.parse(line);
  if (!Array.isArray(job)) {
    await enforce(job);
    continue;
  }
  const refusal = judge(job);
  out.push(refusal ? `${JSON.stringify(refusal)}\n` : "\n");
  if (out.length >= 4096) await flush();
}
await flush();

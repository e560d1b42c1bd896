#!/usr/bin/env node
// stdin: an event (an object with a `type`; it gets the next number, from 0) or a job per line, {"trace": [numbers], "messages": [...],
// "state": ...}.
// stdout: for each job one line, the result of the official client's enforcement, expansion, verification and reducer. See README.md.
import { createInterface } from "node:readline";
import { Subject } from "rxjs";
import { defaultApplyEvents, enforceEvents, transformChunks, verifyEvents } from "@ag-ui/client";
import { codeOf } from "./codes.mjs";

console.warn = () => {};
console.error = () => {};

// The result of enforcement for each event. It reads each alone, so once is enough.
const events = [];

function enforce(event) {
  const source = new Subject();
  const out = [];
  let fault;
  enforceEvents(false)(source).subscribe({ next: (passed) => out.push(passed), error: (cause) => (fault = cause) });
  source.next(event);
  events.push({ out: out[0], fault: fault && codeOf(fault.message) });
}

/** A document that contains itself, which one kind of patch makes, is reported as the text `circular`. */
function document(value) {
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return "circular";
  }
}

/** One client without a connection. */
class Client {
  constructor(job) {
    this.trace = job.trace;
    this.next = 0;
    this.delivered = 0;
    this.finished = [];
    this.source = new Subject();
    const { messages = [], state = {} } = job;
    this.agent = { messages, state, pendingInterrupts: [] };
    const verified = verifyEvents(false)(transformChunks(false)(this.source));
    const counted = new Subject();
    const input = { messages, state, tools: [], context: [], threadId: "", runId: "" };
    this.subscriber = {
      onRunFinishedEvent: ({ outcome, result, pendingToolCallIds, interrupts }) =>
        void this.finished.push({ outcome, result, pendingToolCallIds, interrupts }),
    };
    // Every subscriber costs copies of everything for every event; this one acts only at the end of a run.
    this.subscribers = [];
    defaultApplyEvents(input, counted, this.agent, this.subscribers).subscribe({
      next: (mutation) => {
        if (mutation.messages) this.agent.messages = mutation.messages;
        if (mutation.state !== undefined) this.agent.state = mutation.state;
      },
      error: (cause) => this.fail(cause.message),
    });
    verified.subscribe({
      next: (event) => {
        this.delivered += 1;
        counted.next(event);
      },
      error: (cause) => this.fail(cause.message),
    });
  }

  fail(message) {
    this.code ??= codeOf(message);
    if (this.code === "OTHER") this.code = `OTHER|${message}`;
  }

  get done() {
    return this.code !== undefined || this.next >= this.trace.length;
  }

  step() {
    const { out, fault } = events[this.trace[this.next]];
    this.next += 1;
    this.subscribers.length = 0;
    if (out?.type === "RUN_FINISHED") this.subscribers.push(this.subscriber);
    if (fault) this.code = fault;
    else if (out) this.source.next(structuredClone(out));
  }

  get report() {
    const { code, delivered, finished, agent } = this;
    const { pendingInterrupts } = agent;
    const messages = agent.messages.map((message) => (message.role === "activity" ? { ...message, content: document(message.content) } : message));
    const at = code === undefined ? undefined : this.next - 1;
    return { code, at, delivered, messages, state: document(agent.state), finished, pendingInterrupts };
  }
}

/** All clients take one event each, and finish their work on it before the next. */
async function judge(jobs) {
  const clients = jobs.map((job) => new Client(job));
  for (let busy = clients.filter((client) => !client.done); busy.length > 0; busy = busy.filter((client) => !client.done)) {
    for (const client of busy) client.step();
    await new Promise((next) => setImmediate(next));
  }
  const out = clients.map((client) => `${JSON.stringify(client.report)}\n`).join("");
  await new Promise((written) => process.stdout.write(out, written));
}

let jobs = [];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const job = JSON.parse(line);
  if (!job.trace) {
    enforce(job);
    continue;
  }
  jobs.push(job);
  if (jobs.length >= 512) await judge(jobs.splice(0));
}
await judge(jobs);

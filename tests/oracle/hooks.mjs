#!/usr/bin/env node
// stdin: jobs, {"stream": [...], "messages": [...], "state": ..., "before"?: [...], "resume"?: [...], "react": {"at": n, "state"?: ...,
// "messages"?: [...], "stop"?: true, "wait"?: true, "fail"?: true}, "count"?: true, "layer"?: true} per line. `before` is the stream of a run without a subscriber.
// stdout: for each job one line: every hook the official client calls on a subscriber, in order, with its arguments, and the data
// at the end; with `count` also the number of reported changes, with `layer` the types of the events a middleware saw. At the n-th hook (from 0) that can change something, the subscriber answers with `react`. See README.md.
import { createInterface } from "node:readline";
import { HttpAgent } from "@ag-ui/client";
import { tap } from "rxjs";
import { codeOf } from "./codes.mjs";

console.warn = () => {};
console.error = () => {};

const turn = () => new Promise((next) => setImmediate(next));

/** The compared part of a hook's arguments. */
const ARGUMENTS = {
  onEvent: ({ event }) => [event.type],
  onTextMessageContentEvent: ({ event, textMessageBuffer }) => [event.messageId, textMessageBuffer],
  onTextMessageEndEvent: ({ event, textMessageBuffer }) => [event.messageId, textMessageBuffer],
  onReasoningMessageContentEvent: ({ event, reasoningMessageBuffer }) => [event.messageId, reasoningMessageBuffer],
  onReasoningMessageEndEvent: ({ event, reasoningMessageBuffer }) => [event.messageId, reasoningMessageBuffer],
  onToolCallArgsEvent: ({ toolCallName, toolCallBuffer }) => [toolCallName, toolCallBuffer],
  onToolCallEndEvent: ({ toolCallName, toolCallArgs }) => [toolCallName, toolCallArgs],
  onActivitySnapshotEvent: ({ event, existingMessage }) => [event.messageId, existingMessage?.role ?? null],
  onActivityDeltaEvent: ({ event, activityMessage }) => [event.messageId, activityMessage.content],
  onRunFinishedEvent: ({ outcome, result, pendingToolCallIds }) => [outcome, result ?? null, pendingToolCallIds ?? null],
  onRunFailed: ({ error }) => [codeOf(error.message)],
};
const PLAIN = [
  "RunInitialized", "RunFinalized", "RunStartedEvent", "RunErrorEvent", "StepStartedEvent", "StepFinishedEvent",
  "TextMessageStartEvent", "ToolCallStartEvent", "ToolCallResultEvent", "StateSnapshotEvent", "StateDeltaEvent",
  "MessagesSnapshotEvent", "RawEvent", "CustomEvent", "ReasoningStartEvent", "ReasoningEndEvent", "ReasoningMessageStartEvent",
  "ReasoningEncryptedValueEvent", "SubagentStartedEvent", "SubagentFinishedEvent", "SubagentErrorEvent",
];
for (const name of PLAIN) ARGUMENTS[`on${name}`] = () => [];

function recorder(agent, react) {
  const log = [];
  const told = { messages: 0, state: 0 };
  let asked = 0;
  let seen = { messages: JSON.stringify(agent.messages), state: JSON.stringify(agent.state) };
  const subscriber = {
    onNewMessage: ({ message }) => void log.push(["onNewMessage", structuredClone(message)]),
    onNewToolCall: ({ toolCall }) => void log.push(["onNewToolCall", structuredClone(toolCall)]),
    // Reported only if something changed.
    onMessagesChanged: ({ messages }) => {
      told.messages += 1;
      const text = JSON.stringify(messages);
      if (text !== seen.messages) log.push(["onMessagesChanged", JSON.parse(text)]);
      seen.messages = text;
    },
    onStateChanged: ({ state }) => {
      told.state += 1;
      const text = JSON.stringify(state);
      if (text !== seen.state) log.push(["onStateChanged", JSON.parse(text)]);
      seen.state = text;
    },
  };
  for (const [name, pick] of Object.entries(ARGUMENTS)) {
    subscriber[name] = (given) => {
      log.push([name, ...structuredClone(pick(given))]);
      const { at, stop, wait, fail, messages, state } = react ?? {};
      if (asked++ !== at) return undefined;
      if (fail) throw new Error("a mistake in a hook");
      const answer = {
        ...(messages !== undefined && { messages }),
        ...(state !== undefined && { state }),
        ...(stop && { stopPropagation: true }),
      };
      return wait ? new Promise((done) => setTimeout(done, 20, answer)) : answer;
    };
  }
  return { log, subscriber, told };
}

function body(stream) {
  const bytes = new TextEncoder();
  let next = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        for (let i = 0; i < 8; i += 1) await turn();
        if (next < stream.length) controller.enqueue(bytes.encode(`data: ${JSON.stringify(stream[next++])}\n\n`));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function run(job) {
  let request;
  let stream = job.before ?? job.stream;
  const agent = new HttpAgent({
    url: "http://oracle.invalid/",
    threadId: "t",
    initialMessages: job.messages,
    initialState: job.state,
    fetch: async (_url, init) => {
      request = JSON.parse(init.body);
      return new Response(body(stream), { headers: { "content-type": "text/event-stream" } });
    },
  });
  if (job.before) {
    await agent.runAgent({ runId: "before" });
    for (let i = 0; i < 8; i += 1) await turn();
    request = undefined;
    stream = job.stream;
  }
  const layer = [];
  if (job.layer) agent.use((input, next) => next.run(input).pipe(tap((event) => layer.push(event.type))));
  const first = recorder(agent, job.react);
  const second = recorder(agent);
  agent.subscribe(first.subscriber);
  let failure;
  let settled;
  try {
    settled = await agent.runAgent({ runId: "r", resume: job.resume }, second.subscriber);
  } catch (cause) {
    failure = cause;
  }
  // The hooks of the end come later.
  for (let i = 0; i < 8; i += 1) await turn();
  return {
    first: first.log,
    second: second.log,
    refused: failure ? codeOf(failure.message) : null,
    messages: agent.messages,
    state: agent.state,
    result: settled?.result ?? null,
    newMessageIds: settled?.newMessages.map((message) => message.id) ?? null,
    pendingInterrupts: agent.pendingInterrupts,
    request: request ?? null,
    ...(job.count && { told: first.told }),
    ...(job.layer && { layer }),
  };
}

const jobs = [];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) jobs.push(JSON.parse(line));
const BATCH = 64;
for (let at = 0; at < jobs.length; at += BATCH) {
  const results = await Promise.all(jobs.slice(at, at + BATCH).map(run));
  const out = results.map((result) => `${JSON.stringify(result)}\n`).join("");
  await new Promise((written) => process.stdout.write(out, written));
}

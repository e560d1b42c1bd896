// Holds a conversation with an agent over HTTP through an official client, and reports all events; or many of them side
// by side.
//
// stdin: one JSON job, or { "jobs": [job, …] }
//   { "url", "generation": "1.0.0" | "0.0.59", "threadId"?, "timeoutMs"?, "accept"?   in place of the client's own header; "headers"?
//     "compact"?: versions   each report gets `compacted`: {version: {"state"} | {"error"}}, the state to which the run folds once
//                            `compactEvents` of that version has made it shorter, or what that threw
//     "input": TURN   or   "turns": [TURN, …]        all on one agent, so one thread }
//   TURN = { "messages"?   appended before the run; an id is made where none is given
//            "answers"?    {tool name: result}: a tool message for every open call of that tool
//            "goOn"?       {"text", "answers"?: {tool name: result}, "payload"?}: what a person would do next: answers every
//                          question there is, or else every open call ("done" where nothing else is said), or else says the text
//            "state"?      replaces the client's state
//            "resume"?     sent as it is;  "resumeAll"?  {status, payload?} for every open interrupt
//            "tools"?, "context"?, "forwardedProps"?, "runId"? }
// stdout: { "generation", "turns": [REPORT, …], "complaints": […] }; a turn that fails is the last one. For several jobs a list
// of these; which of them heard a complaint is then not known.
import { randomUUID } from "node:crypto";
import { readStdin, takeComplaints } from "./console.mjs";
import { eventsOf, recordingFetch } from "./recording-fetch.mjs";

const PACKAGES = { "1.0.0": "@ag-ui/client", "0.0.59": "ag-ui-client-legacy" };

/** A tool message for each call of the named tools that has no result yet. */
function answersFor(messages, answers) {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  const open = messages.flatMap((message) => message.toolCalls ?? []).filter((call) => !answered.has(call.id));
  return Object.entries(answers).flatMap(([name, answer]) => {
    const calls = open.filter((call) => call.function.name === name);
    if (calls.length === 0) throw new Error(`no open call of '${name}' to answer`);
    const content = typeof answer === "string" ? answer : JSON.stringify(answer);
    return calls.map((call) => ({ id: randomUUID(), role: "tool", toolCallId: call.id, content }));
  });
}

/** The person's next step; see "goOn". */
function goOn(agent, { text, answers = {}, payload }) {
  if (agent.pendingInterrupts?.length > 0) return { resumeAll: { status: "resolved", ...(payload && { payload }) } };
  const answered = new Set(agent.messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  const calls = agent.messages.flatMap((message) => message.toolCalls ?? []).filter((call) => !answered.has(call.id));
  if (calls.length === 0) return { messages: [{ role: "user", content: text }] };
  return { answers: Object.fromEntries(calls.map(({ function: { name } }) => [name, answers[name] ?? "done"])) };
}

/** The state that is left of `before` by the run's events, once each version of `compactEvents` has had them. */
async function compacted(versions, events, before) {
  const { applyPatch } = (await import("fast-json-patch")).default;
  const folded = {};
  for (const version of versions) {
    try {
      const { compactEvents } = await import(PACKAGES[version]);
      let state = structuredClone(before ?? {});
      for (const event of compactEvents(structuredClone(events))) {
        if (event.type === "STATE_SNAPSHOT") state = event.snapshot;
        if (event.type === "STATE_DELTA") state = applyPatch(state, event.delta, true).newDocument;
      }
      folded[version] = { state };
    } catch (cause) {
      folded[version] = { error: cause instanceof Error ? cause.message : String(cause) };
    }
  }
  return folded;
}

async function runTurn(agent, record, asked, timeoutMs, compact = []) {
  const turn = asked.goOn ? { ...asked, ...goOn(agent, asked.goOn) } : asked;
  agent.addMessages((turn.messages ?? []).map((message) => ({ id: randomUUID(), ...message })));
  if (turn.answers) agent.addMessages(answersFor(agent.messages, turn.answers));
  if (turn.state !== undefined) agent.setState(turn.state);
  const resume = turn.resumeAll
    ? agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, ...turn.resumeAll }))
    : turn.resume;

  const before = structuredClone(agent.state);
  const events = [];
  const runErrors = [];
  const finished = [];
  const subscriber = {
    onEvent: ({ event }) => void events.push(structuredClone(event)),
    onRunErrorEvent: ({ event }) => void runErrors.push({ message: event.message, code: event.code }),
    onRunFinishedEvent: ({ outcome, result, pendingToolCallIds, interrupts }) =>
      void finished.push({ outcome, result, pendingToolCallIds, interrupts }),
  };
  let settled;
  let failure;
  let timedOut = false;
  const clock = setTimeout(() => {
    timedOut = true;
    agent.abortRun();
  }, timeoutMs);
  try {
    const { runId, tools, context, forwardedProps } = turn;
    settled = await agent.runAgent({ runId, tools, context, forwardedProps, resume }, subscriber);
  } catch (cause) {
    failure = cause;
  }
  clearTimeout(clock);
  // Complaints of the last callbacks arrive a turn of the event loop later.
  await new Promise((next) => setTimeout(next, 0));
  return {
    ...record,
    wire: eventsOf(record),
    events,
    ...(failure && { error: failure instanceof Error ? failure.message : String(failure) }),
    ...(timedOut && { error: `the run did not end within ${timeoutMs} ms` }),
    runErrors,
    finished,
    ...(compact.length > 0 && { compacted: await compacted(compact, events, before) }),
    result: settled?.result,
    newMessages: settled?.newMessages ?? [],
    messages: structuredClone(agent.messages),
    state: structuredClone(agent.state),
    pendingInterrupts: agent.pendingInterrupts ?? [],
    complaints: takeComplaints(),
  };
}

async function converse(job) {
  const turns = job.turns ?? [job.input ?? {}];
  if (!PACKAGES[job.generation]) throw new Error(`unknown generation '${job.generation}'`);
  const { HttpAgent } = await import(PACKAGES[job.generation]);
  const { fetch, record } = recordingFetch(job.accept);
  const threadId = job.threadId ?? job.input?.threadId ?? randomUUID();
  const agent = new HttpAgent({ url: job.url, headers: job.headers, threadId, fetch });

  const reports = [];
  for (const turn of turns) {
    const report = await runTurn(agent, record, turn, job.timeoutMs ?? 60_000, job.compact);
    reports.push(report);
    if (report.error !== undefined) break;
  }
  await new Promise((next) => setTimeout(next, 10));
  return { generation: job.generation, turns: reports, complaints: takeComplaints() };
}

const asked = JSON.parse(await readStdin());
const told = asked.jobs ? await Promise.all(asked.jobs.map(converse)) : await converse(asked);
process.stdout.write(`${JSON.stringify(told)}\n`);

// Has a conversation with an agent over HTTP through an official client, and tells everything that happened; or many of them
// side by side.
//
// stdin: one JSON job, or { "jobs": [job, …] }
//   { "url", "generation": "1.0.0" | "0.0.59", "threadId"?, "timeoutMs"?, "accept"?   in place of the client's own header; "headers"?
//     "input": TURN   or   "turns": [TURN, …]        all on one agent, so one thread }
//   TURN = { "messages"?   appended before the run; an id is made where none is given
//            "answers"?    {tool name: result}: a tool message for every open call of that tool
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

async function runTurn(agent, record, turn, timeoutMs) {
  agent.addMessages((turn.messages ?? []).map((message) => ({ id: randomUUID(), ...message })));
  if (turn.answers) agent.addMessages(answersFor(agent.messages, turn.answers));
  if (turn.state !== undefined) agent.setState(turn.state);
  const resume = turn.resumeAll
    ? agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, ...turn.resumeAll }))
    : turn.resume;

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
    const report = await runTurn(agent, record, turn, job.timeoutMs ?? 60_000);
    reports.push(report);
    if (report.error !== undefined) break;
  }
  await new Promise((next) => setTimeout(next, 10));
  return { generation: job.generation, turns: reports, complaints: takeComplaints() };
}

const asked = JSON.parse(await readStdin());
const told = asked.jobs ? await Promise.all(asked.jobs.map(converse)) : await converse(asked);
process.stdout.write(`${JSON.stringify(told)}\n`);

// Sends recorded streams through whole official clients of older versions, and reports the results.
//
// stdin: one JSON job per line: { "client": "0.0.36" | "0.0.57" | "0.0.59", "stream": [EVENT, …] }
// stdout: one JSON result per line: { "accepted", "error"?, "runErrors", "events", "messages", "state" }
import { createInterface } from "node:readline";

const PACKAGES = {
  "0.0.36": "ag-ui-client-0.0.36",
  "0.0.57": "ag-ui-client-0.0.57",
  "0.0.59": "ag-ui-client-legacy",
};

for (const level of ["log", "debug", "info", "warn", "error"]) console[level] = () => {};

async function replay({ client, stream }) {
  const { HttpAgent } = await import(PACKAGES[client]);
  const body = stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  globalThis.fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const agent = new HttpAgent({ url: "http://localhost/", threadId: "thread" });
  const events = [];
  const runErrors = [];
  const subscriber = {
    onEvent: ({ event }) => void events.push(event.type),
    onRunErrorEvent: ({ event }) => void runErrors.push({ message: event.message, code: event.code }),
  };
  let error;
  try {
    await agent.runAgent({ runId: "run" }, subscriber);
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause);
  }
  return {
    accepted: error === undefined,
    ...(error !== undefined && { error }),
    runErrors,
    events,
    messages: agent.messages,
    state: agent.state,
  };
}

for await (const row of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (row.trim() === "") continue;
  const result = await replay(JSON.parse(row)).catch((cause) => ({ failure: String(cause?.stack ?? cause) }));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

// Sends binary bodies through the whole official clients, and reports the results.
//
// stdin: one JSON job per line: { "client": "1.0.0" | "0.0.59" | "0.0.57", "pieces": [HEX, …] }
// stdout: one JSON result per line: { "error"?, "events", "messages", "logged" }
import { createInterface } from "node:readline";
import { AGUI_MEDIA_TYPE as PROTO } from "@ag-ui/proto";

const PACKAGES = { "1.0.0": "@ag-ui/client", "0.0.59": "ag-ui-client-legacy", "0.0.57": "ag-ui-client-0.0.57" };

const logged = [];
for (const level of ["log", "debug", "info", "warn", "error"]) {
  console[level] = (...words) => void logged.push(words.map(String).join(" "));
}

/** A body that arrives piece by piece. */
function body(pieces) {
  return new ReadableStream({
    async start(controller) {
      for (const piece of pieces) {
        controller.enqueue(new Uint8Array(Buffer.from(piece, "hex")));
        await new Promise(setImmediate);
      }
      controller.close();
    },
  });
}

async function read({ client, pieces }) {
  const { HttpAgent } = await import(PACKAGES[client]);
  globalThis.fetch = async () => new Response(body(pieces), { headers: { "content-type": PROTO } });
  logged.length = 0;
  const agent = new HttpAgent({ url: "http://localhost/", threadId: "t-1" });
  const events = [];
  let error;
  try {
    await agent.runAgent({ runId: "r-1" }, { onEvent: ({ event }) => void events.push(event.type) });
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause);
  }
  return { ...(error !== undefined && { error }), events, messages: agent.messages, logged: [...logged] };
}

for await (const row of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (row.trim() === "") continue;
  const result = await read(JSON.parse(row)).catch((cause) => ({ failure: String(cause?.stack ?? cause) }));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

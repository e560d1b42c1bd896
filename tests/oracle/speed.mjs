#!/usr/bin/env node
// stdin: one event per line. stdout: what the official packages need, in nanoseconds per event, the best of many rounds: to write and to
// read them on the binary transport, and, if they are a whole stream, from the bytes of its events to messages and state on the other
// one. `cargo bench -p agui-runtime` runs this beside ours: see README.md.
import { createInterface } from "node:readline";
import { HttpAgent } from "@ag-ui/client";
import { decode, encode } from "@ag-ui/proto";

const events = [];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.startsWith("{")) events.push(JSON.parse(line));
}

function best(work) {
  let least = Infinity;
  for (let round = 0; round < 30; round += 1) {
    const begun = process.hrtime.bigint();
    for (const item of work.items) work.run(item);
    least = Math.min(least, Number(process.hrtime.bigint() - begun) / work.items.length);
  }
  return Math.round(least);
}

async function client() {
  const body = new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  let least = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const headers = { "content-type": "text/event-stream" };
    const agent = new HttpAgent({
      url: "http://speed.invalid/",
      threadId: "speed",
      fetch: async () => new Response(body, { status: 200, headers }),
    });
    const begun = process.hrtime.bigint();
    await agent.runAgent({ runId: "speed" });
    least = Math.min(least, Number(process.hrtime.bigint() - begun) / events.length);
  }
  return Math.round(least);
}

const messages = events.map((event) => encode(event));
const result = {
  events: events.length,
  encode: best({ items: events, run: encode }),
  decode: best({ items: messages, run: decode }),
  ...(events[0]?.type === "RUN_STARTED" && { client: await client() }),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

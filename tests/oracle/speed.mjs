#!/usr/bin/env node
// stdin: one event per line. stdout: what the official package needs to write and to read them on the binary transport, in nanoseconds
// per event, the best of many rounds. The same events for ours: see README.md.
import { createInterface } from "node:readline";
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

const messages = events.map((event) => encode(event));
const result = {
  events: events.length,
  encode: best({ items: events, run: encode }),
  decode: best({ items: messages, run: decode }),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

#!/usr/bin/env node
// stdin: {"pieces":[hexadecimal bytes, …]} per line, the body of a response as it arrives. stdout: what the official reader of
// server-sent events makes of it, {"payloads":[…], "error"?: text}. See README.md.
import { createInterface } from "node:readline";
import { Subject } from "rxjs";
import { parseSSEStream } from "@ag-ui/client";
import { capturing } from "./lib.mjs";

async function read({ pieces }) {
  const { payloads, error } = await capturing(async () => {
    const source = new Subject();
    const payloads = [];
    let error;
    parseSSEStream(source).subscribe({
      next: (payload) => payloads.push(payload),
      error: (cause) => (error ??= String(cause?.message ?? cause)),
    });
    source.next({ type: "headers", status: 200, headers: new Headers() });
    for (const piece of pieces) {
      if (error !== undefined) break;
      source.next({ type: "data", data: new Uint8Array(Buffer.from(piece, "hex")) });
    }
    if (error === undefined) source.complete();
    return { payloads, error };
  });
  return { payloads, ...(error !== undefined && { error }) };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(`${JSON.stringify(await read(JSON.parse(line)))}\n`);
}

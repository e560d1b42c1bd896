#!/usr/bin/env node
// stdin: {"pieces":[hexadecimal bytes, …]} per line, the body of a response as it arrives. stdout: what the official reader of
// server-sent events makes of it, {"payloads":[…], "error"?: text}. With a "contentType" (null for none) the client chooses the reader;
// "end" is how the body ends: "eof", "abort" by the caller or an "error" of the network. See README.md.
import { createInterface } from "node:readline";
import { Subject } from "rxjs";
import { parseSSEStream, transformHttpEventStream } from "@ag-ui/client";
import { capturing } from "./lib.mjs";

/** The event made up for an abort carries the error, which has no JSON. */
function plain(event) {
  if (event.code !== "abort") return event;
  const { rawEvent, ...rest } = event;
  return rest;
}

async function read({ pieces, contentType, end = "eof" }) {
  const { payloads, error, warnings } = await capturing(async () => {
    const source = new Subject();
    const payloads = [];
    let error;
    const reader = contentType === undefined ? parseSSEStream : transformHttpEventStream;
    reader(source).subscribe({
      next: (payload) => payloads.push(plain(payload)),
      error: (cause) => (error ??= String(cause?.message ?? cause)),
    });
    source.next({ type: "headers", status: 200, headers: new Headers(contentType ? { "content-type": contentType } : {}) });
    for (const piece of pieces) {
      if (error !== undefined) break;
      source.next({ type: "data", data: new Uint8Array(Buffer.from(piece, "hex")) });
    }
    if (error === undefined) {
      if (end === "eof") source.complete();
      else source.error(Object.assign(new Error("gone"), { name: end === "abort" ? "AbortError" : "Error" }));
    }
    await new Promise((next) => setImmediate(next));
    return { payloads, error };
  });
  return { payloads, ...(error !== undefined && { error }), warnings: warnings.length };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(`${JSON.stringify(await read(JSON.parse(line)))}\n`);
}

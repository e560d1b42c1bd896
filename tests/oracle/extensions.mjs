#!/usr/bin/env node
// stdin: line 1, an array of events, the alphabet; then one job per line, {"root": [indices], "depth": n}.
// stdout: for each job, the verdict of the ordering verifier on every one-event extension of the root and, below each
// accepted one, of its extensions, to the depth given; depth first, in the order of the alphabet. See README.md.
import { createInterface } from "node:readline";
import { writeSync } from "node:fs";
import { Subject } from "rxjs";
import { verifyEvents } from "@ag-ui/client";
import { verdictOf } from "./facts.mjs";
import { frozen } from "./frozen.mjs";

/** A new verifier: takes one event, gives its verdict; do not use it after a verdict other than "". */
function verifier() {
  const source = new Subject();
  let verdict = "";
  verifyEvents(false)(source).subscribe({ error: (cause) => (verdict = verdictOf(cause.message)) });
  return (event) => {
    source.next(event);
    return verdict;
  };
}

// Verdicts go out as numbers of two bytes. Before its first use a verdict is introduced: DEFINE, its length, its text.
const DEFINE = 0xffff;
const numbers = new Map([["", 0]]);
const buffer = Buffer.alloc(1 << 16);
let used = 0;

function flush() {
  for (let at = 0; at < used; ) {
    try {
      at += writeSync(1, buffer, at, used - at);
    } catch (cause) {
      if (cause.code !== "EAGAIN") throw cause;
    }
  }
  used = 0;
}

function write(number) {
  if (used + 2 > buffer.length) flush();
  used = buffer.writeUInt16LE(number, used);
}

function report(verdict) {
  let number = numbers.get(verdict);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(verdict, number);
    const text = Buffer.from(verdict);
    write(DEFINE);
    write(text.length);
    if (used + text.length > buffer.length) flush();
    used += text.copy(buffer, used);
  }
  write(number);
}

let alphabet;

function explore(path, depth) {
  for (const event of alphabet) {
    const next = verifier();
    for (const earlier of path) {
      if (next(earlier) !== "") throw new Error(`the verifier changed its mind about ${JSON.stringify(path)}`);
    }
    const verdict = next(event);
    report(verdict);
    if (verdict === "" && depth > 1) {
      path.push(event);
      explore(path, depth - 1);
      path.pop();
    }
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const job = JSON.parse(line);
  if (!alphabet) {
    alphabet = job.map(frozen);
    continue;
  }
  explore(job.root.map((index) => alphabet[index]), job.depth);
  flush();
}

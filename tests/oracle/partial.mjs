#!/usr/bin/env node
// stdin: a JSON text per line. stdout: for each one line, that text as the official client completes it: JSON that may stop anywhere.
import { createInterface } from "node:readline";
import untruncate from "untruncate-json";

const complete = untruncate.default;
const lines = [];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) lines.push(complete(JSON.parse(line)));
process.stdout.write(lines.map((text) => `${JSON.stringify(text)}\n`).join(""));

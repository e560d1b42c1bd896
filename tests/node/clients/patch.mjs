// The official client's patch library on a corpus of patches.
//
// stdin: one case per line, {"before", "patch", "after"}.
// stdout: {"checked", "wrong": [{"line", "why"}]}; at most the first 20 wrong ones are listed.
//
// Applied as `@ag-ui/client` applies a STATE_DELTA: validated, and not in place.
import { createRequire } from "node:module";
import { readStdin } from "./console.mjs";
import { same } from "./same.mjs";

// The library comes with the client, in the client's version.
const require = createRequire(import.meta.resolve("@ag-ui/client"));
const { applyPatch } = require("fast-json-patch");

function judge(line) {
  const { before, patch, after } = JSON.parse(line);
  const untouched = JSON.stringify(before);
  let patched;
  try {
    patched = applyPatch(before, patch, true, false).newDocument;
  } catch (cause) {
    return `refused: ${cause.name} ${String(cause.message).slice(0, 300)}`;
  }
  if (!same(patched, after)) return `gives ${JSON.stringify(patched).slice(0, 300)}`;
  return JSON.stringify(before) === untouched ? undefined : "changed what it was applied to";
}

const lines = (await readStdin()).split("\n").filter((line) => line !== "");
const wrong = [];
for (const [line, text] of lines.entries()) {
  const why = judge(text);
  if (why !== undefined) wrong.push({ line, why });
}
process.stdout.write(JSON.stringify({ checked: lines.length, wrongCount: wrong.length, wrong: wrong.slice(0, 20) }));

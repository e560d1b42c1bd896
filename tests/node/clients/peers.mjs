// The patches of other JavaScript libraries for the same changes. Run by hand to record `tests/proofs/tests/state/peers.txt`:
//
//   npm install --prefix FOLDER rfc6902@5.4.0 fast-json-patch@3.1.1
//   cargo run -p agui-proofs --bin state_changes -- 3000 > changes.jsonl
//   AGUI_NODE_PACKAGES=FOLDER node --import ./tests/node/packages.mjs tests/node/clients/peers.mjs < changes.jsonl > js.txt
//   python tests/python/clients/peers.py js.txt < changes.jsonl > tests/proofs/tests/state/peers.txt
//
// stdout: one line for each change: lengths of both documents, bytes of the best right patch, operations of rfc6902.
import { createRequire } from "node:module";
import { readStdin } from "./console.mjs";
import { same } from "./same.mjs";
import { createPatch } from "rfc6902";

const { applyPatch, compare } = createRequire(import.meta.resolve("rfc6902"))("fast-json-patch");

function isRight({ before, after }, patch) {
  try {
    return same(applyPatch(before, patch, true, false).newDocument, after);
  } catch {
    return false;
  }
}

// JavaScript does not tell such numbers apart, so a patch may leave them out and look right.
function isBeyond(value) {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(isBeyond);
}

const bytes = (value) => Buffer.byteLength(JSON.stringify(value));

for (const line of (await readStdin()).split("\n").filter((line) => line !== "")) {
  const change = JSON.parse(line);
  const [rfc6902, fast] = [createPatch(change.before, change.after), compare(change.before, change.after)];
  const right = isBeyond(change.patch) ? [] : [rfc6902, fast].filter((patch) => isRight(change, patch));
  const best = Math.min(1e9, ...right.map(bytes));
  const ops = right.includes(rfc6902) ? rfc6902.length : 1e9;
  process.stdout.write(`${best} ${ops}\n`);
}

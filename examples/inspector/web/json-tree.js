// A value as a tree that opens on request: only the open part is made.
import { h } from "./dom.js";
import { visible } from "./visible.js";

const LONG = 400;
const MANY = 100;

/**
 * Makes the tree of a value. `open` holds the paths that the user opened, `marks` the kinds of changes by path.
 * The first `depth` levels are open.
 */
export function tree(value, { open = new Map(), marks = new Map(), depth = 2 } = {}) {
  return h("div.tree", node(value, undefined, "", { open, marks, depth }));
}

function node(value, key, path, context) {
  const label = key === undefined ? null : [h("span.key", key), h("span.colon", ": ")];
  const mark = context.marks.get(path);
  const attributes = { "data-mark": mark ?? null };
  if (value === null || typeof value !== "object") return h("div.leaf", attributes, label, leaf(value));
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item]) : Object.entries(value);
  const [begin, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return h("div.leaf", attributes, label, h("span.hint", begin + end));
  return branch({ entries, begin, end, label, path, attributes }, context);
}

function branch({ entries, begin, end, label, path, attributes }, context) {
  const level = path.split("/").length;
  const isChanged = [...context.marks.keys()].some((marked) => marked.startsWith(`${path}/`));
  const isOpen = context.open.get(path) ?? (level <= context.depth || isChanged);
  const count = `${entries.length} ${begin === "[" ? "item" : "member"}${entries.length === 1 ? "" : "s"}`;
  const details = h("details", attributes, h("summary", label, h("span.hint", `${begin} ${count} ${end}`)));
  const inside = h("div.inside");
  details.append(inside);
  const grow = () => inside.childElementCount === 0 && more(inside, entries, 0, path, context);
  details.open = isOpen;
  if (isOpen) grow();
  details.addEventListener("toggle", () => {
    context.open.set(path, details.open);
    if (details.open) grow();
  });
  return details;
}

function more(inside, entries, from, path, context) {
  for (const [key, value] of entries.slice(from, from + MANY)) {
    const step = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
    inside.append(node(value, String(key), `${path}/${step}`, context));
  }
  const left = entries.length - from - MANY;
  if (left <= 0) return;
  const button = h("button.quiet", { type: "button" }, `${left} more`);
  button.addEventListener("click", () => {
    button.remove();
    more(inside, entries, from + MANY, path, context);
  });
  inside.append(button);
}

function leaf(value) {
  const kind = value === null ? "null" : typeof value;
  const text = JSON.stringify(value) ?? "undefined";
  if (text.length <= LONG) return h(`span.value.${kind}`, text);
  const span = h(`span.value.${kind}`, `${text.slice(0, LONG)}…`);
  const button = h("button.quiet", { type: "button" }, `all ${text.length} characters`);
  button.addEventListener("click", () => {
    span.textContent = visible(text);
    button.remove();
  });
  return h("span", span, " ", button);
}

// JSON as text for reading: what fits on a line stays on it, and short items of a list share lines.

const WIDTH = 38;

/** Lays out a value. A value without an end in sight is cut. */
export function laidOut(value, most = 4000) {
  const text = write(value, "", 0);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** `before` is the number of characters that stand on the line already. */
function write(value, indent, before) {
  const short = JSON.stringify(value) ?? "undefined";
  if (value === null || typeof value !== "object" || short.length <= WIDTH - before) return spaced(value, short);
  const inner = `${indent} `;
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(([key, member]) => {
      const name = `${inner}${JSON.stringify(key)}: `;
      return `${name}${write(member, inner, name.length)}`;
    });
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  return `[\n${filled(value.map((item) => write(item, inner, inner.length)), inner)}\n${indent}]`;
}

/** The items of a list, as many on each line as fit. */
function filled(items, indent) {
  const lines = [];
  for (const item of items) {
    const last = lines.at(-1);
    const isShort = last !== undefined && !item.includes("\n") && !last.includes("\n") && last.length + item.length + 2 <= WIDTH;
    if (isShort) lines[lines.length - 1] = `${last}, ${item}`;
    else lines.push(`${indent}${item}`);
  }
  return lines.join(",\n");
}

/** A value on one line, with spaces where people write them. */
function spaced(value, short) {
  if (value === null || typeof value !== "object") return short;
  if (Array.isArray(value)) return `[${value.map((item) => spaced(item, JSON.stringify(item) ?? "null")).join(", ")}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member, JSON.stringify(member) ?? "null")}`);
  return members.length ? `{ ${members.join(", ")} }` : "{}";
}

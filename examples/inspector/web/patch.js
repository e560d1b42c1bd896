// JSON Patch (RFC 6902) without changing the document, and the differences between two documents.

const own = (value, key) => Object.hasOwn(value, key);

function pointer(path) {
  if (path === "") return [];
  if (typeof path !== "string" || !path.startsWith("/")) throw new Error(`${path} is not a JSON pointer`);
  return path.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const escaped = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

function index(array, key, limit) {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) > limit) throw new Error(`there is no element ${key}`);
  return Number(key);
}

function get(value, [key, ...rest]) {
  if (key === undefined) return value;
  if (Array.isArray(value)) return get(value[index(value, key, value.length - 1)], rest);
  if (!value || typeof value !== "object" || !own(value, key)) throw new Error(`there is no member ${key}`);
  return get(value[key], rest);
}

/** A copy of `value` in which `change` has replaced the container of the last key. The rest is shared. */
function changed(value, [key, ...rest], change) {
  if (rest.length === 0) return change(value, key);
  const inner = changed(get(value, [key]), rest, change);
  return Array.isArray(value) ? value.with(Number(key), inner) : withMember(value, key, inner);
}

/** A member named `__proto__` is a member like others. */
function withMember(object, key, value) {
  const copy = { ...object };
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  return copy;
}

function add(document, path, value) {
  if (path.length === 0) return value;
  return changed(document, path, (into, key) => {
    if (Array.isArray(into)) return into.toSpliced(key === "-" ? into.length : index(into, key, into.length), 0, value);
    if (!into || typeof into !== "object") throw new Error(`${key} is in no object`);
    return withMember(into, key, value);
  });
}

function remove(document, path) {
  get(document, path);
  if (path.length === 0) return null;
  return changed(document, path, (from, key) => {
    if (Array.isArray(from)) return from.toSpliced(index(from, key, from.length - 1), 1);
    const copy = { ...from };
    delete copy[key];
    return copy;
  });
}

function replace(document, path, value) {
  get(document, path);
  if (path.length === 0) return value;
  return changed(document, path, (into, key) =>
    Array.isArray(into) ? into.with(Number(key), value) : withMember(into, key, value),
  );
}

/** Applies all operations, or throws and changes nothing. */
export function apply(document, operations) {
  if (!Array.isArray(operations)) throw new Error("a patch is a list");
  return operations.reduce((value, operation) => step(value, operation), document);
}

function step(document, { op, path, from, value }) {
  const at = pointer(path);
  switch (op) {
    case "add": return add(document, at, value);
    case "remove": return remove(document, at);
    case "replace": return replace(document, at, value);
    case "copy": return add(document, at, get(document, pointer(from)));
    case "move": return add(remove(document, pointer(from)), at, get(document, pointer(from)));
    case "test":
      if (differences(get(document, at), value).length) throw new Error(`the test at ${path} fails`);
      return document;
    default: throw new Error(`${op} is not an operation`);
  }
}

const isContainer = (value) => value !== null && typeof value === "object";

/** The differences as `{ path, kind, before, after }`; at most `most`. */
export function differences(before, after, most = 500) {
  const found = [];
  compare(before, after, "", found, most);
  return found;
}

function compare(before, after, path, found, most) {
  if (before === after || found.length >= most) return;
  if (before === undefined) return void found.push({ path, kind: "added", after });
  if (after === undefined) return void found.push({ path, kind: "removed", before });
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return void found.push({ path, kind: "changed", before, after });
  }
  const keys = Array.isArray(before)
    ? Array.from({ length: Math.max(before.length, after.length) }, (_, i) => i)
    : [...new Set([...Object.keys(before), ...Object.keys(after)])];
  for (const key of keys) {
    const value = (holder) => (own(holder, key) ? holder[key] : undefined);
    compare(value(before), value(after), `${path}/${escaped(key)}`, found, most);
  }
}

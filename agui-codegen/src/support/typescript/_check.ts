/** A JSON Schema object. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Named schemas, referred to as `#/$defs/Name`. */
export type Definitions = { readonly [name: string]: JsonSchema };

/** The reason why a value is refused, and the place. */
export type Issue = {
  readonly message: string;
  readonly path: readonly (string | number)[];
};

/** Rust's number types: the least and the greatest value. */
export const NUMBER_FORMATS = /* @__PURE__ */ (() => new Map<string, readonly [number, number]>([
  ["uint8", [0, 2 ** 8 - 1]],
  ["uint16", [0, 2 ** 16 - 1]],
  ["uint32", [0, 2 ** 32 - 1]],
  ["uint64", [0, 2 ** 64]],
  ["uint128", [0, 2 ** 128]],
  ["uint", [0, 2 ** 64]],
  ["int8", [-(2 ** 7), 2 ** 7 - 1]],
  ["int16", [-(2 ** 15), 2 ** 15 - 1]],
  ["int32", [-(2 ** 31), 2 ** 31 - 1]],
  ["int64", [-(2 ** 63), 2 ** 63]],
  ["int128", [-(2 ** 127), 2 ** 127]],
  ["int", [-(2 ** 63), 2 ** 63]],
  ["float", [-Infinity, Infinity]],
  ["double", [-Infinity, Infinity]],
]))();

type Path = readonly (string | number)[];

/** Checks values against the keywords that schemars writes. */
export class Checker {
  readonly definitions: Definitions;

  constructor(definitions: Definitions) {
    this.definitions = definitions;
  }

  issues(schema: unknown, value: unknown): Issue[] {
    const issues: Issue[] = [];
    this.check(schema, value, [], issues);
    return issues;
  }

  /** Adds the problems to `issues`; returns the members that the schema names. */
  private check(schema: unknown, value: unknown, path: Path, issues: Issue[]): Set<string> {
    const known = new Set<string>();
    if (schema === false) {
      issues.push({ message: "nothing is allowed here", path });
    }
    if (!isObject(schema)) {
      return known;
    }
    const join = (names: Set<string>) => {
      names.forEach((name) => known.add(name));
    };
    const name = definitionName(schema["$ref"]);
    if (name !== undefined) {
      join(this.check(this.definitions[name], value, path, issues));
    }
    for (const inner of list(schema["allOf"])) {
      join(this.check(inner, value, path, issues));
    }
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const variants = schema[keyword];
      if (Array.isArray(variants)) {
        join(this.alternatives(keyword, variants, value, path, issues));
      }
    }
    if (schema["not"] !== undefined && this.issues(schema["not"], value).length === 0) {
      issues.push({ message: "this value is excluded", path });
    }
    this.constants(schema, value, path, issues);
    if (!this.type(schema, value, path, issues)) {
      return known;
    }
    if (typeof value === "number") {
      this.number(schema, value, path, issues);
    } else if (typeof value === "string") {
      this.text(schema, value, path, issues);
    } else if (Array.isArray(value)) {
      this.items(schema, value, path, issues);
    } else if (isObject(value)) {
      this.members(schema, value, path, issues, known);
    }
    return known;
  }

  private alternatives(
    keyword: "anyOf" | "oneOf",
    schemas: unknown[],
    value: unknown,
    path: Path,
    issues: Issue[],
  ): Set<string> {
    const known = new Set<string>();
    const refusals: Issue[][] = [];
    let fitting = 0;
    for (const schema of schemas) {
      const refused: Issue[] = [];
      const names = this.check(schema, value, path, refused);
      if (refused.length > 0) {
        refusals.push(refused);
      } else {
        fitting += 1;
        names.forEach((name) => known.add(name));
      }
    }
    if (fitting > 1 && keyword === "oneOf") {
      issues.push({ message: `fits ${fitting} alternatives instead of one`, path });
    } else if (fitting === 0) {
      // If only one alternative has the right tag, its issues are the helpful ones.
      const meant = refusals.filter((refused) => !refused.some((i) => i.message.startsWith("expected \"")));
      const [only, other] = meant;
      if (only !== undefined && other === undefined && refusals.length > 1) {
        issues.push(...only);
      } else {
        issues.push({ message: `fits none of ${schemas.length} alternatives`, path });
      }
    }
    return known;
  }

  private constants(schema: JsonSchema, value: unknown, path: Path, issues: Issue[]): void {
    const allowed = "const" in schema ? [schema["const"]] : schema["enum"];
    if (Array.isArray(allowed) && !allowed.some((one) => equal(one, value))) {
      const names = allowed.map((one) => JSON.stringify(one)).join(" or ");
      issues.push({ message: `expected ${names}`, path });
    }
  }

  private type(schema: JsonSchema, value: unknown, path: Path, issues: Issue[]): boolean {
    const type = schema["type"];
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    if (types.length === 0 || types.some((one) => hasType(one, value))) {
      return true;
    }
    issues.push({ message: `expected ${types.join(" or ")}, found ${typeOf(value)}`, path });
    return false;
  }

  private number(schema: JsonSchema, value: number, path: Path, issues: Issue[]): void {
    const fail = (message: string) => issues.push({ message, path });
    const format = schema["format"];
    const range = typeof format === "string" ? NUMBER_FORMATS.get(format) : undefined;
    const minimum = numeric(schema["minimum"]) ?? range?.[0];
    const maximum = numeric(schema["maximum"]) ?? range?.[1];
    const above = numeric(schema["exclusiveMinimum"]);
    const below = numeric(schema["exclusiveMaximum"]);
    const step = numeric(schema["multipleOf"]);
    if (minimum !== undefined && value < minimum) fail(`expected at least ${minimum}`);
    if (maximum !== undefined && value > maximum) fail(`expected at most ${maximum}`);
    if (above !== undefined && value <= above) fail(`expected more than ${above}`);
    if (below !== undefined && value >= below) fail(`expected less than ${below}`);
    if (step !== undefined && !isMultiple(value, step)) {
      fail(`expected a multiple of ${step}`);
    }
  }

  private text(schema: JsonSchema, value: string, path: Path, issues: Issue[]): void {
    // Characters are counted as JSON Schema and Rust count them, not as UTF-16 does.
    const length = Array.from(value).length;
    const min = numeric(schema["minLength"]);
    const max = numeric(schema["maxLength"]);
    if (min !== undefined && length < min) {
      issues.push({ message: `expected at least ${min} characters`, path });
    }
    if (max !== undefined && length > max) {
      issues.push({ message: `expected at most ${max} characters`, path });
    }
    const pattern = schema["pattern"];
    if (typeof pattern === "string" && regex(pattern)?.test(value) === false) {
      issues.push({ message: `expected text that matches ${pattern}`, path });
    }
  }

  private items(schema: JsonSchema, value: unknown[], path: Path, issues: Issue[]): void {
    const min = numeric(schema["minItems"]);
    const max = numeric(schema["maxItems"]);
    if (min !== undefined && value.length < min) {
      issues.push({ message: `expected at least ${min} items`, path });
    }
    if (max !== undefined && value.length > max) {
      issues.push({ message: `expected at most ${max} items`, path });
    }
    if (schema["uniqueItems"] === true && new Set(value.map(canonical)).size < value.length) {
      issues.push({ message: "expected no item twice", path });
    }
    const places = list(schema["prefixItems"]);
    value.forEach((item, index) => {
      const rest = schema["items"] ?? true;
      this.check(index < places.length ? places[index] : rest, item, [...path, index], issues);
    });
  }

  private members(
    schema: JsonSchema,
    value: { [name: string]: unknown },
    path: Path,
    issues: Issue[],
    known: Set<string>,
  ): void {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const patterns = isObject(schema["patternProperties"]) ? schema["patternProperties"] : {};
    for (const name of list(schema["required"])) {
      if (typeof name === "string" && (!hasOwn(value, name) || value[name] === undefined)) {
        issues.push({ message: "is missing", path: [...path, name] });
      }
    }
    const count = Object.keys(value).length;
    const min = numeric(schema["minProperties"]);
    const max = numeric(schema["maxProperties"]);
    if ((min !== undefined && count < min) || (max !== undefined && count > max)) {
      issues.push({ message: `expected another number of members than ${count}`, path });
    }
    for (const [name, member] of Object.entries(value)) {
      // JSON has no undefined members.
      if (member === undefined) continue;
      const place = [...path, name];
      let named = false;
      if (hasOwn(properties, name)) {
        named = true;
        this.check(properties[name], member, place, issues);
      }
      for (const [pattern, inner] of Object.entries(patterns)) {
        if (regex(pattern)?.test(name) === true) {
          named = true;
          this.check(inner, member, place, issues);
        }
      }
      const other = schema["additionalProperties"];
      if (!named && other !== undefined) {
        named = true;
        this.other(other, member, place, issues);
      }
      if (named) known.add(name);
    }
    const left = schema["unevaluatedProperties"];
    if (left !== undefined) {
      for (const [name, member] of Object.entries(value)) {
        if (member !== undefined && !known.has(name)) {
          known.add(name);
          this.other(left, member, [...path, name], issues);
        }
      }
    }
  }

  private other(schema: unknown, value: unknown, path: Path, issues: Issue[]): void {
    if (schema === false) {
      issues.push({ message: "is not a known member", path });
    } else {
      this.check(schema, value, path, issues);
    }
  }
}

const regexes = /* @__PURE__ */ new Map<string, RegExp | undefined>();

/** A Rust pattern, if JavaScript supports it too. */
function regex(pattern: string): RegExp | undefined {
  if (!regexes.has(pattern)) {
    let compiled: RegExp | undefined;
    try {
      compiled = new RegExp(pattern, "u");
    } catch {
      console.warn(`agui: the pattern ${pattern} is not checked here`);
    }
    regexes.set(pattern, compiled);
  }
  return regexes.get(pattern);
}

/** A value that is a list, or an empty one. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whole numbers are exact; the nearest multiple of a decimal, which is rounded in binary, may be off by a billionth of the value. */
function isMultiple(value: number, step: number): boolean {
  const rest = Math.abs(value % step);
  const near = Number.isInteger(value) && Number.isInteger(step) ? 0 : Math.abs(value) / 1e9;
  return rest === 0 || (Number.isFinite(value / step) && (rest <= near || step - rest <= near));
}

function numeric(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function hasType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && canonical(a) === canonical(b));
}

/** The JSON of a value, the same for each order of the members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** The definition that `#/$defs/Name` refers to. */
export function definitionName(reference: unknown): string | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#/$defs/")) {
    return undefined;
  }
  const name = decodeURIComponent(reference.slice("#/$defs/".length));
  return name.replace(/~1/g, "/").replace(/~0/g, "~");
}

function hasOwn(object: object, name: string): boolean {
  return Object.prototype.hasOwnProperty.call(object, name);
}

/** True for an object that is not a list. */
export function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

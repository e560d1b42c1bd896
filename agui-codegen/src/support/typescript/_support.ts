import type { HttpAgent, Message, Tool } from "@ag-ui/client";

// --- Schemas -------------------------------------------------------------------------

/** A JSON Schema object. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Named schemas, referred to as `#/$defs/Name`. */
export type Definitions = { readonly [name: string]: JsonSchema };

/** Why a value is refused, and where. */
export type Issue = {
  readonly message: string;
  readonly path: readonly (string | number)[];
};

/** What a check found: the value, or why it is refused. */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** What a JSON Schema is asked for. */
export type JsonSchemaOptions = {
  readonly target: "draft-2020-12" | "draft-07" | (string & {});
  readonly libraryOptions?: Record<string, unknown> | undefined;
};

/**
 * The schema of a type. Implements Standard Schema 1 and Standard JSON Schema 1, so
 * libraries that take "any schema" take it.
 */
export type Schema<T> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "agui-codegen";
    readonly validate: (value: unknown) => Checked<T>;
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
  /** Checks a value of unknown origin. */
  readonly check: (value: unknown) => Checked<T>;
  /** The JSON Schema, complete in itself. Each call gives an object of its own. */
  readonly toJsonSchema: () => Record<string, unknown>;
};

/** A schema from its JSON Schema and the definitions it refers to. */
export function schema<T>(
  root: JsonSchema | boolean,
  definitions: Definitions = {},
): Schema<T> {
  const check = (value: unknown): Checked<T> => {
    const issues = new Checker(definitions).issues(root, value);
    return issues.length === 0 ? { value: value as T } : { issues };
  };
  const jsonSchema = (options: JsonSchemaOptions) => {
    const complete = completeSchema(root, definitions);
    switch (options.target) {
      case "draft-2020-12":
        return { $schema: "https://json-schema.org/draft/2020-12/schema", ...complete };
      case "draft-07":
        return {
          $schema: "http://json-schema.org/draft-07/schema#",
          ...(toDraft07(complete) as Record<string, unknown>),
        };
      default:
        throw new Error(`no JSON Schema for the target ${options.target}`);
    }
  };
  return {
    "~standard": {
      version: 1,
      vendor: "agui-codegen",
      validate: check,
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
    check,
    toJsonSchema: () => completeSchema(root, definitions),
  };
}

const SCHEMA_KEYWORDS = new Set([
  "additionalProperties",
  "items",
  "not",
  "unevaluatedProperties",
]);
const SCHEMA_LIST_KEYWORDS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SCHEMA_MAP_KEYWORDS = new Set(["$defs", "patternProperties", "properties"]);

/** `value` with `change` applied to each schema directly inside. */
function mapSchemas(
  value: JsonSchema,
  change: (schema: unknown) => unknown,
): Record<string, unknown> {
  const members = Object.entries(value).map(([keyword, inner]): [string, unknown] => {
    if (SCHEMA_KEYWORDS.has(keyword)) {
      return [keyword, change(inner)];
    }
    if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(inner)) {
      return [keyword, inner.map(change)];
    }
    if (SCHEMA_MAP_KEYWORDS.has(keyword) && isObject(inner)) {
      const named = Object.entries(inner).map(([name, schema]) => [name, change(schema)]);
      return [keyword, Object.fromEntries(named) as unknown];
    }
    return [keyword, inner];
  });
  return Object.fromEntries(members);
}

/** The definitions that `root` needs, and the schema with them inside. */
function completeSchema(
  root: JsonSchema | boolean,
  definitions: Definitions,
): Record<string, unknown> {
  const needed = new Map<string, unknown>();
  const visit = (schema: unknown): unknown => {
    if (!isObject(schema)) {
      return schema;
    }
    const name = definitionName(schema["$ref"]);
    if (name !== undefined && !needed.has(name)) {
      needed.set(name, undefined);
      needed.set(name, visit(definitions[name]));
    }
    const copy = mapSchemas(schema, visit);
    // Rust's names for number formats mean nothing elsewhere, and some validators warn.
    const type = schema["type"];
    if (type === "integer" || type === "number" || Array.isArray(type)) {
      if (typeof schema["format"] === "string" && NUMBER_FORMATS.has(schema["format"])) {
        delete copy["format"];
      }
    }
    return copy;
  };
  const copy = visit(root);
  const complete: Record<string, unknown> = isObject(copy) ? copy : copy === false ? { not: {} } : {};
  const names = [...needed.keys()].sort();
  if (names.length > 0) {
    complete["$defs"] = Object.fromEntries(names.map((name) => [name, needed.get(name)]));
  }
  return JSON.parse(JSON.stringify(complete)) as Record<string, unknown>;
}

/** What draft 7 has other names for. `unevaluatedProperties` it does not have. */
function toDraft07(schema: unknown): unknown {
  if (!isObject(schema)) {
    return schema;
  }
  const {
    $ref,
    $defs,
    prefixItems,
    unevaluatedProperties: _,
    ...rest
  } = mapSchemas(schema, toDraft07);
  const changed: Record<string, unknown> = rest;
  if (prefixItems !== undefined) {
    changed["items"] = prefixItems;
    changed["additionalItems"] = false;
  }
  if (typeof $ref === "string") {
    const reference = { $ref: $ref.replace("#/$defs/", "#/definitions/") };
    if (Object.keys(changed).length === 0) {
      Object.assign(changed, reference);
    } else {
      const others = Array.isArray(changed["allOf"]) ? changed["allOf"] : [];
      changed["allOf"] = [reference, ...others];
    }
  }
  if ($defs !== undefined) {
    changed["definitions"] = $defs;
  }
  return changed;
}

function definitionName(reference: unknown): string | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#/$defs/")) {
    return undefined;
  }
  const name = decodeURIComponent(reference.slice("#/$defs/".length));
  return name.replace(/~1/g, "/").replace(/~0/g, "~");
}

function hasOwn(object: object, name: string): boolean {
  return Object.prototype.hasOwnProperty.call(object, name);
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// --- Checking ------------------------------------------------------------------------

const NUMBER_FORMATS = new Map<string, readonly [number, number]>([
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
]);

type Path = readonly (string | number)[];

/** Checks values against the keywords that schemars writes. */
class Checker {
  readonly definitions: Definitions;

  constructor(definitions: Definitions) {
    this.definitions = definitions;
  }

  issues(schema: unknown, value: unknown): Issue[] {
    const issues: Issue[] = [];
    this.check(schema, value, [], issues);
    return issues;
  }

  /** Adds what is wrong to `issues`; returns the members that the schema speaks about. */
  private check(schema: unknown, value: unknown, path: Path, issues: Issue[]): Set<string> {
    const known = new Set<string>();
    if (schema === false) {
      issues.push({ message: "nothing is allowed here", path });
    }
    if (!isObject(schema)) {
      return known;
    }
    const join = (names: Set<string>) => names.forEach((name) => known.add(name));
    const name = definitionName(schema["$ref"]);
    if (name !== undefined) {
      join(this.check(this.definitions[name], value, path, issues));
    }
    for (const inner of list(schema["allOf"])) {
      join(this.check(inner, value, path, issues));
    }
    for (const keyword of ["anyOf", "oneOf"] as const) {
      if (Array.isArray(schema[keyword])) {
        join(this.alternatives(keyword, schema[keyword], value, path, issues));
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
      // Where one alternative alone has the right tag, what it says is what helps.
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
    if (step !== undefined && !Number.isInteger(value / step)) fail(`expected a multiple of ${step}`);
  }

  private text(schema: JsonSchema, value: string, path: Path, issues: Issue[]): void {
    // Characters are counted as JSON Schema and Rust count them, not as UTF-16 does.
    const length = [...value].length;
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
    if (schema["uniqueItems"] === true && new Set(value.map((v) => JSON.stringify(v))).size < value.length) {
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
      // An undefined member is one that JSON does not have.
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

const regexes = new Map<string, RegExp | undefined>();

/** A pattern of Rust's, where JavaScript understands it too. */
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

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
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
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}

// --- The agent -----------------------------------------------------------------------

/** A tool as the agent declares it. */
export type ToolContract = {
  readonly name: string;
  readonly side: "backend" | "frontend";
  readonly description: string;
  readonly parameters: Schema<unknown>;
  readonly result?: Schema<unknown>;
};

/** What an agent declares. */
export type Contract = {
  readonly state?: { readonly written: Schema<unknown>; readonly read: Schema<unknown> };
  readonly tools: { readonly [name: string]: ToolContract };
  readonly events: {
    readonly [name: string]: { readonly name: string; readonly value: Schema<unknown> };
  };
};

/** Which call of a tool it is. */
export type ToolCallInfo = { readonly id: string; readonly name: string };

/** Something that travelled and is not what the agent declares: most often, one side is older. */
export type Problem = {
  readonly what: "state" | "event" | "arguments" | "result";
  /** The name of the event or the tool; empty for the state. */
  readonly name: string;
  readonly issues: readonly Issue[];
  readonly value: unknown;
};

/** Functions to be called with typed values while an agent runs. */
export type Listeners<State, Events, ToolArgs, ToolResults> = {
  /** The state changed. */
  state?: ((state: State) => void) | undefined;
  /** A custom event came. */
  events?: { [K in keyof Events]?: ((value: Events[K]) => void) | undefined } | undefined;
  /** The arguments of a call are complete. */
  toolCalls?:
    | { [K in keyof ToolArgs]?: ((args: ToolArgs[K], call: ToolCallInfo) => void) | undefined }
    | undefined;
  /** A tool that runs in the agent answered. */
  toolResults?:
    | { [K in keyof ToolResults]?: ((result: ToolResults[K], call: ToolCallInfo) => void) | undefined }
    | undefined;
  /** A tool that runs in the agent failed. */
  toolFailure?: ((error: string, call: ToolCallInfo) => void) | undefined;
  /** Something is not what the agent declares; without this function, `console.error`. */
  problem?: ((problem: Problem) => void) | undefined;
};

type AnyListener = ((value: unknown, call?: ToolCallInfo) => void) | undefined;

/** Subscribes typed listeners; the function it returns ends that. */
export function listen<State, Events, ToolArgs, ToolResults>(
  agent: HttpAgent,
  contract: Contract,
  listeners: Listeners<State, Events, ToolArgs, ToolResults>,
): () => void {
  const tools = new Map(Object.entries(contract.tools));
  const events = new Map(Object.entries(contract.events));
  const of = (group: object | undefined): Map<string, AnyListener> =>
    new Map(Object.entries(group ?? {}) as [string, AnyListener][]);
  const eventListeners = of(listeners.events);
  const callListeners = of(listeners.toolCalls);
  const resultListeners = of(listeners.toolResults);

  const deliver = (
    what: Problem["what"],
    name: string,
    checked: Checked<unknown>,
    value: unknown,
    use: (value: unknown) => void,
  ) => {
    if (checked.issues === undefined) {
      use(checked.value);
    } else {
      report(listeners.problem, { what, name, issues: checked.issues, value });
    }
  };

  const subscription = agent.subscribe({
    onStateChanged: ({ state }) => {
      const listener = listeners.state as AnyListener;
      if (listener !== undefined) {
        const checked = contract.state?.written.check(state) ?? { value: state as unknown };
        deliver("state", "", checked, state, listener);
      }
    },
    onCustomEvent: ({ event }) => {
      const declared = events.get(event.name);
      const listener = eventListeners.get(event.name);
      if (declared !== undefined && listener !== undefined) {
        deliver("event", event.name, declared.value.check(event.value), event.value, listener);
      }
    },
    onToolCallEndEvent: ({ event, messages }) => {
      const found = findCall(messages, event.toolCallId);
      const declared = found && tools.get(found.name);
      const listener = found && callListeners.get(found.name);
      if (found !== undefined && declared !== undefined && listener !== undefined) {
        const read = readArguments(declared, found.arguments);
        deliver("arguments", found.name, read, found.arguments, (args) =>
          listener(args, { id: found.id, name: found.name }),
        );
      }
    },
    onToolCallResultEvent: ({ event, messages }) => {
      const found = findCall(messages, event.toolCallId);
      const declared = found && tools.get(found.name);
      if (found === undefined || declared === undefined) {
        return;
      }
      const info = { id: found.id, name: found.name };
      const content = contentText(event.content);
      const read = readContent(declared.result, content);
      const failure = read.issues === undefined ? undefined : readFailure(content);
      const listener = resultListeners.get(found.name);
      if (failure !== undefined) {
        listeners.toolFailure?.(failure, info);
      } else if (listener !== undefined) {
        deliver("result", found.name, read, content, (result) => listener(result, info));
      }
    },
  });
  return () => subscription.unsubscribe();
}

function report(listener: ((problem: Problem) => void) | undefined, problem: Problem): void {
  if (listener !== undefined) {
    listener(problem);
    return;
  }
  const places = problem.issues.map((i) => `${i.path.join(".") || "value"}: ${i.message}`);
  console.error(`agui: ${problem.what} ${problem.name} is not as declared: ${places.join("; ")}`);
}

const lastState = new WeakMap<HttpAgent, { state: unknown; fits: boolean }>();

/** The agent's state where it fits the schema. */
export function readState<T>(agent: HttpAgent, schema: Schema<T>): T | undefined {
  const state: unknown = agent.state;
  const last = lastState.get(agent);
  const fits =
    last !== undefined && last.state === state ? last.fits : schema.check(state).issues === undefined;
  lastState.set(agent, { state, fits });
  return fits ? (state as T) : undefined;
}

// --- Tools ---------------------------------------------------------------------------

type FoundCall = ToolCallInfo & { readonly arguments: string };

function findCall(messages: readonly Readonly<Message>[], id: string): FoundCall | undefined {
  return allCalls(messages).find((call) => call.id === id);
}

function allCalls(messages: readonly Readonly<Message>[]): FoundCall[] {
  return messages.flatMap((message) =>
    message.role === "assistant"
      ? (message.toolCalls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: call.function.arguments,
        }))
      : [],
  );
}

function readArguments(tool: ToolContract, text: string): Checked<unknown> {
  try {
    // No text at all means no arguments.
    return tool.parameters.check(JSON.parse(text.trim() === "" ? "{}" : text));
  } catch (error) {
    return { issues: [{ message: error instanceof Error ? error.message : String(error), path: [] }] };
  }
}

function contentText(content: unknown): string {
  if (typeof content === "string") {
    return content;
  }
  const texts = list(content).map((part) =>
    isObject(part) && part["type"] === "text" ? String(part["text"]) : "",
  );
  return texts.join("");
}

/** A value as the content of a tool message: text as it is, anything else as JSON. */
export function writeContent(value: unknown): string {
  if (typeof value === "string") {
    return isJsonString(value) ? JSON.stringify(value) : value;
  }
  return JSON.stringify(value ?? null);
}

/** The reverse of {@link writeContent}, for a value of the given schema. */
export function readContent<T>(schema: Schema<T> | undefined, content: string): Checked<T> {
  const check = (value: unknown): Checked<T> =>
    schema === undefined ? { value: null as T } : schema.check(value);
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return check(content);
  }
  const checked = check(parsed);
  if (checked.issues === undefined || typeof parsed === "string") {
    return checked;
  }
  const raw = check(content);
  return raw.issues === undefined ? raw : checked;
}

function isJsonString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false;
  }
}

function readFailure(content: string): string | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return isObject(value) && typeof value["error"] === "string" ? value["error"] : undefined;
  } catch {
    return undefined;
  }
}

type RunParameters = NonNullable<Parameters<HttpAgent["runAgent"]>[0]>;
type RunResult = Awaited<ReturnType<HttpAgent["runAgent"]>>;
type Handler = (args: never, call: ToolCallInfo) => unknown;

/** The tools that run in the user interface: offered with each run, answered when called. */
export class FrontendTools {
  /** What to offer the agent: `agent.runAgent({ tools })`. */
  readonly tools: Tool[];
  private readonly agent: HttpAgent;
  private readonly contracts: Map<string, ToolContract>;
  private readonly handlers: Map<string, Handler>;

  constructor(agent: HttpAgent, contract: Contract, handlers: { [name: string]: Handler }) {
    this.agent = agent;
    this.handlers = new Map(Object.entries(handlers));
    const frontend = Object.values(contract.tools).filter((tool) => tool.side === "frontend");
    this.contracts = new Map(frontend.map((tool) => [tool.name, tool]));
    this.tools = frontend.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters.toJsonSchema(),
    }));
  }

  /** The calls of these tools that have no answer yet. */
  pending(): ToolCallInfo[] {
    return this.open().map(({ id, name }) => ({ id, name }));
  }

  /** Runs the agent with these tools, and again after each answer, until none is pending. */
  async run(parameters: RunParameters = {}): Promise<RunResult> {
    const result = await this.agent.runAgent(this.offer(parameters));
    return (await this.dispatch(parameters)) ?? result;
  }

  /**
   * Answers the pending calls and runs the agent again, until none is pending.
   * Gives the result of the last run, or `undefined` when nothing was pending.
   */
  async dispatch(parameters: RunParameters = {}): Promise<RunResult | undefined> {
    // A run id is used once, and a resume answers one run.
    const { runId: _runId, resume: _resume, ...again } = parameters;
    let result: RunResult | undefined;
    while (await this.answer()) {
      result = await this.agent.runAgent(this.offer(again));
    }
    return result;
  }

  private offer(parameters: RunParameters): RunParameters {
    const others = (parameters.tools ?? []).filter((tool) => !this.contracts.has(tool.name));
    return { ...parameters, tools: [...others, ...this.tools] };
  }

  private open(): FoundCall[] {
    const messages = this.agent.messages;
    const answered = new Set(
      messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])),
    );
    return allCalls(messages).filter((call) => this.contracts.has(call.name) && !answered.has(call.id));
  }

  /** Puts an answer behind each pending call; whether there was any. */
  private async answer(): Promise<boolean> {
    const calls = this.open();
    for (const call of calls) {
      const message = { id: `${call.id}-answer`, role: "tool" as const, toolCallId: call.id };
      try {
        this.agent.addMessage({ ...message, content: writeContent(await this.handle(call)) });
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown.message : String(thrown);
        this.agent.addMessage({ ...message, content: JSON.stringify({ error }), error });
      }
    }
    return calls.length > 0;
  }

  private async handle(call: FoundCall): Promise<unknown> {
    const contract = this.contracts.get(call.name);
    const handler = this.handlers.get(call.name);
    if (contract === undefined || handler === undefined) {
      throw new Error(`no handler for the tool ${call.name}`);
    }
    const args = readArguments(contract, call.arguments);
    if (args.issues !== undefined) {
      const places = args.issues.map((i) => `${i.path.join(".") || "arguments"}: ${i.message}`);
      throw new Error(`the arguments of ${call.name} do not fit: ${places.join("; ")}`);
    }
    return handler(args.value as never, { id: call.id, name: call.name });
  }
}

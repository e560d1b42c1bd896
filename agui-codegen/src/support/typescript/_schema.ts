import {
  Checker,
  definitionName,
  type Definitions,
  isObject,
  type Issue,
  type JsonSchema,
  list,
  NUMBER_FORMATS,
} from "./_check.js";

export type { Definitions, Issue, JsonSchema } from "./_check.js";

/** The result of a check: the value, or the reasons why it is refused. */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** The options of a request for a JSON Schema. */
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
  /** The JSON Schema, complete in itself. Each call returns a new object. */
  readonly toJsonSchema: () => Record<string, unknown>;
};

/** The definitions of both. */
export function merged(shared: Definitions, own: Definitions): Definitions {
  return { ...shared, ...own };
}

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

const SCHEMA_KEYWORDS = /* @__PURE__ */ new Set([
  "additionalProperties",
  "items",
  "not",
  "unevaluatedProperties",
]);
const SCHEMA_LIST_KEYWORDS = /* @__PURE__ */ new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SCHEMA_MAP_KEYWORDS = /* @__PURE__ */ new Set(["$defs", "patternProperties", "properties"]);

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

/** Replaces the names that differ in draft 7, which has no `unevaluatedProperties`. */
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
      changed["allOf"] = [reference, ...list(changed["allOf"])];
    }
  }
  if ($defs !== undefined) {
    changed["definitions"] = $defs;
  }
  return changed;
}

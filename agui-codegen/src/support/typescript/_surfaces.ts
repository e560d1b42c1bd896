import type { Checked, Schema } from "./_schema.js";

/** The function that runs when the user acts. */
export type SurfaceAction = () => void;

/** A component inside of another one, for `buildChild`. */
export type SurfaceComponent = string;

/** Components inside of another one. A component that is repeated for a list has its place in the data. */
export type SurfaceComponents = readonly (string | { readonly id: string; readonly basePath: string })[];

/** The types of a catalog. `bound` names the properties that follow the data. */
export type CatalogTypes = {
  readonly components: { readonly [name: string]: { readonly props: object; readonly bound: string } };
  readonly functions: { readonly [name: string]: { readonly args: object; readonly value: unknown } };
  readonly agentFunctions: { readonly [name: string]: { readonly args: object; readonly value: unknown } };
};

type FunctionSchemas<F> = {
  readonly [N in keyof F]: F[N] extends { readonly args: infer Args; readonly value: infer Value }
    ? { readonly args: Schema<Args>; readonly value?: Schema<Value> }
    : never;
};

/** A catalog of A2UI: its id, its definition for renderers, and the schemas of its functions. */
export type Catalog<C extends CatalogTypes> = {
  readonly id: string;
  /** The catalog in A2UI's own form, which the official renderers read: `Catalog.fromSchema(definition)`. */
  readonly definition: { readonly [member: string]: unknown };
  /** The functions of the page. */
  readonly functions: FunctionSchemas<C["functions"]>;
  /** The functions of the agent. */
  readonly agentFunctions: FunctionSchemas<C["agentFunctions"]>;
};

type Resolved<T extends { readonly props: object; readonly bound: string }> = {
  readonly [K in keyof T["props"]]: K extends T["bound"] ? T["props"][K] | undefined : T["props"][K];
} & {
  readonly [K in keyof T["props"] & T["bound"] as `set${Capitalize<K>}`]: (
    value: NonNullable<T["props"][K]>,
  ) => void;
};

/** The properties of a component as a page sees them. A property that follows the data has no value until the data has one, and a setter. */
export type ComponentProps<C extends CatalogTypes, N extends keyof C["components"]> = Resolved<
  C["components"][N]
>;

/** The input for drawing a component. `buildChild` draws a component inside. */
export type ComponentView<Props, Drawn> = {
  readonly props: Props;
  readonly buildChild: (id: string, basePath?: string) => Drawn;
};

/** How a page draws each component of a catalog. `Drawn` is the page's own type, such as `ReactNode`. */
export type CatalogComponents<C extends CatalogTypes, Drawn> = {
  readonly [N in keyof C["components"]]: (view: ComponentView<ComponentProps<C, N>, Drawn>) => Drawn;
};

/** The page's functions of a catalog. */
export type CatalogFunctions<C extends CatalogTypes> = {
  readonly [N in keyof C["functions"]]: (args: C["functions"][N]["args"]) => C["functions"][N]["value"];
};

/** A call of a function on the wire. */
export type FunctionCall = {
  readonly call: string;
  readonly catalogId?: string | undefined;
  readonly args?: { readonly [name: string]: unknown } | undefined;
};

/** The agent's call of a page's function. */
export type RendererCall = { readonly functionCallId: string; readonly callFunction: FunctionCall };

/** The answer to a call. */
export type FunctionResponse =
  | { readonly functionCallId: string; readonly value: unknown; readonly error?: undefined }
  | {
      readonly functionCallId: string;
      readonly value?: undefined;
      readonly error: { readonly code: string; readonly message: string };
    };

/** A message for the agent: `{ a2uiAction: message }` in `forwardedProps` of the next run. */
export type RendererMessage = { readonly version: "v1.0" } & (
  | { readonly rendererFunctionResponse: FunctionResponse }
  | { readonly callAgentFunction: RendererCall & { readonly surfaceId: string } }
);

/** Calls a function of the page, and returns the answer. A call that does not fit is answered with the reason. */
export function answerCall<C extends CatalogTypes>(
  catalog: Catalog<C>,
  functions: CatalogFunctions<C>,
  { functionCallId, callFunction }: RendererCall,
): RendererMessage {
  const failed = (code: string, message: string): RendererMessage => ({
    version: "v1.0",
    rendererFunctionResponse: { functionCallId, error: { code, message } },
  });
  const { call, catalogId, args } = callFunction;
  const isOwn = catalogId === undefined || catalogId === catalog.id;
  const isKnown = isOwn && Object.prototype.hasOwnProperty.call(catalog.functions, call);
  const [schemas, execute] = isKnown ? [catalog.functions[call], functions[call]] : [];
  if (schemas === undefined || execute === undefined) {
    return failed("UNKNOWN_FUNCTION", `This page has no function ${call}.`);
  }
  const checked = schemas.args.check(args ?? {});
  if (checked.issues !== undefined) {
    const places = checked.issues.map((issue) => `${issue.path.join(".") || "args"}: ${issue.message}`);
    return failed("INVALID_ARGUMENTS", `The arguments of ${call} do not fit: ${places.join("; ")}`);
  }
  try {
    const value: unknown = execute(checked.value as never) ?? null;
    return { version: "v1.0", rendererFunctionResponse: { functionCallId, value } };
  } catch (error) {
    return failed("EXECUTION_FAILED", error instanceof Error ? error.message : String(error));
  }
}

/** Browsers have `crypto.randomUUID` only on pages from a secure address. */
function callId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(parts, (part) => part.toString(16).padStart(8, "0")).join("");
}

/** A call of a function of the agent. The answer has the same id. */
export function callAgent<C extends CatalogTypes, N extends keyof C["agentFunctions"] & string>(
  catalog: Catalog<C>,
  surfaceId: string,
  name: N,
  args: C["agentFunctions"][N]["args"],
  functionCallId: string = callId(),
): RendererMessage {
  const callFunction = { call: name, catalogId: catalog.id, args: args as { readonly [name: string]: unknown } };
  return { version: "v1.0", callAgentFunction: { surfaceId, functionCallId, callFunction } };
}

/** The value in the agent's answer, checked; an error of the agent is an issue. */
export function agentValue<C extends CatalogTypes, N extends keyof C["agentFunctions"] & string>(
  catalog: Catalog<C>,
  name: N,
  response: FunctionResponse,
): Checked<C["agentFunctions"][N]["value"]> {
  if (response.error !== undefined) {
    return { issues: [{ message: `${response.error.message} (${response.error.code})`, path: [] }] };
  }
  const schemas: { readonly value?: Schema<unknown> } = catalog.agentFunctions[name];
  return schemas.value === undefined ? { value: undefined } : schemas.value.check(response.value);
}

/** The messages of a surface, as its activity has them. */
type Operations = { readonly a2ui_operations?: readonly unknown[] | null | undefined };

/** The agent's calls of the page's functions in a surface. */
export function rendererCalls(surface: Operations): RendererCall[] {
  return members<RendererCall>(surface, "callRendererFunction");
}

/** The agent's answers to the page's calls in a surface. */
export function agentResponses(surface: Operations): FunctionResponse[] {
  return members<FunctionResponse>(surface, "agentFunctionResponse");
}

function members<T extends { readonly functionCallId: string }>(surface: Operations, name: string): T[] {
  return (surface.a2ui_operations ?? []).flatMap((message) => {
    const { version, [name]: member } = (message ?? {}) as { readonly [member: string]: unknown };
    const call = member as Partial<T> | null | undefined;
    return version === "v1.0" && typeof call?.functionCallId === "string" ? [call as T] : [];
  });
}

/** An official renderer's view of a catalog: `Catalog.fromSchema(definition)`. */
type KnownCatalog<Api, FunctionApi> = {
  readonly components: ReadonlyMap<string, Api>;
  readonly functions: ReadonlyMap<string, FunctionApi>;
};

/**
 * The components and functions of a catalog for an official renderer, for example that of React:
 *
 *     const known = Catalog.fromSchema(shopCatalog.definition);
 *     const made = implement(shopCatalog, known, components, functions, createComponentImplementation);
 *     const catalog = new Catalog(shopCatalog.id, made.components, made.functions);
 */
export function implement<C extends CatalogTypes, Api, Component, FunctionApi>(
  catalog: Catalog<C>,
  known: KnownCatalog<Api, FunctionApi>,
  // The renderer resolves the properties at run time, from the definition.
  components: CatalogComponents<C, any>,
  functions: CatalogFunctions<C>,
  create: (api: Api, draw: (view: any) => any) => Component,
): {
  components: Component[];
  functions: (FunctionApi & { execute: (args: Record<string, any>) => unknown })[];
} {
  const found = <T>(map: ReadonlyMap<string, T>, name: string): T => {
    const api = map.get(name);
    if (api === undefined) {
      throw new Error(`the renderer does not know ${name} of the catalog ${catalog.id}`);
    }
    return api;
  };
  return {
    components: Object.entries(components).map(([name, draw]) =>
      create(found(known.components, name), draw as (view: any) => any),
    ),
    functions: Object.entries(functions).map(([name, execute]) => ({
      ...found(known.functions, name),
      execute: execute as (args: Record<string, any>) => unknown,
    })),
  };
}

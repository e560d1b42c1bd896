// A surface of A2UI: the version, the components, the data, and the calls of functions in both directions with their answers.
import { h } from "./dom.js";
import { laidOut } from "./json-text.js";
import { tree } from "./json-tree.js";

/** The type of the activity that is a surface. */
export const SURFACE = "a2ui-surface";

const VERSIONS = ["v0.9", "v0.9.1", "v1.0"];
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Makes the view of a surface's activity. `runs` are those up to the time that is shown: their inputs have the page's part. */
export function surfaceView(content, runs) {
  const messages = Array.isArray(content?.a2ui_operations) ? content.a2ui_operations.filter(isObject) : [];
  const folded = fold(messages);
  const versions = [...new Set(messages.map(({ version }) => String(version ?? "none")))];
  const calls = [...rendererCalls(messages, runs), ...agentCalls(messages, runs)];
  return h("section.surface", { "aria-label": "A2UI surface" },
    h("b", `A2UI ${versions.join(", ")}`),
    content?.status && h("p.hint", `status: ${content.status}`),
    folded.unknown > 0 && h("p.finding", { "data-level": "warning" }, h("b", "not read"), ` ${folded.unknown} of ${messages.length} messages: another version, or no operation of it`),
    [...folded.surfaces].map(([id, surface]) => h("section.subject", { "aria-label": `Surface ${id}` },
      h("h4", "Surface ", h("code", id), surface.isDeleted && " (deleted)"),
      surface.catalog && h("p.hint", surface.catalog),
      surface.components.size > 0 && [h("h4", `Components: ${surface.components.size}`), tree(Object.fromEntries(surface.components), { depth: 1 })],
      surface.hasData && [h("h4", "Data"), tree(surface.data, { depth: 3 })],
    )),
    calls.length > 0 && h("section.subject", { "aria-label": "Function calls" }, h("h4", "Function calls"), calls.map(callRow)),
    h("details", h("summary", `Messages: ${messages.length}`), tree(content ?? null, { depth: 1 })),
  );
}

/** The surfaces after all messages. */
function fold(messages) {
  const surfaces = new Map();
  let unknown = 0;
  const at = ({ surfaceId }) => {
    const id = String(surfaceId);
    if (!surfaces.has(id)) surfaces.set(id, { catalog: "", components: new Map(), data: undefined, hasData: false, isDeleted: false });
    return surfaces.get(id);
  };
  for (const message of messages) {
    const known = VERSIONS.includes(message.version) && Object.keys(OPERATIONS).find((name) => isObject(message[name]));
    if (known) OPERATIONS[known](message[known], at);
    else unknown += 1;
  }
  return { surfaces, unknown };
}

function addComponents(surface, components) {
  for (const component of Array.isArray(components) ? components.filter(isObject) : []) {
    const { id, component: type, ...properties } = component;
    surface.components.set(`${id} ${type ?? ""}`.trim(), properties);
  }
}

const OPERATIONS = {
  createSurface(begin, at) {
    const surface = at(begin);
    surface.catalog = begin.catalogId ?? "";
    addComponents(surface, begin.components);
    if (begin.dataModel !== undefined) Object.assign(surface, { data: begin.dataModel, hasData: true });
  },
  updateComponents(update, at) {
    addComponents(at(update), update.components);
  },
  updateDataModel(update, at) {
    const surface = at(update);
    surface.data = withValue(surface.data, String(update.path ?? "/"), update.value);
    surface.hasData = true;
  },
  deleteSurface(removed, at) {
    at(removed).isDeleted = true;
  },
  callRendererFunction() {},
  agentFunctionResponse() {},
};

/** The data with another value at a path. */
function withValue(data, path, value) {
  const [step, ...rest] = path.split("/").filter((part) => part !== "").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return step === undefined ? value : placed(data, [step, ...rest], value);
}

function placed(data, [step, ...rest], value) {
  if (step === undefined) return value;
  const copy = Array.isArray(data) ? [...data] : { ...(isObject(data) ? data : {}) };
  const inner = Object.hasOwn(copy, step) ? copy[step] : undefined;
  // A member may be called `__proto__`.
  Object.defineProperty(copy, step, { value: placed(inner, rest, value), enumerable: true, configurable: true, writable: true });
  return copy;
}

/** The page's messages to the agent, at most one for each run. */
const sent = (runs) => runs.map(({ input }) => input?.forwardedProps?.a2uiAction).filter(isObject);

/** The agent's calls, with the page's answers. */
function rendererCalls(messages, runs) {
  const answers = sent(runs).map((message) => message.rendererFunctionResponse ?? message.error).filter(isObject);
  return messages.map((message) => message.callRendererFunction).filter(isObject).map(({ functionCallId, callFunction }) => {
    const answer = answers.find((answer) => answer.functionCallId === functionCallId);
    const isReport = answer && answer.value === undefined && answer.error === undefined;
    return { by: "agent → page", call: callFunction, answer: isReport ? { error: answer } : answer };
  });
}

/** The page's calls that are answered here. */
function agentCalls(messages, runs) {
  const calls = sent(runs).map(({ callAgentFunction }) => callAgentFunction).filter(isObject);
  return messages.map((message) => message.agentFunctionResponse).filter(isObject).map((answer) => ({
    by: "page → agent", call: calls.find(({ functionCallId }) => functionCallId === answer.functionCallId)?.callFunction, answer,
  }));
}

function callRow({ by, call, answer }) {
  const short = (value) => {
    const text = laidOut(value ?? null);
    return text.length > 400 ? `${text.slice(0, 400)}…` : text;
  };
  const words = !answer ? h("span.hint", " no answer yet")
    : answer.error !== undefined ? h("span.failed", ` ✕ ${answer.error?.message ?? ""} (${answer.error?.code ?? ""})`)
    : h("code", ` = ${short(answer.value)}`);
  return h("p.call", h("span.hint", `${by} `), h("b", call?.call ?? "an unknown call"), h("code", call ? `(${short(call.args ?? {})})` : ""), words);
}

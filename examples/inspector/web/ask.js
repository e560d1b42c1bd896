// A form for an answer of the user: to a question of the agent, or as the result of a tool of the page.
import { h } from "./dom.js";
import { RESULT } from "./frontend-tools.js";
import { tree } from "./json-tree.js";
import { schemaForm } from "./schema-form.js";

/** The member of a question's metadata with what it is about: the protocol has none for it. */
const PAYLOAD = "agui-rust/payload";

/** The member with the questions of an MCP server. */
const MCP = "agui-rust/mcp";

/** Makes the form. `call` is the call that waits for the answer, if there is one; `send` gets `{ status, payload }`. */
export function questionForm(question, call, send) {
  const schema = question.responseSchema;
  const isObject = schema?.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
  const isApproval = isObject && schema.properties.approved?.type === "boolean";
  const asked = isApproval ? withoutMember(schema, "approved") : schema;
  const reader = isApproval && Object.keys(asked.properties).length === 0 ? { elements: [], read: () => ({}) }
    : schema ? schemaForm(asked, { proposal: proposed(asked, call) })
    : fromText(example(question));
  const failed = h("p.finding", { role: "alert", hidden: true, "data-level": "refused" });
  const form = h("form.ask", { "aria-label": question.message ?? question.reason },
    h("h3", question.message ?? "The agent asks"),
    h("p.hint", question.reason, question.expiresAt ? `, expires ${question.expiresAt}` : ""),
    about(question, call),
    reader.elements,
    failed,
  );
  const answer = (write) => {
    try {
      const given = write();
      send(given);
      form.dataset.answer = given.status;
      failed.hidden = true;
    } catch (cause) {
      failed.textContent = cause.message;
      failed.hidden = false;
    }
  };
  const resolved = (more) => () => {
    const payload = reader.read();
    return { status: "resolved", payload: more ? { ...more, ...payload } : payload };
  };
  const button = (kind, words, write) => {
    const made = h(`button.${kind}`, { type: kind === "main" ? "submit" : "button" }, words);
    if (kind !== "main") made.addEventListener("click", () => answer(write));
    return made;
  };
  const yes = resolved(isApproval && { approved: true });
  form.append(h("div.buttons",
    button("main", isApproval ? "Approve" : "Answer", yes),
    isApproval && button("plain", "Deny", resolved({ approved: false })),
    button("plain", "Cancel it", () => ({ status: "cancelled" })),
  ));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(yes);
  });
  return form;
}

/** Returns the payload of a question, else the call that waits, and the other metadata. */
function about({ metadata }, call) {
  const { [PAYLOAD]: payload, [MCP]: asked, ...others } = metadata ?? {};
  const parts = asked && typeof asked === "object" ? mcpQuestions(asked) : [];
  if (payload !== undefined) parts.push(h("h4", "Payload"), tree(payload, { depth: 3 }));
  else if (call) parts.push(h("h4", call.function?.name ?? "Call"), tree(parsed(call.function?.arguments ?? ""), { depth: 3 }));
  if (Object.keys(others).length > 0) parts.push(h("details", h("summary", "Metadata"), tree(others, { depth: 2 })));
  return parts.length ? h("section.subject", { "aria-label": "What it is about" }, parts) : null;
}

/** The origin of a question that an MCP server asks, and all that it asks for. */
function mcpQuestions({ server, questions }) {
  const words = ({ mode, message, url, host, warning }) => [
    h("p", h("span.hint", mode === "url" ? "opens an address: " : "form: "), String(message ?? "")),
    url && h("p.hint", h("code", String(url)), host && ` at ${host}`),
    warning && h("p.finding", { "data-level": "warning" }, String(warning)),
  ];
  return [h("h4", "Asked by the MCP server ", h("code", String(server ?? "unknown"))), ...(Array.isArray(questions) ? questions.flatMap((one) => words(one ?? {})) : [])];
}

/** The arguments of the call, as a proposal for edited ones. They are not sent unless the user opens them. */
function proposed(schema, call) {
  if (!call || !schema?.properties?.editedArgs) return undefined;
  const args = parsed(call.function?.arguments ?? "");
  return args && typeof args === "object" ? { editedArgs: args } : undefined;
}

function withoutMember(schema, name) {
  const { [name]: _, ...properties } = schema.properties;
  return { ...schema, properties, required: (schema.required ?? []).filter((one) => one !== name) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Makes the form for the result of a call. `tool` says the schema of its results, if the agent has declared it. */
export function callForm(call, tool, send) {
  const name = call.function?.name ?? "";
  const schema = tool?.metadata?.[RESULT];
  const field = h("textarea", { rows: 2, value: "done", "aria-label": `Result of ${name}`, spellcheck: false });
  const asText = { elements: [field], read: () => field.value };
  const inFields = schema ? schemaForm(schema, { name: `the result of ${name}` }) : null;
  let reader = inFields ?? asText;
  const place = h("div", reader.elements);
  const failed = h("p.finding", { role: "alert", hidden: true, "data-level": "refused" });
  const other = inFields && h("button.plain", { type: "button" }, "As text");
  other?.addEventListener("click", () => {
    reader = reader === inFields ? asText : inFields;
    place.replaceChildren(...reader.elements);
    other.textContent = reader === inFields ? "As text" : "As a form";
  });
  const form = h("form.ask", { "aria-label": `Result of ${name}` },
    h("h3", "Tool of the page: ", h("code", name)),
    h("p.hint", "The agent left this call to its user interface. Answer in its place."),
    h("section.subject", { "aria-label": "Arguments" }, tree(parsed(call.function?.arguments ?? ""), { depth: 3 })),
    place,
    failed,
    h("div.buttons", h("button.main", { type: "submit" }, "Send the result"), other),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const content = reader === asText ? field.value : written(reader.read());
      form.dataset.answer = "resolved";
      failed.hidden = true;
      send(content);
    } catch (cause) {
      failed.textContent = cause.message;
      failed.hidden = false;
    }
  });
  return form;
}

/** A result as the content of a message: text as it is, unless it would be read as something else. */
function written(value) {
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  return parsed(value) === value ? value : JSON.stringify(value);
}

/** An answer without a schema: JSON, or text where it is no JSON. */
function fromText(value) {
  const field = h("textarea", { rows: 3, value, "aria-label": "Answer, as JSON or text", spellcheck: false });
  const read = () => {
    try {
      return JSON.parse(field.value);
    } catch {
      return field.value;
    }
  };
  return { elements: [field], read };
}

const example = ({ reason }) =>
  reason === "tool_call" || reason === "confirmation" ? JSON.stringify({ approved: true }) : "";

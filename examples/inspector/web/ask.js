// A form for an answer of the user: to a question of the agent, or as the result of a tool of the page.
import { h } from "./dom.js";

/** Makes the form. `send` gets `{ status, payload }` or, for a tool, the text of its result. */
export function questionForm(question, send) {
  const fields = fieldsOf(question.responseSchema);
  const reader = fields ? fromFields(fields) : fromText(example(question));
  const form = h("form.ask", { "aria-label": question.message ?? question.reason },
    h("h3", question.message ?? "The agent asks"),
    h("p.hint", question.reason, question.expiresAt ? `, expires ${question.expiresAt}` : ""),
    reader.elements,
  );
  const failed = h("p.finding", { role: "alert", hidden: true, "data-level": "refused" });
  const answer = (status) => {
    try {
      send(status === "resolved" ? { status, payload: reader.read() } : { status });
      form.dataset.answer = status;
      failed.hidden = true;
    } catch (cause) {
      failed.textContent = cause.message;
      failed.hidden = false;
    }
  };
  const cancel = h("button.plain", { type: "button" }, "Cancel it");
  cancel.addEventListener("click", () => answer("cancelled"));
  form.append(failed, h("div.buttons", h("button.main", { type: "submit" }, "Answer"), cancel));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer("resolved");
  });
  return form;
}

/** Makes the form for the result of a call. */
export function callForm(call, send) {
  const field = h("textarea", { rows: 2, value: "done", "aria-label": `Result of ${call.function?.name}`, spellcheck: false });
  const form = h("form.ask", { "aria-label": `Result of ${call.function?.name}` },
    h("h3", "Tool of the page: ", h("code", call.function?.name ?? "")),
    h("p.hint", "The agent left this call to its user interface. Answer in its place."),
    field,
    h("div.buttons", h("button.main", { type: "submit" }, "Send the result")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.dataset.answer = "resolved";
    send(field.value);
  });
  return form;
}

/** The properties of a schema, if each is a plain value: then every one has a field of its own. */
function fieldsOf(schema) {
  const properties = schema?.type === "object" ? Object.entries(schema.properties ?? {}) : [];
  const isPlain = ([, { type, enum: choices } = {}]) => choices || ["boolean", "string", "number", "integer"].includes(type);
  return properties.length && properties.every(isPlain) ? properties.map(([name, form]) => ({ name, ...form, isRequired: schema.required?.includes(name) })) : null;
}

function fromFields(fields) {
  const inputs = fields.map((field) => [field, control(field)]);
  const elements = inputs.map(([{ name, description }, input]) =>
    h("label.field", h("span", name), input, description ? h("small.hint", description) : null),
  );
  const read = () => {
    const values = inputs.filter(([field, input]) => field.isRequired || input.type === "checkbox" || input.value !== "");
    return Object.fromEntries(values.map(([field, input]) => [field.name, valueOf(field, input)]));
  };
  return { elements, read };
}

function control({ type, enum: choices, default: value }) {
  if (choices) return h("select", choices.map((choice) => h("option", { value: JSON.stringify(choice) }, String(choice))));
  if (type === "boolean") return h("input", { type: "checkbox", checked: value ?? true });
  return h("input", { type: type === "string" ? "text" : "number", value: value ?? "", step: type === "integer" ? "1" : "any" });
}

function valueOf({ name, type, enum: choices }, input) {
  if (choices) return JSON.parse(input.value);
  if (type === "boolean") return input.checked;
  if (type === "string") return input.value;
  if (input.value === "" || Number.isNaN(Number(input.value))) throw new Error(`${name} is a number`);
  return Number(input.value);
}

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

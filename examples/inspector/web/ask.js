// A form for an answer of the user: to a question of the agent, or as the result of a tool of the page.
import { h } from "./dom.js";

/** Makes the form. `send` gets `{ status, payload }` or, for a tool, the text of its result. */
export function questionForm(question, send) {
  const fields = fieldsOf(question.responseSchema);
  const approval = fields?.find(({ name, type }) => name === "approved" && type === "boolean");
  const reader = fields ? fromFields(fields.filter((field) => field !== approval)) : fromText(example(question));
  const failed = h("p.finding", { role: "alert", hidden: true, "data-level": "refused" });
  const form = h("form.ask", { "aria-label": question.message ?? question.reason },
    h("h3", question.message ?? "The agent asks"),
    h("p.hint", question.reason, question.expiresAt ? `, expires ${question.expiresAt}` : ""),
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
  const yes = resolved(approval && { approved: true });
  form.append(h("div.buttons",
    button("main", approval ? "Approve" : "Answer", yes),
    approval && button("plain", "Deny", resolved({ approved: false })),
    button("plain", "Cancel it", () => ({ status: "cancelled" })),
  ));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(yes);
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

/** The fields of an answer that is an object; each member has a field of its own. */
function fieldsOf(schema) {
  const properties = schema?.type === "object" ? Object.entries(schema.properties ?? {}) : [];
  const field = ([name, form]) => ({ ...(form ?? {}), type: typeOf(form), name, isRequired: schema.required?.includes(name) ?? false });
  return properties.length ? properties.map(field) : null;
}

/** The type of a field. A field that may be null is one that may be empty. */
function typeOf(form) {
  const types = [form?.type].flat().filter((type) => type !== "null");
  return types.length === 1 ? types[0] : undefined;
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

function control({ type, enum: choices, default: value, isRequired }) {
  if (choices) return h("select", choices.map((choice) => h("option", { value: JSON.stringify(choice) }, String(choice))));
  if (type === "boolean") return h("input", { type: "checkbox", checked: value ?? false });
  if (type === "string") return h("input", { type: "text", value: value ?? "" });
  if (type === "number" || type === "integer") return h("input", { type: "number", value: value ?? "", step: type === "integer" ? "1" : "any" });
  return h("textarea", { rows: 1, placeholder: isRequired ? "JSON" : "JSON, or nothing", spellcheck: false });
}

function valueOf({ name, type, enum: choices }, input) {
  if (type === "boolean" && !choices) return input.checked;
  if (type === "string" && !choices) return input.value;
  try {
    return JSON.parse(input.value);
  } catch {
    throw new Error(`${name} is not ${type === "number" || type === "integer" ? "a number" : "JSON"}`);
  }
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

// A form of a JSON Schema: a field for each value that has a simple form, and JSON for the others.
import { h } from "./dom.js";

/** Schemas may contain themselves; what lies deeper is written as JSON. */
const DEEPEST = 6;

/**
 * Makes the form of a value of a schema. `proposal` fills it in, and its members that may be left out are, until the user
 * opens them; `name` is what errors call the value. `read` returns the value, or `undefined` where it may be left out and
 * is; it throws an error that names the place.
 */
export function schemaForm(schema, { proposal, name = "the answer" } = {}) {
  return part({ schema, root: schema, value: proposal, name, isRequired: true, isGiven: false, depth: 0 });
}

function part(about) {
  const { schema, isNullable } = plain(about.schema, about.root);
  const whole = { ...about, schema, isNullable, value: about.value ?? schema.default };
  const choices = choicesOf(schema, about.root);
  if (choices) return choice(whole, choices);
  const isShallow = about.depth < DEEPEST;
  if (isShallow && schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0) return optional(whole, members);
  if (isShallow && schema.type === "array" && schema.items && typeof schema.items === "object") return optional(whole, items);
  if (schema.type === "boolean") return yesOrNo(whole);
  if (schema.type === "string") return line(whole, "text");
  if (schema.type === "number" || schema.type === "integer") return line(whole, "number");
  return json(whole);
}

/** The schema without references, and without `null` beside one other form. */
function plain(schema, root) {
  let found = schema && typeof schema === "object" ? schema : {};
  let isNullable = false;
  for (let step = 0; step < 16; step += 1) {
    const target = typeof found.$ref === "string" ? at(root, found.$ref) : undefined;
    const forms = found.anyOf ?? found.oneOf;
    const others = Array.isArray(forms) ? forms.filter((form) => form?.type !== "null" && form?.const !== null) : [];
    if (target) found = { ...target, ...without(found, "$ref") };
    else if (Array.isArray(found.allOf) && found.allOf.length === 1) found = { ...found.allOf[0], ...without(found, "allOf") };
    else if (Array.isArray(forms) && others.length === 1) {
      isNullable ||= forms.length > 1;
      found = { ...others[0], ...without(found, "anyOf", "oneOf") };
    } else break;
  }
  if (Array.isArray(found.type)) {
    const types = found.type.filter((type) => type !== "null");
    isNullable ||= types.length < found.type.length;
    found = { ...found, type: types.length === 1 ? types[0] : undefined };
  }
  return { schema: found, isNullable };
}

function without(object, ...names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function at(root, reference) {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").slice(1).map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = steps.reduce((value, step) => (value && typeof value === "object" && Object.hasOwn(value, step) ? value[step] : undefined), root);
  return found && typeof found === "object" ? found : undefined;
}

/** The values of a schema that lists them, each with its words. */
function choicesOf(schema, root) {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => ({ value, words: wordsOf(value) }));
  if (Object.hasOwn(schema, "const")) return [{ value: schema.const, words: wordsOf(schema.const) }];
  const forms = (schema.oneOf ?? schema.anyOf ?? []).map((form) => plain(form, root).schema);
  const lists = forms.map((form) => (Object.hasOwn(form, "const") ? [form.const] : form.enum));
  if (forms.length === 0 || lists.some((list) => !Array.isArray(list))) return null;
  return lists.flatMap((list, place) => list.map((value) => ({ value, words: wordsOf(value), hint: forms[place].description })));
}

const wordsOf = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** A field with its name and its description. */
function field({ schema, label }, input) {
  const hint = schema.description ? h("small.hint", schema.description) : null;
  return label === undefined ? h("div.field.alone", input, hint) : h("label.field", h("span", label), input, hint);
}

/** The value of a field that is left empty. */
const empty = ({ isRequired, isNullable }) => (isRequired && isNullable ? null : undefined);

const named = ({ label, name }) => (label === undefined ? { "aria-label": name } : null);

function choice(about, choices) {
  const mayBeEmpty = !about.isRequired || about.isNullable;
  const input = h("select", named(about),
    mayBeEmpty ? h("option", { value: "" }, "—") : null,
    choices.map(({ value, words, hint }) => h("option", { value: JSON.stringify(value), title: hint ?? null }, words)),
  );
  if (about.value !== undefined && about.value !== null) input.value = JSON.stringify(about.value);
  return { elements: [field(about, input)], read: () => (input.value === "" ? empty(about) : JSON.parse(input.value)) };
}

function yesOrNo(about) {
  if (!about.isRequired && about.value === undefined) return choice(about, [true, false].map((value) => ({ value, words: value ? "yes" : "no" })));
  const input = h("input", { type: "checkbox", checked: about.value === true, ...named(about) });
  return { elements: [field(about, input)], read: () => input.checked };
}

function line(about, type) {
  const { schema, value, name, isRequired, isNullable } = about;
  const limits = type === "number" ? { step: schema.type === "integer" ? "1" : "any", min: schema.minimum, max: schema.maximum } : { maxLength: schema.maxLength };
  const text = value === undefined || value === null ? "" : String(value);
  const input = h("input", { type, value: text, autocomplete: "off", ...limits, ...named(about) });
  const read = () => {
    const given = input.value;
    if (given === "" && type === "text" && isRequired && !isNullable) return "";
    if (given === "" && (!isRequired || isNullable)) return empty(about);
    if (type === "text") return given;
    const number = Number(given);
    if (given === "" || !Number.isFinite(number)) throw new Error(`${name} is not a number`);
    return number;
  };
  return { elements: [field(about, input)], read };
}

function json(about) {
  const { value, name, isRequired } = about;
  const input = h("textarea", { rows: 2, value: value === undefined ? "" : JSON.stringify(value, null, 1), placeholder: isRequired ? "JSON" : "JSON, or nothing", spellcheck: false, ...named(about) });
  const read = () => {
    if (input.value.trim() === "" && (!isRequired || about.isNullable)) return empty(about);
    try {
      return JSON.parse(input.value);
    } catch {
      throw new Error(`${name} is not JSON`);
    }
  };
  return { elements: [field(about, input)], read };
}

/** A group of fields. An optional group has a box that opens it. */
function optional(about, makeInside) {
  const { label, schema, isRequired, isNullable, name } = about;
  const inside = makeInside(about);
  const hint = schema.description && label !== undefined ? [h("p.hint", schema.description)] : [];
  if (isRequired && !isNullable) {
    const elements = label === undefined ? inside.elements : [h("fieldset", h("legend", label), hint, inside.elements)];
    return { elements, read: inside.read };
  }
  const box = h("input", { type: "checkbox", checked: about.isGiven === true });
  const group = h("div.optional", { hidden: !box.checked }, hint, inside.elements);
  box.addEventListener("change", () => (group.hidden = !box.checked));
  const legend = h("legend", h("label", box, ` ${label ?? name}`));
  return { elements: [h("fieldset", legend, group)], read: () => (box.checked ? inside.read() : empty(about)) };
}

function members({ schema, root, value, name, isGiven, depth }) {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const parts = Object.entries(schema.properties).map(([key, member]) => {
    const held = value && typeof value === "object" && Object.hasOwn(value, key) ? value[key] : undefined;
    const isRequired = required.includes(key);
    const place = depth === 0 ? key : `${name}.${key}`;
    return [key, part({ schema: member, root, value: held, name: place, label: key, isRequired, isGiven: held !== undefined && (depth > 0 || isGiven), depth: depth + 1 })];
  });
  const read = () => {
    const found = parts.map(([key, one]) => [key, one.read()]).filter(([, given]) => given !== undefined);
    return Object.fromEntries(found);
  };
  return { elements: parts.flatMap(([, one]) => one.elements), read };
}

function items({ schema, root, value, name, depth }) {
  const rows = [];
  const list = h("div.items");
  const add = h("button.quiet", { type: "button" }, "Add one");
  const put = (held, at = rows.length) => {
    const one = part({ schema: schema.items, root, value: held, name: `${name}.${at}`, label: undefined, isRequired: true, isGiven: true, depth: depth + 1 });
    const remove = h("button.quiet", { type: "button", "aria-label": `Remove item ${at + 1} of ${name}` }, "×");
    const row = h("div.item", { role: "group", "aria-label": `Item ${at + 1} of ${name}` }, h("div", one.elements), remove);
    const entry = { row, read: one.read };
    remove.addEventListener("click", () => {
      rows.splice(rows.indexOf(entry), 1);
      row.remove();
      add.focus();
    });
    rows.push(entry);
    list.append(row);
    return row;
  };
  for (const held of Array.isArray(value) ? value : []) put(held);
  add.addEventListener("click", () => put(undefined).querySelector("input, select, textarea")?.focus());
  return { elements: [list, add], read: () => rows.map(({ read }) => read()) };
}

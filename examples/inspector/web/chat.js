// The conversation, as a user interface would show it, up to the event that is shown; and the answers of the user.
import { answer } from "./runner.js";
import { resultOf, waiting } from "./answers.js";
import { callForm, questionForm } from "./ask.js";
import { Conversation } from "./conversation.js";
import { byId, h, setChildren } from "./dom.js";
import { tree } from "./json-tree.js";
import { store, view } from "./store.js";

export const conversation = new Conversation();
const list = byId("chat");
const shown = new Map();
let asked = { run: null, forms: [] };

const NAMES = { user: "You", assistant: "Agent", system: "System", developer: "Developer", tool: "Result", reasoning: "Reasoning", activity: "Activity" };

view((now) => {
  const messages = conversation.goTo(now.at, now);
  if (byId("pane-chat").hidden) return;
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  for (const id of shown.keys()) if (!messages.some((message) => keyOf(message) === id)) shown.delete(id);
  const elements = messages.map(elementOf);
  if (messages.length === 0) elements.push(h("p.hint", "The conversation appears here."));
  setChildren(list, [...elements, ...forms(now)]);
  if (isAtEnd) list.scrollTop = list.scrollHeight;
});

const keyOf = ({ id, role }) => `${role}/${id}`;

function elementOf(message) {
  const known = shown.get(keyOf(message));
  if (known?.message === message && known.revision === message.revision) return known.element;
  const element = message.role === "end" ? ending(message.end) : bubble(message);
  shown.set(keyOf(message), { message, revision: message.revision, element });
  return element;
}

function bubble(message) {
  const { role, name, author, text, calls } = message;
  const who = [name ?? NAMES[role] ?? role, author].filter(Boolean).join(" · ");
  const body = role === "activity" ? [h("b", message.activityType ?? ""), tree(message.content ?? null, { depth: 4 })]
    : role === "tool" ? [h("pre.args", pretty(text))]
    : text ? [h("p.words", text)] : [];
  return h("article.said", { "data-role": role, "data-author": author ? "subagent" : null }, h("header", who), body, calls.map(callCard));
}

function callCard(call) {
  return h("div.call", h("span.dot"), h("b", call.name), call.isOver ? null : h("span.hint", " …"), h("pre.args", pretty(call.args)));
}

/** JSON with line breaks where it is short, and any other text as it is. */
function pretty(text) {
  try {
    const value = JSON.parse(text);
    const long = JSON.stringify(value, null, 1);
    return text.length < 60 || long.length > 4000 ? text : long;
  } catch {
    return text.length > 4000 ? `${text.slice(0, 4000)}…` : text;
  }
}

function ending(end) {
  if (end.type === "RUN_ERROR") return h("p.ending", { "data-level": "refused" }, h("b", "Run failed"), ` ${end.message ?? ""}`, end.code ? h("code", end.code) : null);
  const outcome = end.outcome?.type;
  if (outcome === "interrupt") return h("p.ending", h("b", "Interrupted"), " the agent waits for an answer");
  if (outcome === "cancelled") return h("p.ending", h("b", "Cancelled"));
  return h("p.ending", h("b", "Result"), h("code", JSON.stringify(end.result)));
}

/** The forms for everything that waits, while the end of the newest run is shown. */
function forms({ runs, at, events, stop }) {
  const run = runs.at(-1);
  if (stop || !run?.end || at !== events.length - 1) return [];
  if (asked.run !== run) asked = { run, forms: makeForms() };
  return asked.forms;
}

function makeForms() {
  const { questions, calls } = waiting();
  const answers = new Map();
  const results = new Map();
  const count = questions.length + calls.length;
  const send = () => {
    if (answers.size + results.size < count) return;
    const resume = questions.length ? questions.map(({ id }) => ({ interruptId: id, ...answers.get(id) })) : undefined;
    answer({ resume, results: [...results.values()] });
  };
  return [
    ...questions.map((question) => questionForm(question, (given) => { answers.set(question.id, given); send(); })),
    ...calls.map((call) => callForm(call, (text) => { results.set(call.id, resultOf(call, text)); send(); })),
    count > 1 && h("p.hint", `The run goes on when all ${count} are answered.`),
  ].filter(Boolean);
}

/** The messages as the page folded them, for the test that compares them with the program's. */
export function foldedMessages() {
  conversation.goTo(store.events.length - 1, store);
  return conversation.messages.filter(({ role }) => role !== "end");
}

// The conversation, as a user interface would show it, up to the event that is shown; and the answers of the user.
import { answer } from "./runner.js";
import { resultOf, waiting } from "./answers.js";
import { callForm, questionForm } from "./ask.js";
import { Conversation } from "./conversation.js";
import { byId, h, setChildren } from "./dom.js";
import { declaredTool } from "./frontend-tools.js";
import { laidOut } from "./json-text.js";
import { tree } from "./json-tree.js";
import { store, view } from "./store.js";
import { SURFACE, surfaceView } from "./surface.js";
import { visible } from "./visible.js";

export const conversation = new Conversation();
const list = byId("chat");
const hint = h("p.hint", "The conversation appears here.");
/** The number of messages that are laid out together: the browser keeps the layout of the groups before. */
const GROUP = 50;
let groups = [];
/** The elements of the messages. */
const shown = new Map();
let asked = { run: null, forms: [] };
let drawn = [];

const NAMES = { user: "You", assistant: "Agent", system: "System", developer: "Developer", tool: "Result", reasoning: "Reasoning", activity: "Activity" };

view((now) => {
  const messages = conversation.goTo(now.at, now);
  if (byId("pane-chat").hidden) return;
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  drawMessages(messages, conversation.takeChanges());
  drawForms(forms(now));
  hint.hidden = messages.length > 0;
  if (isAtEnd) list.scrollTop = list.scrollHeight;
});

/** Draws what changed: messages that grew, and those that are new at the end. Only another order is drawn as a whole. */
function drawMessages(messages, changes) {
  if (changes.isReordered) {
    const kept = new Set(messages);
    for (const message of shown.keys()) if (!kept.has(message)) shown.delete(message);
    return drawAll(messages);
  }
  for (const message of changes.messages) {
    const before = shown.get(message)?.element;
    const element = elementOf(message);
    if (before && before !== element) before.replaceWith(element);
  }
  // New messages stand at the end of the list.
  const missing = [];
  for (let at = messages.length - 1; at >= 0 && !shown.get(messages[at])?.element.isConnected; at -= 1) missing.unshift(elementOf(messages[at]));
  for (const element of missing) lastGroup().append(element);
}

function drawAll(messages) {
  const wanted = [];
  for (let at = 0; at < messages.length; at += GROUP) {
    const group = groups[wanted.length] ?? h("div.group");
    setChildren(group, messages.slice(at, at + GROUP).map(elementOf));
    wanted.push(group);
  }
  groups = wanted;
  setChildren(list, [hint, ...groups, ...drawn]);
}

/** The group with room for one more message. */
function lastGroup() {
  const last = groups.at(-1);
  if (last && last.childElementCount < GROUP) return last;
  const group = h("div.group");
  groups.push(group);
  if (drawn[0]?.isConnected) drawn[0].before(group);
  else list.append(group);
  return group;
}

/** The forms stand behind the messages. */
function drawForms(wanted) {
  if (wanted.length === drawn.length && wanted.every((form, at) => form === drawn[at])) return;
  for (const form of drawn) form.remove();
  drawn = wanted;
  list.append(...drawn);
}

function elementOf(message) {
  const known = shown.get(message);
  if (known?.revision === message.revision) return known.element;
  if (known && grow(known, message)) return known.element;
  const element = message.role === "end" ? ending(message.end) : bubble(message);
  shown.set(message, { revision: message.revision, text: message.text, header: headerOf(message), element });
  return element;
}

/** Adds the new words of a message that is nothing but words; false if it has to be made again. */
function grow(known, message) {
  const words = known.element.querySelector(":scope > .words");
  const isText = words && message.calls.length === 0 && message.text.startsWith(known.text) && headerOf(message) === known.header;
  if (!isText) return false;
  say(words, message.text.slice(known.text.length));
  known.text = message.text;
  known.revision = message.revision;
  return true;
}

/** The number of characters that are laid out together. A longer text goes on in the next line, so that new words move no others. */
const BLOCK = 8000;

/** Adds words to a text. */
function say(words, text) {
  const last = words.lastElementChild;
  const isFull = !last || last.textContent.length + text.length > BLOCK;
  if (!isFull) return last.append(visible(text));
  const end = text.length > BLOCK ? text.lastIndexOf(" ", BLOCK) + 1 || BLOCK : text.length;
  words.append(h("span", text.slice(0, end)));
  if (end < text.length) say(words, text.slice(end));
}

function wordsOf(text) {
  const words = h("p.words");
  say(words, text);
  return words;
}

/** The words about a value that only its producer can read. */
const sealWords = ({ sealed }) => (sealed === undefined ? null : sealed ? `sealed: ${sealed}` : "sealed, of an unknown kind");

const headerOf = (message) =>
  [message.name ?? NAMES[message.role] ?? message.role, message.author, sealWords(message)].filter(Boolean).join(" · ");

function bubble(message) {
  const { role, author, text, calls } = message;
  const body = message.activityType === SURFACE ? [surfaceView(message.content, store.runs.filter(({ first }) => first <= store.at))]
    : role === "activity" ? [h("b", message.activityType ?? ""), tree(message.content ?? null, { depth: 4 })]
    : role === "tool" ? [values(text)]
    : text ? [wordsOf(text)] : [];
  return h("article.said", { "data-role": role, "data-author": author ? "subagent" : null }, h("header", headerOf(message)), body, calls.map(callCard));
}

function callCard(call) {
  return h("div.call", h("span.dot"), h("b", call.name), call.isOver ? null : h("span.hint", " …"), sealWords(call) && h("span.hint", ` ${sealWords(call)}`), call.isOver ? values(call.args) : h("pre.args", call.args.slice(0, 4000)));
}

/** JSON as it is read best, and any other text as it is. A long one scrolls by itself, and can be reached by the keyboard. */
function values(text) {
  const shown = laidOutText(text);
  const isLong = shown.length > 700 || shown.split("\n").length > 12;
  return h("pre.args", isLong ? { className: "args long", tabIndex: 0, role: "group", "aria-label": "All of it" } : null, shown);
}

function laidOutText(text) {
  try {
    return laidOut(JSON.parse(text));
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

/** The call that waits for the answer to a question. */
function callOf({ toolCallId }) {
  const messages = store.runs.at(-1).end.messages;
  return messages.flatMap(({ toolCalls }) => toolCalls ?? []).find(({ id }) => id === toolCallId);
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
    ...questions.map((question) => questionForm(question, callOf(question), (given) => { answers.set(question.id, given); send(); })),
    ...calls.map((call) => callForm(call, declaredTool(store.agent, call.function?.name), (text) => { results.set(call.id, resultOf(call, text)); send(); })),
    count > 1 && h("p.hint", `The run goes on when all ${count} are answered.`),
  ].filter(Boolean);
}

/** The messages as the page folded them, for the test that compares them with the program's. */
export function foldedMessages() {
  conversation.goTo(store.events.length - 1, store);
  return conversation.messages.filter(({ role }) => role !== "end");
}

// The input of the next run, and everything that waits for the user: questions, and calls of the page's tools.
import { store } from "./store.js";

/** An id that no other run has. */
export function newId(kind) {
  const digits = crypto.getRandomValues(new Uint32Array(2));
  return `${kind}-${[...digits].map((digit) => digit.toString(36)).join("")}`;
}

/** An input of a new conversation, with the members that the agent is given. */
export function firstInput(agent, tools, message) {
  const given = structuredClone(agent.input ?? {});
  const named = new Set((given.tools ?? []).map(({ name }) => name));
  given.tools = [...(given.tools ?? []), ...tools.filter(({ name }) => !named.has(name))];
  if (message !== undefined) given.messages = [{ id: newId("message"), role: "user", content: message }];
  return { ...empty(), ...given, threadId: newId("thread"), runId: newId("run") };
}

// The version with all members: an agent that speaks an older one leaves the others out.
const empty = () => ({
  protocolVersion: "1.1", state: {}, messages: [], tools: [], context: [], forwardedProps: {},
});

/** The input that continues the conversation, with these additions. */
export function nextInput({ message, results = [], resume } = {}) {
  const last = store.runs.at(-1);
  const { threadId, tools, context, forwardedProps } = last.input;
  const messages = [...last.end.messages, ...results];
  if (message !== undefined) messages.push({ id: newId("message"), role: "user", content: message });
  const input = {
    ...empty(), threadId, runId: newId("run"), state: last.end.state ?? {}, messages,
    tools: tools ?? [], context: context ?? [], forwardedProps: forwardedProps ?? {},
  };
  return resume ? { ...input, resume } : input;
}

const callsIn = (messages) => messages.flatMap((message) => message.toolCalls ?? []);

/** The questions and calls that wait after each run that has ended. */
const known = new WeakMap();

/** The open questions and calls of the newest run, if it has ended. */
export function waiting() {
  const last = store.runs.at(-1);
  if (!last?.end || !last.input) return { questions: [], calls: [] };
  if (!known.has(last.end)) known.set(last.end, openAfter(last));
  return known.get(last.end);
}

function openAfter(last) {
  const questions = last.end.questions ?? [];
  const asked = new Set(questions.map((question) => question.toolCallId));
  const answered = new Set(last.end.messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId));
  const calls = callsIn(last.end.messages);
  // A call of an earlier run waits only if the agent says so: its question was answered, or the user went on without it.
  const earlier = new Set(callsIn(last.input.messages ?? []).map(({ id }) => id));
  const pending = new Set(store.events.at(-1)?.json?.outcome?.pendingToolCallIds ?? []);
  const isWaiting = ({ id }) => !answered.has(id) && !asked.has(id) && (pending.has(id) || !earlier.has(id));
  return { questions, calls: calls.filter(isWaiting) };
}

/** A result of a tool of the page, as a message. */
export function resultOf(call, content) {
  return { id: newId("result"), role: "tool", toolCallId: call.id, content };
}

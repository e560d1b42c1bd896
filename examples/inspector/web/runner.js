// A run of an agent: its lines go into the store as they arrive.
import { firstInput, nextInput } from "./answers.js";
import { say } from "./dom.js";
import { frontendTools, offered } from "./frontend-tools.js";
import { addEvent, beginRun, change, clear, endRun, store } from "./store.js";
import { run } from "./stream.js";

/** Begins a new conversation with an agent, and offers the tools that it leaves to its user interface. */
export async function begin(agent, message) {
  stop();
  clear();
  let isLeft = false;
  const halt = () => {
    isLeft = true;
    change({ stop: null });
  };
  change({ agent, stop: halt });
  const tools = offered(await frontendTools(agent));
  if (!isLeft) await start(agent, firstInput(agent, tools, message));
}

/** Goes on with the conversation, or begins one if there is none with this agent. */
export function send(message) {
  const last = store.runs.at(-1);
  if (!last?.end || !last.input || last.agent !== store.agent) return begin(store.agent, message);
  return start(store.agent, nextInput({ message }));
}

/** Goes on with answers. */
export const answer = (additions) => start(store.agent, nextInput(additions));

export function stop() {
  store.stop?.();
}

/** Runs an agent with exactly this input. */
export async function start(agent, input) {
  stop();
  const aborted = new AbortController();
  const isMine = () => store.stop === halt;
  const halt = () => aborted.abort();
  change({ agent, stop: halt });
  beginRun(agent, input);
  const mine = store.runs.at(-1);
  try {
    for await (const line of run(agent, input, aborted.signal)) {
      if (store.runs.at(-1) !== mine) return;
      if (line.kind === "event") addEvent(line);
      else endRun(line);
    }
    if (!mine.end) broken(mine, "broken", "the inspector's program has stopped");
  } catch (cause) {
    if (store.runs.at(-1) !== mine) return;
    const isStopped = aborted.signal.aborted;
    broken(mine, isStopped ? "stopped" : "broken", isStopped ? "you stopped the run" : cause.message);
    if (!isStopped) say(cause.message, true);
  } finally {
    if (isMine()) change({ stop: null });
  }
}

/** The end of a run whose last line did not come: the conversation is the one before it. */
function broken(mine, outcome, text) {
  const { messages = [], state = {} } = mine.input ?? {};
  endRun({
    kind: "end", at: Date.now() - mine.begun, outcome, questions: [],
    messages: JSON.stringify(messages), state: JSON.stringify(state),
    error: { level: "warning", code: outcome, text },
  });
}

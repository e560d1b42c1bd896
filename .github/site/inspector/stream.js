// The requests of the page, answered by a recording: no program, no network. The exports are those of the inspector's own file.

const recording = fetch("recording.json").then((answer) => answer.json());

/** The pause between two events: the recorded agent answers faster than eyes read. */
const PAUSE = 90;

export async function agents() {
  return [(await recording).agent];
}

export async function capabilities() {
  return (await recording).capabilities;
}

/** The recorded answer to an input: the conversation goes the ways that were recorded, and no others. */
function answerTo(input, { agent, runs }) {
  const [answer] = input.resume ?? [];
  if (answer) return runs[answer.status === "cancelled" ? "cancelled" : answer.payload.approved ? "approved" : "refused"];
  if (input.messages.at(-1)?.content === agent.input.messages[0].content) return runs.asked;
  throw new Error("This page plays a recorded conversation, and cannot answer other messages. `cargo run -p desk` can.");
}

function pause(signal) {
  return new Promise((done, reject) => {
    const clock = setTimeout(done, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : PAUSE);
    signal?.addEventListener("abort", () => (clearTimeout(clock), reject(signal.reason)), { once: true });
  });
}

/** Runs an agent: the lines about its events, and the end, with the ids of this conversation. */
export async function* run(agent, input, signal) {
  const known = await recording;
  for (const line of answerTo(input, known)) {
    await pause(signal);
    const text = JSON.stringify(line).replaceAll(known.threadId, input.threadId).replaceAll(known.runIds[line.run], input.runId);
    yield JSON.parse(text);
  }
}

/** A recording of the reader: its findings need the program. */
export async function* read() {
  throw new Error("A recording is judged by the inspector's program: `cargo run -p agui-cli -- inspect`.");
}

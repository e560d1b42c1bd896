// The run that is shown, as a command, as a fixture of the tests, and as a Rust test.
import { byId, say } from "./dom.js";
import { runAt, store } from "./store.js";

/** The events of a run. */
const eventsOf = (run) => store.events.filter((event) => store.runs[event.run] === run);

/** A command for a shell that sends the same request. */
export function asCurl({ agent, input }) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const headers = ["content-type: application/json", "accept: text/event-stream"].map((line) => `-H ${quoted(line)}`);
  // The values stay in the program: the shell takes them from its environment.
  const secret = agent.headers.map((name) => `-H "${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}"`);
  const url = new URL(agent.url, location.href).href;
  return ["curl -N", quoted(url), ...headers, ...secret, "-d", quoted(JSON.stringify(input))].join(" ");
}

/** A stream with its expectations, in the form of the official conformance fixtures. */
export function asFixture(run) {
  const events = eventsOf(run);
  const strange = events.find(({ json }) => !json);
  if (strange) throw new Error(`event ${strange.n + 1} is not JSON, and a fixture has JSON only`);
  const isRefused = run.end.outcome === "refused";
  const expect = [`"outcome": "${isRefused ? "failed" : "completed"}"`];
  const isWarned = events.some(({ verdict }) => verdict === "warning");
  // The official client speaks 1.0, and warns about an agent that speaks a later version.
  const isLater = events.some(({ json }) => json.type === "RUN_STARTED" && (json.protocolVersion ?? "1.0") !== "1.0");
  if (!isWarned && !isLater) expect.push(`"noWarnings": true`);
  const types = events
    .filter(({ verdict }) => verdict === "ok" || verdict === "spec")
    .flatMap(({ becomes, type }) => (becomes.length ? becomes : [type]));
  if (!isRefused && !isWarned) expect.push(`"eventTypes": ${JSON.stringify(types)}`);
  if (!isRefused) {
    expect.push(`"messageCount": ${run.end.messages.length}`, `"messages": ${run.end.texts.messages}`, `"state": ${run.end.texts.state}`);
  }
  const input = { messages: run.input?.messages ?? [], state: run.input?.state ?? {} };
  const stream = events.map(({ text }) => `  ${oneLine(text)}`).join(",\n");
  return `{\n "name": ${JSON.stringify(nameOf(run, "-"))},\n "area": "recorded",\n "input": ${JSON.stringify(input)},\n "stream": [\n${stream}\n ],\n "expect": {\n  ${expect.join(",\n  ")}\n }\n}\n`;
}

/** A test that reads the stream as a client does, and expects the same conversation. */
export function asRust(run) {
  const frames = eventsOf(run).map(({ text }) => `    ${raw(text)},\n`).join("");
  const { outcome, error, texts } = run.end;
  const asserts = outcome === "refused"
    ? [`assert_eq!(client.end().unwrap_err().code(), ${raw(error.code)});`]
    : [`assert_eq!(client.end().unwrap(), PipelineEnd::${outcome === "complete" ? "Complete" : "Truncated"});`];
  const isRefused = outcome === "refused";
  return `use agui_runtime::protocol::RunAgentInput;
use agui_runtime::receive::${isRefused ? "ReceivePipeline" : "{PipelineEnd, ReceivePipeline}"};
use serde_json::Value;

const INPUT: &str = ${raw(JSON.stringify(run.input))};

const STREAM: &[&str] = &[
${frames}];

const MESSAGES: &str = ${raw(texts.messages)};

const STATE: &str = ${raw(texts.state)};

#[test]
fn ${nameOf(run, "_")}() {
    let input: RunAgentInput = serde_json::from_str(INPUT).unwrap();
    let mut client = ReceivePipeline::new().for_input(&input);
    for event in STREAM {
        client.push_text(event, &mut |_| {});
        ${isRefused ? "let _ = client.drain(|_, _, _| {});" : "client.drain(|_, _, _| {}).unwrap();"}
    }
    ${asserts.join("\n    ")}
    let messages: Value = serde_json::from_str(MESSAGES).unwrap();
    assert_eq!(serde_json::to_value(client.reducer().messages()).unwrap(), messages);
    let state: Value = serde_json::from_str(STATE).unwrap();
    assert_eq!(*client.reducer().state(), state);
}
`;
}

/** JSON on one line. Between tokens a line break is a space; in texts JSON has none. */
const oneLine = (text) => text.replaceAll(/[\r\n]+/g, " ");

/** A raw literal of Rust. The compiler refuses characters that change the direction of a line, so they are escaped. */
function raw(text) {
  const plain = oneLine(text).replaceAll(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu, (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const longest = Math.max(0, ...[...plain.matchAll(/"(#*)/g)].map(([, hashes]) => hashes.length + 1));
  const hashes = "#".repeat(longest);
  return `r${hashes}"${plain}"${hashes}`;
}

function nameOf({ agent }, joint) {
  const path = agent ? new URL(agent.url, location.href).pathname : "recording";
  const words = path.split(/[^a-zA-Z0-9]+/).filter(Boolean).map((word) => word.toLowerCase());
  return ["run", "of", ...(words.length ? words : ["agent"])].join(joint);
}

const FORMS = { curl: ["The command", asCurl], fixture: ["The fixture", asFixture], rust: ["The Rust test", asRust] };

/** Copies the run that is shown; where the browser forbids that, the text is shown instead. */
export async function copy(form) {
  const run = runAt(store.at);
  const [what, write] = FORMS[form];
  if (!run) return say("Run an agent first.");
  if (!run.end && form !== "curl") return say("The run has not ended yet.");
  if (!run.input) return say("The recording does not contain the input of this run.", true);
  if (form === "curl" && !run.agent) return say("A recording has no address.", true);
  if (form !== "curl" && ["broken", "stopped"].includes(run.end.outcome)) return say("The stream is incomplete: the connection ended before it did.", true);
  const cut = eventsOf(run).find(({ isCut }) => isCut);
  if (cut && form !== "curl") return say(`Event ${cut.n + 1} is longer than the page may keep.`, true);
  try {
    const text = write(run);
    await navigator.clipboard.writeText(text).then(() => say(`${what} is copied.`), () => showText(what, text));
  } catch (cause) {
    say(`${what} cannot be written: ${cause.message}`, true);
  }
}

function showText(what, text) {
  byId("copied-title").textContent = what;
  byId("copied-text").value = text;
  byId("copied").showModal();
  byId("copied-text").select();
}

for (const form of Object.keys(FORMS)) byId(`copy-${form}`).addEventListener("click", () => copy(form));

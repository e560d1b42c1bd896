// Recordings: JSON Lines with both sides of a conversation, which `agui-cli` writes and replays too.
import { byId, h, say } from "./dom.js";
import { addEvent, beginRun, change, clear, endRun, store } from "./store.js";
import { stop } from "./runner.js";
import { read } from "./stream.js";

/** The lines of the conversation: the text of each event, with its time, and with the input where a run begins. */
export function recordingText() {
  const known = new Set();
  return store.events.map((event) => `${withInput(event, known)}\n`).join("");
}

function withInput(event, known) {
  const text = event.text.replaceAll(/[\r\n]+/g, " ");
  if (!event.json) return text;
  const members = [];
  const run = store.runs[event.run];
  if (event.json.timestamp === undefined && event.at !== null) members.push(`"timestamp":${Math.round(run.begun + event.at)}`);
  if (event.type === "RUN_STARTED" && event.json.input === undefined && run.input) {
    members.push(`"input":${JSON.stringify(newPart(run.input, known))}`);
  }
  const rest = text.trimStart().slice(1);
  return members.length ? `{${members.join(",")}${rest.trim() === "}" ? "" : ","}${rest}` : text;
}

/** The input without the messages that the recording has already. */
function newPart(input, known) {
  const messages = input.messages.filter(({ id }) => !known.has(id));
  for (const { id } of input.messages) known.add(id);
  for (const { json } of store.events) if (json?.messageId) known.add(json.messageId);
  return { ...input, messages };
}

export function save() {
  if (store.events.length === 0) return say("There is nothing to save yet.");
  const cut = store.events.find(({ isCut }) => isCut);
  if (cut) return say(`Event ${cut.n + 1} is longer than the page may keep, so the recording would be incomplete.`, true);
  const blob = new Blob([recordingText()], { type: "application/jsonl" });
  const link = h("a", { href: URL.createObjectURL(blob), download: "conversation.jsonl" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Shows a recording, with the findings about its events. */
export async function open(text, name) {
  stop();
  clear();
  let line = null;
  let first = null;
  try {
    for await (line of read(text)) {
      if (line.kind !== "event") break;
      const json = parsed(line.text);
      if (store.runs.length === 0 || json?.type === "RUN_STARTED") {
        first = json?.timestamp ?? null;
        if (store.runs.length) endRun({ ...EMPTY_END, at: store.events.at(-1)?.at ?? null });
        beginRun(null, json?.input ?? null);
        if (first !== null) store.runs.at(-1).begun = first;
      }
      addEvent({ ...line, at: typeof json?.timestamp === "number" && first !== null ? json.timestamp - first : null });
    }
    if (store.runs.length === 0) return say(`${name} has no events.`, true);
    endRun({ ...line, at: store.events.at(-1)?.at ?? null });
    change({ at: 0, isLive: false });
    say(`${name}: ${store.events.length} events. Space replays them.`);
  } catch (cause) {
    say(`${name} cannot be read: ${cause.message}`, true);
  }
}

const EMPTY_END = { kind: "end", outcome: "complete", error: null, messages: "[]", state: "{}", questions: [] };

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function choose() {
  byId("file").click();
}

byId("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (file) await open(await file.text(), file.name);
  target.value = "";
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file) await open(await file.text(), file.name);
});
byId("save").addEventListener("click", save);
byId("open").addEventListener("click", choose);

// The line above everything: the agent, a message to it, and the state of the run.
import { byId, duration, setText, size } from "./dom.js";
import { begin, send, stop } from "./runner.js";
import { clear, store, view } from "./store.js";
import { ending } from "./agents.js";

const form = byId("composer");
const field = byId("message");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!store.agent) return;
  const text = field.value.trim();
  field.value = "";
  if (text) send(text);
  else begin(store.agent);
});
byId("stop").addEventListener("click", stop);
byId("new").addEventListener("click", newConversation);

export function newConversation() {
  stop();
  clear();
  field.focus();
}

const WORDS = {
  good: "Finished", waiting: "Waits for you", bad: "Failed", stopped: "Stopped", running: "Running", idle: "Ready",
};

function status({ runs, stop }) {
  if (stop) return "running";
  const last = runs.at(-1);
  return last?.end ? ending(last) : "idle";
}

view((now) => {
  const { agent, events, runs, sums } = now;
  const state = status(now);
  const pill = byId("status");
  pill.dataset.state = state;
  setText(pill, WORDS[state]);
  byId("stop").hidden = state !== "running";
  byId("run").hidden = state === "running";
  setText(byId("target"), agent?.url ?? "");
  const last = runs.at(-1);
  const first = events[last?.first];
  const end = last?.end?.at ?? events.at(-1)?.at;
  const { problems } = sums;
  setText(byId("count"), events.length ? `${events.length} ${events.length === 1 ? "event" : "events"}` : "");
  setText(byId("bytes"), events.length ? size(sums.bytes) : "");
  setText(byId("first"), first && first.at !== null ? `first ${duration(first.at)}` : "");
  setText(byId("total"), end !== undefined && end !== null ? `total ${duration(end)}` : "");
  setText(byId("problems"), problems ? `${problems} ${problems === 1 ? "finding" : "findings"}` : events.length ? "no findings" : "");
  byId("problems").dataset.any = String(problems > 0);
});

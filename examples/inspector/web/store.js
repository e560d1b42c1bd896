// Everything that the page knows, and the only place that changes it. The views read it, at most once a frame.
import { hush, say } from "./dom.js";
import { readEvent } from "./event.js";
import { Lanes } from "./lanes.js";
import { States } from "./state.js";

function noSums() {
  return { bytes: 0, problems: 0, families: new Map() };
}

export const store = {
  agents: [],
  /** The agent that the composer talks to. */
  agent: null,
  /** `{ agent, input, first, begun, isRefused, end }`; `end` is the last line of the server. */
  runs: [],
  events: [],
  /** Sums over the events, so that no view counts them again: bytes, findings, events by family. */
  sums: noSums(),
  lanes: new Lanes(),
  states: new States(),
  /** The event that is shown; the views show everything up to it. */
  at: -1,
  /** True if the newest event is shown as it arrives. */
  isLive: true,
  /** Stops the run that goes on. */
  stop: null,
  hidden: new Set(),
  search: "",
  lane: null,
  onlyProblems: false,
  axis: "order",
  expanded: new Set(),
};

const views = [];
let isDue = false;

/** Adds a function that draws a part of the page. */
export function view(draw) {
  views.push(draw);
}

/** A view that cannot be drawn does not hide the others. */
function drawSafely(draw) {
  try {
    draw(store);
  } catch (cause) {
    console.error(cause);
    say(`A part of the page cannot be drawn: ${cause.message}`, true);
  }
}

/** Draws all parts of the page now. The work of each is bounded by what changed, and by what the screen shows. */
export function draw() {
  isDue = false;
  for (const draw of views) drawSafely(draw);
}

/** Changes the store, and draws the page in the next frame. */
export function change(patch = {}) {
  Object.assign(store, patch);
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(draw);
}

/** Forgets the conversation. */
export function clear() {
  hush();
  change({
    runs: [], events: [], sums: noSums(), lanes: new Lanes(), states: new States(), at: -1, isLive: true, lane: null,
    expanded: new Set(),
  });
}

export function beginRun(agent, input) {
  store.runs.push({ agent, input, first: store.events.length, begun: Date.now(), isRefused: false, end: null });
  if (input) store.states.begin(store.events.length - 1, input.state ?? {});
  change({ isLive: true });
}

/** Adds a line of the server about an event, to the newest run. */
export function addEvent(line) {
  const event = readEvent(line, store.events.length, store.runs.length - 1);
  store.events.push(event);
  count(event);
  store.lanes.add(event);
  store.states.add(event);
  change(store.isLive ? { at: event.n } : {});
}

function count({ bytes, isProblem, family, verdict }) {
  const { sums } = store;
  sums.bytes += bytes;
  sums.problems += isProblem ? 1 : 0;
  sums.families.set(family, (sums.families.get(family) ?? 0) + 1);
  if (verdict === "refused") store.runs.at(-1).isRefused = true;
}

export function endRun(line) {
  const run = store.runs.at(-1);
  const read = (text) => (typeof text === "string" ? JSON.parse(text) : text);
  run.end = { ...line, messages: read(line.messages), state: read(line.state), texts: { messages: line.messages, state: line.state } };
  change();
}

/** Shows the time of an event. */
export function show(n) {
  if (store.events.length === 0) return;
  const at = Math.max(0, Math.min(n, store.events.length - 1));
  change({ at, isLive: at === store.events.length - 1 });
}

/** The milliseconds of an event since the first request. */
export function timeOf(event) {
  const run = store.runs[event.run];
  return event.at === null ? null : run.begun - store.runs[0].begun + event.at;
}

export const runAt = (n) => store.runs[store.events[n]?.run ?? store.runs.length - 1];

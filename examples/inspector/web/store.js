// Everything that the page knows, and the only place that changes it. The views read it, at most once a frame.
import { hush, say } from "./dom.js";
import { readEvent } from "./event.js";
import { Lanes } from "./lanes.js";
import { States } from "./state.js";

export const store = {
  agents: [],
  /** The agent that the composer talks to. */
  agent: null,
  /** `{ agent, input, first, begun, end }`; `end` is the last line of the server. */
  runs: [],
  events: [],
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
let drawn = 0;

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

/** Changes the store, and draws the page soon: less often when there is much to draw. */
export function change(patch = {}) {
  Object.assign(store, patch);
  if (isDue) return;
  isDue = true;
  const pause = Math.min(store.events.length / 40, 400);
  const wait = Math.max(0, drawn + pause - performance.now());
  const draw = () => requestAnimationFrame(() => {
    isDue = false;
    drawn = performance.now();
    for (const draw of views) drawSafely(draw);
  });
  if (wait > 0) setTimeout(draw, wait);
  else draw();
}

/** Forgets the conversation. */
export function clear() {
  hush();
  change({
    runs: [], events: [], lanes: new Lanes(), states: new States(), at: -1, isLive: true, lane: null, expanded: new Set(),
  });
}

export function beginRun(agent, input) {
  store.runs.push({ agent, input, first: store.events.length, begun: Date.now(), end: null });
  if (input) store.states.begin(store.events.length - 1, input.state ?? {});
  change({ isLive: true });
}

/** Adds a line of the server about an event, to the newest run. */
export function addEvent(line) {
  const event = readEvent(line, store.events.length, store.runs.length - 1);
  store.events.push(event);
  store.lanes.add(event);
  store.states.add(event);
  change(store.isLive ? { at: event.n } : {});
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

/** The events that pass the filters. */
export function shown() {
  const search = store.search.toLowerCase();
  return store.events.filter(
    (event) =>
      !store.hidden.has(event.family) &&
      (!store.lane || event.lane === store.lane) &&
      (!store.onlyProblems || (event.verdict !== "ok" && event.verdict !== "unread")) &&
      (!search || event.text.toLowerCase().includes(search) || event.findings.some(({ text, code }) => `${code} ${text}`.toLowerCase().includes(search))),
  );
}

/** The milliseconds of an event since the first request. */
export function timeOf(event) {
  const run = store.runs[event.run];
  return event.at === null ? null : run.begun - store.runs[0].begun + event.at;
}

export const runAt = (n) => store.runs[store.events[n]?.run ?? store.runs.length - 1];

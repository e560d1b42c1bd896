// The drawing of the lanes: a bar from the first event of each to its last, a tick for every event, a line for now.
import { byId, h, s, setText } from "./dom.js";
import { roving } from "./roving.js";
import { change, show, store, timeOf, view } from "./store.js";
import { visible } from "./visible.js";

/** Rows beyond this are left out of the drawing; the list and the search have all events. */
const MOST = 150;
const WIDTH = 1000;
/** The width in which ticks cannot be distinguished. */
const COLUMN = 3;
/** The height of a lane, as in the styles. */
const HEIGHT = 24;
const area = byId("lanes");
const scroller = area.parentElement;
const made = new Map();

const refreshStop = roving(area, ".lane");

byId("axis").addEventListener("click", switchAxis);

export function switchAxis() {
  change({ axis: store.axis === "order" ? "time" : "order" });
}

/** The place of each event on the axis, from 0 to `WIDTH`. */
function scale({ events, axis }) {
  const last = events.at(-1);
  const total = last ? timeOf(last) : null;
  const isTimed = axis === "time" && total;
  return (n) => (isTimed ? (timeOf(events[n]) / total) * (WIDTH - 8) + 4 : ((n + 0.5) / events.length) * WIDTH);
}

function row(lane) {
  const label = h("span.lane-label", h("span.dot"), h("span.lane-name"));
  const track = s("svg", { viewBox: `0 0 ${WIDTH} 20`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const bar = s("rect", { class: "bar", y: 7, height: 6, rx: 3 });
  const ticks = s("path", { class: "ticks" });
  track.append(bar, ticks);
  const button = h("button.lane", { type: "button", "data-kind": lane.kind }, label, track);
  button.style.setProperty("--depth", String(lane.depth));
  button.addEventListener("click", (click) => pick(lane, click, track));
  return { button, bar, ticks, name: label.lastChild, drawn: "" };
}

/** A click on the track shows the nearest event; on the label only the events of the lane. */
function pick(lane, click, track) {
  const box = track.getBoundingClientRect();
  if (click.detail === 0 || click.clientX < box.left) return change({ lane: store.lane === lane ? null : lane });
  const x = ((click.clientX - box.left) / box.width) * WIDTH;
  const place = scale(store);
  show(lane.events.reduce((best, n) => (Math.abs(place(n) - x) < Math.abs(place(best) - x) ? n : best)));
}

function update(entry, lane, place, frame) {
  const { button, bar, ticks } = entry;
  const drawn = `${frame}/${lane.events.length}`;
  button.setAttribute("aria-pressed", String(store.lane === lane));
  button.setAttribute("aria-label", `${lane.kind} ${visible(lane.label)}, ${lane.events.length} events: show only these`);
  button.classList.toggle("later", lane.events[0] > store.at);
  if (entry.drawn === drawn) return;
  entry.drawn = drawn;
  const [from, to] = [place(lane.events[0]), place(lane.events.at(-1))];
  bar.setAttribute("x", String(from - 3));
  bar.setAttribute("width", String(Math.max(6, to - from + 6)));
  ticks.setAttribute("d", columns(lane.events, place).map((x) => `M${x.toFixed(1)} 4V16`).join(""));
}

/** The places of the events, one for each column of the drawing that has any: as many as can be distinguished. */
function columns(events, place) {
  const found = [];
  for (let at = 0; at < events.length; at = firstFrom(events, at + 1, place, found.at(-1) + COLUMN)) found.push(place(events[at]));
  return found;
}

/** The index of the first event, from `low` on, at this place or behind it. */
function firstFrom(events, low, place, x) {
  if (low >= events.length || place(events[low]) >= x) return low;
  let [before, high] = [low, events.length];
  while (high - before > 1) {
    const middle = (before + high) >> 1;
    if (place(events[middle]) < x) before = middle;
    else high = middle;
  }
  return high;
}

/** The lanes that the user sees. The others are drawn when they come into view. */
function inView(list) {
  const { scrollTop, clientHeight } = scroller;
  return list.slice(Math.max(0, Math.floor(scrollTop / HEIGHT) - 2), Math.ceil((scrollTop + clientHeight) / HEIGHT) + 2);
}

scroller.addEventListener("scroll", () => change(), { passive: true });

view((now) => {
  const { lanes, events, at, axis } = now;
  const place = scale(now);
  const frame = `${axis}/${events.length}`;
  const list = lanes.list.slice(0, MOST);
  const rows = made.size;
  const wanted = new Set(list);
  for (const [lane, { button }] of made) {
    if (wanted.has(lane)) continue;
    button.remove();
    made.delete(lane);
  }
  for (const lane of list) {
    if (!made.has(lane)) {
      made.set(lane, row(lane));
      area.append(made.get(lane).button);
    }
    setText(made.get(lane).name, lane.label || lane.kind);
  }
  for (const lane of inView(list)) update(made.get(lane), lane, place, frame);
  if (made.size !== rows) refreshStop();
  const left = lanes.list.length - list.length;
  setText(byId("lanes-left"), left > 0 ? `${left} more lanes: search finds their events` : "");
  byId("lanes-box").hidden = events.length === 0;
  const line = byId("now");
  line.hidden = at < 0;
  if (at >= 0) line.style.setProperty("--now", String(place(at) / WIDTH));
  setText(byId("axis"), axis === "order" ? "by order" : "by time");
});

// The list of events. Only the rows in view exist, so that a run of a hundred thousand events stays quick.
import { byId, duration, h, setText, size } from "./dom.js";
import { VERDICTS } from "./event.js";
import { tree } from "./json-tree.js";
import { indexFrom, indexOf, shown } from "./shown.js";
import { change, show, store, view } from "./store.js";

const ROW = 30;
const OPEN = 230;
const grid = byId("events");
const spacer = byId("spacer");
const made = new Map();
let events = [];
let followed = -1;

/** The indices of the open rows, in their order. */
function openRows() {
  const rows = [...store.expanded].map((n) => indexOf(events, n)).filter((at) => at >= 0);
  return rows.sort((a, b) => a - b);
}

/** The distance of a row from the top. */
function top(index, open = openRows()) {
  return index * ROW + open.filter((at) => at < index).length * OPEN;
}

/** The index of the row at a distance from the top. */
function indexAt(distance) {
  let above = 0;
  for (const at of openRows()) {
    const begin = at * ROW + above * OPEN;
    if (distance < begin + ROW) break;
    if (distance < begin + ROW + OPEN) return at;
    above += 1;
  }
  return Math.floor((distance - above * OPEN) / ROW);
}

function draw() {
  const height = grid.clientHeight;
  const from = Math.max(0, indexAt(grid.scrollTop) - 8);
  const to = Math.min(events.length, indexAt(grid.scrollTop + height) + 9);
  const keep = new Set();
  const open = openRows();
  for (let at = from; at < to; at += 1) {
    const event = events[at];
    keep.add(event);
    if (!made.has(event)) {
      made.set(event, row(event));
      spacer.append(made.get(event));
    }
    update(made.get(event), event, at, open);
  }
  for (const [event, element] of made) {
    if (keep.has(event)) continue;
    element.remove();
    made.delete(event);
  }
  // A row out of view is no element that a screen reader could find.
  if (made.has(store.events[store.at])) grid.setAttribute("aria-activedescendant", `event-${store.at}`);
  else grid.removeAttribute("aria-activedescendant");
}

function row(event) {
  const [sign, words] = VERDICTS[event.verdict];
  const element = h("div.event", { role: "row", id: `event-${event.n}`, "data-family": event.family, "data-verdict": event.verdict, "data-type": event.type });
  if (store.runs[event.run]?.first === event.n) element.classList.add("first");
  const said = event.findings.map(({ text }) => text).join("\n");
  element.append(
    h("span.number", { role: "gridcell" }, String(event.n + 1)),
    h("span.time", { role: "gridcell" }, duration(event.at)),
    h("span.type", { role: "gridcell" }, h("span.dot"), event.name),
    h("span.summary", { role: "gridcell" }, event.summary.slice(0, 300)),
    h("span.size", { role: "gridcell" }, size(event.bytes)),
    h("span.verdict", { role: "gridcell", title: said || words }, h("span", { "aria-hidden": "true" }, sign), h("span.unseen", words)),
  );
  element.style.setProperty("--depth", String(event.lane?.depth ?? 0));
  element.addEventListener("click", (click) => {
    if (click.target.closest(".more")) return;
    const isAgain = store.at === event.n;
    show(event.n);
    if (isAgain || matchMedia("(max-width: 999px)").matches) toggle(event.n);
  });
  return element;
}

function update(element, event, at, open) {
  element.style.transform = `translateY(${top(at, open)}px)`;
  element.setAttribute("aria-rowindex", String(at + 1));
  element.setAttribute("aria-selected", String(event.n === store.at));
  element.classList.toggle("later", event.n > store.at);
  const isOpen = store.expanded.has(event.n);
  element.setAttribute("aria-expanded", String(isOpen));
  const more = element.querySelector(".more");
  if (isOpen && !more) element.append(h("div.more", { role: "gridcell", tabIndex: 0 }, findings(event), content(event)));
  else if (!isOpen) more?.remove();
}

export const content = (event) =>
  event.json && !event.isCut ? tree(event.json, { depth: 3 }) : h("pre.raw", event.text.slice(0, 20_000));

export function findings(event) {
  const shown = event.findings.map(({ level, code, text }) =>
    h("p.finding", { "data-level": level }, h("b", VERDICTS[level][1]), " ", h("code", code), h("span", ` ${text}`)),
  );
  if (event.becomes.length) shown.push(h("p.finding", { "data-level": "note" }, h("b", "a client reads"), ` ${event.becomes.join(", ")}`));
  return shown;
}

/** Says why a stream ended that did not end well. */
function showEnd(end, at) {
  const note = byId("ended");
  const error = at === store.events.length - 1 ? end?.error : null;
  note.hidden = !error;
  if (!error) return;
  note.dataset.level = error.level;
  setText(note, `${error.code}: ${error.text}`);
}

/** Opens or closes the whole event below its row. */
export function toggle(n = store.at) {
  if (n < 0) return;
  const expanded = new Set(store.expanded);
  if (!expanded.delete(n)) expanded.add(n);
  change({ expanded });
}

/** Moves to another event of the list. */
export function move(by) {
  const list = shown();
  const from = indexFrom(list, store.at);
  const isBetween = list[from]?.n !== store.at;
  const next = Math.max(0, Math.min(list.length - 1, from + by - (isBetween && by > 0 ? 1 : 0)));
  if (list[next]) show(list[next].n);
}

grid.addEventListener("scroll", draw, { passive: true });
new ResizeObserver(() => {
  reveal(indexOf(events, store.at));
  draw();
}).observe(grid);

/** Scrolls to a row. */
function reveal(index) {
  if (index < 0) return;
  const y = top(index);
  if (y < grid.scrollTop) grid.scrollTop = y;
  else if (y + ROW > grid.scrollTop + grid.clientHeight) grid.scrollTop = y + ROW - grid.clientHeight;
}

view(({ at, runs }) => {
  events = shown();
  spacer.style.height = `${top(events.length)}px`;
  grid.setAttribute("aria-rowcount", String(events.length));
  const index = indexOf(events, at);
  if (at !== followed && index >= 0) reveal(index);
  followed = at;
  showEnd(runs.at(-1)?.end, at);
  const empty = byId("empty");
  empty.hidden = events.length > 0;
  grid.hidden = events.length === 0;
  setText(empty, runs.length === 0 ? "Run an agent: its events appear here as they arrive." : store.events.length ? "No event passes the filters." : runs.at(-1).end ? "No event came." : "Waiting for the first event.");
  draw();
});


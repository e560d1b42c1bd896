// The events that pass the filters, as a list that grows with the events: a new event is looked at once.
import { store } from "./store.js";

let list = [];
/** The number of events that were looked at, and for what. */
let read = 0;
let key = null;

const keyOf = ({ events, hidden, lane, onlyProblems, search }) => [events, hidden, lane, onlyProblems, search];

/** The list. It is the same array until a filter changes. */
export function shown() {
  const wanted = keyOf(store);
  if (key === null || wanted.some((part, at) => part !== key[at])) {
    key = wanted;
    list = [];
    read = 0;
  }
  const passes = filter(store);
  for (; read < store.events.length; read += 1) if (passes(store.events[read])) list.push(store.events[read]);
  return list;
}

/** The index of the first event of the list that is not before event `n`; the length of the list if there is none. */
export function indexFrom(events, n) {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].n < n) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of event `n` in the list, or -1. */
export function indexOf(events, n) {
  const at = indexFrom(events, n);
  return events[at]?.n === n ? at : -1;
}

function filter({ hidden, lane, onlyProblems, search }) {
  const words = search.toLowerCase();
  const has = (text) => text.toLowerCase().includes(words);
  return (event) =>
    !hidden.has(event.family) &&
    (!lane || event.lane === lane) &&
    (!onlyProblems || event.isProblem) &&
    (!words || has(event.text) || event.findings.some(({ text, code }) => has(`${code} ${text}`)));
}

// The event that is shown: the verdict, its time and size, its members.
import { byId, duration, h, setChildren, size } from "./dom.js";
import { content, findings } from "./event-list.js";
import { VERDICTS } from "./event.js";
import { timeOf, view } from "./store.js";

let drawn = null;

view(({ at, events }) => {
  const event = events[at] ?? null;
  if (event === drawn || byId("pane-event").hidden) return;
  drawn = event;
  const pane = byId("pane-event");
  if (!event) return setChildren(pane, [h("p.hint", "Choose an event to see all of it.")]);
  const before = events[at - 1];
  const gap = before && before.run === event.run && event.at !== null ? duration(event.at - before.at) : null;
  const facts = [
    ["Event", `${event.n + 1} of ${events.length}`],
    ["After the request", duration(event.at)],
    ["After the event before", gap],
    ["Since the first request", event.run > 0 ? duration(timeOf(event)) : null],
    ["Size", size(event.bytes)],
    ["Lane", event.lane?.label],
    ["Subagent", event.author],
  ];
  const [sign, words] = VERDICTS[event.verdict];
  setChildren(pane, [
    h("h2", { "data-family": event.family }, h("span.dot"), event.name),
    h("p.verdict-line", { "data-verdict": event.verdict }, h("span", { "aria-hidden": "true" }, sign), ` ${sentence(event, words)}`),
    ...findings(event),
    h("dl.facts", facts.filter(([, value]) => value).flatMap(([name, value]) => [h("dt", name), h("dd", value)])),
    event.isCut && h("p.finding", { "data-level": "note" }, "The page shows the first megabyte of it; the verifier read all."),
    content(event),
  ]);
});

function sentence({ verdict }, words) {
  if (verdict === "ok") return "In order: the official client and the specification accept it.";
  return { warning: "A client accepts it, and leaves something out.", spec: "Clients accept it, the specification forbids it.", refused: "The official client stops here.", unread: "A client does not read it: it has stopped before." }[verdict] ?? words;
}

export function redraw() {
  drawn = null;
}

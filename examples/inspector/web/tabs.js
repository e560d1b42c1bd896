// The panes beside the list, one at a time; on a narrow screen also the list of agents and the list of events.
import { byId } from "./dom.js";
import { change } from "./store.js";

const tabs = [...document.querySelectorAll("[role=tab]")];
const isShown = (tab) => tab.offsetParent !== null;

for (const tab of tabs) {
  tab.addEventListener("click", () => open(tab.dataset.pane));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    event.preventDefault();
    const shown = tabs.filter(isShown);
    const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
    open(next.dataset.pane);
    next.focus();
  });
}

/** Shows a pane. */
export function open(pane) {
  document.body.dataset.pane = pane;
  for (const tab of tabs) {
    const isOpen = tab.dataset.pane === pane;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
  }
  for (const panel of document.querySelectorAll("#side [role=tabpanel]")) panel.hidden = panel.id !== `pane-${pane}`;
  const isWide = matchMedia("(min-width: 1000px)").matches;
  if (isWide && (pane === "agents" || pane === "events")) byId(pane).focus();
  change();
}

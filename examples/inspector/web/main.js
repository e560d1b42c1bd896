// The page begins here: it draws the agents that its program may run.
import "./theme.js";
import "./about-pane.js";
import "./event-pane.js";
import "./filters.js";
import "./input-pane.js";
import "./keys.js";
import "./lanes-view.js";
import "./state-pane.js";
import { showAgents } from "./agents.js";
import { foldedMessages } from "./chat.js";
import { byId, say } from "./dom.js";
import { addEvent, change, draw, store } from "./store.js";
import { agents } from "./stream.js";
import { open } from "./tabs.js";

open(matchMedia("(min-width: 1000px)").matches ? "chat" : "agents");
agents().then(
  (found) => {
    showAgents(byId("agents"), found);
    change({ agents: found, agent: found[0] ?? null });
    document.body.dataset.few = String(found.length < 2);
  },
  (cause) => say(`The agents cannot be listed: ${cause.message}`, true),
);

// For tests, and for the console.
globalThis.inspector = { store, foldedMessages, addEvent, draw };

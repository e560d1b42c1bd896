// The agent that the composer talks to, and the capabilities that it declares.
import { byId, h, setChildren } from "./dom.js";
import { tree } from "./json-tree.js";
import { view } from "./store.js";
import { capabilities } from "./stream.js";

let drawn = null;

view(({ agent }) => {
  const pane = byId("pane-about");
  if (pane.hidden || !agent || agent === drawn) return;
  drawn = agent;
  const declared = h("div", h("p.hint", "Asking …"));
  setChildren(pane, [
    h("h2", agent.url),
    h("p", agent.about),
    agent.headers.length ? h("p.hint", `The program adds these headers: ${agent.headers.join(", ")}`) : null,
    h("h3", "Declared capabilities"),
    declared,
  ]);
  capabilities(agent).then(
    (answer) => declared.replaceChildren(answer.capabilities ? tree(answer.capabilities, { depth: 3 }) : h("p.hint", answer.error ?? "It declares none.")),
    (cause) => declared.replaceChildren(h("p.hint", cause.message)),
  );
});

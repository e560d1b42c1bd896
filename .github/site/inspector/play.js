// Plays the recorded conversation when the page opens; a visitor answers its question.
import { agents } from "./stream.js";
import { begin } from "./runner.js";
import { store } from "./store.js";
import { open } from "./tabs.js";

const [agent] = await agents();
// The list of agents comes first, so that its button shows the run.
while (!store.agent) await new Promise(requestAnimationFrame);
open(matchMedia("(min-width: 1000px)").matches ? "chat" : "events");
await begin(store.agent ?? agent);
if (!matchMedia("(min-width: 1000px)").matches) open("chat");

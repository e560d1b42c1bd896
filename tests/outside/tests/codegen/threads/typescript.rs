//! TypeScript, in Node.

use agui_tests::cut_server::CutServer;
use agui_tests::need;
use agui_tests::outside::{Generation, Node};
use serde_json::json;

use super::{check, check_requests, job};
use crate::typescript::run;
use crate::{cases, folder, generate};

const SCRIPT: &str = r#"
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { KitchenAgent } from "./kitchen/client.js";

// The official client logs each failed run, and leaves a rejection behind where its stream fails.
console.error = () => undefined;
process.on("unhandledRejection", () => undefined);

const job = JSON.parse(readFileSync(0, "utf8"));
const wrong: unknown[] = [];
const counts: any = {};
const soon = { attempts: 4, firstPause: 1, longestPause: 5000 };

const agentAt = (path: string, options = {}) =>
  new KitchenAgent({ url: job.base + path, threadId: "t", reconnect: soon, ...options });

async function run(path: string, options = {}) {
  const agent = agentAt(path, options);
  const events: unknown[] = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
  await agent.runAgent({ runId: "r" });
  return { events, all: JSON.stringify([events, agent.messages, agent.state]), end: [agent.messages, agent.state] };
}

const whole = await run("/whole");
counts.delivered = whole.events.length;

/** Runs all jobs, some at a time. */
async function each<T>(jobs: T[], check: (job: T) => Promise<unknown>) {
  const left = jobs.entries();
  const work = async () => {
    for (const [, job] of left) {
      const found = await check(job).catch((error) => String(error));
      if (found !== undefined) wrong.push({ job, found });
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return jobs.length;
}

const cuts = ["abort", "close"].flatMap((way) => Array.from({ length: job.bytes + 1 }, (_, at) => ({ way, at })));
counts.cuts = await each(cuts, async ({ way, at }) => {
  // Before the first id, only a client that knows the server asks again.
  const found = await run(`/${way}/${at}`, { resumable: at < job.first ? true : undefined });
  return found.all === whole.all ? undefined : found.all;
});
for (const path of ["/each", "/busy/900"]) {
  const found = await run(path);
  if (found.all !== whole.all) wrong.push({ path, found });
}

const gaps: [number, number][] = [];
for (let cut = 1; cut < job.events; cut += 1) {
  for (let kept = cut; kept <= job.events; kept += 1) gaps.push([cut, kept]);
}
counts.gaps = await each(gaps, async ([cut, kept]) => {
  const { events, end } = await run(`/trimmed/${cut}/${kept}`);
  const starts = events.filter((event: any) => event.type === "RUN_STARTED").length;
  return isDeepStrictEqual(end, whole.end) && starts === 1 ? undefined : { end, starts };
});

const places = Array.from({ length: job.events }, (_, at) => at + 1);
counts.joins = await each(places, async (at) => {
  const agent = agentAt(`/late/${at}`);
  agent.addMessage({ id: "draft", role: "user", content: "not sent" });
  await agent.openThread("t");
  const end = [agent.messages, agent.state];
  return isDeepStrictEqual(end, whole.end) ? undefined : end;
});

counts.refused = [];
for (const status of [400, 401, 404, 409]) {
  const error: any = await run(`/refused/${status}`).catch((error) => error);
  counts.refused.push(error.name === "RefusedError" ? error.status : String(error));
  counts.code = error.code;
}
counts.lost = 0;
for (const path of ["/refused/503", "/gone"]) {
  const error: any = await run(path).catch((error) => error);
  counts.lost += error.name === "ConnectionLostError" ? 1 : 0;
}
const empty = agentAt("/empty");
await empty.connectAgent();
counts.empty = empty.messages.length;
counts.plain = [];
for (const path of ["/counted/700", "/plain/700"]) {
  const count = await run(path).then(({ events }) => events.length, () => 0);
  counts.plain.push(count < job.events ? "failed" : "ended");
}
counts.stopped = await agentAt("/stopped").stop();

// A page that leaves while the client waits to connect again.
const waiting = agentAt("/abort/700/left", { reconnect: { firstPause: 60_000, longestPause: 60_000 } });
const states: string[] = [];
waiting.onConnection(() => void states.push(waiting.connection));
const running = waiting.runAgent({ runId: "r" });
while (waiting.connection !== "reconnecting") await new Promise((resolve) => setTimeout(resolve, 5));
waiting.abortRun();
await running.catch(() => undefined);
counts.left = states.join() === "connecting,open,reconnecting,closed" || states;

console.log(JSON.stringify({ wrong: wrong.slice(0, 5), counts }));
"#;

/// A browser without a network: the page's clock runs as fast as the client waits, until the network is back.
const TUNNEL: &str = r#"
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { KitchenAgent } from "./kitchen/client.js";

console.error = () => undefined;
process.on("unhandledRejection", () => undefined);
const job = JSON.parse(readFileSync(0, "utf8"));

const page: any = new EventTarget();
const shown: any = Object.assign(new EventTarget(), { visibilityState: "visible" });
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  document: shown,
});
const [sleep, now] = [globalThis.setTimeout, Date.now];
let [ahead, freezes] = [0, false];
Date.now = () => now() + ahead;
// A pause of the client passes at once, or never.
globalThis.setTimeout = ((go: () => void, pause: number) => {
  if (pause < 50) return sleep(go, pause);
  if (freezes) return sleep(() => undefined, 0);
  ahead += pause;
  return sleep(go, 0);
}) as typeof setTimeout;
const turn = () => new Promise((resolve) => sleep(resolve, 5));

type Way = "gone" | "hangs" | "whole";
/** A client whose network fails with the second request in the way `then`, until `way` is changed. */
function client(path: string, options: object = {}, then: Way = "gone") {
  const its = { way: "whole" as Way, requests: 0, aborted: 0 };
  const fetchThrough = async (url: string, init: RequestInit): Promise<Response> => {
    its.requests += 1;
    if (its.way === "whole") {
      its.way = then;
      return fetch(url, init);
    }
    if (its.way === "gone") throw new TypeError("no network");
    return new Promise((_, reject) => {
      init.signal?.addEventListener("abort", () => {
        its.aborted += 1;
        reject(init.signal?.reason);
      });
    });
  };
  const agent = new KitchenAgent({ url: job.base + path, threadId: "t", fetch: fetchThrough, ...options });
  const seen: string[] = [];
  agent.onConnection(() => void seen.push(agent.connection));
  return { agent, its, seen };
}
const failed = (run: Promise<unknown>) => run.then(() => "ended", (error: Error) => error.name);
const whole = client("/whole");
await whole.agent.runAgent({ runId: "r" });

const found: Record<string, unknown> = {};
{
  const { agent, its, seen } = client("/abort/900/minutes");
  const from = Date.now();
  found.minutes = [await failed(agent.runAgent({ runId: "r" })), Math.round((Date.now() - from) / 60_000), its.requests > 30];
  found.seen = [...seen];
  its.way = "whole";
  // Saying it again begins as always.
  found.again = [await failed(agent.runAgent({ runId: "again" })), agent.connection];
}
freezes = true;
for (const [name, event] of [["online", "online"], ["shown", "visibilitychange"]] as const) {
  const { agent, its, seen } = client(`/abort/900/${name}`);
  const run = agent.runAgent({ runId: "r" });
  while (agent.connection !== "reconnecting") await turn();
  await turn();
  const asked = its.requests;
  shown.visibilityState = "hidden";
  shown.dispatchEvent(new Event("visibilitychange"));
  await turn();
  const hidden = its.requests;
  shown.visibilityState = "visible";
  its.way = "whole";
  (event === "online" ? page : shown).dispatchEvent(new Event(event));
  await run;
  found[name] = [hidden - asked, its.requests - asked, isDeepStrictEqual(agent.messages, whole.agent.messages), seen];
}
freezes = false;
{
  // A request that hangs is given up when the network is back.
  const { agent, its } = client("/abort/900/hangs", {}, "hangs");
  const run = agent.runAgent({ runId: "r" });
  while (its.requests < 2) await turn();
  await turn();
  its.way = "whole";
  page.dispatchEvent(new Event("online"));
  await run;
  found.hangs = [its.aborted, its.requests, isDeepStrictEqual(agent.messages, whole.agent.messages)];
}
{
  // The attempts stop when the page leaves.
  const { agent, its } = client("/abort/900/leaves", {}, "hangs");
  const run = failed(agent.runAgent({ runId: "r" }));
  while (its.requests < 2) await turn();
  agent.abortRun();
  await run;
  await turn();
  page.dispatchEvent(new Event("online"));
  await turn();
  found.leaves = [its.requests, its.aborted, agent.connection];
}
{
  const { agent, its } = client("/abort/900/soon", { reconnect: { giveUpAfter: 3000 } });
  const from = Date.now();
  found.soon = [await failed(agent.runAgent({ runId: "r" })), Date.now() - from < 8000, its.requests > 2];
}
console.log(JSON.stringify(found));
"#;

#[test]
fn a_client_without_a_network_goes_on_for_minutes_and_at_once_when_the_network_is_back() {
    let node = need!(Node::ready());
    let folder = folder("threads-tunnel");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "ts", &folder));
    std::fs::write(folder.join("tunnel.ts"), TUNNEL).unwrap();
    for generation in Generation::ALL {
        let server = CutServer::start();
        let found = run(&node, &folder, "tunnel.ts", generation, &job(&server));
        let seen = json!(["connecting", "open", "reconnecting", "open", "closed"]);
        assert_eq!(
            found,
            json!({
                "minutes": ["ConnectionLostError", 5, true],
                "seen": ["connecting", "open", "reconnecting", "closed"],
                "again": ["ended", "closed"],
                "online": [0, 1, true, seen],
                "shown": [0, 1, true, seen],
                "hangs": [1, 3, true],
                "leaves": [2, 1, "closed"],
                "soon": ["ConnectionLostError", true, true],
            }),
            "{found:#}"
        );
    }
}

#[test]
fn a_run_that_is_cut_anywhere_is_delivered_as_if_it_were_not() {
    let node = need!(Node::ready());
    let folder = folder("threads-typescript");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "ts", &folder));
    std::fs::write(folder.join("threads.ts"), SCRIPT).unwrap();
    for generation in Generation::ALL {
        let server = CutServer::start();
        check(&run(&node, &folder, "threads.ts", generation, &job(&server)));
        check_requests(&server);
    }
}

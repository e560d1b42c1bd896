//! TypeScript, in Node.

use agui_tests::cut_server::CutServer;
use agui_tests::need;
use agui_tests::outside::{Generation, Node};

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

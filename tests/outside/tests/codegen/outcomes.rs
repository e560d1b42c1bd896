//! A run that fails, or whose request is refused, cannot be overlooked: it rejects in TypeScript and raises in Python.

use std::fs;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Generation, Node, Python, finish};
use serde_json::{Value, json};

use super::{cases, folder, generate, typescript::run};

const TYPESCRIPT: &str = r#"
import { KeeperAgent } from "./keeper/client.js";
import { KitchenAgent } from "./kitchen/client.js";

console.error = () => undefined;
process.on("unhandledRejection", () => undefined);
const events = (...events: object[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), { headers: { "content-type": "text/event-stream" } });
const refused = (status: number, body: string) => new Response(body, { status, headers: { "content-type": "application/json" } });
const failed = () => events(
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  { type: "RUN_ERROR", message: "no rice", code: "sold_out" },
);
const told = ({ name, message, status, code }: any) => ({ name, message, status, code });
const outcome = async (Agent: any, way: "runAgent" | "connectAgent", answer: () => Response) => {
  const agent = new Agent({ url: "http://127.0.0.1:1/", threadId: "t", fetch: async () => answer() });
  return agent[way]({ runId: "r" }).then(
    (result: any) => ({ opened: true, ...(result.failure && told(result.failure)) }),
    told,
  );
};
const error = JSON.stringify({ error: { code: "unauthorized", message: "who are you?" } });
const found: unknown[] = [];
for (const Agent of [KeeperAgent, KitchenAgent]) {
  for (const way of ["runAgent", "connectAgent"] as const) {
    found.push(await outcome(Agent, way, failed));
    found.push(await outcome(Agent, way, () => refused(401, error)));
    found.push(await outcome(Agent, way, () => refused(500, "<html>")));
  }
}
console.log(JSON.stringify(found));
"#;

#[test]
fn a_failed_or_refused_run_rejects() {
    let node = need!(Node::ready());
    let folder = folder("outcomes-ts");
    for case in cases::all().into_iter().filter(|case| ["kitchen", "keeper"].contains(&case.name)) {
        drop(generate(&case, "ts", &folder));
    }
    fs::write(folder.join("main.ts"), TYPESCRIPT).unwrap();
    for generation in Generation::ALL {
        let found = run(&node, &folder, "main.ts", generation, &Value::Null);
        for (index, outcomes) in found.as_array().unwrap().chunks(3).enumerate() {
            let [failed, refused, broken] = outcomes else { panic!("{found:#}") };
            // A thread whose last run failed can be opened, and says so.
            let opened = if index % 2 == 1 { json!(true) } else { Value::Null };
            let expected = json!({ "name": "RunFailedError", "code": "sold_out", "message": "no rice" });
            let is_right = |key: &str| failed[key] == expected[key];
            assert!(
                failed["opened"] == opened && ["name", "code", "message"].into_iter().all(is_right),
                "{found:#}"
            );
            assert_eq!(refused["name"], "RefusedError", "{found:#}");
            assert_eq!(
                (&refused["status"], &refused["code"]),
                (&json!(401), &json!("unauthorized")),
                "{found:#}"
            );
            assert_eq!(
                (&broken["name"], &broken["status"]),
                (&json!("RefusedError"), &json!(500)),
                "{found:#}"
            );
        }
    }
}

const PYTHON: &str = r#"
import asyncio, json
import httpx
from api.kitchen import KitchenClient, RefusedError


async def refused(status, body):
    answer = httpx.MockTransport(lambda _: httpx.Response(status, text=body))
    async with httpx.AsyncClient(transport=answer) as pool:
        client = KitchenClient("http://127.0.0.1:1/", client=pool)
        for stream in (client.run(client.input([], thread_id="t", run_id="r")), client.connect("t")):
            try:
                async for _ in stream:
                    pass
                yield "ended"
            except RefusedError as error:
                yield [error.status, error.code]


async def main():
    error = json.dumps({"error": {"code": "unauthorized", "message": "who are you?"}})
    cases = [(401, error), (500, "<html>")]
    print(json.dumps([found for status, body in cases async for found in refused(status, body)]))


asyncio.run(main())
"#;

#[test]
fn a_refused_run_raises_in_python() {
    let python = need!(Python::ready());
    let folder = folder("outcomes-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "python", &folder.join("api")));
    let script = folder.join("main.py");
    fs::write(&script, PYTHON).unwrap();
    let finished = finish(python.command(&script), "", Duration::from_secs(60)).assert_success();
    let refused = json!([401, "unauthorized"]);
    assert_eq!(finished.json::<Value>(), json!([refused, refused, [500, null], [500, null]]));
}

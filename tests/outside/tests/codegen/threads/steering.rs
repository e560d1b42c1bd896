//! The generated clients say something while a run works.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use agui_tests::need;
use agui_tests::outside::{Generation, Node, Python, finish};
use serde_json::{Value, json};

use crate::typescript::run_with as run_script;
use crate::{cases, folder, generate};

/// Counts until the user says more. Takes no messages if the first word is `deaf`.
#[agent]
async fn counter(run: &mut Run<Counter>, input: Input<Counter>) -> Result<(), Stop> {
    let first = input.user_text().unwrap_or_default().to_owned();
    run.say(format!("I heard: {first}")).await;
    for _ in 0..200 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        if first != "deaf" && first != "count" {
            return Ok(());
        }
        if first == "count"
            && let Some(said) = run.steering_messages().await.pop()
        {
            run.say(format!("Then: {}", said.content.text())).await;
            return Ok(());
        }
    }
    Ok(())
}

/// Serves the agent until the process ends.
fn serve() -> SocketAddr {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let options = ThreadOptions::default().busy(BusyThread::Steer);
            let server = Server::new().threads(Memory::new()).thread_options(options);
            server.agent("/", Counter::new()).serve_on(listener, std::future::pending()).await
        })
    });
    told.recv().unwrap()
}

fn check(report: &Value) {
    assert_eq!(
        report["joined"],
        json!(["user: count", "assistant: I heard: count", "user: stop", "assistant: Then: stop"]),
        "{report:#}"
    );
    assert_eq!(
        report["next"],
        json!(["user: deaf", "assistant: I heard: deaf", "user: hello", "assistant: I heard: hello"]),
        "{report:#}"
    );
    assert_eq!(report["idle"], json!(["user: hi", "assistant: I heard: hi"]), "{report:#}");
    assert_eq!(report["refused"], "body_too_large", "{report:#}");
}

const TYPESCRIPT: &str = r#"
import { readFileSync } from "node:fs";
import { KitchenAgent } from "./kitchen/client.js";

console.error = () => undefined;
process.on("unhandledRejection", () => undefined);
const { direct } = JSON.parse(readFileSync(0, "utf8"));
const at = (threadId: string) => new KitchenAgent({ url: direct, threadId, onDrift: () => undefined });
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
const said = (agent: KitchenAgent) => agent.messages.map(({ role, content }: any) => `${role}: ${content}`);

async function steered(thread: string, first: string, then: string) {
  const agent = at(thread);
  agent.addMessage({ id: first, role: "user", content: first });
  const run = agent.runAgent();
  while (agent.messages.length < 2) await turn();
  await agent.steer(then);
  await run;
  while (agent.isRunning || agent.messages.length < 4) await turn();
  return agent;
}

const agent = await steered("joined", "count", "stop");
const tab = at("joined");
await tab.connectAgent();
if (JSON.stringify(said(tab)) !== JSON.stringify(said(agent))) throw new Error(String(said(tab)));
const next = await steered("next", "deaf", "hello");
const idle = at("idle");
await idle.steer("hi");

const busy = at("busy");
busy.addMessage({ id: "count", role: "user", content: "count" });
const run = busy.runAgent();
while (busy.messages.length < 2) await turn();
const refused = await busy.steer("a".repeat(11_000_000)).then(() => "", (error) => error.code);
await busy.steer("stop");
await run;

console.log(JSON.stringify({ joined: said(agent), next: said(next), idle: said(idle), refused }));
process.exit(0);
"#;

#[test]
fn typescript_steers_a_run() {
    let node = need!(Node::ready());
    let folder = folder("steering-typescript");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "ts", &folder));
    std::fs::write(folder.join("steer.ts"), TYPESCRIPT).unwrap();
    let job = json!({ "direct": format!("http://{}/", serve()) });
    check(&run_script(&node, &folder, "steer.ts", Generation::V1, &job, "--no-warnings"));
}

const PYTHON: &str = r#"
import asyncio, json, sys
from ag_ui.core import UserMessage
from kitchen_api._reconnect import RefusedError
from kitchen_api._thread import History
from kitchen_api.kitchen import KitchenClient

job = json.load(sys.stdin)


class Client(KitchenClient):
    def on_drift(self, client, agent):
        """The agent is another one: only its events matter here."""


def said(messages):
    return [f"{message.role}: {message.content}" for message in messages]


async def steered(thread, first, then):
    client = Client(job["direct"])
    input = client.input([UserMessage(id=first, role="user", content=first)], thread_id=thread)
    history, has_steered = History(input.messages), False
    async for event in client.events(input):
        history.apply(event)
        if event.type == "TEXT_MESSAGE_END" and not has_steered:
            has_steered = True
            await client.steer(thread, then)
    return client, history.messages


async def connected(client, thread):
    while True:
        current = client.connect(thread)
        async for _ in current:
            pass
        if len(current.messages) >= 2 and current.messages[-1].role == "assistant":
            return current.messages


async def main():
    _, joined = await steered("joined", "count", "stop")
    client, _ = await steered("next", "deaf", "hello")
    next = await connected(client, "next")
    while len(next) < 4:
        next = await connected(client, "next")
    await client.steer("idle", "hi")
    idle = await connected(client, "idle")
    try:
        await client.steer("idle", "a" * 11_000_000)
    except RefusedError as error:
        refused = error.code
    report = {"joined": said(joined), "next": said(next), "idle": said(idle), "refused": refused}
    print(json.dumps(report))


asyncio.run(main())
"#;

#[test]
fn python_steers_a_run() {
    let python = need!(Python::ready());
    let folder = folder("steering-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "python", &folder.join("kitchen_api")));
    let script = folder.join("steer.py");
    std::fs::write(&script, PYTHON).unwrap();
    let job = json!({ "direct": format!("http://{}/", serve()) });
    let mut command = python.command(&script);
    for variable in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(variable);
    }
    let finished = finish(command, &job.to_string(), Duration::from_secs(60));
    assert!(finished.stderr.is_empty(), "{finished}");
    check(&finished.json());
}

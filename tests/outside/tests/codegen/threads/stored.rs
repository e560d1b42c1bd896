//! The generated clients with a real server that stores its threads, behind a proxy that cuts every connection: over a
//! request for each run, and over one WebSocket for all.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use agui_tests::cut_proxy::CutProxy;
use agui_tests::need;
use agui_tests::outside::{Generation, Node, Python, finish};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::typescript::run_with as run_script;
use crate::{cases, folder, generate_with};

/// The state of the conversation.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Count {
    words: u32,
}

/// Asks before something is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", message = "Send it?", response = bool)]
struct Confirm {
    text: String,
}

/// Does what the last message says.
#[agent(state = Count, interrupts = [Confirm])]
async fn speaker(run: &mut Run<Speaker>, input: Input<Speaker>) -> Result<(), Stop> {
    let count = run.state().adopt_or_snapshot(&input).await?;
    if let Some(asked) = input.resumed::<Confirm>()? {
        assert!(asked.response == Some(true), "the pen broke");
        run.say(if asked.response == Some(true) { "Sent." } else { "Not sent." }).await;
        return Ok(());
    }
    match &*input.user_text().unwrap_or_default() {
        "ask" => return Err(run.ask(Confirm { text: "Dear all".to_owned() })),
        "wait" => {
            let mut text = run.message().await;
            text.push("waiting").await;
            std::future::pending::<()>().await;
            text.end();
        }
        _ => {
            for _ in 0..3 {
                let mut text = run.message().await;
                for word in 0..30 {
                    text.push(format!("{word} … ")).await;
                    count.update(|count| count.words += 1).await?;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                text.end();
            }
        }
    }
    Ok(())
}

/// Serves the agent on threads of its own until the process ends.
pub(super) fn serve() -> SocketAddr {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let server = Server::new().websocket().threads(Memory::new()).agent("/", Speaker::new());
            server.serve_on(listener, std::future::pending()).await
        })
    });
    told.recv().unwrap()
}

/// A server, and a proxy that lets the head of a response, an event and a part of the next ones pass.
fn cutting(over_socket: bool) -> (Value, CutProxy) {
    let address = serve();
    let proxy = CutProxy::start(address, |connection| 1200 + connection * 397 % 2000);
    let job =
        json!({ "proxy": proxy.url("/"), "direct": format!("http://{address}/"), "socket": over_socket });
    (job, proxy)
}

fn check(report: &Value, proxy: &CutProxy) {
    let text: String = (0..30).map(|word| format!("{word} … ")).collect();
    assert_eq!(report["texts"], json!(["speak", text, text, text]), "{report:#}");
    assert_eq!((&report["words"], &report["later"]), (&json!(90), &json!(true)), "{report:#}");
    assert_eq!((&report["open"], &report["answered"]), (&json!(1), &json!("Sent.")), "{report:#}");
    assert_eq!(report["stopped"], json!([true, false]), "{report:#}");
    assert_eq!(report["foreign"], json!(["http://other.example/"]), "{report:#}");
    let connections = proxy.connections();
    eprintln!("{connections} connections");
    assert!(connections > 5, "{connections}");
}

const TYPESCRIPT: &str = r#"
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { webSocketFetch } from "./_websocket.js";
import { KitchenAgent } from "./kitchen/client.js";

console.error = () => undefined;
process.on("unhandledRejection", () => undefined);
const { proxy, direct, socket } = JSON.parse(readFileSync(0, "utf8"));
const sent = { runs: 0, others: 0 };
const sockets = new Map(
  [proxy, direct].map((url: string) => {
    const others: typeof fetch = (target, init) => {
      sent.others += 1;
      return fetch(target, init);
    };
    const send = webSocketFetch(`${url.replace("http", "ws")}agui/ws`, { fetch: others });
    const counted: typeof send = (target, init) => {
      sent.runs += 1;
      return send(target, init);
    };
    return [url, counted];
  }),
);
const at = (url: string, threadId: string) =>
  new KitchenAgent({
    url,
    threadId,
    fetch: socket ? sockets.get(url) : undefined,
    reconnect: { attempts: 20, firstPause: 1, longestPause: 50 },
    // The agent is another one: only its events matter here.
    onDrift: () => undefined,
  });
const say = (agent: KitchenAgent, content: string) => agent.addMessage({ id: content, role: "user", content });

const speaker = at(proxy, "speak");
say(speaker, "speak");
await speaker.runAgent();
const later = at(direct, "speak");
await later.connectAgent();

const asking = at(direct, "ask");
say(asking, "ask");
await asking.runAgent();
const answering = at(direct, "ask");
await answering.connectAgent();
const open = answering.pendingInterrupts;
await answering.runAgent({ resume: [{ interruptId: open[0]!.id, status: "resolved", payload: true }] });

const waiting = at(direct, "wait");
say(waiting, "wait");
const run = waiting.runAgent();
while (waiting.messages.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
const other = at(direct, "wait");
const stopped = [await other.stop()];
await run;
stopped.push(await other.stop());

// A run of another server goes to that server. A run that its reader leaves before the socket is open ends at once.
const foreign: string[] = [];
const elsewhere: typeof fetch = async (target) => {
  foreign.push(String(target));
  return new Response(null, { status: 204 });
};
const mixed = webSocketFetch(`${direct.replace("http", "ws")}agui/ws`, { fetch: elsewhere });
const starts = { method: "POST", headers: { accept: "text/event-stream" }, body: "{}" };
await mixed("http://other.example/", starts);
const leaving = new AbortController();
const left = mixed(direct, { ...starts, signal: leaving.signal }).then(() => "answered", (error) => error.name);
leaving.abort();

console.log(JSON.stringify({
  foreign,
  left: await left,
  texts: speaker.messages.map((message: any) => message.content),
  words: (speaker.state as any).words,
  later: isDeepStrictEqual([speaker.messages, speaker.state], [later.messages, later.state]),
  open: open.length,
  answered: (answering.messages.at(-1) as any).content,
  stopped,
  sent,
}));
process.exit(0);
"#;

#[test]
fn typescript_is_whole_through_a_network_that_cuts_every_connection() {
    let node = need!(Node::ready());
    let folder = folder("kept-typescript");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate_with(&kitchen, "ts", &folder, |options| options.websocket = true));
    std::fs::write(folder.join("kept.ts"), TYPESCRIPT).unwrap();
    for over_socket in [false, true] {
        let (job, proxy) = cutting(over_socket);
        // Node has sockets by itself from version 22 on.
        let options = "--experimental-websocket --no-warnings";
        let report = run_script(&node, &folder, "kept.ts", Generation::V1, &job, options);
        check(&report, &proxy);
        assert_eq!(report["left"], "AbortError", "{report:#}");
        let sent = |what: &str| report["sent"][what].as_u64().unwrap();
        // The requests that stop a run are still requests.
        assert_eq!(sent("others"), if over_socket { 2 } else { 0 }, "{report:#}");
        assert_eq!(sent("runs") > 6, over_socket, "{report:#}");
    }
}

const FAILED_TYPESCRIPT: &str = r#"
import { readFileSync } from "node:fs";
import { HttpAgent } from "@ag-ui/client";
import { KitchenAgent } from "./kitchen/client.js";

console.error = () => undefined;
process.on("unhandledRejection", () => undefined);
const { direct } = JSON.parse(readFileSync(0, "utf8"));
const at = (threadId: string) => new KitchenAgent({ url: direct, threadId, onDrift: () => undefined });
const say = (agent: HttpAgent, content: string) => agent.addMessage({ id: content, role: "user", content });
const no = (id: string) => ({ resume: [{ interruptId: id, status: "resolved" as const, payload: false }] });

const agent = at("told");
say(agent, "ask");
await agent.runAgent();
const other = at("told");
await other.connectAgent();
const open = [agent.pendingInterrupts.length, other.pendingInterrupts.length];
const asked = agent.pendingInterrupts[0]!.id;
const broken = await agent.runAgent(no(asked)).then(() => "", (error) => error.name);
if (broken !== "RunFailedError") throw new Error(broken);
open.push(agent.pendingInterrupts.length);
say(agent, "speak");
await agent.runAgent();
const refused = await other.runAgent(no(asked)).then(() => "", (error) => String(error));
open.push(other.pendingInterrupts.length);
say(other, "again");
await other.runAgent();

// The official client reads no such list: it holds the question, and cancels it.
const official = new HttpAgent({ url: direct, threadId: "official" });
say(official, "ask");
await official.runAgent();
const held = official.pendingInterrupts[0]!.id;
await official.runAgent(no(held));
say(official, "speak");
const locked = await official.runAgent().then(() => "", (error) => String(error));
await official.runAgent({ resume: [{ interruptId: held, status: "cancelled" }] });
open.push(official.pendingInterrupts.length);
const roles = official.messages.map(({ role }) => role).join(" ");

console.log(JSON.stringify({ open, refused, locked, roles }));
process.exit(0);
"#;

#[test]
fn typescript_goes_on_after_its_answered_run_has_failed() {
    let node = need!(Node::ready());
    let folder = folder("failed-typescript");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate_with(&kitchen, "ts", &folder, |_| ()));
    std::fs::write(folder.join("failed.ts"), FAILED_TYPESCRIPT).unwrap();
    let job = json!({ "direct": format!("http://{}/", serve()) });
    let report = run_script(&node, &folder, "failed.ts", Generation::V1, &job, "--no-warnings");
    assert_eq!(report["open"], json!([1, 1, 0, 0, 0]), "{report:#}");
    assert!(report["refused"].as_str().unwrap().contains("interrupt_not_open"), "{report:#}");
    assert!(report["locked"].as_str().unwrap().contains("interrupt"), "{report:#}");
    assert_eq!(report["roles"], "user user assistant assistant assistant", "{report:#}");
}

const FAILED_PYTHON: &str = r#"
import asyncio, json, sys
from ag_ui.core import ResumeEntry, UserMessage
from kitchen_api._reconnect import RefusedError
from kitchen_api.kitchen import KitchenClient

job = json.load(sys.stdin)


class Client(KitchenClient):
    def on_drift(self, client, agent):
        """The agent is another one: only its events matter here."""


async def run(client, said, **more):
    messages = [UserMessage(id=said, role="user", content=said)] if said else []
    input = client.input(messages, thread_id="told").model_copy(update=more)
    return [event.type async for event in client.events(input)]


async def main():
    first, other = Client(job["direct"]), Client(job["direct"])
    await run(first, "ask")
    async for _ in other.connect("told"):
        pass
    pending = lambda client: client.pending_interrupts("told")
    open = [len(pending(first)), len(pending(other))]
    no = [ResumeEntry(interrupt_id=pending(first)[0].id, status="resolved", payload=False)]
    await run(first, None, resume=no)
    open.append(len(pending(first)))
    ends = [(await run(first, "speak"))[-1]]
    try:
        await run(other, None, resume=no)
    except RefusedError as error:
        refused = error.code
    open.append(len(pending(other)))
    ends.append((await run(other, "again"))[-1])
    print(json.dumps({"open": open, "refused": refused, "ends": ends}))


asyncio.run(main())
"#;

#[test]
fn python_goes_on_after_its_answered_run_has_failed() {
    let python = need!(Python::ready());
    let folder = folder("failed-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate_with(&kitchen, "python", &folder.join("kitchen_api"), |_| ()));
    let script = folder.join("failed.py");
    std::fs::write(&script, FAILED_PYTHON).unwrap();
    let job = json!({ "direct": format!("http://{}/", serve()) });
    let mut command = python.command(&script);
    for variable in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(variable);
    }
    let finished = finish(command, &job.to_string(), Duration::from_secs(60));
    assert!(finished.stderr.is_empty(), "{finished}");
    let report: Value = finished.json();
    assert_eq!(report["open"], json!([1, 1, 0, 0]), "{report:#}");
    assert_eq!(report["refused"], "interrupt_not_open", "{report:#}");
    assert_eq!(report["ends"], json!(["RUN_FINISHED", "RUN_FINISHED"]), "{report:#}");
}

const PYTHON: &str = r#"
import asyncio, json, sys
import httpx
from ag_ui.core import ResumeEntry, UserMessage
from kitchen_api._websocket import WebSocketTransport
from kitchen_api._support import History, State
from kitchen_api.kitchen import KitchenClient, Reconnect

job = json.load(sys.stdin)
report = {}


class Client(KitchenClient):
    def on_drift(self, client, agent):
        """The agent is another one: only its events matter here."""


clients, others = {}, []


class Others(httpx.AsyncHTTPTransport):
    """Counts the requests that start no run."""

    async def handle_async_request(self, request):
        others.append(request.url.path)
        return await super().handle_async_request(request)


def at(url):
    if job["socket"] and url not in clients:
        transport = WebSocketTransport(url.replace("http", "ws") + "agui/ws", http=Others())
        clients[url] = httpx.AsyncClient(transport=transport)
    soon = Reconnect(attempts=20, first_pause=0.001, longest_pause=0.05)
    return Client(url, client=clients.get(url), reconnect=soon)


async def run(client, said, thread_id, **more):
    messages = [UserMessage(id=said, role="user", content=said)] if said else []
    input = client.input(messages, thread_id=thread_id).model_copy(update=more)
    history, state = History(input.messages), State(None)
    async for event in client.events(input):
        history.apply(event)
        if event.type in ("STATE_SNAPSHOT", "STATE_DELTA"):
            state.apply(event)
    return history.messages, state.value


async def connected(client, thread_id):
    thread = client.connect(thread_id)
    async for _ in thread:
        pass
    return thread.messages, thread.state


class Elsewhere(httpx.AsyncBaseTransport):
    """Another server."""

    async def handle_async_request(self, request):
        report["foreign"] = [str(request.url)]
        return httpx.Response(204)


async def ask_another_server():
    """Sends a run to another server than that of the socket."""
    transport = WebSocketTransport(job["direct"].replace("http", "ws") + "agui/ws", http=Elsewhere())
    async with httpx.AsyncClient(transport=transport) as http:
        await http.post("http://other.example/", headers={"accept": "text/event-stream"}, content="{}")


async def main():
    await ask_another_server()
    messages, state = await run(at(job["proxy"]), "speak", "speak")
    report["texts"] = [message.content for message in messages]
    report["words"] = state["words"]
    report["later"] = (messages, state) == await connected(at(job["direct"]), "speak")

    await run(at(job["direct"]), "ask", "ask")
    client = at(job["direct"])
    await connected(client, "ask")
    [asked] = client.pending_interrupts("ask")
    report["open"] = 1
    entry = ResumeEntry(interrupt_id=asked.id, status="resolved", payload=True)
    messages, _ = await run(client, None, "ask", resume=[entry])
    report["answered"] = messages[-1].content

    waiting = at(job["direct"])
    task = asyncio.create_task(run(waiting, "wait", "wait"))
    other, stopped = at(job["direct"]), False
    while not stopped:
        await asyncio.sleep(0.01)
        stopped = await other.stop("wait")
    await task
    report["stopped"] = [stopped, await other.stop("wait")]
    report["others"] = sorted(set(others))
    for http in clients.values():
        await http.aclose()


asyncio.run(main())
json.dump(report, sys.stdout)
"#;

#[test]
fn python_is_whole_through_a_network_that_cuts_every_connection() {
    let python = need!(Python::ready());
    let folder = folder("kept-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    let api = folder.join("kitchen_api");
    drop(generate_with(&kitchen, "python", &api, |options| options.websocket = true));
    let script = folder.join("kept.py");
    std::fs::write(&script, PYTHON).unwrap();
    for over_socket in [false, true] {
        let (job, proxy) = cutting(over_socket);
        let mut command = python.command(&script);
        for variable in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(variable);
        }
        let finished = finish(command, &job.to_string(), Duration::from_secs(60));
        assert!(finished.stderr.is_empty(), "{finished}");
        let report = finished.json();
        check(&report, &proxy);
        let others = if over_socket { json!(["/stop/wait"]) } else { json!([]) };
        assert_eq!(report["others"], others);
    }
}

//! The list of threads in the generated clients, and in the hook of React, from a server that knows its visitors by a header.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use agui_codegen::ir::ReactPackage;
use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use agui_tests::identified::identified;
use agui_tests::need;
use agui_tests::outside::{Generation, Node, Pages, Python, finish};
use serde_json::{Value, json};

use crate::typescript::run;
use crate::{cases, folder, generate, generate_with};

/// Repeats the last message.
#[agent]
async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
    run.say(format!("You said {}.", input.user_text().unwrap_or_default())).await;
    Ok(())
}

/// Serves the agent on threads of its own until the process ends.
fn serve() -> SocketAddr {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let server = identified(Server::new().threads(Memory::new()).agent("/", Parrot::new()));
            server.serve_on(listener, std::future::pending()).await
        })
    });
    told.recv().unwrap()
}

fn job() -> Value {
    json!({ "url": format!("http://{}/", serve()) })
}

/// Checks the report of a client that made three threads, and then changed them.
fn check(report: &Value) {
    let entry = |thread: &str, more: Value| {
        let mut entry = json!({
            "threadId": thread, "title": null, "archived": false, "metadata": {},
            "last": ["assistant", format!("You said {thread}.")], "running": false, "openInterrupts": [],
            "hasRun": true, "hasTime": true,
        });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry
    };
    let [first, second, third] = ["one/1", "two", "three"].map(|thread| entry(thread, json!({})));
    assert_eq!(report["first"], json!([third, second]), "{report:#}");
    assert_eq!(report["rest"], json!([first]), "{report:#}");
    assert_eq!(report["got"], second, "{report:#}");
    assert_eq!(report["renamed"], entry("one/1", json!({ "title": "Ünö & more" })), "{report:#}");
    assert_eq!(report["untitled"], entry("one/1", json!({})), "{report:#}");
    assert_eq!(report["archived"], entry("two", json!({ "archived": true })), "{report:#}");
    assert_eq!(report["shown"], json!(["one/1", "three"]), "{report:#}");
    assert_eq!(report["all"], json!(["one/1", "three", "two"]), "{report:#}");
    assert_eq!(report["back"], entry("two", json!({})), "{report:#}");
    assert_eq!(
        report["set"],
        entry("two", json!({ "metadata": { "a": 1, "b": { "c": [2] } } })),
        "{report:#}"
    );
    assert_eq!(report["merged"], entry("two", json!({ "metadata": { "b": { "c": [2] } } })), "{report:#}");
    assert_eq!(report["left"], json!(["one/1", "two"]), "{report:#}");
    assert_eq!(report["foreign"], json!([]), "{report:#}");
    let refused = json!([[404, "thread_not_found"], [404, "thread_not_found"], [403, "identity_needed"]]);
    assert_eq!(report["refused"], refused, "{report:#}");
}

const TYPESCRIPT: &str = r#"
import { readFileSync } from "node:fs";
import { KitchenAgent } from "./kitchen/client.js";
import type { ThreadEntry, ThreadPage } from "./_thread_list.js";

const { url } = JSON.parse(readFileSync(0, "utf8"));
const at = (visitor: string | undefined, threadId: string) =>
  new KitchenAgent({ url, threadId, headers: visitor ? { "x-name": visitor } : {}, onDrift: () => undefined });
for (const thread of ["one/1", "two", "three"]) {
  const agent = at("Ada", thread);
  agent.addMessage({ id: thread, role: "user", content: thread });
  await agent.runAgent();
  // Threads that change in the same millisecond have no order.
  await new Promise((resolve) => setTimeout(resolve, 5));
}
const { threads } = at("Ada", "other");
const shown = ({ lastMessage, createdAt, updatedAt, lastRunId, ...entry }: ThreadEntry) => ({
  ...entry,
  last: lastMessage && [lastMessage.role, lastMessage.text],
  hasRun: typeof lastRunId === "string",
  hasTime: createdAt <= updatedAt && Date.now() - createdAt < 60_000,
});
const ids = ({ threads }: ThreadPage) => threads.map(({ threadId }) => threadId).sort();
const refused = (request: Promise<unknown>) => request.then(String, ({ name, status, code }) => (name === "RefusedError" ? [status, code] : name));

const report: Record<string, unknown> = {};
const first = await threads.list({ limit: 2 });
report.first = first.threads.map(shown);
report.rest = (await threads.list({ limit: 2, after: first.next })).threads.map(shown);
report.got = shown(await threads.get("two"));
report.renamed = shown(await threads.rename("one/1", "Ünö & more"));
report.untitled = shown(await threads.rename("one/1", null));
report.archived = shown(await threads.archive("two"));
report.shown = ids(await threads.list());
report.all = ids(await threads.list({ includeArchived: true }));
report.back = shown(await threads.unarchive("two"));
report.set = shown(await threads.setMetadata("two", { a: 1, b: { c: [2] } }));
report.merged = shown(await threads.setMetadata("two", { a: null }));
await threads.delete("three");
report.left = ids(await threads.list());
const foreign = at("Grace", "two").threads;
report.foreign = ids(await foreign.list({ includeArchived: true }));
report.refused = await Promise.all([refused(threads.get("three")), refused(foreign.rename("two", "mine")), refused(at(undefined, "t").threads.list())]);
console.log(JSON.stringify(report));
process.exit(0);
"#;

#[test]
fn typescript_lists_and_changes_the_threads_of_its_user() {
    let node = need!(Node::ready());
    let folder = folder("listed-typescript");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "ts", &folder));
    std::fs::write(folder.join("listed.ts"), TYPESCRIPT).unwrap();
    for generation in Generation::ALL {
        check(&run(&node, &folder, "listed.ts", generation, &job()));
    }
}

const PYTHON: &str = r#"
import asyncio, json, sys, time
from ag_ui.core import UserMessage
from kitchen_api._thread_list import ThreadEntry, ThreadPage
from kitchen_api.kitchen import KitchenClient, RefusedError

job = json.load(sys.stdin)


class Client(KitchenClient):
    def on_drift(self, client: str, agent: str) -> None:
        """The agent is another one: only its events matter here."""


def at(visitor):
    return Client(job["url"], headers={"x-name": visitor} if visitor else {})


def shown(entry: ThreadEntry):
    last = entry.last_message
    return {
        "threadId": entry.thread_id,
        "title": entry.title,
        "archived": entry.archived,
        "metadata": entry.metadata,
        "last": last and [last.role, last.text],
        "running": entry.running,
        "openInterrupts": entry.open_interrupts,
        "hasRun": entry.last_run_id is not None,
        "hasTime": entry.created_at <= entry.updated_at and time.time() - entry.created_at / 1000 < 60,
    }


def ids(page: ThreadPage):
    return sorted(entry.thread_id for entry in page.threads)


async def refused(request):
    try:
        return repr(await request)
    except RefusedError as error:
        return [error.status, error.code]


async def main():
    client, report = at("Ada"), {}
    for thread in ("one/1", "two", "three"):
        said = [UserMessage(id=thread, role="user", content=thread)]
        async for _ in client.events(client.input(said, thread_id=thread)):
            pass
        # Threads that change in the same millisecond have no order.
        await asyncio.sleep(0.005)
    threads = client.threads
    first = await threads.list(limit=2)
    report["first"] = [shown(entry) for entry in first.threads]
    report["rest"] = [shown(entry) for entry in (await threads.list(limit=2, after=first.next)).threads]
    report["got"] = shown(await threads.get("two"))
    report["renamed"] = shown(await threads.rename("one/1", "Ünö & more"))
    report["untitled"] = shown(await threads.rename("one/1", None))
    report["archived"] = shown(await threads.archive("two"))
    report["shown"] = ids(await threads.list())
    report["all"] = ids(await threads.list(include_archived=True))
    report["back"] = shown(await threads.unarchive("two"))
    report["set"] = shown(await threads.set_metadata("two", {"a": 1, "b": {"c": [2]}}))
    report["merged"] = shown(await threads.set_metadata("two", {"a": None}))
    await threads.delete("three")
    report["left"] = ids(await threads.list())
    foreign = at("Grace").threads
    report["foreign"] = ids(await foreign.list(include_archived=True))
    report["refused"] = [
        await refused(threads.get("three")),
        await refused(foreign.rename("two", "mine")),
        await refused(at(None).threads.list()),
    ]
    print(json.dumps(report))


asyncio.run(main())
"#;

#[test]
fn python_lists_and_changes_the_threads_of_its_user() {
    let python = need!(Python::ready());
    let folder = folder("listed-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "python", &folder.join("kitchen_api")));
    let script = folder.join("listed.py");
    std::fs::write(&script, PYTHON).unwrap();
    let mut command = python.command(&script);
    for variable in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(variable);
    }
    let finished = finish(command, &job().to_string(), Duration::from_secs(60));
    assert!(finished.stderr.is_empty(), "{finished}");
    check(&finished.json());
}

const PAGE: &str = r#"
import { readFileSync } from "node:fs";
import { Window } from "happy-dom";
const window = new Window({ url: "https://shop.example" });
const { document, navigator } = window;
Object.assign(globalThis, { window, document, navigator, IS_REACT_ACT_ENVIRONMENT: true });

const { act, createElement: h, StrictMode, useState } = await import("react");
const { createRoot } = await import("react-dom/client");
const { renderToString } = await import("react-dom/server");
const { KitchenAgent } = await import("./kitchen/client.js");
const { useKitchenThreads } = await import("./kitchen/react.js");
const { url } = JSON.parse(readFileSync(0, "utf8"));

const problems: string[] = [];
console.error = (...words: unknown[]) => void problems.push(words.map(String).join(" "));
let requests = 0;
const counted: typeof fetch = (target, init) => {
  requests += 1;
  return fetch(target, init);
};
const at = (threadId: string, visitor = "Ada") =>
  new KitchenAgent({ url, threadId, headers: visitor ? { "x-name": visitor } : {}, fetch: counted as any, onDrift: () => undefined });
async function say(agent: any, said: string) {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content: said });
  await agent.runAgent();
  await new Promise((resolve) => setTimeout(resolve, 5));
}
for (const thread of ["1", "2", "3", "4", "5"]) await say(at(thread), thread);

let list: any;
let setArchived!: (shown: boolean) => void;
function Threads({ agent }: any) {
  const [includeArchived, set] = useState(false);
  setArchived = set;
  list = useKitchenThreads(agent, { limit: 2, includeArchived });
  return h("p", null, list.threads.map((entry: any) => `${entry.threadId} ${entry.title ?? entry.lastMessage?.text}`).join("; "));
}
/** Waits until the list is as it should be. */
async function until(what: string, isSo: () => boolean) {
  for (let tries = 0; tries < 200 && !isSo(); tries += 1) await act(async () => { await new Promise((resolve) => setTimeout(resolve, 20)); });
  if (!isSo()) throw new Error(`${what}: ${div.textContent}`);
  return `${div.textContent}${list.hasMore ? " …" : ""}`;
}

const shown: Record<string, unknown> = {};
const agent = at("5");
shown.server = renderToString(h(Threads, { agent }));
const div: any = document.createElement("div");
const root = createRoot(div);
requests = 0;
await act(async () => root.render(h(StrictMode, null, h(Threads, { agent }))));
shown.first = await until("the first page", () => list.status === "ready");
shown.requests = requests;
await act(() => list.more());
shown.second = await until("two pages", () => list.threads.length === 4);
await act(() => say(agent, "again"));
shown.again = await until("the list after a run", () => div.textContent.startsWith("5 You said again."));
await act(() => list.rename("4", "Four"));
await until("a title", () => div.textContent.includes("4 Four"));
await act(() => list.archive("4"));
await until("a thread less", () => !div.textContent.includes("Four"));
await act(async () => setArchived(true));
shown.all = (await until("all threads", () => list.status === "ready")).includes("4 Four") || list.hasMore;
await act(() => list.archive("4", false));
await act(async () => setArchived(false));
await until("the shown threads", () => list.status === "ready");
await act(() => list.more());
await act(() => list.more());
await act(() => list.remove("1"));
shown.removed = (await until("a thread less", () => !div.textContent.includes("1 "))).split("; ").length;
shown.missing = await list.rename("1", "One").then(() => "renamed", (error: any) => error.code);
shown.kept = list.status;
shown.subscribers = agent.subscribers.length;
await act(async () => root.unmount());
shown.unmounted = agent.subscribers.length;

const stranger = createRoot(document.createElement("div") as any);
await act(async () => stranger.render(h(Threads, { agent: at("t", "") })));
await until("a refusal", () => list.status === "failed");
shown.refused = [list.error.code, list.threads.length];
shown.problems = problems;
console.log(JSON.stringify(shown));
process.exit(0);
"#;

#[test]
fn a_component_lists_and_changes_the_threads_of_its_user() {
    let pages = need!(Pages::ready());
    let folder = folder("listed-react");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate_with(&kitchen, "ts", &folder, |options| options.react = Some(ReactPackage::Plain)));
    std::fs::write(folder.join("page.ts"), PAGE).unwrap();
    let shown: Value = pages.run(&folder, "page.ts", &job().to_string()).assert_success().json();
    let said = |thread: u32| format!("{thread} You said {thread}.");
    let expected = json!({
        "server": "<p></p>",
        "first": format!("{}; {} …", said(5), said(4)),
        "requests": 1,
        "second": format!("{}; {}; {}; {} …", said(5), said(4), said(3), said(2)),
        "again": format!("5 You said again.; {}; {}; {} …", said(4), said(3), said(2)),
        "all": true,
        "removed": 4,
        "missing": "thread_not_found",
        "kept": "ready",
        "subscribers": 1,
        "unmounted": 0,
        "refused": ["identity_needed", 0],
        "problems": [],
    });
    assert_eq!(shown, expected, "{shown:#}");
}

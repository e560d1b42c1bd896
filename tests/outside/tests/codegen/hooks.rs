//! The hooks of React alone, in a DOM and on a server.

use std::fs;

use agui_codegen::ir::ReactPackage;
use agui_tests::{
    need,
    outside::{Checkers, Pages},
};
use serde_json::{Value, json};

use super::{cases, folder, generate_with};

/// A component, as TypeScript without JSX: the hooks have the types of the agent.
const TYPED: &str = r#"
import { useKitchenActivities, useKitchenCalls, useKitchenMessages, useKitchenState, useKitchenStatus } from "./kitchen/react.js";
import type { KitchenAgent } from "./kitchen/client.js";
import { useKeeperInterrupts } from "./keeper/react.js";
import type { KeeperAgent } from "./keeper/client.js";

export function Kitchen({ agent }: { agent: KitchenAgent }): string {
  const title: string | undefined = useKitchenState(agent)?.title;
  // @ts-expect-error: the state has no such member
  useKitchenState(agent)?.titel;
  // @ts-expect-error: the state of the client has no type of its own
  agent.state.title;
  const texts = useKitchenMessages(agent).map((message) => message.id);
  for (const call of useKitchenCalls(agent)) {
    if (call.name === "price" && call.status === "answered") texts.push(call.result.cents.toFixed());
    // @ts-expect-error: arguments that are arriving are not there yet
    if (call.status === "arriving") texts.push(call.args);
    if (call.name === "confirm_order" && call.status === "called") texts.push(call.args.total.cents.toFixed());
  }
  for (const { id, type, content } of useKitchenActivities(agent)) {
    const kind: "SEARCH" = type;
    texts.push(id, kind, content.kind === "done" ? content.hits.toFixed() : content.query);
    // @ts-expect-error: a search that runs has no hits
    texts.push(content.hits);
  }
  const { status, error } = useKitchenStatus(agent);
  return `${title ?? ""} ${texts.join()} ${status} ${error ?? ""}`;
}

export function Questions({ agent }: { agent: KeeperAgent }): string {
  return useKeeperInterrupts(agent)
    .map((asked) => {
      if (asked.reason === "confirm_delete") {
        agent.resolve(asked, { approved: true });
        // @ts-expect-error: the response has a type
        agent.resolve(asked, { approved: "yes" });
        return asked.payload.path;
      }
      return asked.id;
    })
    .join();
}
"#;

/// The page: it shows all parts of an agent whose server is a function, in strict mode, below a component that
/// suspends; and the same page rendered on a server, then hydrated.
const PAGE: &str = r#"
import { Window } from "happy-dom";
const window = new Window({ url: "https://shop.example" });
const { document, navigator } = window;
Object.assign(globalThis, { window, document, navigator, IS_REACT_ACT_ENVIRONMENT: true });

const { act, createElement: h, StrictMode, Suspense, use, useState } = await import("react");
const { createRoot, hydrateRoot } = await import("react-dom/client");
const { renderToString } = await import("react-dom/server");
const { KitchenAgent } = await import("./kitchen/client.js");
const { KeeperAgent } = await import("./keeper/client.js");
const kitchen = await import("./kitchen/react.js");
const keeper = await import("./keeper/react.js");

const problems: string[] = [];
console.error = (...words: unknown[]) => void problems.push(words.map(String).join(" "));

/** An agent whose server sends these events, each when the test says so. */
function served<A>(make: (config: any) => A) {
  let send!: ReadableStreamDefaultController<Uint8Array>;
  const fetch = async () => new Response(new ReadableStream({ start: (c) => void (send = c) }), {
    headers: { "content-type": "text/event-stream" },
  });
  const agent = make({ url: "https://shop.example/agent", threadId: "t", fetch });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
  return {
    agent,
    send: (...events: object[]) => act(async () => {
      for (const event of events) send.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
      await settle();
    }),
    end: () => act(async () => { send.close(); await settle(); }),
    start: (parameters = {}) => act(async () => {
      (agent as any).runAgent({ runId: "r", ...parameters }).catch(() => {});
      await settle();
    }),
  };
}

const renders: Record<string, number> = {};
const count = (name: string) => void (renders[name] = (renders[name] ?? 0) + 1);

function State({ agent }: any) {
  count("state");
  return h("p", null, `state ${kitchen.useKitchenState(agent)?.title ?? "none"}`);
}
function Messages({ agent }: any) {
  return h("p", null, kitchen.useKitchenMessages(agent).map((m: any) => `${m.role} ${m.content ?? ""}`).join("; "));
}
function Calls({ agent }: any) {
  const calls = kitchen.useKitchenCalls(agent);
  return h("p", null, calls.map((call: any) => `${call.name} ${call.status} ${JSON.stringify(call.result ?? call.args ?? null)}`).join("; "));
}
function Activities({ agent }: any) {
  return h("p", null, kitchen.useKitchenActivities(agent).map((shown: any) => `${shown.id} ${shown.content.query ?? shown.content.hits}`).join("; "));
}
function Status({ agent }: any) {
  count("status");
  const { status, error } = kitchen.useKitchenStatus(agent);
  return h("p", null, `${status} ${error ?? ""}`);
}
function Slow({ ready }: any) {
  return h("p", null, use(ready) as string);
}
function Page({ agent, ready }: any) {
  return h(StrictMode, null,
    h(Suspense, { fallback: h("p", null, "loading") },
      h(State, { agent }), h(Messages, { agent }), h(Calls, { agent }), h(Status, { agent }), h(Activities, { agent }),
      ready ? h(Slow, { ready }) : null));
}
const text = (node: any) => [...node.querySelectorAll("p")].filter((p: any) => p.style.display !== "none").map((p: any) => p.textContent.trim());

const shown: Record<string, unknown> = {};
const { agent, send, start, end } = served((config) => new KitchenAgent({ ...config, initialState: { ...STATE, title: "Soup" } }));
const div = document.createElement("div");
let open!: (text: string) => void;
const ready = new Promise<string>((resolve) => (open = resolve));
const root = createRoot(div as any);
await act(async () => root.render(h(Page, { agent, ready })));
shown.suspended = text(div);
shown.subscribersWhileSuspended = agent.subscribers.length;
await act(async () => open("slow"));
shown.first = text(div);
shown.subscribers = agent.subscribers.length;

await start();
await send({ type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" });
shown.running = text(div);
const before = renders.state;
await send(
  { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "He" },
);
await send({ type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "llo" }, { type: "TEXT_MESSAGE_END", messageId: "m1" });
shown.stateRendersForText = renders.state! - before!;
shown.spoken = text(div);
await send(
  { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "price", parentMessageId: "m1" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"name":' },
);
shown.arriving = text(div)[2];
await send({ type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '"rice"}' }, { type: "TOOL_CALL_END", toolCallId: "c1" });
shown.called = text(div)[2];
await send({ type: "TOOL_CALL_RESULT", messageId: "m2", toolCallId: "c1", content: '{"cents":90}', role: "tool" });
shown.answered = text(div)[2];
await send({ type: "STATE_SNAPSHOT", snapshot: STATE });
await send({ type: "STATE_DELTA", delta: [{ op: "replace", path: "/title", value: "Risotto" }] });
shown.state = text(div)[0];
const search = { messageId: "a1", activityType: "SEARCH" };
await send({ type: "ACTIVITY_SNAPSHOT", ...search, content: { kind: "running", query: "rice" } });
shown.searching = text(div)[4];
await send({ type: "ACTIVITY_DELTA", ...search, patch: [{ op: "replace", path: "/query", value: "risotto rice" }] });
shown.changed = text(div)[4];
await send({ type: "ACTIVITY_DELTA", ...search, patch: [{ op: "replace", path: "/query", value: 7 }] });
shown.spoiled = text(div)[4];
await send({ type: "RUN_FINISHED", threadId: "t", runId: "r" });
await end();
shown.finished = text(div)[3];

await start({ runId: "r2" });
await send({ type: "RUN_STARTED", threadId: "t", runId: "r2", protocolVersion: "1.0" });
await send({ type: "RUN_ERROR", message: "no rice", code: "sold_out" });
await end();
shown.failed = text(div)[3];
await act(async () => root.unmount());
shown.subscribersAfter = agent.subscribers.length;

// A page from a server: its first text in the browser is the same, whatever happened in between.
const other = new KitchenAgent({ url: "https://shop.example/agent", threadId: "t", initialState: { ...STATE, title: "Soup" } });
const html = renderToString(h(Page, { agent: other }));
const there = document.createElement("div");
there.innerHTML = html;
shown.server = text(there);
other.setState(STATE);
let hydrated: any;
await act(async () => void (hydrated = hydrateRoot(there as any, h(Page, { agent: other }))));
shown.hydrated = text(there)[0];
await act(async () => hydrated.unmount());

// Questions are typed, and gone when the next run begins.
function Questions({ agent }: any) {
  return h("p", null, keeper.useKeeperInterrupts(agent).map((asked: any) => `${asked.reason} ${asked.payload.path ?? ""}`).join("; "));
}
const asking = served((config) => new KeeperAgent(config));
const second = createRoot(div as any);
await act(async () => second.render(h(StrictMode, null, h(Questions, { agent: asking.agent }))));
await asking.start();
await asking.send({ type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" });
await asking.send({ type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "interrupt", interrupts: INTERRUPTS } });
await asking.end();
shown.asked = text(div)[0];
await act(async () => second.unmount());

shown.problems = problems;
console.log(JSON.stringify(shown));
process.exit(0);
"#;

#[test]
fn hooks_without_copilotkit_have_types() {
    let checkers = need!(Checkers::ready());
    let folder = folder("plain-hooks-types");
    for case in cases::all() {
        for (place, single_file) in [("several", false), ("single", true)] {
            drop(generate_with(&case, "ts", &folder.join(place), |options| {
                options.react = Some(ReactPackage::Plain);
                options.single_file = single_file;
            }));
        }
    }
    fs::write(folder.join("several/component.ts"), TYPED).unwrap();
    let single = TYPED.replace("/client.js", "/index.js");
    fs::write(folder.join("single/component.ts"), single).unwrap();
    let readme = include_str!("../../../../agui-codegen/README.md");
    let blocks = readme.split("```ts\n").skip(1).filter_map(|block| block.split_once("```"));
    let blocks: Vec<&str> =
        blocks.map(|(block, _)| block).filter(|block| block.contains("/react.js\"")).collect();
    let [component, kept, list] = blocks.as_slice() else {
        panic!("{} components in the README", blocks.len())
    };
    fs::write(folder.join("several/readme.ts"), component.replace("./agui/", "./")).unwrap();
    fs::write(folder.join("several/kept.ts"), kept.replace("./agui/", "./")).unwrap();
    fs::write(folder.join("several/list.ts"), list.replace("./agui/", "./")).unwrap();
    drop(checkers.type_check(&folder).assert_success());
}

#[test]
fn hooks_without_copilotkit_show_an_agent() {
    let pages = need!(Pages::ready());
    let folder = folder("plain-hooks");
    for case in cases::all().into_iter().filter(|case| ["kitchen", "keeper"].contains(&case.name)) {
        drop(generate_with(&case, "ts", &folder, |options| options.react = Some(ReactPackage::Plain)));
    }
    let state = json!({"title": "Pasta", "ingredients": [], "steps": [], "difficulty": null});
    let interrupts = json!([{
        "id": "q1", "reason": "confirm_delete", "message": "Really?",
        "metadata": {"agui-rust/payload": {"path": "/tmp", "entries": []}},
    }]);
    let page = PAGE.replacen(
        "const renders",
        &format!("const STATE = {state}, INTERRUPTS = {interrupts};\nconst renders"),
        1,
    );
    fs::write(folder.join("page.ts"), page).unwrap();
    let finished = pages.run(&folder, "page.ts", "").assert_success();
    let shown: Value = finished.json();
    let soup = json!(["state Soup", "", "", "idle", "", "slow"]);
    assert_eq!(
        shown,
        json!({
            "suspended": ["loading"],
            "subscribersWhileSuspended": 0,
            "first": soup,
            "subscribers": 1,
            "running": ["state Soup", "", "", "running", "", "slow"],
            "stateRendersForText": 0,
            "spoken": ["state Soup", "assistant Hello", "", "running", "", "slow"],
            "arriving": "price arriving null",
            "called": "price called {\"name\":\"rice\"}",
            "answered": "price answered {\"cents\":90}",
            "state": "state Risotto",
            "searching": "a1 rice",
            "changed": "a1 risotto rice",
            "spoiled": "",
            "finished": "idle",
            "failed": "failed no rice",
            "subscribersAfter": 0,
                "server": ["state Soup", "", "", "idle", ""],
            "hydrated": format!("state {}", state["title"].as_str().unwrap()),
            "asked": "confirm_delete /tmp",
            "problems": [],
        }),
        "{shown:#}"
    );
}

//! Reports of tools that are still running: the items of their results, and their progress, by their types.

use std::fs;
use std::time::Duration;

use agui_codegen::Manifest;
use agui_tests::need;
use agui_tests::outside::{Checkers, Generation, Node, Python, finish};
use serde_json::{Value, json};

use super::{folder, typescript::run, write};

fn manifest() -> Manifest {
    let word =
        json!({ "type": "object", "properties": { "word": { "type": "string" } }, "required": ["word"] });
    let hit =
        json!({ "type": "object", "properties": { "cents": { "type": "integer" } }, "required": ["cents"] });
    let hits = json!({ "type": "array", "items": { "$ref": "#/types/out/Hit" } });
    let tool = |name: &str, result: Value| {
        json!({
            "name": name, "side": "backend", "description": "", "params": { "out": word, "in": word },
            "result": { "out": result },
        })
    };
    let manifest = json!({
        "agui_manifest": 1, "generator": "test", "crate": { "name": "shop", "version": "1" },
        "agents": [{
            "name": "clerk", "description": "", "version": "1", "rust": "n", "events": [],
            "tools": [tool("find", hits), tool("count", json!({ "type": "integer" }))],
        }],
        "types": { "out": { "Hit": hit }, "in": {} }, "hash": { "wire": "sha256-0", "full": "sha256-0" },
    });
    Manifest::from_json(&manifest.to_string()).unwrap()
}

/// A run with two calls, whose reports are right and wrong.
fn events() -> Value {
    let custom = |name: &str, value: Value| json!({ "type": "CUSTOM", "name": format!("agui-rust.{name}"), "value": value });
    let mut events = vec![json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })];
    for (id, name) in [("c1", "find"), ("c2", "count")] {
        events.extend([
            json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name }),
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": "{\"word\":\"rice\"}" }),
            json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
        ]);
    }
    events.extend([
        custom("tool_item", json!({ "toolCallId": "c1", "item": { "cents": 90 } })),
        custom("tool_item", json!({ "toolCallId": "c1", "item": { "cents": "much" } })),
        custom("tool_item", json!({ "toolCallId": "other", "item": 1 })),
        custom(
            "tool_progress",
            json!({ "toolCallId": "c2", "progress": 1.0, "total": 2.0, "message": "Asked Ada." }),
        ),
        custom("tool_progress", json!({ "toolCallId": "c2", "progress": 2.5 })),
        custom("tool_progress", json!({ "toolCallId": "c2", "progress": "half" })),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }),
    ]);
    json!(events)
}

const TYPESCRIPT: &str = r#"
import { ClerkAgent } from "./clerk/client.js";

const events: object[] = EVENTS;
const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
const agent = new ClerkAgent({ url: "http://127.0.0.1:1/", threadId: "t", fetch });
const seen: unknown[] = [];
agent.on({
  toolItems: {
    find: (hit, call) => void seen.push([call, hit.cents.toFixed(1)]),
    // @ts-expect-error: the result of that tool is no list
    count: () => undefined,
  },
  toolProgress: ({ progress, total, message }, { name }) => void seen.push([name, progress, total ?? null, message ?? null]),
  problem: ({ what, name }) => void seen.push([what, name]),
});
// @ts-expect-error: an item has a type
agent.on({ problem: () => undefined, toolItems: { find: (hit) => hit.euros } });
await agent.runAgent({ runId: "r" });
console.log(JSON.stringify(seen));
"#;

#[test]
fn typescript_listens_to_items_and_progress() {
    let (node, checkers) = (need!(Node::ready()), need!(Checkers::ready()));
    let folder = folder("reports-ts");
    drop(write(&manifest(), "ts", &folder));
    fs::write(folder.join("main.ts"), TYPESCRIPT.replace("EVENTS", &events().to_string())).unwrap();
    for generation in Generation::ALL {
        assert_eq!(
            run(&node, &folder, "main.ts", generation, &Value::Null),
            json!([
                [{ "id": "c1", "name": "find" }, "90.0"],
                ["item", "find"],
                ["count", 1, 2, "Asked Ada."],
                ["count", 2.5, null, null],
                ["progress", "count"],
            ])
        );
    }
    // Last, because the bundler of the runs would read the configuration of the compiler.
    drop(checkers.type_check(&folder).assert_success());
}

const PYTHON: &str = r#"
import asyncio
import json
import sys

import httpx

from api import clerk
from api.clerk import types

events: list[object] = json.loads(sys.stdin.read())
body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
seen: list[object] = []


def show(item: object) -> None:
    if isinstance(item, clerk.FindItem):
        hit: types.Hit = item.item
        seen.append([item.id, hit.cents + 1])
    elif isinstance(item, clerk.ToolProgress):
        seen.append([item.name, item.progress, item.total, item.message])
    elif isinstance(item, clerk.Problem):
        seen.append([item.what, item.name])


async def main() -> None:
    answer = httpx.MockTransport(lambda _: httpx.Response(200, text=body))
    async with httpx.AsyncClient(transport=answer) as pool:
        client = clerk.ClerkClient("http://127.0.0.1:1/", client=pool)
        async for item in client.run(client.input([], thread_id="t", run_id="r")):
            show(item)


asyncio.run(main())
print(json.dumps(seen))
"#;

#[test]
fn python_yields_items_and_progress() {
    let (python, checkers) = (need!(Python::ready()), need!(Checkers::ready()));
    let folder = folder("reports-python");
    drop(write(&manifest(), "python", &folder.join("api")));
    let script = folder.join("main.py");
    fs::write(&script, PYTHON).unwrap();
    let finished = finish(python.command(&script), &events().to_string(), Duration::from_secs(60));
    assert_eq!(
        finished.assert_success().json::<Value>(),
        json!([
            ["c1", 91],
            ["item", "find"],
            ["count", 1.0, 2.0, "Asked Ada."],
            ["count", 2.5, null, null],
            ["progress", "count"]
        ])
    );
    let found = checkers.pyright(&python, &folder);
    assert_eq!(found["summary"]["errorCount"], 0, "{found:#}");
}

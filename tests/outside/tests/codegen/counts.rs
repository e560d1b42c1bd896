//! Agents with none of each kind, and with exactly one of each: by the oldest compiler of TypeScript, by ours and by the newest.

use agui_codegen::Manifest;
use agui_codegen::ir::{ReactPackage, ZodVersion};
use agui_tests::need;
use agui_tests::outside::{Checkers, Python};
use serde_json::{Value, json};

use super::{folder, write_with};

/// One agent with nothing, one for each kind with one of the kind alone, and one with one of each.
fn manifest() -> Manifest {
    let object = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] });
    let tool = |side: &str, result: &str| {
        json!([{
            "name": "act", "side": side, "description": "", "params": { "out": object, "in": object },
            "result": { result: object },
        }])
    };
    let both = json!({ "out": object, "in": object });
    let kinds: [(&str, &str, Value); 8] = [
        ("tool", "tools", tool("backend", "out")),
        ("frontend", "tools", tool("frontend", "in")),
        (
            "interrupt",
            "interrupts",
            json!([{ "reason": "ask", "description": "", "payload": object, "response": object }]),
        ),
        ("event", "events", json!([{ "name": "bell", "description": "", "value": object }])),
        ("activity", "activities", json!([{ "type": "SEARCH", "description": "", "content": object }])),
        ("state", "state", both),
        ("output", "output", object.clone()),
        ("forwarded", "forwarded", object.clone()),
    ];
    let agent = |name: &str| json!({ "name": name, "description": "", "version": "1", "rust": "n", "tools": [], "events": [] });
    let (mut agents, mut all) = (vec![agent("none")], agent("all"));
    for (name, member, value) in kinds {
        let mut one = agent(&format!("one_{name}"));
        one[member] = value.clone();
        agents.push(one);
        all[member] = value;
    }
    agents.push(all);
    let manifest = json!({
        "agui_manifest": 1, "generator": "test", "crate": { "name": "counts", "version": "1" },
        "agents": agents, "types": { "out": {}, "in": {} }, "hash": { "wire": "sha256-0", "full": "sha256-0" },
    });
    Manifest::from_json(&manifest.to_string()).unwrap()
}

#[test]
fn typescript_of_every_version_checks_none_and_one_of_each() {
    let checkers = need!(Checkers::ready());
    let folder = folder("counts-ts");
    for (place, single, react) in [
        ("v1", false, ReactPackage::V1),
        ("v2", false, ReactPackage::V2),
        ("plain", false, ReactPackage::Plain),
        ("single", true, ReactPackage::V2),
    ] {
        drop(write_with(&manifest(), "ts", &folder.join(place), |options| {
            options.single_file = single;
            options.react = Some(react);
            options.zod = Some(ZodVersion::V4);
            options.websocket = true;
            options.webhooks = true;
        }));
    }
    for compiler in Checkers::COMPILERS {
        eprintln!("{compiler}");
        drop(checkers.type_check_by(compiler, &folder).assert_success());
    }
}

#[test]
fn python_checks_none_and_one_of_each() {
    let (python, checkers) = (need!(Python::ready()), need!(Checkers::ready()));
    let folder = folder("counts-python");
    drop(write_with(&manifest(), "python", &folder.join("api"), |options| {
        options.websocket = true;
        options.webhooks = true;
    }));
    let found = checkers.pyright(&python, &folder);
    assert_eq!(found["summary"]["errorCount"], 0, "{found:#}");
}

//! Names that mean something else in a language, or that one language reads as another name: what is generated compiles, and
//! the name on the wire stays exact.

use std::fs;
use std::path::Path;
use std::time::Duration;

use agui_codegen::Manifest;
use agui_codegen::ir::{PythonEnum, PythonStyle, ReactPackage, ZodVersion};
use agui_tests::need;
use agui_tests::outside::{Checkers, Node, Python, finish};
use serde_json::{Map, Value, json};

use super::{folder, write_with};

/// Names of members, tools, events, interrupts, activities and types.
const NAMES: &[&str] = &[
    // Members of every object in JavaScript, and a method that makes an object a promise.
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "hasOwnProperty",
    "then",
    "valueOf",
    // Words of the languages.
    "arguments",
    "eval",
    "await",
    "async",
    "class",
    "match",
    "type",
    "None",
    "True",
    "self",
    "cls",
    "super",
    "this",
    "keyof",
    "readonly",
    "package",
    "intrinsic",
    "undefined",
    "_",
    "__debug__",
    // Attributes of metaclasses, models and their modules.
    "mro",
    "register",
    "model_",
    "model_fields",
    "json",
    "copy",
    "str",
    "object",
    "agent",
    "types",
    "args",
    "call",
    // Names that are one after folding.
    "get_user",
    "getUser",
    "GetUser",
    "name",
    "NAME",
    "name_",
    // Names that Python reads as others: compatibility forms, composed and decomposed.
    "µm",
    "μm",
    "ﬁle",
    "file",
    "é",
    "e\u{301}",
    // No letters, or not at the start.
    "🦀",
    "a\u{200b}b",
    "2d",
    "con",
    "NUL",
    "ि",
    "x²",
];

/// Names of agents.
const AGENTS: [&str; 20] = [
    "Agent",
    "thread",
    "http",
    "interrupt",
    "class",
    "µ",
    "open",
    "shared",
    "frontend",
    "typed",
    "tool",
    "call",
    "then",
    "constructor",
    // Names of devices, and names that file systems take for one.
    "con",
    "Aux",
    "Open",
    "é",
    "e\u{301}",
    "nul_",
];

fn manifest() -> Manifest {
    let object = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    let all: Map<String, Value> =
        NAMES.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    let mut types: Map<String, Value> = NAMES.iter().map(|name| ((*name).to_owned(), object(name))).collect();
    types.insert("All".into(), json!({ "type": "object", "properties": all, "required": NAMES }));
    types.insert("Kind".into(), json!({ "enum": NAMES }));
    let reference = |side: &str, name: &str| {
        let escaped: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        json!({ "$ref": format!("#/types/{side}/{escaped}") })
    };
    let tool = |(index, name): (usize, &&str)| {
        let (side, result) = if index % 2 == 0 { ("frontend", "in") } else { ("backend", "out") };
        json!({
            "name": name, "side": side, "description": "",
            "params": { "out": object(name), "in": object(name) }, "result": { result: object(name) },
        })
    };
    let two: Vec<Value> = ["view", "prompt"].iter().enumerate().map(tool).collect();
    let mut agents: Vec<Value> = AGENTS
        .iter()
        .map(|agent| {
            json!({
                "name": agent, "description": "", "version": "1", "rust": "n",
                "state": { "out": reference("out", "All"), "in": reference("in", "All") },
                "tools": two,
                "events": [{ "name": "kind", "description": "", "value": reference("out", "Kind") }],
                "interrupts": [{ "reason": "then", "description": "", "payload": object("a"), "response": object("b") }],
                "activities": [{ "type": "CALL", "description": "", "content": object("c") }],
            })
        })
        .collect();
    let each =
        |value: &dyn Fn(&str) -> Value| -> Vec<Value> { NAMES.iter().map(|name| value(name)).collect() };
    let tools: Vec<Value> = NAMES.iter().enumerate().map(tool).collect();
    let events = each(&|name| json!({ "name": name, "description": "", "value": reference("out", name) }));
    let interrupts = each(
        &|name| json!({ "reason": name, "description": "", "payload": object(name), "response": object(name) }),
    );
    let activities = each(&|name| json!({ "type": name, "description": "", "content": object(name) }));
    agents.push(json!({
        "name": "names", "description": "", "version": "1", "rust": "n",
        "state": { "out": reference("out", "All"), "in": reference("in", "All") },
        "tools": tools, "events": events, "interrupts": interrupts, "activities": activities,
    }));
    let manifest = json!({
        "agui_manifest": 1, "generator": "test", "crate": { "name": "names", "version": "1" },
        "agents": agents, "types": { "out": types, "in": types }, "hash": { "wire": "sha256-0", "full": "sha256-0" },
    });
    Manifest::from_json(&manifest.to_string()).unwrap()
}

#[test]
fn typescript_has_a_name_for_each() {
    let checkers = need!(Checkers::ready());
    let folder = folder("names-ts");
    for (place, single, react) in [
        ("v2", false, ReactPackage::V2),
        ("plain", false, ReactPackage::Plain),
        ("single", true, ReactPackage::V2),
        ("one", true, ReactPackage::Plain),
    ] {
        drop(write_with(&manifest(), "ts", &folder.join(place), |options| {
            options.single_file = single;
            options.react = Some(react);
            options.zod = Some(ZodVersion::V4);
        }));
    }
    drop(checkers.type_check(&folder).assert_success());
    let node = need!(Node::ready());
    let script = "import * as agent from \"./plain/names/agent.js\";\nconst read = (schemas: any, by: string) => \
         Object.keys(schemas).map((key) => [key, schemas[key][by]]);\nconsole.log(JSON.stringify({ tools: \
         read(agent.tools, \"name\"), events: read(agent.events, \"name\"), interrupts: read(agent.interrupts, \
         \"reason\"), activities: read(agent.activities, \"type\"), refused: agent.state.written.check({}).issues?.length, \
         wide: agent.state.written.check(Object.fromEntries(JSON.parse(process.argv[2]!).map((n: string) => [n, \"x\"]))) \
         .issues?.length ?? 0 }));\n";
    fs::write(
        folder.join("read.ts"),
        script.replace("process.argv[2]!", &json!(json!(NAMES).to_string()).to_string()),
    )
    .unwrap();
    let found = super::typescript::run(
        &node,
        &folder,
        "read.ts",
        agui_tests::outside::Generation::ALL[0],
        &json!(null),
    );
    for kind in ["tools", "events", "interrupts", "activities"] {
        let mut pairs: Vec<[String; 2]> = serde_json::from_value(found[kind].clone()).unwrap();
        let mut expected: Vec<[String; 2]> =
            NAMES.iter().map(|name| [(*name).to_owned(), (*name).to_owned()]).collect();
        pairs.sort();
        expected.sort();
        assert_eq!(pairs, expected, "{kind}");
    }
    assert_eq!(found["wide"], 0, "{found:#}");
}

/// Imports everything, and sends and reads values with each name.
const READ: &str = r#"
import importlib, json, pathlib, sys, warnings

warnings.simplefilter("error")
job = json.load(sys.stdin)
folders = sorted(p.name for p in pathlib.Path(sys.argv[1], "api").iterdir() if p.is_dir() and p.name != "__pycache__")
assert len(folders) == job["agents"], folders
for folder in folders:
    package = importlib.import_module(f"api.{folder}")
    types = importlib.import_module(f"api.{folder}.types")
    agent = importlib.import_module(f"api.{folder}.agent")
    if job["models"]:
        value = {name: f"the {name}" for name in job["names"]}
        read = agent.STATE.validate_json(json.dumps(value), by_alias=True, by_name=False)
        assert json.loads(agent.STATE.dump_json(read, by_alias=True)) == value, agent.STATE.dump_json(read)
        assert len(type(read).model_fields) == len(job["names"])
        assert all(field.is_required() for field in type(read).model_fields.values())
        for kind in ("TOOLS", "EVENTS", "INTERRUPTS", "ACTIVITIES") if folder == "names" else ():
            assert sorted(getattr(agent, kind)) == sorted(job["names"]), kind
        for name in job["names"] if folder == "names" else ():
            read = agent.EVENTS[name].validate_json(json.dumps({name: "x"}), by_alias=True, by_name=False)
            assert json.loads(agent.EVENTS[name].dump_json(read, by_alias=True)) == {name: "x"}, name
            read = agent.TOOLS[name].parameters.validate_json(json.dumps({name: "x"}), by_alias=True, by_name=False)
            assert json.loads(agent.TOOLS[name].parameters.dump_json(read, by_alias=True)) == {name: "x"}, name
        contract = [getattr(package, n) for n in package.__all__ if n.endswith("Client")][0].contract
        items = [tool.call for tool in contract.tools.values()]
        assert len(set(items)) == len(items)
        handlers = [tool.handler for tool in contract.tools.values() if tool.handler]
        assert len(set(handlers)) == len(handlers)
    elif folder == "names":
        import typing
        assert set(types.All.__annotations__) == set(job["names"]), set(types.All.__annotations__) ^ set(job["names"])
print("ok")
"#;

fn python_reads(python: &Python, folder: &Path, models: bool) {
    let script = folder.join("read.py");
    fs::write(&script, READ).unwrap();
    let mut command = python.command(&script);
    command.arg(folder);
    let job = json!({ "names": NAMES, "agents": AGENTS.len() + 1, "models": models });
    let finished = finish(command, &job.to_string(), Duration::from_secs(120)).assert_success();
    assert_eq!(finished.stdout.trim(), "ok");
}

#[test]
fn python_has_a_name_for_each() {
    let python = need!(Python::ready());
    let folder = folder("names-python");
    for (place, choice) in [("models", PythonEnum::Literal), ("enums", PythonEnum::StrEnum)] {
        let place = folder.join(place);
        drop(write_with(&manifest(), "python", &place.join("api"), |options| options.python_enum = choice));
        python_reads(&python, &place, true);
    }
    let place = folder.join("dictionaries");
    drop(write_with(&manifest(), "python", &place.join("api"), |options| {
        options.python_style = PythonStyle::TypedDict;
    }));
    python_reads(&python, &place, false);
    let checkers = need!(Checkers::ready());
    fs::remove_file(folder.join("models/read.py")).unwrap();
    let found = checkers.pyright(&python, &folder.join("models"));
    assert_eq!(found["summary"]["errorCount"], 0, "{found:#}");
}

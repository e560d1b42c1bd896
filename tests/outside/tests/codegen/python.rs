//! Python.

use std::{fmt::Write as _, fs, path::Path, time::Duration};

use agui_codegen::ir::{PythonEnum, PythonFormats, PythonStyle};
use agui_tests::{
    need,
    outside::{Python, finish},
};
use serde_json::{Value, json};

use super::{cases, folder, generate, generate_with};

const LIMIT: Duration = Duration::from_secs(120);

#[test]
fn mypy_finds_nothing_to_say() {
    let python = need!(Python::ready());
    let folder = folder("python-types");
    let mut packages = Vec::new();
    for case in cases::all() {
        let package = format!("{}_api", case.name);
        generate(&case, "python", &folder.join(&package));
        packages.push(package);
        packages.extend(other_styles(&case, &folder));
    }
    let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
    drop(python.type_check(&folder, &packages).assert_success());
}

/// The packages of a case with other options, and serde's values as literals of the types.
pub(super) fn other_styles(case: &cases::Case, folder: &Path) -> [String; 4] {
    let [dicts, enums, formats] = ["dict", "enum", "formats"].map(|style| format!("{}_{style}", case.name));
    generate_with(case, "python", &folder.join(&dicts), |options| {
        options.python_style = PythonStyle::TypedDict;
    });
    generate_with(case, "python", &folder.join(&enums), |options| options.python_enum = PythonEnum::StrEnum);
    generate_with(case, "python", &folder.join(&formats), |options| {
        options.python_formats = PythonFormats::Types;
    });
    [dicts, enums, formats, samples(case, folder)]
}

/// A module of the values that serde writes and reads, as literals of the types that are dictionaries.
pub(super) fn samples(case: &cases::Case, folder: &Path) -> String {
    let dicts = format!("{}_dict", case.name);
    let mut samples = String::from("from __future__ import annotations\n\n");
    if !case.shapes.is_empty() {
        writeln!(samples, "from {dicts}.{}.agent import Events, ToolResults\n", case.name).unwrap();
    }
    for shape in &case.shapes {
        for (index, value) in shape.written.iter().enumerate() {
            writeln!(samples, "{0}_{index}: Events = {{\"{0}\": {1}}}", shape.name, Literal(value)).unwrap();
        }
        for (index, value) in shape.read.iter().chain(&shape.also_read()).enumerate() {
            let take = format!("take_{}", shape.name);
            writeln!(samples, "{take}_{index}: ToolResults = {{\"{take}\": {}}}", Literal(value)).unwrap();
        }
    }
    let file = format!("{dicts}_samples.py");
    fs::write(folder.join(&file), samples).unwrap();
    file
}

/// A JSON value as Python writes it.
struct Literal<'a>(&'a Value);

impl std::fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Value::Null => f.write_str("None"),
            Value::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            Value::Array(items) => {
                f.write_str("[")?;
                items.iter().try_for_each(|item| write!(f, "{}, ", Literal(item)))?;
                f.write_str("]")
            }
            Value::Object(members) => {
                f.write_str("{")?;
                members.iter().try_for_each(|(name, value)| {
                    write!(f, "{}: {}, ", Value::String(name.clone()), Literal(value))
                })?;
                f.write_str("}")
            }
            other => other.fmt(f),
        }
    }
}

const SAMPLES: &str = r#"
import importlib, json, sys
from pydantic import ValidationError

def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) in (int, float) and type(b) in (int, float) and a == b or type(a) is type(b) and a == b

wrong, dumps = [], []
for job in json.load(sys.stdin):
    package = f"{job['case']}_{job.get('style', 'api')}"
    agent = importlib.import_module(f"{package}.{job['case']}.agent")
    support = importlib.import_module(f"{package}._support")
    if job["way"] == "written":
        adapter = agent.EVENTS[job["name"]]
    else:
        adapter = agent.TOOLS["take_" + job["name"]].result
    try:
        value = support.read_json(adapter, json.dumps(job["value"]))
    except ValidationError as error:
        if job["fits"]:
            wrong.append({**job, "error": str(error)})
        continue
    dump = json.loads(adapter.dump_json(value))
    dumps.append({**job, "dump": dump})
    if not job["fits"]:
        wrong.append({**job, "taken_as": repr(value)})
    elif not same(dump, job["value"]):
        wrong.append({**job, "dump": dump})
json.dump({"wrong": wrong, "dumps": dumps}, sys.stdout)
"#;

/// The results of the models in `folder` that differ from the expected ones, and their output for accepted values.
pub(super) fn judge(python: &Python, folder: &Path, jobs: Vec<Value>) -> Value {
    let script = folder.join("samples.py");
    fs::write(&script, SAMPLES).unwrap();
    let mut command = python.command(&script);
    // A pattern that Python does not support is not checked, with a warning.
    command.env("PYTHONWARNINGS", "ignore:agui");
    let finished = finish(command, &Value::Array(jobs).to_string(), LIMIT);
    assert!(finished.stderr.is_empty(), "{finished}");
    finished.json()
}

#[test]
fn the_models_take_what_serde_writes_and_give_it_back() {
    let python = need!(Python::ready());
    let folder = folder("python-samples");
    let (mut jobs, mut dictionaries) = (Vec::new(), Vec::new());
    for case in cases::all() {
        generate(&case, "python", &folder.join(format!("{}_api", case.name)));
        let [dicts, ..] = other_styles(&case, &folder);
        dictionaries.push(dicts);
        for shape in &case.shapes {
            let mut job = |way: &str, value: &Value, fits: bool| {
                for style in ["api", "enum", "formats"] {
                    jobs.push(json!({
                        "case": case.name, "style": style, "name": shape.name, "way": way, "value": value,
                        "fits": fits,
                    }));
                }
            };
            shape.written.iter().for_each(|value| job("written", value, true));
            shape.read.iter().chain(&shape.also_read()).for_each(|value| job("read", value, true));
            shape.refused.iter().for_each(|value| job("read", value, false));
        }
    }
    let report = judge(&python, &folder, jobs);
    assert_eq!(report["wrong"], json!([]), "{:#}", report["wrong"]);

    // Rust reads Python's output as the original value.
    let mut read_back = 0;
    for dump in report["dumps"].as_array().unwrap() {
        let case = cases::all().into_iter().find(|case| dump["case"] == case.name).unwrap();
        let shape = case.shapes.iter().find(|shape| dump["name"] == shape.name).unwrap();
        if dump["way"] == "read" {
            let rust = |value: &Value| (shape.round_trip)(&value.to_string()).unwrap();
            assert_eq!(rust(&dump["dump"]), rust(&dump["value"]), "{dump}");
            read_back += 1;
        }
    }
    assert!(read_back > 120, "{read_back} values");

    // Types alone are modules without dependencies: the interpreter runs without site packages.
    let imports: String = dictionaries
        .iter()
        .map(|package| {
            format!("import {package}.{0}.types, {package}.{0}.agent\n", package.trim_end_matches("_dict"))
        })
        .collect();
    let script = folder.join("alone.py");
    let alone = "import sys\nsys.path = [path for path in sys.path if \"site-packages\" not in path]\n";
    fs::write(&script, format!("{alone}{imports}assert \"pydantic\" not in sys.modules\n")).unwrap();
    drop(finish(python.command(&script), "", LIMIT).assert_success());
}

const USAGE: &str = r#"
from __future__ import annotations

from typing import Union

from ag_ui.core import Event, RunFinishedEvent, UserMessage
from typing_extensions import assert_never, assert_type

import kitchen_api.kitchen as items
from kitchen_api.kitchen import KitchenClient, KitchenItem, types


class Hands:
    async def confirm_order(self, args: types.ConfirmOrderArguments) -> types.Confirmation:
        if args.total.cents > 1000:
            return types.ConfirmationNo(reason=args.note or "too much")
        return types.ConfirmationYes(tip=types.Euro(cents=1))

    async def ask_name(self, args: types.AskNameArguments) -> str:
        return "Ada"

    async def ring(self, args: types.RingArguments) -> None:
        print(args.times)


def words(answer: types.Confirmation) -> str:
    match answer.answer:
        case "yes":
            return str(answer.tip)
        case "no":
            return answer.reason
        case _:
            assert_never(answer.answer)


def told(item: Union[Event, KitchenItem]) -> str:
    match item:
        case items.StateChanged(state):
            assert_type(state, types.Recipe)
            return state.title
        case items.SizzleEvent(value):
            return str(value.heat + 1)
        case items.PriceCall(_, args):
            return args.name
        case items.PriceAnswered(_, result):
            return str(result.cents)
        case items.SearchActivity(id, search):
            return id + (str(search.hits + 1) if search.kind == "done" else search.query)
        case items.Finished(bill):
            assert_type(bill, types.Bill)
            return str(bill.total.cents)
        case items.Problem() | items.ToolFailed():
            return repr(item.error)
        case RunFinishedEvent():
            return item.run_id
        case _:
            return ""


async def main() -> None:
    client = KitchenClient("http://localhost:8000/kitchen")
    message = UserMessage(id="m", content="hello")
    recipe = types.RecipeInput(title="x", ingredients=[types.Ingredient(name="rice", amount=1, unit="gram")])
    page = types.Page(locale="it", guests=2)
    start = client.input([message], state=recipe, forwarded_props=page)
    async for item in client.run(start):
        print(told(item))
    async for item in client.converse(start, Hands()):
        print(told(item))
"#;

/// Each line with a mistake, and mypy's message about it.
const MISTAKES: [(&str, &str); 10] = [
    ("types.RecipeInput(title=1, ingredients=[])", "arg-type"),
    ("types.RecipeInput(ingredients=[])", "call-arg"),
    ("types.Ingredient(name='rice', amount=1, unit='cup')", "arg-type"),
    ("types.ConfirmationNo()", "call-arg"),
    ("KitchenClient('x').input([], state=types.Euro(cents=1))", "arg-type"),
    ("KitchenClient('x').converse(KitchenClient('x').input([]), Handless())", "arg-type"),
    ("KitchenClient('x').input([], forwarded_props={'locale': 'it'})", "arg-type"),
    ("types.Page(guests=2)", "call-arg"),
    ("Finished(result=types.Euro(cents=1))", "arg-type"),
    ("SearchActivity(id='a', content=types.Euro(cents=1))", "arg-type"),
];

#[test]
fn mistakes_in_a_program_are_type_errors() {
    let python = need!(Python::ready());
    let folder = folder("python-usage");
    let case = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    generate(&case, "python", &folder.join("kitchen_api"));
    fs::write(folder.join("usage.py"), USAGE).unwrap();
    drop(python.type_check(&folder, &["usage.py"]).assert_success());

    let head = "from kitchen_api.kitchen import Finished, KitchenClient, SearchActivity, types\n\nclass Handless:\n    pass\n\n";
    let lines: String = MISTAKES.iter().map(|(line, _)| format!("{line}\n")).collect();
    fs::write(folder.join("mistakes.py"), format!("{head}{lines}")).unwrap();
    let found = python.type_check(&folder, &["mistakes.py"]);
    for (index, (line, code)) in MISTAKES.iter().enumerate() {
        let place = format!("mistakes.py:{}: error:", head.lines().count() + index + 1);
        let said = found.stdout.lines().any(|said| said.starts_with(&place) && said.contains(code));
        assert!(said, "no {code} for {line}: {found}");
    }
}

/// A conversation with a server that is a function, whose bytes come in small pieces.
const TALK: &str = r#"
import asyncio, json, sys

import httpx
from ag_ui.core import UserMessage

from kitchen_api.kitchen import KitchenClient, types
from kitchen_api.kitchen import client as items

job = json.load(sys.stdin)
inputs, told, drifts = [], [], []


async def pieces(text):
    data = text.encode()
    for start in range(0, len(data), 7):
        yield data[start : start + 7]


async def respond(request):
    input = json.loads(await request.aread())
    inputs.append(input)
    body = ": a comment\r\n\r\n"
    for event in job["runs"][len(inputs) - 1]:
        if event["type"].startswith("RUN_"):
            event = {**event, "threadId": input["threadId"], "runId": input["runId"]}
        # Characters as they are: some of them end lines elsewhere, but not here.
        body += "data: " + json.dumps(event, ensure_ascii=False) + "\r\n\r\n"
    headers = {"content-type": "text/event-stream", "x-agui-manifest": "sha256-other"}
    drifts.append(request.headers["x-agui-manifest"])
    return httpx.Response(200, headers=headers, content=pieces(body))


class Client(KitchenClient):
    def on_drift(self, client, agent):
        drifts.append([client, agent])


class Hands:
    async def confirm_order(self, args):
        return types.ConfirmationYes(tip=types.Euro(cents=args.total.cents // 10))

    names = ['"Ada"', '{"error":"Ada"}']

    async def ask_name(self, args):
        return self.names.pop(0)

    async def ring(self, args):
        if args.times > 1:
            raise ValueError("too loud")


async def main():
    http = httpx.AsyncClient(transport=httpx.MockTransport(respond))
    client = Client("http://kitchen.test/", client=http)
    state = types.RecipeInput(title="", ingredients=[])
    start = client.input([UserMessage(id="u", content="hello")], state=state, thread_id="t", run_id="first",
                         forwarded_props=types.Page(locale="it", guests=2))
    types_seen = []
    async for item in client.converse(start, Hands()):
        if hasattr(item, "type"):
            types_seen.append(item.type.value)
        elif isinstance(item, items.StateChanged):
            told.append(["state", item.state.title, len(item.state.steps)])
        elif isinstance(item, items.SizzleEvent):
            told.append(["sizzle", item.value.heat])
        elif isinstance(item, items.OvenTemperatureEvent):
            told.append(["oven", item.value])
        elif isinstance(item, items.PriceCall):
            told.append(["price of", item.args.name])
        elif isinstance(item, items.PriceAnswered):
            told.append(["price is", item.result.cents])
        elif isinstance(item, items.PairingAnswered):
            told.append(["wine", item.result])
        elif isinstance(item, items.SearchActivity):
            told.append(["search", item.id, item.content.hits if item.content.kind == "done" else item.content.query])
        elif isinstance(item, items.Finished):
            told.append(["bill", item.result.total.cents, item.result.paid])
        elif isinstance(item, items.ToolFailed):
            told.append(["failed", item.name, item.error])
        elif isinstance(item, items.Problem):
            told.append(["problem", item.what, item.name])
    json.dump({"inputs": inputs, "told": told, "types": types_seen, "drifts": drifts}, sys.stdout)


asyncio.run(main())
"#;

#[test]
fn a_generated_client_talks() {
    let python = need!(Python::ready());
    let call = |id: &str, name: &str, args: &str| {
        vec![
            json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name}),
            json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": args}),
            json!({"type": "TOOL_CALL_END", "toolCallId": id}),
        ]
    };
    let result = |id: &str, content: &str| {
        let message = format!("{id}-result");
        vec![json!({"type": "TOOL_CALL_RESULT", "toolCallId": id, "messageId": message, "content": content})]
    };
    let recipe = json!({"title": "Risotto", "ingredients": [], "steps": [], "difficulty": null});
    let first = [
        vec![
            json!({"type": "RUN_STARTED"}),
            json!({"type": "STATE_SNAPSHOT", "snapshot": recipe}),
            json!({"type": "STATE_DELTA", "delta": [
                {"op": "add", "path": "/steps/-", "value": "Stir."},
                {"op": "replace", "path": "/title", "value": "line\u{2028}separator \u{85} 🦀"},
            ]}),
            json!({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/nowhere"}]}),
            json!({"type": "CUSTOM", "name": "sizzle", "value": {"heat": 7}}),
            json!({"type": "CUSTOM", "name": "oven.temperature", "value": 180.5}),
            json!({"type": "CUSTOM", "name": "sizzle", "value": {"heat": 700}}),
            json!({"type": "TEXT_MESSAGE_START", "messageId": "m1", "role": "assistant"}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Let me "}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "see."}),
            json!({"type": "TEXT_MESSAGE_END", "messageId": "m1"}),
            json!({"type": "FROM_THE_FUTURE", "x": 1}),
        ],
        super::typescript::searches(),
        call("c1", "price", r#"{"name":"rice"}"#),
        result("c1", r#"{"cents":250}"#),
        call("c2", "price", r#"{"name":"gold"}"#),
        result("c2", r#"{"error":"not sold here"}"#),
        call("p1", "pairing", r#"{"dish":"risotto"}"#),
        result("p1", "Barolo"),
        call("p2", "pairing", r#"{"dish":"gold"}"#),
        // The runtime's output for an `Err`, although the result of this tool is a string.
        result("p2", r#"{"error":"no wine for gold"}"#),
        call("p3", "pairing", r#"{"dish":"logs"}"#),
        // And for a string that looks the same.
        result("p3", r#""{\"error\":\"dry\"}""#),
        call("c3", "confirm_order", r#"{"total":{"cents":250},"note":null}"#),
        call("c4", "ask_name", ""),
        call("c5", "ring", r#"{"times":3}"#),
        call("c6", "ring", r#"{"times":"once"}"#),
        call("c7", "ring", r#"{"times":1}"#),
        call("c8", "somebody_elses", "{}"),
        call("c9", "ask_name", ""),
        vec![json!({"type": "RUN_FINISHED"})],
    ]
    .concat();
    let bill = json!({"total": {"cents": 250}, "paid": true});
    let second = vec![json!({"type": "RUN_STARTED"}), json!({"type": "RUN_FINISHED", "result": bill})];
    let folder = folder("python-talk");
    let case = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    generate(&case, "python", &folder.join("kitchen_api"));
    let script = folder.join("talk.py");
    fs::write(&script, TALK).unwrap();
    let finished = finish(python.command(&script), &json!({"runs": [first, second]}).to_string(), LIMIT);
    let report: Value = finished.json();

    let inputs = report["inputs"].as_array().unwrap();
    assert_eq!(inputs.len(), 2, "{report:#}");
    assert_eq!(inputs[0]["protocolVersion"], "1.0");
    let hash = &report["drifts"][0];
    assert!(hash.as_str().unwrap().starts_with("sha256-"), "{hash}");
    assert_eq!(report["drifts"], json!([hash, [hash, "sha256-other"], hash]), "told once");
    assert_eq!(inputs[0]["state"], json!({"title": "", "ingredients": []}));
    let offered: Vec<_> = inputs[0]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(offered, ["confirm_order", "ask_name", "ring"]);
    assert!(inputs[0]["tools"][0]["parameters"]["$defs"]["Euro"].is_object());
    assert_ne!(inputs[1]["runId"], "first");
    assert_eq!(inputs[1]["state"]["steps"], json!(["Stir."]));
    let forwarded = json!({"locale": "it", "guests": 2});
    assert_eq!([&inputs[0]["forwardedProps"], &inputs[1]["forwardedProps"]], [&forwarded; 2]);
    let messages = inputs[1]["messages"].as_array().unwrap();
    assert_eq!(messages[1], json!({"id": "m1", "role": "assistant", "content": "Let me see."}));
    let answers: Vec<_> = messages
        .iter()
        .filter(|message| message["id"].as_str().unwrap().ends_with("-answer"))
        .map(|message| (message["toolCallId"].as_str().unwrap(), message["content"].as_str().unwrap()))
        .collect();
    assert_eq!(answers[0], ("c3", r#"{"answer":"yes","tip":{"cents":25}}"#));
    assert_eq!(answers[1], ("c4", r#""\"Ada\"""#));
    assert_eq!(answers[2], ("c5", r#"{"error": "too loud"}"#));
    assert!(answers[3].0 == "c6" && answers[3].1.contains("valid integer"), "{answers:?}");
    assert_eq!(answers[4..], [("c7", "null"), ("c9", r#""{\"error\":\"Ada\"}""#)]);
    // An answer follows its question.
    let place = |id: &str| messages.iter().position(|message| message["id"] == *id).unwrap();
    assert_eq!(place("c1-result"), place("c1") + 1);
    assert_eq!(
        report["told"],
        json!([
            ["state", "Risotto", 0],
            ["state", "line\u{2028}separator \u{85} 🦀", 1],
            ["problem", "patch", ""],
            ["sizzle", 7],
            ["oven", 180.5],
            ["problem", "event", "sizzle"],
            ["search", "a1", "rice"],
            ["search", "a1", "risotto rice"],
            ["search", "a1", 3],
            ["problem", "activity", "SEARCH"],
            ["price of", "rice"],
            ["price is", 250],
            ["price of", "gold"],
            ["failed", "price", "not sold here"],
            ["wine", "Barolo"],
            ["failed", "pairing", "no wine for gold"],
            ["wine", "{\"error\":\"dry\"}"],
            ["problem", "arguments", "ring"],
            ["bill", 250, true],
        ]),
        "{report:#}"
    );
    let seen = report["types"].as_array().unwrap();
    assert!(!seen.contains(&json!("FROM_THE_FUTURE")));
    assert_eq!(seen.last(), Some(&json!("RUN_FINISHED")));
}

//! Agents that ask: what the generated clients make of questions, and what they send as answers.

use std::{fs, time::Duration};

use agui_tests::{
    need,
    outside::{Generation, Node, Python, finish},
};
use serde_json::{Value, json};

use super::typescript::run;
use super::{cases, folder, generate, generate_with};

const LIMIT: Duration = Duration::from_secs(120);

fn keeper() -> cases::Case {
    cases::all().into_iter().find(|case| case.name == "keeper").unwrap()
}

/// How a page answers; each mistake is one the compiler has to find.
const TYPESCRIPT: &str = r#"
import { interrupts } from "./keeper/agent.js";
import { KeeperAgent, type KeeperInterrupt } from "./keeper/client.js";
import type { Approval, Entry } from "./keeper/types.js";

const agent = new KeeperAgent({ url: "http://localhost:8000/keeper" });

export function answer(question: KeeperInterrupt): void {
  // @ts-expect-error: the payload is that of one of several questions
  question.payload.path;
  // @ts-expect-error: what answers one of them need not answer the others
  agent.resolve(question, { approved: true });
  switch (question.reason) {
    case "confirm_delete": {
      const entries: Entry[] = question.payload.entries;
      agent.resolve(question, { approved: entries.length < 3 });
      agent.resolve(question, { approved: true, butNot: [{ name: "keep.txt" }] });
      // @ts-expect-error: the answer has a type
      agent.resolve(question, { approved: "yes" });
      // @ts-expect-error: a member is missing
      agent.resolve(question, {});
      // @ts-expect-error: there is no such member
      agent.resolve(question, { approved: true, comment: "fine" });
      // @ts-expect-error: that answers another question
      agent.resolve(question, "elsewhere");
      break;
    }
    case "acme.destination":
      agent.resolve(question, question.payload.kind === "oneof" ? (question.payload.names[0] ?? null) : null);
      // @ts-expect-error: a text or nothing
      agent.resolve(question, 7);
      break;
    case "input-required":
      agent.resolve(question, { Ok: question.payload.length });
      agent.cancel(question);
      break;
    default: {
      const never: never = question;
      agent.cancel(never);
    }
  }
}

// @ts-expect-error: only what was asked is answered
agent.resolve({ id: "1", reason: "sure" }, true);
agent.interrupts.forEach(answer);
agent.pendingInterrupts.forEach((open) => agent.cancel(open));
void agent.runAgent({ resume: agent.answers() });

const checked = interrupts.confirm_delete.response.check({ approved: true });
export const approval: Approval | undefined = checked.issues === undefined ? checked.value : undefined;
export const said: string = interrupts.confirm_delete.message;
"#;

#[test]
fn a_wrong_answer_does_not_compile() {
    let node = need!(Node::ready());
    let folder = folder("questions-usage");
    generate(&keeper(), "ts", &folder);
    fs::write(folder.join("usage.ts"), TYPESCRIPT).unwrap();
    for generation in Generation::ALL {
        drop(node.type_check("questions", generation, &[folder.join("usage.ts")]).assert_success());
    }
}

const DELETE: &str = "confirm_delete#c-1";
const DESTINATION: &str = "acme.destination#r-interrupt-1";
const STRANGE: &str = "confirm_delete#c-2";
const FOREIGN: &str = "somebody-elses";

fn question(id: &str, reason: &str, payload: &Value) -> Value {
    json!({"id": id, "reason": reason, "metadata": {"agui-rust/payload": payload}})
}

/// A run that ends with questions.
fn interrupted(asked: &[Value]) -> Value {
    json!([
        {"type": "RUN_STARTED"},
        {"type": "RUN_FINISHED", "outcome": {"type": "interrupt", "interrupts": asked}},
    ])
}

/// A run that asks what the agent declares, once not as declared, and something that is not its own.
fn asking() -> Value {
    let entries = json!([{"name": "a.txt", "tags": ["old"]}]);
    let mut delete = question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": entries}));
    delete["message"] = json!("Delete it for good?");
    delete["toolCallId"] = json!("c-1");
    delete["expiresAt"] = json!("2999-01-01T00:00:00Z");
    delete["subagentRunId"] = json!("s-1");
    let asked = [
        delete,
        question(DESTINATION, "acme.destination", &json!({"kind": "oneof", "names": ["attic"]})),
        question(STRANGE, "confirm_delete", &json!({"path": 7})),
        json!({"id": FOREIGN, "reason": "constructor"}),
    ];
    interrupted(&asked)
}

fn done() -> Value {
    json!([{"type": "RUN_STARTED"}, {"type": "RUN_FINISHED", "result": "done"}])
}

/// An agent that ends its runs as the test says.
const FAKE: &str = r#"
import { readFileSync } from "node:fs";
import { KeeperAgent } from "./keeper/client.js";

const job: { runs: { type: string }[][] } = JSON.parse(readFileSync(0, "utf8"));
export const inputs: any[] = [];
export const complaints: string[] = [];
console.error = (...words) => complaints.push(words.join(" "));

export const agent = new KeeperAgent({
  url: "http://keeper.test/",
  threadId: "t",
  fetch: async (_url, init) => {
    const input = JSON.parse(String(init.body));
    inputs.push(input);
    const ids = { threadId: "t", runId: input.runId };
    const events = job.runs[inputs.length - 1]!.map((event) => event.type.startsWith("RUN_") ? { ...event, ...ids } : event);
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});

export const refused: string[] = [];
export const refuses = async (act: () => unknown) => {
  try {
    await act();
    refused.push("nothing");
  } catch (error) {
    refused.push((error as Error).message);
  }
};
"#;

/// What the program `text` prints of `job`, with each form of the generated client.
fn talks(node: &Node, name: &str, text: &str, job: &Value) -> [Value; 3] {
    let folder = folder(&format!("questions-{name}"));
    generate(&keeper(), "ts", &folder);
    generate_with(&keeper(), "ts", &folder.join("single"), |options| options.single_file = true);
    let single = FAKE.replace("./keeper/client.js", "./single/keeper/index.js");
    let files = [
        ("fake.ts", FAKE.to_owned()),
        ("talk.ts", text.to_owned()),
        ("fake-single.ts", single),
        ("talk-single.ts", text.replace("./fake.js", "./fake-single.js")),
    ];
    files.iter().for_each(|(path, text)| fs::write(folder.join(path), text).unwrap());
    [("talk.ts", Generation::V1), ("talk.ts", Generation::Legacy), ("talk-single.ts", Generation::V1)]
        .map(|(program, generation)| run(node, &folder, program, generation, job))
}

const TALK: &str = r#"
import { agent, complaints, inputs, refused, refuses } from "./fake.js";

await agent.runAgent();
const asked = [agent.interrupts, agent.interrupts][1]!;
const copy = agent.clone() as typeof agent;
const [first, second] = asked;
if (first?.reason !== "confirm_delete" || second?.reason !== "acme.destination") throw new Error("asked otherwise");
await refuses(() => agent.resolve(first, { approved: "yes" } as never));
await refuses(() => agent.answers());
await refuses(() => agent.runAgent());
agent.resolve(first, { approved: false });
agent.resolve(first, { approved: true, butNot: [{ name: first.payload.entries[0]!.name }] });
agent.resolve(second, null);
for (const open of agent.pendingInterrupts) {
  if (!asked.some((question) => question.id === open.id)) agent.cancel(open);
}
await agent.runAgent({ resume: agent.answers() });
const between = agent.interrupts.map((question) => question.id);

// The same question again: what was said to the first one is no answer to it.
await refuses(() => agent.answers());
await refuses(() => agent.cancel(second));
await refuses(() => agent.resolve(second, null));
agent.interrupts.forEach((question) => agent.cancel(question));
await agent.runAgent({ resume: agent.answers() });
// A copy has questions of its own.
await refuses(() => copy.answers());
console.log(JSON.stringify({ inputs, asked, between, refused, complaints: [...complaints], after: [agent.interrupts, agent.answers()], copied: copy.interrupts.length }));
"#;

#[test]
fn the_typescript_client_answers() {
    let node = need!(Node::ready());
    let again = interrupted(&[question(DELETE, "confirm_delete", &json!({"path": "/var", "entries": []}))]);
    let runs = json!({"runs": [asking(), again, done()]});
    for report in talks(&node, "talk", TALK, &runs) {
        assert_eq!(
            report["asked"],
            json!([
                {
                    "id": DELETE,
                    "reason": "confirm_delete",
                    "message": "Delete it for good?",
                    "payload": {"path": "/tmp", "entries": [{"name": "a.txt", "tags": ["old"]}]},
                    "toolCallId": "c-1",
                    "expiresAt": "2999-01-01T00:00:00Z",
                    "subagentRunId": "s-1",
                },
                {
                    "id": DESTINATION,
                    "reason": "acme.destination",
                    "payload": {"kind": "oneof", "names": ["attic"]},
                },
            ]),
            "{report:#}"
        );
        assert_eq!(
            report["complaints"],
            json!([
                "agui: interrupt confirm_delete is not as declared: entries: is missing; path: expected string, found number",
            ]),
            "told once"
        );
        assert_eq!(
            report["inputs"][1]["resume"],
            json!([
                {"interruptId": DELETE, "status": "resolved",
                 "payload": {"approved": true, "butNot": [{"name": "a.txt"}]}},
                {"interruptId": DESTINATION, "status": "resolved"},
                {"interruptId": STRANGE, "status": "cancelled"},
                {"interruptId": FOREIGN, "status": "cancelled"},
            ])
        );
        assert_eq!(report["between"], json!([DELETE]));
        assert_eq!(report["inputs"][2]["resume"], json!([{"interruptId": DELETE, "status": "cancelled"}]));
        assert_eq!(report["inputs"].as_array().unwrap().len(), 3, "what is not covered is not sent");
        assert_eq!(report["after"], json!([[], []]));
        assert_eq!(report["copied"], 2);
        let refused: Vec<_> =
            report["refused"].as_array().unwrap().iter().map(|said| said.as_str().unwrap()).collect();
        assert_eq!(
            refused[0],
            format!("the response to {DELETE} does not fit: approved: expected boolean, found string")
        );
        assert!(refused[1].contains(DELETE) && refused[1].contains(FOREIGN), "{refused:#?}");
        assert!(refused[3].contains(DELETE), "{refused:#?}");
        // A question of an earlier run is none of this one.
        let closed = format!("the interrupt {DESTINATION} is not open");
        assert_eq!(refused[4..6], [closed.as_str(); 2]);
        assert!(refused[6].contains(DESTINATION), "{refused:#?}");
        assert!(!refused.contains(&"nothing"), "{refused:#?}");
    }
}

/// A run that calls a tool of the page twice and asks: about something else, and about the second call.
fn both() -> Value {
    let call = |id: &str| {
        [
            json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "look"}),
            json!({"type": "TOOL_CALL_END", "toolCallId": id}),
        ]
    };
    let mut about = question("about", "acme.destination", &json!({"kind": "any"}));
    about["toolCallId"] = json!("asked");
    let delete = question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": []}));
    let [started, finished]: [Value; 2] = serde_json::from_value(interrupted(&[delete, about])).unwrap();
    let [start, end] = call("free");
    let [start_asked, end_asked] = call("asked");
    json!([started, start, end, start_asked, end_asked, finished])
}

/// What the tool messages of an input answer, in their order.
fn answered(input: &Value) -> Vec<&str> {
    let messages = input["messages"].as_array().unwrap().iter();
    messages.filter_map(|message| message.get("toolCallId")?.as_str()).collect()
}

#[test]
fn the_tools_of_the_page_wait_for_what_is_asked_in_typescript() {
    let node = need!(Node::ready());
    let text = r#"
import { agent, inputs } from "./fake.js";

let looks = 0;
const tools = agent.registerFrontendTools({ look: () => ++looks > 0 });
await tools.run();
const first = { sent: inputs.length, looks, dispatched: (await tools.dispatch()) === undefined };
for (const question of agent.interrupts) {
  if (question.reason === "acme.destination") agent.resolve(question, "attic");
  else agent.cancel(question);
}
const { result } = await tools.run({ resume: agent.answers() });
console.log(JSON.stringify({ first, result, looks, inputs }));
"#;
    let runs = json!({"runs": [both(), done(), done()]});
    for report in talks(&node, "both", text, &runs) {
        assert_eq!(report["first"], json!({"sent": 1, "looks": 1, "dispatched": true}), "{report:#}");
        let inputs = report["inputs"].as_array().unwrap();
        assert_eq!(inputs.len(), 3);
        assert_eq!(inputs[1]["resume"].as_array().unwrap().len(), 2);
        assert_eq!(answered(&inputs[1]), ["free"], "what is asked about is not done");
        assert_eq!(answered(&inputs[2]), ["free", "asked"], "until that has an answer");
        assert!(inputs[2].get("resume").is_none());
        assert_eq!((&report["result"], &report["looks"]), (&json!("done"), &json!(2)));
    }
}

/// The same in Python, by a client that knows what is asked and by one that does not.
const BOTH: &str = r#"
import asyncio, json, sys
from typing import Any

from ag_ui.core import RunAgentInput
from keeper_api._support import AgentClient
from keeper_api.keeper import KeeperClient, types
from server import Server

job = json.load(sys.stdin)


class Plain(AgentClient[Any, Any]):
    contract = KeeperClient.contract


class Hands:
    looks = 0

    async def look(self, args: types.LookArguments) -> bool:
        self.looks += 1
        return True

    async def confirm_delete(self, interrupt: Any) -> types.Approval:
        return types.Approval(approved=False)

    async def acme_destination(self, interrupt: Any) -> None:
        return None

    async def input_required(self, interrupt: Any) -> Any:
        return None


async def main() -> None:
    told: list[Any] = []
    for kind in [KeeperClient, Plain]:
        server, hands = Server(job["runs"]), Hands()
        client: Any = kind("http://keeper.test/", client=server.client())
        async for item in client.converse(RunAgentInput(thread_id="t", run_id="r", messages=[]), hands):
            pass
        told.append([server.inputs, hands.looks, len(client.pending_interrupts("t"))])
    json.dump(told, sys.stdout)


asyncio.run(main())
"#;

#[test]
fn the_tools_of_the_page_wait_for_what_is_asked_in_python() {
    let python = need!(Python::ready());
    let told = answer(&python, "both", BOTH, &json!({"runs": [both(), done(), done()]}));
    let inputs = told[0][0].as_array().unwrap();
    assert_eq!(inputs.len(), 3, "{told:#}");
    let said: Vec<_> = inputs[1]["resume"].as_array().unwrap().iter().map(|entry| &entry["status"]).collect();
    assert_eq!(said, ["resolved", "resolved"]);
    assert_eq!(answered(&inputs[1]), ["free"], "what is asked about is not done");
    assert_eq!(answered(&inputs[2]), ["free", "asked"], "until that has an answer");
    assert_eq!((&told[0][1], &told[0][2]), (&json!(2), &json!(0)));
    // What it does not know is the caller's, and so are the calls beside it.
    assert_eq!(told[1][0].as_array().unwrap().len(), 1);
    assert_eq!((&told[1][1], &told[1][2]), (&json!(0), &json!(2)));
}

#[test]
fn a_response_that_does_not_fit_is_refused_in_typescript() {
    let node = need!(Node::ready());
    let text = r#"
import { agent, inputs, refused, refuses } from "./fake.js";

await agent.runAgent();
for (const question of agent.interrupts) {
  if (question.reason !== "input-required") continue;
  for (const Ok of [-5, 256, 0.5]) await refuses(() => agent.resolve(question, { Ok }));
  await refuses(() => agent.answers());
  agent.resolve(question, { Ok: 255 });
}
await agent.runAgent({ resume: agent.answers() });
console.log(JSON.stringify({ refused, resume: inputs[1].resume }));
"#;
    let runs = json!({"runs": [interrupted(&[question("n", "input-required", &json!([1]))]), done()]});
    for report in talks(&node, "unfit", text, &runs) {
        let refused = report["refused"].as_array().unwrap();
        let unfit = refused
            .iter()
            .filter(|said| said.as_str().unwrap().starts_with("the response to n does not fit: "));
        assert_eq!(unfit.count(), 3, "{refused:#?}");
        assert!(refused.len() == 4 && refused[3] != "nothing", "{refused:#?}");
        assert_eq!(
            report["resume"],
            json!([{"interruptId": "n", "status": "resolved", "payload": {"Ok": 255}}])
        );
    }
}

#[test]
fn zod_knows_what_is_asked_and_what_is_answered() {
    let node = need!(Node::ready());
    let folder = folder("questions-zod");
    generate_with(&keeper(), "ts", &folder, |options| options.zod = Some(agui_codegen::ir::Zod::V4));
    let script = r#"
import { interrupts } from "./keeper/zod.js";
import type { Approval } from "./keeper/types.js";

const parse = (value: unknown) => interrupts.confirm_delete.response.safeParse(value);
const approval: Approval = interrupts.confirm_delete.response.parse({ approved: true });
console.log(JSON.stringify([approval, parse({}).success, interrupts["acme.destination"].payload.safeParse({ kind: "any" }).success]));
"#;
    fs::write(folder.join("zod.ts"), script).unwrap();
    drop(node.type_check("questions-zod", Generation::V1, &[folder.join("zod.ts")]).assert_success());
    let report = run(&node, &folder, "zod.ts", Generation::V1, &json!(null));
    assert_eq!(report, json!([{"approved": true}, false, true]));
}

/// What the hooks take from CopilotKit and React, as far as they take it: the module, the file instead, what is in it.
const STUBS: [(&str, &str, &str); 2] = [
    (
        "@copilotkit/react-core/v2",
        "copilotkit.js",
        "export const configs = [];
export const useInterrupt = (config) => void configs.push(config);
export const useAgent = () => ({}), useFrontendTools = () => {}, useHumanInTheLoop = () => {}, useRenderTool = () => {};",
    ),
    (
        "react",
        "react.js",
        "export const Fragment = 'fragment';
export const createElement = (type, props, ...children) => ({ type, key: props?.key, children });",
    ),
];

const HOOK: &str = r#"
import { readFileSync } from "node:fs";
import { useKeeperInterrupts } from "./keeper/react.js";
// @ts-ignore: only the stub has it
import { configs } from "@copilotkit/react-core/v2";

const interrupts = JSON.parse(readFileSync(0, "utf8"));
const warnings: string[] = [];
console.error = () => {};
console.warn = (...words) => warnings.push(words.join(" "));
const asked: any[] = [];
const sent: unknown[] = [];
useKeeperInterrupts((question) => {
  asked.push(question);
  return null;
});
useKeeperInterrupts(() => null, (interrupt, { cancel }) => {
  asked.push({ id: interrupt.id, cancel });
  return null;
});
const [config, withOthers] = configs;
const props = {
  interrupts,
  resolve: async (payload: unknown, id: string) => void sent.push([id, payload ?? "nothing"]),
  cancel: async (id: string) => void sent.push([id]),
};
// As CopilotKit does, in development twice.
config.handler(props);
config.handler(props);
const cancelled = sent.splice(0);
const drawn = config.render(props);
const [first, second] = asked;
const refused = await first.resolve({ approved: "yes" }).catch((error: Error) => error.message);
await first.resolve({ approved: true });
await second.resolve(null);
await second.cancel();
const answers = sent.splice(0);
asked.length = 0;
withOthers.handler(props);
const untouched = sent.length === 0;
const allDrawn = withOthers.render(props).children.map((child: any) => child.key);
for (const other of asked) await other.cancel();
console.log(JSON.stringify({
  warnings, cancelled, untouched, allDrawn, others: sent,
  agentId: config.agentId, keys: drawn.children.map((child: any) => child.key), refused, sent: answers,
  paths: [first.payload.path, second.payload.names],
}));
"#;

#[test]
fn the_hook_of_copilotkit_answers() {
    let node = need!(Node::ready());
    let folder = folder("questions-hook");
    generate_with(&keeper(), "ts", &folder, |options| options.react = Some(agui_codegen::ir::React::V2));
    fs::write(folder.join("hook.ts"), HOOK).unwrap();
    for (_, file, module) in STUBS {
        fs::write(folder.join(file), module).unwrap();
    }
    for path in ["hook.ts", "_react.ts", "_react_interrupts.ts", "keeper/react.ts"] {
        let mut text = fs::read_to_string(folder.join(path)).unwrap();
        for (package, file, _) in STUBS {
            let here = folder.join(file);
            text = text.replace(&format!("\"{package}\""), &format!("\"{}\"", here.display()));
        }
        fs::write(folder.join(path), text).unwrap();
    }
    let asking = asking();
    let report = run(&node, &folder, "hook.ts", Generation::V1, &asking[1]["outcome"]["interrupts"]);
    assert_eq!(
        report,
        json!({
            "agentId": "keeper",
            "keys": [DELETE, DESTINATION],
            "warnings": [
                "agui: interrupt confirm_delete is cancelled: it is not declared, or not as declared",
                "agui: interrupt constructor is cancelled: it is not declared, or not as declared",
            ],
            "cancelled": [[STRANGE], [FOREIGN], [STRANGE], [FOREIGN]],
            "untouched": true,
            "allDrawn": [DELETE, DESTINATION, STRANGE, FOREIGN],
            "others": [[STRANGE], [FOREIGN]],
            "refused": format!("the response to {DELETE} does not fit: approved: expected boolean, found string"),
            "sent": [[DELETE, {"approved": true}], [DESTINATION, "nothing"], [DESTINATION]],
            "paths": ["/tmp", ["attic"]],
        })
    );
}

/// The server of an agent that ends its runs as the test says.
const SERVER: &str = r#"
import json
from typing import Any

import httpx


class Server:
    def __init__(self, runs: list[list[dict[str, Any]]]) -> None:
        self.runs = runs
        self.inputs: list[Any] = []

    async def respond(self, request: httpx.Request) -> httpx.Response:
        input = json.loads(await request.aread())
        self.inputs.append(input)
        body = ""
        for event in self.runs[len(self.inputs) - 1]:
            event = {**event, "threadId": input["threadId"], "runId": input["runId"]}
            body += "data: " + json.dumps(event) + "\n\n"
        headers = {"content-type": "text/event-stream"}
        return httpx.Response(200, headers=headers, content=body.encode())

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.MockTransport(self.respond))
"#;

/// Checks the program `text` beside the generated client, runs it on `job`, and gives what it prints.
fn answer(python: &Python, name: &str, text: &str, job: &Value) -> Value {
    let folder = folder(&format!("questions-python-{name}"));
    generate(&keeper(), "python", &folder.join("keeper_api"));
    fs::write(folder.join("server.py"), SERVER).unwrap();
    fs::write(folder.join("talk.py"), text).unwrap();
    drop(python.type_check(&folder, &["talk.py"]).assert_success());
    finish(python.command(folder.join("talk.py")), &job.to_string(), LIMIT).json()
}

const PYTHON: &str = r#"
import asyncio, json, sys
from typing import Any

from ag_ui.core import ResumeEntry, RunFinishedEvent
from typing_extensions import assert_type

from keeper_api.keeper import (
    AcmeDestinationInterrupt,
    ConfirmDeleteInterrupt,
    InputRequiredInterrupt,
    KeeperClient,
    Problem,
    UnansweredError,
    types,
)
from server import Server

job = json.load(sys.stdin)
server = Server(job["runs"])
told: list[Any] = []


class Hands:
    async def look(self, args: types.LookArguments) -> bool:
        return True

    async def confirm_delete(self, interrupt: ConfirmDeleteInterrupt) -> types.Approval:
        assert_type(interrupt.payload, types.ConfirmDelete)
        names = [entry.name for entry in interrupt.payload.entries]
        return types.Approval(approved=True, but_not=[types.EntryInput(name=name) for name in names])

    async def acme_destination(self, interrupt: AcmeDestinationInterrupt) -> types.AcmeDestinationResponse:
        if interrupt.payload.kind == "any":
            raise ValueError("cannot decide")
        return None

    async def input_required(
        self, interrupt: InputRequiredInterrupt
    ) -> types.Result_of_uint8_or_string:
        raise ValueError("never asked")


async def main() -> None:
    client = KeeperClient("http://keeper.test/", client=server.client())
    async for item in client.converse(client.input([], thread_id="t"), Hands()):
        if isinstance(item, ConfirmDeleteInterrupt):
            told.append([item.interrupt.id, item.payload.path, item.contract.message, item.subagent_run_id])
        elif isinstance(item, AcmeDestinationInterrupt):
            told.append([item.interrupt.id, item.payload.kind, item.subagent_run_id])
        elif isinstance(item, Problem):
            told.append([item.what, item.name])
        elif isinstance(item, RunFinishedEvent):
            told.append(item.result)

    # By hand, in two requests of one thread.
    resume: list[ResumeEntry] = []
    async for item in client.run(client.input([], thread_id="u")):
        if isinstance(item, ConfirmDeleteInterrupt):
            resume.append(item.resolve(types.Approval(approved=False)))
        elif isinstance(item, AcmeDestinationInterrupt):
            resume.append(item.cancel())
    refused: list[list[str]] = []
    for partial in [[], resume]:
        try:
            async for item in client.run(client.input([], thread_id="u", resume=partial)):
                pass
        except UnansweredError as error:
            refused.append([interrupt.id for interrupt in error.interrupts])
            refused.append([str(error)])
    answered = {entry.interrupt_id for entry in resume}
    for interrupt in client.pending_interrupts("u"):
        if interrupt.id not in answered:
            resume.append(client.cancel(interrupt))
    async for item in client.run(client.input([], thread_id="u", resume=resume)):
        pass
    left = len(client.pending_interrupts("u"))
    json.dump({"inputs": server.inputs, "told": told, "refused": refused, "left": left}, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
"#;

/// Each line of a mistake, and what mypy must say about it.
const MISTAKES: [(&str, &str); 4] = [
    ("delete.resolve(True)", "arg-type"),
    ("delete.resolve(types.Approval())", "call-arg"),
    ("delete.payload.paths", "attr-defined"),
    ("KeeperClient('x').converse(KeeperClient('x').input([]), Handless())", "arg-type"),
];

#[test]
fn the_python_client_answers() {
    let python = need!(Python::ready());
    let runs = json!({"runs": [asking(), done(), asking(), done()]});
    let report = answer(&python, "talk", PYTHON, &runs);
    assert_eq!(
        report["told"],
        json!([
            null,
            [DELETE, "/tmp", "Delete it for good?", "s-1"],
            [DESTINATION, "oneof", null],
            ["interrupt", "confirm_delete"],
            "done",
        ]),
        "{report:#}"
    );
    assert_eq!(
        report["inputs"][1]["resume"],
        json!([
            {"interruptId": DELETE, "status": "resolved",
             "payload": {"approved": true, "butNot": [{"name": "a.txt"}]}},
            {"interruptId": DESTINATION, "status": "resolved"},
            {"interruptId": STRANGE, "status": "cancelled"},
            {"interruptId": FOREIGN, "status": "cancelled"},
        ])
    );
    assert_eq!(report["inputs"].as_array().unwrap().len(), 4);
    assert!(report["inputs"][2].get("resume").is_none(), "{:#}", report["inputs"][2]);
    assert_eq!(
        report["inputs"][3]["resume"],
        json!([
            {"interruptId": DELETE, "status": "resolved", "payload": {"approved": false}},
            {"interruptId": DESTINATION, "status": "cancelled"},
            {"interruptId": STRANGE, "status": "cancelled"},
            {"interruptId": FOREIGN, "status": "cancelled"},
        ])
    );
    let missing = |ids: &[&str]| format!("pending interrupts have no entry in resume: {}", ids.join(", "));
    assert_eq!(
        report["refused"],
        json!([
            [DELETE, DESTINATION, STRANGE, FOREIGN],
            [missing(&[DELETE, DESTINATION, STRANGE, FOREIGN])],
            [STRANGE, FOREIGN],
            [missing(&[STRANGE, FOREIGN])],
        ])
    );
    assert_eq!(report["left"], 0);
}

/// Questions that are too late, each alone, and dates that say nothing.
const LATE: &str = r#"
import asyncio, json, sys
from datetime import datetime
from typing import Any

from ag_ui.core import Interrupt, ResumeEntry
from pydantic import TypeAdapter

from keeper_api._resume import is_expired
from keeper_api.keeper import ConfirmDeleteInterrupt, ExpiredError, KeeperClient, types
from server import Server

job = json.load(sys.stdin)
server = Server(job["runs"])


class Hands:
    async def look(self, args: types.LookArguments) -> bool:
        return True

    async def confirm_delete(self, interrupt: ConfirmDeleteInterrupt) -> types.Approval:
        return types.Approval(approved=True)

    async def acme_destination(self, interrupt: Any) -> None:
        return None

    async def input_required(self, interrupt: Any) -> Any:
        return None


async def main() -> None:
    client = KeeperClient("http://keeper.test/", client=server.client())
    refused: list[list[Any]] = []
    async for item in client.run(client.input([], thread_id="t")):
        if isinstance(item, ConfirmDeleteInterrupt):
            try:
                item.resolve(types.Approval(approved=True))
            except ExpiredError as error:
                refused.append([error.interrupts[0].id, str(error)])
    by_hand = [ResumeEntry(interrupt_id=i.id, status="resolved") for i in client.pending_interrupts("t")]
    try:
        async for item in client.run(client.input([], thread_id="t", resume=by_hand)):
            pass
    except ExpiredError as error:
        refused.append([error.interrupts[0].id, str(error)])
    sent = len(server.inputs)
    given_up = [client.cancel(interrupt) for interrupt in client.pending_interrupts("t")]
    async for item in client.run(client.input([], thread_id="t", resume=given_up)):
        pass
    async for item in client.converse(client.input([], thread_id="u"), Hands()):
        pass
    now = TypeAdapter(datetime).validate_python(job["now"])
    dates = [is_expired(Interrupt(id="1", reason="r", expires_at=date), now) for date in job["dates"]]
    json.dump({"refused": refused, "sent": sent, "inputs": server.inputs, "dates": dates}, sys.stdout)


asyncio.run(main())
"#;

#[test]
fn what_is_too_late_is_only_cancelled_in_python() {
    let python = need!(Python::ready());
    let mut late = question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": []}));
    late["expiresAt"] = json!("2020-01-01T00:00:00Z");
    let asking = interrupted(&[late]);
    // At that moment, each is expired or not.
    let dates = [
        ("2026-09-17T12:30:00Z", true),
        ("2026-09-17t12:30z", true),
        ("2026-09-17 14:30:00.000+02:00", true),
        ("2026-09-17", true),
        ("2026-09-17T07:00:00-05:30", true),
        ("2026-09-17T12:30:00.000001Z", false),
        ("2026-09-17T12:30:60Z", false),
        ("2026-09-17T12:29:60Z", true),
        ("2026-09-17T12:30:01Z", false),
        ("2020-01-01T00:00:00", false),
        ("2020-02-30", false),
        ("2020-01-01T25:00Z", false),
        ("2020-01-01T00:00:00+0200", false),
        ("20200101T000000Z", false),
        ("soon", false),
        ("", false),
    ];
    let job = json!({
        "runs": [asking, done(), asking, done()],
        "now": "2026-09-17T12:30:00Z",
        "dates": dates.map(|(date, _)| date),
    });
    let report = answer(&python, "late", LATE, &job);
    let said = format!("the interrupt {DELETE} expired at 2020-01-01T00:00:00Z and can only be cancelled");
    assert_eq!(report["refused"], json!([[DELETE, said], [DELETE, said]]), "{report:#}");
    assert_eq!(report["sent"], 1, "what is too late is not sent");
    let cancelled = json!([{"interruptId": DELETE, "status": "cancelled"}]);
    assert_eq!(report["inputs"][1]["resume"], cancelled);
    assert_eq!(report["inputs"][3]["resume"], cancelled, "nor by those who are asked");
    assert_eq!(report["dates"], json!(dates.map(|(_, expired)| expired)));
}

/// Responses of the right type that the agent would not read.
const UNFIT: &str = r#"
import json, sys

from keeper_api.keeper import ConfirmDeleteInterrupt, InputRequiredInterrupt, KeeperClient, types
from server import Server

server = Server(json.load(sys.stdin)["runs"])
told: list[object] = []


async def main() -> None:
    client = KeeperClient("http://keeper.test/", client=server.client())
    async for item in client.run(client.input([])):
        if isinstance(item, InputRequiredInterrupt):
            for number in [-5, 256, 255]:
                try:
                    answer = types.Result_of_uint8_or_stringOk(ok=1)
                    answer.ok = number
                    told.append(item.resolve(answer).payload)
                except ValueError as error:
                    told.append(type(error).__name__)
        elif isinstance(item, ConfirmDeleteInterrupt):
            approval = types.Approval(approved=True)
            approval.approved = "yes"  # type: ignore[assignment]
            try:
                told.append(item.resolve(approval).payload)
            except ValueError as error:
                told.append(type(error).__name__)
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    import asyncio

    asyncio.run(main())
"#;

#[test]
fn a_response_that_does_not_fit_is_refused_in_python() {
    let python = need!(Python::ready());
    let asked = [
        question("n", "input-required", &json!([1])),
        question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": []})),
    ];
    let runs = json!({"runs": [interrupted(&asked)]});
    let told = answer(&python, "unfit", UNFIT, &runs);
    let refused = "PydanticSerializationError";
    assert_eq!(told, json!(["ValidationError", "ValidationError", {"Ok": 255}, refused]));
}

#[test]
fn a_wrong_answer_is_a_type_error() {
    let python = need!(Python::ready());
    let folder = folder("questions-mistakes");
    generate(&keeper(), "python", &folder.join("keeper_api"));
    let head = "from keeper_api.keeper import ConfirmDeleteInterrupt, KeeperClient, types\n\n\nclass Handless:\n    pass\n\n\n\
                def wrong(delete: ConfirmDeleteInterrupt) -> None:\n";
    let lines: String = MISTAKES.iter().map(|(line, _)| format!("    {line}\n")).collect();
    fs::write(folder.join("mistakes.py"), format!("{head}{lines}")).unwrap();
    let found = python.type_check(&folder, &["mistakes.py"]);
    for (index, (line, code)) in MISTAKES.iter().enumerate() {
        let place = format!("mistakes.py:{}: error:", head.lines().count() + index + 1);
        let said = found.stdout.lines().any(|said| said.starts_with(&place) && said.contains(code));
        assert!(said, "no {code} for {line}: {found}");
    }
}

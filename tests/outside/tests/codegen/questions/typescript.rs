//! TypeScript.

use std::fs;

use agui_tests::{
    need,
    outside::{Generation, Node},
};
use serde_json::{Value, json};

use super::super::typescript::run;
use super::{
    DELETE, DESTINATION, FOREIGN, STRANGE, answered, asking, both, done, folder, generate, generate_with,
    interrupted, keeper, question,
};

/// A page's answers; the compiler has to find each mistake.
const TYPESCRIPT: &str = r#"
import { interrupts } from "./keeper/agent.js";
import { KeeperAgent, type KeeperInterrupt } from "./keeper/client.js";
import type { Approval, Entry } from "./keeper/types.js";

const agent = new KeeperAgent({ url: "http://localhost:8000/keeper" });

export function answer(question: KeeperInterrupt): void {
  // @ts-expect-error: the payload is that of one of several questions
  question.payload.path;
  // @ts-expect-error: the answer to one of them may not answer the others
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

// @ts-expect-error: only open questions can be answered
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

/// An agent that ends its runs as the test wants.
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

/// The output of the program `text` for `job`, with each form of the generated client.
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

// The same question again: the answer to the first one is not an answer to it.
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
        // A question of an earlier run does not belong to this one.
        let closed = format!("the interrupt {DESTINATION} is not open");
        assert_eq!(refused[4..6], [closed.as_str(); 2]);
        assert!(refused[6].contains(DESTINATION), "{refused:#?}");
        assert!(!refused.contains(&"nothing"), "{refused:#?}");
    }
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
    generate_with(&keeper(), "ts", &folder, |options| options.zod = Some(agui_codegen::ir::ZodVersion::V4));
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

//! TypeScript.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path, time::Duration};

use agui_codegen::ir::ZodVersion;
use agui_tests::{
    need,
    outside::{Generation, Node, finish},
};
use serde_json::Value;

use super::{cases, folder, generate, generate_with};

const LIMIT: Duration = Duration::from_secs(120);

/// The samples of a case as constants of the generated types: the right ones and the wrong ones.
fn samples(case: &cases::Case) -> [String; 2] {
    let import = |names: &str| format!("import type {{ {names} }} from \"./{}/agent.js\";\n", case.name);
    let [mut fit, mut refused] = [import("Events, ToolResults"), import("ToolResults")];
    for shape in &case.shapes {
        let constant = |index: usize, way: &str, ty: &str, value: &Value| {
            format!("export const {}_{way}_{index}: {ty}[\"{}\"] = {value};\n", shape.name, shape.name)
                .replace("ToolResults[\"", "ToolResults[\"take_")
        };
        for (index, value) in shape.written.iter().enumerate() {
            fit += &constant(index, "written", "Events", value);
        }
        for (index, value) in shape.read.iter().chain(&shape.also_read()).enumerate() {
            fit += &constant(index, "read", "ToolResults", value);
        }
        for (index, value) in shape.refused.iter().enumerate() {
            refused += &constant(index, "refused", "ToolResults", value);
        }
    }
    [fit, refused]
}

/// Values that serde refuses and no TypeScript type can: the generated checks find them at run time.
const BEYOND_TYPES: [(&str, &str); 28] = [
    ("price_refused_1", "`x` is a text"),
    ("numbers_refused_0", "0 is a number"),
    ("numbers_refused_1", "4294967296 is a number"),
    ("texts_refused_1", "256 is a number"),
    ("with_typed_map_refused_0", "the index signature must hold for the named members too"),
    ("lists_refused_1", "256 is a number"),
    ("stock_refused_0", "-1 is a number"),
    ("bytes_refused_1", "256 is a number"),
    ("wide_refused_1", "-1 is a number"),
    ("wide_refused_2", "0.5 is a number"),
    ("int_string_refused_3", "-1 is a text"),
    ("int_string_refused_4", "what is empty is a text"),
    ("int_string_refused_5", "1.5 is a text"),
    ("numbers_refused_0", "256 is a number"),
    ("numbers_refused_1", "-1 is a number"),
    ("numbers_refused_2", "1.5 is a number"),
    ("numbers_refused_3", "-129 is a number"),
    ("numbers_refused_6", "two characters are a text"),
    ("numbers_refused_10", "-1 is a number"),
    ("numbers_refused_11", "4294967296 is a number"),
    ("numbers_refused_12", "2147483648 is a number"),
    ("numbers_refused_13", "-2147483649 is a number"),
    ("numbers_refused_14", "65536 is a number"),
    ("numbers_refused_15", "32768 is a number"),
    ("numbers_refused_16", "-32769 is a number"),
    ("todo_refused_3", "256 is a number"),
    ("strict_refused_1", "-1 is a number"),
    ("loose_refused_1", "300 is a number"),
];

#[test]
fn written_values_have_the_generated_type_and_refused_values_do_not() {
    let node = need!(Node::ready());
    let folder = folder("typescript-samples");
    let mut files = Vec::new();
    // The line of each refused sample.
    let mut wrong = BTreeMap::new();
    for case in cases::all().into_iter().filter(|case| !case.shapes.is_empty()) {
        files.extend(generate(&case, "ts", &folder));
        let [fit, refused] = samples(&case);
        for (ending, text) in [("samples", &fit), ("refused", &refused)] {
            let path = folder.join(format!("{}_{ending}.ts", case.name));
            fs::write(&path, text).unwrap();
            files.push(path);
        }
        for (index, line) in refused.lines().enumerate().skip(1) {
            wrong.insert((format!("{}_refused.ts", case.name), index + 1), line.to_owned());
        }
    }
    files.sort();
    files.dedup();
    assert!(wrong.len() > 150, "{} samples that do not fit", wrong.len());
    for generation in Generation::ALL {
        let found = node.type_check("samples", generation, &files);
        let mut accepted = wrong.clone();
        for said in found.stdout.lines().filter(|line| line.contains("): error ")) {
            let (place, message) = said.split_once("): ").unwrap();
            let (path, position) = place.rsplit_once('(').unwrap();
            let name = path.rsplit('/').next().unwrap().to_owned();
            let line = position.split(',').next().unwrap().parse().unwrap();
            assert!(wrong.contains_key(&(name, line)), "{path}:{line}: {message}");
            accepted.remove(&(path.rsplit('/').next().unwrap().to_owned(), line));
        }
        let name = |line: &str| line["export const ".len()..].split(':').next().unwrap().to_owned();
        let accepted: Vec<_> = accepted.values().map(|line| name(line)).collect();
        assert_eq!(accepted, BEYOND_TYPES.map(|(sample, _)| sample), "{accepted:#?}");
    }
}

/// Bundles a script that stands in `folder` and runs it; `stdin` and the result are JSON.
pub(super) fn run(node: &Node, folder: &Path, script: &str, generation: Generation, stdin: &Value) -> Value {
    run_with(node, folder, script, generation, stdin, "")
}

/// As [`run`], with further options of Node.
pub(super) fn run_with(
    node: &Node,
    folder: &Path,
    script: &str,
    generation: Generation,
    stdin: &Value,
    options: &str,
) -> Value {
    let bundle = folder.join(format!("{script}-{}.mjs", generation.version()));
    let mut esbuild = node.bin("esbuild");
    esbuild.arg(folder.join(script)).args([
        "--bundle",
        "--format=esm",
        "--platform=node",
        "--log-level=warning",
    ]);
    // Modules that are not resolved here are looked up when the bundle runs.
    esbuild.arg("--packages=external").arg(format!("--outfile={}", bundle.display()));
    drop(finish(esbuild, "", LIMIT).assert_success());
    if let Generation::Legacy = generation {
        let text = fs::read_to_string(&bundle).unwrap();
        fs::write(&bundle, text.replace("\"@ag-ui/client\"", "\"ag-ui-client-legacy\"")).unwrap();
    }
    let mut command = node.command(&bundle);
    command.env("NODE_OPTIONS", options);
    let finished = finish(command, &stdin.to_string(), LIMIT);
    assert!(finished.stderr.is_empty(), "{finished}");
    finished.json()
}

/// The differences between the generated checks of the agents in `folder` and the expected verdicts.
pub(super) fn judge(node: &Node, folder: &Path, agents: &[&str], jobs: Vec<Value>) -> Value {
    let mut script = String::from("import { readFileSync } from 'node:fs';\n");
    for agent in agents {
        writeln!(script, "import * as {agent} from './{agent}/agent.js';").unwrap();
    }
    writeln!(
        script,
        "const cases: any = {{ {} }};
        const wrong: unknown[] = [];
        const whole = new Set<unknown>();
        for (const job of JSON.parse(readFileSync(0, 'utf8'))) {{
            const {{ events, tools }} = cases[job.case];
            const schema = job.way === 'written' ? events[job.name].value : tools['take_' + job.name].result;
            const {{ issues }} = schema['~standard'].validate(job.value);
            if ((issues === undefined) !== job.fits) wrong.push({{ ...job, issues }});
            // Both drafts can be written, and are complete.
            if (whole.has(schema)) continue;
            whole.add(schema);
            for (const target of ['draft-2020-12', 'draft-07']) {{
                const text = JSON.stringify(schema['~standard'].jsonSchema.input({{ target }}));
                if (text.includes('#/types/')) wrong.push({{ ...job, text }});
            }}
        }}
        console.log(JSON.stringify(wrong));",
        agents.join(", ")
    )
    .unwrap();
    fs::write(folder.join("check.ts"), script).unwrap();
    run(node, folder, "check.ts", Generation::V1, &Value::Array(jobs))
}

#[test]
fn the_generated_checks_agree_with_serde() {
    let node = need!(Node::ready());
    let folder = folder("typescript-checks");
    let mut jobs = Vec::new();
    for case in cases::all() {
        generate(&case, "ts", &folder);
        for shape in &case.shapes {
            let mut job = |way: &str, value: &Value, fits: bool| {
                jobs.push(serde_json::json!({
                    "case": case.name, "name": shape.name, "way": way, "value": value, "fits": fits,
                }));
            };
            shape.written.iter().for_each(|value| job("written", value, true));
            shape.read.iter().chain(&shape.also_read()).for_each(|value| job("read", value, true));
            shape.refused.iter().for_each(|value| job("read", value, false));
        }
    }
    assert!(jobs.len() > 150, "{} jobs", jobs.len());
    let names: Vec<_> = cases::all().iter().map(|case| case.name).collect();
    let wrong = judge(&node, &folder, &names, jobs);
    assert_eq!(wrong, Value::Array(vec![]), "{wrong:#}");
}

/// The versions of Zod, each with its folder.
const ZODS: [(ZodVersion, &str); 2] = [(ZodVersion::V3, "v3"), (ZodVersion::V4, "v4")];

/// Values that the generated checks refuse and Zod's schemas accept: those check no patterns.
const BEYOND_ZOD: [(&str, usize); 4] =
    [("price", 1), ("int_string", 3), ("int_string", 4), ("int_string", 5)];

#[test]
fn zod_agrees_with_the_generated_checks() {
    let node = need!(Node::ready());
    let folder = folder("typescript-zod");
    let mut script = String::from("import { readFileSync } from 'node:fs';\nconst cases: any = {};\n");
    let mut jobs = Vec::new();
    for case in cases::all() {
        let name = case.name;
        for (version, place) in ZODS {
            generate_with(&case, "ts", &folder.join(place), |options| options.zod = Some(version));
            writeln!(script, "import * as zod_{name}_{place} from './{place}/{name}/zod.js';").unwrap();
        }
        writeln!(script, "import * as {name} from './v4/{name}/agent.js';").unwrap();
        writeln!(script, "cases.{name} = {{ agent: {name}, v3: zod_{name}_v3, v4: zod_{name}_v4 }};")
            .unwrap();
        for shape in &case.shapes {
            let mut job = |way: &str, value: &Value, beyond: bool| {
                jobs.push(serde_json::json!({
                    "case": name, "name": shape.name, "way": way, "value": value, "beyond": beyond,
                }));
            };
            shape.written.iter().for_each(|value| job("written", value, false));
            shape.read.iter().chain(&shape.also_read()).for_each(|value| job("read", value, false));
            for (index, value) in shape.refused.iter().enumerate() {
                job("read", value, BEYOND_ZOD.contains(&(shape.name, index)));
            }
        }
    }
    script += "
        const wrong: unknown[] = [];
        for (const job of JSON.parse(readFileSync(0, 'utf8'))) {
            const { agent, ...versions } = cases[job.case];
            const of = (all: any) => (job.way === 'written' ? all.events[job.name] : all.tools['take_' + job.name].result);
            const checked = (job.way === 'written' ? of(agent).value : of(agent)).check(job.value);
            for (const version of ['v3', 'v4']) {
                const parsed = of(versions[version]).safeParse(job.value);
                const same = !parsed.success || JSON.stringify(parsed.data) === JSON.stringify(job.value);
                if (parsed.success !== (job.beyond || checked.issues === undefined) || !same) wrong.push({ version, ...job, checked, parsed });
            }
        }
        console.log(JSON.stringify(wrong));";
    fs::write(folder.join("zod.ts"), script).unwrap();
    assert!(jobs.len() > 300, "{} jobs", jobs.len());
    let wrong = run(&node, &folder, "zod.ts", Generation::V1, &Value::Array(jobs));
    assert_eq!(wrong, Value::Array(vec![]), "{wrong:#}");
}

/// A page's use of the generated agent; the compiler has to find each mistake.
const USAGE: &str = r#"
import type { StandardTypes } from "./usage_types.js";
import { KitchenAgent, type FrontendToolHandlers } from "./kitchen/client.js";
import { DIFFICULTY_VALUES, type Bill, type Confirmation, type Difficulty, type Recipe } from "./kitchen/types.js";
import { tools } from "./kitchen/agent.js";

const agent = new KitchenAgent({ url: "http://localhost:8000/kitchen", initialState: { title: "", ingredients: [] } });
// @ts-expect-error: the state has a type
new KitchenAgent({ url: "/", initialState: { title: 1 } });

export const title: string | undefined = agent.typedState?.title;
// @ts-expect-error: the official client does not check its state
export const unchecked: string = agent.state.title;
agent.setState({ title: "Risotto", ingredients: [{ name: "rice", amount: 300, unit: "gram" }] });
// @ts-expect-error: a unit is one of two texts
agent.setState({ title: "Risotto", ingredients: [{ name: "rice", amount: 300, unit: "cup" }] });

const stop: () => void = agent.on({
  state: (state: Recipe) => console.log(state.steps.length),
  events: { sizzle: ({ heat }) => console.log(heat.toFixed()), "oven.temperature": (value) => value + 1 },
  toolCalls: { price: ({ name }, { id }) => console.log(name.length, id.length) },
  toolResults: { price: ({ cents }) => console.log(cents.toFixed()) },
});
stop();
// @ts-expect-error: there is no such event
agent.on({ events: { sizle: () => {} } });
// @ts-expect-error: an argument has its type
agent.on({ toolCalls: { price: ({ name }) => name.toFixed() } });

agent.on({
  activities: { SEARCH: (search, { id }) => console.log(id, search.kind === "done" ? search.hits + 1 : search.query) },
  finished: (bill: Bill) => console.log(bill.total.cents.toFixed()),
});
// @ts-expect-error: there is no such activity
agent.on({ activities: { SEARC: () => {} } });
// @ts-expect-error: a search that runs has no hits
agent.on({ activities: { SEARCH: (search) => search.hits } });
// @ts-expect-error: the result has a type
agent.on({ finished: (bill: Recipe) => console.log(bill) });
void agent.runAgent({ forwardedProps: { locale: "it", guests: 2 } }).then(({ result, newMessages }) => {
  const paid: boolean | undefined = result?.paid;
  // @ts-expect-error: the result has no such member
  console.log(paid, newMessages.length, result?.payed);
});
// @ts-expect-error: forwarded props have a type
void agent.runAgent({ forwardedProps: { locale: 7 } });
// @ts-expect-error: and a member that has to be there
void agent.runAgent({ forwardedProps: { guests: 2 } });

const handlers: FrontendToolHandlers = {
  confirm_order: ({ total, note }) =>
    total.cents < 1000 ? { answer: "yes" } : { answer: "no", reason: note ?? "too much" },
  ask_name: async () => "Ada",
  ring: ({ times }) => console.log(times),
};
void agent
  .registerFrontendTools(handlers)
  .run({ forwardedProps: { locale: "it" } })
  .then(({ result }) => result?.total.cents.toFixed());
// @ts-expect-error: forwarded props have a type here too
void agent.registerFrontendTools(handlers).run({ forwardedProps: { locale: 7 } });
// @ts-expect-error: a handler is missing
agent.registerFrontendTools({ ask_name: () => "Ada", ring: () => {} });
// @ts-expect-error: an answer has its type
agent.registerFrontendTools({ ...handlers, ask_name: () => 7 });
// @ts-expect-error: an answer of one form has the members of that form
agent.registerFrontendTools({ ...handlers, confirm_order: () => ({ answer: "no" }) });

export function words(confirmation: Confirmation): string {
  switch (confirmation.answer) {
    case "yes":
      return String(confirmation.tip?.cents);
    case "no":
      return confirmation.reason;
    default: {
      const never: never = confirmation;
      return never;
    }
  }
}

// Libraries constrain types like this one; an interface would not work.
type Props<T extends Record<string, unknown>> = T;
export type Fine = Props<Recipe>;
export const difficulties: readonly Difficulty[] = DIFFICULTY_VALUES;

// A library's output type of a Standard Schema.
type Output<S extends StandardTypes> = NonNullable<S["~standard"]["types"]>["output"];
export const args: Output<typeof tools.price.parameters> = { name: "rice" };
// @ts-expect-error: the schema has the type of the arguments
export const wrong: Output<typeof tools.price.parameters> = { nam: "rice" };
"#;

/// Standard Schema 1 and Standard JSON Schema 1, as their texts have them.
const STANDARD: &str = r#"
export interface StandardTypes {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly validate: (
      value: unknown,
      options?: { readonly libraryOptions?: Record<string, unknown> | undefined } | undefined,
    ) => Result | Promise<Result>;
    readonly jsonSchema: { readonly input: Convert; readonly output: Convert };
  };
}
type Convert = (options: {
  readonly target: "draft-2020-12" | "draft-07" | "openapi-3.0" | ({} & string);
  readonly libraryOptions?: Record<string, unknown> | undefined;
}) => Record<string, unknown>;
type Result =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<Issue> };
type Issue = {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
};
"#;

fn kitchen() -> cases::Case {
    cases::all().into_iter().find(|case| case.name == "kitchen").unwrap()
}

#[test]
fn mistakes_in_a_page_are_compile_errors() {
    let node = need!(Node::ready());
    let folder = folder("typescript-usage");
    generate(&kitchen(), "ts", &folder);
    fs::write(folder.join("usage.ts"), USAGE).unwrap();
    fs::write(folder.join("usage_types.ts"), STANDARD).unwrap();
    for generation in Generation::ALL {
        drop(node.type_check("usage", generation, &[folder.join("usage.ts")]).assert_success());
    }
}

/// A conversation with a server that is a function: two runs, because the first ends with a question.
const TALK: &str = r#"
import { readFileSync } from "node:fs";
import { KitchenAgent } from "./kitchen/client.js";

const job: { runs: object[][] } = JSON.parse(readFileSync(0, "utf8"));
const inputs: any[] = [];
const told: unknown[] = [];
const manifests: unknown[] = [];
const drifts: unknown[] = [];

const agent = new KitchenAgent({
  onDrift: (drift) => drifts.push(drift),
  url: "http://kitchen.test/",
  threadId: "t",
  fetch: async (_url, init) => {
    const input = JSON.parse(String(init.body));
    inputs.push(input);
    const events = job.runs[inputs.length - 1]!.map((event: any) =>
      /^RUN_[SF]/.test(event.type) ? { ...event, threadId: input.threadId, runId: input.runId } : event,
    );
    const body = events.map((event) => `data: ${JSON.stringify(event)}

`).join("");
    manifests.push(new Headers(init.headers).get("x-agui-manifest"));
    return new Response(body, { headers: { "content-type": "text/event-stream", "x-agui-manifest": "sha256-other" } });
  },
});
agent.on({
  state: (state) => told.push(["state", state.title, state.steps.length]),
  events: {
    sizzle: ({ heat }) => told.push(["sizzle", heat]),
    "oven.temperature": (value) => told.push(["oven", value]),
  },
  toolCalls: {
    price: ({ name }) => told.push(["price of", name]),
    confirm_order: ({ total }) => told.push(["confirm", total.cents]),
  },
  toolResults: {
    price: ({ cents }) => told.push(["price is", cents]),
    pairing: (wine) => told.push(["wine", wine]),
  },
  activities: {
    SEARCH: (search, { id }) => told.push(["search", id, search.kind === "done" ? search.hits : search.query]),
  },
  finished: (bill) => told.push(["bill", bill.total.cents, bill.paid]),
  toolFailure: (error, call) => told.push(["failed", call.name, error]),
  problem: ({ what, name, issues }) => told.push(["problem", what, name, issues[0]?.path, issues[0]?.message]),
});
told.push(["before", agent.typedState ?? null]);
const desk = agent.registerFrontendTools({
  confirm_order: ({ total }) => ({ answer: "yes", tip: { cents: total.cents / 10 } }),
  ask_name: async (_args, { id }) => (id === "c4" ? '"Ada"' : '{"error":"Ada"}'),
  ring: ({ times }) => {
    if (times > 1) throw new Error("too loud");
  },
});
const result = await desk.run({
  runId: "first",
  context: [{ description: "day", value: "Monday" }],
  forwardedProps: { locale: "it", guests: 2 },
});
told.push(["after", agent.typedState?.title ?? null]);
agent.setState({ title: "mine", ingredients: [] });
told.push(["incomplete", agent.typedState ?? null]);

// Three failed runs: reported once, for any number of listeners, and only without a handler for failures.
const complaints: string[] = [];
console.error = (...words) => complaints.push(words.join(" "));
agent.on({});
const rejections: unknown[] = [];
const fail = () => agent.runAgent().then(
  () => rejections.push(null),
  (error) => rejections.push([error.name, error.code, error.message]),
);
await fail();
const end = agent.on({ failed: (failure) => told.push(["run failed", failure]) });
await fail();
end();
await fail();
console.log(JSON.stringify({ inputs, told, manifests, drifts, complaints, rejections, result: result.result ?? null, pending: desk.pending() }));
"#;

/// An activity that is shown, changed, replaced and spoiled, and one that the agent does not declare.
pub(super) fn searches() -> Vec<Value> {
    use serde_json::json;

    let snapshot = |id: &str, kind: &str, content: Value| json!({"type": "ACTIVITY_SNAPSHOT", "messageId": id, "activityType": kind, "content": content, "replace": true});
    let delta = |path: &str, value: Value| json!({"type": "ACTIVITY_DELTA", "messageId": "a1", "activityType": "SEARCH", "patch": [{"op": "replace", "path": path, "value": value}]});
    vec![
        snapshot("a1", "SEARCH", json!({"kind": "running", "query": "rice"})),
        delta("/query", json!("risotto rice")),
        snapshot("a1", "SEARCH", json!({"kind": "done", "hits": 3})),
        delta("/hits", json!("many")),
        snapshot("a2", "constructor", json!({"kind": "done", "hits": 3})),
    ]
}

#[test]
fn a_generated_client_talks() {
    use serde_json::json;

    let node = need!(Node::ready());
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
            json!({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/steps/-", "value": "Stir."}]}),
            json!({"type": "CUSTOM", "name": "sizzle", "value": {"heat": 7}}),
            json!({"type": "CUSTOM", "name": "oven.temperature", "value": 180.5}),
            json!({"type": "CUSTOM", "name": "sizzle", "value": {"heat": 700}}),
            json!({"type": "CUSTOM", "name": "constructor", "value": 1}),
        ],
        searches(),
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
    let fails = |code: &str| {
        vec![json!({"type": "RUN_STARTED"}), json!({"type": "RUN_ERROR", "message": "no gas", "code": code})]
    };
    let folder = folder("typescript-talk");
    generate(&kitchen(), "ts", &folder);
    generate_with(&kitchen(), "ts", &folder.join("single"), |options| options.single_file = true);
    fs::write(folder.join("talk.ts"), TALK).unwrap();
    let alone = TALK.replace("./kitchen/client.js", "./single/kitchen/index.js");
    fs::write(folder.join("talk-single.ts"), alone).unwrap();
    let programs =
        [("talk.ts", Generation::V1), ("talk.ts", Generation::Legacy), ("talk-single.ts", Generation::V1)];
    for (program, generation) in programs {
        let runs = json!({"runs": [first, second, fails("stove"), fails("oven"), fails("pan")]});
        let report = run(&node, &folder, program, generation, &runs);
        let inputs = report["inputs"].as_array().unwrap();
        assert_eq!(inputs.len(), 5, "{report:#}");
        let offered: Vec<_> =
            inputs[0]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
        assert_eq!(offered, ["confirm_order", "ask_name", "ring"]);
        assert_eq!(
            inputs[0]["tools"][0]["parameters"]["$defs"]["Euro"]["properties"]["cents"],
            json!({"minimum": 0, "type": "integer"}),
            "formats only Rust knows do not travel"
        );
        assert_eq!(inputs[0]["runId"], "first");
        assert_ne!(inputs[1]["runId"], "first");
        assert_eq!(inputs[1]["context"][0]["value"], "Monday");
        assert_eq!(inputs[1]["state"]["steps"], json!(["Stir."]));
        let answers: Vec<_> = inputs[1]["messages"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|message| message["id"].as_str().unwrap().ends_with("-answer"))
            .map(|message| (message["toolCallId"].as_str().unwrap(), message["content"].as_str().unwrap()))
            .collect();
        assert_eq!(
            answers,
            [
                ("c3", r#"{"answer":"yes","tip":{"cents":25}}"#),
                // A string that reads as another string is quoted once more.
                ("c4", "\"\\\"Ada\\\"\""),
                ("c5", r#"{"error":"too loud"}"#),
                (
                    "c6",
                    r#"{"error":"the arguments of ring do not fit: times: expected integer, found string"}"#
                ),
                ("c7", "null"),
                ("c9", r#""{\"error\":\"Ada\"}""#),
            ]
        );
        assert_eq!(report["result"], bill);
        let forwarded = json!({"locale": "it", "guests": 2});
        assert_eq!([&inputs[0]["forwardedProps"], &inputs[1]["forwardedProps"]], [&forwarded; 2]);
        assert_eq!(report["pending"], json!([]));
        let hash = &report["manifests"][0];
        assert!(hash.as_str().unwrap().starts_with("sha256-"), "{hash}");
        assert_eq!(report["drifts"], json!([{"client": hash, "agent": "sha256-other"}]), "told once");
        assert_eq!(
            report["told"],
            json!([
                ["before", null],
                ["state", "Risotto", 0],
                ["state", "Risotto", 1],
                ["sizzle", 7],
                ["oven", 180.5],
                ["problem", "event", "sizzle", ["heat"], "expected at most 255"],
                ["search", "a1", "rice"],
                ["search", "a1", "risotto rice"],
                ["search", "a1", 3],
                ["problem", "activity", "SEARCH", ["hits"], "expected integer, found string"],
                ["price of", "rice"],
                ["price is", 250],
                ["price of", "gold"],
                ["failed", "price", "not sold here"],
                ["wine", "Barolo"],
                ["failed", "pairing", "no wine for gold"],
                ["wine", "{\"error\":\"dry\"}"],
                ["confirm", 250],
                ["bill", 250, true],
                ["after", "Risotto"],
                ["incomplete", null],
                ["run failed", {"message": "no gas", "code": "oven"}],
            ]),
            "{report:#}"
        );
        assert_eq!(
            report["complaints"],
            json!(["agui: the run failed: no gas (stove)", "agui: the run failed: no gas (pan)"])
        );
        let rejected = |code: &str| json!(["RunFailedError", code, "no gas"]);
        assert_eq!(report["rejections"], json!([rejected("stove"), rejected("oven"), rejected("pan")]));
    }
}

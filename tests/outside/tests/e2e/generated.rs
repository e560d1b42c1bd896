//! The generated clients of the examples, in TypeScript and in Python, each with the server it was generated from. The
//! client of `shopper` runs in `shopper.rs`, as in the README.

use std::{fs, path::PathBuf, time::Duration};

use agui_tests::{
    need,
    outside::{ExampleServer, Finished, Generation, Node, Python, finish, target_dir, workspace_dir},
};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(120);

/// The servers, each a new one: a shop counts its orders.
fn servers() -> [ExampleServer; 3] {
    let tour = ExampleServer::start_with("tour", &[("TOUR_PACE", "0.02")]);
    [ExampleServer::start("hello"), ExampleServer::start("recipe"), tour]
}

/// A program of this test, with the path of the examples in place of `EXAMPLES`.
fn program(name: &str, text: &str) -> PathBuf {
    let folder = target_dir().join("outside/generated");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let examples = workspace_dir().join("examples");
    fs::write(&path, text.replace("EXAMPLES", examples.to_str().unwrap())).unwrap();
    path
}

/// The expected output of both programs.
fn assert_told(finished: Finished) {
    let told: Value = finished.assert_success().json();
    let expected = json!({
        "hello": "Hello, Ada!",
        "asked": "risotto",
        "ordered": "Ordered, number 1000. It will be at your door in half an hour.",
        "skill": "Advanced",
        "steps": 10,
        "plan": "Ok! I'm working on it.",
        // The steps after the first are the forwarded props; a step that is done has a mark.
        "shown": ["fetch", "fetch!", "fetch! taste serve"],
    });
    for (what, expected) in expected.as_object().unwrap() {
        let said = &told[what];
        let fits = match (said.as_str(), expected.as_str()) {
            // The title of the dish is the cook's.
            (Some(said), Some(part)) => said.to_lowercase().contains(&part.to_lowercase()),
            _ => said == expected,
        };
        assert!(fits, "{what}: {said} instead of {expected}; {told:#}");
    }
}

const TYPESCRIPT: &str = r#"
import { HelloAgent } from "EXAMPLES/hello/ts/agui/hello/client.js";
import { CookAgent } from "EXAMPLES/recipe/web/src/agui/cook/client.js";
import { HumanInTheLoopAgent } from "EXAMPLES/tour/ts/agui/human_in_the_loop/client.js";
import { PlanMakerAgent } from "EXAMPLES/tour/ts/agui/plan_maker/client.js";
import { SharedStateAgent } from "EXAMPLES/tour/ts/agui/shared_state/client.js";

declare const process: { readonly argv: readonly string[] };
const [hello = "", recipe = "", tour = ""] = process.argv.slice(2);

const user = (id: string, content: string) => ({ id, role: "user" as const, content });
const last = (agent: { messages: readonly { content?: unknown }[] }) => agent.messages.at(-1)?.content;

const greeter = new HelloAgent({ url: `${hello}/` });
greeter.addMessage(user("1", "Ada"));
await greeter.runAgent();

const cook = new CookAgent({ url: `${recipe}/cook` });
const asked: number[] = [];
const desk = cook.registerFrontendTools({
  confirm_order: ({ total }) => {
    asked.push(total);
    return { approved: true, note: "Ring twice" };
  },
});
cook.addMessage(user("1", "Let's cook a risotto!"));
await desk.run();
const title: string | undefined = cook.typedState?.title;
cook.addMessage(user("2", "Order it"));
await desk.run();

const kitchen = new SharedStateAgent({ url: `${tour}/shared_state` });
await kitchen.runAgent();
const skill: string | undefined = kitchen.typedState?.recipe.skill_level;

const planner = new HumanInTheLoopAgent({ url: `${tour}/human_in_the_loop` });
let steps = 0;
planner.addMessage(user("1", "Plan it."));
await planner
  .registerFrontendTools({
    generate_task_steps: (args) => {
      steps = args.steps.filter((step) => step.status === "enabled").length;
      return "all of them";
    },
  })
  .run();

const maker = new PlanMakerAgent({ url: `${tour}/lab/activity` });
const shown: string[] = [];
maker.on({
  activities: {
    PLAN: (plan) => shown.push(plan.steps.map(({ name, done }) => (done ? `${name}!` : name)).join(" ")),
  },
});
await maker.runAgent({ forwardedProps: { then: ["taste", "serve"] } });
// @ts-expect-error: the steps are a list
export const wrong = () => maker.runAgent({ forwardedProps: { then: "taste" } });

const told = { hello: last(greeter), asked: title, total: asked, ordered: last(cook), skill, steps, plan: last(planner), shown };
console.log(JSON.stringify(told));
"#;

#[test]
fn the_typescript_clients_of_the_examples_talk() {
    let node = need!(Node::ready());
    let source = program("examples.ts", TYPESCRIPT);
    let bundle = node.bundle(&source);
    for generation in Generation::ALL {
        let _ = node.type_check("generated", generation, std::slice::from_ref(&source)).assert_success();
        let servers = servers();
        let mut command = node.command(program("examples.mjs", &generation.imported_by(&bundle)));
        command.args(servers.each_ref().map(ExampleServer::url));
        assert_told(finish(command, "", LIMIT));
    }
}

const PYTHON: &str = r#"
import asyncio
import json
import sys

from ag_ui.core import UserMessage

sys.path.insert(0, "EXAMPLES/hello/python")
from agui.hello import HelloClient

hello, recipe, tour = sys.argv[1:]
told = {}


def fresh(example):
    """Each example has a package `agui` of its own."""
    for name in [name for name in sys.modules if name == "agui" or name.startswith("agui.")]:
        del sys.modules[name]
    sys.path.insert(0, f"EXAMPLES/{example}/python")


def text(items):
    return "".join(item.delta for item in items if getattr(item, "delta", None) and isinstance(item.delta, str))


async def main():
    client = HelloClient(f"{hello}/")
    input = client.input([UserMessage(id="1", content="Ada")])
    told["hello"] = text([item async for item in client.run(input)])

    fresh("recipe")
    from agui.cook import CookClient, StateChanged
    from agui.cook.types import Confirmation

    class Desk:
        async def confirm_order(self, args):
            return Confirmation(approved=args.total > 0, note="Ring twice")

    cook = CookClient(f"{recipe}/cook")
    first = [item async for item in cook.converse(cook.input([UserMessage(id="1", content="Let's cook a risotto!")]), Desk())]
    state = [item.state for item in first if isinstance(item, StateChanged)][-1]
    told["asked"] = state.title
    order = cook.input([UserMessage(id="2", content="Order it")], state=state)
    second = [item async for item in cook.converse(order, Desk())]
    told["ordered"] = text([item for item in second if getattr(item, "type", "") == "TEXT_MESSAGE_CONTENT"])

    fresh("tour")
    from agui.human_in_the_loop import HumanInTheLoopClient
    from agui.shared_state import SharedStateClient, StateChanged

    kitchen = SharedStateClient(f"{tour}/shared_state")
    items = [item async for item in kitchen.run(kitchen.input([]))]
    told["skill"] = [item.state.recipe.skill_level for item in items if isinstance(item, StateChanged)][-1]

    class Person:
        async def generate_task_steps(self, args):
            told["steps"] = len([step for step in args.steps if step.status == "enabled"])
            return "all of them"

    planner = HumanInTheLoopClient(f"{tour}/human_in_the_loop")
    items = [item async for item in planner.converse(planner.input([UserMessage(id="1", content="Plan it.")]), Person())]
    told["plan"] = text([item for item in items if getattr(item, "type", "") == "TEXT_MESSAGE_CONTENT"])

    from agui.plan_maker import PlanActivity, PlanMakerClient
    from agui.plan_maker.types import Wishes

    maker = PlanMakerClient(f"{tour}/lab/activity")
    wishes = maker.input([], forwarded_props=Wishes(then=["taste", "serve"]))
    plans = [item.content async for item in maker.run(wishes) if isinstance(item, PlanActivity)]
    told["shown"] = [" ".join(f"{step.name}!" if step.done else step.name for step in plan.steps) for plan in plans]


asyncio.run(main())
json.dump(told, sys.stdout)
"#;

#[test]
fn the_python_clients_of_the_examples_talk() {
    let python = need!(Python::ready());
    let servers = servers();
    let mut command = python.command(program("examples.py", PYTHON));
    command.args(servers.each_ref().map(ExampleServer::url));
    assert_told(finish(command, "", LIMIT));
}

//! The content of a manifest, and the agents that it refuses, over plain serde and schemars types.

#![allow(missing_docs, dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;

use agui_runtime::manifest::{
    AgentSource, EventSource, InterruptSource, Manifest, ManifestError, ResultDef, ToolSource, TypeSource,
};
use agui_runtime::protocol::ToolSide;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A recipe.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Recipe {
    title: String,
    /// The number of people.
    #[serde(default)]
    feeds: u8,
    steps: Vec<Step>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Step {
    text: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
struct PriceParams {
    name: String,
}

#[derive(Serialize, JsonSchema)]
struct Euro {
    cents: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Confirmation {
    yes: bool,
}

#[derive(Serialize, JsonSchema)]
struct Sizzle {
    heat: Heat,
}

#[derive(Serialize, JsonSchema)]
enum Heat {
    Low,
    High,
}

fn agent(name: &'static str) -> AgentSource {
    AgentSource {
        description: "Cooks with you.",
        version: "0.3.1",
        rust_path: "kitchen::Chef",
        ..AgentSource::new(name)
    }
}

fn tool(name: &'static str, side: ToolSide, result: TypeSource) -> ToolSource {
    ToolSource {
        name,
        description: "Does it.",
        side,
        approval: false,
        annotations: agui_runtime::protocol::ToolAnnotations::NONE,
        arguments: TypeSource::of::<PriceParams>(),
        result: Some(result),
    }
}

fn event(name: &'static str, value: TypeSource) -> EventSource {
    EventSource { name, description: "", value }
}

fn chef() -> AgentSource {
    AgentSource {
        state: Some(TypeSource::of::<Recipe>()),
        tools: vec![
            tool("price", ToolSide::Backend, TypeSource::of::<Euro>()),
            tool("confirm_order", ToolSide::Frontend, TypeSource::of::<Confirmation>()),
        ],
        events: vec![event("sizzle", TypeSource::of::<Sizzle>())],
        ..agent("chef")
    }
}

fn interrupt(reason: &'static str, payload: TypeSource, response: TypeSource) -> InterruptSource {
    InterruptSource { reason, message: Some("Really?"), description: "Asks.", payload, response }
}

/// The questions of `chef`, too: the same types as elsewhere, each in the one direction it travels.
fn asking() -> AgentSource {
    AgentSource {
        interrupts: vec![interrupt("confirm", TypeSource::of::<Euro>(), TypeSource::of::<Confirmation>())],
        ..agent("chef")
    }
}

fn build(agents: &[AgentSource]) -> Manifest {
    Manifest::build("kitchen", "0.3.1", agents).unwrap()
}

#[test]
fn the_manifest_of_one_agent() {
    let manifest = build(&[chef()]);
    let mut value: serde_json::Value = serde_json::from_str(&manifest.to_json()).unwrap();
    let hash = value["hash"].take();
    assert_eq!(hash["wire"].as_str().unwrap().len(), "sha256-".len() + 64);
    assert_ne!(hash["wire"], hash["full"]);
    let params = json!({
        "properties": {"name": {"type": "string"}}, "required": ["name"], "type": "object",
    });
    let step = json!({"properties": {"text": {"type": "string"}}, "required": ["text"], "type": "object"});
    let recipe = |way: &str, required: serde_json::Value| {
        json!({
            "description": "A recipe.",
            "properties": {
                "title": {"type": "string"},
                "feeds": {
                    "default": 0, "description": "The number of people.", "format": "uint8", "maximum": 255,
                    "minimum": 0, "type": "integer",
                },
                "steps": {"items": {"$ref": format!("#/types/{way}/manifest::Step")}, "type": "array"},
            },
            "required": required,
            "type": "object",
        })
    };
    let cents = json!({"format": "uint32", "minimum": 0, "type": "integer"});
    assert_eq!(
        value,
        json!({
            "agui_manifest": 1,
            "generator": concat!("agui-runtime ", env!("CARGO_PKG_VERSION")),
            "crate": {"name": "kitchen", "version": "0.3.1"},
            "agents": [{
                "name": "chef", "description": "Cooks with you.", "version": "0.3.1", "rust": "kitchen::Chef",
                "state": {"out": {"$ref": "#/types/out/manifest::Recipe"}, "in": {"$ref": "#/types/in/manifest::Recipe"}},
                "tools": [
                    {
                        "name": "price", "side": "backend", "description": "Does it.",
                        "params": {"out": params, "in": params},
                        "result": {"out": {"$ref": "#/types/out/manifest::Euro"}},
                    },
                    {
                        "name": "confirm_order", "side": "frontend", "description": "Does it.",
                        "params": {"out": params, "in": params},
                        "result": {"in": {"$ref": "#/types/in/manifest::Confirmation"}},
                    },
                ],
                "events": [{"name": "sizzle", "description": "", "value": {"$ref": "#/types/out/manifest::Sizzle"}}],
            }],
            "types": {
                "out": {
                    "manifest::Euro": {"properties": {"cents": cents}, "required": ["cents"], "type": "object"},
                    "manifest::Heat": {"enum": ["Low", "High"], "type": "string"},
                    "manifest::Recipe": recipe("out", json!(["title", "feeds", "steps"])),
                    "manifest::Sizzle": {
                        "properties": {"heat": {"$ref": "#/types/out/manifest::Heat"}}, "required": ["heat"], "type": "object",
                    },
                    "manifest::Step": step,
                },
                "in": {
                    "manifest::Confirmation": {
                        "properties": {"yes": {"type": "boolean"}}, "required": ["yes"], "type": "object",
                    },
                    "manifest::Recipe": recipe("in", json!(["title", "steps"])),
                    "manifest::Step": step,
                },
            },
            "hash": null,
        })
    );
}

#[test]
fn the_text_keeps_the_order_of_fields() {
    let text = build(&[chef()]).to_json();
    let position = |name: &str| text.find(&format!("\"{name}\": {{")).unwrap();
    assert!(position("title") < position("feeds") && position("feeds") < position("steps"), "{text}");
}

#[test]
fn the_order_of_registration_does_not_change_the_text() {
    let one = build(&[chef(), agent("waiter"), agent("butcher")]);
    let other = build(&[agent("butcher"), chef(), agent("waiter")]);
    assert_eq!(one.to_json(), other.to_json());
    let names: Vec<_> = one.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["butcher", "chef", "waiter"]);
}

#[test]
fn the_result_travels_one_way() {
    let manifest = build(&[chef()]);
    let tools = &manifest.agents[0].tools;
    assert!(matches!(tools[0].result, Some(ResultDef::Out(_))));
    assert!(matches!(tools[1].result, Some(ResultDef::In(_))));
    assert!(!manifest.types.input.contains_key("manifest::Euro"));
    assert!(!manifest.types.out.contains_key("manifest::Confirmation"));
}

#[test]
fn a_question_goes_out_and_its_answer_comes_in() {
    let manifest = build(&[asking()]);
    let value: serde_json::Value = serde_json::from_str(&manifest.to_json()).unwrap();
    assert_eq!(
        value["agents"][0]["interrupts"],
        json!([{
            "reason": "confirm",
            "message": "Really?",
            "description": "Asks.",
            "payload": {"$ref": "#/types/out/manifest::Euro"},
            "response": {"$ref": "#/types/in/manifest::Confirmation"},
        }])
    );
    let names =
        |types: &serde_json::Map<String, serde_json::Value>| types.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&manifest.types.out), ["manifest::Euro"]);
    assert_eq!(names(&manifest.types.input), ["manifest::Confirmation"]);
    assert_eq!(Manifest::from_json(&manifest.to_json()).unwrap(), manifest);
    assert!(!build(&[chef()]).to_json().contains("interrupts"), "an agent without questions lists none");
}

#[test]
fn the_wire_hash_covers_the_types_of_a_question_but_not_its_words() {
    let wire = |agent: AgentSource| build(&[agent]).hash.wire;
    let with = |interrupts| AgentSource { interrupts, ..agent("chef") };
    let asked = asking().interrupts.remove(0);
    let before = wire(asking());
    assert_ne!(before, wire(agent("chef")));
    assert_ne!(before, wire(with(vec![InterruptSource { reason: "sure", ..asked.clone() }])));
    assert_ne!(
        before,
        wire(with(vec![InterruptSource { payload: TypeSource::of::<Step>(), ..asked.clone() }]))
    );
    assert_ne!(
        before,
        wire(with(vec![InterruptSource { response: TypeSource::of::<bool>(), ..asked.clone() }]))
    );
    let told = InterruptSource { message: None, description: "Wants to know.", ..asked };
    assert_eq!(before, wire(with(vec![told])));
}

#[test]
fn words_and_order_do_not_change_the_wire_hash() {
    let before = build(&[chef()]).hash;
    let mut told = chef();
    told.description = "Cooks for you.";
    told.tools.reverse();
    let after = build(&[told]).hash;
    assert_eq!(before.wire, after.wire);
    assert_ne!(before.full, after.full);
}

mod renamed {
    use super::*;

    /// Another recipe.
    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) struct Recipe {
        steps: Vec<Step>,
        #[serde(default)]
        feeds: u8,
        #[serde(rename = "name")]
        title: String,
    }
}

#[test]
fn a_renamed_field_changes_both_hashes() {
    let before = build(&[chef()]).hash;
    let after = build(&[AgentSource { state: Some(TypeSource::of::<renamed::Recipe>()), ..chef() }]).hash;
    assert_ne!(before.wire, after.wire);
    assert_ne!(before.full, after.full);
}

mod other {
    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) struct Step {
        done: bool,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) struct Both {
        mine: Step,
        theirs: super::Step,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) struct Step2 {
        honest: bool,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) struct Honest {
        one: Step,
        two: Step2,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) struct Page<T> {
        items: Vec<T>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[schemars(rename = "List_of_{T}")]
    pub(super) struct List<T> {
        items: Vec<T>,
    }
}

mod moved {
    use super::*;

    #[derive(Serialize, JsonSchema)]
    pub(super) struct Step {
        text: String,
    }
}

fn first_in_function() -> TypeSource {
    #[derive(Serialize, JsonSchema)]
    struct Local {
        a: bool,
    }
    TypeSource::of::<Local>()
}

fn second_in_function() -> TypeSource {
    #[derive(Serialize, JsonSchema)]
    struct Local {
        b: bool,
    }
    TypeSource::of::<Local>()
}

/// Refused manifests: the agent, and the text that the message must contain.
#[test]
fn names_that_are_taken_twice() {
    let events = |first: TypeSource, second: TypeSource| AgentSource {
        events: vec![event("first", first), event("second", second)],
        ..agent("chef")
    };
    let twice = |name| {
        vec![
            tool(name, ToolSide::Backend, TypeSource::of::<Euro>()),
            tool(name, ToolSide::Backend, TypeSource::of::<Euro>()),
        ]
    };
    let cases: Vec<(Vec<AgentSource>, &[&str])> = vec![
        (vec![], &["`kitchen` has no agents", "#[agent]"]),
        (vec![agent("chef"), agent("chef")], &["two agents are named `chef`", "kitchen::Chef"]),
        (
            vec![AgentSource { tools: twice("price"), ..agent("chef") }],
            &["agent `chef` has two tools named `price`"],
        ),
        (
            vec![AgentSource {
                events: vec![
                    event("sizzle", TypeSource::of::<Sizzle>()),
                    event("sizzle", TypeSource::of::<Sizzle>()),
                ],
                ..agent("chef")
            }],
            &["agent `chef` has two events named `sizzle`"],
        ),
        (
            vec![AgentSource {
                interrupts: vec![
                    interrupt("confirm", TypeSource::of::<Euro>(), TypeSource::of::<bool>()),
                    interrupt("confirm", TypeSource::of::<Step>(), TypeSource::of::<bool>()),
                ],
                ..agent("chef")
            }],
            &["agent `chef` has two interrupts of the reason `confirm`"],
        ),
        // Two types that schemars takes for one.
        (
            vec![events(first_in_function(), second_in_function())],
            &["named `Local`", "manifest::first_in_function::Local", "manifest::second_in_function::Local"],
        ),
    ];
    for (mut agents, expected) in cases {
        // In any order of schemars.
        for _ in 0..2 {
            let message = Manifest::build("kitchen", "0.1.0", &agents).unwrap_err().to_string();
            for part in expected {
                assert!(message.contains(part), "no {part:?} in: {message}");
            }
            agents.iter_mut().for_each(|agent| agent.events.reverse());
        }
    }
}

/// The keys of a manifest, and the names of the types, in any order of the events.
#[test]
fn types_of_one_name_have_their_own_keys() {
    let events = |first: TypeSource, second: TypeSource| AgentSource {
        events: vec![event("first", first), event("second", second)],
        ..agent("chef")
    };
    let cases: Vec<(AgentSource, &[(&str, &str)])> = vec![
        // Two roots.
        (
            events(TypeSource::of::<Step>(), TypeSource::of::<other::Step>()),
            &[("manifest::Step", "Step"), ("manifest::other::Step", "Step")],
        ),
        // Both inside one root, where no order of roots tells them apart.
        (
            events(TypeSource::of::<other::Both>(), TypeSource::of::<Euro>()),
            &[
                ("manifest::Euro", "Euro"),
                ("manifest::Step", "Step"),
                ("manifest::other::Both", "Both"),
                ("manifest::other::Step", "Step"),
            ],
        ),
        // A number that schemars did not append, beside one that it did.
        (
            events(TypeSource::of::<other::Honest>(), TypeSource::of::<Step>()),
            &[
                ("manifest::Step", "Step"),
                ("manifest::other::Honest", "Honest"),
                ("manifest::other::Step", "Step"),
                ("manifest::other::Step2", "Step2"),
            ],
        ),
        // One generic type, two arguments; one that chooses its names.
        (
            events(TypeSource::of::<other::Page<Heat>>(), TypeSource::of::<other::Page<Euro>>()),
            &[
                ("manifest::Euro", "Euro"),
                ("manifest::Heat", "Heat"),
                ("manifest::other::Page<manifest::Euro>", "Page"),
                ("manifest::other::Page<manifest::Heat>", "Page"),
            ],
        ),
        (
            events(TypeSource::of::<other::List<Heat>>(), TypeSource::of::<other::List<Euro>>()),
            &[
                ("manifest::Euro", "Euro"),
                ("manifest::Heat", "Heat"),
                ("manifest::other::List_of_{T}<manifest::Euro>", "List_of_Euro"),
                ("manifest::other::List_of_{T}<manifest::Heat>", "List_of_Heat"),
            ],
        ),
        // One type only goes out, the other only comes in.
        (
            AgentSource {
                events: vec![event("step", TypeSource::of::<Step>())],
                tools: vec![tool("ask", ToolSide::Frontend, TypeSource::of::<other::Step>())],
                ..agent("chef")
            },
            &[("manifest::Step", "Step"), ("manifest::other::Step", "Step")],
        ),
    ];
    for (mut agent, expected) in cases {
        let one = build(&[agent.clone()]);
        agent.events.reverse();
        let other = build(&[agent]);
        assert_eq!((&one.types, &one.hash.wire), (&other.types, &other.hash.wire));
        let both = one.types.out.keys().chain(one.types.input.keys());
        let found: BTreeMap<&str, &str> = both.map(|key| (key.as_str(), one.type_name(key))).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
        let text = one.to_json();
        for (key, schema) in &one.types.out {
            assert!(schema.is_object(), "{key}");
        }
        assert_eq!(Manifest::from_json(&text).unwrap(), one);
    }
}

#[test]
fn another_module_does_not_change_the_wire_hash() {
    let of = |value| build(&[AgentSource { events: vec![event("step", value)], ..agent("chef") }]).hash;
    let (here, there) = (of(TypeSource::of::<Step>()), of(TypeSource::of::<moved::Step>()));
    assert_eq!(here.wire, there.wire);
    assert_ne!(here.full, there.full);
    assert_ne!(here.wire, of(TypeSource::of::<other::Step>()).wire);
}

#[test]
fn a_manifest_of_another_version_names_both() {
    let text = build(&[chef()]).to_json().replace("\"agui_manifest\": 1", "\"agui_manifest\": 2");
    let error = Manifest::from_json(&text).unwrap_err();
    assert!(matches!(error, ManifestError::UnknownFormat { .. }));
    assert!(error.to_string().contains("version 2") && error.to_string().contains("version 1"), "{error}");
}

#[test]
fn other_texts_are_not_a_manifest() {
    for text in ["", "[]", "{}", "{\"agui_manifest\":1}"] {
        assert!(matches!(Manifest::from_json(text), Err(ManifestError::Json(_))), "{text}");
    }
}

//! The reports of `diff` about two manifests, and the compatibility of the changes that it calls compatible.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use agui_codegen::{Change, DiffOptions, Level, Manifest, diff, is_breaking};
use serde_json::{Map, Value, json};

use crate::cases;

/// A manifest of one agent, whose state is `schema` in both directions and whose tools and events are given.
fn manifest(schema: &Value, types: &Value, tools: &Value, events: &Value) -> Manifest {
    let into = |value: &Value, way: &str| -> Value {
        serde_json::from_str(&value.to_string().replace("#/types/", &format!("#/types/{way}/"))).unwrap()
    };
    let value = json!({
        "agui_manifest": 1,
        "generator": "test",
        "crate": {"name": "shop", "version": "0.1.0"},
        "agents": [{
            "name": "shop", "description": "", "version": "0.1.0", "rust": "shop",
            "state": {"out": into(schema, "out"), "in": into(schema, "in")},
            "tools": tools, "events": events,
        }],
        "types": {"out": into(types, "out"), "in": into(types, "in")},
        "hash": {"wire": "", "full": ""},
    });
    Manifest::from_json(&value.to_string()).unwrap()
}

fn state(schema: &Value, types: &Value) -> Manifest {
    manifest(schema, types, &json!([]), &json!([]))
}

fn lines(changes: &[Change]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// Changes of the type of the state, and the report about each.
#[test]
fn changes_of_a_type() {
    let text = json!({"type": "string"});
    let number = |min: i64, max: i64| json!({"type": "integer", "minimum": min, "maximum": max});
    let one_of = |values: &[&str]| json!({"enum": values});
    let tagged = |names: &[&str]| -> Value {
        let variants: Vec<Value> = names
            .iter()
            .map(|name| object(&json!({"kind": {"const": name}, "x": text}), &["kind"]))
            .collect();
        json!({"oneOf": variants})
    };
    let status = |schema: &Value| object(&json!({"status": schema}), &["status"]);
    let rows: Vec<(&str, Value, Value, &[&str])> = vec![
        ("nothing", status(&text), status(&text), &[]),
        (
            "a new member that has to be there",
            object(&json!({}), &[]),
            object(&json!({"owner": text}), &["owner"]),
            &["breaking (wire) shop: IN: the state $.owner: is missing, and the reader needs it"],
        ),
        (
            "a new member that may be there",
            object(&json!({}), &[]),
            object(&json!({"owner": text}), &[]),
            &[],
        ),
        (
            "a member that no longer exists",
            object(&json!({"owner": text}), &["owner"]),
            object(&json!({}), &[]),
            &["breaking (wire) shop: OUT: the state $.owner: is missing, and the reader needs it"],
        ),
        (
            "a member that need not be there any more",
            object(&json!({"owner": text}), &["owner"]),
            object(&json!({"owner": text}), &[]),
            &["breaking (wire) shop: OUT: the state $.owner: may be missing, and the reader needs it"],
        ),
        (
            "a value more",
            status(&one_of(&["open"])),
            status(&one_of(&["open", "done"])),
            &[
                "warning (wire) shop: OUT: the state $.status: `\"done\"` is sent, which the reader does not know",
            ],
        ),
        (
            "a value less",
            status(&one_of(&["open", "done"])),
            status(&one_of(&["open"])),
            &[
                "breaking (wire) shop: IN: the state $.status: `\"done\"` is sent, which the reader does not know",
            ],
        ),
        (
            "an alternative more",
            status(&tagged(&["a", "c"])),
            status(&tagged(&["a", "b", "c"])),
            &[
                "warning (wire) shop: OUT: the state $.status: `{\"kind\": \"b\"}` is sent, which the reader does not know",
            ],
        ),
        (
            "another type",
            status(&text),
            status(&number(0, 9)),
            &[
                "breaking (wire) shop: OUT: the state $.status: a whole number is sent where a text is read",
                "breaking (wire) shop: IN: the state $.status: a text is sent where a whole number is read",
            ],
        ),
        (
            "null as well",
            status(&text),
            status(&json!({"type": ["string", "null"]})),
            &["breaking (wire) shop: OUT: the state $.status: `null` is sent where a text is read"],
        ),
        (
            "a wider number",
            status(&number(0, 255)),
            status(&number(0, 65535)),
            &["breaking (wire) shop: OUT: the state $.status: a number greater than 255 may be sent"],
        ),
        (
            "a narrower number",
            status(&number(0, 255)),
            status(&json!({"type": "integer", "minimum": 1, "format": "uint8"})),
            &["breaking (wire) shop: IN: the state $.status: a number less than 1 may be sent"],
        ),
        (
            "a fraction",
            status(&json!({"type": "integer"})),
            status(&json!({"type": "number"})),
            &["breaking (wire) shop: OUT: the state $.status: a number that is not whole may be sent"],
        ),
        (
            "strangers refused",
            object(&json!({"a": text}), &[]),
            json!({"type": "object", "properties": {"b": text}, "additionalProperties": false}),
            &[
                "breaking (wire) shop: IN: the state $.a: is sent, and the reader refuses members it does not know",
            ],
        ),
        (
            "a pattern",
            status(&text),
            status(&json!({"type": "string", "pattern": "^x"})),
            &["breaking (wire) shop: IN: the state $.status: the reader requires `pattern` to be \"^x\""],
        ),
        (
            "items and places",
            status(&json!({"type": "array", "items": text})),
            status(&json!({"type": "array", "prefixItems": [text, text], "minItems": 2, "maxItems": 2})),
            &[
                "breaking (wire) shop: IN: the state $.status: fewer than 2 items may be sent",
                "breaking (wire) shop: IN: the state $.status: more than 2 items may be sent",
            ],
        ),
        (
            "values of a map",
            json!({"type": "object", "additionalProperties": text}),
            json!({"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}),
            &["breaking (wire) shop: IN: the state $.*: a string of more than 3 characters may be sent"],
        ),
        (
            "a member that is not named as others are",
            object(&json!({"a b": {"type": "array", "items": text}}), &["a b"]),
            object(&json!({"a b": {"type": "array", "items": {"type": "boolean"}}}), &["a b"]),
            &[
                "breaking (wire) shop: OUT: the state $[\"a b\"][]: true or false is sent where a text is read",
                "breaking (wire) shop: IN: the state $[\"a b\"][]: a text is sent where true or false is read",
            ],
        ),
    ];
    for (what, old, new, expected) in rows {
        let (old, new) = (state(&old, &json!({})), state(&new, &json!({})));
        assert_eq!(lines(&diff(&old, &new, DiffOptions::default()).unwrap()), expected, "{what}");
        assert_eq!(diff(&new, &new, DiffOptions::default()).unwrap(), [], "{what}");
    }
}

#[test]
fn a_new_value_breaks_closed_readers() {
    let values = |values: &[&str]| state(&json!({"enum": values}), &json!({}));
    let (old, new) = (values(&["a"]), values(&["a", "b"]));
    let warned = diff(&old, &new, DiffOptions::default()).unwrap();
    assert!(!is_breaking(&warned) && warned.len() == 1);
    let closed = DiffOptions { closed: true, ..DiffOptions::default() };
    assert!(is_breaking(&diff(&old, &new, closed).unwrap()));
}

/// A type that contains itself is compared once, and a difference deep inside is found.
#[test]
fn types_that_contain_themselves() {
    let tree = |leaf: &Value| {
        let children = json!({"type": "array", "items": {"$ref": "#/types/Tree"}});
        let twig = object(&json!({"tree": {"$ref": "#/types/Tree"}, "leaf": leaf}), &["tree", "leaf"]);
        json!({
            "Tree": object(&json!({"children": children, "twig": {"anyOf": [{"$ref": "#/types/Twig"}, {"type": "null"}]}}), &["children", "twig"]),
            "Twig": twig,
        })
    };
    let root = json!({"$ref": "#/types/Tree"});
    let old = state(&root, &tree(&json!({"type": "string"})));
    let renamed: Value = serde_json::from_str(
        &tree(&json!({"type": "string"})).to_string().replace("Twig", "Branch").replace("Tree", "Plant"),
    )
    .unwrap();
    let same = state(&json!({"$ref": "#/types/Plant"}), &renamed);
    assert_eq!(diff(&old, &same, DiffOptions::default()).unwrap(), [], "names do not travel");
    let wider = state(&root, &tree(&json!({"type": ["string", "null"]})));
    assert_eq!(
        lines(&diff(&old, &wider, DiffOptions::default()).unwrap()),
        [
            "breaking (wire) shop: OUT: the state $.children[].twig.leaf: `null` is sent where a text is read",
            "breaking (wire) shop: OUT: the state $.twig.leaf: `null` is sent where a text is read",
        ]
    );
}

/// A type that is only a reference to itself. Rust has none, but a manifest may hold one.
#[test]
fn types_that_are_part_of_themselves() {
    let (knot, text) = (json!({"$ref": "#/types/Knot"}), json!({"type": "string"}));
    let book = state(&object(&json!({"pages": text}), &[]), &json!({}));
    for types in [
        knot.clone(),
        json!({"allOf": [knot, knot]}),
        json!({"anyOf": [knot, knot, text]}),
        json!({"allOf": [knot, knot], "type": "object", "properties": {"x": {"oneOf": [knot, knot]}}}),
    ] {
        let knots = state(&knot, &json!({ "Knot": types }));
        assert_eq!(diff(&knots, &knots, DiffOptions::default()).unwrap(), []);
        for (old, new) in [(&knots, &book), (&book, &knots)] {
            assert!(is_breaking(&diff(old, new, DiffOptions::default()).unwrap()), "{types}");
        }
    }
}

/// A client that was made for a promise may rely on it; a new promise breaks nothing.
#[test]
fn changes_of_the_hints_about_a_tool() {
    let none = json!({"type": "object"});
    let hinted = |hints: Value| {
        let tool = json!({
            "name": "refund", "side": "backend", "description": "", "params": {"out": none, "in": none},
            "annotations": hints,
        });
        manifest(&none, &json!({}), &json!([tool]), &json!([]))
    };
    let report = |old: Value, new: Value| {
        let changes = diff(&hinted(old), &hinted(new), DiffOptions::default()).unwrap();
        assert!(!is_breaking(&changes));
        lines(&changes)
    };
    let safest = json!({
        "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false,
    });
    let worst = json!({
        "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true,
    });
    let warning = |message: &str| format!("warning (wire) shop: the tool `refund` {message}");
    assert_eq!(
        report(safest.clone(), worst.clone()),
        [
            warning("no longer says that it is read-only"),
            warning("says now that it is destructive"),
            warning("no longer says that it may be repeated"),
            warning("no longer declares a closed world"),
        ]
    );
    let unsaid = [
        warning("no longer says that it is read-only"),
        warning("no longer says that it destroys nothing"),
        warning("no longer says that it may be repeated"),
        warning("no longer declares a closed world"),
    ];
    assert_eq!(report(safest.clone(), json!({})), unsaid);
    assert_eq!(report(worst, safest.clone()), [""; 0]);
    assert_eq!(report(json!({}), safest), [""; 0]);
    assert_eq!(report(json!({"title": "Refund"}), json!({"title": "Give back"})), [""; 0]);
}

#[test]
fn changes_of_an_agent() {
    let text = json!({"type": "string"});
    let none = json!({"type": "object"});
    let tool = |name: &str, side: &str, result: Option<Value>| {
        let mut tool =
            json!({"name": name, "side": side, "description": "", "params": {"out": none, "in": none}});
        if let Some(result) = result {
            tool["result"] = result;
        }
        tool
    };
    let event = |name: &str| json!({"name": name, "description": "", "value": text});
    let old = manifest(
        &none,
        &json!({}),
        &json!([
            tool("price", "backend", Some(json!({"out": text}))),
            tool("ask", "frontend", None),
            tool("ring", "frontend", None)
        ]),
        &json!([event("sizzle"), event("burn")]),
    );
    let new = manifest(
        &none,
        &json!({}),
        &json!([
            tool("price", "backend", None),
            tool("ask", "frontend", Some(json!({"in": text}))),
            tool("ring", "backend", None),
            tool("pay", "frontend", None)
        ]),
        &json!([event("sizzle")]),
    );
    assert_eq!(
        lines(&diff(&old, &new, DiffOptions::default()).unwrap()),
        [
            "breaking (wire) shop: IN: the result of `ask` is expected, and existing clients send none",
            "warning (wire) shop: the tool `pay` is new and runs in the user interface: existing clients do not offer it",
            "breaking (wire) shop: OUT: the result of `price` is no longer sent",
            "breaking (wire) shop: the tool `ring` runs in the agent now",
        ]
    );
    let source = DiffOptions { level: Level::Source, ..DiffOptions::default() };
    let more: Vec<Change> = diff(&old, &new, source)
        .unwrap()
        .into_iter()
        .filter(|change| change.level == Level::Source)
        .collect();
    assert_eq!(
        lines(&more),
        [
            "breaking (source) shop: the tool `pay` is new and runs in the user interface: it needs a handler",
            "breaking (source) shop: the event `burn` no longer exists",
        ]
    );
    let mut gone = old.clone();
    gone.agents.clear();
    assert_eq!(
        lines(&diff(&old, &gone, DiffOptions::default()).unwrap()),
        ["breaking (wire) shop: the agent no longer exists"]
    );
}

/// An agent with interrupts, with the payload and the response of each.
fn asking(questions: &[(&str, Value, Value)]) -> Manifest {
    let mut manifest = state(&json!({"type": "object"}), &json!({}));
    let asked = questions.iter().map(|(reason, payload, response)| {
        json!({"reason": reason, "description": "", "payload": payload, "response": response})
    });
    manifest.agents[0].interrupts = serde_json::from_value(asked.collect()).unwrap();
    manifest
}

#[test]
fn changes_of_a_question() {
    let text = json!({"type": "string"});
    let path = |required: &[&str]| object(&json!({"path": text}), required);
    let approval = |required: &[&str]| object(&json!({"approved": {"type": "boolean"}}), required);
    let of = |payload: &[&str], response: &[&str]| asking(&[("delete", path(payload), approval(response))]);
    let said = |old: &Manifest, new: &Manifest| lines(&diff(old, new, DiffOptions::default()).unwrap());
    let old = of(&["path"], &["approved"]);
    assert_eq!(said(&old, &old), [""; 0]);
    // A payload goes out: existing clients read it. A response comes in: existing clients write it.
    assert_eq!(
        said(&old, &of(&[], &["approved"])),
        [
            "breaking (wire) shop: OUT: the payload of `delete` $.path: may be missing, and the reader needs it"
        ]
    );
    assert_eq!(said(&of(&[], &["approved"]), &old), [""; 0]);
    assert_eq!(
        said(&of(&["path"], &[]), &old),
        [
            "breaking (wire) shop: IN: the response to `delete` $.approved: may be missing, and the reader needs it"
        ]
    );
    assert_eq!(said(&old, &of(&["path"], &[])), [""; 0]);
    let values = |values: &[&str]| asking(&[("choose", json!({"enum": values}), json!({"enum": values}))]);
    assert_eq!(
        said(&values(&["a"]), &values(&["a", "b"])),
        [
            "warning (wire) shop: OUT: the payload of `choose` $: `\"b\"` is sent, which the reader does not know"
        ]
    );
    assert_eq!(
        said(&values(&["a", "b"]), &values(&["a"])),
        [
            "breaking (wire) shop: IN: the response to `choose` $: `\"b\"` is sent, which the reader does not know"
        ]
    );
}

#[test]
fn a_question_that_comes_or_goes() {
    let text = json!({"type": "string"});
    let (none, one) = (asking(&[]), asking(&[("delete", text.clone(), text)]));
    let all = |old: &Manifest, new: &Manifest| {
        diff(old, new, DiffOptions { level: Level::Source, ..DiffOptions::default() }).unwrap()
    };
    let added = all(&none, &one);
    assert_eq!(
        lines(&added),
        [
            "warning (wire) shop: the interrupt `delete` is new: existing clients cannot answer it, only cancel it",
            "breaking (source) shop: the interrupt `delete` is new: it needs an answer",
        ]
    );
    assert_eq!(
        lines(&all(&one, &none)),
        [
            "warning (wire) shop: the interrupt `delete` no longer exists: answers to open interrupts are not read",
            "breaking (source) shop: the interrupt `delete` no longer exists",
        ]
    );
    let wire = diff(&none, &one, DiffOptions::default()).unwrap();
    assert!(!is_breaking(&wire) && is_breaking(&added));
}

/// The changes at both levels, without those of the generated types' names.
fn all(old: &Manifest, new: &Manifest) -> Vec<String> {
    let mut changes = diff(old, new, DiffOptions { level: Level::Source, ..DiffOptions::default() }).unwrap();
    changes.retain(|change| !change.place.starts_with("the type "));
    lines(&changes)
}

/// An activity goes out: existing clients read it.
#[test]
fn changes_of_an_activity() {
    let text = json!({"type": "string"});
    let showing = |contents: &[(&str, Value)]| {
        let mut manifest = state(&json!({"type": "object"}), &json!({}));
        let shown = contents
            .iter()
            .map(|(name, content)| json!({"type": name, "description": "", "content": content}));
        manifest.agents[0].activities = serde_json::from_value(shown.collect()).unwrap();
        manifest
    };
    let search = |required: &[&str]| showing(&[("SEARCH", object(&json!({"query": text}), required))]);
    let (none, optional, strict) = (showing(&[]), search(&[]), search(&["query"]));
    assert_eq!(all(&strict, &strict), [""; 0]);
    assert_eq!(all(&none, &strict), [""; 0], "clients skip activities that they do not know");
    let gone = ["breaking (source) shop: the activity `SEARCH` no longer exists"];
    assert_eq!(all(&strict, &none), gone);
    assert!(!is_breaking(&diff(&strict, &none, DiffOptions::default()).unwrap()));
    let missing =
        ["breaking (wire) shop: OUT: the activity `SEARCH` $.query: may be missing, and the reader needs it"];
    assert_eq!(all(&strict, &optional), missing);
    assert_eq!(all(&optional, &strict), [""; 0]);
    let renamed = showing(&[("FIND", object(&json!({"query": text}), &["query"]))]);
    assert_eq!(all(&strict, &renamed), gone);
    let phase = |phases: &[&str]| showing(&[("SEARCH", json!({"enum": phases}))]);
    let new_phase = [
        "warning (wire) shop: OUT: the activity `SEARCH` $: `\"b\"` is sent, which the reader does not know",
    ];
    assert_eq!(all(&phase(&["a"]), &phase(&["a", "b"])), new_phase);
    assert_eq!(all(&phase(&["a", "b"]), &phase(&["a"])), [""; 0]);
}

/// The result of a run goes out: existing clients read it.
#[test]
fn changes_of_the_result_of_a_run() {
    let returning = |result: Option<Value>| {
        let mut manifest = state(&json!({"type": "object"}), &json!({}));
        manifest.agents[0].output = result;
        manifest
    };
    let bill = |required: &[&str]| returning(Some(object(&json!({"cents": {"type": "integer"}}), required)));
    let (none, optional, strict) = (returning(None), bill(&[]), bill(&["cents"]));
    assert_eq!(all(&strict, &strict), [""; 0]);
    assert_eq!(all(&none, &strict), [""; 0], "clients do not read a result that they do not know");
    assert_eq!(
        all(&strict, &none),
        [
            "breaking (wire) shop: OUT: the result is no longer sent",
            "breaking (source) shop: the result no longer exists",
        ]
    );
    assert_eq!(
        all(&strict, &optional),
        ["breaking (wire) shop: OUT: the result $.cents: may be missing, and the reader needs it"]
    );
    assert_eq!(all(&optional, &strict), [""; 0]);
}

/// Forwarded props come in: existing clients write them, and may leave them out as a whole.
#[test]
fn changes_of_the_forwarded_props() {
    let reading = |props: Option<Value>| {
        let mut manifest = state(&json!({"type": "object"}), &json!({}));
        manifest.agents[0].forwarded = props;
        manifest
    };
    let locale = json!({"locale": {"type": "string"}});
    let page = |required: &[&str]| reading(Some(object(&locale, required)));
    let (none, optional, strict) = (reading(None), page(&[]), page(&["locale"]));
    assert_eq!(all(&strict, &strict), [""; 0]);
    assert_eq!(all(&none, &strict), [""; 0], "a run needs no forwarded props");
    assert_eq!(all(&strict, &none), ["breaking (source) shop: the forwarded props no longer exist"]);
    assert_eq!(
        all(&optional, &strict),
        ["breaking (wire) shop: IN: the forwarded props $.locale: may be missing, and the reader needs it"]
    );
    assert_eq!(all(&strict, &optional), [""; 0]);
    let number = reading(Some(object(&json!({"locale": {"type": "integer"}}), &["locale"])));
    assert_eq!(
        all(&strict, &number),
        [
            "breaking (wire) shop: IN: the forwarded props $.locale: a text is sent where a whole number is read"
        ]
    );
}

/// Names that do not travel, but occur in programs.
#[test]
fn names_in_the_source() {
    let source = DiffOptions { level: Level::Source, ..DiffOptions::default() };
    let types = |name: &str, member: &str, values: &[&str]| {
        let mut types = Map::new();
        types.insert("Mode".into(), json!({"type": "string", "enum": values}));
        let properties = json!({member: {"type": "string"}, "mode": {"$ref": "#/types/Mode"}});
        types.insert(name.into(), object(&properties, &[]));
        state(&json!({"$ref": format!("#/types/{name}")}), &Value::Object(types))
    };
    let old = types("Todo", "note", &["a", "b"]);
    let renamed = types("Task", "note", &["a", "b"]);
    assert_eq!(diff(&old, &renamed, DiffOptions::default()).unwrap(), []);
    assert_eq!(
        lines(&diff(&old, &renamed, source).unwrap()),
        ["breaking (source) shop: the type `Todo` is called `Task` now"]
    );
    let without = types("Todo", "text", &["a"]);
    let said: Vec<String> = lines(&diff(&old, &without, source).unwrap());
    assert!(
        said.contains(&"breaking (source) shop: the type `Todo` $.note: no longer exists".into()),
        "{said:#?}"
    );
    assert!(
        said.iter().any(|line| line.contains("the type `Mode` $: `\"b\"` no longer exists")),
        "{said:#?}"
    );
}

/// One shape of a case as the value of an event, and the JSON that serde writes of it.
struct Recorded {
    name: String,
    manifest: Manifest,
    written: Vec<Value>,
    validator: jsonschema::Validator,
}

fn recorded() -> Vec<Recorded> {
    let mut all = Vec::new();
    for case in cases::all() {
        for shape in &case.shapes {
            let mut manifest = case.manifest();
            let agent = &mut manifest.agents[0];
            "x".clone_into(&mut agent.name);
            agent.state = None;
            agent.tools.clear();
            agent.events.retain(|event| event.name == shape.name);
            "v".clone_into(&mut agent.events[0].name);
            let mut root = agent.events[0].value.clone();
            if let Value::Object(root) = &mut root {
                root.insert("types".into(), json!({"out": manifest.types.out}));
            }
            all.push(Recorded {
                name: format!("{}.{}", case.name, shape.name),
                validator: jsonschema::draft202012::new(&root).unwrap(),
                written: shape.written.clone(),
                manifest,
            });
        }
    }
    all
}

/// Compares every type of the cases with every other: the values that serde wrote survive each compatible change.
#[test]
fn compatible_changes_keep_every_recorded_value() {
    let all = recorded();
    let (mut compatible, mut values) = (0, 0);
    for new in &all {
        for old in &all {
            let changes = diff(&old.manifest, &new.manifest, DiffOptions::default()).unwrap();
            if old.name == new.name {
                assert_eq!(changes, [], "{}", old.name);
            } else if changes.is_empty() {
                compatible += 1;
                for value in &new.written {
                    let verdict = old.validator.validate(value).map_err(|error| error.to_string());
                    assert_eq!(verdict, Ok(()), "{} is no {}: {value}", new.name, old.name);
                    values += 1;
                }
            }
        }
    }
    assert!(compatible > 200 && values > 300, "{compatible} pairs, {values} values");
}

/// Random numbers from a fixed seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(limit).unwrap()).unwrap()
    }

    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A schema as schemars could have written it.
fn schema(dice: &mut Dice, depth: usize) -> Value {
    let kinds = if depth == 0 { 6 } else { 12 };
    match dice.below(kinds) {
        0 => json!({"type": "string"}),
        1 => {
            json!({"type": "integer", "minimum": -i64::try_from(dice.below(3)).unwrap(), "maximum": 3 + dice.below(3)})
        }
        2 => json!({"type": "boolean"}),
        3 => json!({"type": "number"}),
        4 => json!({"enum": NAMES[..=dice.below(4)]}),
        5 => json!({"type": ["string", "null"], "maxLength": 2 + dice.below(3)}),
        6 => json!({"type": "array", "items": schema(dice, depth - 1), "minItems": dice.below(2)}),
        7 => {
            let places: Vec<Value> = (0..=dice.below(2)).map(|_| schema(dice, depth - 1)).collect();
            json!({"type": "array", "minItems": places.len(), "maxItems": places.len(), "prefixItems": places})
        }
        8 => json!({"type": "object", "additionalProperties": schema(dice, depth - 1)}),
        9 => {
            let variants: Vec<Value> = NAMES[..=dice.below(3)]
                .iter()
                .map(|name| {
                    object(&json!({"kind": {"const": name}, "x": schema(dice, depth - 1)}), &["kind", "x"])
                })
                .collect();
            json!({"oneOf": variants})
        }
        10 => json!({"anyOf": [schema(dice, depth - 1), {"type": "null"}]}),
        _ => {
            let mut properties = Map::new();
            let mut required = Vec::new();
            for name in &NAMES[..=dice.below(3)] {
                properties.insert((*name).into(), schema(dice, depth - 1));
                if dice.below(2) == 0 {
                    required.push(*name);
                }
            }
            let mut object = object(&Value::Object(properties), &required);
            if dice.below(4) == 0 {
                object["additionalProperties"] = json!(false);
            }
            object
        }
    }
}

/// `schema` with one change at some place.
fn edited(schema_: &Value, dice: &mut Dice) -> Value {
    let mut changed = schema_.clone();
    let inner: Vec<&str> = ["items", "additionalProperties", "properties", "oneOf", "anyOf", "prefixItems"]
        .into_iter()
        .filter(|k| changed[*k].is_object() || changed[*k].is_array())
        .collect();
    if !inner.is_empty() && dice.below(3) > 0 {
        let keyword = *dice.one(&inner);
        let place = match (&changed[keyword], keyword) {
            (Value::Array(list), _) => Some(json!(dice.below(list.len()))),
            (Value::Object(map), "properties") => {
                map.keys().nth(dice.below(map.len().max(1))).map(|key| json!(key))
            }
            _ => None,
        };
        let target = match &place {
            Some(Value::String(name)) => &mut changed[keyword][name],
            Some(index) if index.is_u64() => {
                let index = usize::try_from(index.as_u64().unwrap()).unwrap();
                &mut changed[keyword][index]
            }
            _ => &mut changed[keyword],
        };
        *target = edited(target, dice);
        return changed;
    }
    match dice.below(8) {
        0 if changed["required"].is_array() => changed["required"] = json!([]),
        1 if changed["properties"].is_object() => changed["properties"]["new"] = schema(dice, 0),
        2 if changed["enum"].is_array() => changed["enum"] = json!(NAMES[..=dice.below(4)]),
        3 if changed["maximum"].is_number() => changed["maximum"] = json!(dice.below(9)),
        4 if changed["type"] == "integer" => changed["type"] = json!("number"),
        5 => changed = json!({"anyOf": [changed, {"type": "null"}]}),
        6 if changed["oneOf"].as_array().is_some_and(|list| list.len() > 1) => {
            drop(changed["oneOf"].as_array_mut().unwrap().pop());
        }
        7 => changed = schema(dice, 1),
        _ => {}
    }
    changed
}

/// A value of `schema`, without members that are not declared.
fn sample(schema: &Value, dice: &mut Dice) -> Option<Value> {
    if let Some(value) = schema.get("const") {
        return Some(value.clone());
    }
    if let Some(Value::Array(values)) = schema.get("enum") {
        return Some(dice.one(values).clone());
    }
    if let Some(Value::Array(variants)) = schema.get("oneOf").or(schema.get("anyOf")) {
        return variants.get(dice.below(variants.len().max(1))).and_then(|variant| sample(variant, dice));
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => dice.one(kinds).as_str()?,
        kind => kind.as_str()?,
    };
    Some(match kind {
        "null" => Value::Null,
        "boolean" => json!(dice.below(2) == 0),
        "string" => {
            json!("xyzuvw"[..=dice.below(usize::try_from(schema["maxLength"].as_u64().unwrap_or(6)).ok()?)])
        }
        "integer" => {
            let (min, max) =
                (schema["minimum"].as_i64().unwrap_or(-9), schema["maximum"].as_i64().unwrap_or(9));
            json!(min + i64::try_from(dice.below(usize::try_from((max - min).max(0)).ok()? + 1)).ok()?)
        }
        "number" => match schema["maximum"].as_f64() {
            Some(max) => json!(max - 0.5),
            None => json!(0.5),
        },
        "array" => match &schema["prefixItems"] {
            Value::Array(places) => {
                Value::Array(places.iter().map(|place| sample(place, dice)).collect::<Option<_>>()?)
            }
            _ => {
                let length = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).ok()? + dice.below(2);
                (0..length).map(|_| sample(&schema["items"], dice)).collect::<Option<_>>()?
            }
        },
        "object" => {
            let mut object = Map::new();
            for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
                let required = schema["required"].as_array()?.iter().any(|one| one == name);
                if required || dice.below(2) == 0 {
                    object.insert(name.clone(), sample(inner, dice)?);
                }
            }
            if schema["additionalProperties"].is_object() {
                object.insert((*dice.one(&NAMES)).into(), sample(&schema["additionalProperties"], dice)?);
            }
            Value::Object(object)
        }
        _ => return None,
    })
}

/// Random types and random changes of them, in both directions: every value survives a compatible change, and most
/// breaking changes do break a value.
#[test]
fn every_value_survives_what_is_called_compatible() {
    let (mut compatible, mut survived, mut broken, mut doubted) = (0, 0, 0, 0);
    for seed in 0..4_000 {
        let mut dice = Dice(seed);
        let old = schema(&mut dice, 3);
        let new = (0..=dice.below(2)).fold(old.clone(), |schema, _| edited(&schema, &mut dice));
        if old == new {
            continue;
        }
        let options = DiffOptions { closed: true, ..DiffOptions::default() };
        let changes = diff(&state(&old, &json!({})), &state(&new, &json!({})), options).unwrap();
        for (way, writer, reader) in [("OUT", &new, &old), ("IN", &old, &new)] {
            let said: Vec<String> =
                lines(&changes).into_iter().filter(|line| line.contains(&format!(" {way}: "))).collect();
            let validator = jsonschema::draft202012::new(reader).unwrap();
            let samples: Vec<Value> = (0..20).filter_map(|_| sample(writer, &mut dice)).collect();
            let refused = samples.iter().find(|value| !validator.is_valid(value));
            if said.is_empty() {
                assert!(refused.is_none(), "seed {seed}, {way}: {writer} to {reader}: {refused:?}");
                compatible += 1;
                survived += samples.len();
            } else if refused.is_some() {
                broken += 1;
            } else {
                doubted += 1;
            }
        }
    }
    assert!(compatible > 1_000 && survived > 20_000, "{compatible} compatible, {survived} values");
    assert!(
        broken > 5 * doubted,
        "{broken} rightly called breaking, {doubted} without a value that shows it"
    );
}

//! The changes of an agent: its tools, questions, activities, result, props, and names in the source.

use agui_codegen::{ContractLevel, DiffOptions, Manifest, ManifestChange, diff, is_breaking};
use serde_json::{Map, Value, json};

use super::{lines, manifest, object, state};

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
    let source = DiffOptions { level: ContractLevel::Source, ..DiffOptions::default() };
    let more: Vec<ManifestChange> = diff(&old, &new, source)
        .unwrap()
        .into_iter()
        .filter(|change| change.level == ContractLevel::Source)
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
        diff(old, new, DiffOptions { level: ContractLevel::Source, ..DiffOptions::default() }).unwrap()
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
    let mut changes =
        diff(old, new, DiffOptions { level: ContractLevel::Source, ..DiffOptions::default() }).unwrap();
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
    let source = DiffOptions { level: ContractLevel::Source, ..DiffOptions::default() };
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

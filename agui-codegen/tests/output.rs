//! The generated files of each case, compared with reviewed files.
//!
//! `AGUI_UPDATE=1 cargo test -p agui-codegen --test generator output` writes the files again; then read the diff.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agui_codegen::Manifest;
use agui_codegen::emit::LANGUAGES;
use agui_codegen::lower::lower;
use agui_runtime::manifest::{
    ActivitySource, AgentSource, EventSource, InterruptSource, ToolSource, TypeSource, definition_name,
    without_boolean_schemas,
};
use agui_runtime::protocol::ToolSide;
use serde_json::{Value, json};

use crate::cases;

/// Each case keeps its types; `kitchen`, `keeper` and `team`, which have interrupts, and `seller`, which has catalogs, keep all
/// files of an agent.
fn is_kept(case: &str, path: &str) -> bool {
    path.ends_with("/types.ts")
        || path.ends_with("/types.py")
        || (matches!(case, "keeper" | "kitchen" | "seller" | "team") && path.contains('/'))
}

fn folder(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case).join("expected")
}

#[test]
fn every_case_is_generated_as_before() {
    let update = std::env::var_os("AGUI_UPDATE").is_some();
    let mut stale = Vec::new();
    for case in cases::all() {
        let api = lower(&case.manifest()).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        for language in &LANGUAGES {
            for file in language.emit(&api) {
                if !is_kept(case.name, &file.path) {
                    continue;
                }
                let path = folder(case.name).join(&file.path);
                if update {
                    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                    std::fs::write(&path, &file.text).unwrap();
                } else if std::fs::read_to_string(&path).ok().as_deref() != Some(file.text.as_str()) {
                    stale.push(path);
                }
            }
        }
    }
    assert!(stale.is_empty(), "differ from what was generated before: {stale:#?}");
}

/// Older readers know no schemas that are booleans, and schemars writes one for a `serde_json::Value`. A manifest that has
/// them, from an older program, is read as one that has none.
#[test]
fn no_schema_is_a_boolean() {
    let lists_any = |value: &Value| {
        let mut objects = value.clone();
        without_boolean_schemas(&mut objects);
        objects != *value
    };
    for case in cases::all() {
        let manifest = case.manifest();
        let api = lower(&manifest).unwrap();
        for agent in &api.agents {
            let named = agent.out_schemas.values().chain(agent.in_schemas.values());
            for schema in named.chain(agent.slots().map(|slot| &slot.schema)) {
                assert!(!lists_any(schema), "{}: {schema}", case.name);
            }
        }
        for schema in manifest.types.out.values().chain(manifest.types.input.values()) {
            assert!(!lists_any(schema), "{}: {schema}", case.name);
        }
        let mut older = manifest.to_json();
        older = older.replace("\"value\": {}", "\"value\": true").replace("\"maybe\": {}", "\"maybe\": true");
        assert!(older != manifest.to_json() || case.name != "structs", "no member is any value");
        let older = lower(&Manifest::from_json(&older).unwrap()).unwrap();
        for language in &LANGUAGES {
            assert!(language.emit(&older) == language.emit(&api), "{} in {}", case.name, language.name);
        }
    }
}

/// The capabilities in the files equal those that the server returns.
#[test]
fn the_capabilities_are_those_that_are_served() {
    for case in cases::all() {
        let api = lower(&case.manifest()).unwrap();
        let files = LANGUAGES[2].emit(&api);
        let file = files.iter().find(|file| file.path.ends_with("/capabilities.json")).unwrap();
        let mut written: serde_json::Value = serde_json::from_str(&file.text).unwrap();
        written.as_object_mut().unwrap().remove("$comment");
        let mut served = serde_json::to_value(agui_runtime::capabilities(&case.agent)).unwrap();
        for tool in served["tools"]["items"].as_array_mut().unwrap() {
            let parameters = tool["parameters"].as_object_mut().unwrap();
            parameters.retain(|keyword, _| keyword != "$schema" && keyword != "title");
        }
        // An agent without such tools declares nothing.
        let of_page = served.pointer_mut("/custom/agui-rust~1frontendTools").and_then(Value::as_array_mut);
        for tool in of_page.into_iter().flatten() {
            for place in ["/parameters", "/metadata/agui-rust~1result"] {
                let schema = tool.pointer_mut(place).and_then(Value::as_object_mut);
                schema.into_iter().for_each(|schema| {
                    schema.retain(|keyword, _| keyword != "$schema" && keyword != "title");
                });
            }
        }
        let of_page = written.pointer_mut("/custom/agui-rust~1frontendTools").and_then(Value::as_array_mut);
        for tool in of_page.into_iter().flatten() {
            tool.pointer_mut("/metadata/agui-rust~1result").into_iter().for_each(refer_to_root);
        }
        assert_eq!(written, served, "{}", case.name);
    }
}

/// Removes the definition that is the root once more: a type that refers to itself is its own root where it is served.
fn refer_to_root(schema: &mut Value) {
    let mut root = schema.clone();
    root.as_object_mut().unwrap().retain(|keyword, _| keyword != "$defs");
    let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) else { return };
    let Some((name, _)) = definitions.iter().find(|(_, definition)| **definition == root) else { return };
    let reference = format!("\"#/$defs/{name}\"");
    let name = name.clone();
    definitions.retain(|other, _| *other != name);
    if definitions.is_empty() {
        schema.as_object_mut().unwrap().retain(|keyword, _| keyword != "$defs");
    }
    *schema = serde_json::from_str(&schema.to_string().replace(&reference, "\"#\"")).unwrap();
}

/// The JSON Schema documents of one agent, by path below its folder, each valid and marked.
fn documents(manifest: &Manifest) -> BTreeMap<String, jsonschema::Validator> {
    let api = lower(manifest).unwrap();
    let files = LANGUAGES[2].emit(&api).into_iter().map(|file| {
        let schema: Value = serde_json::from_str(&file.text).unwrap();
        assert!(file.text.lines().nth(1).unwrap().contains(agui_codegen::MARK), "{}", file.path);
        let (_, path) = file.path.split_once('/').unwrap();
        let schema = if path == "capabilities.json" { json!(true) } else { schema };
        (path.to_owned(), jsonschema::draft202012::new(&schema).unwrap())
    });
    files.collect()
}

/// An agent that has the type of an event at every place.
fn everywhere(value: TypeSource) -> AgentSource {
    AgentSource {
        state: Some(value),
        tools: vec![ToolSource {
            name: "take",
            description: "",
            side: ToolSide::Frontend,
            approval: false,
            annotations: agui_runtime::protocol::ToolAnnotations::NONE,
            arguments: value,
            result: Some(value),
        }],
        events: vec![EventSource { name: "value", description: "", value }],
        interrupts: vec![InterruptSource {
            reason: "ask",
            message: None,
            description: "",
            payload: value,
            response: value,
        }],
        activities: vec![ActivitySource { activity_type: "shown", description: "", content: value }],
        output: Some(value),
        forwarded: Some(value),
        ..AgentSource::new("everywhere")
    }
}

/// The documents accept the JSON that serde writes and reads, at each place where a value travels and for its type, and
/// nothing that serde refuses.
#[test]
fn the_schema_files_agree_with_serde() {
    let mut counts = BTreeMap::new();
    for case in cases::all() {
        for shape in &case.shapes {
            let value = case.agent.events.iter().find(|event| event.name == shape.name).unwrap().value;
            let manifest = Manifest::build("cases", "0.1.0", &[everywhere(value)]).unwrap();
            let documents = documents(&manifest);
            // If the directions do not differ, one document serves both.
            let find = |name: &str| documents.get(&format!("{name}.json"));
            let input = |name: &str| find(&format!("{name}.input")).or_else(|| find(name));
            let of = |schema: &Value| {
                let key = definition_name(schema["$ref"].as_str()?)?;
                Some(manifest.type_name(&key).to_owned())
            };
            let event = &serde_json::to_value(&manifest.agents[0].events[0].value).unwrap();
            let result = serde_json::to_value(&manifest.agents[0].tools[0]).unwrap();
            let written = [
                "events/value",
                "state",
                "tools/take.arguments",
                "interrupts/ask.payload",
                "activities/shown",
                "result",
            ]
            .map(|name| (name.to_owned(), find(name)));
            let read = ["tools/take.result", "state", "interrupts/ask.response", "forwarded_props"]
                .map(|name| (name.to_owned(), input(name)));
            let written_type =
                of(event).map(|name| format!("types/{name}")).map(|name| (name.clone(), find(&name)));
            let read_type = of(&result["result"]["in"])
                .map(|name| format!("types/{name}"))
                .map(|name| (name.clone(), input(&name)));
            for (way, documents, fit, refused) in [
                (
                    "written",
                    [&written[..], written_type.as_slice()].concat(),
                    shape.written.clone(),
                    if shape.read.is_empty() { shape.refused.clone() } else { vec![] },
                ),
                (
                    "read",
                    [&read[..], read_type.as_slice()].concat(),
                    [shape.read.clone(), shape.also_read()].concat(),
                    shape.refused.clone(),
                ),
            ] {
                for (name, document) in documents {
                    let validator = document.unwrap_or_else(|| panic!("{}: no {name}", shape.name));
                    let place = format!("{}.{}: {name}", case.name, shape.name);
                    for value in &fit {
                        assert!(validator.is_valid(value), "{place} refuses {value}, which is {way}");
                    }
                    for value in &refused {
                        assert!(!validator.is_valid(value), "{place} takes {value}");
                    }
                    let kind = name.split('/').next().unwrap().to_owned();
                    let count: &mut [usize; 2] = counts.entry((kind, way)).or_default();
                    *count = [count[0] + fit.len(), count[1] + refused.len()];
                }
            }
        }
    }
    let expected = [
        ("activities", "written"),
        ("events", "written"),
        ("forwarded_props", "read"),
        ("interrupts", "read"),
        ("interrupts", "written"),
        ("result", "written"),
        ("state", "read"),
        ("state", "written"),
        ("tools", "read"),
        ("tools", "written"),
        ("types", "read"),
        ("types", "written"),
    ];
    assert_eq!(counts.keys().map(|(kind, way)| (kind.as_str(), *way)).collect::<Vec<_>>(), expected);
    for ((kind, way), [fit, refused]) in counts {
        assert!(fit > 80 && refused > 80, "{kind}, {way}: {fit}, {refused}");
    }
}

#[test]
fn the_matrix_has_all_of_its_rows() {
    let matrix = cases::all().into_iter().find(|case| case.name == "matrix").unwrap();
    assert_eq!(matrix.shapes.len(), cases::matrix::ROWS);
    for shape in &matrix.shapes {
        assert!(!shape.written.is_empty() && !shape.refused.is_empty(), "{}", shape.name);
    }
}

/// The samples are right: serde reads the values that it should read, and refuses the others.
#[test]
fn the_samples_are_honest() {
    for case in cases::all() {
        for shape in &case.shapes {
            let name = format!("{}.{}", case.name, shape.name);
            for value in shape.read.iter().chain(&shape.also_read()) {
                let read = (shape.round_trip)(&value.to_string());
                assert!(read.is_ok(), "{name} does not read {value}: {read:?}");
            }
            for value in shape.also_read() {
                assert_eq!((shape.round_trip)(&value.to_string()).unwrap(), Some(value.clone()), "{name}");
            }
            for value in &shape.refused {
                let read = (shape.round_trip)(&value.to_string());
                assert!(read.is_err(), "{name} reads {value} as {read:?}");
            }
        }
    }
}

//! What is generated for each case, compared with what was generated and read before.
//!
//! `AGUI_UPDATE=1 cargo test -p agui-codegen --test output` writes the files anew; then read the diff.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod cases;

use std::path::{Path, PathBuf};

use agui_codegen::emit::LANGUAGES;
use agui_codegen::lower::lower;

/// Each case keeps its types; `kitchen`, and `keeper`, which asks, keep everything that is made for an agent.
fn is_kept(case: &str, path: &str) -> bool {
    path.ends_with("/types.ts")
        || path.ends_with("/types.py")
        || (matches!(case, "keeper" | "kitchen") && path.contains('/'))
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

/// What the files say of an agent is what its server says.
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
        assert_eq!(written, served, "{}", case.name);
    }
}

/// Each schema file is valid, complete in itself, and holds for what serde writes.
#[test]
fn the_schema_files_take_what_serde_writes() {
    let mut values = 0;
    for case in cases::all() {
        let api = lower(&case.manifest()).unwrap();
        for file in LANGUAGES[2].emit(&api) {
            let schema: serde_json::Value = serde_json::from_str(&file.text).unwrap();
            assert!(file.text.lines().nth(1).unwrap().contains(agui_codegen::MARK), "{}", file.path);
            let Some(event) =
                file.path.split_once("/events/").map(|(_, name)| name.trim_end_matches(".json"))
            else {
                continue;
            };
            let validator = jsonschema::draft202012::new(&schema).unwrap();
            for shape in case.shapes.iter().filter(|shape| shape.name == event) {
                for value in &shape.written {
                    assert!(validator.is_valid(value), "{}: {value}", file.path);
                    values += 1;
                }
            }
        }
    }
    assert!(values > 100, "{values} values");
}

#[test]
fn the_matrix_has_all_of_its_rows() {
    let matrix = cases::all().into_iter().find(|case| case.name == "matrix").unwrap();
    assert_eq!(matrix.shapes.len(), cases::matrix::ROWS);
    for shape in &matrix.shapes {
        assert!(!shape.written.is_empty() && !shape.refused.is_empty(), "{}", shape.name);
    }
}

/// The samples are what they say: serde reads what it is said to read, and refuses the rest.
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

//! What is generated for each case, compared with what was generated and read before.
//!
//! `AGUI_UPDATE=1 cargo test -p agui-codegen --test output` writes the files anew; then read the diff.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod cases;

use std::path::{Path, PathBuf};

use agui_codegen::emit::LANGUAGES;
use agui_codegen::lower::lower;

/// Each case keeps its types; `kitchen` keeps everything that is made for an agent.
fn is_kept(case: &str, path: &str) -> bool {
    path.ends_with("/types.ts") || path.ends_with("/types.py") || (case == "kitchen" && path.contains('/'))
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

//! `agui-codegen rust`: its output for a page's tools, and for tools that have no types. The test that the output
//! compiles and holds the page's values is in the tests of agents.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{folder, run};

const PAGE: &str = include_str!("zod-draft-2020-12.json");

fn rust(folder: &Path, more: &[&str]) -> super::Ended {
    run(folder, &[&["rust", "--tools", "tools.json"], more].concat())
}

/// One tool whose arguments have one schema.
fn write_tool(folder: &Path, parameters: &Value) {
    let tools = json!([{ "name": "it", "description": "It.", "parameters": parameters }]);
    fs::write(folder.join("tools.json"), tools.to_string()).unwrap();
}

#[test]
fn the_translated_test_tools_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (tools, file) in [("zod-draft-2020-12", "page"), ("odd", "odd")] {
        let tools = format!("agui-codegen/tests/frontend/{tools}.json");
        let file = format!("tests/tests/schemas/frontend_tools/{file}.rs");
        let ended = run(root, &["rust", "--tools", &tools, "-o", &file, "--check"]);
        ended.assert(0, &[&format!("{file} is up to date")]);
    }
}

#[test]
fn both_drafts_are_the_same_rust() {
    let folder = folder("rust-drafts");
    let mut files = Vec::new();
    for draft in [include_str!("zod-draft-7.json"), PAGE] {
        fs::write(folder.join("tools.json"), draft).unwrap();
        files.push(rust(&folder, &[]).said);
    }
    assert_eq!(files[0], files[1]);
    assert_eq!(rust(&folder, &[]).said, files[1], "the same bytes again");
}

#[test]
fn the_file_is_up_to_date_until_the_page_changes() {
    let folder = folder("rust-drift");
    fs::write(folder.join("tools.json"), PAGE).unwrap();
    let output = ["-o", "src/page.rs"];
    let check = ["-o", "src/page.rs", "--check"];
    rust(&folder, &check).assert(1, &["src/page.rs: is missing", "NOT up to date"]);
    assert!(!folder.join("src").exists(), "a check writes nothing");
    rust(&folder, &output).assert(0, &["wrote src/page.rs"]);
    rust(&folder, &output).assert(0, &["src/page.rs is up to date"]);
    let written = fs::read_to_string(folder.join("src/page.rs")).unwrap();
    let command = "agui-codegen rust --tools tools.json -o src/page.rs";
    assert!(written.contains(&format!("// Regenerate: {command}\n")), "{written}");

    // A formatter changes nothing that matters.
    fs::write(folder.join("src/page.rs"), written.replace("    ", "\t")).unwrap();
    rust(&folder, &check).assert(0, &["is up to date"]);

    fs::write(folder.join("tools.json"), PAGE.replace("\"zoom\"", "\"scale\"")).unwrap();
    let changed = rust(&folder, &check);
    changed.assert(1, &[&format!("run: {command}\n")]);
    changed.assert(1, &["-\tzoom: Option<i64>,\n", "+    scale: Option<i64>,\n"]);
}

#[test]
fn requests_that_cannot_be_done_are_refused() {
    let folder = folder("rust-refused");
    rust(&folder, &[]).assert(3, &["tools.json: "]);
    fs::write(folder.join("tools.json"), "[{\"name\": \"a\"}]").unwrap();
    rust(&folder, &[]).assert(3, &["tools.json: $[0]: missing field `description`"]);
    rust(&folder, &["--check"]).assert(2, &["--output"]);
    fs::write(folder.join("tools.json"), PAGE).unwrap();
    fs::write(folder.join("own.rs"), "//! My own.\n").unwrap();
    rust(&folder, &["-o", "own.rs"]).assert(2, &["own.rs was not generated", "stays as it is"]);
    assert_eq!(fs::read_to_string(folder.join("own.rs")).unwrap(), "//! My own.\n");
}

#[test]
fn a_schema_that_is_never_done_with_is_left_alone() {
    let folder = folder("rust-endless");
    // Each combination of the alternatives counts: 6^9.
    let any = |place: usize| {
        let alternatives = (0..6).map(
            |i| json!({ "type": "object", "properties": { format!("p{place}_{i}"): { "type": "string" } } }),
        );
        json!({ "anyOf": alternatives.collect::<Vec<_>>() })
    };
    let all: Vec<Value> = (0..9).map(any).collect();
    write_tool(&folder, &json!({ "type": "object", "properties": { "x": { "allOf": all } } }));
    let ended = rust(&folder, &["--timeout", "1"]);
    ended.assert(
        0,
        &["pub struct Params(pub ::serde_json::Map", "arguments: it_types::Params", "\"p8_5\": {"],
    );
    ended.assert(0, &["warning: tool `it`: takes any object, because its schema has no types: typify "]);
    let why = ["typify was not done after 1 s", "typify took more than 1024 MiB of memory"];
    assert!(why.iter().any(|why| ended.said.contains(why)), "{}", ended.said);
}

#[test]
fn a_panic_is_the_reason() {
    let folder = folder("rust-panic");
    write_tool(
        &folder,
        &json!({
            "type": "object",
            "properties": { "a": { "type": "string" } },
            "if": { "required": ["a"] },
            "then": { "required": ["b"] },
        }),
    );
    let said = "typify panics: not implemented: if/then/else schemas are not supported";
    rust(&folder, &["--strict-formats"]).assert(0, &[said, "pub struct Params("]);
    rust(&folder, &[]).assert(0, &["pub async fn it(\n", "    a: Option<String>,\n"]);
}

#[test]
fn a_tool_whose_types_would_lose_data_takes_any_object() {
    let folder = folder("rust-odd");
    fs::write(folder.join("tools.json"), include_str!("odd.json")).unwrap();
    let ended = rust(&folder, &[]);
    ended.assert(0, &["// Left out: the tool \"show map\", for model providers accept ASCII letters"]);
    let warnings: Vec<&str> =
        ended.said.lines().filter_map(|line| line.strip_prefix("warning: tool ")).collect();
    let expected = [
        ("never", "no sample value could be made of its schema"),
        (
            "flat3",
            "$.k0v0: {\"id\":1,\"k0v0\":\"text\",\"k1v0\":\"text\",\"k2v0\":\"text\"} would come out of the types as {\"id\":1}",
        ),
        ("struct_dup", "typify calls two parts of `StructDup` `foo_bar`"),
        ("bad_ref", "#/properties/x refers to \"#/$defs/Nope\", which is not among its definitions"),
        ("nope", "its schema is not valid"),
        ("show map", "is left out"),
        ("long_story", "its description is cut after 1024 characters"),
    ];
    assert_eq!(warnings.len(), expected.len(), "{warnings:#?}");
    for (warning, (tool, why)) in warnings.iter().zip(expected) {
        assert!(warning.contains(tool) && warning.contains(why), "{tool}: {warning}");
    }
}

#[test]
fn strict_formats_are_types() {
    let folder = folder("rust-strict");
    fs::write(folder.join("tools.json"), PAGE).unwrap();
    rust(&folder, &["--strict-formats"]).assert(
        0,
        &[
            "until: ::chrono::DateTime<::chrono::offset::Utc>",
            "// Needs the crates agui-runtime, schemars, serde, serde_json, chrono (schemars with chrono04), regress.\n",
        ],
    );
}

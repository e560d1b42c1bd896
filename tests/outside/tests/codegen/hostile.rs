//! Texts of a foreign manifest that would leave their comment or string, and run: the parser of each language finds no code of
//! theirs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_codegen::Manifest;
use agui_codegen::ir::{Options, PythonEnum, PythonStyle};
use agui_codegen::lower::lower;
use agui_tests::need;
use agui_tests::outside::{Node, Python, finish};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{folder, print};

/// Beginnings of texts that end a comment or a string of one of the languages.
const ENDS: &[&str] = &[
    "\n",
    "\r",
    "\r\n",
    "\u{b}",
    "\u{c}",
    "\u{0}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "*/",
    "\"\"\"",
    "'''",
    "\"",
    "'",
    "`",
    "${",
    "\\",
    "\\\"\"\"",
    "\"]\r",
    "\"\n",
    "\\u000a",
    "\\N{LINE FEED}",
    "\u{202e}",
    "</script>",
    "#",
    "//",
    "{",
    "}",
    "\u{1b}[2J",
    // The encoding of a Python file (PEP 263), and a line break in one of them.
    " coding: utf-7 ",
    "coding=x",
    "+AAo-",
    "\t",
    "x",
    " ",
];

/// The call that no tree may have, on a line of its own for both languages.
const RUN: &str = "RAN()";

fn hostile() -> impl Strategy<Value = String> {
    let end = proptest::sample::select(ENDS);
    (proptest::collection::vec(end.clone(), 1..4), proptest::collection::vec(end, 0..3))
        .prop_map(|(before, after)| format!("x{}{RUN}{}", before.concat(), after.concat()))
}

/// A manifest with such a text in each of its places.
fn manifest(texts: &[String]) -> Manifest {
    let mut next = texts.iter().cycle();
    let mut text = || next.next().unwrap().clone();
    let described = |schema: Value, text: String| {
        let mut schema = schema;
        schema["description"] = json!(text);
        schema
    };
    let values: Vec<Value> =
        [text(), "B".to_owned()].iter().map(|value| described(json!({ "const": value }), text())).collect();
    let mut properties = serde_json::Map::new();
    properties.insert(text(), described(json!({ "type": "integer", "default": 7 }), text()));
    properties.insert("said".to_owned(), described(json!({ "type": "string", "default": text() }), text()));
    properties.insert("fixed".to_owned(), described(json!({ "const": text() }), text()));
    properties.insert("pattern".to_owned(), described(json!({ "type": "string", "format": text() }), text()));
    let object = described(json!({ "type": "object", "properties": properties }), text());
    let manifest = json!({
        "agui_manifest": 1, "generator": text(), "crate": { "name": text(), "version": text() },
        "agents": [{
            "name": "chef", "description": text(), "version": text(), "rust": "chef",
            "tools": [{
                "name": text(), "side": "frontend", "description": text(),
                "params": { "out": described(json!({ "type": "object" }), text()), "in": { "type": "object" } },
                "result": { "in": { "$ref": "#/types/in/Plate" } },
            }],
            "events": [
                { "name": text(), "description": text(), "value": { "$ref": "#/types/out/Kind" } },
                { "name": "plate", "description": text(), "value": { "$ref": "#/types/out/Plate" } },
            ],
        }],
        "types": {
            "out": { "Kind": described(json!({ "oneOf": values }), text()), "Plate": object },
            "in": { "Plate": object },
        },
        "hash": { "wire": text(), "full": text() },
    });
    Manifest::from_json(&manifest.to_string()).unwrap()
}

/// Writes what is generated of a manifest, unless it is refused; returns the files.
fn write(manifest: &Manifest, language: &str, folder: &Path, choose: fn(&mut Options)) -> Vec<PathBuf> {
    let Ok(mut api) = lower(manifest) else { return Vec::new() };
    choose(&mut api.options);
    print(&api, language, folder)
}

/// Generates code of many manifests in each style, and returns the number of files of which the program says that they are whole.
fn parsed(language: &str, styles: &[fn(&mut Options)], program: impl Fn(&Path) -> Command) {
    let folder = folder(&format!("hostile-{language}"));
    let (mut written, mut refused, mut runner) = (0, 0, TestRunner::new(Config::default()));
    let texts = proptest::collection::vec(hostile(), 24);
    for number in 0..60 {
        let texts = texts.new_tree(&mut runner).unwrap().current();
        let manifest = manifest(&texts);
        for (style, choose) in styles.iter().enumerate() {
            let files = write(&manifest, language, &folder.join(format!("{number}-{style}")), *choose);
            refused += usize::from(files.is_empty());
            written += files.len();
        }
    }
    assert!(written > 300 && refused < 60, "{written} files, {refused} refused");
    let finished = finish(program(&folder), "", Duration::from_secs(120)).assert_success();
    let parsed: usize = finished.stdout.trim().parse().unwrap_or_else(|_| panic!("{finished}"));
    assert!(parsed > 300, "{parsed} files were parsed");
}

#[test]
fn python_reads_no_code_in_texts() {
    let python = need!(Python::ready());
    let styles: [fn(&mut Options); 3] = [
        |_| {},
        |options| options.python_style = PythonStyle::TypedDict,
        |options| options.python_enum = PythonEnum::StrEnum,
    ];
    parsed("python", &styles, |folder| {
        let script = folder.join("parse.py");
        fs::write(&script, PARSE_PYTHON).unwrap();
        let mut command = python.command(&script);
        command.arg(folder);
        command
    });
}

const PARSE_PYTHON: &str = r#"
import ast, pathlib, sys, warnings

warnings.simplefilter("error")
count = 0
for file in pathlib.Path(sys.argv[1]).rglob("*.py"):
    if file.name == "parse.py":
        continue
    source = file.read_bytes()
    tree = ast.parse(source, str(file))
    compile(tree, str(file), "exec")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "RAN":
            sys.exit(f"{file}: code of a text at line {node.lineno}")
    count += 1
print(count)
"#;

#[test]
fn typescript_reads_no_code_in_texts() {
    let node = need!(Node::ready());
    let styles: [fn(&mut Options); 2] = [|_| {}, |options| options.single_file = true];
    parsed("ts", &styles, |folder| {
        let script = folder.join("parse.cjs");
        let typescript = node.node_modules().join("typescript");
        fs::write(&script, PARSE_TYPESCRIPT.replace("TYPESCRIPT", &typescript.display().to_string()))
            .unwrap();
        let mut command = node.command(&script);
        command.arg(folder);
        command
    });
}

const PARSE_TYPESCRIPT: &str = r#"
const ts = require("TYPESCRIPT");
const fs = require("node:fs");
const path = require("node:path");

let count = 0;
for (const name of fs.readdirSync(process.argv[2], { recursive: true })) {
  if (!name.endsWith(".ts")) continue;
  const file = path.join(process.argv[2], name);
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  if (source.parseDiagnostics.length > 0) {
    const [first] = source.parseDiagnostics;
    throw new Error(`${file}: ${JSON.stringify(first.messageText)} at ${first.start}`);
  }
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.text === "RAN") throw new Error(`${file}: code of a text at ${node.pos}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  count += 1;
}
console.log(count);
"#;

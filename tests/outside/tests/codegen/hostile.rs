//! Texts of a foreign manifest that would leave their comment or string, and run: the parser of each language finds the tree that it
//! finds of harmless texts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_codegen::Manifest;
use agui_codegen::ir::{OutputOptions, PythonEnum, PythonStyle};
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

/// A call, which would be a statement on a line of its own in both languages.
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

/// Harmless texts in the places of `texts`: equal where those are equal, and with spaces, so that no name is made of them alone.
fn harmless(texts: &[String]) -> Vec<String> {
    let place = |text| texts.iter().position(|other| other == text).unwrap();
    texts.iter().map(|text| format!("x harmless {}", place(text))).collect()
}

/// Writes what is generated of a manifest, unless it is refused; returns the files.
fn write(manifest: &Manifest, language: &str, folder: &Path, choose: fn(&mut OutputOptions)) -> Vec<PathBuf> {
    let Ok(mut api) = lower(manifest) else { return Vec::new() };
    choose(&mut api.options);
    print(&api, language, folder)
}

/// Generates code of many manifests in each style, beside the code of the same manifests with harmless texts; the program says of
/// how many files the trees are equal.
fn same_trees(language: &str, styles: &[fn(&mut OutputOptions)], program: impl Fn(&Path) -> Command) {
    let folder = folder(&format!("hostile-{language}"));
    let (mut written, mut refused, mut runner) = (0, 0, TestRunner::new(Config::default()));
    let texts = proptest::collection::vec(hostile(), 24);
    for number in 0..60 {
        let texts = texts.new_tree(&mut runner).unwrap().current();
        let (hostile, harmless) = (manifest(&texts), manifest(&harmless(&texts)));
        for (style, choose) in styles.iter().enumerate() {
            let place = format!("{number}-{style}");
            let files = write(&hostile, language, &folder.join("hostile").join(&place), *choose);
            let twins = write(&harmless, language, &folder.join("harmless").join(&place), *choose);
            assert!(files.is_empty() || files.len() == twins.len(), "{files:?} {twins:?}");
            refused += usize::from(files.is_empty());
            written += files.len();
        }
    }
    assert!(written > 300 && refused < 60, "{written} files, {refused} refused");
    let finished = finish(program(&folder), "", Duration::from_secs(240)).assert_success();
    let compared: usize = finished.stdout.trim().parse().unwrap_or_else(|_| panic!("{finished}"));
    assert!(compared > 300, "{compared} files were compared");
}

#[test]
fn python_finds_the_trees_of_harmless_texts() {
    let python = need!(Python::ready());
    let styles: [fn(&mut OutputOptions); 3] = [
        |_| {},
        |options| options.python_style = PythonStyle::TypedDict,
        |options| options.python_enum = PythonEnum::StrEnum,
    ];
    same_trees("python", &styles, |folder| {
        let script = folder.join("compare.py");
        fs::write(&script, COMPARE_PYTHON).unwrap();
        let mut command = python.command(&script);
        command.arg(folder);
        command
    });
}

const COMPARE_PYTHON: &str = r#"
import ast, pathlib, sys, warnings

warnings.simplefilter("error")


def shape(node):
    """The kinds of the nodes, without names and the contents of strings."""
    if isinstance(node, ast.AST):
        return [type(node).__name__, *(shape(value) for _, value in ast.iter_fields(node))]
    if isinstance(node, list):
        return [shape(item) for item in node]
    return "" if isinstance(node, str) else repr(node)


def tree(file):
    parsed = ast.parse(file.read_bytes(), str(file))
    compile(parsed, str(file), "exec")
    return [shape(statement) for statement in parsed.body]


folder = pathlib.Path(sys.argv[1])
count = 0
for file in (folder / "hostile").rglob("*.py"):
    twin = folder / "harmless" / file.relative_to(folder / "hostile")
    found, expected = tree(file), tree(twin)
    if found != expected:
        at = next((at for at, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]), min(len(found), len(expected)))
        sys.exit(f"{file}: statement {at} is {found[at:at + 1]}, and of harmless texts {expected[at:at + 1]}")
    count += 1
print(count)
"#;

#[test]
fn typescript_finds_the_trees_of_harmless_texts() {
    let node = need!(Node::ready());
    let styles: [fn(&mut OutputOptions); 2] = [|_| {}, |options| options.single_file = true];
    same_trees("ts", &styles, |folder| {
        let script = folder.join("compare.cjs");
        let typescript = node.node_modules().join("typescript");
        fs::write(&script, COMPARE_TYPESCRIPT.replace("TYPESCRIPT", &typescript.display().to_string()))
            .unwrap();
        let mut command = node.command(&script);
        command.arg(folder);
        command
    });
}

const COMPARE_TYPESCRIPT: &str = r#"
const ts = require("TYPESCRIPT");
const fs = require("node:fs");
const path = require("node:path");

// The kinds of the nodes, without names and the contents of strings.
const shape = (node) => {
  const inner = [];
  ts.forEachChild(node, (child) => { inner.push(shape(child)); });
  return `${ts.SyntaxKind[node.kind]}(${inner.join()})`;
};
const tree = (file) => {
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  if (source.parseDiagnostics.length > 0) {
    const [first] = source.parseDiagnostics;
    throw new Error(`${file}: ${JSON.stringify(first.messageText)} at ${first.start}`);
  }
  return source.statements.map(shape);
};

const folder = process.argv[2];
let count = 0;
for (const name of fs.readdirSync(path.join(folder, "hostile"), { recursive: true })) {
  if (!name.endsWith(".ts")) continue;
  const found = tree(path.join(folder, "hostile", name));
  const expected = tree(path.join(folder, "harmless", name));
  for (let at = 0; at < Math.max(found.length, expected.length); at += 1) {
    if (found[at] !== expected[at]) {
      throw new Error(`${name}: statement ${at} is ${found[at]}, and of harmless texts ${expected[at]}`);
    }
  }
  count += 1;
}
console.log(count);
"#;

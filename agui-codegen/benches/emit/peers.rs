//! The same types by the tools that people use today, where they are on the `PATH`.
//!
//! typeshare reads Rust, so it gets the same types as Rust; the others read JSON Schema. The processor time is that of
//! the whole command, because that is the time a user waits.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use serde_json::{Map, Value, json};

/// A tool, how to get it, and its arguments for the folder the types are in.
struct Peer {
    name: &'static str,
    install: &'static str,
    arguments: &'static [&'static str],
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "typeshare",
        install: "cargo install typeshare-cli",
        arguments: &["--lang", "typescript", "--output-file", "typeshare.ts", "src"],
    },
    Peer {
        name: "json2ts",
        install: "npm install --global json-schema-to-typescript",
        arguments: &["--unreachableDefinitions", "-i", "types.json", "-o", "json2ts.ts"],
    },
    Peer {
        name: "datamodel-codegen",
        install: "pip install datamodel-code-generator",
        arguments: &[
            "--input",
            "types.json",
            "--input-file-type",
            "jsonschema",
            "--output-model-type",
            "pydantic_v2.BaseModel",
            "--output",
            "datamodel.py",
        ],
    },
];

/// Prints the time of each peer for `types`, and its ratio to `ours`.
pub fn measure(types: &Map<String, Value>, ours: Duration) {
    let folder = env::temp_dir().join(format!("agui-codegen-emit-{}", std::process::id()));
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("types.json"), schema(types)).unwrap();
    fs::write(folder.join("src/lib.rs"), rust(types)).unwrap();
    for Peer { name, install, arguments } in PEERS {
        let before = children();
        match Command::new(name).args(arguments).current_dir(&folder).stdout(Stdio::null()).output() {
            Ok(output) if output.status.success() => {
                let time = children() - before;
                let times = time.as_secs_f64() / ours.as_secs_f64();
                println!(
                    "{} types: {name} in {time:.1?}, {times:.1} times what all of ours take",
                    types.len()
                );
            }
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                println!("{name} failed: {}", said.lines().last().unwrap_or_default());
            }
            Err(_) => println!("{name} is not there: {install}"),
        }
    }
    let _ = fs::remove_dir_all(folder);
}

/// The types as one document.
fn schema(types: &Map<String, Value>) -> String {
    let document = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "All",
        "type": "object",
        "definitions": types,
    });
    document.to_string().replace("#/types/out/", "#/definitions/")
}

/// The types as handwritten Rust.
fn rust(types: &Map<String, Value>) -> String {
    let mut text = String::new();
    let name = |schema: &Value, place: &str| -> String {
        let reference = schema.pointer(place).and_then(Value::as_str);
        reference.and_then(|reference| reference.rsplit('/').next()).unwrap().to_owned()
    };
    for (own, schema) in types {
        text.push_str("#[typeshare::typeshare]\n");
        if schema.get("enum").is_some() {
            writeln!(text, "#[serde(rename_all = \"lowercase\")]\npub enum {own} {{ Open, Done, Late }}")
                .unwrap();
        } else if schema.get("oneOf").is_some() {
            let inner = name(schema, "/oneOf/0/properties/x/$ref");
            writeln!(text, "#[serde(tag = \"kind\", content = \"x\")]\npub enum {own} {{ A({inner}), B }}")
                .unwrap();
        } else {
            let others = name(schema, "/properties/others/items/$ref");
            let by_name = name(schema, "/properties/by_name/additionalProperties/$ref");
            writeln!(
                text,
                "/// One of many.\npub struct {own} {{\n pub id: u32,\n pub name: Option<String>,\n \
                 pub others: Vec<{others}>,\n pub by_name: HashMap<String, {by_name}>,\n pub pair: Vec<String>,\n \
                 pub parent: Option<bool>,\n}}"
            )
            .unwrap();
        }
    }
    text
}

/// The processor time of all child programs that have ended.
fn children() -> Duration {
    let ticks = |told: String| -> Option<u64> {
        // The name of the program, in parentheses, may hold spaces.
        let mut fields = told.rsplit_once(')')?.1.split_whitespace().skip(13);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    let told = fs::read_to_string(Path::new("/proc/self/stat")).ok().and_then(ticks);
    // In hundredths of a second, on every Linux.
    Duration::from_millis(told.unwrap_or(0) * 10)
}

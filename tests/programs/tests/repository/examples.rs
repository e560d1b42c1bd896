//! Every public type, trait, function and constructor of the runtime and of the code generator has an example that compiles, or links
//! an item of its crate whose docs may have one.

use std::collections::BTreeSet;

use crate::sources;
use crate::surface::exported;

/// Files whose names only the expansions of macros use, or the packages beside the core.
const FOR_PACKAGES: [&str; 20] = [
    "core/src/__leaf.rs",
    "core/src/__private.rs",
    "core/src/agent/runs/lone_call.rs",
    "core/src/agent/tool/arguments/predict.rs",
    "core/src/agent/tool/no_tool.rs",
    "core/src/agent/tool/result/outcome.rs",
    "core/src/date.rs",
    "core/src/emit/request_values.rs",
    "core/src/hex.rs",
    "core/src/jitter.rs",
    "core/src/kernel/tokio_timer.rs",
    "core/src/manifest/plain_object.rs",
    "core/src/model/quotation.rs",
    "core/src/protocol/forms/members.rs",
    "core/src/provider/model_source.rs",
    "core/src/quoted.rs",
    "core/src/state/engine/",
    "core/src/thread/digest.rs",
    "core/src/thread/reconnect.rs",
    "core/src/thread/wakes.rs",
];

/// The item that a line declares at the edge of a file: its name.
fn declared(line: &str) -> Option<&str> {
    let item = line.strip_prefix("pub ")?;
    let item = ["const fn ", "async fn ", "fn ", "struct ", "enum ", "trait "]
        .iter()
        .find_map(|kind| item.strip_prefix(kind))?;
    item.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// The items of a file, each with its line, its name and its docs. A constructor has the name of its type.
fn items(text: &str) -> Vec<(usize, String, String)> {
    let program = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut found, mut docs, mut implementor) = (Vec::new(), String::new(), None);
    let mut in_attribute = false;
    for (number, line) in program.lines().enumerate() {
        let trimmed = line.trim_start();
        if let Some(doc) = trimmed.strip_prefix("///").or_else(|| trimmed.strip_prefix("#[doc = ")) {
            docs.push_str(doc);
            docs.push('\n');
            continue;
        }
        if trimmed.starts_with("// ") {
            continue;
        }
        if in_attribute || trimmed.starts_with("#[") {
            docs.push_str(if trimmed.contains("doc(hidden)") { HIDDEN } else { "" });
            in_attribute = !trimmed.ends_with(']');
            continue;
        }
        if let Some(rest) = line.strip_prefix("impl") {
            let named = rest.split(" for ").next().unwrap().split(['{', ' ']).rfind(|word| !word.is_empty());
            let name = named.and_then(|name| name.split('<').next()).map(str::to_owned);
            implementor = name.filter(|_| !rest.contains(" for "));
        } else if let Some(name) = declared(line) {
            found.push((number + 1, name.to_owned(), docs.clone()));
        } else if line.starts_with("    pub fn new(") || line.starts_with("    pub const fn new(") {
            found.extend(implementor.clone().map(|name| (number + 1, name, docs.clone())));
        }
        docs.clear();
    }
    found
}

/// In the place of the docs of an item that readers do not see.
const HIDDEN: &str = "hidden";

/// True if the docs have a block of code that compiles, or link another item.
fn is_shown(docs: &str) -> bool {
    let mut fences =
        docs.split("```").skip(1).step_by(2).map(|block| block.lines().next().unwrap_or("").trim());
    fences.any(|info| matches!(info, "" | "rust" | "no_run" | "should_panic"))
        || docs.contains("[`")
        || docs.ends_with(HIDDEN)
        || docs.contains("](")
}

#[test]
fn public_items_have_examples() {
    let mut missing = Vec::new();
    for (krate, least) in [("agui-codegen", 20), ("agui-runtime", 400)] {
        let sources = sources(krate);
        let is_for_users = |file: &str| !FOR_PACKAGES.iter().any(|inner| file.starts_with(inner));
        let names =
            sources.iter().filter(|(file, _)| is_for_users(file)).flat_map(|(_, text)| exported(text));
        let names: BTreeSet<_> = names.collect();
        let mut count = 0;
        for (file, text) in sources.iter().filter(|(file, _)| is_for_users(file)) {
            for (line, name, docs) in items(text).into_iter().filter(|(_, name, _)| names.contains(name)) {
                count += 1;
                if !is_shown(&docs) {
                    missing.push(format!("{krate}/{file}:{line} {name}"));
                }
            }
        }
        assert!(count > least, "only {count} items in {krate}: are they somewhere else?");
    }
    assert_eq!(missing, [""; 0], "these items have no example");
}

#[test]
fn an_item_without_example_is_seen() {
    let source = "/// A.\n/// ```\n/// a();\n/// ```\n#[must_use]\npub struct A;\n\nimpl<T> B<T> {\n    /// Makes one.\n    pub fn new() {}\n}\n\n\
        /// D, as in [`A`].\npub async fn d() {}\n";
    let shown: Vec<_> = items(source).into_iter().map(|(_, name, docs)| (name, is_shown(&docs))).collect();
    assert_eq!(shown, [("A", true), ("B", false), ("d", true)].map(|(name, is)| (name.to_owned(), is)));
}

//! Several modules joined into one: the statements follow each other. Imports between the modules disappear,
//! and each other import stands once.

use std::collections::{BTreeMap, BTreeSet};

/// Global names that the modules use: a type with such a name would shadow the global name.
const GLOBALS: [&str; 36] = [
    "AbortController",
    "Array",
    "Awaited",
    "Date",
    "Error",
    "EventTarget",
    "Exclude",
    "Generator",
    "Headers",
    "JSON",
    "Map",
    "Math",
    "NonNullable",
    "Number",
    "Object",
    "Omit",
    "Parameters",
    "Partial",
    "Pick",
    "Promise",
    "ReadableStream",
    "ReadableStreamDefaultController",
    "ReadableStreamDefaultReader",
    "Readonly",
    "Record",
    "RegExp",
    "RequestInit",
    "Response",
    "ReturnType",
    "Set",
    "String",
    "TextDecoder",
    "TextEncoder",
    "URL",
    "Uint8Array",
    "WeakMap",
];

/// Maps an import path to the path after joining; `None` if the imported module is inside the joined module.
type ModuleMove = fn(&str) -> Option<&str>;

/// Names imported from one module.
#[derive(Default)]
struct ModuleImports {
    /// Imported names; true if the import is type-only.
    names: BTreeMap<String, bool>,
    /// Namespace imports, which are all type-only.
    whole: BTreeSet<String>,
}

/// Joins `parts` into one module.
pub(super) fn joined(parts: &[&str], moved: ModuleMove) -> String {
    let mut imports: BTreeMap<String, ModuleImports> = BTreeMap::new();
    let mut bodies = Vec::new();
    for part in parts {
        let mut rest = part.trim_start();
        while let Some((statement, after)) = import(rest) {
            rest = after.trim_start();
            if let Some((what, module)) = statement.rsplit_once(" from ")
                && let Some(module) = moved(module.trim_matches(['"', ';']))
            {
                imports.entry(module.to_owned()).or_default().add(what);
            }
        }
        // A re-export is redundant: the part that declares the type already exports the type.
        let body: Vec<&str> = rest.lines().filter(|line| !line.starts_with("export type { ")).collect();
        bodies.push(body.join("\n").trim().to_owned());
    }
    bodies.retain(|body| !body.is_empty() && body != "export {};");
    let imports: String = imports.iter().map(|(module, imports)| imports.statements(module)).collect();
    let gap = if imports.is_empty() { "" } else { "\n" };
    format!("{imports}{gap}{}\n", bodies.join("\n\n"))
}

/// Returns the names that types avoid in a module joined from `parts`.
pub(super) fn taken(parts: &[&str]) -> BTreeSet<String> {
    let mut taken: BTreeSet<String> = GLOBALS.into_iter().map(str::to_owned).collect();
    for line in parts.iter().flat_map(|part| part.lines()) {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let line = line.strip_prefix("async ").unwrap_or(line);
        for keyword in ["type ", "class ", "function ", "const ", "let "] {
            if let Some(rest) = line.strip_prefix(keyword) {
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                taken.insert(rest.chars().take_while(|c| is_part(*c)).collect());
            }
        }
    }
    for part in parts {
        let mut rest = part.trim_start();
        while let Some((statement, after)) = import(rest) {
            rest = after.trim_start();
            let mut imports = ModuleImports::default();
            imports.add(statement.rsplit_once(" from ").map_or("", |(what, _)| what));
            taken.extend(imports.names.into_keys());
        }
    }
    taken
}

/// Splits `text` into the leading import and the rest.
fn import(text: &str) -> Option<(&str, &str)> {
    let end = text.starts_with("import ").then(|| text.find(';')).flatten()?;
    text.split_at_checked(end + 1)
}

impl ModuleImports {
    /// Adds the names between `import` and `from`.
    fn add(&mut self, what: &str) {
        let what = what.trim_start_matches("import ");
        let (all_types, what) = what.strip_prefix("type ").map_or((false, what), |what| (true, what));
        if let Some(name) = what.trim().strip_prefix("* as ") {
            self.whole.insert(name.to_owned());
            return;
        }
        let names = what.trim().trim_matches(['{', '}']).split(',').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            let (is_type, name) = name.strip_prefix("type ").map_or((all_types, name), |name| (true, name));
            let only_type = self.names.entry(name.to_owned()).or_insert(true);
            *only_type &= is_type;
        }
    }

    fn statements(&self, module: &str) -> String {
        let whole: String =
            self.whole.iter().map(|name| format!("import type * as {name} from \"{module}\";\n")).collect();
        if self.names.is_empty() {
            return whole;
        }
        let all_types = self.names.values().all(|is_type| *is_type);
        let names = self.names.iter().map(|(name, is_type)| match is_type {
            true if !all_types => format!("type {name}"),
            _ => name.clone(),
        });
        let names: Vec<String> = names.collect();
        let keyword = if all_types { "import type" } else { "import" };
        let line = format!("{keyword} {{ {} }} from \"{module}\";\n", names.join(", "));
        let line = if line.len() <= 89 {
            line
        } else {
            format!("{keyword} {{\n  {},\n}} from \"{module}\";\n", names.join(",\n  "))
        };
        line + &whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_modules_become_one() {
        let first = "import { A, type B } from \"out\";\n\nexport const x = A;\n";
        let second = "import type { B, C } from \"out\";\nimport {\n  x,\n} from \"./first.js\";\nimport type * as all from \"./far.js\";\nexport type { B } from \"./first.js\";\n\n/** Text; with a semicolon. */\nexport const y = x;\n";
        let moved: ModuleMove = |module| match module {
            "./first.js" => None,
            "./far.js" => Some("./near.js"),
            other => Some(other),
        };
        assert_eq!(
            joined(&[first, second, "export {};\n"], moved),
            "import type * as all from \"./near.js\";\nimport { A, type B, type C } from \"out\";\n\nexport const x = A;\n\n\
             /** Text; with a semicolon. */\nexport const y = x;\n"
        );
        let taken = taken(&[first, second]);
        assert!(["A", "B", "C", "x", "y", "Promise"].iter().all(|name| taken.contains(*name)), "{taken:?}");
    }
}

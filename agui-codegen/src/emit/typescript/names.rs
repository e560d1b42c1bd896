//! TypeScript names for an agent's types.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::emit::literal::json_text;
use crate::ir::AgentDecl;
use crate::names::screaming;

/// Names that `types.ts` uses itself, or that TypeScript reserves for built-in types.
const RESERVED: [&str; 39] = [
    "Record",
    "abstract",
    "accessor",
    "any",
    "arguments",
    "as",
    "asserts",
    "async",
    "await",
    "bigint",
    "boolean",
    "const",
    "declare",
    "enum",
    "eval",
    "export",
    "import",
    "infer",
    "interface",
    "intrinsic",
    "is",
    "keyof",
    "let",
    "never",
    "null",
    "number",
    "object",
    "package",
    "private",
    "protected",
    "public",
    "readonly",
    "string",
    "symbol",
    "type",
    "undefined",
    "unique",
    "unknown",
    "void",
];

/// Reserved words, which cannot name a type.
const KEYWORDS: [&str; 33] = [
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "in",
    "instanceof",
    "new",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "while",
    "with",
    "yield",
    "static",
    "implements",
];

/// Returns true for a name that TypeScript reserves.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name) || KEYWORDS.contains(&name)
}

/// A TypeScript name for every type. A Rust name that TypeScript cannot use gets a `_`.
pub(super) struct TypeNames {
    types: BTreeMap<String, String>,
    values: BTreeMap<String, String>,
    brands: BTreeSet<String>,
    /// The prefix that type names have outside `types.ts`.
    pub(super) prefix: &'static str,
}

impl TypeNames {
    /// Names all types in `agent`. A type in `brands` differs from other types by its name alone. No type
    /// gets a name in `avoided`.
    pub(super) fn new(agent: &AgentDecl, brands: &BTreeSet<String>, avoided: &BTreeSet<String>) -> Self {
        let (mut types, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for name in agent.types.keys() {
            let mut free = name.clone();
            while is_reserved(&free)
                || taken.contains(&free)
                || avoided.contains(&free)
                || (free != *name && agent.types.contains_key(&free))
            {
                free.push('_');
            }
            taken.insert(free.clone());
            types.insert(name.clone(), free);
        }
        let mut values = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for name in types.values() {
            let mut free = format!("{}_VALUES", screaming(name));
            while !taken.insert(free.clone()) {
                free.push('_');
            }
            values.insert(name.clone(), free);
        }
        Self { types, values, brands: brands.clone(), prefix: "types." }
    }

    /// Returns true if the type's name alone distinguishes the type from similar types.
    pub(super) fn is_brand(&self, name: &str) -> bool {
        self.brands.contains(name)
    }

    /// Returns a type's TypeScript name.
    pub(super) fn ty<'n>(&'n self, name: &'n str) -> &'n str {
        self.types.get(name).map_or(name, String::as_str)
    }

    /// Returns the name for an enum's list of values, given the enum's TypeScript name.
    pub(super) fn values(&self, ty: &str) -> String {
        self.values.get(ty).cloned().unwrap_or_else(|| format!("{}_VALUES", screaming(ty)))
    }
}

/// Prints a member name, quoted if necessary.
pub(super) fn member(name: &str) -> Cow<'_, str> {
    let mut chars = name.chars();
    let plain = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    // A quoted `__proto__` key in an object literal sets the prototype; a computed key adds a member.
    if plain { name.into() } else { text(name).into() }
}

/// Prints a string literal.
pub(super) fn text(value: &str) -> String {
    // JSON strings are TypeScript literals. The two line separators are escaped for old tools.
    let json = json_text(value);
    if !json.contains(['\u{2028}', '\u{2029}']) {
        return json;
    }
    json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

//! Names in Python code.

use std::collections::BTreeSet;
use std::rc::Rc;

use unicode_ident::is_xid_start;

use crate::emit::literal::json_text;
use crate::ir::AgentDecl;
use crate::names::{compatible, identifier, pascal, snake, upper_camel};

pub(super) const KEYWORDS: [&str; 40] = [
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "case",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "match",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "type",
    "while",
    "with",
    "yield",
    "_",
    "__debug__",
];

/// Names that annotations in `types.py` use.
pub(super) const USED: [&str; 38] = [
    "Annotated",
    "Any",
    "ConfigDict",
    "Field",
    "Int128",
    "Int16",
    "Int32",
    "Int64",
    "Int8",
    "Literal",
    "Matching",
    "Maybe",
    "Model",
    "MultipleOf",
    "Nothing",
    "TYPE_CHECKING",
    "Truth",
    "TypeAlias",
    "TypeAliasType",
    "UInt128",
    "UInt16",
    "UInt32",
    "UInt64",
    "UInt8",
    "Whole",
    "bool",
    "bytes",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "object",
    "set",
    "str",
    "tuple",
    "annotations",
    "id",
];

/// Attributes that every pydantic model inherits from its base class or metaclass. Pydantic would read an
/// inherited attribute as a field's default.
const TAKEN_BY_PYDANTIC: [&str; 15] = [
    "construct",
    "copy",
    "dict",
    "from_orm",
    "json",
    "mro",
    "parse_file",
    "parse_obj",
    "parse_raw",
    "register",
    "schema",
    "schema_json",
    "update_forward_refs",
    "validate",
    "self",
];

/// A scope that gives each name once. Names are compared in the normalized form that Python compares; a taken
/// name gets a `_`.
#[derive(Debug, Default)]
pub(super) struct NameScope {
    /// Names that are taken in every scope of the same kind.
    around: Rc<BTreeSet<String>>,
    taken: BTreeSet<String>,
}

impl NameScope {
    /// Takes and returns a free name: `wanted`, followed by as many `_` as needed.
    pub(super) fn give(&mut self, wanted: &str) -> String {
        let mut name = compatible(wanted);
        while KEYWORDS.contains(&name.as_str())
            || self.around.contains(&name)
            || !self.taken.insert(name.clone())
        {
            name.push('_');
        }
        name
    }

    /// Returns true if `name` is taken.
    fn has(&self, name: &str) -> bool {
        self.taken.contains(&compatible(name))
    }

    /// Returns a scope for the names in a types module.
    pub(super) fn for_types() -> Self {
        Self { taken: USED.into_iter().map(str::to_owned).collect(), ..Self::default() }
    }

    /// Returns a scope for a class's attributes, in a module where attributes avoid `names`.
    pub(super) fn for_attributes(names: &Rc<BTreeSet<String>>) -> Self {
        Self { around: Rc::clone(names), taken: BTreeSet::new() }
    }
}

/// Returns the names that class attributes avoid in a module with the given types.
pub(super) fn avoided_by_attributes(types: impl Iterator<Item = String>) -> Rc<BTreeSet<String>> {
    let used = USED.into_iter().filter(|name| *name != "id");
    Rc::new(types.chain(used.chain(TAKEN_BY_PYDANTIC).map(str::to_owned)).collect())
}

/// Returns the attribute for a member name, before the scope makes the attribute unique.
pub(super) fn attribute(member: &str) -> String {
    let name = compatible(&identifier(&snake(&compatible(member))));
    let name = name.trim_start_matches('_');
    match name.chars().next() {
        None => "field".into(),
        // The name begins with a digit, or with a vowel sign that has no consonant.
        Some(first) if !is_xid_start(first) => format!("field_{name}"),
        // Pydantic reserves the prefix for its own methods.
        Some(_) if name.starts_with("model_") => format!("{name}_"),
        Some(_) => name.to_owned(),
    }
}

/// Prints a string literal.
pub(super) fn text(value: &str) -> String {
    json_text(value)
}

/// Names that `client.py` imports, and names that `client.py` defines for every agent.
const IMPORTED: [&str; 30] = [
    "AgentClient",
    "Any",
    "ConnectionLostError",
    "ConnectionStatus",
    "Context",
    "Contract",
    "ExpiredError",
    "Finished",
    "InterruptClient",
    "Message",
    "Optional",
    "Problem",
    "Protocol",
    "Reconnect",
    "RefusedError",
    "ResumeEntry",
    "ResumeError",
    "RunAgentInput",
    "Sequence",
    "StateChanged",
    "ToolFailed",
    "ToolItems",
    "ToolProgress",
    "TypedInterrupt",
    "UnansweredError",
    "Union",
    "agent",
    "dataclass",
    "str",
    "types",
];

/// Names for an agent's tools, events and client.
pub(super) struct ClientNames {
    /// The prefix for everything named after the agent.
    pub(super) base: String,
    /// For each tool, the call item, the result item, and the method that handles the call.
    pub(super) tools: Vec<(String, String, String)>,
    /// For each tool, the class for a single item in the tool's result.
    pub(super) items: Vec<String>,
    /// For each event, the item.
    pub(super) events: Vec<String>,
    /// For each interrupt, the item and the method that answers the interrupt.
    pub(super) interrupts: Vec<(String, String)>,
    /// For each activity, the item.
    pub(super) activities: Vec<String>,
}

impl ClientNames {
    pub(super) fn new(agent: &AgentDecl) -> Self {
        let mut scope = NameScope::default();
        IMPORTED.into_iter().for_each(|name| drop(scope.give(name)));
        let mut base = compatible(&identifier(pascal(&agent.name).trim_end_matches("Agent")));
        let own = |base: &str| ["Client", "Item", "Tools"].map(|ending| format!("{base}{ending}"));
        while own(&base).iter().any(|name| scope.has(name)) {
            base.push('_');
        }
        own(&base).iter().for_each(|name| drop(scope.give(name)));
        let mut methods = NameScope::default();
        // Names that the methods themselves use.
        ["agent", "args", "interrupt", "self", "types"].into_iter().for_each(|name| drop(methods.give(name)));
        let tools = agent.tools.iter().map(|tool| {
            let name = identifier(&pascal(&tool.name));
            let method = methods.give(&attribute(&tool.name));
            (scope.give(&format!("{name}Call")), scope.give(&format!("{name}Answered")), method)
        });
        let tools = tools.collect();
        let items =
            agent.tools.iter().map(|tool| scope.give(&format!("{}Item", identifier(&pascal(&tool.name)))));
        let items = items.collect();
        let events = agent
            .events
            .iter()
            .map(|event| scope.give(&format!("{}Event", identifier(&pascal(&event.name)))));
        let events = events.collect();
        let interrupts = agent.interrupts.iter().map(|asked| {
            let item = scope.give(&format!("{}Interrupt", identifier(&pascal(&asked.reason))));
            (item, methods.give(&attribute(&asked.reason)))
        });
        let interrupts = interrupts.collect();
        let activities = agent
            .activities
            .iter()
            .map(|shown| scope.give(&format!("{}Activity", identifier(&upper_camel(&shown.activity_type)))));
        let activities = activities.collect();
        Self { base, tools, items, events, interrupts, activities }
    }
}

//! Properties and function calls, by the schemas of a catalog.

use std::fmt::Display;

use serde_json::Value;

use super::{ProblemCode, ProblemList};
use crate::a2ui::{ComponentCatalog, SurfaceComponent};
use crate::protocol::JsonObject;
use crate::quoted::quoted;

/// Members that each component has, beside the catalog's.
const COMMON: [&str; 6] = ["id", "component", "catalogId", "accessibility", "metadata", "weight"];

/// The number of names or values from a catalog that a problem lists.
const MOST_LISTED: usize = 20;

/// Checks the name, the required properties, and each property's value.
pub(super) fn check_properties(
    path: &str,
    component: &SurfaceComponent,
    catalog: &ComponentCatalog,
    found: &mut ProblemList,
) {
    let Some(name) = component.name() else { return };
    let Some(schema) = catalog.components.get(name) else {
        let text = format!("Component type '{}' is not in the catalog", quoted(name));
        found.add(ProblemCode::UnknownComponent, format!("{path}.component"), text);
        return;
    };
    let mut properties = PropertySchemas::of(schema);
    // In v1.0 the schema of messages closes the components.
    properties.is_open &= properties.has_references || catalog.protocol_version.as_deref() != Some("1.0");
    for required in properties.required.iter().filter(|required| !component.json().contains_key(**required)) {
        let (name, required) = (quoted(name), quoted(required));
        let text = format!("Component '{name}' is missing required prop '{required}'");
        found.add(ProblemCode::MissingRequiredProp, format!("{path}.{required}"), text);
    }
    for (property, value) in
        component.json().iter().filter(|(property, _)| !COMMON.contains(&property.as_str()))
    {
        let place = format!("{path}.{}", quoted(property));
        match properties.get(property) {
            Some(schema) => check_value(&place, value, schema, found, ProblemCode::WrongProperty),
            None if properties.is_open => {}
            None => {
                let (name, property) = (quoted(name), quoted(property));
                let text = format!(
                    "Component '{name}' has no property '{property}'; it has: {}",
                    properties.names()
                );
                found.add(ProblemCode::UnknownProperty, place, text);
            }
        }
    }
}

/// Checks each function call below a property: the name, and the arguments.
pub(super) fn check_calls<'c>(
    path: &str,
    value: &Value,
    catalog: &impl Fn(Option<&str>) -> Option<&'c ComponentCatalog>,
    found: &mut ProblemList,
) {
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                check_calls(&format!("{path}[{index}]"), element, catalog, found);
            }
        }
        Value::Object(members) => {
            // `@index` is A2UI's own function.
            if let Some(name) =
                members.get("call").and_then(Value::as_str).filter(|name| !name.starts_with('@'))
                && let Some(catalog) = catalog(members.get("catalogId").and_then(Value::as_str))
            {
                check_call(path, name, members, catalog, found);
            }
            for (name, member) in members {
                check_calls(&format!("{path}.{}", quoted(name)), member, catalog, found);
            }
        }
        _ => {}
    }
}

fn check_call(
    path: &str,
    name: &str,
    call: &JsonObject,
    catalog: &ComponentCatalog,
    found: &mut ProblemList,
) {
    let Some(function) = catalog.functions.get(name) else {
        let text = format!("Function '{}' is not in the catalog", quoted(name));
        found.add(ProblemCode::UnknownFunction, format!("{path}.call"), text);
        return;
    };
    let Some(schema) = function.get("properties").and_then(|properties| properties.get("args")) else {
        return;
    };
    let schemas = PropertySchemas::of(schema);
    let none = JsonObject::new();
    let args = call.get("args").and_then(Value::as_object).unwrap_or(&none);
    for required in schemas.required.iter().filter(|required| !args.contains_key(**required)) {
        let (name, required) = (quoted(name), quoted(required));
        let text = format!("Function '{name}' is missing required argument '{required}'");
        found.add(ProblemCode::WrongArguments, format!("{path}.args.{required}"), text);
    }
    for (argument, value) in args {
        let place = format!("{path}.args.{}", quoted(argument));
        match schemas.get(argument) {
            Some(schema) => check_value(&place, value, schema, found, ProblemCode::WrongArguments),
            None if schemas.is_open => {}
            None => {
                let (name, argument) = (quoted(name), quoted(argument));
                let text =
                    format!("Function '{name}' has no argument '{argument}'; it has: {}", schemas.names());
                found.add(ProblemCode::WrongArguments, place, text);
            }
        }
    }
}

/// The members that a schema describes, also in the parts of `allOf`.
struct PropertySchemas<'s> {
    members: Vec<&'s JsonObject>,
    required: Vec<&'s str>,
    /// True if other members may be there: the schema does not forbid them, or refers to schemas elsewhere.
    is_open: bool,
    /// True if the schema refers to schemas elsewhere.
    has_references: bool,
}

impl<'s> PropertySchemas<'s> {
    fn of(schema: &'s Value) -> Self {
        let mut schemas =
            Self { members: Vec::new(), required: Vec::new(), is_open: false, has_references: false };
        let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        let mut is_closed = false;
        for part in std::iter::once(schema).chain(parts) {
            schemas.members.extend(part.get("properties").and_then(Value::as_object));
            let required = part.get("required").and_then(Value::as_array).into_iter().flatten();
            schemas.required.extend(required.filter_map(Value::as_str));
            schemas.has_references |= part.get("$ref").is_some();
            is_closed |= ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|name| part.get(*name) == Some(&Value::Bool(false)));
        }
        schemas.is_open = schemas.has_references || !is_closed;
        schemas
    }

    fn get(&self, name: &str) -> Option<&'s Value> {
        self.members.iter().find_map(|members| members.get(name))
    }

    fn names(&self) -> String {
        let names = self.members.iter().flat_map(|members| members.keys());
        let names = listed(names.filter(|name| !COMMON.contains(&name.as_str())), ", ");
        if names.is_empty() { "none".to_owned() } else { names }
    }
}

/// Lists names or values of a catalog, which a page may have written.
fn listed<T: Display>(items: impl Iterator<Item = T>, separator: &str) -> String {
    let mut items = items;
    let mut shown: Vec<_> = items.by_ref().take(MOST_LISTED).map(|item| quoted(item).to_string()).collect();
    if items.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join(separator)
}

fn check_value(path: &str, value: &Value, schema: &Value, found: &mut ProblemList, code: ProblemCode) {
    // A path or a function takes the place of any value; both are checked on their own.
    let is_dynamic =
        value.get("path").is_some_and(Value::is_string) || value.get("call").is_some_and(Value::is_string);
    if !is_dynamic && !fits(value, schema) {
        let text = format!("Expected {}, and found {}", expected(schema), kind(value));
        found.add(code, path, text);
    }
}

/// True if the value has the kind that the schema names. Keywords that say more about a value are not read.
fn fits(value: &Value, schema: &Value) -> bool {
    let choices = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(*name)?.as_array());
    if choices.is_some_and(|choices| !choices.iter().any(|choice| fits(value, choice))) {
        return false;
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return false;
    }
    let of_list = |name: &str, test: &dyn Fn(&Value) -> bool| match schema.get(name) {
        Some(Value::Array(list)) => list.iter().any(test),
        Some(one) => test(one),
        None => true,
    };
    if !of_list("type", &|kind| is_kind(value, kind)) || !of_list("enum", &|one| one == value) {
        return false;
    }
    match value {
        Value::Array(elements) => {
            schema.get("items").is_none_or(|items| elements.iter().all(|element| fits(element, items)))
        }
        Value::Object(members) => {
            let schemas = PropertySchemas::of(schema);
            schemas.required.iter().all(|name| members.contains_key(*name))
                && members.iter().all(|(name, value)| {
                    schemas.get(name).map_or(schemas.is_open, |schema| fits(value, schema))
                })
        }
        _ => true,
    }
}

fn is_kind(value: &Value, kind: &Value) -> bool {
    match kind.as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => true,
    }
}

fn expected(schema: &Value) -> String {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return format!("one of {}", listed(values.iter(), ", "));
    }
    if let Some(only) = schema.get("const") {
        return quoted(only).to_string();
    }
    if let Some(kinds) = schema.get("type") {
        return match kinds {
            Value::Array(kinds) => listed(kinds.iter().filter_map(Value::as_str), " or "),
            kind => quoted(kind.as_str().unwrap_or("another value")).to_string(),
        };
    }
    let choices = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(*name)?.as_array());
    choices.and_then(|choices| choices.first()).map_or_else(|| "another value".to_owned(), expected)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object of another shape",
    }
}

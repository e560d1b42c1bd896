//! Walks a schema and a value together: through members, elements, references and alternatives.

use std::cell::Cell;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::bounds::{OutOfBounds, outside};
use super::object_schemas::allows_nothing;
use super::structure::{differs, referred};
use crate::quoted::quoted;

/// The number of references followed without a step into the value. A schema with more refers to itself.
const MOST_STEPS: usize = 128;

/// The checked keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// Bound keywords: serde has read the value into a type, so the structure is right.
    Bounds,
    /// Structure and bound keywords.
    Whole,
}

/// Checks a value with the given size.
pub(super) fn check(rules: Rules, root: &Value, value: &Value, size: usize) -> Result<(), OutOfBounds> {
    Walk { rules, root, left: Cell::new(steps(size)) }.walk(root, value, &mut String::new(), 0)
}

/// Checks a value's structure and bounds against a schema in `root`, which has the definitions.
#[cfg(feature = "model")]
pub(super) fn check_part(root: &Value, schema: &Value, value: &Value) -> Result<(), OutOfBounds> {
    Walk { rules: Rules::Whole, root, left: Cell::new(steps(count(value))) }.walk(
        schema,
        value,
        &mut String::new(),
        0,
    )
}

/// True if a value fits the structure and the bounds of a schema in `root`.
pub(super) fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let walk = Walk { rules: Rules::Whole, root, left: Cell::new(steps(count(value))) };
    walk.walk(schema, value, &mut String::new(), 0).is_ok()
}

/// Returns the step limit for a value: nested alternatives multiply.
fn steps(size: usize) -> usize {
    size.saturating_mul(MOST_STEPS).saturating_add(MOST_STEPS * MOST_STEPS)
}

/// Returns the number of values in a value.
pub(super) fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

struct Walk<'s> {
    rules: Rules,
    root: &'s Value,
    /// The number of steps left for the check.
    left: Cell<usize>,
}

impl<'s> Walk<'s> {
    /// Counts a step; false after the last allowed step.
    fn step(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    fn walk(
        &self,
        schema: &'s Value,
        value: &Value,
        path: &mut String,
        steps: usize,
    ) -> Result<(), OutOfBounds> {
        let wrong = |message: String| Err(OutOfBounds { path: place(path), message });
        if !self.step() {
            return wrong("too many alternatives to check it".to_owned());
        }
        if self.rules == Rules::Whole && allows_nothing(schema) {
            return wrong("no value is allowed here".to_owned());
        }
        let Some(schema) = schema.as_object().filter(|_| steps < MOST_STEPS) else { return Ok(()) };
        let structure = if self.rules == Rules::Whole { differs(schema, value) } else { None };
        if let Some(message) = structure.or_else(|| outside(schema, value)) {
            return wrong(message);
        }
        for part in self.target(schema).into_iter().chain(list(schema, "allOf")) {
            self.walk(part, value, path, steps + 1)?;
        }
        for union in ["anyOf", "oneOf"] {
            let alternatives = list(schema, union);
            match self.rules {
                Rules::Bounds => self.own(alternatives, value, path, steps + 1)?,
                Rules::Whole => self.any(alternatives, value, path, steps + 1)?,
            }
        }
        match value {
            Value::Object(members) => self.members(schema, members, path),
            Value::Array(items) => self.items(schema, items, path),
            _ => Ok(()),
        }
    }

    /// The value must be within the bounds of one matching alternative.
    fn own(
        &self,
        alternatives: &'s [Value],
        value: &Value,
        path: &mut String,
        steps: usize,
    ) -> Result<(), OutOfBounds> {
        let mut found = Ok(());
        for alternative in alternatives.iter().filter(|alternative| self.is_of(alternative, value, steps)) {
            let length = path.len();
            match self.walk(alternative, value, path, steps) {
                Ok(()) => return Ok(()),
                Err(error) => found = found.and(Err(error)),
            }
            path.truncate(length);
        }
        found
    }

    /// One alternative must fit. If all fail, the error comes from the alternative that fits furthest into the value.
    fn any(
        &self,
        alternatives: &'s [Value],
        value: &Value,
        path: &mut String,
        steps: usize,
    ) -> Result<(), OutOfBounds> {
        let mut found: Option<OutOfBounds> = None;
        for alternative in alternatives {
            let length = path.len();
            match self.walk(alternative, value, path, steps) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    path.truncate(length);
                    if found.as_ref().is_none_or(|found| depth(&error.path) > depth(&found.path)) {
                        found = Some(error);
                    }
                }
            }
        }
        match found {
            Some(error) if alternatives.len() > 1 && error.path == place(path) => {
                let message = format!("none of {} alternatives fits: {}", alternatives.len(), error.message);
                Err(OutOfBounds { message, ..error })
            }
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn members(
        &self,
        schema: &'s Map<String, Value>,
        members: &Map<String, Value>,
        path: &mut String,
    ) -> Result<(), OutOfBounds> {
        let is_whole = self.rules == Rules::Whole;
        let mut required = list(schema, "required").iter().filter_map(Value::as_str);
        if let Some(missing) = required.find(|name| is_whole && !members.contains_key(*name)) {
            let message = format!("the member `{}` is missing", quoted(missing));
            return Err(OutOfBounds { path: place(path), message });
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let others = schema.get("additionalProperties").filter(|_| !schema.contains_key("patternProperties"));
        for (name, member) in members {
            let own = properties.and_then(|properties| properties.get(name));
            let Some(inner) = own.or(others) else { continue };
            if is_whole && own.is_none() && *inner == false {
                let message = format!("there is no member `{}`", quoted(name));
                return Err(OutOfBounds { path: place(path), message });
            }
            let length = path.len();
            if length > 0 {
                path.push('.');
            }
            path.push_str(name);
            self.walk(inner, member, path, 0)?;
            path.truncate(length);
        }
        Ok(())
    }

    fn items(
        &self,
        schema: &'s Map<String, Value>,
        items: &[Value],
        path: &mut String,
    ) -> Result<(), OutOfBounds> {
        let first = list(schema, "prefixItems");
        for (at, item) in items.iter().enumerate() {
            let Some(inner) = first.get(at).or_else(|| schema.get("items")) else { continue };
            let length = path.len();
            // Writing to a string does not fail.
            let _ = write!(path, "[{at}]");
            self.walk(inner, item, path, 0)?;
            path.truncate(length);
        }
        Ok(())
    }

    /// True if the value may match this alternative: type, constants and required members fit.
    fn is_of(&self, schema: &'s Value, value: &Value, steps: usize) -> bool {
        if !self.step() {
            return true; // `walk` reports it
        }
        let Some(schema) = schema.as_object().filter(|_| steps < MOST_STEPS) else { return *schema != false };
        let fits_type = match schema.get("type") {
            Some(Value::String(name)) => is_type(name, value),
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).any(|name| is_type(name, value))
            }
            _ => true,
        };
        let fits_constant = schema.get("const").is_none_or(|constant| constant == value)
            && schema.get("enum").and_then(Value::as_array).is_none_or(|values| values.contains(value));
        let has_required =
            list(schema, "required").iter().filter_map(Value::as_str).all(|name| value.get(name).is_some());
        let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let mut members = members.filter_map(|(name, inner)| Some((inner, value.get(name)?)));
        fits_type
            && fits_constant
            && has_required
            && self.target(schema).is_none_or(|target| self.is_of(target, value, steps + 1))
            && list(schema, "allOf").iter().all(|part| self.is_of(part, value, steps + 1))
            && members.all(|(inner, member)| self.is_of(inner, member, steps + 1))
    }

    /// The schema that `$ref` names.
    fn target(&self, schema: &Map<String, Value>) -> Option<&'s Value> {
        referred(self.root, schema.get("$ref")?.as_str()?)
    }
}

pub(super) fn place(path: &str) -> String {
    if path.is_empty() { ".".to_owned() } else { quoted(path).to_string() }
}

pub(super) fn list<'v>(schema: &'v Map<String, Value>, name: &str) -> &'v [Value] {
    schema.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn is_type(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => {
            name == "number" || name == "integer" && number.as_f64().is_some_and(|float| float.fract() == 0.0)
        }
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// A path's length; the whole value has no step.
fn depth(path: &str) -> usize {
    if path == "." { 0 } else { path.len() }
}

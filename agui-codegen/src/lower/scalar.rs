//! Lowers a schema that has a type name: strings and numbers with limits.

use std::fmt::Arguments;

use serde_json::{Map, Value};

use super::schema::SchemaLowering;
use crate::ir::{NumberBounds, SizedInteger, StringType, Type};

impl SchemaLowering<'_> {
    pub(super) fn typed(&mut self, name: &str, object: &Map<String, Value>, path: Arguments<'_>) -> Type {
        match name {
            "null" => Type::Null,
            "boolean" => Type::Bool,
            "string" => Type::String(StringType {
                format: format(object).map(str::to_owned),
                min: object.get("minLength").and_then(Value::as_u64),
                max: object.get("maxLength").and_then(Value::as_u64),
                pattern: object.get("pattern").and_then(Value::as_str).map(str::to_owned),
            }),
            "integer" => {
                let bounds = bounds(object);
                if is_wide(&bounds) {
                    self.wide_integers.push(match path.to_string().as_str() {
                        "" => self.owner.clone(),
                        path => format!("{} at `{path}`", self.owner),
                    });
                }
                Type::Integer(bounds)
            }
            "number" => Type::Number(bounds(object)),
            "array" => self.array(object, path),
            "object" => self.object(object, path),
            other => {
                let message = format!("there is no type `{other}` in JSON");
                self.problem(format_args!("{path}/type"), message)
            }
        }
    }
}

fn bounds(object: &Map<String, Value>) -> NumberBounds {
    let number = |name: &str| object.get(name).and_then(Value::as_number).cloned();
    NumberBounds {
        format: object.get("format").and_then(Value::as_str).map(str::to_owned),
        minimum: number("minimum"),
        maximum: number("maximum"),
        above: number("exclusiveMinimum"),
        below: number("exclusiveMaximum"),
        step: number("multipleOf"),
    }
}

/// Returns true if the Rust type contains whole numbers beyond 2⁵³, where JavaScript numbers start to round.
pub(crate) fn is_wide(bounds: &NumberBounds) -> bool {
    bounds.format.as_deref().and_then(SizedInteger::of).is_some_and(|integer| integer.bits >= 64)
}

/// Returns a string's format. For numbers from crate rust_decimal, schemars writes only a pattern: `decimal` names this
/// format.
fn format(object: &Map<String, Value>) -> Option<&str> {
    const DECIMAL: [&str; 2] = [r"^-?\d+(\.\d+)?$", r"^-?\d+(\.\d+)?([eE]\d+)?$"];
    let is_decimal =
        || object.get("pattern").and_then(Value::as_str).is_some_and(|text| DECIMAL.contains(&text));
    object.get("format").and_then(Value::as_str).or_else(|| is_decimal().then_some("decimal"))
}

//! Bounds that a schema states and serde does not check: `#[schemars(range(..), length(..))]`.
//!
//! serde has already read each value, so the types are right. Only bound keywords are checked, and union alternatives only as far
//! as needed to find the value's alternative. `pattern` and `format` are not checked: that would need a regular expression
//! dialect.

use std::any::TypeId;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Map, Number, Value};

use super::walk::{Rules, check, count};
use super::{SizedInteger, TypeSource};
use crate::protocol::LazyJson;

/// A value outside a bound, and the value's path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OutOfBounds {
    /// The path in `serde_path_to_error` notation: `items[0].name`, `.` for the whole value.
    pub(crate) path: String,
    /// The bound, and the received value.
    pub(crate) message: String,
}

/// A type's bounds as the schema states them. Most types have none.
#[derive(Clone, Debug)]
pub(crate) struct Bounds(Option<Arc<Value>>);

impl Bounds {
    pub(crate) fn of(source: &TypeSource) -> Self {
        Self::of_schema(&source.formatted_schema())
    }

    pub(crate) fn of_schema(schema: &Value) -> Self {
        Self(has_bounds(schema).then(|| Arc::new(schema.clone())))
    }

    /// Returns the type's bounds, which are cached: schemars takes longer than a call.
    pub(crate) fn known(id: TypeId, source: &TypeSource) -> Self {
        static KNOWN: OnceLock<Mutex<HashMap<TypeId, Bounds>>> = OnceLock::new();
        let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(id).or_insert_with(|| Self::of(source)).clone()
    }

    /// Checks a JSON text that has been read as the type. Without bounds, nothing is parsed.
    pub(crate) fn check_text(&self, text: &str) -> Result<(), OutOfBounds> {
        let Some(schema) = &self.0 else { return Ok(()) };
        match serde_json::from_str(text) {
            Ok(value) => check(Rules::Bounds, schema, &value, text.len()),
            // Serde skips unknown members of any depth, and they must not hide the others.
            Err(error) => Err(OutOfBounds { path: ".".to_owned(), message: error.to_string() }),
        }
    }

    /// Checks JSON that has been read as the type.
    pub(crate) fn check_json(&self, json: &LazyJson<Value>) -> Result<(), OutOfBounds> {
        match (&self.0, json.text()) {
            (None, _) => Ok(()),
            (Some(_), Some(text)) => self.check_text(text),
            (Some(schema), None) => check(Rules::Bounds, schema, json, count(json)),
        }
    }
}

const BOUNDS: [&str; 12] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

fn has_bounds(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(name, value)| {
            // Every unsigned integer has it, and serde checks it.
            let is_of_type = name == "minimum" && *value == 0 && is_unsigned(members);
            BOUNDS.contains(&name.as_str()) && !value.is_object() && !is_of_type || has_bounds(value)
        }),
        Value::Array(items) => items.iter().any(has_bounds),
        _ => false,
    }
}

fn is_unsigned(schema: &Map<String, Value>) -> bool {
    let format = schema.get("format").and_then(Value::as_str);
    format.and_then(SizedInteger::of).is_some_and(|integer| !integer.is_signed)
}

/// Returns the first violated bound, and the value.
pub(super) fn outside(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => outside_range(schema, number),
        Value::String(text) => {
            let count = || text.chars().count();
            outside_length(schema, ("minLength", "maxLength"), "characters", count)
        }
        Value::Array(items) => {
            let twice = || {
                let mut texts = HashSet::with_capacity(items.len());
                !items.iter().all(|item| texts.insert(item.to_string()))
            };
            outside_length(schema, ("minItems", "maxItems"), "items", || items.len()).or_else(|| {
                let is_set = schema.get("uniqueItems") == Some(&Value::Bool(true));
                (is_set && twice()).then(|| "expected items that differ, and two are equal".to_owned())
            })
        }
        Value::Object(members) => {
            outside_length(schema, ("minProperties", "maxProperties"), "members", || members.len())
        }
        Value::Null | Value::Bool(_) => None,
    }
}

fn outside_range(schema: &Map<String, Value>, number: &Number) -> Option<String> {
    type Fits = fn(Ordering) -> bool;
    let rules: [(&str, &str, Fits); 4] = [
        ("minimum", "at least", Ordering::is_ge),
        ("maximum", "at most", Ordering::is_le),
        ("exclusiveMinimum", "more than", Ordering::is_gt),
        ("exclusiveMaximum", "less than", Ordering::is_lt),
    ];
    for (keyword, words, fits) in rules {
        if let Some(Value::Number(bound)) = schema.get(keyword)
            && !compared(number, bound).is_some_and(fits)
        {
            return Some(format!("expected {words} {bound}, and {number} came"));
        }
    }
    match schema.get("multipleOf") {
        Some(Value::Number(unit)) if !is_multiple(number, unit) => {
            Some(format!("expected a multiple of {unit}, and {number} came"))
        }
        _ => None,
    }
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Compares whole numbers exactly: a float cannot represent all 64-bit integers.
fn compared(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn is_multiple(number: &Number, unit: &Number) -> bool {
    if let (Some(number), Some(unit)) = (whole(number), whole(unit)) {
        return number.checked_rem(unit).is_none_or(|rest| rest == 0);
    }
    let (Some(number), Some(unit)) = (number.as_f64(), unit.as_f64()) else { return true };
    let rest = (number % unit).abs();
    if number.fract() == 0.0 && unit.fract() == 0.0 {
        return rest == 0.0;
    }
    // A decimal fraction is rounded in binary: the nearest multiple may be off by a billionth of the number, as the generated
    // TypeScript has it.
    let near = number.abs() / 1e9;
    rest == 0.0 || (number / unit).is_finite() && (rest <= near || (rest - unit).abs() <= near)
}

fn outside_length(
    schema: &Map<String, Value>,
    (least, most): (&str, &str),
    unit: &str,
    count: impl FnOnce() -> usize,
) -> Option<String> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let (least, most) = (bound(least), bound(most));
    if least.is_none() && most.is_none() {
        return None;
    }
    let found = u64::try_from(count()).unwrap_or(u64::MAX);
    match (least, most) {
        (Some(least), _) if found < least => {
            Some(format!("expected at least {least} {unit}, and {found} came"))
        }
        (_, Some(most)) if found > most => Some(format!("expected at most {most} {unit}, and {found} came")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(schema: &Value, value: &Value) -> String {
        check(Rules::Bounds, schema, value, count(value))
            .map_or_else(|error| format!("{}: {}", error.path, error.message), |()| "fits".to_owned())
    }

    #[test]
    fn each_keyword_has_a_value_inside_and_one_outside() {
        let rows = [
            (json!({ "minimum": 1 }), json!(1), json!(0), "at least 1, and 0"),
            (json!({ "maximum": 1.5 }), json!(1.5), json!(2), "at most 1.5, and 2"),
            (json!({ "exclusiveMinimum": 1 }), json!(1.1), json!(1), "more than 1, and 1"),
            (json!({ "exclusiveMaximum": 1 }), json!(0), json!(1), "less than 1, and 1"),
            (json!({ "multipleOf": 5 }), json!(-10), json!(11), "a multiple of 5, and 11"),
            (json!({ "multipleOf": 0.1 }), json!(0.3), json!(0.35), "a multiple of 0.1, and 0.35"),
            (json!({ "multipleOf": 1 }), json!(0), json!(5e-10), "a multiple of 1, and 5e-10"),
            (
                json!({ "multipleOf": 3 }),
                json!(3e9),
                json!(3_000_000_001.0),
                "a multiple of 3, and 3000000001.0",
            ),
            (
                json!({ "minLength": 2 }),
                json!("\u{e9}\u{e9}"),
                json!("\u{e9}"),
                "at least 2 characters, and 1",
            ),
            (json!({ "maxLength": 1 }), json!("\u{e9}"), json!("ab"), "at most 1 characters, and 2"),
            (json!({ "minItems": 1 }), json!([0]), json!([]), "at least 1 items, and 0"),
            (json!({ "maxItems": 1 }), json!([0]), json!([0, 1]), "at most 1 items, and 2"),
            (
                json!({ "uniqueItems": true }),
                json!([0, 1]),
                json!([0, 1, 0]),
                "items that differ, and two are equal",
            ),
            (json!({ "minProperties": 1 }), json!({ "a": 1 }), json!({}), "at least 1 members, and 0"),
            (json!({ "maxProperties": 0 }), json!({}), json!({ "a": 1 }), "at most 0 members, and 1"),
            (
                json!({ "maximum": 18_446_744_073_709_551_614_u64 }),
                json!(18_446_744_073_709_551_614_u64),
                json!(u64::MAX),
                "at most 18446744073709551614, and 18446744073709551615",
            ),
        ];
        for (schema, inside, outside, message) in rows {
            assert_eq!(said(&schema, &inside), "fits", "{schema}");
            assert!(
                said(&schema, &outside).starts_with(&format!(".: expected {message}")),
                "{schema}: {}",
                said(&schema, &outside)
            );
            assert_eq!(said(&schema, &json!(null)), "fits", "a bound is of one type: {schema}");
        }
    }

    #[test]
    fn multiples_are_those_of_the_generated_code() {
        let rows: Vec<Value> = serde_json::from_str(include_str!("bounds/multiples.json")).unwrap();
        for row in rows {
            let schema = json!({ "type": row["type"], "multipleOf": row["step"] });
            for (group, fits) in [("multiples", true), ("others", false)] {
                for value in row[group].as_array().unwrap() {
                    assert_eq!(said(&schema, value) == "fits", fits, "{value} of {schema}");
                }
            }
        }
    }

    #[test]
    fn bounds_are_found_inside() {
        let small = json!({ "maximum": 5 });
        let schema = json!({
            "properties": {
                "list": { "items": { "$ref": "#/$defs/Small" } },
                "pair": { "prefixItems": [true, { "$ref": "#/$defs/Small" }] },
                "next": { "anyOf": [{ "$ref": "#" }, { "type": "null" }] },
                "all": { "allOf": [{ "type": "integer" }, small] },
            },
            "additionalProperties": small,
            "$defs": { "Small": small },
        });
        let message = "expected at most 5, and 6 came";
        assert_eq!(said(&schema, &json!({ "list": [1, 6] })), format!("list[1]: {message}"));
        assert_eq!(said(&schema, &json!({ "pair": [6, 6] })), format!("pair[1]: {message}"));
        assert_eq!(
            said(&schema, &json!({ "next": { "next": { "list": [6] } } })),
            format!("next.next.list[0]: {message}")
        );
        assert_eq!(said(&schema, &json!({ "all": 6 })), format!("all: {message}"));
        assert_eq!(said(&schema, &json!({ "other": 6 })), format!("other: {message}"));
        assert_eq!(said(&schema, &json!({ "next": null, "list": [5], "other": 5 })), "fits");
    }

    #[test]
    fn a_value_has_the_bounds_of_its_alternative_alone() {
        let tagged = |tag: &str, most: u32| {
            json!({
                "type": "object", "required": ["kind"],
                "properties": { "kind": { "const": tag }, "size": { "maximum": most } },
            })
        };
        let schema = json!({ "oneOf": [tagged("small", 5), tagged("large", 50)] });
        assert_eq!(said(&schema, &json!({ "kind": "large", "size": 50 })), "fits");
        assert_eq!(
            said(&schema, &json!({ "kind": "small", "size": 6 })),
            "size: expected at most 5, and 6 came"
        );
        let schema =
            json!({ "anyOf": [{ "type": "integer", "maximum": 5 }, { "type": "string", "maxLength": 1 }] });
        assert_eq!(said(&schema, &json!(6)), ".: expected at most 5, and 6 came");
        assert_eq!(said(&schema, &json!("a")), "fits");
    }

    #[test]
    fn a_schema_that_is_only_itself_ends() {
        assert_eq!(said(&json!({ "$ref": "#", "maximum": 5 }), &json!(5)), "fits");
        assert_eq!(said(&json!({ "anyOf": [{ "$ref": "#" }], "maximum": 5 }), &json!(5)), "fits");
    }

    #[test]
    fn alternatives_inside_of_alternatives_end() {
        let schema = json!({
            "anyOf": [{ "properties": { "next": { "$ref": "#" } } }, { "properties": { "next": { "$ref": "#" } } }],
            "maxProperties": 1,
        });
        let chain = |last: Value| (0..60).fold(last, |inner, _| json!({ "next": inner }));
        assert_eq!(said(&schema, &chain(json!({}))), "fits");
        let wrong = said(&schema, &chain(json!({ "a": 1, "b": 2 })));
        assert!(wrong.ends_with(": expected at most 1 members, and 2 came"), "{wrong}");
    }

    #[test]
    fn a_member_that_serde_skips_does_not_hide_the_others() {
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        struct Refund {
            #[schemars(range(max = 500))]
            cents: u32,
        }
        let deep = format!(r#"{{"cents":501,"note":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
        assert_eq!(serde_json::from_str::<Refund>(&deep).unwrap().cents, 501);
        let bounds = Bounds::of(&TypeSource::of::<Refund>());
        assert!(bounds.check_text(&deep).is_err());
        assert!(bounds.check_text(r#"{"cents":500}"#).is_ok());
        assert!(bounds.check_json(&json!({ "cents": 501 }).into()).is_err());
    }

    #[test]
    fn a_type_without_bounds_has_no_schema_to_check() {
        assert!(Bounds::of(&TypeSource::of::<Vec<u64>>()).0.is_none());
        assert!(Bounds::of(&TypeSource::of::<u32>()).0.is_none(), "serde checks what the type says");
        assert!(Bounds::of(&TypeSource::of::<u8>()).0.is_some(), "serde checks it too");
    }

    #[test]
    fn zero_bounds_a_signed_number_and_a_fraction() {
        #[derive(schemars::JsonSchema)]
        #[allow(dead_code, reason = "only the schema is used")]
        struct Paid {
            #[schemars(range(min = 0))]
            cents: i64,
        }
        #[derive(schemars::JsonSchema)]
        #[allow(dead_code, reason = "only the schema is used")]
        struct Weighed {
            #[schemars(range(min = 0.0))]
            kilos: f64,
        }
        assert!(Bounds::of(&TypeSource::of::<Paid>()).check_text(r#"{"cents":-1}"#).is_err());
        assert!(Bounds::of(&TypeSource::of::<Weighed>()).check_text(r#"{"kilos":-0.5}"#).is_err());
    }
}

//! Integer ranges as JSON Schema keywords: validators do not know Rust's integer sizes, which schemars writes
//! as `format`.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Number, Value};

use crate::ir::SizedInteger;

/// A schema whose integers have `minimum` and `maximum`.
struct RangedSchema<'a>(&'a Value);

impl Serialize for RangedSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(schemas) => serializer.collect_seq(schemas.iter().map(RangedSchema)),
            Value::Object(keywords) => {
                let mut map = serializer.serialize_map(None)?;
                write_keywords(&mut map, keywords, None)?;
                map.end()
            }
            other => other.serialize(serializer),
        }
    }
}

/// Schemas by names that are not keywords, for example property names in `properties`.
pub(super) struct NamedSchemas<I>(pub(super) I);

impl<'a, N: Serialize, I: Iterator<Item = (N, &'a Value)> + Clone> Serialize for NamedSchemas<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone().map(|(name, schema)| (name, RangedSchema(schema))))
    }
}

/// Writes a schema's keywords without `left_out`, and the limits that the `format` implies.
pub(super) fn write_keywords<M: SerializeMap>(
    map: &mut M,
    keywords: &Map<String, Value>,
    left_out: Option<&str>,
) -> Result<(), M::Error> {
    let [least, greatest] = limits(keywords);
    let is_written = |keyword: &str| match keyword {
        "minimum" => least.is_none(),
        "maximum" => greatest.is_none(),
        other => left_out != Some(other),
    };
    for (keyword, value) in keywords.iter().filter(|(keyword, _)| is_written(keyword)) {
        match (keyword.as_str(), value) {
            // The keyword holds values, not schemas.
            ("const" | "default" | "enum" | "examples", _) => map.serialize_entry(keyword, value)?,
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(schemas)) => {
                map.serialize_entry(keyword, &NamedSchemas(schemas.iter()))?;
            }
            _ => map.serialize_entry(keyword, &RangedSchema(value))?,
        }
        if keyword == "format" {
            let limits = [("maximum", &greatest), ("minimum", &least)];
            for (keyword, limit) in
                limits.into_iter().filter_map(|(keyword, limit)| Some((keyword, limit.as_ref()?)))
            {
                map.serialize_entry(keyword, limit)?;
            }
        }
    }
    Ok(())
}

/// Returns the limits that an integer schema does not state. Many readers round 128-bit numbers, so 128-bit
/// integers get no limits.
fn limits(keywords: &Map<String, Value>) -> [Option<Number>; 2] {
    let is_integer = match keywords.get("type") {
        Some(Value::Array(names)) => names.iter().any(|name| name == "integer"),
        name => name.is_some_and(|name| name == "integer"),
    };
    let format = keywords.get("format").and_then(Value::as_str).filter(|_| is_integer);
    let Some(integer) = format.and_then(SizedInteger::of).filter(|integer| integer.bits <= 64) else {
        return [None, None];
    };
    let (least, greatest) = (integer.least(), integer.greatest());
    let said = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
    let least = said("minimum").is_none_or(|minimum| minimum < least as f64).then_some(least);
    let greatest = said("maximum").is_none_or(|maximum| maximum > greatest as f64).then_some(greatest);
    [least.and_then(Number::from_i128), greatest.and_then(Number::from_u128)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn integers_say_their_range_and_nothing_else_does() {
        let written = |schema: Value| serde_json::to_value(RangedSchema(&schema)).unwrap();
        let int32 = json!({"type": "integer", "format": "int32"});
        let ranged = json!({"type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX});
        assert_eq!(written(int32.clone()), ranged);
        let optional = written(json!({"type": ["integer", "null"], "format": "uint64", "minimum": 0}));
        assert_eq!((&optional["minimum"], &optional["maximum"]), (&json!(0), &json!(u64::MAX)));
        let around = json!({
            "properties": {"default": int32, "format": {"items": int32}},
            "anyOf": [int32], "default": int32, "enum": [int32],
        });
        let expected = json!({
            "properties": {"default": ranged, "format": {"items": ranged}},
            "anyOf": [ranged], "default": int32, "enum": [int32],
        });
        assert_eq!(written(around), expected);
        for other in [
            json!({"type": "integer"}),
            json!({"type": "integer", "format": "uint128", "minimum": 0}),
            json!({"type": "string", "format": "int32"}),
        ] {
            assert_eq!(written(other.clone()), other);
        }
    }

    #[test]
    fn a_closer_limit_stays_and_a_wider_one_does_not() {
        let schema = json!({"type": "integer", "format": "uint8", "minimum": 1, "maximum": 1000});
        let written = serde_json::to_value(RangedSchema(&schema)).unwrap();
        assert_eq!((&written["minimum"], &written["maximum"]), (&json!(1), &json!(255)));
    }
}

//! Compares two schemas' bounds: lengths, number ranges, patterns.

use serde_json::Value;

use super::{Simple, is_full, type_of};
use crate::manifest::integer::SizedInteger;
use crate::manifest::walk::list;
use crate::quoted::quoted;

/// The largest exact integer in JavaScript. Zod states this value as every integer's bound.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// A lower bound keyword, an upper bound keyword, and the kind of value.
const BOUNDS: [(&str, &str, &str); 3] = [
    ("minLength", "maxLength", "characters"),
    ("minItems", "maxItems", "items"),
    ("minProperties", "maxProperties", "members"),
];

/// Returns the bound that is narrower in `allow`.
pub(super) fn bound(want: &Simple, allow: &Simple) -> Option<String> {
    let number = |schema: &Simple, name: &str| schema.get(name).and_then(Value::as_f64);
    for (least, most, what) in BOUNDS {
        let fixed = type_of(want) == Some("array") && is_full(want, list(want, "prefixItems").len());
        let own_least = number(want, least).unwrap_or(0.0);
        if let Some(least) = number(allow, least).filter(|least| *least > own_least && !fixed) {
            return Some(format!("it takes at least {least} {what}"));
        }
        let own_most = number(want, most).unwrap_or(f64::INFINITY);
        if let Some(most) = number(allow, most).filter(|most| *most < own_most) {
            return Some(format!("it takes at most {most} {what}"));
        }
    }
    if allow.get("uniqueItems") == Some(&Value::Bool(true))
        && want.get("uniqueItems") != Some(&Value::Bool(true))
    {
        return Some("it takes only items that differ".to_owned());
    }
    for keyword in ["pattern", "multipleOf"] {
        let is_whole = |unit: &Value| type_of(want) == Some("integer") && unit.as_f64() == Some(1.0);
        if let Some(value) =
            allow.get(keyword).filter(|value| want.get(keyword) != Some(value) && !is_whole(value))
        {
            return Some(format!("it takes only values with the {keyword} {}", quoted(value)));
        }
    }
    let (own, other) = (Range::of(want), Range::of(allow));
    if other.least > own.least {
        return Some(format!("it takes no number below {}", other.least.0));
    }
    (other.most < own.most).then(|| format!("it takes no number above {}", other.most.0))
}

/// The numbers that a schema allows. The second part is greater where the bound itself is excluded.
struct Range {
    least: (f64, u8),
    most: (f64, i8),
}

impl Range {
    fn of(schema: &Simple) -> Self {
        let number = |name: &str| schema.get(name).and_then(Value::as_f64);
        let is_integer = type_of(schema) == Some("integer");
        let sized =
            schema.get("format").and_then(Value::as_str).and_then(SizedInteger::of).filter(|_| is_integer);
        #[expect(clippy::cast_precision_loss, reason = "the bounds of the other schema are floats too")]
        let (low, high) = sized.map_or((f64::NEG_INFINITY, f64::INFINITY), |sized| {
            (sized.least() as f64, sized.greatest() as f64)
        });
        let exclusive = f64::from(u8::from(is_integer));
        let excluded = u8::from(!is_integer);
        let mut least = (low, 0);
        for bound in [
            number("minimum").filter(|least| *least > -MAX_SAFE_INTEGER).map(|least| (least, 0)),
            number("exclusiveMinimum").map(|least| (least + exclusive, excluded)),
        ]
        .into_iter()
        .flatten()
        {
            least = if bound > least { bound } else { least };
        }
        let mut most = (high, 0);
        for bound in [
            number("maximum").filter(|most| *most < MAX_SAFE_INTEGER).map(|most| (most, 0)),
            number("exclusiveMaximum").map(|most| (most - exclusive, -i8::from(!is_integer))),
        ]
        .into_iter()
        .flatten()
        {
            most = if bound < most { bound } else { most };
        }
        Self { least, most }
    }
}

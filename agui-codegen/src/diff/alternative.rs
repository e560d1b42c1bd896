//! Relations between schema alternatives, and the alternatives' names in messages.

use serde_json::Value;

use super::atom::{ObjectConstraints, PropertyConstraints, SchemaAtom};

/// Returns true if the alternatives include both booleans.
pub(super) fn is_both(reader: &[SchemaAtom<'_>]) -> bool {
    let has = |wanted: bool| {
        reader.iter().any(|atom| matches!(atom, SchemaAtom::Const(Value::Bool(value)) if *value == wanted))
    };
    has(true) && has(false)
}

/// Returns true if two alternatives are versions of the same alternative.
pub(super) fn is_related(a: &SchemaAtom<'_>, b: &SchemaAtom<'_>) -> bool {
    match (a, b) {
        (SchemaAtom::Object(a), SchemaAtom::Object(b)) => match (tags(a), tags(b)) {
            (one, other) if one.is_empty() && other.is_empty() => required(a) == required(b),
            (one, other) => one == other,
        },
        (SchemaAtom::Number(_), SchemaAtom::Number(_))
        | (SchemaAtom::Text(_), SchemaAtom::Text(_))
        | (SchemaAtom::List(_), SchemaAtom::List(_)) => true,
        _ => false,
    }
}

/// Returns the members that are always present with one constant value.
fn tags<'a>(object: &ObjectConstraints<'a>) -> Vec<(&'a str, &'a Value)> {
    let tag = |field: &PropertyConstraints<'a>| {
        field
            .schema
            .iter()
            .filter(|_| field.required)
            .find_map(|schema| schema.get("const").filter(|c| c.is_string()))
    };
    object.fields.iter().filter_map(|(name, field)| Some((*name, tag(field)?))).collect()
}

fn required<'a>(object: &ObjectConstraints<'a>) -> Vec<&'a str> {
    object.fields.iter().filter(|(_, field)| field.required).map(|(name, _)| *name).collect()
}

/// Returns true if an alternative belongs to an enum.
pub(super) fn is_variant(atom: &SchemaAtom<'_>) -> bool {
    match atom {
        SchemaAtom::Const(value) => value.is_string(),
        SchemaAtom::Object(object) => !tags(object).is_empty() || required(object).len() == 1,
        _ => false,
    }
}

/// Describes an alternative for a message.
pub(super) fn described(atom: &SchemaAtom<'_>) -> String {
    match atom {
        SchemaAtom::Any => "any value".into(),
        SchemaAtom::Const(value) => format!("`{value}`"),
        SchemaAtom::Null => "`null`".into(),
        SchemaAtom::Bool => "true or false".into(),
        SchemaAtom::Number(range) => if range.whole { "a whole number" } else { "a number" }.into(),
        SchemaAtom::Text(_) => "a text".into(),
        SchemaAtom::List(_) => "a list".into(),
        SchemaAtom::Object(object) => match (tags(object).first(), required(object).as_slice()) {
            (Some((name, value)), _) => format!("`{{\"{name}\": {value}}}`"),
            (None, [name]) => format!("`{{\"{name}\": …}}`"),
            _ => "an object".into(),
        },
        SchemaAtom::Opaque(_) => "something intricate".into(),
    }
}

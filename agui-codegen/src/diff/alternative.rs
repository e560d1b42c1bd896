//! Relations between schema alternatives, and the alternatives' names in messages.

use serde_json::Value;

use super::atom::{Atom, Field, Object};

/// Returns true if the alternatives include both booleans.
pub(super) fn is_both(reader: &[Atom<'_>]) -> bool {
    let has = |wanted: bool| {
        reader.iter().any(|atom| matches!(atom, Atom::Const(Value::Bool(value)) if *value == wanted))
    };
    has(true) && has(false)
}

/// Returns true if two alternatives are versions of the same alternative.
pub(super) fn is_related(a: &Atom<'_>, b: &Atom<'_>) -> bool {
    match (a, b) {
        (Atom::Object(a), Atom::Object(b)) => match (tags(a), tags(b)) {
            (one, other) if one.is_empty() && other.is_empty() => required(a) == required(b),
            (one, other) => one == other,
        },
        (Atom::Number(_), Atom::Number(_))
        | (Atom::Text(_), Atom::Text(_))
        | (Atom::List(_), Atom::List(_)) => true,
        _ => false,
    }
}

/// Returns the members that are always present with one constant value.
fn tags<'a>(object: &Object<'a>) -> Vec<(&'a str, &'a Value)> {
    let tag = |field: &Field<'a>| {
        field
            .schema
            .iter()
            .filter(|_| field.required)
            .find_map(|schema| schema.get("const").filter(|c| c.is_string()))
    };
    object.fields.iter().filter_map(|(name, field)| Some((*name, tag(field)?))).collect()
}

fn required<'a>(object: &Object<'a>) -> Vec<&'a str> {
    object.fields.iter().filter(|(_, field)| field.required).map(|(name, _)| *name).collect()
}

/// Returns true if an alternative belongs to an enum.
pub(super) fn is_variant(atom: &Atom<'_>) -> bool {
    match atom {
        Atom::Const(value) => value.is_string(),
        Atom::Object(object) => !tags(object).is_empty() || required(object).len() == 1,
        _ => false,
    }
}

/// Describes an alternative for a message.
pub(super) fn described(atom: &Atom<'_>) -> String {
    match atom {
        Atom::Any => "any value".into(),
        Atom::Const(value) => format!("`{value}`"),
        Atom::Null => "`null`".into(),
        Atom::Bool => "true or false".into(),
        Atom::Number(range) => if range.whole { "a whole number" } else { "a number" }.into(),
        Atom::Text(_) => "a text".into(),
        Atom::List(_) => "a list".into(),
        Atom::Object(object) => match (tags(object).first(), required(object).as_slice()) {
            (Some((name, value)), _) => format!("`{{\"{name}\": {value}}}`"),
            (None, [name]) => format!("`{{\"{name}\": …}}`"),
            _ => "an object".into(),
        },
        Atom::Opaque(_) => "something intricate".into(),
    }
}

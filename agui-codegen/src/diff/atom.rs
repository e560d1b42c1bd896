//! A schema as a list of alternatives, one JSON kind each.
//!
//! A schema is a conjunction of keywords, and the comparison is about sets of values: so `$ref`, `allOf`, `anyOf`,
//! `oneOf` and the keywords beside them are multiplied out, one level deep. Object members and list items are expanded
//! only when compared, so recursive types need no special case.

use std::collections::BTreeMap;

use agui_runtime::manifest::definition_name;
use serde_json::{Map, Number, Value};

use crate::ir::SizedInteger;

/// The limit for alternatives; a schema with more is compared as a whole.
const MOST: usize = 256;

/// The limit for references that lead to each other; beyond this limit, a type is equal to itself only.
const DEPTH: usize = 64;

/// Schemas that all hold at once.
pub(super) type All<'a> = Vec<&'a Value>;

/// An alternative in a schema.
#[derive(Clone, Debug)]
pub(super) enum Atom<'a> {
    /// Any value.
    Any,
    /// This value.
    Const(&'a Value),
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number(Range<'a>),
    /// A string.
    Text(Text<'a>),
    /// A list.
    List(List<'a>),
    /// An object.
    Object(Object<'a>),
    /// A schema that is only known to be equal to itself.
    Opaque(&'a Value),
}

/// A number range.
#[derive(Clone, Debug, Default)]
pub(super) struct Range<'a> {
    pub(super) whole: bool,
    /// The least value; true if the bound is exclusive.
    pub(super) min: Option<(f64, bool)>,
    /// The greatest value; true if the bound is exclusive.
    pub(super) max: Option<(f64, bool)>,
    pub(super) others: Others<'a>,
}

/// String constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct Text<'a> {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) others: Others<'a>,
}

/// List constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct List<'a> {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) places: Vec<All<'a>>,
    /// The items after the positional items.
    pub(super) rest: All<'a>,
    pub(super) others: Others<'a>,
}

/// Object constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct Object<'a> {
    pub(super) fields: BTreeMap<&'a str, Field<'a>>,
    pub(super) extra: Extra<'a>,
    pub(super) others: Others<'a>,
}

/// A named member.
#[derive(Clone, Debug, Default)]
pub(super) struct Field<'a> {
    pub(super) schema: All<'a>,
    pub(super) required: bool,
}

/// The members without a declared name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Extra<'a> {
    /// Unknown members, which have no meaning.
    #[default]
    Open,
    /// No other members.
    Closed,
    /// Data members, whose keys match the pattern if there is one.
    Typed(Option<&'a str>, All<'a>),
}

/// Keywords that are compared literally: `pattern`, `multipleOf`, a string's `format`, the schema in `not`.
pub(super) type Others<'a> = BTreeMap<&'a str, &'a Value>;

/// The named types for one manifest and one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definitions<'a>(pub(super) &'a Map<String, Value>);

static TRUE: Value = Value::Bool(true);
static FALSE: Value = Value::Bool(false);

impl<'a> Definitions<'a> {
    /// Returns the alternatives for values that satisfy all `schemas`. An empty list means that no value satisfies all.
    pub(super) fn atoms(self, schemas: &All<'a>) -> Vec<Atom<'a>> {
        schemas
            .iter()
            .fold(vec![Atom::Any], |atoms, schema| both(&atoms, &self.of(schema, &mut Vec::new()), schema))
    }

    /// Returns the alternatives for `schema`, which is inside every schema in `open`. A schema that contains itself is
    /// equal to itself only.
    fn of(self, schema: &'a Value, open: &mut Vec<&'a Value>) -> Vec<Atom<'a>> {
        let is_open = |schema| open.iter().any(|outer| std::ptr::eq(*outer, schema));
        let object = match schema {
            Value::Bool(true) => return vec![Atom::Any],
            Value::Object(object) if open.len() < DEPTH && !is_open(schema) => object,
            Value::Object(_) => return vec![Atom::Opaque(schema)],
            _ => return Vec::new(),
        };
        match object.get("not") {
            Some(Value::Bool(true)) => return Vec::new(),
            Some(Value::Object(not)) if not.is_empty() => return Vec::new(),
            _ => {}
        }
        open.push(schema);
        let mut atoms = vec![Atom::Any];
        if let Some(name) = object.get("$ref").and_then(Value::as_str).and_then(definition_name) {
            let target = self.0.get(name.as_ref()).map_or_else(Vec::new, |target| self.of(target, open));
            atoms = both(&atoms, &target, schema);
        }
        for part in list(object.get("allOf")) {
            atoms = both(&atoms, &self.of(part, open), schema);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(parts)) = object.get(keyword) {
                let alternatives: Vec<_> = parts.iter().flat_map(|part| self.of(part, open)).collect();
                atoms = both(&atoms, &alternatives, schema);
            }
        }
        open.pop();
        atoms = both(&atoms, &own(object), schema);
        // This keyword sees the members from all parts, so the whole result is closed.
        if let Some(left) = object.get("unevaluatedProperties") {
            for atom in &mut atoms {
                if let Atom::Object(object) = atom
                    && object.extra == Extra::Open
                {
                    object.extra = extra(left);
                }
            }
        }
        atoms
    }
}

/// Returns the alternatives that a schema's own keywords allow.
fn own(object: &Map<String, Value>) -> Vec<Atom<'_>> {
    if let Some(value) = object.get("const") {
        return vec![Atom::Const(value)];
    }
    if let Some(Value::Array(values)) = object.get("enum") {
        return values.iter().map(Atom::Const).collect();
    }
    match object.get("type") {
        Some(Value::String(name)) => typed(name, object).into_iter().collect(),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).filter_map(|name| typed(name, object)).collect()
        }
        _ if object.contains_key("properties") || object.contains_key("required") => {
            typed("object", object).into_iter().collect()
        }
        _ => vec![Atom::Any],
    }
}

fn typed<'a>(name: &str, object: &'a Map<String, Value>) -> Option<Atom<'a>> {
    let others = |keywords: &[&'static str]| {
        keywords.iter().filter_map(|keyword| Some((*keyword, object.get(*keyword)?))).collect::<Others<'a>>()
    };
    let count = |keyword: &str| object.get(keyword).and_then(Value::as_u64);
    Some(match name {
        "null" => Atom::Null,
        "boolean" => Atom::Bool,
        "integer" | "number" => {
            Atom::Number(range(name == "integer", object, others(&["multipleOf", "not"])))
        }
        "string" => Atom::Text(Text {
            min: count("minLength").unwrap_or(0),
            max: count("maxLength"),
            others: others(&["pattern", "format", "contentEncoding", "not"]),
        }),
        "array" => Atom::List(List {
            min: count("minItems").unwrap_or(0),
            max: count("maxItems"),
            places: list(object.get("prefixItems")).map(|place| vec![place]).collect(),
            rest: vec![object.get("items").unwrap_or(&TRUE)],
            others: others(&["uniqueItems", "not"]),
        }),
        "object" => {
            let required: Vec<&str> = list(object.get("required")).filter_map(Value::as_str).collect();
            let mut fields: BTreeMap<&str, Field<'_>> = BTreeMap::new();
            if let Some(Value::Object(properties)) = object.get("properties") {
                for (name, schema) in properties {
                    fields.insert(name, Field { schema: vec![schema], required: false });
                }
            }
            for name in required {
                fields
                    .entry(name)
                    .or_insert_with(|| Field { schema: vec![&TRUE], required: true })
                    .required = true;
            }
            let keyed =
                object.get("patternProperties").and_then(Value::as_object).and_then(|p| p.iter().next());
            let extra = match (keyed, object.get("additionalProperties")) {
                (Some((pattern, schema)), _) => Extra::Typed(Some(pattern), vec![schema]),
                (None, Some(left)) => extra(left),
                (None, None) => Extra::Open,
            };
            Atom::Object(Object { fields, extra, others: others(&["minProperties", "maxProperties", "not"]) })
        }
        _ => return None,
    })
}

fn extra(schema: &Value) -> Extra<'_> {
    if *schema == FALSE { Extra::Closed } else { Extra::Typed(None, vec![schema]) }
}

fn range<'a>(whole: bool, object: &Map<String, Value>, others: Others<'a>) -> Range<'a> {
    let number = |keyword: &str| object.get(keyword).and_then(Value::as_number).and_then(Number::as_f64);
    let integer = object.get("format").and_then(Value::as_str).and_then(SizedInteger::of);
    let (least, greatest) =
        integer.map(|integer| (integer.least() as f64, integer.greatest() as f64)).unzip();
    let bound = |inclusive: Option<f64>, exclusive: Option<f64>, format: Option<f64>, upper: bool| {
        let all = [inclusive.map(|n| (n, false)), exclusive.map(|n| (n, true)), format.map(|n| (n, false))];
        all.into_iter().flatten().reduce(|a, b| tighter(a, b, upper))
    };
    Range {
        whole,
        min: bound(number("minimum"), number("exclusiveMinimum"), least, false),
        max: bound(number("maximum"), number("exclusiveMaximum"), greatest, true),
        others,
    }
}

/// Returns the stricter bound.
fn tighter(a: (f64, bool), b: (f64, bool), upper: bool) -> (f64, bool) {
    if a.0 == b.0 {
        return (a.0, a.1 || b.1);
    }
    if (a.0 < b.0) == upper { a } else { b }
}

/// Returns the alternatives for values that satisfy an alternative in `a` and an alternative in `b`.
fn both<'a>(a: &[Atom<'a>], b: &[Atom<'a>], whole: &'a Value) -> Vec<Atom<'a>> {
    let (only_a, only_b) = (matches!(a, [Atom::Any]), matches!(b, [Atom::Any]));
    if only_a || only_b {
        return if only_a { b } else { a }.to_vec();
    }
    if a.len().saturating_mul(b.len()) > MOST {
        return vec![Atom::Opaque(whole)];
    }
    a.iter().flat_map(|one| b.iter().filter_map(move |other| meet(one, other, whole))).collect()
}

fn meet<'a>(a: &Atom<'a>, b: &Atom<'a>, whole: &'a Value) -> Option<Atom<'a>> {
    match (a, b) {
        (Atom::Any, atom) | (atom, Atom::Any) => Some(atom.clone()),
        (Atom::Const(one), Atom::Const(other)) => (one == other).then(|| a.clone()),
        (
            Atom::Const(value),
            Atom::Null | Atom::Bool | Atom::Number(_) | Atom::Text(_) | Atom::List(_) | Atom::Object(_),
        ) => is_kind(value, b).then(|| a.clone()),
        (_, Atom::Const(_)) => meet(b, a, whole),
        (Atom::Null, Atom::Null) | (Atom::Bool, Atom::Bool) => Some(a.clone()),
        (Atom::Object(one), Atom::Object(other)) => meet_objects(one, other).map(Atom::Object),
        (Atom::Opaque(_), _) | (_, Atom::Opaque(_)) => Some(Atom::Opaque(whole)),
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => Some(Atom::Opaque(whole)),
        _ => None,
    }
}

/// Returns true if a constant has an alternative's JSON kind, regardless of other constraints.
fn is_kind(value: &Value, atom: &Atom<'_>) -> bool {
    match atom {
        Atom::Null => value.is_null(),
        Atom::Bool => value.is_boolean(),
        Atom::Number(_) => value.is_number(),
        Atom::Text(_) => value.is_string(),
        Atom::List(_) => value.is_array(),
        Atom::Object(_) => value.is_object(),
        Atom::Any | Atom::Const(_) | Atom::Opaque(_) => true,
    }
}

fn meet_objects<'a>(a: &Object<'a>, b: &Object<'a>) -> Option<Object<'a>> {
    let mut fields: BTreeMap<&'a str, Field<'a>> = BTreeMap::new();
    for (one, other) in [(a, b), (b, a)] {
        for (name, field) in &one.fields {
            let entry = fields.entry(name).or_default();
            entry.required |= field.required;
            entry.schema.extend(&field.schema);
            if !other.fields.contains_key(name) {
                match &other.extra {
                    Extra::Open => {}
                    // One side requires a member that the other side forbids: no object satisfies both.
                    Extra::Closed if field.required => return None,
                    Extra::Closed => entry.schema.push(&FALSE),
                    Extra::Typed(_, schema) => entry.schema.extend(schema),
                }
            }
        }
    }
    let extra = match (&a.extra, &b.extra) {
        (Extra::Closed, _) | (_, Extra::Closed) => Extra::Closed,
        (Extra::Open, extra) | (extra, Extra::Open) => extra.clone(),
        (Extra::Typed(one, a), Extra::Typed(other, b)) => {
            let pattern = if one == other { *one } else { one.or(*other) };
            Extra::Typed(pattern, a.iter().chain(b).copied().collect())
        }
    };
    let others = a.others.iter().chain(&b.others).map(|(keyword, value)| (*keyword, *value)).collect();
    Some(Object { fields, extra, others })
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

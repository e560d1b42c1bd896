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
pub(super) type SchemaConjunction<'a> = Vec<&'a Value>;

/// An alternative in a schema.
#[derive(Clone, Debug)]
pub(super) enum SchemaAtom<'a> {
    /// Any value.
    Any,
    /// This value.
    Const(&'a Value),
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number(NumberConstraints<'a>),
    /// A string.
    Text(StringConstraints<'a>),
    /// A list.
    List(ArrayConstraints<'a>),
    /// An object.
    Object(ObjectConstraints<'a>),
    /// A schema that is only known to be equal to itself.
    Opaque(&'a Value),
}

/// A number range.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberConstraints<'a> {
    pub(super) whole: bool,
    /// The least value; true if the bound is exclusive.
    pub(super) min: Option<(f64, bool)>,
    /// The greatest value; true if the bound is exclusive.
    pub(super) max: Option<(f64, bool)>,
    pub(super) others: OtherKeywords<'a>,
}

/// String constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct StringConstraints<'a> {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) others: OtherKeywords<'a>,
}

/// List constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct ArrayConstraints<'a> {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) places: Vec<SchemaConjunction<'a>>,
    /// The items after the positional items.
    pub(super) rest: SchemaConjunction<'a>,
    pub(super) others: OtherKeywords<'a>,
}

/// Object constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectConstraints<'a> {
    pub(super) fields: BTreeMap<&'a str, PropertyConstraints<'a>>,
    pub(super) extra: UnknownProperties<'a>,
    pub(super) others: OtherKeywords<'a>,
}

/// A named member.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertyConstraints<'a> {
    pub(super) schema: SchemaConjunction<'a>,
    pub(super) required: bool,
}

/// The members without a declared name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum UnknownProperties<'a> {
    /// Unknown members, which have no meaning.
    #[default]
    Open,
    /// No other members.
    Closed,
    /// Data members, whose keys match the pattern if there is one.
    Typed(Option<&'a str>, SchemaConjunction<'a>),
}

/// Keywords that are compared literally: `pattern`, `multipleOf`, a string's `format`, the schema in `not`.
pub(super) type OtherKeywords<'a> = BTreeMap<&'a str, &'a Value>;

/// The named types for one manifest and one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeDefinitions<'a>(pub(super) &'a Map<String, Value>);

static TRUE: Value = Value::Bool(true);
static FALSE: Value = Value::Bool(false);

impl<'a> TypeDefinitions<'a> {
    /// Returns the alternatives for values that satisfy all `schemas`. An empty list means that no value satisfies all.
    pub(super) fn atoms(self, schemas: &SchemaConjunction<'a>) -> Vec<SchemaAtom<'a>> {
        schemas.iter().fold(vec![SchemaAtom::Any], |atoms, schema| {
            both(&atoms, &self.alternatives(schema, &mut Vec::new()), schema)
        })
    }

    /// Returns the alternatives for `schema`, which is inside every schema in `open`. A schema that contains itself is
    /// equal to itself only.
    fn alternatives(self, schema: &'a Value, open: &mut Vec<&'a Value>) -> Vec<SchemaAtom<'a>> {
        let is_open = |schema| open.iter().any(|outer| std::ptr::eq(*outer, schema));
        let object = match schema {
            Value::Bool(true) => return vec![SchemaAtom::Any],
            Value::Object(object) if open.len() < DEPTH && !is_open(schema) => object,
            Value::Object(_) => return vec![SchemaAtom::Opaque(schema)],
            _ => return Vec::new(),
        };
        match object.get("not") {
            Some(Value::Bool(true)) => return Vec::new(),
            Some(Value::Object(not)) if not.is_empty() => return Vec::new(),
            _ => {}
        }
        open.push(schema);
        let mut atoms = vec![SchemaAtom::Any];
        if let Some(name) = object.get("$ref").and_then(Value::as_str).and_then(definition_name) {
            let target =
                self.0.get(name.as_ref()).map_or_else(Vec::new, |target| self.alternatives(target, open));
            atoms = both(&atoms, &target, schema);
        }
        for part in list(object.get("allOf")) {
            atoms = both(&atoms, &self.alternatives(part, open), schema);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(parts)) = object.get(keyword) {
                let alternatives: Vec<_> =
                    parts.iter().flat_map(|part| self.alternatives(part, open)).collect();
                atoms = both(&atoms, &alternatives, schema);
            }
        }
        open.pop();
        atoms = both(&atoms, &own(object), schema);
        // This keyword sees the members from all parts, so the whole result is closed.
        if let Some(left) = object.get("unevaluatedProperties") {
            for atom in &mut atoms {
                if let SchemaAtom::Object(object) = atom
                    && object.extra == UnknownProperties::Open
                {
                    object.extra = extra(left);
                }
            }
        }
        atoms
    }
}

/// Returns the alternatives that a schema's own keywords allow.
fn own(object: &Map<String, Value>) -> Vec<SchemaAtom<'_>> {
    if let Some(value) = object.get("const") {
        return vec![SchemaAtom::Const(value)];
    }
    if let Some(Value::Array(values)) = object.get("enum") {
        return values.iter().map(SchemaAtom::Const).collect();
    }
    match object.get("type") {
        Some(Value::String(name)) => typed(name, object).into_iter().collect(),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).filter_map(|name| typed(name, object)).collect()
        }
        _ if object.contains_key("properties") || object.contains_key("required") => {
            typed("object", object).into_iter().collect()
        }
        _ => vec![SchemaAtom::Any],
    }
}

fn typed<'a>(name: &str, object: &'a Map<String, Value>) -> Option<SchemaAtom<'a>> {
    let others = |keywords: &[&'static str]| {
        keywords
            .iter()
            .filter_map(|keyword| Some((*keyword, object.get(*keyword)?)))
            .collect::<OtherKeywords<'a>>()
    };
    let count = |keyword: &str| object.get(keyword).and_then(Value::as_u64);
    Some(match name {
        "null" => SchemaAtom::Null,
        "boolean" => SchemaAtom::Bool,
        "integer" | "number" => {
            SchemaAtom::Number(range(name == "integer", object, others(&["multipleOf", "not"])))
        }
        "string" => SchemaAtom::Text(StringConstraints {
            min: count("minLength").unwrap_or(0),
            max: count("maxLength"),
            others: others(&["pattern", "format", "contentEncoding", "not"]),
        }),
        "array" => SchemaAtom::List(ArrayConstraints {
            min: count("minItems").unwrap_or(0),
            max: count("maxItems"),
            places: list(object.get("prefixItems")).map(|place| vec![place]).collect(),
            rest: vec![object.get("items").unwrap_or(&TRUE)],
            others: others(&["uniqueItems", "not"]),
        }),
        "object" => SchemaAtom::Object(members(object, others(&["minProperties", "maxProperties", "not"]))),
        _ => return None,
    })
}

fn members<'a>(object: &'a Map<String, Value>, others: OtherKeywords<'a>) -> ObjectConstraints<'a> {
    let mut fields: BTreeMap<&str, PropertyConstraints<'_>> = BTreeMap::new();
    if let Some(Value::Object(properties)) = object.get("properties") {
        for (name, schema) in properties {
            fields.insert(name, PropertyConstraints { schema: vec![schema], required: false });
        }
    }
    for name in list(object.get("required")).filter_map(Value::as_str) {
        let unknown = || PropertyConstraints { schema: vec![&TRUE], required: true };
        fields.entry(name).or_insert_with(unknown).required = true;
    }
    let keyed = object.get("patternProperties").and_then(Value::as_object).and_then(|p| p.iter().next());
    let extra = match (keyed, object.get("additionalProperties")) {
        (Some((pattern, schema)), _) => UnknownProperties::Typed(Some(pattern), vec![schema]),
        (None, Some(left)) => extra(left),
        (None, None) => UnknownProperties::Open,
    };
    ObjectConstraints { fields, extra, others }
}

fn extra(schema: &Value) -> UnknownProperties<'_> {
    if *schema == FALSE { UnknownProperties::Closed } else { UnknownProperties::Typed(None, vec![schema]) }
}

fn range<'a>(whole: bool, object: &Map<String, Value>, others: OtherKeywords<'a>) -> NumberConstraints<'a> {
    let number = |keyword: &str| object.get(keyword).and_then(Value::as_number).and_then(Number::as_f64);
    let integer = object.get("format").and_then(Value::as_str).and_then(SizedInteger::of);
    let (least, greatest) =
        integer.map(|integer| (integer.least() as f64, integer.greatest() as f64)).unzip();
    let bound = |inclusive: Option<f64>, exclusive: Option<f64>, format: Option<f64>, upper: bool| {
        let all = [inclusive.map(|n| (n, false)), exclusive.map(|n| (n, true)), format.map(|n| (n, false))];
        all.into_iter().flatten().reduce(|a, b| tighter(a, b, upper))
    };
    NumberConstraints {
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
fn both<'a>(a: &[SchemaAtom<'a>], b: &[SchemaAtom<'a>], whole: &'a Value) -> Vec<SchemaAtom<'a>> {
    let (only_a, only_b) = (matches!(a, [SchemaAtom::Any]), matches!(b, [SchemaAtom::Any]));
    if only_a || only_b {
        return if only_a { b } else { a }.to_vec();
    }
    if a.len().saturating_mul(b.len()) > MOST {
        return vec![SchemaAtom::Opaque(whole)];
    }
    a.iter().flat_map(|one| b.iter().filter_map(move |other| meet(one, other, whole))).collect()
}

fn meet<'a>(a: &SchemaAtom<'a>, b: &SchemaAtom<'a>, whole: &'a Value) -> Option<SchemaAtom<'a>> {
    match (a, b) {
        (SchemaAtom::Any, atom) | (atom, SchemaAtom::Any) => Some(atom.clone()),
        (SchemaAtom::Const(one), SchemaAtom::Const(other)) => (one == other).then(|| a.clone()),
        (
            SchemaAtom::Const(value),
            SchemaAtom::Null
            | SchemaAtom::Bool
            | SchemaAtom::Number(_)
            | SchemaAtom::Text(_)
            | SchemaAtom::List(_)
            | SchemaAtom::Object(_),
        ) => is_kind(value, b).then(|| a.clone()),
        (_, SchemaAtom::Const(_)) => meet(b, a, whole),
        (SchemaAtom::Null, SchemaAtom::Null) | (SchemaAtom::Bool, SchemaAtom::Bool) => Some(a.clone()),
        (SchemaAtom::Object(one), SchemaAtom::Object(other)) => {
            meet_objects(one, other).map(SchemaAtom::Object)
        }
        (SchemaAtom::Opaque(_), _) | (_, SchemaAtom::Opaque(_)) => Some(SchemaAtom::Opaque(whole)),
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => Some(SchemaAtom::Opaque(whole)),
        _ => None,
    }
}

/// Returns true if a constant has an alternative's JSON kind, regardless of other constraints.
fn is_kind(value: &Value, atom: &SchemaAtom<'_>) -> bool {
    match atom {
        SchemaAtom::Null => value.is_null(),
        SchemaAtom::Bool => value.is_boolean(),
        SchemaAtom::Number(_) => value.is_number(),
        SchemaAtom::Text(_) => value.is_string(),
        SchemaAtom::List(_) => value.is_array(),
        SchemaAtom::Object(_) => value.is_object(),
        SchemaAtom::Any | SchemaAtom::Const(_) | SchemaAtom::Opaque(_) => true,
    }
}

fn meet_objects<'a>(a: &ObjectConstraints<'a>, b: &ObjectConstraints<'a>) -> Option<ObjectConstraints<'a>> {
    let mut fields: BTreeMap<&'a str, PropertyConstraints<'a>> = BTreeMap::new();
    for (one, other) in [(a, b), (b, a)] {
        for (name, field) in &one.fields {
            let entry = fields.entry(name).or_default();
            entry.required |= field.required;
            entry.schema.extend(&field.schema);
            if !other.fields.contains_key(name) {
                match &other.extra {
                    UnknownProperties::Open => {}
                    // One side requires a member that the other side forbids: no object satisfies both.
                    UnknownProperties::Closed if field.required => return None,
                    UnknownProperties::Closed => entry.schema.push(&FALSE),
                    UnknownProperties::Typed(_, schema) => entry.schema.extend(schema),
                }
            }
        }
    }
    let extra = match (&a.extra, &b.extra) {
        (UnknownProperties::Closed, _) | (_, UnknownProperties::Closed) => UnknownProperties::Closed,
        (UnknownProperties::Open, extra) | (extra, UnknownProperties::Open) => extra.clone(),
        (UnknownProperties::Typed(one, a), UnknownProperties::Typed(other, b)) => {
            let pattern = if one == other { *one } else { one.or(*other) };
            UnknownProperties::Typed(pattern, a.iter().chain(b).copied().collect())
        }
    };
    let others = a.others.iter().chain(&b.others).map(|(keyword, value)| (*keyword, *value)).collect();
    Some(ObjectConstraints { fields, extra, others })
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

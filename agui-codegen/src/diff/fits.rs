//! The test that every value for one schema satisfies another schema, with a path for each mismatch.
//!
//! The comparison is between two versions in one program's history, so only the members that a writer declares count.
//! If a reader constrains a member that the writer never mentions, that is not a mismatch.
//!
//! If a question cannot be decided, the result is a mismatch. Recursive types are assumed to fit during their own
//! comparison; a positive result that rests on an assumption is not cached.

use std::collections::{BTreeSet, HashMap};

use agui_runtime::manifest::definition_name;
use serde_json::{Map, Value};

use super::alternative::{described, is_both, is_related, is_variant};
use super::atom::{
    ArrayConstraints, NumberConstraints, ObjectConstraints, OtherKeywords, PropertyConstraints, SchemaAtom,
    SchemaConjunction, StringConstraints, TypeDefinitions, UnknownProperties,
};
use super::verdict::{ComparisonVerdict, SchemaMismatch};

/// The nesting limit; deeper types count as different.
const DEEPEST: usize = 400;

/// The schemas on both sides, identified by their memory addresses.
type AddressPair = (Vec<usize>, Vec<usize>);

/// A comparison between a writer's schemas and a reader's schemas.
pub(super) struct SchemaComparison<'a> {
    writer: TypeDefinitions<'a>,
    reader: TypeDefinitions<'a>,
    /// The types that are equal on both sides, including all types that they refer to.
    same: BTreeSet<&'a str>,
    /// The pairs whose comparison is not complete, outermost first.
    open: Vec<AddressPair>,
    done: HashMap<AddressPair, Vec<SchemaMismatch>>,
}

impl<'a> SchemaComparison<'a> {
    pub(super) fn new(writer: &'a Map<String, Value>, reader: &'a Map<String, Value>) -> Self {
        Self {
            writer: TypeDefinitions(writer),
            reader: TypeDefinitions(reader),
            same: same(writer, reader),
            open: Vec::new(),
            done: HashMap::new(),
        }
    }

    /// Returns the mismatches: values that the writer's schema allows and the reader's schema refuses. A type that was
    /// compared before gives one mismatch.
    pub(super) fn check(&mut self, writer: &'a Value, reader: &'a Value) -> Vec<SchemaMismatch> {
        self.compare(&vec![writer], &vec![reader]).found
    }

    fn compare(
        &mut self,
        writer: &SchemaConjunction<'a>,
        reader: &SchemaConjunction<'a>,
    ) -> ComparisonVerdict {
        if writer == reader && writer.iter().all(|schema| is_same(schema, &self.same)) {
            return ComparisonVerdict::fits();
        }
        let pair = (addresses(writer), addresses(reader));
        if let Some(found) = self.done.get(&pair) {
            return ComparisonVerdict { found: found.iter().take(1).cloned().collect(), low: usize::MAX };
        }
        if let Some(index) = self.open.iter().position(|open| *open == pair) {
            return ComparisonVerdict { found: Vec::new(), low: index };
        }
        if self.open.len() > DEEPEST {
            return ComparisonVerdict::no("is nested too deeply to be compared");
        }
        let index = self.open.len();
        self.open.push(pair.clone());
        let verdict = self.alternatives(&self.writer.atoms(writer), &self.reader.atoms(reader));
        self.open.pop();
        let is_certain = verdict.low >= index;
        if is_certain || !verdict.found.is_empty() {
            self.done.insert(pair, verdict.found.clone());
        }
        ComparisonVerdict { low: if is_certain { usize::MAX } else { verdict.low }, ..verdict }
    }

    fn alternatives(&mut self, writer: &[SchemaAtom<'a>], reader: &[SchemaAtom<'a>]) -> ComparisonVerdict {
        let mut verdict = ComparisonVerdict::fits();
        'each: for atom in writer {
            let mut related: Vec<ComparisonVerdict> = Vec::new();
            for other in reader {
                let attempt = self.atom(atom, other);
                if attempt.found.is_empty() {
                    verdict.add("", attempt);
                    continue 'each;
                }
                if reader.len() == 1 || is_related(atom, other) {
                    related.push(attempt);
                }
            }
            if matches!(atom, SchemaAtom::Bool) && is_both(reader) {
                continue;
            }
            match (related.pop(), related.is_empty()) {
                (Some(only), true) => verdict.add("", only),
                _ => verdict.found.push(SchemaMismatch {
                    is_new_variant: is_variant(atom) && reader.iter().any(is_variant),
                    ..SchemaMismatch::new(format!(
                        "{} is sent, which the reader does not know",
                        described(atom)
                    ))
                }),
            }
        }
        verdict
    }

    fn atom(&mut self, writer: &SchemaAtom<'a>, reader: &SchemaAtom<'a>) -> ComparisonVerdict {
        match (writer, reader) {
            (_, SchemaAtom::Any)
            | (SchemaAtom::Null, SchemaAtom::Null)
            | (SchemaAtom::Bool, SchemaAtom::Bool) => ComparisonVerdict::fits(),
            (SchemaAtom::Const(one), SchemaAtom::Const(other)) if one == other => ComparisonVerdict::fits(),
            (SchemaAtom::Const(value), reader) if takes(reader, value) => ComparisonVerdict::fits(),
            (SchemaAtom::Const(_), SchemaAtom::Const(_)) => ComparisonVerdict {
                found: vec![SchemaMismatch {
                    is_new_variant: true,
                    ..SchemaMismatch::new(format!(
                        "{} is sent, which the reader does not know",
                        described(writer)
                    ))
                }],
                low: usize::MAX,
            },
            (SchemaAtom::Number(writer), SchemaAtom::Number(reader)) => numbers(writer, reader),
            (SchemaAtom::Text(writer), SchemaAtom::Text(reader)) => texts(writer, reader),
            (SchemaAtom::List(writer), SchemaAtom::List(reader)) => self.lists(writer, reader),
            (SchemaAtom::Object(writer), SchemaAtom::Object(reader)) => self.objects(writer, reader),
            (SchemaAtom::Opaque(one), SchemaAtom::Opaque(other))
                if one == other && is_same(one, &self.same) =>
            {
                ComparisonVerdict::fits()
            }
            (SchemaAtom::Opaque(_), _) | (_, SchemaAtom::Opaque(_)) => {
                ComparisonVerdict::no("is too complex to be compared")
            }
            _ => ComparisonVerdict::no(format!(
                "{} is sent where {} is read",
                described(writer),
                described(reader)
            )),
        }
    }

    fn lists(&mut self, writer: &ArrayConstraints<'a>, reader: &ArrayConstraints<'a>) -> ComparisonVerdict {
        let mut verdict = others(&writer.others, &reader.others);
        if writer.min < reader.min {
            verdict.found.push(SchemaMismatch::new(format!("fewer than {} items may be sent", reader.min)));
        }
        if let Some(max) = reader.max.filter(|max| writer.max.is_none_or(|most| most > *max)) {
            verdict.found.push(SchemaMismatch::new(format!("more than {max} items may be sent")));
        }
        let places = writer.places.len().max(reader.places.len());
        let is_there =
            |index: usize| writer.max.is_none_or(|max| u64::try_from(index).is_ok_and(|i| i < max));
        for index in (0..places).filter(|index| is_there(*index)) {
            let one = writer.places.get(index).unwrap_or(&writer.rest);
            let other = reader.places.get(index).unwrap_or(&reader.rest);
            let inner = self.compare(one, other);
            verdict.add(&format!("[{index}]"), inner);
        }
        if is_there(places) {
            let inner = self.compare(&writer.rest, &reader.rest);
            verdict.add("[]", inner);
        }
        verdict
    }

    fn objects(
        &mut self,
        writer: &ObjectConstraints<'a>,
        reader: &ObjectConstraints<'a>,
    ) -> ComparisonVerdict {
        let mut verdict = others(&writer.others, &reader.others);
        for (name, field) in &reader.fields {
            let place = member(name);
            match writer.fields.get(name) {
                Some(sent) => {
                    if field.required && !sent.required {
                        let found = ComparisonVerdict::no("may be missing, and the reader needs it");
                        verdict.add(&place, found);
                    }
                    let inner = self.compare(&sent.schema, &field.schema);
                    verdict.add(&place, inner);
                }
                None if field.required => {
                    verdict.add(&place, ComparisonVerdict::no("is missing, and the reader needs it"));
                }
                None => {
                    if let UnknownProperties::Typed(_, schema) = &writer.extra {
                        let inner = self.compare(schema, &field.schema);
                        verdict.add(&place, inner);
                    }
                }
            }
        }
        for (name, field) in writer.fields.iter().filter(|(name, _)| !reader.fields.contains_key(*name)) {
            let inner = self.unnamed(name, field, &reader.extra);
            verdict.add(&member(name), inner);
        }
        let rest = match (&writer.extra, &reader.extra) {
            (UnknownProperties::Typed(..), UnknownProperties::Closed) => {
                ComparisonVerdict::no("members are sent that the reader does not name, and it refuses them")
            }
            (UnknownProperties::Typed(one, _), UnknownProperties::Typed(Some(other), _))
                if !is_narrower(*one, other) =>
            {
                ComparisonVerdict::no(format!("keys are sent that do not match `{other}`"))
            }
            (UnknownProperties::Typed(_, one), UnknownProperties::Typed(_, other)) => {
                self.compare(one, other)
            }
            _ => ComparisonVerdict::fits(),
        };
        verdict.add(".*", rest);
        verdict
    }

    /// Compares a member that the reader's schema does not name.
    fn unnamed(
        &mut self,
        name: &str,
        field: &PropertyConstraints<'a>,
        extra: &UnknownProperties<'a>,
    ) -> ComparisonVerdict {
        match extra {
            UnknownProperties::Open => ComparisonVerdict::fits(),
            // No value can be sent there.
            _ if self.writer.atoms(&field.schema).is_empty() => ComparisonVerdict::fits(),
            UnknownProperties::Closed => {
                ComparisonVerdict::no("is sent, and the reader refuses members it does not know")
            }
            UnknownProperties::Typed(Some(pattern), _) => {
                ComparisonVerdict::no(format!("`{name}` does not have to match `{pattern}`"))
            }
            UnknownProperties::Typed(None, schema) => self.compare(&field.schema, schema),
        }
    }
}

fn addresses(schemas: &SchemaConjunction<'_>) -> Vec<usize> {
    schemas.iter().map(|schema| std::ptr::from_ref(*schema).addr()).collect()
}

/// Returns the types that are equal on both sides and refer only to equal types.
fn same<'a>(writer: &'a Map<String, Value>, reader: &Map<String, Value>) -> BTreeSet<&'a str> {
    let mut same: BTreeSet<&str> = writer
        .iter()
        .filter(|(name, schema)| reader.get(*name) == Some(schema))
        .map(|(name, _)| name.as_str())
        .collect();
    loop {
        let different: Vec<&str> = same
            .iter()
            .filter(|name| writer.get(**name).is_some_and(|schema| !is_same(schema, &same)))
            .copied()
            .collect();
        if different.is_empty() {
            return same;
        }
        same.retain(|name| !different.contains(name));
    }
}

/// Returns true if every type that a schema refers to is equal on both sides.
fn is_same(schema: &Value, same: &BTreeSet<&str>) -> bool {
    match schema {
        Value::Object(object) => object.iter().all(|(keyword, value)| {
            let name = (keyword == "$ref").then(|| value.as_str().and_then(definition_name)).flatten();
            name.map_or_else(|| is_same(value, same), |name| same.contains(name.as_ref()))
        }),
        Value::Array(list) => list.iter().all(|value| is_same(value, same)),
        _ => true,
    }
}

fn numbers(writer: &NumberConstraints<'_>, reader: &NumberConstraints<'_>) -> ComparisonVerdict {
    let mut verdict = others(&writer.others, &reader.others);
    if reader.whole && !writer.whole {
        verdict.found.push(SchemaMismatch::new("a number that is not whole may be sent"));
    }
    for (one, other, upper) in [(writer.min, reader.min, false), (writer.max, reader.max, true)] {
        let Some((limit, excluded)) = other else { continue };
        let is_inside = one.is_some_and(|(bound, open)| {
            let inside = if upper { bound < limit } else { bound > limit };
            inside || (bound == limit && (open || !excluded))
        });
        if !is_inside {
            let than = if upper { "greater" } else { "less" };
            verdict.found.push(SchemaMismatch::new(format!("a number {than} than {limit} may be sent")));
        }
    }
    verdict
}

fn texts(writer: &StringConstraints<'_>, reader: &StringConstraints<'_>) -> ComparisonVerdict {
    let mut verdict = others(&writer.others, &reader.others);
    if writer.min < reader.min {
        verdict.found.push(SchemaMismatch::new(format!(
            "a string of less than {} characters may be sent",
            reader.min
        )));
    }
    if let Some(max) = reader.max.filter(|max| writer.max.is_none_or(|most| most > *max)) {
        verdict
            .found
            .push(SchemaMismatch::new(format!("a string of more than {max} characters may be sent")));
    }
    verdict
}

/// Compares keywords literally: the writer must promise each keyword that the reader requires.
fn others(writer: &OtherKeywords<'_>, reader: &OtherKeywords<'_>) -> ComparisonVerdict {
    let mut verdict = ComparisonVerdict::fits();
    for (keyword, value) in reader {
        if **value != Value::Bool(false) && writer.get(keyword) != Some(value) {
            verdict.found.push(SchemaMismatch::new(format!("the reader requires `{keyword}` to be {value}")));
        }
    }
    verdict
}

/// Returns true if every key that matches the pattern `one` also matches `other`.
fn is_narrower(one: Option<&str>, other: &str) -> bool {
    one == Some(other) || (one == Some(r"^\d+$") && other == r"^-?\d+$")
}

/// Returns true if an alternative allows a constant.
fn takes(atom: &SchemaAtom<'_>, value: &Value) -> bool {
    match (atom, value) {
        (SchemaAtom::Any, _) | (SchemaAtom::Null, Value::Null) | (SchemaAtom::Bool, Value::Bool(_)) => true,
        (SchemaAtom::Number(range), Value::Number(number)) => number.as_f64().is_some_and(|number| {
            let exact = NumberConstraints {
                whole: number.fract() == 0.0,
                min: Some((number, false)),
                max: Some((number, false)),
                ..NumberConstraints::default()
            };
            numbers(&exact, range).found.is_empty()
        }),
        (SchemaAtom::Text(text), Value::String(value)) => {
            let length = u64::try_from(value.chars().count()).unwrap_or(u64::MAX);
            let exact = StringConstraints { min: length, max: Some(length), ..StringConstraints::default() };
            texts(&exact, text).found.is_empty()
        }
        _ => false,
    }
}

/// Returns the path segment for an object member.
fn member(name: &str) -> String {
    if crate::names::is_identifier(name) { format!(".{name}") } else { format!("[{}]", Value::from(name)) }
}

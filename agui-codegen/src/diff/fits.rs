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
use super::atom::{All, Atom, Definitions, Extra, Field, List, Object, Others, Range, Text};
use super::verdict::{Mismatch, Verdict};

/// The nesting limit; deeper types count as different.
const DEEPEST: usize = 400;

/// The schemas on both sides, identified by their memory addresses.
type Pair = (Vec<usize>, Vec<usize>);

/// A comparison between a writer's schemas and a reader's schemas.
pub(super) struct Fits<'a> {
    writer: Definitions<'a>,
    reader: Definitions<'a>,
    /// The types that are equal on both sides, including all types that they refer to.
    same: BTreeSet<&'a str>,
    /// The pairs whose comparison is not complete, outermost first.
    open: Vec<Pair>,
    done: HashMap<Pair, Vec<Mismatch>>,
}

impl<'a> Fits<'a> {
    pub(super) fn new(writer: &'a Map<String, Value>, reader: &'a Map<String, Value>) -> Self {
        Self {
            writer: Definitions(writer),
            reader: Definitions(reader),
            same: same(writer, reader),
            open: Vec::new(),
            done: HashMap::new(),
        }
    }

    /// Returns the mismatches: values that the writer's schema allows and the reader's schema refuses. A type that was
    /// compared before gives one mismatch.
    pub(super) fn check(&mut self, writer: &'a Value, reader: &'a Value) -> Vec<Mismatch> {
        self.compare(&vec![writer], &vec![reader]).found
    }

    fn compare(&mut self, writer: &All<'a>, reader: &All<'a>) -> Verdict {
        if writer == reader && writer.iter().all(|schema| is_same(schema, &self.same)) {
            return Verdict::fits();
        }
        let pair = (addresses(writer), addresses(reader));
        if let Some(found) = self.done.get(&pair) {
            return Verdict { found: found.iter().take(1).cloned().collect(), low: usize::MAX };
        }
        if let Some(index) = self.open.iter().position(|open| *open == pair) {
            return Verdict { found: Vec::new(), low: index };
        }
        if self.open.len() > DEEPEST {
            return Verdict::no("is nested too deeply to be compared");
        }
        let index = self.open.len();
        self.open.push(pair.clone());
        let verdict = self.alternatives(&self.writer.atoms(writer), &self.reader.atoms(reader));
        self.open.pop();
        let is_certain = verdict.low >= index;
        if is_certain || !verdict.found.is_empty() {
            self.done.insert(pair, verdict.found.clone());
        }
        Verdict { low: if is_certain { usize::MAX } else { verdict.low }, ..verdict }
    }

    fn alternatives(&mut self, writer: &[Atom<'a>], reader: &[Atom<'a>]) -> Verdict {
        let mut verdict = Verdict::fits();
        'each: for atom in writer {
            let mut related: Vec<Verdict> = Vec::new();
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
            if matches!(atom, Atom::Bool) && is_both(reader) {
                continue;
            }
            match (related.pop(), related.is_empty()) {
                (Some(only), true) => verdict.add("", only),
                _ => verdict.found.push(Mismatch {
                    is_new_variant: is_variant(atom) && reader.iter().any(is_variant),
                    ..Mismatch::new(format!("{} is sent, which the reader does not know", described(atom)))
                }),
            }
        }
        verdict
    }

    fn atom(&mut self, writer: &Atom<'a>, reader: &Atom<'a>) -> Verdict {
        match (writer, reader) {
            (_, Atom::Any) | (Atom::Null, Atom::Null) | (Atom::Bool, Atom::Bool) => Verdict::fits(),
            (Atom::Const(one), Atom::Const(other)) if one == other => Verdict::fits(),
            (Atom::Const(value), reader) if takes(reader, value) => Verdict::fits(),
            (Atom::Const(_), Atom::Const(_)) => Verdict {
                found: vec![Mismatch {
                    is_new_variant: true,
                    ..Mismatch::new(format!("{} is sent, which the reader does not know", described(writer)))
                }],
                low: usize::MAX,
            },
            (Atom::Number(writer), Atom::Number(reader)) => numbers(writer, reader),
            (Atom::Text(writer), Atom::Text(reader)) => texts(writer, reader),
            (Atom::List(writer), Atom::List(reader)) => self.lists(writer, reader),
            (Atom::Object(writer), Atom::Object(reader)) => self.objects(writer, reader),
            (Atom::Opaque(one), Atom::Opaque(other)) if one == other && is_same(one, &self.same) => {
                Verdict::fits()
            }
            (Atom::Opaque(_), _) | (_, Atom::Opaque(_)) => Verdict::no("is too complex to be compared"),
            _ => Verdict::no(format!("{} is sent where {} is read", described(writer), described(reader))),
        }
    }

    fn lists(&mut self, writer: &List<'a>, reader: &List<'a>) -> Verdict {
        let mut verdict = others(&writer.others, &reader.others);
        if writer.min < reader.min {
            verdict.found.push(Mismatch::new(format!("fewer than {} items may be sent", reader.min)));
        }
        if let Some(max) = reader.max.filter(|max| writer.max.is_none_or(|most| most > *max)) {
            verdict.found.push(Mismatch::new(format!("more than {max} items may be sent")));
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

    fn objects(&mut self, writer: &Object<'a>, reader: &Object<'a>) -> Verdict {
        let mut verdict = others(&writer.others, &reader.others);
        for (name, field) in &reader.fields {
            let place = member(name);
            match writer.fields.get(name) {
                Some(sent) => {
                    if field.required && !sent.required {
                        let found = Verdict::no("may be missing, and the reader needs it");
                        verdict.add(&place, found);
                    }
                    let inner = self.compare(&sent.schema, &field.schema);
                    verdict.add(&place, inner);
                }
                None if field.required => {
                    verdict.add(&place, Verdict::no("is missing, and the reader needs it"));
                }
                None => {
                    if let Extra::Typed(_, schema) = &writer.extra {
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
            (Extra::Typed(..), Extra::Closed) => {
                Verdict::no("members are sent that the reader does not name, and it refuses them")
            }
            (Extra::Typed(one, _), Extra::Typed(Some(other), _)) if !is_narrower(*one, other) => {
                Verdict::no(format!("keys are sent that do not match `{other}`"))
            }
            (Extra::Typed(_, one), Extra::Typed(_, other)) => self.compare(one, other),
            _ => Verdict::fits(),
        };
        verdict.add(".*", rest);
        verdict
    }

    /// Compares a member that the reader's schema does not name.
    fn unnamed(&mut self, name: &str, field: &Field<'a>, extra: &Extra<'a>) -> Verdict {
        match extra {
            Extra::Open => Verdict::fits(),
            // No value can be sent there.
            _ if self.writer.atoms(&field.schema).is_empty() => Verdict::fits(),
            Extra::Closed => Verdict::no("is sent, and the reader refuses members it does not know"),
            Extra::Typed(Some(pattern), _) => {
                Verdict::no(format!("`{name}` does not have to match `{pattern}`"))
            }
            Extra::Typed(None, schema) => self.compare(&field.schema, schema),
        }
    }
}

fn addresses(schemas: &All<'_>) -> Vec<usize> {
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

fn numbers(writer: &Range<'_>, reader: &Range<'_>) -> Verdict {
    let mut verdict = others(&writer.others, &reader.others);
    if reader.whole && !writer.whole {
        verdict.found.push(Mismatch::new("a number that is not whole may be sent"));
    }
    for (one, other, upper) in [(writer.min, reader.min, false), (writer.max, reader.max, true)] {
        let Some((limit, excluded)) = other else { continue };
        let is_inside = one.is_some_and(|(bound, open)| {
            let inside = if upper { bound < limit } else { bound > limit };
            inside || (bound == limit && (open || !excluded))
        });
        if !is_inside {
            let than = if upper { "greater" } else { "less" };
            verdict.found.push(Mismatch::new(format!("a number {than} than {limit} may be sent")));
        }
    }
    verdict
}

fn texts(writer: &Text<'_>, reader: &Text<'_>) -> Verdict {
    let mut verdict = others(&writer.others, &reader.others);
    if writer.min < reader.min {
        verdict
            .found
            .push(Mismatch::new(format!("a string of less than {} characters may be sent", reader.min)));
    }
    if let Some(max) = reader.max.filter(|max| writer.max.is_none_or(|most| most > *max)) {
        verdict.found.push(Mismatch::new(format!("a string of more than {max} characters may be sent")));
    }
    verdict
}

/// Compares keywords literally: the writer must promise each keyword that the reader requires.
fn others(writer: &Others<'_>, reader: &Others<'_>) -> Verdict {
    let mut verdict = Verdict::fits();
    for (keyword, value) in reader {
        if **value != Value::Bool(false) && writer.get(keyword) != Some(value) {
            verdict.found.push(Mismatch::new(format!("the reader requires `{keyword}` to be {value}")));
        }
    }
    verdict
}

/// Returns true if every key that matches the pattern `one` also matches `other`.
fn is_narrower(one: Option<&str>, other: &str) -> bool {
    one == Some(other) || (one == Some(r"^\d+$") && other == r"^-?\d+$")
}

/// Returns true if an alternative allows a constant.
fn takes(atom: &Atom<'_>, value: &Value) -> bool {
    match (atom, value) {
        (Atom::Any, _) | (Atom::Null, Value::Null) | (Atom::Bool, Value::Bool(_)) => true,
        (Atom::Number(range), Value::Number(number)) => number.as_f64().is_some_and(|number| {
            let exact = Range {
                whole: number.fract() == 0.0,
                min: Some((number, false)),
                max: Some((number, false)),
                ..Range::default()
            };
            numbers(&exact, range).found.is_empty()
        }),
        (Atom::Text(text), Value::String(value)) => {
            let length = u64::try_from(value.chars().count()).unwrap_or(u64::MAX);
            let exact = Text { min: length, max: Some(length), ..Text::default() };
            texts(&exact, text).found.is_empty()
        }
        _ => false,
    }
}

/// Returns the path segment for an object member.
fn member(name: &str) -> String {
    if crate::names::is_identifier(name) { format!(".{name}") } else { format!("[{}]", Value::from(name)) }
}

//! One schema to one [`Type`].
//!
//! A schema object is a conjunction: its own `type` and `properties`, and each `$ref`, `anyOf`, `oneOf` and member of
//! `allOf` beside them. Most have one part. Several parts must all describe objects, as serde's `flatten` and the
//! newtype variants of internally tagged enums do.

use std::collections::BTreeSet;
use std::fmt::Arguments;

use agui_runtime::manifest::definition_name;
use serde_json::{Map, Value};

use super::keyword::{Role, role};
use super::problem::Problem;
use super::union::union;
use crate::ir::{Bounds, Doc, EnumValue, Extra, Literal, Object, SizedInteger, Text, Type, Variant};

/// Lowers the schemas of one direction.
pub(super) struct Lowering<'a> {
    /// The named types of the direction.
    definitions: &'a Map<String, Value>,
    /// The owner of the schema that is being lowered, for messages.
    owner: String,
    pub(super) problems: Vec<Problem>,
    /// The places of integers that a JavaScript number may round.
    pub(super) wide_integers: Vec<String>,
    /// The keywords that were ignored because JSON Schema does not have them.
    pub(super) ignored: BTreeSet<String>,
    /// True if problems are dropped.
    is_trial: bool,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(definitions: &'a Map<String, Value>) -> Self {
        Self {
            definitions,
            owner: String::new(),
            problems: Vec::new(),
            wide_integers: Vec::new(),
            ignored: BTreeSet::new(),
            is_trial: false,
        }
    }

    /// Lowers a whole schema; messages call it `owner`.
    pub(super) fn lower(&mut self, schema: &Value, owner: &str) -> (Type, Doc) {
        owner.clone_into(&mut self.owner);
        (self.schema(schema, format_args!("")), doc(schema))
    }

    /// Adds a problem. Places are format arguments, because nearly all of them are never printed.
    pub(super) fn problem(&mut self, path: Arguments<'_>, message: impl Into<String>) -> Type {
        let problem = Problem { owner: self.owner.clone(), path: path.to_string(), message: message.into() };
        self.problems.push(problem);
        Type::Never
    }

    pub(super) fn schema(&mut self, schema: &Value, path: Arguments<'_>) -> Type {
        match schema {
            Value::Bool(true) => Type::Any,
            Value::Bool(false) => Type::Never,
            Value::Object(object) => self.object_schema(object, path),
            _ => self.problem(path, "is not a schema: expected an object or a boolean"),
        }
    }

    fn object_schema(&mut self, object: &Map<String, Value>, path: Arguments<'_>) -> Type {
        for keyword in object.keys() {
            match role(keyword) {
                Role::Foreign => drop(self.ignored.insert(keyword.clone())),
                Role::Unsupported => return self.unsupported(keyword, path),
                Role::Annotation | Role::Constraint | Role::Structure => {}
            }
        }
        match object.get("not") {
            Some(Value::Bool(true)) => return Type::Never,
            Some(Value::Object(not)) if not.is_empty() => return Type::Never,
            Some(Value::Object(not)) if not.keys().all(|key| key == "const" || key == "enum") => {}
            None => {}
            Some(_) => {
                return self.problem(format_args!("{path}/not"), "`not` is supported only with constants");
            }
        }
        let mut parts = Vec::new();
        if let Some(reference) = object.get("$ref") {
            parts.push(self.reference(reference, path));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let Some(value) = object.get(keyword) else { continue };
            let Value::Array(list) = value else {
                return self.problem(format_args!("{path}/{keyword}"), "expected a list of schemas");
            };
            if keyword == "allOf" {
                for (index, inner) in list.iter().enumerate() {
                    parts.push(self.schema(inner, format_args!("{path}/{keyword}/{index}")));
                }
            } else {
                let variants = list.iter().enumerate().map(|(index, inner)| Variant {
                    ty: self.schema(inner, format_args!("{path}/{keyword}/{index}")),
                    doc: doc(inner),
                });
                let variants = variants.collect();
                parts.push(union(variants));
            }
        }
        if parts.is_empty() { self.base(object, path) } else { self.conjunction(object, parts, path) }
    }

    fn unsupported(&mut self, keyword: &str, path: Arguments<'_>) -> Type {
        let message = format!(
            "the keyword `{keyword}` is not supported: describe the type with \
             `#[schemars(with = \"…\")]` as one that serde and schemars agree on"
        );
        self.problem(format_args!("{path}/{keyword}"), message)
    }

    /// The named type that a `$ref` refers to.
    fn reference(&mut self, reference: &Value, path: Arguments<'_>) -> Type {
        let name = reference.as_str().and_then(definition_name);
        match name.filter(|name| self.definitions.contains_key(name.as_ref())) {
            Some(name) => Type::Ref(name.into_owned()),
            None => self.problem(
                format_args!("{path}/$ref"),
                format!("{reference} refers to a type that is not in the manifest"),
            ),
        }
    }

    /// `object`'s own keywords, together with the parts beside them.
    fn conjunction(
        &mut self,
        object: &Map<String, Value>,
        mut parts: Vec<Type>,
        path: Arguments<'_>,
    ) -> Type {
        let says_object = object.get("type").and_then(Value::as_str) == Some("object");
        let has_own = object.keys().any(|key| {
            !matches!(key.as_str(), "$ref" | "allOf" | "anyOf" | "oneOf" | "type" | "not")
                && role(key) == Role::Structure
        });
        if object.contains_key("type") && !says_object {
            return self.problem(path, "only an object can be combined with another schema");
        }
        if parts.len() == 1 && !has_own && !says_object {
            return parts.pop().unwrap_or(Type::Any);
        }
        if has_own {
            if object.contains_key("additionalProperties") {
                let message = "`additionalProperties` beside another schema contradicts it: \
                               use `unevaluatedProperties`";
                return self.problem(format_args!("{path}/additionalProperties"), message);
            }
            let own = self.object(object, path);
            parts.insert(0, own);
        }
        let mut kept = Vec::new();
        for part in parts {
            match open_alternatives(part) {
                Type::Any => {}
                part => {
                    let is_own = has_own && kept.is_empty();
                    if !self.is_trial
                        && let Err(message) = self.check_part(&part, is_own, &mut BTreeSet::new())
                    {
                        return self.problem(path, message);
                    }
                    kept.push(part);
                }
            }
        }
        match kept.len() {
            0 if says_object => Type::Object(Object { fields: Vec::new(), extra: Extra::Open }),
            0 => Type::Any,
            1 => kept.pop().unwrap_or(Type::Any),
            _ => Type::Intersection(kept),
        }
    }

    /// Checks that `part` is an object that allows the members of other parts. `own` is true for the keywords beside
    /// the parts, whose `unevaluatedProperties` see all parts; `seen` are the types that were checked.
    fn check_part(&self, part: &Type, own: bool, seen: &mut BTreeSet<String>) -> Result<(), &'static str> {
        match part {
            Type::Object(Object { extra: Extra::Open, .. }) => Ok(()),
            Type::Object(_) if own => Ok(()),
            Type::Object(_) => Err("an object that says what other members it may have cannot be combined"),
            Type::Map(_) => Err("a map cannot be combined with another schema"),
            Type::Union(union) => {
                union.variants.iter().try_for_each(|variant| self.check_part(&variant.ty, false, seen))
            }
            Type::Intersection(parts) => parts.iter().try_for_each(|part| self.check_part(part, false, seen)),
            Type::Ref(name) if seen.insert(name.clone()) => {
                let Some(schema) = self.definitions.get(name) else { return Ok(()) };
                // Its own problems are reported at its own place.
                let mut aside = Lowering { is_trial: true, ..Lowering::new(self.definitions) };
                let target = aside.schema(schema, format_args!(""));
                self.check_part(&target, false, seen)
            }
            Type::Ref(_) => Ok(()),
            Type::Never => Ok(()),
            _ => Err("only objects can be combined: one of the schemas is not an object"),
        }
    }

    /// Lowers a schema by its own keywords alone.
    fn base(&mut self, object: &Map<String, Value>, path: Arguments<'_>) -> Type {
        if let Some(value) = object.get("const") {
            return self.constants(std::slice::from_ref(value), format_args!("{path}/const"));
        }
        if let Some(values) = object.get("enum") {
            return match values {
                Value::Array(values) => self.constants(values, format_args!("{path}/enum")),
                _ => self.problem(format_args!("{path}/enum"), "expected a list"),
            };
        }
        match object.get("type") {
            Some(Value::String(name)) => self.typed(name, object, path),
            Some(Value::Array(names)) => {
                let variants = names.iter().map(|name| Variant {
                    ty: match name.as_str() {
                        Some(name) => self.typed(name, object, path),
                        None => self.problem(format_args!("{path}/type"), "expected the name of a type"),
                    },
                    doc: Doc::default(),
                });
                let variants = variants.collect();
                union(variants)
            }
            Some(_) => self.problem(format_args!("{path}/type"), "expected the name of a type"),
            None => match object.keys().find(|key| !matches!(role(key), Role::Annotation | Role::Foreign)) {
                Some(keyword) => {
                    let message = format!("`{keyword}` without `type`");
                    self.problem(path, message)
                }
                None => Type::Any,
            },
        }
    }

    fn typed(&mut self, name: &str, object: &Map<String, Value>, path: Arguments<'_>) -> Type {
        match name {
            "null" => Type::Null,
            "boolean" => Type::Bool,
            "string" => Type::String(Text {
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

    fn constants(&mut self, values: &[Value], path: Arguments<'_>) -> Type {
        let mut variants = Vec::new();
        for value in values {
            let ty = match value {
                Value::Null => Type::Null,
                Value::Bool(bool) => Type::Literal(Literal::Bool(*bool)),
                Value::String(text) => Type::Literal(Literal::String(text.clone())),
                Value::Number(number) => match number.as_i64() {
                    Some(integer) => Type::Literal(Literal::Integer(integer)),
                    None => {
                        return self.problem(path, format!("the constant {number} is not a whole number"));
                    }
                },
                other => {
                    return self
                        .problem(path, format!("the constant {other} is neither a string nor a number"));
                }
            };
            variants.push(Variant { ty, doc: Doc::default() });
        }
        union(variants)
    }
}

/// In a conjunction of objects, `{}` among alternatives means an object without constraints.
fn open_alternatives(part: Type) -> Type {
    match part {
        Type::Union(mut union) => {
            for variant in &mut union.variants {
                variant.ty = match open_alternatives(std::mem::replace(&mut variant.ty, Type::Any)) {
                    Type::Any => Type::Object(Object { fields: Vec::new(), extra: Extra::Open }),
                    ty => ty,
                };
            }
            Type::Union(union)
        }
        other => other,
    }
}

fn bounds(object: &Map<String, Value>) -> Bounds {
    let number = |name: &str| object.get(name).and_then(Value::as_number).cloned();
    Bounds {
        format: object.get("format").and_then(Value::as_str).map(str::to_owned),
        minimum: number("minimum"),
        maximum: number("maximum"),
        above: number("exclusiveMinimum"),
        below: number("exclusiveMaximum"),
        step: number("multipleOf"),
    }
}

/// Returns true if the Rust type holds whole numbers beyond 2⁵³, where a JavaScript number starts to round.
pub(crate) fn is_wide(bounds: &Bounds) -> bool {
    bounds.format.as_deref().and_then(SizedInteger::of).is_some_and(|integer| integer.bits >= 64)
}

/// The docs of a schema.
pub(super) fn doc(schema: &Value) -> Doc {
    let text = |name: &str| schema.get(name).and_then(Value::as_str).map(str::to_owned);
    Doc {
        description: text("description").filter(|text| !text.trim().is_empty()),
        default: schema.get("default").cloned(),
        deprecated: schema.get("deprecated").and_then(Value::as_bool).unwrap_or(false),
    }
}

/// The string constants with their docs, if all `variants` are such.
pub(super) fn enum_values(variants: &[Variant]) -> Option<Vec<EnumValue>> {
    let mut values = Vec::new();
    for variant in variants {
        match &variant.ty {
            Type::Literal(Literal::String(value)) => {
                values.push(EnumValue { value: value.clone(), doc: variant.doc.clone() });
            }
            Type::Enum(inner) => values.extend(inner.iter().cloned()),
            _ => return None,
        }
    }
    Some(values)
}

/// The format of a string. schemars gives crate rust_decimal's numbers a pattern and no format, so they get a name here.
fn format(object: &Map<String, Value>) -> Option<&str> {
    const DECIMAL: [&str; 2] = [r"^-?\d+(\.\d+)?$", r"^-?\d+(\.\d+)?([eE]\d+)?$"];
    let is_decimal =
        || object.get("pattern").and_then(Value::as_str).is_some_and(|text| DECIMAL.contains(&text));
    object.get("format").and_then(Value::as_str).or_else(|| is_decimal().then_some("decimal"))
}

//! Lowers one schema to one [`Type`].
//!
//! A schema object is a conjunction: the schema's own `type` and `properties`, and each `$ref`, `anyOf`, `oneOf` and
//! member of `allOf` beside them. Most schemas have one part. Several parts must all describe objects, as serde's
//! `flatten` and newtype variants in internally tagged enums do.

use std::collections::BTreeSet;
use std::fmt::Arguments;

use agui_runtime::manifest::{SURFACE_PART, definition_name};
use serde_json::{Map, Value};

use super::keyword::{KeywordRole, role};
use super::problem::SchemaProblem;
use super::union::union;
use crate::ir::{DocComment, LiteralValue, SurfacePart, Type, UnionVariant};

/// A lowering pass over the schemas for one direction.
pub(super) struct SchemaLowering<'a> {
    /// The direction's named types.
    pub(super) definitions: &'a Map<String, Value>,
    /// The current schema's owner, for messages.
    pub(super) owner: String,
    pub(super) problems: Vec<SchemaProblem>,
    /// The paths to integers that a JavaScript number may round.
    pub(super) wide_integers: Vec<String>,
    /// The keywords that were ignored because JSON Schema does not define them.
    pub(super) ignored: BTreeSet<String>,
    /// True if problems are discarded.
    pub(super) is_trial: bool,
    /// True if the schema is a catalog's, whose marks stand for parts of surfaces.
    pub(super) is_of_surface: bool,
}

impl<'a> SchemaLowering<'a> {
    pub(super) fn new(definitions: &'a Map<String, Value>) -> Self {
        Self {
            definitions,
            owner: String::new(),
            problems: Vec::new(),
            wide_integers: Vec::new(),
            ignored: BTreeSet::new(),
            is_trial: false,
            is_of_surface: false,
        }
    }

    /// Lowers a whole schema; messages call the schema `owner`.
    pub(super) fn lower(&mut self, schema: &Value, owner: &str) -> (Type, DocComment) {
        owner.clone_into(&mut self.owner);
        (self.schema(schema, format_args!("")), doc(schema))
    }

    /// Adds a problem. Paths are format arguments, because most paths are never printed.
    pub(super) fn problem(&mut self, path: Arguments<'_>, message: impl Into<String>) -> Type {
        let problem =
            SchemaProblem { owner: self.owner.clone(), path: path.to_string(), message: message.into() };
        self.problems.push(problem);
        Type::Never
    }

    pub(super) fn schema(&mut self, schema: &Value, path: Arguments<'_>) -> Type {
        match schema {
            Value::Bool(true) => Type::Any,
            Value::Bool(false) => Type::Never,
            Value::Object(object) => match surface_part(schema).filter(|_| self.is_of_surface) {
                Some(part) => Type::Surface(part),
                None => self.object_schema(object, path),
            },
            _ => self.problem(path, "is not a schema: expected an object or a boolean"),
        }
    }

    fn object_schema(&mut self, object: &Map<String, Value>, path: Arguments<'_>) -> Type {
        for keyword in object.keys() {
            match role(keyword) {
                KeywordRole::Foreign => drop(self.ignored.insert(keyword.clone())),
                KeywordRole::Unsupported => return self.unsupported(keyword, path),
                KeywordRole::Annotation | KeywordRole::Constraint | KeywordRole::Structure => {}
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
                let variants = list.iter().enumerate().map(|(index, inner)| UnionVariant {
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

    /// Returns the named type that a `$ref` refers to.
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

    /// Lowers a schema by the schema's own keywords alone.
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
                let variants = names.iter().map(|name| UnionVariant {
                    ty: match name.as_str() {
                        Some(name) => self.typed(name, object, path),
                        None => self.problem(format_args!("{path}/type"), "expected the name of a type"),
                    },
                    doc: DocComment::default(),
                });
                let variants = variants.collect();
                union(variants)
            }
            Some(_) => self.problem(format_args!("{path}/type"), "expected the name of a type"),
            None => match object
                .keys()
                .find(|key| !matches!(role(key), KeywordRole::Annotation | KeywordRole::Foreign))
            {
                Some(keyword) => {
                    let message = format!("`{keyword}` without `type`");
                    self.problem(path, message)
                }
                None => Type::Any,
            },
        }
    }

    fn constants(&mut self, values: &[Value], path: Arguments<'_>) -> Type {
        let mut variants = Vec::new();
        for value in values {
            let ty = match value {
                Value::Null => Type::Null,
                Value::Bool(bool) => Type::Literal(LiteralValue::Bool(*bool)),
                Value::String(text) => Type::Literal(LiteralValue::String(text.clone())),
                Value::Number(number) => match number.as_i64() {
                    Some(integer) => Type::Literal(LiteralValue::Integer(integer)),
                    None => {
                        return self.problem(path, format!("the constant {number} is not a whole number"));
                    }
                },
                other => {
                    return self
                        .problem(path, format!("the constant {other} is neither a string nor a number"));
                }
            };
            variants.push(UnionVariant { ty, doc: DocComment::default() });
        }
        union(variants)
    }
}

/// The mark for a value's stand-in, which only [`super::catalog`] sets.
pub(super) const BOUND: &str = "bound";

/// Returns the part of a surface that the schema stands for.
fn surface_part(schema: &Value) -> Option<SurfacePart> {
    match schema.get(SURFACE_PART)?.as_str()? {
        "action" => Some(SurfacePart::Action),
        "component" => Some(SurfacePart::Component),
        "components" => Some(SurfacePart::Components),
        BOUND => Some(SurfacePart::Bound),
        _ => None,
    }
}

/// Returns a schema's documentation.
pub(super) fn doc(schema: &Value) -> DocComment {
    let text = |name: &str| schema.get(name).and_then(Value::as_str).map(str::to_owned);
    DocComment {
        description: text("description").filter(|text| !text.trim().is_empty()),
        default: schema.get("default").cloned(),
        deprecated: schema.get("deprecated").and_then(Value::as_bool).unwrap_or(false),
    }
}

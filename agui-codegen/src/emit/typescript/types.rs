//! The module `types.ts`: an agent's types, without imports. The text is in `templates/types.ts`.

mod broken;
mod index_signature;
mod merged;
mod one_line;

use serde_json::{Value, json};

use super::jsdoc;
use super::names::{TypeNames, member, text};
use crate::emit::doc::described;
use crate::ir::{
    AdditionalProperties, AgentDecl, ArrayType, DocComment, EnumValue, LiteralValue, MapKey, ObjectField,
    ObjectType, Type, TypeDecl,
};
use crate::template::render;
use merged::merged;

const WIDTH: usize = 88;

/// The maximum length for a list that is printed as a tuple.
const TUPLE_LIMIT: u64 = 8;

pub(super) fn types(agent: &AgentDecl, names: &TypeNames) -> String {
    let merged = merged(agent);
    let types = agent.types.values().map(|decl| {
        let loose = merged.contains(&decl.name);
        TypePrinter { loose, ..TypePrinter::new(names, "") }.decl(decl)
    });
    let values = json!({ "types": types.collect::<Value>() });
    render(include_str!("templates/types.ts"), &values).trim_start().to_owned()
}

/// A printer for types. Outside `types.ts`, type names get a prefix.
pub(super) struct TypePrinter<'a> {
    names: &'a TypeNames,
    prefix: &'static str,
    /// True if the type is part of an intersection. An object without members must not forbid members there.
    loose: bool,
}

impl<'a> TypePrinter<'a> {
    pub(super) fn new(names: &'a TypeNames, prefix: &'static str) -> Self {
        Self { names, prefix, loose: false }
    }

    fn part(&self) -> Self {
        Self { loose: true, ..*self }
    }

    fn decl(&self, decl: &TypeDecl) -> Value {
        let name = self.names.ty(&decl.name);
        let body = match &decl.ty {
            // In a named type, each member has a separate line, however short.
            Type::Object(object) if !object.fields.is_empty() => self.broken_object(object, 0),
            ty => self.ty(ty, 0, name.len() + "export type  = ;".len()),
        };
        let is_brand = self.names.is_brand(&decl.name);
        let space = if body.starts_with('\n') && !is_brand { "" } else { " " };
        let list = self.names.values(name);
        json!({
            "body": format!("{space}{body}"),
            "brand": is_brand.then(|| text(name)),
            "doc": jsdoc(&note_lines(&decl.doc, &decl.ty), 0),
            "name": name,
            "values": match &decl.ty {
                Type::Enum(values) if !is_brand => Some(self::values(name, &list, values)),
                _ => None,
            },
            "list": list,
        })
    }

    /// Prints `ty` from column `column` in a line indented by `indent`.
    pub(super) fn ty(&self, ty: &Type, indent: usize, column: usize) -> String {
        match self.one_line(ty) {
            Some(line) if column + line.len() <= WIDTH => line,
            _ => self.broken(ty, indent),
        }
    }
}

/// Prints an enum's values as list items.
fn values(name: &str, list: &str, values: &[EnumValue]) -> String {
    let values: Vec<String> = values.iter().map(|value| text(&value.value)).collect();
    let line = values.join(", ");
    let around = format!("export const {list} = [] as const satisfies readonly {name}[];");
    if around.len() + line.len() <= WIDTH { line } else { format!("\n  {},\n", values.join(",\n  ")) }
}

/// Returns the doc comment lines for a type or a member.
fn note_lines(doc: &DocComment, ty: &Type) -> Vec<String> {
    described(doc, ty, |name, value| format!("@{name} {value}"))
}

fn field_name(field: &ObjectField) -> String {
    let name = member(&field.name);
    if field.required { name.into_owned() } else { format!("{name}?") }
}

fn is_empty(object: &ObjectType) -> bool {
    object.fields.is_empty() && !matches!(object.extra, AdditionalProperties::Typed(_))
}

fn key_type(key: MapKey) -> &'static str {
    match key {
        MapKey::String => "string",
        MapKey::Integer { .. } => "number",
    }
}

pub(super) fn fixed_length(array: &ArrayType) -> Option<usize> {
    let length = array.min.filter(|min| Some(*min) == array.max && *min <= TUPLE_LIMIT)?;
    usize::try_from(length).ok()
}

pub(super) fn literal(literal: &LiteralValue) -> String {
    match literal {
        LiteralValue::String(value) => text(value),
        LiteralValue::Integer(value) => value.to_string(),
        LiteralValue::Bool(value) => value.to_string(),
    }
}

/// Adds parentheses to an intersection among alternatives, only for readability.
fn parenthesised(text: String, ty: &Type) -> String {
    if matches!(ty, Type::Intersection(_)) { format!("({text})") } else { text }
}

/// Returns true if `[]` after the type would apply to only a part.
fn is_compound(ty: &Type) -> bool {
    match ty {
        Type::Enum(values) => values.len() > 1,
        Type::Nullable(_) | Type::Intersection(_) => true,
        Type::Union(union) => union.variants.len() > 1,
        _ => false,
    }
}

/// Returns true if `&` before or after the type would apply to only a part.
fn is_alternative(ty: &Type) -> bool {
    match ty {
        Type::Enum(values) => values.len() > 1,
        Type::Nullable(_) => true,
        Type::Union(union) => union.variants.len() > 1,
        _ => false,
    }
}

//! Objects and object combinations as Zod expressions.

use super::ZodPass;
use crate::emit::doc::described;
use crate::emit::shape::ShapeFinder;
use crate::emit::typescript::jsdoc;
use crate::emit::typescript::names::{member, text};
use crate::ir::{AdditionalProperties, ObjectField, ObjectType, Type, UnionType, ZodVersion};

impl ZodPass<'_> {
    /// Prints an intersection as a union with every combination, or as intersected parts if there are too
    /// many combinations.
    pub(super) fn intersection(&mut self, ty: &Type, parts: &[Type], indent: usize) -> String {
        let Some(shapes) = (ShapeFinder { types: &self.agent.types }).find(ty, 0) else {
            let parts: Vec<String> = parts.iter().map(|part| self.loose(part, indent)).collect();
            let mut parts = parts.into_iter();
            let first = parts.next().unwrap_or_else(|| "z.unknown()".into());
            return parts.fold(first, |all, part| format!("z.intersection({all}, {part})"));
        };
        let mut once: Vec<String> = Vec::new();
        for shape in shapes {
            let object = ObjectType { fields: shape.fields, extra: shape.extra };
            let text = self.object(&object, indent + 2);
            if !once.contains(&text) {
                once.push(text);
            }
        }
        alternatives(once, indent)
    }

    /// Prints one part, which allows the other parts' members.
    fn loose(&mut self, part: &Type, indent: usize) -> String {
        match part {
            Type::Object(object) => {
                let open = ObjectType { fields: object.fields.clone(), extra: AdditionalProperties::Open };
                self.object(&open, indent)
            }
            other => self.expression(other, indent),
        }
    }

    pub(super) fn object(&mut self, object: &ObjectType, indent: usize) -> String {
        let pad = " ".repeat(indent + 2);
        let fields: String = object
            .fields
            .iter()
            .map(|field| {
                let doc = described(&field.doc, &field.ty, |name, value| format!("@{name} {value}"));
                format!(
                    "{}{pad}{}: {},\n",
                    jsdoc(&doc, indent + 2),
                    key(field),
                    self.field(field, indent + 2)
                )
            })
            .collect();
        let fields =
            if fields.is_empty() { "{}".to_owned() } else { format!("{{\n{fields}{}}}", " ".repeat(indent)) };
        match (&object.extra, self.version) {
            // In TypeScript, the type for an object without members forbids all members, so the schema strips
            // unknown members.
            (AdditionalProperties::Open, _) if object.fields.is_empty() => format!("z.object({fields})"),
            (AdditionalProperties::Open, ZodVersion::V3) => format!("z.object({fields}).passthrough()"),
            (AdditionalProperties::Open, ZodVersion::V4) => format!("z.looseObject({fields})"),
            (AdditionalProperties::Closed, ZodVersion::V3) => format!("z.object({fields}).strict()"),
            (AdditionalProperties::Closed, ZodVersion::V4) => format!("z.strictObject({fields})"),
            (AdditionalProperties::Typed(extra), _) => {
                format!("z.object({fields}).catchall({})", self.expression(extra, indent))
            }
        }
    }

    fn field(&mut self, field: &ObjectField, indent: usize) -> String {
        let ty = self.expression(&field.ty, indent);
        if field.required { ty } else { format!("{ty}.optional()") }
    }

    pub(super) fn union(&mut self, union: &UnionType, indent: usize) -> String {
        let is_object = |ty: &Type| matches!(ty, Type::Object(object) if !object.fields.is_empty());
        let tag = union.tag.as_ref().filter(|_| union.variants.iter().all(|variant| is_object(&variant.ty)));
        let mut all: Vec<String> = Vec::new();
        for variant in &union.variants {
            let text = self.expression(&variant.ty, indent + 2);
            if !all.contains(&text) {
                all.push(text);
            }
        }
        match tag {
            Some(tag) if all.len() > 1 => {
                format!("z.discriminatedUnion({}, {})", text(tag), list(&all, indent))
            }
            _ => alternatives(all, indent),
        }
    }
}

fn alternatives(mut all: Vec<String>, indent: usize) -> String {
    match (all.len(), all.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            all.extend(last);
            format!("z.union({})", list(&all, indent))
        }
    }
}

fn list(items: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent + 2);
    let items: String = items.iter().map(|item| format!("{pad}{item},\n")).collect();
    format!("[\n{items}{}]", " ".repeat(indent))
}

/// Prints a member name in an object literal. There, unlike in a type, `__proto__: x` sets the prototype.
fn key(field: &ObjectField) -> String {
    if field.name == "__proto__" { "[\"__proto__\"]".into() } else { member(&field.name).into_owned() }
}

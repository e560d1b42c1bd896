//! Types printed on one line.

use super::{
    TypePrinter, field_name, fixed_length, is_alternative, is_compound, is_empty, key_type, note_lines,
    parenthesised,
};
use crate::emit::typescript::names::text;
use crate::ir::{ArrayType, DocComment, ObjectField, ObjectType, SurfacePart, Type, UnionType};

impl TypePrinter<'_> {
    /// Prints `ty` on one line; `None` if an inner type has a comment.
    pub(super) fn one_line(&self, ty: &Type) -> Option<String> {
        Some(match ty {
            Type::Any => "unknown".into(),
            Type::Never => "never".into(),
            Type::Null => "null".into(),
            Type::Bool => "boolean".into(),
            Type::Integer(_) | Type::Number(_) => "number".into(),
            Type::String(_) => "string".into(),
            Type::Literal(literal) => super::literal(literal),
            Type::Enum(values) if values.iter().all(|value| value.doc == DocComment::default()) => {
                values.iter().map(|value| text(&value.value)).collect::<Vec<_>>().join(" | ")
            }
            Type::Enum(_) => return None,
            Type::Array(array) => self.one_line_array(array)?,
            Type::Tuple(items) => {
                let items: Option<Vec<String>> = items.iter().map(|item| self.one_line(item)).collect();
                format!("[{}]", items?.join(", "))
            }
            Type::Map(map) => {
                format!("{{ [key: {}]: {} }}", key_type(map.key), self.one_line(&map.value)?)
            }
            Type::Object(object) => self.one_line_object(object)?,
            Type::Nullable(inner) => format!("{} | null", self.one_line(inner)?),
            Type::Union(union) => self.one_line_union(union)?,
            Type::Intersection(parts) => self.one_line_intersection(parts)?,
            Type::Surface(SurfacePart::Action) => "SurfaceAction".into(),
            Type::Surface(SurfacePart::Component) => "SurfaceComponent".into(),
            Type::Surface(SurfacePart::Components) => "SurfaceComponents".into(),
            Type::Surface(SurfacePart::Bound) => "unknown".into(),
            Type::Ref(name) => format!("{}{}", self.prefix, self.names.ty(name)),
        })
    }

    fn one_line_array(&self, array: &ArrayType) -> Option<String> {
        let item = self.one_line(&array.item)?;
        Some(match fixed_length(array) {
            Some(length) => format!("[{}]", vec![item.as_str(); length].join(", ")),
            None if is_compound(&array.item) => format!("({item})[]"),
            None => format!("{item}[]"),
        })
    }

    fn one_line_object(&self, object: &ObjectType) -> Option<String> {
        if is_empty(object) {
            // Inside an intersection, `Record<string, never>` would forbid all members. Elsewhere,
            // `Record<never, never>` would accept any string and number.
            return Some(if self.loose { "Record<never, never>" } else { "Record<string, never>" }.into());
        }
        if object.fields.iter().any(|field| !note_lines(&field.doc, &field.ty).is_empty()) {
            return None;
        }
        let mut members = Vec::new();
        for field in &object.fields {
            members.push(format!("{}: {}", field_name(field), self.one_line_field(field)?));
        }
        members.extend(self.index_signature(object));
        Some(format!("{{ {} }}", members.join("; ")))
    }

    fn one_line_union(&self, union: &UnionType) -> Option<String> {
        if union.variants.iter().any(|variant| variant.doc != DocComment::default()) {
            return None;
        }
        let mut texts: Vec<String> = Vec::new();
        for variant in &union.variants {
            let text = self.one_line(&variant.ty)?;
            let text = parenthesised(text, &variant.ty);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        Some(texts.join(" | "))
    }

    fn one_line_intersection(&self, parts: &[Type]) -> Option<String> {
        let mut texts = Vec::new();
        for part in parts {
            let text = self.part().one_line(part)?;
            texts.push(if is_alternative(part) { format!("({text})") } else { text });
        }
        Some(texts.join(" & "))
    }

    fn one_line_field(&self, field: &ObjectField) -> Option<String> {
        let ty = self.one_line(&field.ty)?;
        Some(if field.required || ty == "unknown" { ty } else { format!("{ty} | undefined") })
    }
}

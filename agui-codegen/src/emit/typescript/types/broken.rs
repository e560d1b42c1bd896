//! Types printed on several lines.

use super::{
    TypePrinter, field_name, fixed_length, is_alternative, is_compound, is_empty, key_type, note_lines,
    parenthesised,
};
use crate::emit::typescript::jsdoc;
use crate::emit::typescript::names::text;
use crate::ir::{DocComment, ObjectType, Type, UnionType};

impl TypePrinter<'_> {
    pub(super) fn broken(&self, ty: &Type, indent: usize) -> String {
        let pad = " ".repeat(indent + 2);
        let end = " ".repeat(indent);
        match ty {
            Type::Object(object) if !is_empty(object) => self.broken_object(object, indent),
            Type::Union(union) => self.broken_union(union, indent),
            Type::Enum(values) => values
                .iter()
                .map(|value| {
                    let doc = jsdoc(&note_lines(&value.doc, &Type::Null), indent + 2);
                    format!("\n{doc}{pad}| {}", text(&value.value))
                })
                .collect(),
            Type::Nullable(inner) => match inner.as_ref() {
                Type::Union(_) | Type::Enum(_) => format!("{}\n{pad}| null", self.broken(inner, indent)),
                inner => format!("{} | null", self.broken(inner, indent)),
            },
            Type::Array(array) => match fixed_length(array) {
                Some(length) => self.broken_tuple(&vec![array.item.clone(); length], indent),
                None if is_compound(&array.item) => {
                    format!("({}\n{end})[]", self.nested(&array.item, indent))
                }
                None => format!("{}[]", self.ty(&array.item, indent, 0)),
            },
            Type::Tuple(items) => self.broken_tuple(items, indent),
            Type::Map(map) => {
                let value = self.ty(&map.value, indent + 2, indent + 18);
                format!("{{\n{pad}[key: {}]: {value};\n{end}}}", key_type(map.key))
            }
            Type::Intersection(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| {
                        if is_alternative(part) {
                            format!("({}\n{end})", self.part().nested(part, indent))
                        } else {
                            self.part().ty(part, indent, indent)
                        }
                    })
                    .collect();
                parts.join(" & ")
            }
            // All other types are printed on one line, however long.
            other => self.one_line(other).unwrap_or_default(),
        }
    }

    /// Prints a compound type on separate lines.
    fn nested(&self, ty: &Type, indent: usize) -> String {
        let text = self.broken(ty, indent + 2);
        if text.starts_with('\n') { text } else { format!("\n{}{text}", " ".repeat(indent + 2)) }
    }

    fn broken_tuple(&self, items: &[Type], indent: usize) -> String {
        let items: String = items
            .iter()
            .map(|item| format!("{}{},\n", " ".repeat(indent + 2), self.ty(item, indent + 2, indent + 3)))
            .collect();
        format!("[\n{items}{}]", " ".repeat(indent))
    }

    fn broken_union(&self, union: &UnionType, indent: usize) -> String {
        let pad = " ".repeat(indent + 2);
        let mut seen: Vec<String> = Vec::new();
        let mut push = |doc: &DocComment, text: &str| {
            let doc = jsdoc(&note_lines(doc, &Type::Null), indent + 2);
            let text = format!("\n{doc}{pad}| {text}");
            if !seen.contains(&text) {
                seen.push(text);
            }
        };
        for variant in &union.variants {
            match &variant.ty {
                // Alternatives inside an alternative are flattened.
                Type::Enum(values) => values.iter().for_each(|value| push(&value.doc, &text(&value.value))),
                ty => push(&variant.doc, &parenthesised(self.ty(ty, indent + 4, indent + 6), ty)),
            }
        }
        seen.concat()
    }

    pub(super) fn broken_object(&self, object: &ObjectType, indent: usize) -> String {
        let pad = " ".repeat(indent + 2);
        let mut text = String::from("{\n");
        for field in &object.fields {
            let name = field_name(field);
            text.push_str(&jsdoc(&note_lines(&field.doc, &field.ty), indent + 2));
            let column = indent + 5 + name.len() + if field.required { 0 } else { " | undefined".len() };
            let ty = self.ty(&field.ty, indent + 2, column);
            let space = if ty.starts_with('\n') { "" } else { " " };
            let undefined = match (field.required || ty == "unknown", ty.starts_with('\n')) {
                (true, _) => String::new(),
                (false, true) => format!("\n{pad}  | undefined"),
                (false, false) => " | undefined".into(),
            };
            text.push_str(&format!("{pad}{name}:{space}{ty}{undefined};\n"));
        }
        if let Some(signature) = self.index_signature(object) {
            text.push_str(&format!("{pad}{signature};\n"));
        }
        text.push_str(&" ".repeat(indent));
        text.push('}');
        text
    }
}

//! `types.ts`: the types of an agent, and nothing to import.

use std::collections::{BTreeMap, BTreeSet};

use super::jsdoc;
use super::names::{Names, member, text};
use crate::emit::doc::described;
use crate::ir::{AgentDecl, ArrayType, Doc, Extra, Field, Literal, MapKey, Object, Type, TypeDecl, Union};

const WIDTH: usize = 88;

/// Lists up to this long get a place for each item.
const TUPLE_LIMIT: u64 = 8;

pub(super) fn types(agent: &AgentDecl, names: &Names) -> String {
    let merged = merged(agent);
    let decls: Vec<String> = agent
        .types
        .values()
        .map(|decl| Printer { loose: merged.contains(&decl.name), ..Printer::new(names, "") }.decl(decl))
        .collect();
    if decls.is_empty() { "export {};\n".into() } else { decls.join("\n") }
}

/// Prints types; in other files than `types.ts` their names come with a prefix.
pub(super) struct Printer<'a> {
    names: &'a Names,
    prefix: &'static str,
    /// True if the type is part of an intersection: there an object without members must not forbid any.
    loose: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(names: &'a Names, prefix: &'static str) -> Self {
        Self { names, prefix, loose: false }
    }

    fn part(&self) -> Self {
        Self { loose: true, ..*self }
    }

    fn decl(&self, decl: &TypeDecl) -> String {
        let name = self.names.ty(&decl.name);
        let doc = jsdoc(&note_lines(&decl.doc, &decl.ty), 0);
        let head = format!("{doc}export type {name} =");
        let body = match &decl.ty {
            // Each member of a named type has a line of its own, however short.
            Type::Object(object) if !object.fields.is_empty() => self.broken_object(object, 0),
            ty => self.ty(ty, 0, name.len() + "export type  = ;".len()),
        };
        if self.names.is_brand(&decl.name) {
            let brand = text(name);
            return format!(
                "{head} {body} & {{ readonly \"~brand\": {brand} }};\n/** A value as a `{name}`. */\nexport const {name} = \
                 (value: {body}): {name} => value as {name};\n"
            );
        }
        let space = if body.starts_with('\n') { "" } else { " " };
        let mut text = format!("{head}{space}{body};\n");
        if let Type::Enum(values) = &decl.ty {
            let list = self.names.values(name);
            let values: Vec<String> = values.iter().map(|value| self::text(&value.value)).collect();
            let tail = format!("as const satisfies readonly {name}[];");
            let line = format!("export const {list} = [{}] {tail}", values.join(", "));
            let line = if line.len() <= WIDTH {
                line
            } else {
                format!("export const {list} = [\n  {},\n] {tail}", values.join(",\n  "))
            };
            text.push_str(&format!("/** Every `{name}`. */\n{line}\n"));
        }
        text
    }

    /// `ty`, starting at `column` of a line indented by `indent`.
    pub(super) fn ty(&self, ty: &Type, indent: usize, column: usize) -> String {
        match self.one_line(ty) {
            Some(line) if column + line.len() <= WIDTH => line,
            _ => self.broken(ty, indent),
        }
    }

    /// `ty` on one line; `None` where something inside has a comment of its own.
    fn one_line(&self, ty: &Type) -> Option<String> {
        Some(match ty {
            Type::Any => "unknown".into(),
            Type::Never => "never".into(),
            Type::Null => "null".into(),
            Type::Bool => "boolean".into(),
            Type::Integer(_) | Type::Number(_) => "number".into(),
            Type::String(_) => "string".into(),
            Type::Literal(literal) => self::literal(literal),
            Type::Enum(values) if values.iter().all(|value| value.doc == Doc::default()) => {
                values.iter().map(|value| text(&value.value)).collect::<Vec<_>>().join(" | ")
            }
            Type::Enum(_) => return None,
            Type::Array(array) => match fixed_length(array) {
                Some(length) => {
                    let item = self.one_line(&array.item)?;
                    format!("[{}]", vec![item.as_str(); length].join(", "))
                }
                None => {
                    let item = self.one_line(&array.item)?;
                    if is_compound(&array.item) { format!("({item})[]") } else { format!("{item}[]") }
                }
            },
            Type::Tuple(items) => {
                let items: Option<Vec<String>> = items.iter().map(|item| self.one_line(item)).collect();
                format!("[{}]", items?.join(", "))
            }
            Type::Map(map) => {
                format!("{{ [key: {}]: {} }}", key_type(map.key), self.one_line(&map.value)?)
            }
            Type::Object(object) if is_empty(object) && self.loose => "Record<never, never>".into(),
            // The other spelling would accept any string and number.
            Type::Object(object) if is_empty(object) => "Record<string, never>".into(),
            Type::Object(object) => {
                if object.fields.iter().any(|field| !note_lines(&field.doc, &field.ty).is_empty()) {
                    return None;
                }
                let mut members = Vec::new();
                for field in &object.fields {
                    members.push(format!("{}: {}", field_name(field), self.one_line_field(field)?));
                }
                members.extend(self.index_signature(object));
                format!("{{ {} }}", members.join("; "))
            }
            Type::Nullable(inner) => format!("{} | null", self.one_line(inner)?),
            Type::Union(union) => {
                if union.variants.iter().any(|variant| variant.doc != Doc::default()) {
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
                texts.join(" | ")
            }
            Type::Intersection(parts) => {
                let mut texts = Vec::new();
                for part in parts {
                    let text = self.part().one_line(part)?;
                    texts.push(if is_alternative(part) { format!("({text})") } else { text });
                }
                texts.join(" & ")
            }
            Type::Ref(name) => format!("{}{}", self.prefix, self.names.ty(name)),
        })
    }

    fn one_line_field(&self, field: &Field) -> Option<String> {
        let ty = self.one_line(&field.ty)?;
        Some(if field.required || ty == "unknown" { ty } else { format!("{ty} | undefined") })
    }

    fn broken(&self, ty: &Type, indent: usize) -> String {
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
            // The other types have one line only, however long.
            other => self.one_line(other).unwrap_or_default(),
        }
    }

    /// A compound type on lines of its own.
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

    fn broken_union(&self, union: &Union, indent: usize) -> String {
        let pad = " ".repeat(indent + 2);
        let mut seen: Vec<String> = Vec::new();
        let mut push = |doc: &Doc, text: &str| {
            let doc = jsdoc(&note_lines(doc, &Type::Null), indent + 2);
            let text = format!("\n{doc}{pad}| {text}");
            if !seen.contains(&text) {
                seen.push(text);
            }
        };
        for variant in &union.variants {
            match &variant.ty {
                // Alternatives of an alternative are alternatives.
                Type::Enum(values) => values.iter().for_each(|value| push(&value.doc, &text(&value.value))),
                ty => push(&variant.doc, &parenthesised(self.ty(ty, indent + 4, indent + 6), ty)),
            }
        }
        seen.concat()
    }

    fn broken_object(&self, object: &Object, indent: usize) -> String {
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

    /// The index signature of other members. In TypeScript, its type must also hold for the named ones.
    fn index_signature(&self, object: &Object) -> Option<String> {
        let Extra::Typed(extra) = &object.extra else { return None };
        let mut texts = Vec::new();
        let mut known = self.alternatives(extra, &mut texts);
        for field in &object.fields {
            known &= self.alternatives(&field.ty, &mut texts);
            if !field.required {
                texts.push("undefined".into());
            }
        }
        let mut once: Vec<String> = Vec::new();
        for text in texts {
            if !once.contains(&text) {
                once.push(text);
            }
        }
        let known = known && !once.iter().any(|text| text == "unknown");
        Some(format!("[key: string]: {}", if known { once.join(" | ") } else { "unknown".into() }))
    }

    /// The alternatives of `ty`, each on one line; `false` where that cannot be.
    fn alternatives(&self, ty: &Type, texts: &mut Vec<String>) -> bool {
        match ty {
            Type::Nullable(inner) => {
                let known = self.alternatives(inner, texts);
                texts.push("null".into());
                known
            }
            Type::Union(union) => union.variants.iter().all(|variant| self.alternatives(&variant.ty, texts)),
            ty => self.one_line(ty).map(|text| texts.push(text)).is_some(),
        }
    }
}

/// The named types that are part of an intersection, themselves or as an alternative.
fn merged(agent: &AgentDecl) -> BTreeSet<String> {
    let mut due: Vec<&Type> = Vec::new();
    for decl in agent.types.values() {
        decl.ty.each(&mut |ty| {
            if let Type::Intersection(parts) = ty {
                due.extend(parts);
            }
        });
    }
    let types: BTreeMap<&str, &Type> =
        agent.types.values().map(|decl| (decl.name.as_str(), &decl.ty)).collect();
    let mut merged = BTreeSet::new();
    while let Some(ty) = due.pop() {
        match ty {
            Type::Ref(name) if merged.insert(name.clone()) => due.extend(types.get(name.as_str()).copied()),
            Type::Nullable(inner) => due.push(inner),
            Type::Union(union) => due.extend(union.variants.iter().map(|variant| &variant.ty)),
            _ => {}
        }
    }
    merged
}

/// The lines of the doc comment of a type or a member.
fn note_lines(doc: &Doc, ty: &Type) -> Vec<String> {
    described(doc, ty, |name, value| format!("@{name} {value}"))
}

fn field_name(field: &Field) -> String {
    let name = member(&field.name);
    if field.required { name.into_owned() } else { format!("{name}?") }
}

fn is_empty(object: &Object) -> bool {
    object.fields.is_empty() && !matches!(object.extra, Extra::Typed(_))
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

pub(super) fn literal(literal: &Literal) -> String {
    match literal {
        Literal::String(value) => text(value),
        Literal::Integer(value) => value.to_string(),
        Literal::Bool(value) => value.to_string(),
    }
}

/// An intersection among alternatives is in parentheses only for readability.
fn parenthesised(text: String, ty: &Type) -> String {
    if matches!(ty, Type::Intersection(_)) { format!("({text})") } else { text }
}

/// Returns true if `[]` after the type would bind to a part of it only.
fn is_compound(ty: &Type) -> bool {
    match ty {
        Type::Enum(values) => values.len() > 1,
        Type::Nullable(_) | Type::Intersection(_) => true,
        Type::Union(union) => union.variants.len() > 1,
        _ => false,
    }
}

/// Returns true if `&` before or after the type would bind to a part of it only.
fn is_alternative(ty: &Type) -> bool {
    match ty {
        Type::Enum(values) => values.len() > 1,
        Type::Nullable(_) => true,
        Type::Union(union) => union.variants.len() > 1,
        _ => false,
    }
}

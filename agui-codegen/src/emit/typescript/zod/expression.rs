//! One type as an expression.

use super::Pass;
use crate::emit::doc::described;
use crate::emit::shape::Shapes;
use crate::emit::typescript::jsdoc;
use crate::emit::typescript::names::{member, text};
use crate::emit::typescript::types::{fixed_length, literal};
use crate::ir::{Bounds, Extra, Field, MapKey, Object, SizedInteger, Type, Union, Zod};

impl Pass<'_> {
    /// Prints `ty` in a line indented by `indent`.
    pub(super) fn expression(&mut self, ty: &Type, indent: usize) -> String {
        match ty {
            Type::Any => self.use_("anything").into(),
            Type::Never => "z.never()".into(),
            Type::Null => "z.null()".into(),
            Type::Bool => "z.boolean()".into(),
            Type::Integer(bounds) => {
                let (least, most) = range(bounds);
                format!("{}({least}, {most})", self.use_("whole"))
            }
            Type::Number(bounds) => {
                let limit = |name: &str, limit: &Option<serde_json::Number>| {
                    limit.as_ref().map_or_else(String::new, |limit| format!(".{name}({limit})"))
                };
                format!("z.number(){}{}", limit("min", &bounds.minimum), limit("max", &bounds.maximum))
            }
            Type::String(of) if of.min.is_none() && of.max.is_none() => "z.string()".into(),
            Type::String(of) => {
                let most = of.max.map_or_else(|| "Infinity".to_owned(), |most| most.to_string());
                format!("{}({}, {most})", self.use_("text"), of.min.unwrap_or(0))
            }
            Type::Literal(value) => format!("z.literal({})", literal(value)),
            Type::Enum(values) => {
                let values: Vec<String> = values.iter().map(|value| text(&value.value)).collect();
                format!("z.enum([{}])", values.join(", "))
            }
            Type::Array(array) => {
                let item = self.expression(&array.item, indent);
                if let Some(length) = fixed_length(array) {
                    return format!("z.tuple([{}])", vec![item; length].join(", "));
                }
                let least = array.min.map_or_else(String::new, |least| format!(".min({least})"));
                let most = array.max.map_or_else(String::new, |most| format!(".max({most})"));
                format!("z.array({item}){least}{most}")
            }
            Type::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.expression(item, indent)).collect();
                format!("z.tuple([{}])", items.join(", "))
            }
            Type::Map(map) => {
                let key = match map.key {
                    MapKey::String => "z.string()",
                    MapKey::Integer { signed: true } => "z.string().regex(/^-?\\d+$/)",
                    MapKey::Integer { signed: false } => "z.string().regex(/^\\d+$/)",
                };
                format!("z.record({key}, {})", self.expression(&map.value, indent))
            }
            Type::Object(object) => self.object(object, indent),
            Type::Nullable(inner) => format!("{}.nullable()", self.expression(inner, indent)),
            Type::Union(union) => self.union(union, indent),
            Type::Intersection(parts) => match (Shapes { types: &self.agent.types }).of(ty, 0) {
                Some(shapes) => {
                    let shapes = shapes.into_iter().map(|shape| {
                        let object = Object { fields: shape.fields, extra: shape.extra };
                        self.object(&object, indent + 2)
                    });
                    let mut once: Vec<String> = Vec::new();
                    for shape in shapes.collect::<Vec<_>>() {
                        if !once.contains(&shape) {
                            once.push(shape);
                        }
                    }
                    alternatives(once, indent)
                }
                // There are too many to write each of them out.
                None => {
                    let parts: Vec<String> = parts.iter().map(|part| self.loose(part, indent)).collect();
                    let mut parts = parts.into_iter();
                    let first = parts.next().unwrap_or_else(|| "z.unknown()".into());
                    parts.fold(first, |all, part| format!("z.intersection({all}, {part})"))
                }
            },
            Type::Ref(name) => {
                let constant = self.constants.get(name.as_str()).cloned().unwrap_or_else(|| name.clone());
                if self.done.contains(name.as_str()) { constant } else { format!("z.lazy(() => {constant})") }
            }
        }
    }

    /// Part of an intersection, whose other parts have members that this one does not know.
    fn loose(&mut self, part: &Type, indent: usize) -> String {
        match part {
            Type::Object(object) => {
                let open = Object { fields: object.fields.clone(), extra: Extra::Open };
                self.object(&open, indent)
            }
            other => self.expression(other, indent),
        }
    }

    fn object(&mut self, object: &Object, indent: usize) -> String {
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
            // The type of an object without members allows no others; they are left out.
            (Extra::Open, _) if object.fields.is_empty() => format!("z.object({fields})"),
            (Extra::Open, Zod::V3) => format!("z.object({fields}).passthrough()"),
            (Extra::Open, Zod::V4) => format!("z.looseObject({fields})"),
            (Extra::Closed, Zod::V3) => format!("z.object({fields}).strict()"),
            (Extra::Closed, Zod::V4) => format!("z.strictObject({fields})"),
            (Extra::Typed(extra), _) => {
                format!("z.object({fields}).catchall({})", self.expression(extra, indent))
            }
        }
    }

    fn field(&mut self, field: &Field, indent: usize) -> String {
        let ty = self.expression(&field.ty, indent);
        if field.required { ty } else { format!("{ty}.optional()") }
    }

    fn union(&mut self, union: &Union, indent: usize) -> String {
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

/// In an object literal, unlike in a type, `__proto__: x` sets the prototype.
fn key(field: &Field) -> String {
    if field.name == "__proto__" { "[\"__proto__\"]".into() } else { member(&field.name).into_owned() }
}

/// The least and the greatest value, as expressions.
fn range(bounds: &Bounds) -> (String, String) {
    let (least, most) = match bounds.format.as_deref().and_then(SizedInteger::of) {
        None => ("-Infinity".to_owned(), "Infinity".to_owned()),
        Some(integer) if integer.bits < 64 => (integer.least().to_string(), integer.greatest().to_string()),
        // A JavaScript number rounds these, but holds powers of two.
        Some(SizedInteger { is_signed: true, bits }) => {
            (format!("-(2 ** {})", bits - 1), format!("2 ** {}", bits - 1))
        }
        Some(SizedInteger { is_signed: false, bits }) => ("0".to_owned(), format!("2 ** {bits}")),
    };
    let said = |said: &Option<serde_json::Number>, otherwise: String| {
        said.as_ref().map_or(otherwise, ToString::to_string)
    };
    (said(&bounds.minimum, least), said(&bounds.maximum, most))
}

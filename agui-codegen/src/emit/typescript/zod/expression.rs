//! One type as a Zod expression.

use super::ZodPass;
use crate::emit::typescript::names;
use crate::emit::typescript::types::{fixed_length, literal};
use crate::ir::{ArrayType, MapKey, MapType, NumberBounds, SizedInteger, StringType, Type};

impl ZodPass<'_> {
    /// Prints `ty` in a line indented by `indent`.
    pub(super) fn expression(&mut self, ty: &Type, indent: usize) -> String {
        match ty {
            Type::Any | Type::Surface(_) => self.use_("anything").into(),
            Type::Never => "z.never()".into(),
            Type::Null => "z.null()".into(),
            Type::Bool => "z.boolean()".into(),
            Type::Integer(bounds) => {
                let (least, most) = range(bounds);
                format!("{}({least}, {most})", self.use_("whole"))
            }
            Type::Number(bounds) => number(bounds),
            Type::String(text) => self.text(text),
            Type::Literal(value) => format!("z.literal({})", literal(value)),
            Type::Enum(values) => {
                let values: Vec<String> = values.iter().map(|value| names::text(&value.value)).collect();
                format!("z.enum([{}])", values.join(", "))
            }
            Type::Array(array) => self.array(array, indent),
            Type::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.expression(item, indent)).collect();
                format!("z.tuple([{}])", items.join(", "))
            }
            Type::Map(map) => self.map(map, indent),
            Type::Object(object) => self.object(object, indent),
            Type::Nullable(inner) => format!("{}.nullable()", self.expression(inner, indent)),
            Type::Union(union) => self.union(union, indent),
            Type::Intersection(parts) => self.intersection(ty, parts, indent),
            Type::Ref(name) => {
                let constant = self.constants.get(name.as_str()).cloned().unwrap_or_else(|| name.clone());
                if self.done.contains(name.as_str()) { constant } else { format!("z.lazy(() => {constant})") }
            }
        }
    }

    fn text(&mut self, text: &StringType) -> String {
        if text.min.is_none() && text.max.is_none() {
            return "z.string()".into();
        }
        let most = text.max.map_or_else(|| "Infinity".to_owned(), |most| most.to_string());
        format!("{}({}, {most})", self.use_("text"), text.min.unwrap_or(0))
    }

    fn array(&mut self, array: &ArrayType, indent: usize) -> String {
        let item = self.expression(&array.item, indent);
        if let Some(length) = fixed_length(array) {
            return format!("z.tuple([{}])", vec![item; length].join(", "));
        }
        let least = array.min.map_or_else(String::new, |least| format!(".min({least})"));
        let most = array.max.map_or_else(String::new, |most| format!(".max({most})"));
        format!("z.array({item}){least}{most}")
    }

    fn map(&mut self, map: &MapType, indent: usize) -> String {
        let key = match map.key {
            MapKey::String => "z.string()",
            MapKey::Integer { signed: true } => "z.string().regex(/^-?\\d+$/)",
            MapKey::Integer { signed: false } => "z.string().regex(/^\\d+$/)",
        };
        format!("z.record({key}, {})", self.expression(&map.value, indent))
    }
}

fn number(bounds: &NumberBounds) -> String {
    let limit = |name: &str, limit: &Option<serde_json::Number>| {
        limit.as_ref().map_or_else(String::new, |limit| format!(".{name}({limit})"))
    };
    format!("z.number(){}{}", limit("min", &bounds.minimum), limit("max", &bounds.maximum))
}

/// Returns the minimum and the maximum, as expressions.
fn range(bounds: &NumberBounds) -> (String, String) {
    let (least, most) = match bounds.format.as_deref().and_then(SizedInteger::of) {
        None => ("-Infinity".to_owned(), "Infinity".to_owned()),
        Some(integer) if integer.bits < 64 => (integer.least().to_string(), integer.greatest().to_string()),
        // JavaScript rounds integer limits with 64 or more bits, but represents powers of two exactly.
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

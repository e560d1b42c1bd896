//! Python annotations for types.

use super::ClassPass;
use crate::emit::python::format::format_type;
use crate::emit::python::names::text;
use crate::emit::python::scalar::{lengths, limits, sized_integer, whole_limits};
use crate::ir::{
    ArrayType, EnumValue, LiteralValue, MapKey, MapType, NumberBounds, PythonFormats, SizedInteger,
    StringType, SurfacePart, Type,
};

impl ClassPass<'_> {
    /// Annotates `ty`. Objects inside `ty` get classes named after `place`.
    pub(super) fn annotation(&mut self, ty: &Type, place: &str) -> String {
        match ty {
            Type::Any => self.import("typing", "Any").into(),
            Type::Surface(part) => self.surface_part(*part).into(),
            Type::Never => self.import(".._model", "Nothing").into(),
            Type::Null => "None".into(),
            Type::Bool => "bool".into(),
            Type::Integer(bounds) => self.integer(bounds),
            Type::Number(bounds) => self.number(bounds),
            Type::String(text) => self.string(text),
            Type::Literal(literal) => self.literals(std::slice::from_ref(literal)),
            Type::Enum(values) => self.enum_values(values),
            Type::Array(array) => {
                let ArrayType { item, min, max } = array.as_ref();
                let item = self.annotation(item, &format!("{place}Item"));
                self.constrained(&format!("list[{item}]"), &lengths(*min, *max))
            }
            Type::Tuple(items) => self.tuple(items, place),
            Type::Map(map) => self.map(map, place),
            Type::Object(object) => {
                let name = self.scope.give(place);
                self.class(name.clone(), Vec::new(), object, None);
                name
            }
            Type::Nullable(inner) => format!("{} | None", self.annotation(inner, place)),
            Type::Union(union) => self.union(union, place),
            Type::Intersection(_) => self.intersection(ty, place),
            Type::Ref(name) => self.module.names.get(name).cloned().unwrap_or_else(|| name.clone()),
        }
    }

    fn surface_part(&mut self, part: SurfacePart) -> &'static str {
        match part {
            SurfacePart::Component => "str",
            SurfacePart::Components => self.import(".._surfaces", "ComponentList"),
            SurfacePart::Action => self.import(".._surfaces", "SurfaceAction"),
            SurfacePart::Bound => self.import(".._surfaces", "Bound"),
        }
    }

    fn number(&mut self, bounds: &NumberBounds) -> String {
        let base = self.constrained("float", &limits(bounds));
        let Some(step) = &bounds.step else { return base };
        self.import("typing", "Annotated");
        let multiple_of = self.import(".._model", "MultipleOf");
        format!("Annotated[{base}, {multiple_of}({step})]")
    }

    fn string(&mut self, string: &StringType) -> String {
        if self.formats == PythonFormats::Types
            && let Some((from, names)) = string.format.as_deref().and_then(format_type)
        {
            let names: Vec<&str> = names.iter().map(|name| self.import(from, name)).collect();
            return names.join(" | ");
        }
        let base = self.constrained("str", &lengths(string.min, string.max));
        let Some(pattern) = &string.pattern else { return base };
        self.import("typing", "Annotated");
        let matching = self.import(".._model", "Matching");
        format!("Annotated[{base}, {matching}({})]", text(pattern))
    }

    fn enum_values(&mut self, values: &[EnumValue]) -> String {
        self.import("typing", "Literal");
        let values: Vec<String> = values.iter().map(|value| text(&value.value)).collect();
        format!("Literal[{}]", values.join(", "))
    }

    fn tuple(&mut self, items: &[Type], place: &str) -> String {
        if items.is_empty() {
            return "tuple[()]".into();
        }
        let items = items.iter().enumerate();
        let items = items.map(|(index, item)| self.annotation(item, &format!("{place}{index}")));
        format!("tuple[{}]", items.collect::<Vec<_>>().join(", "))
    }

    fn map(&mut self, map: &MapType, place: &str) -> String {
        let value = self.annotation(&map.value, &format!("{place}Value"));
        match map.key {
            MapKey::String => format!("dict[str, {value}]"),
            MapKey::Integer { signed: true } => format!("dict[int, {value}]"),
            MapKey::Integer { signed: false } => {
                let key = self.constrained("int", &["ge=0".into()]);
                format!("dict[{key}, {value}]")
            }
        }
    }

    /// Annotates a union that consists only of constants: all strings, all integers or all booleans.
    pub(super) fn literals(&mut self, literals: &[LiteralValue]) -> String {
        self.import("typing", "Literal");
        let values = literals.iter().map(|literal| match literal {
            LiteralValue::String(value) => text(value),
            LiteralValue::Integer(value) => value.to_string(),
            LiteralValue::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        });
        let values = format!("Literal[{}]", values.collect::<Vec<_>>().join(", "));
        // In Python, `1 == True`, so integers and booleans need a type check.
        let mark = match literals.first() {
            Some(LiteralValue::Integer(_)) => "Whole",
            Some(LiteralValue::Bool(_)) => "Truth",
            _ => return values,
        };
        self.import("typing", "Annotated");
        self.import(".._model", mark);
        format!("Annotated[{values}, {mark}]")
    }

    fn integer(&mut self, bounds: &NumberBounds) -> String {
        let Some(integer) = bounds.format.as_deref().and_then(SizedInteger::of) else {
            return self.constrained("int", &whole_limits(bounds));
        };
        // A sized integer implies a limit on each side, and a type may have only one limit on a side. So only
        // a closer limit is written.
        let (least, most) = (integer.least().to_string(), integer.greatest().to_string());
        let mut closer = bounds.clone();
        closer.minimum = closer.minimum.filter(|minimum| minimum.to_string() != least);
        closer.maximum = closer.maximum.filter(|maximum| maximum.to_string() != most);
        let base = self.import(".._model", sized_integer(integer)).to_owned();
        self.constrained(&base, &whole_limits(&closer))
    }

    fn constrained(&mut self, base: &str, limits: &[String]) -> String {
        if limits.is_empty() {
            return base.to_owned();
        }
        self.import("typing", "Annotated");
        self.import("pydantic", "Field");
        format!("Annotated[{base}, Field({})]", limits.join(", "))
    }
}

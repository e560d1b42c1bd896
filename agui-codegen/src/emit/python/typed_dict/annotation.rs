//! Python annotations for types.

use super::TypedDictPass;
use crate::emit::python::lower::lines;
use crate::emit::python::names::text;
use crate::emit::shape::suffix;
use crate::ir::{DocComment, LiteralValue, ObjectType, Type, UnionType};

impl TypedDictPass<'_> {
    pub(super) fn annotation(&mut self, ty: &Type, place: &str) -> String {
        match ty {
            Type::Any => self.use_("Any").into(),
            Type::Surface(part) => super::catalogs::surface_part(*part).into(),
            Type::Never => self.use_("Never").into(),
            Type::Null => "None".into(),
            Type::Bool => "bool".into(),
            Type::Integer(_) => "int".into(),
            Type::Number(_) => "float".into(),
            Type::String(_) => "str".into(),
            Type::Literal(literal) => self.literal(literal),
            Type::Enum(values) => {
                self.use_("Literal");
                let values: Vec<String> = values.iter().map(|value| text(&value.value)).collect();
                format!("Literal[{}]", values.join(", "))
            }
            Type::Array(array) => format!("list[{}]", self.annotation(&array.item, &format!("{place}Item"))),
            Type::Tuple(items) => {
                let items = items.iter().enumerate();
                let items = items.map(|(index, item)| (format!("{place}{index}"), item)).collect();
                format!("list[{}]", self.either(items))
            }
            Type::Map(map) => format!("dict[str, {}]", self.annotation(&map.value, &format!("{place}Value"))),
            Type::Object(object) => {
                let name = self.scope.give(place);
                self.object(name.clone(), &[], object);
                name
            }
            Type::Nullable(inner) => format!("{} | None", self.annotation(inner, place)),
            Type::Union(union) => self.union(union, place),
            Type::Intersection(_) => self.intersection(ty, place),
            Type::Ref(name) => self.name(name),
        }
    }

    fn literal(&mut self, literal: &LiteralValue) -> String {
        self.use_("Literal");
        match literal {
            LiteralValue::String(value) => format!("Literal[{}]", text(value)),
            LiteralValue::Integer(value) => format!("Literal[{value}]"),
            LiteralValue::Bool(value) => format!("Literal[{}]", if *value { "True" } else { "False" }),
        }
    }

    fn union(&mut self, union: &UnionType, place: &str) -> String {
        let mut texts: Vec<String> = Vec::new();
        for (index, variant) in union.variants.iter().enumerate() {
            let name = format!("{place}{}", suffix(&variant.ty, union.tag.as_deref(), index));
            let text = match &variant.ty {
                Type::Object(object) => self.variant(&name, &variant.doc, object),
                ty => self.annotation(ty, &name),
            };
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.join(" | ")
    }

    fn intersection(&mut self, ty: &Type, place: &str) -> String {
        let Some(shapes) = self.shapes.find(ty, 0) else {
            let object = self.shapes.loosened(ty, 0);
            return self.variant(place, &DocComment::default(), &object);
        };
        let alone = shapes.len() == 1;
        let texts = shapes.into_iter().map(|shape| {
            let name = if alone { place.to_owned() } else { format!("{place}{}", shape.suffix) };
            let object = ObjectType { fields: shape.fields, extra: shape.extra };
            self.variant(&name, &shape.doc, &object)
        });
        texts.collect::<Vec<_>>().join(" | ")
    }

    fn variant(&mut self, name: &str, doc: &DocComment, object: &ObjectType) -> String {
        let name = self.scope.give(name);
        self.object(name.clone(), &lines(doc, &Type::Null), object);
        name
    }

    /// Annotates a union. Each type comes with the place that names the type's inline types.
    fn either(&mut self, types: Vec<(String, &Type)>) -> String {
        let mut texts: Vec<String> = Vec::new();
        for (place, ty) in types {
            let text = self.annotation(ty, &place);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if texts.is_empty() { self.use_("Never").into() } else { texts.join(" | ") }
    }
}

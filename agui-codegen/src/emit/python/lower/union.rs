//! Unions and intersections: Python has no intersections, so each combination of alternatives becomes a
//! class.

use super::{ClassPass, lines};
use crate::emit::python::names::{NameScope, attribute};
use crate::emit::shape::{ObjectShape, suffix, tag};
use crate::ir::{LiteralValue, ObjectType, Type, UnionType, UnionVariant};

impl ClassPass<'_> {
    /// Annotates the intersection `ty` as a union with one class for each combination. If there are too many
    /// combinations, one class accepts all combinations.
    pub(super) fn intersection(&mut self, ty: &Type, place: &str) -> String {
        match self.shapes.find(ty, 0) {
            Some(shapes) => self.combinations(shapes, place),
            None => {
                let object = self.shapes.loosened(ty, 0);
                let name = self.scope.give(place);
                self.class(name.clone(), Vec::new(), &object, None);
                name
            }
        }
    }

    pub(super) fn union(&mut self, union: &UnionType, place: &str) -> String {
        // Pydantic distinguishes classes by a tag, but not nested unions.
        let one_each = union.variants.iter().all(|variant| match &variant.ty {
            Type::Intersection(_) => self.shapes.find(&variant.ty, 0).is_some_and(|shapes| shapes.len() == 1),
            _ => true,
        });
        let discriminated = union.tag.as_deref().filter(|_| union.variants.len() > 1 && one_each);
        let constants = union.variants.iter().map(|variant| match &variant.ty {
            Type::Literal(literal @ LiteralValue::Integer(_)) => Some(literal.clone()),
            _ => None,
        });
        if let Some(constants) = constants.collect::<Option<Vec<_>>>() {
            return self.literals(&constants);
        }
        let mut texts: Vec<String> = Vec::new();
        for (index, variant) in union.variants.iter().enumerate() {
            let name = format!("{place}{}", suffix(&variant.ty, union.tag.as_deref(), index));
            let text = match (&variant.ty, self.shapes.find(&variant.ty, 0).as_deref()) {
                (Type::Object(object), _) => self.variant(&name, variant, object, discriminated),
                (Type::Intersection(_), Some([shape])) => {
                    let object = ObjectType { fields: shape.fields.clone(), extra: shape.extra.clone() };
                    self.variant(&name, variant, &object, discriminated)
                }
                (ty, _) => self.annotation(ty, &name),
            };
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        self.discriminated(&texts.join(" | "), discriminated)
    }

    /// Adds a class for an alternative. Only this union uses the class, so Python code may leave out the tag.
    fn variant(
        &mut self,
        name: &str,
        variant: &UnionVariant,
        object: &ObjectType,
        tag: Option<&str>,
    ) -> String {
        let name = self.scope.give(name);
        self.class(name.clone(), lines(&variant.doc, &Type::Null), object, tag);
        name
    }

    /// Adds one class for each combination.
    fn combinations(&mut self, shapes: Vec<ObjectShape>, place: &str) -> String {
        let alone = shapes.len() == 1;
        let tag = tag(&shapes);
        let texts: Vec<String> = shapes
            .into_iter()
            .map(|shape| {
                let name = if alone { place.to_owned() } else { format!("{place}{}", shape.suffix) };
                let name = self.scope.give(&name);
                let object = ObjectType { fields: shape.fields, extra: shape.extra };
                self.class(name.clone(), lines(&shape.doc, &Type::Null), &object, tag.as_deref());
                name
            })
            .collect();
        self.discriminated(&texts.join(" | "), tag.as_deref())
    }

    /// Returns the union `text`, with the discriminator `tag` if there is a tag.
    fn discriminated(&mut self, text: &str, tag: Option<&str>) -> String {
        let Some(tag) = tag else { return text.to_owned() };
        self.import("typing", "Annotated");
        self.import("pydantic", "Field");
        let mut scope = NameScope::for_attributes(&self.attributes_avoid);
        let attribute = scope.give(&attribute(tag));
        format!("Annotated[{text}, Field(discriminator=\"{attribute}\")]")
    }
}

//! Visits the types inside a type.

use super::{AdditionalProperties, Type};

impl Type {
    /// Calls `visit` with every named type inside this type.
    ///
    /// ```
    /// use agui_codegen::ir::Type;
    ///
    /// let pair = Type::Tuple(vec![Type::Ref("Dish".to_owned()), Type::Bool, Type::Ref("Cook".to_owned())]);
    /// let mut names = Vec::new();
    /// pair.each_ref(&mut |name| names.push(name.to_owned()));
    /// assert_eq!(names, ["Dish", "Cook"]);
    /// ```
    pub fn each_ref(&self, visit: &mut dyn FnMut(&str)) {
        self.each(&mut |ty| {
            if let Self::Ref(name) = ty {
                visit(name);
            }
        });
    }

    /// Calls `visit` with this type and every type inside.
    ///
    /// ```
    /// use agui_codegen::ir::Type;
    ///
    /// let pair = Type::Tuple(vec![Type::Nullable(Box::new(Type::Bool)), Type::Null]);
    /// let mut count = 0;
    /// pair.each(&mut |_| count += 1);
    /// assert_eq!(count, 4);
    /// ```
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Array(array) => array.item.each(visit),
            Self::Tuple(items) | Self::Intersection(items) => items.iter().for_each(|item| item.each(visit)),
            Self::Map(map) => map.value.each(visit),
            Self::Object(object) => {
                object.fields.iter().for_each(|field| field.ty.each(visit));
                if let AdditionalProperties::Typed(extra) = &object.extra {
                    extra.each(visit);
                }
            }
            Self::Nullable(inner) => inner.each(visit),
            Self::Union(union) => union.variants.iter().for_each(|variant| variant.ty.each(visit)),
            _ => {}
        }
    }

    /// Calls `visit` with this type and every type inside, in the same order as [`each`](Self::each), to change the
    /// types.
    ///
    /// ```
    /// use agui_codegen::ir::Type;
    ///
    /// let mut pair = Type::Tuple(vec![Type::Bool, Type::Any]);
    /// pair.each_mut(&mut |ty| {
    ///     if *ty == Type::Any {
    ///         *ty = Type::Null;
    ///     }
    /// });
    /// assert_eq!(pair, Type::Tuple(vec![Type::Bool, Type::Null]));
    /// ```
    pub fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Array(array) => array.item.each_mut(visit),
            Self::Tuple(items) | Self::Intersection(items) => {
                items.iter_mut().for_each(|item| item.each_mut(visit));
            }
            Self::Map(map) => map.value.each_mut(visit),
            Self::Object(object) => {
                object.fields.iter_mut().for_each(|field| field.ty.each_mut(visit));
                if let AdditionalProperties::Typed(extra) = &mut object.extra {
                    extra.each_mut(visit);
                }
            }
            Self::Nullable(inner) => inner.each_mut(visit),
            Self::Union(union) => union.variants.iter_mut().for_each(|variant| variant.ty.each_mut(visit)),
            _ => {}
        }
    }
}

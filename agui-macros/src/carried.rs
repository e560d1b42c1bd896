//! A type whose JSON travels under one name: a custom event, an interrupt.

use syn::{Data, DeriveInput, GenericParam, Generics, Token, Type};

use crate::attr::{SerdeAttrs, check_as_string};
use crate::report::Report;

pub(crate) struct CarriedItem<'a> {
    generics: &'a Generics,
    fields: Vec<(SerdeAttrs, &'a Type)>,
    /// The `union` keyword: such a type has no JSON form.
    union: Option<&'a Token![union]>,
}

impl<'a> CarriedItem<'a> {
    pub(crate) fn from_input(input: &'a DeriveInput) -> Self {
        let (fields, union): (Vec<_>, _) = match &input.data {
            Data::Struct(strukt) => (strukt.fields.iter().collect(), None),
            Data::Enum(enum_) => (enum_.variants.iter().flat_map(|variant| &variant.fields).collect(), None),
            Data::Union(union) => (Vec::new(), Some(&union.union_token)),
        };
        let fields =
            fields.into_iter().map(|field| (SerdeAttrs::from_attributes(&field.attrs), &field.ty)).collect();
        Self { generics: &input.generics, fields, union }
    }

    /// Checks the rules for such a type. `what` is the type's word in messages, and `name` the word for the type's name.
    pub(crate) fn check(&self, what: &str, name: &str, report: &Report) {
        if let Some(union) = self.union {
            report.error(union, "a union has no JSON form: write an enum");
        }
        self.check_generics(what, name, report);
        for (serde, ty) in &self.fields {
            check_as_string(serde, ty, report);
        }
        for key in self.fields.iter().filter_map(|(serde, _)| serde.unseen_by_schemars()) {
            report.error(
                key,
                format_args!(
                    "schemars does not see `{}`, so clients would learn another format: add `#[schemars(with = \"…\")]` \
                     with the type it is written as",
                    key.name
                ),
            );
        }
    }

    fn check_generics(&self, what: &str, name: &str, report: &Report) {
        match self.generics.params.first() {
            Some(GenericParam::Lifetime(lifetime)) => report.error(
                lifetime,
                format_args!(
                    "{what} waits in a queue until the client reads it, so it must own its data: write `String` for `&str`, \
                     `Vec<T>` for `&[T]`"
                ),
            ),
            Some(parameter) => report.error(
                parameter,
                format_args!(
                    "{what} cannot be generic, because its {name} stands for one shape: write one type for each {kind}",
                    kind = what.rsplit(' ').next().unwrap_or(what),
                ),
            ),
            None => {}
        }
    }
}

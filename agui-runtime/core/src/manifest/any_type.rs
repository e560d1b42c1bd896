//! The schema of a type known only by functions.
//!
//! [`SchemaGenerator::subschema_for`] is generic: each of a program's many types would compile another copy. Here the method is
//! compiled once, for a type that stands for all others.

use std::borrow::Cow;
use std::cell::Cell;

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::TypeSource;

/// Like [`SchemaGenerator::subschema_for`], for a type source.
pub(super) fn subschema_for(source: &TypeSource, generator: &mut SchemaGenerator) -> Schema {
    // The schema of a type may ask for that of another.
    let outer = SOURCE.replace(*source);
    let schema = generator.subschema_for::<AnyType>();
    SOURCE.set(outer);
    schema
}

thread_local! {
    /// The type that [`AnyType`] stands for.
    static SOURCE: Cell<TypeSource> = const { Cell::new(TypeSource::of::<()>()) };
}

struct AnyType;

impl JsonSchema for AnyType {
    fn inline_schema() -> bool {
        (SOURCE.get().is_inline)()
    }

    fn schema_name() -> Cow<'static, str> {
        (SOURCE.get().name)()
    }

    fn schema_id() -> Cow<'static, str> {
        (SOURCE.get().id)()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        (SOURCE.get().schema)(generator)
    }
}

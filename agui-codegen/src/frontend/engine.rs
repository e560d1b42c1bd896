//! Rust types that typify generates from a schema document.

use schemars08::schema::Schema;
use typify::{TypeSpace, TypeSpaceSettings};

use super::TranslationError;
use super::draft07::Draft07Document;

/// Returns typify's Rust code for all types in a document. May panic, and may never return.
pub(super) fn types(document: &Draft07Document) -> Result<syn::File, TranslationError> {
    let mut settings = TypeSpaceSettings::default();
    settings
        .with_derive("PartialEq".into())
        // An ordered map, so that the output is stable.
        .with_map_type("::std::collections::BTreeMap");
    let mut space = TypeSpace::new(&settings);
    let mut schemas = Vec::new();
    for (name, schema) in &document.definitions {
        let schema: Schema = serde_json::from_value(schema.clone()).map_err(|error| {
            TranslationError::new(format!("its schema is not valid under draft 7, at `{name}`: {error}"))
        })?;
        schemas.push((name, schema));
    }
    space
        .add_ref_types(schemas)
        .map_err(|error| TranslationError::new(format!("typify refuses it: {error}")))?;
    syn::parse2(space.to_stream())
        .map_err(|error| TranslationError::new(format!("the output of typify is not Rust: {error}")))
}

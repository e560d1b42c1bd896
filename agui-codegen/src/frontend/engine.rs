//! typify, as it is.

use schemars08::schema::Schema;
use typify::{TypeSpace, TypeSpaceSettings};

use super::Refusal;
use super::draft07::Document;

/// The Rust of all types of a document, as typify prints it. May panic, and may take for ever.
pub(super) fn types(document: &Document) -> Result<syn::File, Refusal> {
    let mut settings = TypeSpaceSettings::default();
    settings
        .with_derive("PartialEq".into())
        // What is written has one order.
        .with_map_type("::std::collections::BTreeMap");
    let mut space = TypeSpace::new(&settings);
    let mut schemas = Vec::new();
    for (name, schema) in &document.definitions {
        let schema: Schema = serde_json::from_value(schema.clone())
            .map_err(|error| Refusal::new(format!("its schema is none of draft 7, at `{name}`: {error}")))?;
        schemas.push((name, schema));
    }
    space
        .add_ref_types(schemas)
        .map_err(|error| Refusal::new(format!("typify does not take it: {error}")))?;
    syn::parse2(space.to_stream())
        .map_err(|error| Refusal::new(format!("what typify writes is not Rust: {error}")))
}

//! One validator for each definition of the official JSON Schema.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::schema::{SCHEMA, definitions};

static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

fn validator(definition: &str) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().expect("no test panics while it holds the lock");
    let validator = validators.entry(definition.to_owned()).or_insert_with(|| {
        assert!(definitions().contains_key(definition), "the schema does not define {definition}");
        let mut schema = SCHEMA.clone();
        schema["$ref"] = json!(format!("#/$defs/{definition}"));
        Arc::new(jsonschema::validator_for(&schema).expect("the official schema compiles"))
    });
    Arc::clone(validator)
}

/// Checks a document against a definition.
///
/// # Errors
/// Returns all errors of the schema, with places.
pub fn validate(definition: &str, document: &Value) -> Result<(), String> {
    let errors: Vec<_> = validator(definition)
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

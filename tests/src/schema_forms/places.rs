//! A named type in several places, each with its own description.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Form, form};

/// A named place.
#[derive(JsonSchema, Serialize, Deserialize)]
struct Place {
    x: i64,
}

/// The trip from one place to another.
#[derive(JsonSchema, Serialize, Deserialize)]
struct Trip {
    /// The start.
    from: Place,
    to: Option<Place>,
}

pub(super) fn forms() -> Vec<Form> {
    vec![form::<Trip>(
        "named type with a description of its place",
        json!([{ "from": { "x": 1 }, "to": null }, { "from": { "x": 1 }, "to": { "x": 2 } }]),
        json!([{ "from": { "x": "1" }, "to": null }, { "from": null, "to": null }]),
    )]
}

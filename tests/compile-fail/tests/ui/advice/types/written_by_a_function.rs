//! Written by a function.
//!
//! error: `serialize_with` writes this field in a way schemars cannot see: add `#[schemars(with = "…")]` with the type it is written as
//! write: add `#[schemars(with = "…")]` with the type it is written as

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    #[serde(serialize_with = "short")]
    weight: f32,
}

fn short<S: agui_runtime::__private::serde::Serializer>(weight: &f32, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f32(*weight)
}

//! Activity that is a tuple.
//!
//! error: the content of an activity is a JSON object, and this is written as an array: give the fields names
//! write: give the fields names

use crate::kit::*;

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Search(String, u32);

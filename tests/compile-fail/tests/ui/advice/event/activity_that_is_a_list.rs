//! Activity that is a list.
//!
//! error: the content of an activity is a JSON object, and `Vec<String>` is not written as one
//! write: give the activity named fields

use crate::kit::*;

/// The plan.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Plan(Vec<String>);

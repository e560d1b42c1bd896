//! Activity that is written as a text.
//!
//! error: the content of an activity is a JSON object, and this is written as another value: leave `into` out, or name a struct with named fields
//! write: name a struct with named fields

use crate::kit::*;

/// The plan.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(into = "String", from = "String")]
pub struct Plan {
    next: String,
}

impl From<String> for Plan {
    fn from(next: String) -> Self {
        Self { next }
    }
}

impl From<Plan> for String {
    fn from(plan: Plan) -> Self {
        plan.next
    }
}

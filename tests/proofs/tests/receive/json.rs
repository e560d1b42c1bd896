//! Documents side by side.

use serde_json::Value;

/// Leaves out the empty lists that the official client adds to an input without them: `MadeUpLists`.
pub fn without_made_up_lists(input: &mut Value, ours: Option<&Value>) {
    if let Value::Object(members) = input {
        for key in ["tools", "context"] {
            if ours.is_some_and(|ours| ours.get(key).is_none())
                && members.get(key).is_some_and(|list| *list == Value::Array(vec![]))
            {
                members.shift_remove(key);
            }
        }
    }
}

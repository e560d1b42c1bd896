//! Any JSON.

use serde_json::Value;

use super::super::Node;

impl Node for Value {
    fn same(&self, now: &Self) -> bool {
        crate::json::same(self, now)
    }
}

//! Runs the test of every rule on one copy of the kernel.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::rules::RULES;

/// The first test that fails, if one does.
pub fn kill() -> Option<String> {
    let killer = RULES.iter().find(|(.., check)| catch_unwind(AssertUnwindSafe(check)).is_err());
    killer.map(|(rule, name, _)| format!("the test of rule {rule}, \"{name}\""))
}

//! Runs the tests of the rules on one copy of the kernel.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::rules::RULES;

/// The first test that fails, if one does: of this rule, or of any for what is none of the kernel's rules.
pub fn kill(rule: u8) -> Option<String> {
    let mut own = RULES.iter().filter(|(number, ..)| rule == 0 || *number == rule);
    let killer = own.find(|(.., check)| catch_unwind(AssertUnwindSafe(check)).is_err());
    killer.map(|(rule, name, _)| format!("the test of rule {rule}, \"{name}\""))
}

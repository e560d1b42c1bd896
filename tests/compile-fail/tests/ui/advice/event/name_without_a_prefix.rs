//! Name without a prefix.
//!
//! error: AG-UI keeps unprefixed names for itself: write `"agui-compile-fail-tests.smoke"`, or add `reserved` when it is one of AG-UI's own
//! write: write `"agui-compile-fail-tests.smoke"`, or add `reserved` when it is one of AG-UI's own

use crate::kit::*;

#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "smoke")]
struct Smoke {
    dense: bool,
}

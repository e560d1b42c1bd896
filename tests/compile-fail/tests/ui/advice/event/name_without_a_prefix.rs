//! Name without a prefix.
//!
//! error: AG-UI reserves unprefixed names: write `"agui-compile-fail-tests.smoke"`, or add `reserved` when it is one of AG-UI's own
//! write: write `"agui-compile-fail-tests.smoke"`, or add `reserved` when it is one of AG-UI's own

use crate::kit::*;

#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "smoke")]
struct Smoke {
    dense: bool,
}

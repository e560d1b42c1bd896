//! Behind a box.
//!
//! error: the trait `agui_runtime::Agent` is not dyn compatible
//! write: write `Arc<dyn DynAgent>` for an agent of any type

use crate::kit::*;

struct Kitchen {
    agents: Vec<Box<dyn Agent>>,
}

//! Behind a box.
//!
//! error: the trait `agui_runtime::Agent` is not dyn compatible
//! write: WriteInstead<Self, Arc<dyn DynAgent>>

use crate::kit::*;

struct Kitchen {
    agents: Vec<Box<dyn Agent>>,
}

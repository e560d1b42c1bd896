//! Identity that cannot be cloned.
//!
//! error: the trait bound `Customer: Clone` is not satisfied
//! write: consider annotating `Customer` with `#[derive(Clone)]`

use crate::kit::*;

struct Customer;

fn mistake() {
    let options = agui_runtime::RunOptions::default().request(Customer);
}

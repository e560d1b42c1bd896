//! Lists an event that does not exist.
//!
//! error: cannot find type `Sizle` in this scope
//! write: a struct with a similar name exists

use crate::kit::*;

#[agent(events = [Sizle])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

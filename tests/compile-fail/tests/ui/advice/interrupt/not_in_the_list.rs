//! Not in the list.
//!
//! error: `Allow` is not an interrupt of `Waiter`
//! write: add it to `#[agent(interrupts = [..])]`: the generated client only knows the interrupts listed there

use crate::kit::*;

async fn mistake(run: &mut Run<Waiter>) -> Result<(), Stop> {
    Err(run.ask(Allow { what: "fire".to_owned() }))
}

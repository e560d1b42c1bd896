//! Answer to what is not in the list.
//!
//! error: `Allow` is not an interrupt of `Waiter`
//! write: add it to `#[agent(interrupts = [..])]`: the generated client only knows the interrupts listed there

use crate::kit::*;

fn mistake(input: &Input<Waiter>) -> Result<(), Stop> {
    let asked = input.resumed::<Allow>()?;
    Ok(())
}

//! Answer taken as a bool.
//!
//! error: `?` operator has incompatible types

use crate::kit::*;

fn mistake(input: &Input<Chef>) -> Result<(), Stop> {
    if input.resumed::<Allow>()? {
        return Ok(());
    }
    Ok(())
}

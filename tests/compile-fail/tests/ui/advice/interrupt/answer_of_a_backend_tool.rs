//! Answer of a backend tool.
//!
//! error: a backend tool is not answered by the user interface
//! write: `run.call(..).await?.run().await` returns its answer, in the run that calls it

use crate::kit::*;

fn mistake(input: &Input<Chef>) -> Result<(), Stop> {
    let cents = input.frontend_result::<price>()?;
    Ok(())
}

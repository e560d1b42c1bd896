//! Keeps what cannot move.
//!
//! error: future cannot be sent between threads safely
//! write: put `Arc` in the place of `Rc`

use std::rc::Rc;

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let held = Rc::new(3);
    run.say("Hm.").await;
    drop(held);
    Ok(())
}

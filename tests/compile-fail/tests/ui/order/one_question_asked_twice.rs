#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Interrupt, InterruptList};

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let question = Interrupt::new("i-1", "confirmation");
    let both: InterruptList = vec![question, question].try_into()?;
    Err(Stop::interrupt(both))
}

fn main() {}

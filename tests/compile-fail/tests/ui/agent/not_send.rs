#![allow(unused)]

use agui_runtime::prelude::*;

use std::rc::Rc;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let held = Rc::new(3);
    run.say("Hm.").await;
    run.say(held.to_string()).await;
    Ok(())
}

fn main() {}

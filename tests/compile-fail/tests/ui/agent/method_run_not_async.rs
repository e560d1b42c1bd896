#![allow(unused)]

use agui_runtime::prelude::*;

struct Cook;

#[agent]
impl Cook {
    fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        Ok(())
    }
}

fn main() {}

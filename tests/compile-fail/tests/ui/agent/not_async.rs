#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn serve() -> Cook {
    Cook::new()
}

fn main() {}

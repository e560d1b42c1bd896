#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn serve() -> Cook {
    Cook::new()
}

fn main() {}

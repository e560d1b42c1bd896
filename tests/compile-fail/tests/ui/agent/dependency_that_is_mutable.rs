#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: &mut Shop) -> Result<(), Stop> {
    Ok(())
}

fn serve() -> Cook {
    Cook::new(Shop)
}

fn main() {}

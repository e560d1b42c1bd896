#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook() -> Result<(), Stop> {
    Ok(())
}

fn serve() -> Cook {
    Cook::new()
}

fn main() {}

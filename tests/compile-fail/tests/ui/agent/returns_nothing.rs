#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) {}

fn serve() -> Cook {
    Cook::new()
}

fn main() {}

#![allow(unused)]

use agui_runtime::prelude::*;
use serde::Serialize;

#[derive(Serialize)]
struct Menu;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<Menu, Stop> {
    Ok(Menu)
}

fn main() {}

#![allow(unused)]

use agui_runtime::prelude::*;

struct Plan;

#[agent(catalogs = [Plan])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}

#![allow(unused)]

use agui_runtime::prelude::*;

struct Cook<T>(T);

#[agent]
impl<T> Cook<T> {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        Ok(())
    }
}

fn main() {}

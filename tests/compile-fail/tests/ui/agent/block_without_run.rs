#![allow(unused)]

use agui_runtime::prelude::*;

struct Cook;

#[agent]
impl Cook {
    fn name(&self) -> u32 {
        3
    }
}

fn serve() -> impl Agent {
    Cook
}

fn main() {}

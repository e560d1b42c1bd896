#![allow(unused)]

use agui_runtime::prelude::*;

struct Cook;

#[agent]
impl Clone for Cook {
    fn clone(&self) -> Self {
        Cook
    }
}

fn main() {}

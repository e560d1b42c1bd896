#![allow(unused)]

use agui_runtime::prelude::*;

struct Shop;

impl Shop {
    /// Counts.
    #[tool]
    async fn price(&self, name: String) -> u32 {
        name.len() as u32
    }
}

async fn ask(shop: &Shop) -> u32 {
    shop.price("rice".to_owned()).await
}

fn main() {}

//! A cook who shares a recipe with the page: `cargo run -p recipe`, then open the address it prints.

mod cook;
mod cookbook;
mod page;
mod recipe;
mod shop;
mod wish;

use agui_runtime::Server;

use crate::cook::Cook;
use crate::shop::Shop;

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    Server::new().agent("/cook", Cook::new(Shop::new())).routes(page::routes()).serve().await
}

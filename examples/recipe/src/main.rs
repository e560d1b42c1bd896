//! A cook who shares a recipe with the page: `cargo run -p recipe`, then open the address it prints.

mod cook;
mod cookbook;
mod page;
mod recipe;
mod shop;
mod talk;
mod wish;

use agui_runtime::Server;
use agui_runtime::model::Model;
use agui_runtime::provider::ModelConfigError;
use agui_runtime::thread::Sqlite;

use crate::cook::Cook;
use crate::shop::Shop;
use crate::talk::Talker;

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    let talker = match Model::from_env() {
        Ok(model) => Talker::Model(model),
        Err(ModelConfigError::Unset) => Talker::Rules,
        Err(wrong) => return Err(wrong.into()),
    };
    let threads = Sqlite::open(std::env::temp_dir().join("agui-recipe.db"))?;
    let cook = Cook::new(Shop::new(), talker);
    // Clients that want to hold one connection for all of their runs find it at `/agui/ws`.
    Server::new().threads(threads).websocket().agent("/cook", cook).routes(page::routes()).serve().await
}

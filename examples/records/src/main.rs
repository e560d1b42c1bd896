//! A desk whose model reads customers' files, which no page sees: `cargo run -p records`.
//!
//! Without `AGUI_MODEL` a script plays the model: it reads the file of the customer whose name it finds.

use agui_runtime::Server;
use agui_runtime::model::{Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Content;
use agui_runtime::thread::Memory;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A customer's file.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
struct CustomerFile {
    name: String,
    account: String,
    pays_late: bool,
}

/// The files in the cabinet.
struct Cabinet(Vec<CustomerFile>);

impl Cabinet {
    fn open() -> Self {
        let file = |name: &str, account: &str, pays_late| CustomerFile {
            name: name.to_owned(),
            account: account.to_owned(),
            pays_late,
        };
        Self(vec![file("Ada", "4711-0815-2342", true), file("Grace", "1906-1209-1992", false)])
    }
}

/// Reads a customer's file.
#[tool(private)] // no event, no log, no client has the call or the file
async fn customer_file(cabinet: &Cabinet, name: String) -> Option<CustomerFile> {
    cabinet.0.iter().find(|file| file.name == name).cloned()
}

/// Tells customers how they may pay.
#[agent(tools = [customer_file])]
async fn cashier(
    run: &mut Run<Cashier>,
    _: Input<Cashier>,
    model: &Model,
    cabinet: &Cabinet,
) -> Result<(), Stop> {
    run.chat(model).instructions("Say how the customer may pay. Never repeat the customer's file.").await
}

/// Reads the file of a customer who is named, and says how the customer may pay.
fn reply(prompt: &Prompt) -> Reply {
    if let [result] = prompt.last_results() {
        return match result.value::<Option<CustomerFile>>() {
            Ok(Some(file)) if file.pays_late => Reply::text("In advance, please."),
            Ok(Some(_)) => Reply::text("On invoice, whenever you like."),
            _ => Reply::text("I do not know you yet: in advance, please."),
        };
    }
    let said = match prompt.messages.last() {
        Some(PromptMessage::User(parts)) => Content::Parts(parts.clone()).text().into_owned(),
        _ => String::new(),
    };
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase) && *word != "I";
    match said
        .split(|letter: char| !letter.is_alphabetic())
        .filter(|word| !word.is_empty())
        .skip(1)
        .find(is_name)
    {
        Some(name) => Reply::call("customer_file", customer_file { name: name.to_owned() }),
        None => Reply::text("Tell me your name, as in: I am Ada."),
    }
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    let model = Model::from_env_or(ScriptedModel::from_fn(reply))?;
    // The store keeps the files that the model has read. Without a store the server needs `AGUI_SECRET`.
    Server::new().threads(Memory::new()).agent("/", Cashier::new(model, Cabinet::open())).serve().await
}

//! Agents among the tools of an agent, each of which asks: by a typed interrupt, by an approval, by a server's question.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agui_runtime::mcp::{McpClient, McpServer};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::{InterruptKey, RunOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::asking::Asker;
use crate::served_asking::connected;
use crate::wired::{Client, our_client};

/// The number of searches, and of published texts.
#[derive(Default)]
struct Press {
    searches: AtomicU32,
    texts: AtomicU32,
}

/// Looks words up.
#[tool]
async fn search(press: &Arc<Press>, words: String) -> String {
    press.searches.fetch_add(1, Ordering::SeqCst);
    format!("read about {words}")
}

/// Publishes a text.
#[tool(approval)]
async fn publish(press: &Arc<Press>, text: String) -> String {
    press.texts.fetch_add(1, Ordering::SeqCst);
    format!("published {text}")
}

/// Writes about a topic.
#[agent(tools = [search, publish])]
async fn author(
    run: &mut Run<Author>,
    _: Input<Author>,
    model: &Model,
    _press: &Arc<Press>,
) -> Result<String, Stop> {
    run.chat(model).text().await
}

/// Asks for a city.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "which_city", message = "Which city?", response = City)]
pub(crate) struct WhichCity {
    near: String,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct City {
    name: String,
}

/// Asks for the number of nights.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "how_long", message = "How many nights?", response = u32)]
pub(crate) struct HowLong {}

/// Plans a journey.
#[agent(interrupts = [WhichCity, HowLong])]
pub(crate) async fn guide(run: &mut Run<Guide>, input: Input<Guide>) -> Result<String, Stop> {
    if input.user_text().is_some_and(|text| text.contains("nights")) {
        return match input.resumed::<HowLong>()? {
            None => Err(run.ask(HowLong {})),
            Some(asked) => Ok(format!("{} nights", asked.response.unwrap_or_default())),
        };
    }
    match input.resumed::<WhichCity>()? {
        None => Err(run.ask(WhichCity { near: "the sea".to_owned() })),
        Some(asked) => Ok(asked.response.map_or("nowhere".to_owned(), |city| city.name)),
    }
}

/// Plans with a model, and asks whatever the model asks.
#[agent(tools = [search], interrupts = [WhichCity])]
async fn planner(
    run: &mut Run<Planner>,
    input: Input<Planner>,
    model: &Model,
    _press: &Arc<Press>,
) -> Result<String, Stop> {
    let asked = input.resumed::<WhichCity>()?;
    let text = run.chat(model).text().await?;
    if text.ends_with('?') {
        return Err(run.ask(WhichCity { near: text }));
    }
    let city = asked.and_then(|asked| asked.response).map(|city| city.name);
    Ok(format!("{text} {}", city.unwrap_or_default()))
}

/// Buys with the tools of a server.
#[agent]
async fn courier(
    run: &mut Run<Courier>,
    _: Input<Courier>,
    model: &Model,
    shop: &McpClient,
) -> Result<String, Stop> {
    run.chat(model).tools(shop.tools().await?).text().await
}

/// Has agents as tools.
#[agent(tools = [Author, Guide, Planner, Courier])]
async fn office(
    _: &mut Run<Office>,
    _: Input<Office>,
    _author: &Arc<Author>,
    _guide: &Arc<Guide>,
    _planner: &Arc<Planner>,
    _courier: &Arc<Courier>,
) -> Result<(), Stop> {
    Ok(())
}

/// Has an agent that needs nothing.
#[agent(tools = [Guide])]
pub(crate) async fn traveller(
    _: &mut Run<Traveller>,
    _: Input<Traveller>,
    _guide: &Arc<Guide>,
) -> Result<(), Stop> {
    Ok(())
}

/// An agent whose tool asks.
pub(crate) fn travel() -> Traveller {
    Traveller::new(Arc::new(Guide::new()))
}

/// An office, whose authors, planners and couriers answer in this order.
pub(crate) struct Desk {
    office: Arc<Office>,
    press: Arc<Press>,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) asker: Asker,
}

impl Desk {
    pub(crate) async fn new(replies: impl Into<Vec<Reply>>) -> Self {
        let model = Arc::new(ScriptedModel::new(replies.into()));
        let (press, asker) = (Arc::<Press>::default(), Asker::default());
        let author = Author::new(Arc::clone(&model).into(), Arc::clone(&press));
        let courier = Courier::new(Arc::clone(&model).into(), our_client(asker.clone()).await);
        let planner = Arc::new(Planner::new(Arc::clone(&model).into(), Arc::clone(&press)));
        let office = Office::new(Arc::new(author), Arc::new(Guide::new()), planner, Arc::new(courier));
        Self { office: Arc::new(office), press, model, asker }
    }

    /// A client on a connection of its own, to a server with this secret, if any.
    pub(crate) async fn client(&self, secret: Option<u8>) -> Client {
        let options = match secret {
            Some(secret) => RunOptions::default().interrupt_key(InterruptKey::new([secret; 32]).unwrap()),
            None => RunOptions::default(),
        };
        self.client_with(options, true).await
    }

    pub(crate) async fn client_with(&self, options: RunOptions, shows_forms: bool) -> Client {
        let (here, there) = tokio::io::duplex(1 << 20);
        let server = McpServer::shared(&self.office).client_asks_user().options(options);
        tokio::spawn(server.serve(there));
        connected(here, shows_forms).await
    }

    pub(crate) fn counts(&self) -> (u32, u32) {
        (self.press.searches.load(Ordering::SeqCst), self.press.texts.load(Ordering::SeqCst))
    }
}

//! A cook with a model and two tools.

use std::time::Duration;

use agui_runtime::model::{ChatModel, Model, ModelStream, Prompt, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::TokenUsage;
use futures::StreamExt;
use tokio::time::sleep;

/// Looks up what is in the pantry.
#[tool(read_only)]
async fn pantry() -> Vec<String> {
    sleep(Duration::from_millis(20)).await;
    vec!["rice".to_owned(), "saffron".to_owned()]
}

/// Looks up what an ingredient costs, in cents.
#[tool(read_only, timeout = "1s")]
async fn price(name: String) -> Option<u32> {
    sleep(Duration::from_millis(35)).await;
    (name == "rice").then_some(180)
}

/// Suggests a dish.
#[agent(tools = [pantry, price])]
pub async fn cook(run: &mut Run<Cook>, _: Input<Cook>, model: &Model) -> Result<(), Stop> {
    run.chat(model).instructions("Suggest one dish from the pantry, with its price.").await
}

/// A model without a network that takes its time, so that there is something to see.
struct Slow(ScriptedModel);

impl ChatModel for Slow {
    fn provider(&self) -> &str {
        self.0.provider()
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let answer = self.0.respond(prompt);
        answer
            .then(|delta| async {
                sleep(Duration::from_millis(15)).await;
                delta
            })
            .boxed()
    }
}

/// The model of the example. A real one is `HostedModel::from_env()`, with the feature `providers`.
pub fn model() -> Model {
    let spent = |input: u32, output: u32| {
        TokenUsage::new().with_model("slow-1").with_input_tokens(input).with_output_tokens(output)
    };
    let script = ScriptedModel::from_fn(move |prompt| {
        if !prompt.last_results().is_empty() {
            return Reply::text("Risotto alla milanese: the rice costs 1.80.").usage(spent(310, 24));
        }
        match prompt.last_user_text().as_deref() {
            Some("Anything with truffles?") => Reply::failure(|| {
                agui_runtime::model::ModelError::Overloaded { message: "busy".to_owned(), retry_after: None }
            }),
            _ => Reply::call("pantry", pantry {})
                .and_call("price", price { name: "rice".to_owned() })
                .usage(spent(120, 31)),
        }
    });
    Model::from(Slow(script.pieces(8)))
}

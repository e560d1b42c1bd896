//! `/agentic_chat_reasoning`: a model whose reasoning the page shows before the answer. The page chooses the model, and
//! keeps the choice in the shared state.

use agui_runtime::model::{Model, Prompt, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::demo::agentic_chat::change_background;
use crate::demo::asked::{asks_for_background, last_message};

/// The provider that the user has chosen on the page.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(default)]
pub struct Choice {
    model: String,
}

impl Default for Choice {
    fn default() -> Self {
        Self { model: "OpenAI".to_owned() }
    }
}

/// Thinks before it answers, and changes the background of the chat.
#[agent(state = Choice, tools = [change_background])]
pub async fn agentic_chat_reasoning(
    run: &mut Run<AgenticChatReasoning>,
    input: Input<AgenticChatReasoning>,
    model: &Model,
) -> Result<(), Stop> {
    let choice = input.state()?.unwrap_or_default();
    run.chat(model).instructions(format!("You speak for {}.", choice.model)).await
}

/// The agent with a script in place of a model.
pub fn scripted() -> AgenticChatReasoning {
    AgenticChatReasoning::new(ScriptedModel::from_fn(reply).pieces(8).into())
}

fn reply(prompt: &Prompt) -> Reply {
    if let [answer, ..] = prompt.last_results() {
        return Reply::text(format!("The page answered: {}.", answer.content.text()));
    }
    let asked = last_message(prompt).text().into_owned();
    if asks_for_background(prompt, &asked) {
        let background = "linear-gradient(135deg, #667eea 0%, #764ba2 100%)".to_owned();
        return Reply::call(change_background::NAME, change_background { background })
            .after_reasoning("A gradient is easy on the eyes.");
    }
    let speaker = prompt.instructions.as_deref().unwrap_or_default();
    let thought = format!(
        "{speaker} The question is: {asked} I compare reliability, price and comfort, in this order."
    );
    let answer = "My recommendations: a Toyota for reliability, a Honda for its price, a Mazda for comfort.";
    Reply::text(answer).after_reasoning(thought)
}

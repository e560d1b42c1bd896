//! The answers of the desk without a model: a few rules, so that the example runs without a key.

use agui_runtime::model::{Prompt, PromptMessage, Reply, ScriptedModel, ToolChoice, ToolResult};
use agui_runtime::protocol::Content;
use serde_json::json;

use crate::shop::Order;
use crate::{order, refund};

/// Returns a model that understands the number of an order, and the wish for a refund.
pub fn model() -> ScriptedModel {
    ScriptedModel::from_fn(reply).pieces(12)
}

/// Returns a model that writes titles for conversations.
pub fn titles() -> ScriptedModel {
    ScriptedModel::from_fn(|prompt| {
        let number = number_in(&last_wish(prompt));
        Reply::text(number.map_or_else(|| "A question".to_owned(), |number| format!("About order {number}")))
    })
}

fn reply(prompt: &Prompt) -> Reply {
    // The tool by which a page of CopilotKit asks for suggestions.
    if let ToolChoice::Tool(tool) = &prompt.tool_choice {
        let suggestion =
            json!({ "title": "A refund", "message": "Order 9 is broken. I want my money back." });
        return Reply::call(tool.as_str(), json!({ "suggestions": [suggestion] }));
    }
    let wish = last_wish(prompt);
    if let [answer, ..] = prompt.last_results() {
        return report(answer, &wish);
    }
    match number_in(&wish) {
        Some(number) => Reply::call("order", order { number }),
        None => Reply::text("Which order is it about? Tell me its number: 7, 8 or 9."),
    }
}

/// Returns the reply to the result of a tool.
fn report(answer: &ToolResult, wish: &str) -> Reply {
    let content = answer.content.text();
    let Ok(order) = serde_json::from_str::<Order>(&content) else {
        return Reply::text(format!("That did not work: {}", reason(&content)));
    };
    let left = order.cents - order.refunded;
    let (number, item) = (order.number, &order.item);
    match answer.tool.as_str() {
        "refund" => {
            Reply::text(format!("Done: {} for the {item} are on their way to you.", euros(order.refunded)))
        }
        _ if wants_refund(wish) && left > 0 => {
            let about = format!("Order {number} is a {item} for {}. ", euros(order.cents));
            Reply::text(about).and_call("refund", refund { number, cents: left })
        }
        _ => Reply::text(format!(
            "Order {number}: a {item}, {}, {} refunded.",
            euros(order.cents),
            euros(order.refunded)
        )),
    }
}

/// Returns the last message of the user: the reply to a result still follows it.
fn last_wish(prompt: &Prompt) -> String {
    let wishes = prompt.messages.iter().rev().filter_map(|message| match message {
        PromptMessage::User(parts) => Some(Content::Parts(parts.clone()).text().to_lowercase()),
        _ => None,
    });
    wishes.into_iter().next().unwrap_or_default()
}

fn number_in(wish: &str) -> Option<u32> {
    wish.split(|character: char| !character.is_ascii_digit()).find_map(|digits| digits.parse().ok())
}

fn wants_refund(wish: &str) -> bool {
    ["refund", "money", "back", "broken", "return"].iter().any(|word| wish.contains(word))
}

/// Returns the text of a failed result, which stands in its member `error`.
fn reason(content: &str) -> String {
    let failure: Result<serde_json::Value, _> = serde_json::from_str(content);
    let text = failure.ok().and_then(|failure| Some(failure.get("error")?.as_str()?.to_owned()));
    text.unwrap_or_else(|| content.to_owned())
}

fn euros(cents: u32) -> String {
    format!("{}.{:02} €", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests;

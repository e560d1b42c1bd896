//! The demonstrations with a model: reasoning, and messages with pictures.

use serde_json::{Value, json};

use crate::case::{Case, call, text};

/// The answer of the model that reasons.
pub const ADVICE: &str =
    "My recommendations: a Toyota for reliability, a Honda for its price, a Mazda for comfort.";

/// The reasoning of the model of a provider about a question.
pub fn thought(provider: &str, question: &str) -> String {
    format!(
        "You speak for {provider}. The question is: {question} I compare reliability, price and comfort, in this order."
    )
}

pub fn cases() -> Vec<Case> {
    let car = "What is the best car to buy?";
    let asked = json!({
        "messages": [{ "id": "said", "role": "user", "content": car }], "state": { "model": "Gemini" },
    });
    let purple = json!({ "background": "linear-gradient(135deg, #667eea 0%, #764ba2 100%)" }).to_string();
    let pink = json!({ "background": "linear-gradient(135deg, #f093fb 0%, #f5576c 100%)" }).to_string();
    let reasoned = |thoughts: &str, then: Vec<Value>| [reasoning(thoughts), then];
    vec![
        Case::new("/agentic_chat_reasoning", reasoned(&thought("Gemini", car), text("#3", ADVICE)))
            .pieces(8)
            .when("of the chosen model", asked),
        Case::new(
            "/agentic_chat_reasoning",
            reasoned(
                "A gradient is easy on the eyes.",
                of_turn("#4", call("#3", "change_background", &purple)),
            ),
        )
        .when("calls the page", offering("A new background, please"))
        .leaves(&["#3"]),
        Case::new("/agentic_chat_reasoning", [text("#1", "The page answered: done.")]).answered(
            "answered",
            "change_background",
            "done",
        ),
        Case::new(
            "/agentic_chat_multimodal",
            [text("#1", "I see nothing but text. Attach a picture or a document.")],
        ),
        Case::new("/agentic_chat_multimodal", [text("#1", SEEN)]).when(
            "pictures",
            json!({ "messages": [{ "id": "said", "role": "user", "content": attached() }] }),
        ),
        Case::new("/agentic_chat_multimodal", [of_turn("#2", call("#1", "change_background", &pink))])
            .when("calls the page", offering("A new background, please"))
            .leaves(&["#1"]),
        Case::new("/agentic_chat_multimodal", [text("#1", "The page answered: done.")]).answered(
            "answered",
            "change_background",
            "done",
        ),
    ]
}

/// The answer to [`attached`].
pub const SEEN: &str = "I can see an image (image/png, 3 bytes) and a document at https://example.com/a.pdf.";

/// A message with a picture in it, and a document elsewhere.
pub fn attached() -> Value {
    json!([
        { "type": "text", "text": "What do you see?" },
        { "type": "image", "source": { "type": "data", "value": "aGkh", "mimeType": "image/png" } },
        { "type": "document", "source": { "type": "url", "value": "https://example.com/a.pdf" } },
    ])
}

/// A message of a page with a tool.
fn offering(text: &str) -> Value {
    json!({
        "messages": [{ "id": "said", "role": "user", "content": text }],
        "tools": [{ "name": "change_background", "description": "Paints.", "parameters": { "type": "object" } }],
    })
}

/// A call of a model belongs to the message of its turn.
fn of_turn(message: &str, mut call: Vec<Value>) -> Vec<Value> {
    call[0]["parentMessageId"] = json!(message);
    call
}

fn reasoning(thoughts: &str) -> Vec<Value> {
    vec![
        json!({ "type": "REASONING_START", "messageId": "#1" }),
        json!({ "type": "REASONING_MESSAGE_START", "messageId": "#2", "role": "reasoning" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "#2", "delta": thoughts }),
        json!({ "type": "REASONING_MESSAGE_END", "messageId": "#2" }),
        json!({ "type": "REASONING_END", "messageId": "#1" }),
    ]
}

//! axum and serde by hand: an input of the members that matter, events that serde writes.

use std::convert::Infallible;

use axum::response::sse::{Event as Frame, KeepAlive, Sse};
use axum::routing::post;
use axum::{Json, Router};
use futures::Stream;
use futures::stream::unfold;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::serve_router;
use crate::process::Fault;
use crate::shape::{Shape, token};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    thread_id: String,
    run_id: String,
    #[serde(rename = "messages")]
    _messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(rename = "role")]
    _role: String,
    #[serde(rename = "content")]
    _content: String,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
enum Event {
    RunStarted { thread_id: String, run_id: String },
    TextMessageStart { message_id: &'static str, role: &'static str },
    TextMessageContent { message_id: &'static str, delta: String },
    TextMessageEnd { message_id: &'static str },
    RunFinished { thread_id: String, run_id: String },
}

const MESSAGE: &str = "message-1";

fn event(shape: Shape, input: &Input, number: u64) -> Event {
    let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
    match number.checked_sub(2) {
        None if number == 0 => Event::RunStarted { thread_id, run_id },
        None => Event::TextMessageStart { message_id: MESSAGE, role: "assistant" },
        Some(delta) if delta < shape.deltas => {
            Event::TextMessageContent { message_id: MESSAGE, delta: token(delta) }
        }
        Some(delta) if delta == shape.deltas => Event::TextMessageEnd { message_id: MESSAGE },
        Some(_) => Event::RunFinished { thread_id, run_id },
    }
}

fn run(shape: Shape, input: Input) -> Sse<impl Stream<Item = Result<Frame, axum::Error>>> {
    let begun = Instant::now();
    let events = unfold((input, 0), move |(input, number)| async move {
        if number == shape.events() {
            return None;
        }
        if let Some(delta) = number.checked_sub(2).filter(|delta| *delta < shape.deltas) {
            shape.wait(begun, delta).await;
        }
        let frame = Frame::default().json_data(event(shape, &input, number));
        Some((frame, (input, number + 1)))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

pub async fn serve(shape: Shape, listener: TcpListener) -> Result<(), Fault> {
    let answer = move |Json(input): Json<Input>| async move { Ok::<_, Infallible>(run(shape, input)) };
    serve_router(Router::new().route("/", post(answer)), listener).await
}

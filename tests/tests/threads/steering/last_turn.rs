//! Messages that come while the model says its last text.

use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::model::{ChatModel, EndReason, Model, ModelStream, Prompt, PromptMessage, ReplyDelta};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Content;
use agui_runtime::thread::Memory;
use futures::{StreamExt as _, stream};

use super::{Desk, conversation, memory, pairs, records_with, steer, working};
use crate::thread_server::{ThreadServer, events, is_legal};

/// Repeats the user's last message. Waits in the middle of the text, if the user says so.
struct Repeating(Desk);

impl ChatModel for Repeating {
    fn provider(&self) -> &str {
        "repeating"
    }

    fn name(&self) -> &str {
        "repeating"
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let said = match prompt.messages.last() {
            Some(PromptMessage::User(parts)) => Content::Parts(parts.clone()).text().into_owned(),
            _ => String::new(),
        };
        let rest = async move {
            if said == "wait" {
                self.0.pause().await;
            }
            Ok(ReplyDelta::Text(said))
        };
        stream::iter([Ok(ReplyDelta::Text("You said: ".to_owned()))])
            .chain(stream::once(rest))
            .chain(stream::iter([Ok(ReplyDelta::End(EndReason::Stop))]))
            .boxed()
    }
}

/// Talks, with a limit for turns.
#[agent]
async fn talker(run: &mut Run<Talker>, _: Input<Talker>, model: &Model, turns: &u32) -> Result<(), Stop> {
    run.chat(model).max_turns(*turns).await
}

/// Steers a run in the model's last text. Returns the store, and the events of both clients.
async fn steered_in_the_last_text(turns: u32) -> (Memory, String, String) {
    let (log, desk) = memory();
    let options = ThreadOptions::default().busy(BusyThread::Steer).lease(Duration::from_secs(1));
    let model = Model::from(Repeating(desk.clone()));
    let server = Server::new().threads(log.clone()).thread_options(options);
    let server = ThreadServer::serve(server.agent("/", Talker::new(model, turns))).await;
    let first = working(&server, "/", &desk, "wait").await;
    let second = steer(&server, "/", "2", "thanks").await;
    desk.go_on.notify_one();
    let (first, second) = (first.whole().await.text().to_owned(), second.whole().await);
    is_legal(&first);
    is_legal(&second);
    let expected = [
        ("u-1", "wait"),
        ("assistant", "You said: wait"),
        ("u-2", "thanks"),
        ("assistant", "You said: thanks"),
    ];
    assert_eq!(conversation(&second), pairs(&expected));
    (log, first, second)
}

fn ends(text: &str) -> Vec<String> {
    let ends = events(text).into_iter().filter(|event| event["type"] == "RUN_FINISHED");
    ends.map(|end| end["runId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_message_inside_the_last_text_makes_another_turn() {
    let (log, first, second) = steered_in_the_last_text(2).await;
    assert_eq!((ends(&first), ends(&second)), (vec!["1".to_owned()], vec!["1".to_owned()]));
    assert_eq!(records_with(&log, "/", r#""type":"RUN_STARTED""#).await, 1);
}

#[tokio::test]
async fn without_a_turn_left_the_run_succeeds_and_the_message_starts_the_next() {
    let (log, first, second) = steered_in_the_last_text(1).await;
    assert_eq!(ends(&first), ["1"], "{first}");
    assert_eq!(ends(&second), ["1", "2"], "{second}");
    assert_eq!(records_with(&log, "/", r#""type":"RUN_STARTED""#).await, 2);
}

//! A run takes the messages that come while it works.

use agui_runtime::thread::{Sqlite, ThreadLog};
use agui_tests::folder::Folder;
use serde_json::json;

use super::{conversation, memory, pairs, post, records_with, serve, steer, stored, working};
use crate::thread_server::{asking, events, is_legal, types};

/// The user's message of a test, when the test has ended.
const JOINED: [(&str, &str); 5] = [
    ("u-1", "look it up"),
    ("assistant", ""),
    ("tool", ""),
    ("u-2", "only green tea"),
    ("assistant", "You said: only green tea"),
];

async fn a_message_joins_between_the_results_and_the_next_turn(log: impl ThreadLog + Clone) {
    let desk = super::Desk::default();
    let server = serve(log.clone(), &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let second = steer(&server, "/", "2", "only green tea").await;
    desk.go_on.notify_one();
    let (first, second) = (first.whole().await, second.whole().await);
    is_legal(first.text());
    is_legal(&second);
    let types = types(first.text());
    assert!(
        types.ends_with(
            "TOOL_CALL_RESULT TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END TEXT_MESSAGE_START \
             TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED"
        ),
        "{types}"
    );
    assert!(first.text().contains(r#""messageId":"u-2","role":"user""#), "{}", first.text());
    let last = |text: &str| events(text).pop().unwrap();
    assert_eq!(last(first.text()), last(&second), "both read one run");
    assert_eq!(conversation(&second), pairs(&JOINED));
    assert_eq!(desk.prompts(), [vec!["look it up"], vec!["look it up", "only green tea"]]);
    assert_eq!(stored(&server, "/").await, pairs(&JOINED), "a tab that comes later sees the message too");
    assert_eq!(records_with(&log, "/", r#""type":"RUN_STARTED""#).await, 1, "no second run began");
}

#[tokio::test]
async fn a_message_joins_in_memory() {
    a_message_joins_between_the_results_and_the_next_turn(memory().0).await;
}

#[tokio::test]
async fn a_message_joins_on_sqlite() {
    let folder = Folder::new("steering");
    a_message_joins_between_the_results_and_the_next_turn(Sqlite::open(folder.0.join("threads.db")).unwrap())
        .await;
}

#[tokio::test]
async fn messages_join_in_their_order_and_the_next_run_knows_them() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let others = [steer(&server, "/", "2", "green").await, steer(&server, "/", "3", "black").await];
    desk.go_on.notify_one();
    first.whole().await;
    for other in others {
        is_legal(&other.whole().await);
    }
    assert_eq!(desk.prompts().pop().unwrap(), ["look it up", "greenblack"]);
    let next = post(&server, "/", &asking("4", "thanks")).await;
    is_legal(next.text());
    assert_eq!(desk.prompts().pop().unwrap(), ["look it up", "greenblack", "thanks"]);
}

#[tokio::test]
async fn a_message_before_the_end_makes_another_turn() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    // The message comes in the model's last turn: its call is the only thing that the test can hold.
    let first = working(&server, "/", &desk, "look it up").await;
    let second = steer(&server, "/", "2", "look again").await;
    desk.go_on.notify_one();
    desk.waits.notified().await;
    let third = steer(&server, "/", "3", "thanks").await;
    desk.go_on.notify_one();
    let first = first.whole().await.text().to_owned();
    for whole in [first, second.whole().await, third.whole().await] {
        is_legal(&whole);
        assert_eq!(types(&whole).matches("RUN_FINISHED").count(), 1, "{whole}");
    }
    assert_eq!(desk.prompts().len(), 3);
    let said: Vec<_> = stored(&server, "/").await.into_iter().map(|(_, text)| text).collect();
    assert_eq!(said.last().unwrap(), "You said: thanks");
}

#[tokio::test]
async fn a_chat_by_hand_sees_the_message_at_the_same_point() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/steps", &desk, "look it up").await;
    let second = steer(&server, "/steps", "2", "only green tea").await;
    desk.go_on.notify_one();
    is_legal(first.whole().await.text());
    assert_eq!(conversation(&second.whole().await), pairs(&JOINED));
    assert_eq!(desk.joined(), ["only green tea"]);
}

#[tokio::test]
async fn an_agent_without_a_chat_takes_the_messages_where_it_wants() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/reader", &desk, "read").await;
    let second = steer(&server, "/reader", "2", "slowly").await;
    desk.go_on.notify_one();
    desk.waits.notified().await;
    assert_eq!(desk.joined(), ["slowly"]);
    desk.go_on.notify_one();
    is_legal(first.whole().await.text());
    let seen = conversation(&second.whole().await);
    let expected = [("u-1", "read"), ("assistant", "one"), ("u-2", "slowly"), ("assistant", "two")];
    assert_eq!(seen, pairs(&expected));
    assert_eq!(desk.joined(), ["slowly"], "once");
}

#[tokio::test]
async fn a_page_that_repeats_the_conversation_steers_as_well() {
    let (log, desk) = memory();
    let server = serve(log, &desk).await;
    let first = working(&server, "/", &desk, "look it up").await;
    let mut input = asking("2", "only green tea");
    let messages = input["messages"].as_array_mut().unwrap();
    messages.insert(0, asking("1", "look it up")["messages"][0].clone());
    messages[1]["name"] = json!("Ada");
    let second = super::open(&server, "/", &input).await;
    desk.go_on.notify_one();
    first.whole().await;
    let whole = second.whole().await;
    assert_eq!(conversation(&whole), pairs(&JOINED));
    assert!(whole.contains(r#""name":"Ada""#), "{whole}");
}

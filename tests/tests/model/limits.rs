//! The limits of a chat, each with its code.

use agui_runtime::model::{Reply, ScriptedModel};
use agui_runtime::protocol::{Event, TokenUsage};

use crate::clerk::{Talk, price, shop_input, talk, talk_to, talk_with};

fn call(name: &str) -> Reply {
    Reply::call("price", price { name: name.to_owned() })
}

fn results(talk: &Talk) -> usize {
    talk.events.iter().filter(|event| matches!(event, Event::ToolCallResult(_))).count()
}

#[test]
fn turns() {
    let replies = ["rice", "salt", "oil", "rice"].map(call);
    let talk = talk_with(replies, shop_input("Hi"), |chat| chat.max_turns(3));
    assert!(talk.end().contains("max_turns"), "{}", talk.end());
    assert_eq!((talk.prompts.len(), results(&talk)), (3, 3));
}

#[test]
fn calls() {
    let replies = [call("rice"), call("salt").and_call("price", price { name: "oil".into() })];
    let talk = talk_with(replies, shop_input("Hi"), |chat| chat.max_calls(2));
    assert!(talk.end().contains("max_calls"), "{}", talk.end());
    let abandoned = talk.lines().matches("abandoned").count();
    assert_eq!((results(&talk), abandoned), (3, 2), "{}", talk.lines());
}

#[test]
fn repeats() {
    let script = || ScriptedModel::from_fn(|_| call("rice"));
    let talk = talk_to(script(), shop_input("Hi"), |chat| chat);
    assert!(talk.end().contains("max_repeats"), "{}", talk.end());
    assert_eq!(talk.prompts.len(), 3);
    let talk = talk_to(script(), shop_input("Hi"), |chat| chat.max_repeats(10));
    assert_eq!(talk.prompts.len(), 10);
}

#[test]
fn other_calls_in_between_are_no_repetition() {
    let replies = [call("rice"), call("salt"), call("rice"), call("salt"), Reply::text("Done.")];
    let talk = talk_with(replies, shop_input("Hi"), |chat| chat.max_repeats(2));
    assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.end());
}

#[test]
fn bad_calls_in_a_row() {
    let bad = || Reply::call("price", r#"{"name":1}"#);
    let worse = || Reply::call("prize", "{}");
    let talk = talk([bad(), worse(), bad(), Reply::text("?")]);
    assert!(talk.end().contains("max_bad_calls"), "{}", talk.end());
    let talk = crate::clerk::talk([bad(), worse(), call("rice"), bad(), worse(), Reply::text("Done.")]);
    assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.end());
}

#[test]
fn tokens() {
    let spent = || TokenUsage::new().with_input_tokens(60_u32).with_output_tokens(10_u32);
    let replies = [call("rice").usage(spent()), call("salt").usage(spent()), Reply::text("?")];
    let talk = talk_with(replies, shop_input("Hi"), |chat| chat.max_tokens(100));
    assert!(talk.end().contains("max_tokens"), "{}", talk.end());
    assert_eq!((talk.prompts.len(), talk.lines().matches("abandoned").count()), (2, 1));
}

#[test]
fn a_limit_comes_before_the_hook() {
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let count = std::sync::Arc::clone(&asked);
    let talk = talk_with([call("rice"), call("salt")], shop_input("Hi"), move |chat| {
        let count = std::sync::Arc::clone(&count);
        chat.max_turns(1).before_model(move |_| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        })
    });
    assert!(talk.end().contains("max_turns"), "{}", talk.end());
    assert_eq!(asked.load(std::sync::atomic::Ordering::Relaxed), 1);
}

/// A page acts on a call that it reads, also if the run then fails.
#[test]
fn the_last_bad_turn_sends_nothing() {
    let good = crate::clerk::checkout { total: 180 };
    let replies = [Reply::call("checkout", good).and_call("prize", "{}")];
    let talk = talk_with(replies, shop_input("Hi"), |chat| chat.max_bad_calls(1));
    assert!(talk.end().contains("max_bad_calls"), "{}", talk.end());
    assert!(!talk.events.iter().any(|event| matches!(event, Event::ToolCallStart(_))), "{}", talk.lines());
}

#[test]
fn a_script_keeps_its_last_prompts_alone() {
    let script = |kept| {
        let model = ScriptedModel::from_fn(|prompt| match prompt.messages.len() {
            length if length > 200 => Reply::text("Done."),
            length => call(&length.to_string()),
        });
        let model = if kept == 64 { model } else { model.keep_prompts(kept) };
        talk_to(model, shop_input("Hi"), |chat| chat.max_turns(1000).max_calls(1000)).prompts
    };
    assert_eq!(script(64).len(), 64);
    assert_eq!((script(2).len(), script(0).len()), (2, 0));
    assert_eq!(script(2)[1].messages.len(), 201);
}

//! Models that fail, and models that call what cannot be called.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agui_runtime::model::{
    CallDelta, ChatModel, EndReason, Model, ModelError, ModelStream, Prompt, PromptMessage, Reply, ReplyDelta,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::{RunOptions, start, testing};
use futures::{StreamExt, stream};

use crate::clerk::{price, talk};

#[test]
fn a_call_of_an_unknown_tool_goes_back_to_the_model_and_is_not_sent() {
    let talk = talk([Reply::call("prize", "{}"), Reply::text("Sorry.")]);
    assert!(!talk.events.iter().any(|event| matches!(event, Event::ToolCallStart(_))), "{}", talk.lines());
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert_eq!(
        answers[0].content.text(),
        r#"{"error":"there is no tool `prize`; there is: `price`, `checkout`, `search`"}"#
    );
}

#[test]
fn calls_that_are_not_sent_have_ids_of_their_own() {
    let unknown = |id: &str| {
        let call = CallDelta::new(0).with_id(id).with_tool("prize").with_arguments("{}");
        Reply::deltas([ReplyDelta::Call(call), ReplyDelta::End(EndReason::Stop)])
    };
    let talk = talk([unknown("call_0"), unknown("call_0"), Reply::text("Sorry.")]);
    let ids = |at: usize| match &talk.last_read()[at] {
        PromptMessage::Tools(answers) => answers[0].id.to_string(),
        other => panic!("{other:?}"),
    };
    assert_ne!(ids(2), ids(4));
    assert!([ids(2), ids(4)].iter().all(|id| id.starts_with("unsent-")), "{} {}", ids(2), ids(4));
}

#[test]
fn wrong_arguments_are_answered_with_place_and_expectation() {
    for wrong in [r#"{"name":7}"#, r#"{"name":"ri"#, "[]", "nonsense", ""] {
        let talk = talk([Reply::call("price", wrong), Reply::text("Sorry.")]);
        let results = talk.events.iter().filter(|event| matches!(event, Event::ToolCallResult(_))).count();
        assert_eq!(results, 1, "{}", talk.lines());
        let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
        let why = answers[0].content.text();
        assert!(answers[0].failed && why.contains("arguments of tool `price` at `"), "{why}");
    }
}

#[test]
fn a_stream_that_is_cut_off_fails_the_run() {
    for reply in [
        Reply::text("Once upon").cut_off(),
        Reply::call("price", price { name: "rice".into() }).cut_off(),
        Reply::deltas([ReplyDelta::Reasoning("Hm".into())]),
        Reply::deltas([]),
    ] {
        let talk = talk([reply]);
        assert!(talk.end().contains(r#"code="model_failed""#), "{}", talk.end());
        assert!(talk.end().starts_with("RUN_ERROR") && !talk.end().contains("cut off"), "{}", talk.end());
    }
}

#[test]
fn a_provider_that_fails_in_the_middle_leaves_a_text_that_is_not_whole() {
    let talk = talk([Reply::text("Once upon")
        .fails(|| ModelError::Overloaded { message: "busy".to_owned(), retry_after: None })]);
    assert!(talk.end().contains("model_failed"), "{}", talk.end());
    let ends = talk.events.iter().filter(|event| matches!(event, Event::TextMessageEnd(_))).count();
    assert_eq!(ends, 0, "{}", talk.lines());
}

#[test]
fn a_call_that_changes_its_tool_or_has_none_is_malformed() {
    let start = ReplyDelta::Call(CallDelta::new(0).with_tool("price"));
    let nameless = ReplyDelta::Call(CallDelta::new(0).with_arguments("{}"));
    let other = ReplyDelta::Call(CallDelta::new(0).with_tool("checkout"));
    for deltas in [vec![nameless], vec![start, other]] {
        let talk = talk([Reply::deltas(deltas)]);
        assert!(talk.end().contains("model_failed"), "{}", talk.end());
    }
}

#[test]
fn answers_that_do_not_end_well_have_codes() {
    let filtered = talk([Reply::text("Hm").ends(EndReason::ContentFilter)]);
    assert!(filtered.end().contains("content_filter"), "{}", filtered.end());
    let long = talk([Reply::text("Once upon").ends(EndReason::OutputLimit)]);
    assert!(long.end().contains("output_limit"), "{}", long.end());
    let other = talk([Reply::text("Hm").ends(EndReason::Other("recitation".into()))]);
    assert!(other.end().contains("model_stopped") && other.end().contains("recitation"), "{}", other.end());
}

/// Never answers; reports when it is dropped.
struct Silent(Arc<AtomicBool>);

struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl ChatModel for Silent {
    fn provider(&self) -> &str {
        "silent"
    }

    fn name(&self) -> &str {
        "silent"
    }

    fn respond<'a>(&'a self, _: &'a Prompt) -> ModelStream<'a> {
        let dropped = Dropped(Arc::clone(&self.0));
        stream::iter([Ok(ReplyDelta::Text("Hm".into()))])
            .chain(stream::pending().inspect(move |_| _ = &dropped))
            .boxed()
    }
}

/// Waits for its model.
#[agent]
async fn patient(run: &mut Run<Patient>, _: Input<Patient>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn a_client_that_leaves_cancels_the_request_at_the_provider() {
    let dropped = Arc::new(AtomicBool::new(false));
    let agent = Arc::new(Patient::new(Silent(Arc::clone(&dropped)).into()));
    let mut run = start(agent, testing::input("Hi"), RunOptions::default());
    futures::executor::block_on(async {
        while !matches!(run.next().await, Some(Event::TextMessageContent(_))) {}
    });
    assert!(!dropped.load(Ordering::SeqCst));
    drop(run);
    assert!(dropped.load(Ordering::SeqCst));
}

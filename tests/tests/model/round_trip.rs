//! The conversation that a client sends back is the one that the model had.

use agui_runtime::model::{CallDelta, EndReason, HistoryPolicy, PromptMessage, Reply, ReplyDelta};
use agui_runtime::protocol::{EncryptedValue, Event, Message};
use agui_runtime::receive::{ReceivePipeline, Reducer};
use proptest::prelude::*;

use crate::clerk::{shop_input, talk};

/// A turn of a model: some reasoning, some text, then some calls.
fn turn() -> impl Strategy<Value = Vec<ReplyDelta>> {
    let reasoning = prop::option::of(("[a-z]{1,4}", prop::option::of("[a-z]{1,4}")));
    let call = prop_oneof![Just("rice"), Just("salt"), Just("gold")];
    (reasoning, "[a-z ]{0,6}", prop::collection::vec(call, 1..4)).prop_map(|(reasoning, text, calls)| {
        let mut deltas = Vec::new();
        if let Some((thought, signature)) = reasoning {
            deltas.push(ReplyDelta::Reasoning(thought));
            deltas.extend(signature.map(|value| {
                ReplyDelta::EncryptedReasoning(EncryptedValue::new(value).with_type("acme.signature"))
            }));
        }
        if !text.is_empty() {
            deltas.push(ReplyDelta::Text(text));
        }
        for (index, name) in (0..).zip(calls) {
            let arguments = format!(r#"{{"name":"{name}"}}"#);
            deltas.push(ReplyDelta::Call(CallDelta::new(index).with_tool("price").with_arguments(arguments)));
        }
        deltas.push(ReplyDelta::End(EndReason::Stop));
        deltas
    })
}

/// Returns the conversation as a client holds it after the run.
pub(crate) fn folded(events: &[Event], before: &[Message]) -> Vec<Message> {
    let mut pipeline = ReceivePipeline::new().with_reducer(Reducer::new().with_messages(before.to_vec()));
    for event in events {
        pipeline.push(event.clone());
    }
    pipeline.drain(|_, _, _| {}).expect("a legal stream");
    pipeline.reducer().messages().to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_client_sends_back_what_the_model_read(turns in prop::collection::vec(turn(), 1..4)) {
        let mut replies: Vec<_> = turns.into_iter().map(Reply::deltas).collect();
        replies.push(Reply::text("Done."));
        let talk = talk(replies);
        let input = shop_input("Rice?");
        let messages = folded(&talk.events, &input.messages);
        let mut held = talk.last_read().to_vec();
        // The same calls in three turns in a row end the chat before the last answer.
        if talk.end().starts_with("RUN_FINISHED") {
            held.push(PromptMessage::Assistant(vec![agui_runtime::model::AssistantPart::text("Done.")]));
            prop_assert_eq!(HistoryPolicy::default().read(&messages), held, "{:#?}", messages);
        }
    }
}

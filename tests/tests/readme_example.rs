//! The README's test of the README's agent.

include!("../../examples/shopper/src/main.rs");

use agui_runtime::protocol::{Event, RunAgentInput, UserMessage};

#[tokio::test]
async fn rice_is_put_on_the_list() {
    let messages = [UserMessage::new("1", "rice").into()];
    let input = RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0");
    let events = agui_runtime::testing::run(Shopper::new(), input).await;

    let Some(Event::RunFinished(finished)) = events.last() else { panic!("{events:#?}") };
    assert!(finished.outcome.is_some()); // success, with the call of `checkout` pending
}

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

use agui_runtime::client::{LocalAgent, Outcome, Session};

#[tokio::test]
async fn a_client_buys_rice() {
    // `HttpAgent::new("http://127.0.0.1:8000/")?` asks a server.
    let mut shopper: Session<List> = Session::new(LocalAgent::new(Shopper::new()))
        .frontend_tool(|asked: checkout| async move { asked.total < 1000 });
    shopper.say("rice");
    let done = shopper.run().await.unwrap();

    assert!(matches!(done.outcome, Outcome::Success { .. })); // the question was answered, and the agent ran again
    assert_eq!(shopper.state().unwrap().map(|list| list.total), Some(180));
}

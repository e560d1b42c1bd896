//! The Rust code of the README and of the examples' README, which quote this file.

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

use agui_runtime::client::{LocalAgent, RunOutcome, Session};

#[tokio::test]
async fn a_client_buys_rice() {
    // `HttpAgent::new("http://127.0.0.1:8000/")?` asks a server.
    let mut shopper: Session<List> = Session::new(LocalAgent::new(Shopper::new()))
        .frontend_tool(|asked: checkout| async move { asked.total < 1000 });
    shopper.say("rice");
    let done = shopper.run().await.unwrap();

    assert!(matches!(done.outcome, RunOutcome::Success { .. })); // the question was answered, and the agent ran again
    assert_eq!(shopper.state().unwrap().map(|list| list.total), Some(180));
}

/// Asks before a file is deleted for good.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_delete", message = "Delete it for good?", response = Approval)]
struct ConfirmDelete {
    path: String,
}

#[derive(Deserialize, JsonSchema)]
struct Approval {
    approved: bool,
}

/// Deletes the file you name, and asks first.
#[agent(interrupts = [ConfirmDelete])]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<String, Stop> {
    let Some(asked) = input.resumed::<ConfirmDelete>()? else {
        let path = input.user_text().unwrap_or_default().to_owned();
        return Err(run.ask(ConfirmDelete { path })); // RUN_FINISHED with an interrupt; the answer starts another run
    };
    let approved = asked.response.is_some_and(|answer| answer.approved); // None: it was cancelled
    Ok(if approved { "deleted" } else { "kept" }.to_owned())
}

#[tokio::test]
async fn nothing_is_deleted_without_an_answer() {
    use agui_runtime::client::ResumeValue;
    use agui_runtime::protocol::NonNull;
    use serde_json::json;

    let approve = |approved: bool| ResumeValue::resolved(NonNull::new(json!({ "approved": approved })));
    for (answer, said) in
        [(approve(true), "deleted"), (approve(false), "kept"), (ResumeValue::cancelled(), "kept")]
    {
        let mut keeper: Session = Session::new(LocalAgent::new(Keeper::new()));
        keeper.say("notes.txt");
        let _ = keeper.run().await.unwrap();
        let [asked] = keeper.pending_interrupts() else { panic!("{:#?}", keeper.pending_interrupts()) };
        assert_eq!(asked.reason, "confirm_delete");
        keeper.resume([(asked.id.clone(), answer)]).unwrap();
        let done = keeper.run().await.unwrap();
        let RunOutcome::Success { result, .. } = done.outcome else { panic!("{:#?}", done.outcome) };
        assert_eq!(result, NonNull::new(json!(said)));
    }
}

use std::time::Duration;

use agui_runtime::{Limits, Server};

fn opened() -> Server {
    Server::new()
        .agent("/", Shopper::new())
        .allow_origins(["https://shop.example"]) // the pages of your product
        .allow_hosts(["agent.internal"]) // the server's own name, beside `localhost`
        .limits(Limits::default().runs(200).run_timeout(Duration::from_secs(120)))
}

#[test]
fn a_server_can_be_opened() {
    assert!(opened().router().is_ok());
}

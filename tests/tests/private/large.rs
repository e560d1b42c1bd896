//! Private results beside the limit of the store.

use agui_runtime::Server;
use agui_runtime::model::{Model, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::testing::assert_private_text;
use agui_runtime::thread::Memory;
use agui_tests::http::Request;
use agui_tests::stored::Served;
use serde_json::json;

use crate::stored::asking;

/// Reads an archive of this size.
#[tool(private, max_result = 67_108_864)]
async fn archive(mib: usize) -> String {
    "x".repeat(mib << 20)
}

/// Reads archives.
#[agent(tools = [archive])]
async fn archivist(run: &mut Run<Archivist>, _: Input<Archivist>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

/// Returns a model that reads archives of these sizes once, and then says how many it knows.
fn reader(sizes: &'static [usize]) -> Model {
    let model = ScriptedModel::from_fn(move |prompt| {
        let known = prompt.messages.iter().map(|message| match message {
            PromptMessage::Tools(results) => results.len(),
            _ => 0,
        });
        let turns = known.clone().filter(|known| *known > 0).count();
        let read = |reply: Reply, mib: &usize| reply.and_call("archive", json!({ "mib": mib }));
        match prompt.messages.len() {
            1 => sizes.iter().fold(Reply::text("So."), read),
            _ => Reply::text(format!("{} in {turns}", known.sum::<usize>())),
        }
    });
    model.keep_prompts(0).into()
}

#[tokio::test]
async fn each_call_of_a_large_turn_is_kept() {
    let served =
        Served::start(Server::new().threads(Memory::new()).agent("/", Archivist::new(reader(&[17, 17]))))
            .await;
    for run in ["r-1", "r-2"] {
        let answer = Request::run("/", asking(run, "read").to_string()).send(served.address).await;
        assert!(answer.text().contains("2 in 1"), "{}", answer.text());
        assert!(answer.text().contains("RUN_FINISHED"), "{}", answer.text());
    }
    served.close().await;
}

#[tokio::test]
async fn a_call_beyond_the_limit_fails_the_run_and_is_not_described() {
    let served =
        Served::start(Server::new().threads(Memory::new()).agent("/", Archivist::new(reader(&[33])))).await;
    let answer = Request::run("/", asking("r-1", "read").to_string()).send(served.address).await;
    let text = answer.text();
    assert!(text.contains(r#""code":"event_too_large""#), "{text}");
    assert!(text.contains("a part of the run is larger than 33554432 bytes"), "{text}");
    assert_private_text(&answer.body, ["archive", "an event of"]);
    served.close().await;
}

//! Servers with apps that change their tool list while a run goes on.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::mcp::{McpApp, McpApps};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::testing;
use serde_json::{Value, json};

use crate::changing::{GENERATIONS, School, calls};
use crate::wired::block_on;

/// Has the tools of two schools, as they change, except one.
#[agent(activities = [McpApp])]
async fn student(
    run: &mut Run<Student>,
    _: Input<Student>,
    model: &Model,
    apps: &McpApps,
) -> Result<(), Stop> {
    let tools = apps.tool_list(run).select(|tool| (tool.name() != "cheat").then_some(tool));
    run.chat(model).tools_from(tools).max_repeats(9).await
}

/// A run's events, and the tools that the model could call in each turn.
async fn lesson(apps: &McpApps, script: Vec<Reply>) -> (Vec<Value>, Vec<Vec<String>>) {
    let model = Arc::new(ScriptedModel::new(script));
    let events =
        testing::run(Student::new(Arc::clone(&model).into(), apps.clone()), testing::input("Go.")).await;
    assert!(testing::lines(&events).contains("RUN_FINISHED"), "{}", testing::lines(&events));
    let offers = model.prompts().into_iter();
    let offers = offers.map(|prompt| prompt.tools.iter().map(|tool| tool.name.clone()).collect());
    (events.iter().map(|event| json!(event)).collect(), offers.collect())
}

/// The next turn has the new tools of one server, with their pages, without those for apps; the other server's stay.
#[test]
fn a_new_tool_with_a_page_is_shown() {
    block_on(async {
        for generation in GENERATIONS {
            let learned = vec!["show_tricks", "app_only", "cheat", "sing"];
            let circus = School::new(&["learn"]).teaching(learned);
            let choir = School::new(&["sing"]);
            let apps = McpApps::new().server("circus", circus.client(generation).await, []).server(
                "choir",
                choir.client(generation).await,
                [],
            );
            let (events, offers) = lesson(&apps, calls(&["learn", "show_tricks", "sing"])).await;
            let (before, after) = (vec!["learn", "sing"], vec!["learn", "show_tricks", "sing"]);
            assert_eq!(offers, [before, after.clone(), after.clone(), after], "{generation:?}");
            let shown: Vec<_> = events.iter().filter(|event| event["type"] == "ACTIVITY_SNAPSHOT").collect();
            let [shown] = shown[..] else { panic!("{generation:?}: {events:#?}") };
            assert_eq!(shown["content"]["resourceUri"], "ui://school/show_tricks");
            assert_eq!(shown["content"]["serverId"], "circus");
            assert_eq!((circus.count(), choir.count()), (2, 1), "{generation:?}: once for each change");
        }
    });
}

/// A server that does not answer a later list keeps its tools, and holds up no other server's change.
#[test]
fn a_later_list_that_is_not_read_leaves_the_other_servers_changes() {
    block_on(async {
        for generation in GENERATIONS {
            let lost = School::new(&["learn"]).hanging();
            let circus = School::new(&["rest", "learn"]);
            let short = Duration::from_millis(300);
            let apps = McpApps::new()
                .server("lost", lost.client(generation).await.timeout(short), [])
                .server("circus", circus.client(generation).await.prefix("circus_"), []);
            let (_, offers) = lesson(&apps, calls(&["learn", "circus_learn"])).await;
            assert_eq!(offers[0], ["learn", "circus_rest", "circus_learn"], "{generation:?}");
            let after = ["learn", "circus_rest", "circus_learn", "circus_juggle"];
            assert_eq!(offers.last().unwrap(), &after, "{generation:?}");
            assert_eq!((lost.count(), circus.count()), (2, 2), "{generation:?}");
        }
    });
}

/// A tool that moves from one server to another is the chat's again, also if both have the tool for a while.
#[test]
fn a_tool_that_moves_between_servers_is_kept() {
    block_on(async {
        for generation in GENERATIONS {
            let circus = School::new(&["forget", "juggle"]);
            let choir = School::new(&["learn"]);
            let apps = McpApps::new().server("circus", circus.client(generation).await, []).server(
                "choir",
                choir.client(generation).await,
                [],
            );
            let (_, offers) = lesson(&apps, calls(&["learn", "forget", "juggle"])).await;
            let (before, after) = (vec!["forget", "juggle", "learn"], vec!["forget", "learn", "juggle"]);
            assert_eq!(offers, [before.clone(), before, after.clone(), after], "{generation:?}");
        }
    });
}

/// The first lists follow the rules for fixed tools: a name that two servers have ends the run.
#[test]
fn a_name_of_two_servers_ends_the_run_before_the_first_turn() {
    block_on(async {
        let (one, other) = (School::new(&["sing"]), School::new(&["sing"]));
        let apps = McpApps::new().server("one", one.client(GENERATIONS[0]).await, []).server(
            "other",
            other.client(GENERATIONS[0]).await,
            [],
        );
        let model = ScriptedModel::new([Reply::text("Never.")]);
        let events = testing::run(Student::new(model.into(), apps), testing::input("Go.")).await;
        let last = json!(events.last().unwrap());
        assert_eq!((&last["type"], &last["code"]), (&json!("RUN_ERROR"), &json!("tool_name_taken")));
    });
}

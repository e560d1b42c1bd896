//! The owners of the subagents in a forwarded stream.

use agui_runtime::Policy;
use agui_runtime::protocol::{SubagentFinishedEvent, SubagentStartedEvent};
use serde_json::{Value, json};

use crate::agent::{inside, stream};
use crate::helper::helper;

fn parents(events: &[Value]) -> Vec<(&str, Option<&str>)> {
    let started = events.iter().filter(|event| event["type"] == "SUBAGENT_STARTED");
    started
        .map(|event| (event["subagentRunId"].as_str().unwrap(), event["parentSubagentRunId"].as_str()))
        .collect()
}

#[test]
fn a_nested_one_names_its_parent_even_one_that_has_ended() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut foreign = run.dynamic(Policy::Strict);
            let nested = |id: &str| SubagentStartedEvent::new(id, "nested").with_parent_subagent_run_id("p");
            foreign.feed(SubagentStartedEvent::new("p", "outer")).await?;
            foreign.feed(nested("q")).await?;
            foreign.feed(SubagentFinishedEvent::new("p")).await?;
            foreign.feed(nested("late")).await?;
            foreign.feed(SubagentFinishedEvent::new("q")).await?;
            foreign.feed(SubagentFinishedEvent::new("late")).await?;
            Ok(())
        })
    });
    assert_eq!(parents(inside(&events)), [("p", None), ("q", Some("p")), ("late", Some("p"))]);
    let ends: Vec<_> = events.iter().filter(|event| event["type"] == "SUBAGENT_FINISHED").collect();
    assert_eq!(ends.len(), 3, "the end of the outer one ends no other: {events:#?}");
}

#[test]
fn a_delegated_agent_owns_its_subagents() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let child = helper(|run, _| {
                Box::pin(async move {
                    let mut foreign = run.dynamic(Policy::Strict);
                    foreign.feed(SubagentStartedEvent::new("p", "outer")).await?;
                    let nested = SubagentStartedEvent::new("q", "nested").with_parent_subagent_run_id("p");
                    foreign.feed(nested).await?;
                    foreign.feed(SubagentFinishedEvent::new("q")).await?;
                    foreign.feed(SubagentFinishedEvent::new("p")).await?;
                    Ok(json!(null))
                })
            });
            run.delegate("child", &child, []).await?;
            Ok(())
        })
    });
    let child = "test-subagent-1";
    assert_eq!(parents(inside(&events)), [(child, None), ("p", Some(child)), ("q", Some("p"))]);
}

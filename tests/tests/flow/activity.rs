//! Activities: a snapshot first, then patches; content that JSON cannot hold is not sent.

use agui_runtime::ActivityHandle;
use agui_runtime::events::{ActivityError, ActivityOf};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Metadata;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::{Script, inside, stream, types};

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone, Default)]
#[activity(type = "PLAN")]
struct Plan {
    steps: Vec<Step>,
    at: usize,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Step {
    name: String,
    done: bool,
}

fn plan() -> Plan {
    let step = |n| Step { name: format!("the step that is called {n}"), done: false };
    Plan { steps: (0..8).map(step).collect(), at: 0 }
}

/// An object or another value, depending on its field.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Anything(Value);

impl ActivityOf<Script> for Plan {}
impl ActivityOf<Script> for Anything {}

#[test]
fn a_small_activity_can_send_each_change_as_a_delta() {
    let told = stream(|run, _| {
        Box::pin(async move {
            for wanted in [false, true] {
                let shown = run.activity(Anything(json!({"n": 1})));
                let mut shown = if wanted { shown.deltas() } else { shown }.await?;
                shown.update(|shown| shown.0["n"] = json!(2)).await?;
            }
            Ok(())
        })
    });
    assert_eq!(
        types(inside(&told)),
        ["ACTIVITY_SNAPSHOT", "ACTIVITY_SNAPSHOT", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"]
    );
}

#[test]
fn an_activity_is_a_snapshot_and_then_deltas() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut shown = run.activity(plan()).await?;
            assert_eq!(shown.id().as_str(), "test-message-1");
            let before = shown.update(|plan| std::mem::replace(&mut plan.at, 1)).await?;
            assert_eq!((before, shown.read(|plan| plan.at)), (0, 1));
            shown.update(|_| ()).await?;
            shown.update(|plan| plan.steps[2].done = true).await?;
            Ok(())
        })
    });
    let of = json!({"messageId": "test-message-1", "activityType": "PLAN"});
    let event = |own: Value| {
        let members = own.as_object().unwrap().clone().into_iter();
        Value::Object(members.chain(of.as_object().unwrap().clone()).collect())
    };
    assert_eq!(
        json!(inside(&events)),
        json!([
            event(json!({"type": "ACTIVITY_SNAPSHOT", "content": plan(), "replace": true})),
            event(json!({"type": "ACTIVITY_DELTA", "patch": [{"op": "add", "path": "/at", "value": 1}]})),
            event(
                json!({"type": "ACTIVITY_DELTA", "patch": [{"op": "add", "path": "/steps/2/done", "value": true}]})
            ),
        ])
    );
}

#[test]
fn emptying_an_activity_is_one_operation() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut shown = run.activity(plan()).await?;
            shown.update(|plan| *plan = Plan::default()).await?;
            Ok(())
        })
    });
    assert_eq!(
        inside(&events)[1],
        json!({
            "type": "ACTIVITY_DELTA", "messageId": "test-message-1", "activityType": "PLAN",
            "patch": [{"op": "add", "path": "/steps", "value": []}],
        })
    );
}

#[test]
fn activities_may_interleave_and_outlive_their_handles() {
    async fn tick(plan: &mut ActivityHandle<'_, Plan>) -> Result<(), ActivityError> {
        plan.update(|plan| plan.at += 1).await
    }
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut first = run.activity(plan()).await?;
            let mut second = run.activity(plan()).await?;
            tick(&mut first).await?;
            tick(&mut second).await?;
            drop(first);
            run.say("Halfway.").await;
            std::mem::forget(second);
            Ok(())
        })
    });
    assert_eq!(
        types(inside(&events)),
        [
            "ACTIVITY_SNAPSHOT",
            "ACTIVITY_SNAPSHOT",
            "ACTIVITY_DELTA",
            "ACTIVITY_DELTA",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
        ]
    );
}

#[test]
fn content_that_is_no_object_is_not_sent() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let error = run.activity(Anything(json!([1]))).await.unwrap_err();
            assert!(matches!(error, ActivityError::NotAnObject { activity: "agui-tests.anything" }));
            let mut shown = run.activity(Anything(json!({"a": 1}))).await?;
            let error = shown.update(|content| content.0 = json!("gone")).await.unwrap_err();
            assert_eq!(
                error.to_string(),
                "the content of activity `agui-tests.anything` is not a JSON object"
            );
            shown.update(|content| content.0 = json!({"a": 2})).await?;
            Ok(())
        })
    });
    let [shown, changed] = inside(&events) else { panic!("{events:#?}") };
    assert_eq!(shown["content"], json!({"a": 1}));
    assert_eq!(changed["content"], json!({"a": 2}), "the update after a failed one catches up");
}

#[test]
fn content_without_a_json_form_is_not_sent() {
    #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
    struct Search {
        #[schemars(with = "bool")]
        #[serde(serialize_with = "hits")]
        #[state(opaque)]
        known: bool,
    }
    impl ActivityOf<Script> for Search {}
    fn hits<S: serde::Serializer>(known: &bool, out: S) -> Result<S::Ok, S::Error> {
        if *known { out.serialize_bool(true) } else { Err(serde::ser::Error::custom("unknown")) }
    }
    let events = stream(|run, _| {
        Box::pin(async move {
            assert!(matches!(
                run.activity(Search { known: false }).await.unwrap_err(),
                ActivityError::Json { activity: "agui-tests.search", .. }
            ));
            let mut shown = run.activity(Search { known: true }).await?;
            shown.update(|search| search.known = false).await.unwrap_err();
            shown.update(|search| search.known = true).await?;
            Ok(())
        })
    });
    assert_eq!(
        types(inside(&events)),
        ["ACTIVITY_SNAPSHOT", "ACTIVITY_SNAPSHOT"],
        "after an update that could not be sent the whole goes out"
    );
}

#[test]
fn every_write_takes_its_own_fields() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let note = |n: u32| Metadata::from_iter([("n".to_owned(), json!(n))]);
            let mut shown = run.activity(plan()).metadata(note(1)).await?;
            shown.update(|plan| plan.at = 1).metadata(note(2)).await?;
            Ok(())
        })
    });
    let notes: Vec<_> = inside(&events).iter().map(|event| &event["metadata"]["n"]).collect();
    assert_eq!(notes, [1, 2]);
}

//! Operations of others on the typed state.

use agui_runtime::Stop;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{JsonPointer, Metadata, PatchOperation};
use agui_runtime::state::{ApplyError, StateError};
use futures::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::{inside, judge, stream, types};

fn at(path: &str) -> JsonPointer {
    path.parse().unwrap()
}

/// A list with a title, which is absent if there is none.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, PartialEq, Debug)]
struct List {
    items: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

type Body = for<'r> fn(
    &'r StateHandle<List>,
) -> std::pin::Pin<Box<dyn Future<Output = Result<(), Stop>> + Send + 'r>>;

/// Does something with a list.
#[agent(state = List)]
async fn keeper(run: &mut Run<Keeper>, _: Input<Keeper>, body: &Body) -> Result<(), Stop> {
    let list = run.state().snapshot(&List::default()).await?;
    body(list).await
}

fn play(body: Body) -> Vec<Value> {
    let events =
        futures::executor::block_on(agui_runtime::testing::run(Keeper::new(body), crate::agent::input()));
    let events: Vec<Value> = events.iter().map(crate::agent::json).collect();
    judge(&events);
    inside(&events).to_vec()
}

#[test]
fn operations_go_out_as_they_are() {
    let events = play(|list| {
        Box::pin(async move {
            list.patch([
                PatchOperation::add(at("/items/-"), "rice"),
                PatchOperation::test(at("/items/0"), "rice"),
                PatchOperation::copy(at("/items/0"), at("/title")),
            ])
            .metadata(Metadata::from_iter([("by".to_owned(), json!("a model"))]))
            .await?;
            let now = List { items: vec!["rice".to_owned()], title: Some("rice".to_owned()) };
            list.read(|list| assert_eq!(*list, now))?;
            list.patch([PatchOperation::test(at("/title"), "rice")]).await?;
            // The next change is compared with the result of the operations.
            list.update(|_| ()).await?;
            list.update(|list| list.title = None).await?;
            Ok(())
        })
    });
    let delta = |operations: Value| json!({ "type": "STATE_DELTA", "delta": operations });
    let mut first = delta(json!([
        { "op": "add", "path": "/items/-", "value": "rice" },
        { "op": "test", "path": "/items/0", "value": "rice" },
        { "op": "copy", "from": "/items/0", "path": "/title" },
    ]));
    first["metadata"] = json!({ "by": "a model" });
    let test = delta(json!([{ "op": "test", "path": "/title", "value": "rice" }]));
    let shorter = json!({ "type": "STATE_SNAPSHOT", "snapshot": { "items": ["rice"] } });
    assert_eq!(events[1..], [first, test, shorter]);
}

#[test]
fn a_patch_that_does_not_apply_changes_nothing() {
    let events = play(|list| {
        Box::pin(async move {
            list.update(|list| list.items.push("rice, the long one, a pound of it".to_owned())).await?;
            let before = list.read(Clone::clone)?;
            let two = [PatchOperation::add(at("/items/-"), "salt"), PatchOperation::remove(at("/items/7"))];
            let refused = list.patch(two).await;
            assert!(matches!(refused, Err(StateError::Patch(ApplyError { op: 1, .. }))), "{refused:?}");
            let wrong = list.patch([PatchOperation::replace(at("/items"), 7)]).await;
            assert!(matches!(wrong, Err(StateError::Patch(_))), "{wrong:?}");
            // Serde would read these documents, but the state would write others.
            for operation in
                [PatchOperation::add(at("/unknown"), true), PatchOperation::add(at("/title"), Value::Null)]
            {
                let other = list.patch([operation]).await;
                assert!(matches!(other, Err(StateError::OtherDocument)), "{other:?}");
            }
            assert_eq!(list.read(Clone::clone)?, before);
            list.update(|list| list.items.clear()).await?;
            Ok(())
        })
    });
    assert_eq!(types(&events)[0], "STATE_SNAPSHOT");
    assert_eq!(events.len(), 3, "{events:#?}");
}

#[test]
fn a_baseline_comes_first_and_nothing_from_inside() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let doc = run.state().snapshot(&[("a".to_owned(), 1)].into()).await?;
            let nested = doc.update(|_| doc.patch([]).now_or_never()).await?;
            assert!(matches!(nested, Some(Err(StateError::Reentrant))), "{nested:?}");
            Ok(())
        })
    });
    assert_eq!(types(inside(&events)), ["STATE_SNAPSHOT"]);
}

#[test]
fn an_interrupted_run_does_not_send_a_state_again_that_it_just_sent() {
    let state_events = |changes: usize| {
        let script: for<'r> fn(
            &'r Run<crate::agent::Script>,
            &'r Input<crate::agent::Script>,
        ) -> crate::agent::Body<'r> = match changes {
            0 => |run, _| Box::pin(async move { interrupted(run, 0).await }),
            1 => |run, _| Box::pin(async move { interrupted(run, 1).await }),
            _ => |run, _| Box::pin(async move { interrupted(run, 2).await }),
        };
        types(inside(&stream(script))).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(state_events(0), ["STATE_SNAPSHOT"]);
    assert_eq!(state_events(1), ["STATE_SNAPSHOT", "STATE_DELTA", "STATE_SNAPSHOT"]);
    assert_eq!(state_events(2), ["STATE_SNAPSHOT", "STATE_DELTA", "STATE_SNAPSHOT"], "the last by itself");
}

/// Changes the state, sends it whole again if it changes twice, and asks.
async fn interrupted(run: &Run<crate::agent::Script>, changes: usize) -> Result<(), Stop> {
    let start = (0..40).map(|n| (format!("member-{n}"), 0)).collect();
    let doc = run.state().snapshot(&start).await?;
    if changes > 0 {
        doc.update(|doc| doc.insert("member-7".to_owned(), 1)).await?;
    }
    if changes > 1 {
        doc.resend().await?;
    }
    Err(Stop::interrupt(agui_runtime::protocol::Interrupt::new("sure", "confirmation")))
}

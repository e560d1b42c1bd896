//! Runs whose client leaves, and whose agent still sees their end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::protocol::{Event, Interrupt};
use agui_runtime::testing::{self, Recording, RunEnd};
use agui_runtime::tools::ToolOf;
use agui_runtime::{RunOptions, start, tool};
use futures::StreamExt;
use futures::executor::block_on;
use serde_json::json;

use crate::agent::{Script, input, judge_all};
use crate::helper::helper;

/// Asks the person.
#[tool(frontend)]
async fn agree(total: u32) -> bool;

/// Looks something up.
#[tool]
async fn find(what: String) -> usize {
    what.len()
}

impl ToolOf<Script> for agree {}
impl ToolOf<Script> for find {}

/// A run with every kind of item.
fn busy() -> Script {
    Script(|run, _| {
        Box::pin(async move {
            let searcher = helper(|run, _| {
                Box::pin(async move {
                    let _step = run.step("search").await;
                    std::mem::forget(run.message().await);
                    run.say("found").await;
                    Ok(json!(1))
                })
            });
            let _step = run.step("search").await;
            let mut text = run.message().await;
            text.push("Let me see").await;
            let call = run.call(find { what: "rice".to_owned() }).await?;
            let (a, b) = futures::join!(
                run.delegate("a", &searcher, []).called_by(&call),
                run.delegate("b", &searcher, [])
            );
            a?;
            b?;
            let mut half = run.tool::<agree>().await;
            half.push("{\"total\"").await;
            half.push(":1}").await;
            drop(half.end()?);
            Err(call.interrupt(Interrupt::new("i-1", "tool_call")))
        })
    })
}

#[test]
fn wherever_the_client_leaves_the_rest_is_in_order() {
    let whole = block_on(testing::run(busy(), input()));
    assert!(matches!(testing::end(&whole), RunEnd::Interrupt(_)));
    let mut streams = vec![json!(whole)];
    for seen in 1..whole.len() {
        let run = block_on(testing::cancel_after(seen, busy(), input()));
        assert_eq!(run.seen.len(), seen);
        assert_eq!(run.recorded[..seen], run.seen);
        assert_eq!(testing::end(&run.seen), RunEnd::Truncated);
        // The unread events at the time the client left may include the end.
        assert!(matches!(testing::end(&run.recorded), RunEnd::Cancelled | RunEnd::Interrupt(_)));
        streams.push(json!(run.recorded));
    }
    assert!(streams.len() > 25, "{}", streams.len());
    judge_all(&streams);
}

#[test]
fn a_run_that_is_read_to_its_end_is_recorded_as_it_is() {
    let recording = Recording::new();
    let events = start(Arc::new(busy()), input(), testing::options().recorder(recording.clone()));
    let events: Vec<Event> = block_on(events.collect());
    assert_eq!(recording.events(), events);
}

#[test]
fn an_ended_run_is_recorded_to_its_end_without_a_reader() {
    let quick = Script(|run, _| {
        Box::pin(async move {
            run.say("hi").await;
            Ok(())
        })
    });
    let run = RunOptions::default();
    let recording = Recording::new();
    let mut events = start(Arc::new(quick), input(), run.recorder(recording.clone()));
    block_on(events.next());
    drop(events);
    assert!(matches!(testing::end(&recording.events()), RunEnd::Success { .. }));
}

#[test]
fn nothing_is_recorded_of_a_run_that_never_began() {
    let recording = Recording::new();
    drop(start(Arc::new(busy()), input(), testing::options().recorder(recording.clone())));
    assert_eq!(recording.events(), []);
}

#[test]
fn a_destructor_that_panics_does_not_keep_the_run_from_its_end() {
    struct Touchy;
    impl Drop for Touchy {
        fn drop(&mut self) {
            panic!("do not touch");
        }
    }
    let script = Script(|run, _| {
        Box::pin(async move {
            let _text = run.message().await;
            let _touchy = Touchy;
            let _step = run.step("wait").await;
            std::future::pending::<()>().await;
            Ok(())
        })
    });
    let run = block_on(testing::cancel_after(3, script, input()));
    assert_eq!(testing::end(&run.recorded), RunEnd::Cancelled);
    assert_eq!(run.recorded.len(), 6);
    judge_all(&[json!(run.recorded)]);
}

#[test]
fn a_recorder_that_panics_is_left_alone() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let options = testing::options().recorder(|_: &Event| {
        assert!(CALLS.fetch_add(1, Ordering::Relaxed) < 2, "disk full");
    });
    let events: Vec<Event> = block_on(start(Arc::new(busy()), input(), options).collect());
    assert!(matches!(testing::end(&events), RunEnd::Interrupt(_)));
    assert_eq!(CALLS.load(Ordering::Relaxed), 3);
}

#[test]
fn the_text_of_a_panic_is_shown_on_request() {
    let clumsy = || Script(|_, _| Box::pin(async { panic!("the pan is hot") }));
    let events = block_on(testing::run_with(clumsy(), input(), testing::options().reveal_errors(true)));
    let failed = |message| RunEnd::Failed { message, code: Some("panic") };
    assert_eq!(testing::end(&events), failed("the agent panicked: the pan is hot"));
    let events = block_on(testing::run(clumsy(), input()));
    assert_eq!(testing::end(&events), failed("the agent panicked (run run)"));
}

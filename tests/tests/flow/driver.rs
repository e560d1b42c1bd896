//! The driver of a run: panics, stops, backpressure, cancelling and wakers.

use std::future::poll_fn;
use std::mem::replace;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use agui_runtime::protocol::{Interrupt, InterruptList};
use agui_runtime::{RunOptions, Stop, start};
use futures::executor::block_on;
use futures::task::noop_waker;
use futures::{StreamExt, join};
use serde_json::json;

use crate::agent::{Script, input, stream, stream_with_panic, types};

#[test]
fn a_panic_becomes_run_error_without_its_text() {
    let events = stream_with_panic(input(), |run, _| {
        Box::pin(async move {
            let _text = run.message().await;
            panic!("password = hunter2");
        })
    });
    assert_eq!(types(&events), ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_ERROR"]);
    assert_eq!(
        events[3],
        json!({"type": "RUN_ERROR", "message": "the agent panicked (run run)", "code": "panic"})
    );
}

#[test]
fn a_panic_after_the_agent_has_returned_becomes_run_error() {
    #[derive(Debug, thiserror::Error)]
    #[error("the oven is hot")]
    struct Hot;
    impl Drop for Hot {
        fn drop(&mut self) {
            panic!("do not touch");
        }
    }
    let events = stream_with_panic(input(), |_, _| Box::pin(async { Err(Hot.into()) }));
    assert_eq!(
        events.last().unwrap(),
        &json!({"type": "RUN_ERROR", "message": "the agent panicked (run run)", "code": "panic"})
    );
}

#[test]
fn a_stop_says_how_the_run_ends() {
    let ending = |events: Vec<serde_json::Value>| events.last().unwrap().clone();
    assert_eq!(
        ending(stream(|_, _| Box::pin(async { Err(Stop::error("lab failure").with_code("LAB_ERR")) }))),
        json!({"type": "RUN_ERROR", "message": "lab failure", "code": "LAB_ERR"})
    );
    assert_eq!(
        ending(stream(|_, _| Box::pin(async { Err(Stop::cancelled()) })))["outcome"],
        json!({"type": "cancelled"})
    );
    assert_eq!(
        ending(stream(|_, _| {
            Box::pin(async {
                Err(Stop::interrupt(InterruptList::from(Interrupt::new("i-1", "confirmation"))))
            })
        }))["outcome"],
        json!({"type": "interrupt", "interrupts": [{"id": "i-1", "reason": "confirmation"}]})
    );
}

#[test]
fn interrupts_with_one_id_are_not_sent() {
    let events = stream(|_, _| {
        Box::pin(async {
            let mut interrupts = InterruptList::from(Interrupt::new("i-1", "confirmation"));
            interrupts.push(Interrupt::new("i-1", "input_required"));
            Err(Stop::interrupt(interrupts))
        })
    });
    assert_eq!(
        events.last().unwrap(),
        &json!({
            "type": "RUN_ERROR",
            "message": "two interrupts have the id `i-1`",
            "code": "duplicate_interrupt",
        })
    );
}

#[test]
fn polling_runs_the_agent_and_no_faster_than_it_is_read() {
    static SAID: AtomicUsize = AtomicUsize::new(0);
    let script = Script(|run, _| {
        Box::pin(async move {
            let mut text = run.message().await;
            for _ in 0..100 {
                text.push("x").await;
                SAID.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        })
    });
    let mut events = start(Arc::new(script), input(), RunOptions::default().room(4));
    assert_eq!(SAID.load(Ordering::Relaxed), 0, "nothing happens before the stream is polled");
    let waker = noop_waker();
    let mut cx = Context::from_waker(&waker);
    let mut read = 0;
    while let Poll::Ready(Some(_)) = events.poll_next_unpin(&mut cx) {
        read += 1;
        let ahead = SAID.load(Ordering::Relaxed).saturating_sub(read);
        assert!(ahead <= 4, "{ahead} deltas ahead of the reader");
    }
    assert_eq!(read, 104);
}

#[test]
fn a_run_works_with_any_limit_of_its_queue() {
    for room in [0, 1, usize::MAX] {
        let script = Script(|run, _| {
            Box::pin(async move {
                run.say("hi").await;
                Ok(())
            })
        });
        let events = start(Arc::new(script), input(), RunOptions::default().room(room));
        assert_eq!(block_on(events.count()), 5);
    }
}

#[test]
fn dropping_the_stream_cancels_the_agent_where_it_stands() {
    static DROPPED: AtomicBool = AtomicBool::new(false);
    struct OnDrop;
    impl Drop for OnDrop {
        fn drop(&mut self) {
            DROPPED.store(true, Ordering::Relaxed);
        }
    }
    let script = Script(|run, _| {
        Box::pin(async move {
            let _on_drop = OnDrop;
            run.say("before").await;
            std::future::pending::<()>().await;
            Ok(())
        })
    });
    let mut events = start(Arc::new(script), input(), RunOptions::default());
    let waker = noop_waker();
    let mut cx = Context::from_waker(&waker);
    while events.poll_next_unpin(&mut cx).is_ready() {}
    assert!(!DROPPED.load(Ordering::Relaxed));
    drop(events);
    assert!(DROPPED.load(Ordering::Relaxed));
}

#[test]
fn a_reader_that_is_awake_is_not_woken() {
    struct Wakes(AtomicUsize);
    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let script = Script(|run, _| {
        Box::pin(async move {
            let mut text = run.message().await;
            for _ in 0..10 {
                // The value that the agent waits for is ready at the next poll.
                let mut polled = false;
                poll_fn(|_| if replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending }).await;
                text.push("x").await;
            }
            Ok(())
        })
    });
    let mut events = start(Arc::new(script), input(), RunOptions::default());
    let wakes = Arc::new(Wakes(AtomicUsize::new(0)));
    let waker = Waker::from(Arc::clone(&wakes));
    let mut cx = Context::from_waker(&waker);
    let mut read = 0;
    loop {
        match events.poll_next_unpin(&mut cx) {
            Poll::Ready(Some(_)) => read += 1,
            Poll::Ready(None) => break,
            Poll::Pending => {}
        }
    }
    assert_eq!(read, 14);
    assert_eq!(wakes.0.load(Ordering::Relaxed), 0);
}

#[test]
fn writers_that_wait_together_all_get_room() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let talk = async |name: &str| {
                let mut text = run.message().await;
                for n in 0..50 {
                    text.push(format!("{name}{n} ")).await;
                }
            };
            join!(talk("a"), talk("b"), talk("c"));
            Ok(())
        })
    });
    assert_eq!(types(&events).iter().filter(|ty| **ty == "TEXT_MESSAGE_CONTENT").count(), 150);
}

//! Parts of a run on other threads.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use agui_runtime::protocol::Event;
use agui_runtime::{Emit, RunOptions, Stop, start};
use futures::StreamExt;
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::agent::{Script, input, inside, judge, stream, types};
use crate::helper::helper;

fn texts(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["delta"].as_str()).collect()
}

fn as_json(events: &[Event]) -> Vec<Value> {
    events.iter().map(crate::agent::json).collect()
}

#[test]
fn threads_speak_in_one_run_as_fast_as_it_is_read() {
    let script = Script(|run, _| {
        Box::pin(async move {
            let mut tasks = run.tasks();
            for thread in 0..4 {
                let task = tasks.task(async move |emit: Emit| {
                    let _step = emit.step("talk").await;
                    let mut text = emit.message().await;
                    for word in 0..50 {
                        text.push(format!("{thread}/{word} ")).await;
                    }
                    Ok(())
                });
                thread::spawn(|| block_on(task));
            }
            tasks.join().await?;
            run.say("All done.").await;
            Ok(())
        })
    });
    let events: Vec<Event> =
        block_on(start(Arc::new(script), input(), RunOptions::default().room(1)).collect());
    let events = as_json(&events);
    judge(&events);
    let said = texts(inside(&events));
    assert_eq!(said.len(), 201);
    assert_eq!(said.last(), Some(&"All done."));
    for thread in 0..4 {
        let own: Vec<_> = said.iter().filter(|word| word.starts_with(&format!("{thread}/"))).collect();
        let order: Vec<_> = (0..50).map(|word| format!("{thread}/{word} ")).collect();
        assert_eq!(own.len(), 50);
        assert!(own.iter().zip(&order).all(|(word, expected)| **word == expected));
    }
}

#[test]
fn tasks_may_run_on_tokio() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let script = Script(|run, _| {
        Box::pin(async move {
            let mut tasks = run.tasks();
            for word in ["a", "b", "c"] {
                tasks.spawn(async move |emit: Emit| {
                    tokio::task::yield_now().await;
                    emit.say(word).await;
                    "1".parse::<u32>()?;
                    Ok(())
                });
            }
            tasks.join().await
        })
    });
    let events = runtime.block_on(agui_runtime::testing::run(script, input()));
    let events = as_json(&events);
    judge(&events);
    let mut said = texts(inside(&events));
    said.sort_unstable();
    assert_eq!(said, ["a", "b", "c"]);
}

#[test]
fn outside_of_tokio_nothing_is_spawned() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut tasks = run.tasks();
            tasks.spawn(async move |emit: Emit| {
                emit.say("never").await;
                Ok(())
            });
            tasks.join().await
        })
    });
    assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
    assert_eq!(events[1]["code"], "no_runtime");
}

#[test]
fn the_first_stop_of_a_task_comes_out_and_ends_the_others() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut tasks = run.tasks();
            let (dropped, was_dropped) = channel::<()>();
            let (spoke, has_spoken) = channel();
            let waiting = tasks.task(async move |emit: Emit| {
                let _dropped = dropped;
                std::mem::forget(emit.message().await);
                spoke.send(()).unwrap();
                std::future::pending().await
            });
            let failing = tasks.task(async |emit: Emit| {
                let _text = emit.message().await;
                Err(Stop::error("no rice").with_code("RICE"))
            });
            let waiting = thread::spawn(|| block_on(waiting));
            has_spoken.recv().unwrap();
            thread::spawn(|| block_on(failing)).join().unwrap();
            let stop = tasks.join().await.unwrap_err();
            assert_eq!(stop.to_string(), "no rice");
            waiting.join().unwrap();
            assert!(was_dropped.recv().is_err(), "the task that waits is gone");
            run.say("I shall do without.").await;
            Err(stop)
        })
    });
    let said = types(&events);
    assert_eq!(
        said[said.len() - 4..],
        ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_ERROR"]
    );
    assert_eq!(said.iter().filter(|ty| **ty == "TEXT_MESSAGE_END").count(), 3);
    assert_eq!(events.last().unwrap()["code"], "RICE");
}

#[test]
fn a_task_that_panics_or_is_dropped_says_so() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut tasks = run.tasks();
            drop(tasks.task(async |_: Emit| Ok(())));
            let error = tasks.join().await.unwrap_err();
            assert_eq!(error.to_string(), "a task was dropped before it ended");
            let mut tasks = run.tasks();
            let clumsy = tasks.task(async |emit: Emit| {
                std::mem::forget(emit.step("carry").await);
                panic!("secret")
            });
            thread::spawn(|| block_on(clumsy)).join().unwrap();
            let error = tasks.join().await.unwrap_err();
            assert_eq!(error.to_string(), "the agent panicked");
            run.say("Oops.").await;
            Err(error.with_code("task_panic"))
        })
    });
    assert_eq!(
        types(&events)[1..3],
        ["STEP_STARTED", "STEP_FINISHED"],
        "what it left open is closed when it ends"
    );
    assert_eq!(
        events.last().unwrap(),
        &json!({"type": "RUN_ERROR", "message": "the agent panicked (run run)", "code": "task_panic"})
    );
}

#[test]
fn events_of_an_ended_task_are_dropped() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let (go_on, wait) = channel::<()>();
            let (begun, has_begun) = channel::<()>();
            let mut tasks = run.tasks();
            // Does not return to its executor in between, so it does not notice the abort.
            let stubborn = tasks.task(async move |emit: Emit| {
                let mut text = emit.message().await;
                begun.send(()).unwrap();
                wait.recv().unwrap();
                text.push("late").await;
                text.end();
                emit.say("later").await;
                Ok(())
            });
            let thread = thread::spawn(|| block_on(stubborn));
            has_begun.recv().unwrap();
            drop(tasks);
            run.say("meanwhile").await;
            go_on.send(()).unwrap();
            thread.join().unwrap();
            Ok(())
        })
    });
    assert_eq!(texts(inside(&events)), ["meanwhile"]);
    assert_eq!(types(&events)[1..3], ["TEXT_MESSAGE_START", "TEXT_MESSAGE_END"]);
}

#[test]
fn tasks_end_with_the_stream() {
    static THREADS: std::sync::Mutex<Vec<thread::JoinHandle<()>>> = std::sync::Mutex::new(Vec::new());
    let script = Script(|run, _| {
        Box::pin(async move {
            let mut tasks = run.tasks();
            for _ in 0..3 {
                // Never ends by itself, and does not wait after the end of the run.
                let talking = tasks.task(async |emit: Emit| {
                    loop {
                        emit.say("x").await;
                    }
                });
                THREADS.lock().unwrap().push(thread::spawn(|| block_on(talking)));
            }
            tasks.join().await
        })
    });
    let events = block_on(agui_runtime::testing::cancel_after(20, script, input()));
    let recorded = as_json(&events.recorded);
    judge(&recorded);
    assert_eq!(recorded.last().unwrap()["outcome"], json!({"type": "cancelled"}));
    let threads = std::mem::take(&mut *THREADS.lock().unwrap());
    assert_eq!(threads.len(), 3);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn a_subagents_tasks_speak_as_the_subagent() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let busy = helper(|run, _| {
                Box::pin(async move {
                    let mut tasks = run.tasks();
                    let task = tasks.task(async |emit: Emit| {
                        emit.say("from afar").await;
                        Ok(())
                    });
                    thread::spawn(|| block_on(task));
                    tasks.join().await?;
                    Ok(Value::Null)
                })
            });
            run.delegate("busy", &busy, []).await?;
            Ok(())
        })
    });
    assert_eq!(inside(&events).len(), 5);
    assert!(inside(&events).iter().all(|event| event["subagentRunId"] == "test-subagent-1"));
}

//! Tasks that change while their client cancels them, answers or repeats itself: on one server, and on two of one store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::thread::{LogAppend, LogError, Memory, ThreadKey};
use agui_tests::stored::{Gate, Gated, Op, Way};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::stored::on;
use crate::talk::{TestServer, block_on, message, reply, rpc, state};

/// Two servers of one store.
async fn two() -> [TestServer; 2] {
    let log = Memory::new();
    [on(&log, ThreadOptions::default()).await, on(&log, ThreadOptions::default()).await]
}

async fn cancel(server: &TestServer, task: &Value) -> Value {
    server.respond("CancelTask", json!({ "id": task["id"] })).await
}

/// Returns the state of the task in a response, or the code of its error.
fn outcome(response: &Value) -> String {
    match response["error"]["code"].as_i64() {
        Some(code) => code.to_string(),
        None => {
            let task = response["result"].get("task").unwrap_or(&response["result"]);
            state(task).to_owned()
        }
    }
}

async fn state_of(server: &TestServer, task: &Value) -> String {
    state(&server.ask("GetTask", json!({ "id": task["id"] })).await).to_owned()
}

/// Waits for a part of a millisecond, so that two requests meet at many places.
async fn stagger(number: u64) {
    tokio::time::sleep(Duration::from_micros(number * 137 % 2_000)).await;
}

/// Holds back what agents write.
#[derive(Debug)]
struct Held {
    goes_on: Semaphore,
    cancel_asked: Semaphore,
}

impl Gate for Held {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        let is_event = |record: &[u8]| !record.starts_with(br#"{"control":"#);
        let is_held = match op {
            // The key of the store has no agent.
            Op::Append(key, append) if !key.agent().is_empty() => {
                append.records.first().is_some_and(|record| is_event(record))
            }
            _ => false,
        };
        async move {
            if is_held {
                self.goes_on.acquire().await.unwrap().forget();
            }
            Ok(Way::Through)
        }
        .boxed()
    }

    fn appended(&self, _: &ThreadKey, append: &LogAppend) {
        let is_asked = |record: &[u8]| record.starts_with(br#"{"control":"cancel_asked""#);
        if append.records.iter().any(|record| is_asked(record)) {
            self.cancel_asked.add_permits(1);
        }
    }
}

#[test]
fn a_task_is_cancelled_before_its_run_begins() {
    block_on(async {
        let gate = Arc::new(Held { goes_on: Semaphore::new(0), cancel_asked: Semaphore::new(0) });
        let log = Gated::new(Arc::new(Memory::new()), Arc::clone(&gate));
        let server = on(&log, ThreadOptions::default()).await;
        let params =
            json!({ "message": message("m-1", "wait"), "configuration": { "returnImmediately": true } });
        let task = server.ask("SendMessage", params).await["task"].clone();
        assert_eq!(state(&task), "TASK_STATE_SUBMITTED");
        let release = async {
            gate.cancel_asked.acquire().await.unwrap().forget();
            gate.goes_on.add_permits(100);
        };
        let (cancelled, ()) = futures::join!(cancel(&server, &task), release);
        assert_eq!(outcome(&cancelled), "TASK_STATE_CANCELED", "{cancelled}");
        assert_eq!(state_of(&server, &task).await, "TASK_STATE_CANCELED");
    });
}

#[test]
fn a_task_is_cancelled_twice_at_once() {
    block_on(async {
        let [first, second] = two().await;
        for number in 0..12 {
            let text = ["wait", "send it", "choose one"][number % 3];
            let params = json!({
                "message": message(&format!("m-{number}"), text),
                "configuration": { "returnImmediately": text == "wait" },
            });
            let task = first.ask("SendMessage", params).await["task"].clone();
            let other = if number % 2 == 0 { &first } else { &second };
            let (here, there) = futures::join!(cancel(&first, &task), cancel(other, &task));
            let both = [outcome(&here), outcome(&there)];
            assert!(both.iter().any(|outcome| outcome == "TASK_STATE_CANCELED"), "{text}: {here} {there}");
            assert!(
                both.iter().all(|outcome| outcome == "TASK_STATE_CANCELED" || outcome == "-32002"),
                "{text}: {here} {there}"
            );
            assert_eq!(state_of(other, &task).await, "TASK_STATE_CANCELED", "{text}");
            assert_eq!(outcome(&cancel(other, &task).await), "-32002");
        }
    });
}

#[test]
fn a_task_that_is_cancelled_as_it_is_answered_has_one_end() {
    block_on(async {
        let servers = two().await;
        for number in 0..40 {
            let (text, part) = match number % 2 {
                0 => ("send it", json!({ "data": { "approved": true } })),
                _ => ("choose one", json!({ "text": "12A" })),
            };
            let asked = servers[0].say(message("m-1", text)).await;
            let cancelling = async {
                stagger(number).await;
                cancel(&servers[0], &asked).await
            };
            let answering = async {
                stagger(number * 7).await;
                let answer = json!({ "message": reply(&asked, "m-2", part) });
                servers[usize::from(number % 4 > 1)].respond("SendMessage", answer).await
            };
            let (cancelled, answered) = futures::join!(cancelling, answering);
            let end = state_of(&servers[0], &asked).await;
            match outcome(&cancelled).as_str() {
                "TASK_STATE_CANCELED" => assert_eq!(end, "TASK_STATE_CANCELED", "{cancelled} {answered}"),
                "-32002" => assert_eq!(end, "TASK_STATE_COMPLETED", "{cancelled} {answered}"),
                _ => panic!("{text}: {cancelled} {answered}"),
            }
            let answered_as = outcome(&answered);
            assert!(
                answered_as == end || (answered_as == "-32004" && end == "TASK_STATE_CANCELED"),
                "{text}: {end}: {answered}"
            );
        }
    });
}

#[test]
fn a_task_that_ends_as_it_is_cancelled_has_one_end() {
    block_on(async {
        let [first, second] = two().await;
        for number in 0..20 {
            let mut begin = message(&format!("m-{number}"), "wait");
            begin["contextId"] = json!("c-1");
            let params = json!({ "message": begin, "configuration": { "returnImmediately": true } });
            let task = first.ask("SendMessage", params).await["task"].clone();
            while first.bells.began.load(Ordering::SeqCst) <= number {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let ending = async {
                stagger(number as u64 * 5).await;
                first.bells.go_on.notify_one();
            };
            let (cancelled, ()) = futures::join!(cancel(&second, &task), ending);
            match (outcome(&cancelled).as_str(), state_of(&first, &task).await.as_str()) {
                ("TASK_STATE_CANCELED", "TASK_STATE_CANCELED") | ("-32002", "TASK_STATE_COMPLETED") => {}
                (_, end) => panic!("{end}: {cancelled}"),
            }
        }
    });
}

#[test]
fn an_answer_that_goes_on_is_cancelled_whatever_the_policy_for_busy_threads() {
    block_on(async {
        for policy in [BusyThread::Reject, BusyThread::Queue, BusyThread::CancelFirst] {
            let log = Memory::new();
            let options = ThreadOptions::default().busy(policy);
            let (first, second) = (on(&log, options.clone()).await, on(&log, options).await);
            let asked = first.say(message("m-1", "name")).await;
            let answer = json!({ "message": reply(&asked, "m-2", json!({ "text": "wait" })) });
            let mut answered = rpc("SendStreamingMessage", answer).open(first.address).await;
            answered.until("WORKING").await;
            let cancelled = cancel(&second, &asked).await;
            assert_eq!(outcome(&cancelled), "TASK_STATE_CANCELED", "{policy:?}: {cancelled}");
            answered.until("CANCELED").await;
        }
    });
}

#[test]
fn a_task_that_waits_cannot_be_cancelled_while_another_one_of_its_context_works() {
    block_on(async {
        for policy in [BusyThread::Reject, BusyThread::Queue] {
            let server = on(&Memory::new(), ThreadOptions::default().busy(policy)).await;
            let said = |id: &str, text: &str| {
                let mut message = message(id, text);
                message["contextId"] = json!("c-1");
                json!({ "message": message })
            };
            let asked = server.ask("SendMessage", said("m-1", "send it")).await["task"].clone();
            let mut working = rpc("SendStreamingMessage", said("m-2", "wait")).open(server.address).await;
            working.until("waiting").await;
            let cancelled = cancel(&server, &asked).await;
            assert_eq!(outcome(&cancelled), "-32004", "{policy:?}: {cancelled}");
            server.bells.go_on.notify_one();
            working.until("COMPLETED").await;
            // Its questions were closed.
            assert_eq!(outcome(&cancel(&server, &asked).await), "-32002", "{policy:?}");
            assert_eq!(state_of(&server, &asked).await, "TASK_STATE_CANCELED");
        }
    });
}

#[test]
fn a_message_that_comes_many_times_at_once_begins_one_task() {
    block_on(async {
        let [first, second] = two().await;
        let began = || {
            let counts = [&first, &second].map(|server| server.bells.began.load(Ordering::SeqCst));
            counts.iter().sum::<usize>()
        };
        let mut begin = message("m-1", "send it");
        begin["contextId"] = json!("c-1");
        let sent = [&first, &second, &first, &second].map(|server| server.say(begin.clone()));
        let tasks = futures::future::join_all(sent).await;
        assert!(tasks.iter().all(|task| *task == tasks[0]), "{tasks:#?}");
        assert_eq!(began(), 1);
        let answer = reply(&tasks[0], "m-2", json!({ "data": { "approved": true } }));
        let sent = [&first, &second, &first, &second].map(|server| server.say(answer.clone()));
        let ends = futures::future::join_all(sent).await;
        assert!(ends.iter().all(|task| *task == ends[0]), "{ends:#?}");
        assert_eq!((state(&ends[0]), began()), ("TASK_STATE_COMPLETED", 2));
    });
}

/// Holds back the second look at a thread.
#[derive(Debug)]
struct SecondLook {
    looks: AtomicUsize,
    came: Semaphore,
    goes_on: Semaphore,
}

impl Gate for SecondLook {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        let is_held = matches!(op, Op::Head) && self.looks.fetch_add(1, Ordering::SeqCst) == 1;
        async move {
            if is_held {
                self.came.add_permits(1);
                self.goes_on.acquire().await.unwrap().forget();
            }
            Ok(Way::Through)
        }
        .boxed()
    }
}

#[test]
fn an_answer_that_comes_again_is_overtaken_by_itself() {
    block_on(async {
        let log = Memory::new();
        let closed = || Semaphore::new(0);
        let gate = Arc::new(SecondLook { looks: AtomicUsize::new(0), came: closed(), goes_on: closed() });
        let first = on(&log, ThreadOptions::default()).await;
        let second = on(&Gated::new(Arc::new(log), Arc::clone(&gate)), ThreadOptions::default()).await;
        let asked = first.say(message("m-1", "send it")).await;
        let answer = reply(&asked, "m-2", json!({ "data": { "approved": true } }));
        let overtaking = async {
            gate.came.acquire().await.unwrap().forget();
            let done = first.say(answer.clone()).await;
            gate.goes_on.add_permits(1);
            done
        };
        let (overtaken, done) = futures::join!(second.say(answer.clone()), overtaking);
        assert_eq!(state(&done), "TASK_STATE_COMPLETED");
        assert_eq!(overtaken, done);
    });
}

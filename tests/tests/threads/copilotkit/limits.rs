//! The limits and the cursors of the agent's own routes hold at the routes of CopilotKit's pages.

use std::time::Duration;

use agui_runtime::http::{InputLimits, ThreadOptions};
use agui_runtime::thread::Memory;
use agui_runtime::{Limits, Server};
use agui_tests::http::{Answer, Request, Whole};
use serde_json::{Value, json};

use super::{BASE, as_ada};
use crate::thread_server::{Bells, Clerk, ThreadServer, asking, frames, identified, is_refused, types};

/// A way to the runs of the clerk, and to its threads.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// The agent's own routes.
    Own,
    Copilotkit,
    /// The one address for everything.
    Single,
}

const WAYS: [Way; 3] = [Way::Own, Way::Copilotkit, Way::Single];

impl Way {
    fn request(self, action: &str, input: &Value) -> Request {
        let single = json!({
            "method": format!("agent/{action}"), "params": { "agentId": "clerk" }, "body": input,
        });
        as_ada(match (self, action) {
            (Way::Own, "run") => Request::run("/clerk", input.to_string()),
            (Way::Own, _) => Request::run(&format!("/clerk/{action}"), input.to_string()),
            (Way::Copilotkit, _) => Request::run(&format!("{BASE}/agent/clerk/{action}"), input.to_string()),
            (Way::Single, _) => Request::run(BASE, single.to_string()),
        })
    }

    fn run(self, thread: &str, run: &str, text: &str) -> Request {
        let mut input = asking(run, text);
        input["threadId"] = json!(thread);
        self.request("run", &input)
    }

    fn connect(self, thread: &str) -> Request {
        let mut input = asking("c", "");
        (input["threadId"], input["messages"]) = (json!(thread), json!([]));
        self.request("connect", &input)
    }
}

async fn limited(limits: Limits, options: ThreadOptions, input: InputLimits) -> ThreadServer {
    let server = Server::new().threads(Memory::new()).thread_options(options).limits(limits);
    let server = server.input_limits(input).agent("/clerk", Clerk::new(Bells::default())).copilotkit(BASE);
    ThreadServer::serve(identified(server)).await
}

async fn with(limits: Limits) -> ThreadServer {
    limited(limits, ThreadOptions::default(), InputLimits::default()).await
}

async fn started(server: &ThreadServer, request: Request) -> Answer {
    let mut answer = request.open(server.address).await;
    answer.until("waiting").await;
    answer
}

async fn send(server: &ThreadServer, request: Request) -> Whole {
    request.send(server.address).await
}

/// A run by one way counts for all ways.
#[tokio::test]
async fn runs_are_limited_together() {
    for (limits, status, code) in [
        (Limits::default().runs(1), 503, "server_busy"),
        (Limits::default().runs_per_client(1), 429, "client_busy"),
        (Limits::default().runs_per_identity(1), 429, "identity_busy"),
    ] {
        let server = with(limits).await;
        for (number, first) in WAYS.into_iter().enumerate() {
            let thread = format!("t{number}");
            let waits = started(&server, first.run(&thread, "1", "wait for ever")).await;
            for second in WAYS {
                let refused = send(&server, second.run("other", "1", "hello")).await;
                is_refused(&refused, status, code);
                assert_eq!(refused.header("retry-after"), Some("1"), "{first:?} {second:?}");
            }
            let stop = Request::run(&format!("{BASE}/agent/clerk/stop/{thread}"), "{}");
            assert_eq!(send(&server, as_ada(stop)).await.json()["stopped"], true);
            drop(waits.whole().await);
        }
    }
}

#[tokio::test]
async fn runs_for_suggestions_are_limited_too() {
    let server = with(Limits::default().runs(1)).await;
    let mut input = asking("s", "hello");
    input["threadId"] = json!("s");
    input["tools"] = json!([{ "name": "suggest", "description": "", "parameters": { "type": "object" } }]);
    input["forwardedProps"] =
        json!({ "toolChoice": { "type": "function", "function": { "name": "suggest" } } });
    let suggest = || Way::Copilotkit.request("suggest", &input);
    let waits = started(&server, Way::Copilotkit.run("t", "1", "wait for ever")).await;
    is_refused(&send(&server, suggest()).await, 503, "server_busy");
    drop(waits);
}

#[tokio::test]
async fn the_sizes_of_bodies_and_inputs_are_limited() {
    let small = Limits::default().body_size(4_000);
    let input = InputLimits::default().messages(2);
    let server = limited(small, ThreadOptions::default(), input).await;
    let mut many = asking("1", "hello");
    many["messages"] =
        (0..3).map(|id| json!({ "id": id.to_string(), "role": "user", "content": "" })).collect();
    for way in WAYS {
        let large = send(&server, way.run("t", "1", &"x".repeat(4_000))).await;
        is_refused(&large, 413, "body_too_large");
        for action in ["run", "connect"] {
            let own = send(&server, Way::Own.request(action, &many)).await;
            let refused = send(&server, way.request(action, &many)).await;
            assert_eq!((refused.status, refused.text()), (own.status, own.text()), "{way:?} {action}");
            is_refused(&own, 413, "too_many_messages");
        }
    }
}

#[tokio::test]
async fn readers_of_a_thread_are_limited_together() {
    for limits in [Limits::default().readers_per_thread(1), Limits::default().readers_per_client(1)] {
        let server = with(limits).await;
        // The run is no reader.
        let _waits = started(&server, Way::Copilotkit.run("t", "1", "wait for ever")).await;
        for first in WAYS {
            // A reader that left is counted for a moment.
            let read = async {
                loop {
                    let mut reader = first.connect("t").open(server.address).await;
                    if reader.status == 200 {
                        reader.until("waiting").await;
                        break reader;
                    }
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            let reader = tokio::time::timeout(Duration::from_secs(30), read).await;
            let reader = reader.unwrap_or_else(|_| panic!("{first:?}: a reader that left still counts"));
            for second in WAYS {
                let refused = send(&server, second.connect("t")).await;
                is_refused(&refused, 429, "too_many_readers");
                assert_eq!(refused.header("retry-after"), Some("1"));
            }
            drop(reader);
        }
    }
}

#[tokio::test]
async fn a_run_that_takes_too_long_ends_in_the_same_way() {
    let server = with(Limits::default().run_timeout(Duration::from_millis(200))).await;
    for way in WAYS {
        let run = send(&server, way.run(&format!("{way:?}"), "1", "wait for ever")).await;
        let last = frames(run.text()).pop().unwrap().1;
        assert_eq!((&last["type"], &last["code"]), (&json!("RUN_ERROR"), &json!("run_timeout")));
    }
}

#[tokio::test]
async fn a_cursor_leads_on_from_its_event_by_all_ways() {
    let server = with(Limits::default()).await;
    for ran in WAYS {
        let thread = format!("{ran:?}");
        let whole = frames(send(&server, ran.run(&thread, "1", "count")).await.text());
        for (number, (id, _)) in whole.iter().enumerate() {
            let id = id.as_deref().unwrap_or_else(|| panic!("{ran:?}: an event without an id: {whole:?}"));
            for way in WAYS {
                let rest = send(&server, way.connect(&thread).header("last-event-id", id)).await;
                // At the end of all there is nothing to send: 204, or a stream without events for CopilotKit's pages.
                assert_eq!(frames(rest.text()), whole[number + 1..], "{ran:?} {way:?} {id}");
                let again = way.run(&thread, "1", "count").header("last-event-id", id);
                assert_eq!(
                    frames(send(&server, again).await.text()),
                    whole[number + 1..],
                    "{ran:?} {way:?} {id}"
                );
            }
        }
        let state = as_ada(Request::new("GET", &format!("{BASE}/threads/{thread}/state")));
        assert_eq!(send(&server, state).await.json()["state"]["count"], 1, "no run ran again");
    }
}

#[tokio::test]
async fn a_cursor_in_the_middle_of_a_run_reads_its_end() {
    let bells = Bells::default();
    let server =
        Server::new().threads(Memory::new()).agent("/clerk", Clerk::new(bells.clone())).copilotkit(BASE);
    let server = ThreadServer::serve(identified(server)).await;
    for way in WAYS {
        let thread = format!("{way:?}");
        let mut run = way.run(&thread, "1", "wait").open(server.address).await;
        let begun = run.until("waiting").await;
        let (id, _) = frames(&begun[..begun.rfind("id: ").unwrap()]).pop().unwrap();
        drop(run);
        let mut rest = way.connect(&thread).header("last-event-id", &id.unwrap()).open(server.address).await;
        rest.until("waiting").await;
        bells.go_on.notify_one();
        let rest = rest.whole().await;
        assert!(rest.text().contains(" is over"), "{way:?}: {}", rest.text());
        assert!(!types(rest.text()).contains("RUN_STARTED"), "{way:?}");
        assert_eq!(types(rest.text()).split(' ').next_back(), Some("RUN_FINISHED"), "{way:?}");
    }
}

#[tokio::test]
async fn a_wrong_cursor_is_refused_by_all_ways() {
    let options = ThreadOptions::default().keep_records(20);
    let server = limited(Limits::default(), options, InputLimits::default()).await;
    let first = frames(send(&server, Way::Copilotkit.run("t", "0", "count")).await.text());
    for run in 1..20 {
        send(&server, Way::Copilotkit.run("t", &run.to_string(), "count")).await;
    }
    let trimmed = first[3].0.as_deref().unwrap();
    for way in WAYS {
        for wrong in ["-1", "1", "1.", "3.99999999999999999999", "\u{fffd}"] {
            let refused = send(&server, way.connect("t").header("last-event-id", wrong)).await;
            is_refused(&refused, 400, "invalid_cursor");
            let again = way.run("t", "0", "count").header("last-event-id", wrong);
            is_refused(&send(&server, again).await, 400, "invalid_cursor");
        }
        let gone = send(&server, way.connect("t").header("last-event-id", trimmed)).await;
        is_refused(&gone, 410, "cursor_trimmed");
        let never = way.run("u", "1", "count").header("last-event-id", trimmed);
        is_refused(&send(&server, never).await, 404, "run_not_found");
        // Another's cursor is one of a thread that is not there.
        let foreign =
            way.connect("t").without("x-name").header("x-name", "bob").header("last-event-id", trimmed);
        is_refused(&send(&server, foreign).await, 400, "invalid_cursor");
    }
}

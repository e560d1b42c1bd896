//! The memory of many runs together, of agents that read JSON without a type: at most eight times the budget for bodies.
#![allow(clippy::unwrap_used, reason = "tests")]

use agui_runtime::http::InputLimits;
use agui_runtime::prelude::*;
use agui_runtime::{Agent, Limits, Server};
use axum::body::{Body, BodyDataStream};
use axum::http::{Request, StatusCode};
use futures::StreamExt;
use serde_json::Value;
use tower_service::Service;

use crate::body::body;

const BUDGET: usize = 32 << 20;

/// The memory of 200 runs themselves, and of the body that is parsed now.
const BESIDES: usize = 16 << 20;

/// Adopts any state that the client holds, and keeps it.
#[agent(state = Value)]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    let state = run.state().adopt_or_snapshot(&input).await?;
    state.update(|state| state["changed"] = true.into()).await?;
    run.say("held").await;
    std::future::pending::<()>().await;
    Ok(())
}

/// Reads the forwarded props, and keeps them.
#[agent]
async fn hoarder(run: &mut Run<Hoarder>, input: Input<Hoarder>) -> Result<(), Stop> {
    let props = input.forwarded_props.as_deref().and_then(Value::as_array).map(Vec::len);
    run.say(format!("held {props:?}")).await;
    std::future::pending::<()>().await;
    Ok(())
}

fn request(place: (&str, &str, &str), number: usize) -> Request<Body> {
    let text = String::from_utf8(body(place, "[0]", 64 << 10)).unwrap();
    let text = text.replacen("\"t\"", &format!("\"{number}\""), 1);
    Request::post("/").header("content-type", "application/json").body(text.into()).unwrap()
}

/// Starts 200 runs and keeps them. Returns how many were held, how many refused with this code, and the peak of bytes.
fn together(agent: impl Agent, place: (&str, &str, &str), code: &str) -> (usize, usize, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let limits = Limits::default().total_body_size(BUDGET).body_size(1 << 20);
    // Bytes are counted on one thread.
    let inputs = InputLimits::default().inline(usize::MAX);
    let mut router = Server::new().agent("/", agent).limits(limits).input_limits(inputs).router().unwrap();
    let (mut held, mut refused) = (0, 0);
    let counted = allocation_counter::measure(|| {
        runtime.block_on(async {
            let mut open: Vec<BodyDataStream> = Vec::new();
            for number in 0..200 {
                let answer = router.call(request(place, number)).await.unwrap();
                let status = answer.status();
                let mut pieces = answer.into_body().into_data_stream();
                let mut said = String::new();
                while !said.contains("held") && !said.contains(code) {
                    said.push_str(std::str::from_utf8(&pieces.next().await.unwrap().unwrap()).unwrap());
                }
                if said.contains("held") {
                    held += 1;
                    open.push(pieces);
                } else {
                    assert!(
                        status == StatusCode::OK || status == StatusCode::SERVICE_UNAVAILABLE,
                        "{status}"
                    );
                    refused += 1;
                }
            }
            // All of it is there again for the next.
            drop(open);
            let answer = router.call(request(place, 0)).await.unwrap();
            let mut pieces = answer.into_body().into_data_stream();
            let mut said = String::new();
            while !said.contains("held") {
                said.push_str(std::str::from_utf8(&pieces.next().await.unwrap().unwrap()).unwrap());
            }
        });
    });
    (held, refused, counted.bytes_max as usize)
}

#[test]
fn two_hundred_runs_take_eight_times_the_budget_or_are_refused() {
    let state = ("state", r#"{"threadId":"t","runId":"r","messages":[],"state":{"s":["#, "]}}");
    let props = ("props", r#"{"threadId":"t","runId":"r","messages":[],"forwardedProps":["#, "]}");
    for (name, (held, refused, peak)) in [
        ("state", together(Keeper::new(), state, "state_too_large")),
        ("props", together(Hoarder::new(), props, "server_busy")),
    ] {
        assert!(peak <= 8 * BUDGET + BESIDES, "{name}: {} MB for {held} runs", peak >> 20);
        assert!(
            held >= 5 && refused >= 100 && held + refused == 200,
            "{name}: {held} held, {refused} refused"
        );
    }
}

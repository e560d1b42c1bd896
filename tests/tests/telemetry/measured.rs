//! The metrics of runs, tools and models, and those of a server that are not refusals and limits.

use std::collections::BTreeMap;
use std::time::Duration;

use agui_runtime::http::{BusyThread, FirstExchange, ModelTitles, ThreadOptions, ThreadTitles as _};
use agui_runtime::model::{ModelError, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::TokenUsage;
use agui_runtime::thread::Memory;
use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use serde_json::json;

use crate::shop::{clerk_with, input, price, serve};

/// Every metric as `name{label=value}`: the sum of a counter, or the number of a histogram's values and their sum.
fn seen(recorder: &DebuggingRecorder) -> BTreeMap<String, (usize, f64)> {
    let snapshot = recorder.snapshotter().snapshot().into_vec();
    let named = snapshot.into_iter().map(|(key, _, _, value)| {
        let labels: Vec<_> =
            key.key().labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        let name = format!("{}{{{}}}", key.key().name(), labels.join(","));
        let value = match value {
            DebugValue::Counter(count) => (1, count as f64),
            DebugValue::Gauge(level) => (1, level.into_inner()),
            DebugValue::Histogram(values) => {
                (values.len(), values.iter().map(|value| value.into_inner()).sum())
            }
        };
        (name, value)
    });
    named.collect()
}

#[tokio::test]
async fn a_title_is_measured_like_a_turn() {
    let recorder = DebuggingRecorder::new();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let spent = TokenUsage::new().with_input_tokens(40_u32).with_output_tokens(2_u32);
    let titles = ModelTitles::new(ScriptedModel::new([
        Reply::text("Rice").usage(spent),
        Reply::failure(|| ModelError::Failed("busy".to_owned())),
    ]));
    let exchange = FirstExchange::new("/", "How old is rice?", "Old.");
    assert_eq!(titles.title(&exchange).await.as_deref(), Some("Rice"));
    assert_eq!(titles.title(&exchange).await, None);
    let seen = seen(&recorder);
    let of = |name: &str| *seen.get(name).unwrap_or_else(|| panic!("{name}: {seen:#?}"));
    let chat = "gen_ai.operation.name=chat,gen_ai.provider.name=scripted,gen_ai.request.model=script,\
                gen_ai.response.model=script";
    assert_eq!(of(&format!("gen_ai.client.operation.duration{{{chat}}}")).0, 1);
    assert_eq!(of(&format!("gen_ai.client.token.usage{{{chat},gen_ai.token.type=input}}")), (1, 40.0));
    assert_eq!(of(&format!("gen_ai.client.token.usage{{{chat},gen_ai.token.type=output}}")), (1, 2.0));
    let failed =
        |name: &String| name.starts_with("gen_ai.client.operation.duration") && name.contains("error.type=");
    assert!(seen.keys().any(failed), "{seen:#?}");
}

#[tokio::test]
async fn a_run_with_a_model_and_tools_is_measured() {
    let recorder = DebuggingRecorder::new();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let spent = || TokenUsage::new().with_input_tokens(40_u32).with_output_tokens(2_u32);
    let calls = Reply::call("price", price { name: "rice".to_owned() })
        .and_call("price", price { name: "panic".to_owned() })
        .and_call("researcher", json!({ "task": "How old is rice?" }));
    let clerk = clerk_with([calls.usage(spent()), Reply::text("Old.").usage(spent())], [Reply::text("Old.")]);
    let address = serve(Server::new().agent("/", clerk)).await;
    let answer = Request::run("/", input().to_string()).send(address).await;
    let events = answer.events();
    let seen = seen(&recorder);
    let of = |name: &str| *seen.get(name).unwrap_or_else(|| panic!("{name}: {seen:#?}"));
    let chat = "gen_ai.operation.name=chat,gen_ai.provider.name=scripted,gen_ai.request.model=script";
    assert_eq!(of(&format!("gen_ai.client.operation.duration{{{chat}}}")).0, 3);
    assert_eq!(of(&format!("gen_ai.client.operation.time_to_first_chunk{{{chat}}}")).0, 3);
    assert_eq!(of(&format!("gen_ai.client.token.usage{{{chat},gen_ai.token.type=input}}")), (2, 80.0));
    assert_eq!(of(&format!("gen_ai.client.token.usage{{{chat},gen_ai.token.type=output}}")), (2, 4.0));
    let tool = "gen_ai.execute_tool.duration{gen_ai.tool.name=price,gen_ai.tool.type=function";
    assert_eq!(of(&format!("{tool}}}")).0, 1);
    assert_eq!(of(&format!("{tool},error.type=panic}}")).0, 1);
    for (agent, inferences, calls) in [("clerk", 2.0, 3.0), ("researcher", 1.0, 0.0)] {
        assert_eq!(of(&format!("gen_ai.invoke_agent.duration{{gen_ai.agent.name={agent}}}")).0, 1);
        let name = format!("gen_ai.invoke_agent.inference_calls{{gen_ai.agent.name={agent}}}");
        assert_eq!(of(&name), (1, inferences));
        assert_eq!(of(&format!("gen_ai.invoke_agent.tool_calls{{gen_ai.agent.name={agent}}}")), (1, calls));
    }
    assert_eq!(of("agui_sent_bytes_total{}").1, answer.text().len() as f64);
    for kind in ["RUN_STARTED", "TOOL_CALL_START", "TEXT_MESSAGE_CONTENT", "RUN_FINISHED"] {
        let sent = events.iter().filter(|event| event["type"] == kind).count();
        assert_eq!(of(&format!("agui_events_total{{type={kind}}}")).1, sent as f64, "{kind}");
    }
}

/// Takes its time.
#[agent]
async fn slow(run: &mut Run<Slow>, _: Input<Slow>) -> Result<(), Stop> {
    run.say("Wait.").await;
    tokio::time::sleep(Duration::from_millis(150)).await;
    Ok(())
}

#[tokio::test]
async fn the_time_in_a_queue_is_measured_when_the_client_gives_up() {
    let queue = ThreadOptions::default().busy(BusyThread::Queue);
    for (server, name) in [
        (Server::new().limits(Limits::default().runs_per_thread(1)), "thread"),
        (Server::new().threads(Memory::new()).thread_options(queue), "busy_thread"),
    ] {
        let recorder = DebuggingRecorder::new();
        let _guard = metrics::set_default_local_recorder(&recorder);
        let address = serve(server.agent("/", Slow::new())).await;
        let mut first = Request::run("/", input().to_string()).open(address).await;
        first.until("Wait.").await;
        let mut next = input();
        (next["runId"], next["messages"][0]["id"]) = (json!("r-2"), json!("u-2"));
        let request = Request::run("/", next.to_string());
        let gave_up = tokio::time::timeout(Duration::from_millis(50), request.open(address)).await;
        assert!(gave_up.is_err(), "{name}: it did not wait");
        let rest = first.whole().await;
        assert!(rest.text().contains("RUN_FINISHED"), "{name}: {}", rest.text());
        let seen = seen(&recorder);
        let waits = seen.get(&format!("agui_queue_wait_seconds{{queue={name}}}"));
        assert!(waits.is_some_and(|(waits, seconds)| *waits == 1 && *seconds > 0.0), "{name}: {seen:#?}");
    }
}

#[tokio::test]
async fn the_time_in_a_queue_is_measured() {
    let queue = ThreadOptions::default().busy(BusyThread::Queue);
    for (server, name) in [
        (Server::new().limits(Limits::default().runs_per_thread(1)), "thread"),
        (Server::new().threads(Memory::new()).thread_options(queue), "busy_thread"),
    ] {
        let recorder = DebuggingRecorder::new();
        let _guard = metrics::set_default_local_recorder(&recorder);
        let address = serve(server.agent("/", Slow::new())).await;
        let mut first = Request::run("/", input().to_string()).open(address).await;
        first.until("Wait.").await;
        let mut next = input();
        (next["runId"], next["messages"][0]["id"]) = (json!("r-2"), json!("u-2"));
        let second = Request::run("/", next.to_string()).send(address).await;
        assert!(second.text().contains("RUN_FINISHED"), "{}", second.text());
        let seen = seen(&recorder);
        let (waits, seconds) = seen[&format!("agui_queue_wait_seconds{{queue={name}}}")];
        assert!(waits == 1 && (0.05..1.0).contains(&seconds), "{name}: {waits} {seconds}");
        // Events that are read from a stored thread are counted too.
        assert_eq!(seen["agui_events_total{type=TEXT_MESSAGE_CONTENT}"].1, 2.0, "{name}");
    }
}

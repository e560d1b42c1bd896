//! The faults that the mock can make: each ends in the documented event.

use std::time::{Duration, Instant};

use agui_runtime::provider::ModelOptions;
use agui_runtime::testing;
use agui_tests::model_server::quick;
use agui_tests::need;
use agui_tests::outside::ModelMock;
use serde_json::json;

use crate::agent::{DIALECTS, end, run};

fn patient() -> ModelOptions {
    ModelOptions { retries: 2, ..quick() }
}

#[test]
fn an_answer_that_is_cut_off_fails_the_run() {
    let long = "word ".repeat(50);
    let mock = need!(ModelMock::start(&json!([
        { "match": { "userMessage": "cut" }, "response": { "content": long }, "chunkSize": 5, "truncateAfterChunks": 4 },
        { "match": { "userMessage": "lost" }, "response": { "content": long }, "chunkSize": 5, "latency": 20, "disconnectAfterMs": 150 },
        { "match": { "userMessage": "call" }, "response": { "toolCalls": [
            { "name": "price", "arguments": "{\"name\":\"rice and salt and pepper and more\"}" },
        ] }, "chunkSize": 4, "truncateAfterChunks": 4 },
    ])));
    for dialect in DIALECTS {
        // Gemini's calls are one piece.
        let is_whole = |said: &&str| dialect.starts_with("gemini") && *said == "call";
        for said in ["cut", "lost", "call"].into_iter().filter(|said| !is_whole(said)) {
            let events = run(mock.model(dialect, patient()), testing::input(said));
            assert!(
                end(&events).contains(r#"code="model_failed""#),
                "{dialect} {said}: {}",
                testing::lines(&events)
            );
        }
    }
}

#[test]
fn a_status_that_is_no_success_fails_the_run() {
    let mock = need!(ModelMock::start(&json!([
        { "match": { "userMessage": "500" }, "response": { "error": { "message": "broken" }, "status": 500 } },
        { "match": { "userMessage": "401" }, "response": { "error": { "message": "who?" }, "status": 401 } },
        { "match": { "userMessage": "429" }, "response": { "error": { "message": "slow" }, "status": 429, "retryAfter": 3600 } },
    ])));
    for dialect in DIALECTS {
        for said in ["500", "401", "429"] {
            let events = run(mock.model(dialect, quick()), testing::input(said));
            assert!(end(&events).contains(r#"code="model_failed""#), "{dialect} {said}: {}", end(&events));
        }
    }
}

#[test]
fn a_limit_that_passes_is_waited_for() {
    for dialect in DIALECTS {
        let mock = need!(ModelMock::start(&json!([
            { "match": { "userMessage": "hello", "sequenceIndex": 0 }, "response": { "error": { "message": "slow" }, "status": 429, "retryAfter": 1 } },
            { "match": { "userMessage": "hello" }, "response": { "content": "Hello." } },
        ])));
        let began = Instant::now();
        let events = run(mock.model(dialect, patient()), testing::input("hello"));
        assert_eq!(testing::texts(&events), ["Hello."], "{dialect}: {}", end(&events));
        assert!(began.elapsed() >= Duration::from_secs(1), "{dialect}: {:?}", began.elapsed());
    }
}

#[test]
fn garbage_and_lost_requests_fail_the_run() {
    let chaos = |name: &str| {
        let mut rates = serde_json::Map::new();
        rates.insert(name.to_owned(), 1.into());
        json!({ "match": { "userMessage": name }, "response": { "content": "Hello." }, "chaos": rates })
    };
    let faults = ["dropRate", "malformedRate", "disconnectRate", "rateLimitRate"];
    let mock = need!(ModelMock::start(&faults.map(chaos).as_slice().into()));
    for dialect in DIALECTS {
        for fault in faults {
            let events = run(mock.model(dialect, quick()), testing::input(fault));
            assert!(end(&events).contains(r#"code="model_failed""#), "{dialect} {fault}: {}", end(&events));
        }
    }
}

#[test]
fn a_silent_provider_fails_the_run_in_time() {
    let mock = need!(ModelMock::start(&json!([
        { "match": { "userMessage": "hello" }, "response": { "content": "Hello." }, "latency": 20000 },
    ])));
    for dialect in DIALECTS {
        let began = Instant::now();
        let options = ModelOptions { silence: Duration::from_millis(300), ..quick() };
        let events = run(mock.model(dialect, options), testing::input("hello"));
        assert!(end(&events).contains(r#"code="model_failed""#), "{dialect}: {}", end(&events));
        assert!(began.elapsed() < Duration::from_secs(10), "{dialect}: {:?}", began.elapsed());
    }
}

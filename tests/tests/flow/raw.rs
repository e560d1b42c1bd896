//! RAW events are passed on as they came.

use agui_runtime::protocol::Metadata;
use serde_json::{Value, json};

use crate::agent::{inside, stream};

#[test]
fn raw_events_are_passed_on_as_they_came() {
    let events = stream(|run, _| {
        Box::pin(async move {
            run.raw(json!({"type": "ping", "n": null})).source("upstream").await;
            run.raw(Value::Null).metadata(Metadata::from_iter([("a".to_owned(), json!(1))])).await;
            run.raw("text").await;
            Ok(())
        })
    });
    assert_eq!(
        json!(inside(&events)),
        json!([
            {"type": "RAW", "event": {"type": "ping", "n": null}, "source": "upstream"},
            {"type": "RAW", "event": null, "metadata": {"a": 1}},
            {"type": "RAW", "event": "text"},
        ])
    );
}

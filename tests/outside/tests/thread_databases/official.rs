//! The official client as a judge of threads.

use agui_tests::need;
use agui_tests::outside::{Node, Stream};
use serde_json::{Value, json};

/// Fails unless the official client reads each thread from its first event to its last.
pub(crate) fn accepts(logs: &[Vec<Value>]) {
    let node = need!(Node::ready());
    assert!(!logs.is_empty() && logs.iter().all(|log| !log.is_empty()));
    let streams: Vec<_> = logs
        .iter()
        .map(|events| Stream { messages: json!([]), state: json!({}), events: events.clone() })
        .collect();
    for (folded, log) in node.fold_many(&streams).iter().zip(logs) {
        assert!(folded.code.is_none() && folded.at.is_none(), "{folded:?} of {log:?}");
        assert!(folded.delivered >= log.len(), "{folded:?} of {log:?}");
    }
}

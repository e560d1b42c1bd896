//! The checks at the end of a schedule.

use agui_runtime::thread::{ThreadKey, ThreadLog};
use futures::FutureExt;
use http::StatusCode;
use serde_json::Value;

use super::client::{Asks, Client};
use super::store::{Past, Store};
use crate::kept::{Conversation, Ledger};

/// The count of requests that say something else under the id of another run.
pub(super) const OTHERWISE: &str = "requests under the id of another run";

/// Checks that a request was refused for a reason that it has.
pub(super) fn refusal(store: &Store, asks: Asks, status: StatusCode, body: &str) {
    let body: Value =
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{status}: {error} in {body:?}"));
    let code = body["error"]["code"].as_str().unwrap().to_owned();
    let is_legal = match code.as_str() {
        "store_unavailable" => store.faults.reach_the_store(),
        "thread_busy" => store.rejects(),
        // The first to arrive has the id.
        "run_exists" => store.counts.of(OTHERWISE) > 0,
        "interrupt_not_open" => asks == Asks::Answer,
        "cursor_trimmed" => store.trims() || store.faults.delete,
        "run_trimmed" => [Asks::Branch, Asks::Again].contains(&asks) && store.trims(),
        "invalid_cursor" | "run_not_found" => store.faults.delete,
        "thread_not_found" => asks == Asks::Delete,
        _ => false,
    };
    assert!(is_legal, "{asks:?} was refused with {status}: {body}");
    store.counts.add(match code.as_str() {
        "store_unavailable" => "refused: store_unavailable",
        "thread_busy" => "refused: thread_busy",
        "run_exists" => "refused: run_exists",
        "interrupt_not_open" => "refused: interrupt_not_open",
        "cursor_trimmed" => "refused: cursor_trimmed",
        _ => "refused: other codes",
    });
}

/// Reads all that a thread ever was: each time from its beginning to its deletion, or to the end of its last run.
pub(super) fn conversations(pasts: &[Past]) -> Vec<Conversation> {
    let read = |past: &Past| {
        let conversation = Conversation::read(&past.records).unwrap_or_else(|error| panic!("{error}"));
        if !past.is_deleted {
            conversation.has_ended().unwrap();
        }
        conversation
    };
    pasts.iter().map(read).collect()
}

/// Checks a thread, and its clients.
pub(super) fn judge(store: &Store, key: &ThreadKey, clients: &[Client]) -> Vec<Conversation> {
    let pasts = store.pasts(key);
    let conversations = conversations(&pasts);
    for client in clients {
        let seen = client.seen();
        if seen.text.is_empty() {
            continue;
        }
        store.counts.add("streams");
        store.counts.add_many("events that clients saw", seen.events().count() as u64);
        let parts: Vec<_> = conversations.iter().map(|whole| seen.is_part_of(whole)).collect();
        let is_part = parts.iter().any(Result::is_ok);
        assert!(is_part, "{:?}: {parts:?}\n{}", client.asks, seen.text);
    }
    // The log itself, in which a snapshot may stand for the past.
    let page = store.log.read(key, 0, usize::MAX).now_or_never().unwrap().unwrap();
    let kept = Conversation::read(&page.records).unwrap_or_else(|error| panic!("{error}"));
    let head = store.log.head(key).now_or_never().unwrap().unwrap();
    assert_eq!(head.lease, None);
    match (pasts.last(), conversations.last()) {
        (Some(past), Some(whole)) if !past.is_deleted => {
            kept.has_ended().unwrap();
            assert_eq!(kept.whole(), whole.whole(), "a trim changed the conversation");
            let note: Value = serde_json::from_slice(&head.note).unwrap();
            let asked = note["asked"].as_array().cloned().unwrap_or_default();
            let asked = asked.iter().map(|id| id.as_str().unwrap().to_owned()).collect();
            assert_eq!((&kept.asked, &asked), (&whole.asked, &whole.asked), "a question was lost");
            store.counts.add_many("trimmed threads", u64::from(head.first > 1));
        }
        _ => assert_eq!(head.at.seq, 0),
    }
    conversations
}

/// Checks that each answer upon which an agent acted was used up by one claim.
pub(super) fn judge_answers(ledger: &Ledger, conversations: &[Conversation]) {
    ledger.judge();
    for answered in &*ledger.answered.lock().unwrap() {
        let consumed = conversations.iter().flat_map(|whole| &whole.consumed);
        // The id on the wire has a signature besides.
        let claims = consumed.filter(|wire| wire.starts_with(answered)).count();
        assert_eq!(claims, 1, "{answered} was used up by {claims} claims");
    }
}

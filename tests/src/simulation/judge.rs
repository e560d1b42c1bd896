//! The checks at the end of a schedule.

use std::collections::BTreeSet;

use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;

use super::client::{Client, RequestKind};
use super::node::Place;
use super::store::{Past, Store, is_message_to_owner};
use crate::stored::{Conversation, GOES_ON, Ledger, Seen};

/// The count of requests that say something else under the id of another run.
pub(super) const OTHERWISE: &str = "requests under the id of another run";

/// Checks that a request was refused for a reason that it has.
pub(super) fn refusal(store: &Store, kind: RequestKind, place: Place, status: StatusCode, body: &str) {
    let body: Value =
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{status}: {error} in {body:?}"));
    let code = body["error"]["code"].as_str().unwrap().to_owned();
    let trims = store.policies.trim();
    let is_legal = match code.as_str() {
        // A server that stood still has no time left for another attempt.
        "store_unavailable" => store.faults.reach_the_store() || store.faults.freeze,
        "thread_busy" => store.policies.reject(place),
        // The first to arrive has the id.
        "run_exists" => store.counts.of(OTHERWISE) > 0,
        "interrupt_not_open" => [RequestKind::Answer, RequestKind::Reused].contains(&kind),
        "cursor_trimmed" => trims || store.faults.delete,
        "run_trimmed" => [RequestKind::Branch, RequestKind::Again].contains(&kind) && trims,
        "invalid_cursor" | "run_not_found" => store.faults.delete,
        "thread_not_found" => [RequestKind::Delete, RequestKind::Change].contains(&kind),
        _ => false,
    };
    assert!(is_legal, "{kind:?} was refused with {status}: {body}, {:?}", store.faults);
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
fn conversations(pasts: &[Past]) -> Vec<Conversation> {
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
pub(super) async fn judge(store: &Store, place: Place, clients: &[Client]) -> Vec<Conversation> {
    let key = place.key();
    let pasts = store.pasts(&key);
    let conversations = conversations(&pasts);
    for client in clients {
        judge_client(store, client, &conversations);
    }
    for whole in &conversations {
        judge_ends(store, place, whole);
    }
    // The log itself, in which a snapshot may stand for the past.
    let page = store.log.read(&key, 0, usize::MAX).await.unwrap();
    let kept = Conversation::read(&page.records).unwrap_or_else(|error| panic!("{error}"));
    let head = store.log.head(&key).await.unwrap();
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
            if pasts.len() == 1 {
                judge_changes(store, clients, &note);
            }
        }
        _ => assert_eq!(head.at.seq, 0),
    }
    conversations
}

/// Checks that each change whose client was told so is there, and no other.
fn judge_changes(store: &Store, clients: &[Client], note: &Value) {
    let facts = note["description"]["metadata"].as_object().cloned().unwrap_or_default();
    let changes = || clients.iter().filter(|client| client.kind == RequestKind::Change);
    for change in changes().filter(|client| client.status() == Some(StatusCode::OK)) {
        let fact = change.fact.as_ref().unwrap();
        assert!(facts.contains_key(fact), "the change {fact} was lost: {note}");
        store.counts.add("changes that were kept");
    }
    assert!(facts.len() <= changes().count(), "{note}");
}

/// Checks that a client saw exactly the log, without a gap and without a repetition, also where it came back.
fn judge_client(store: &Store, client: &Client, conversations: &[Conversation]) {
    let seen = client.seen();
    // A stream of a thread that never was has comments alone.
    if seen.events().next().is_none() {
        return;
    }
    store.counts.add("streams");
    store.counts.add_many("events that clients saw", seen.events().count() as u64);
    let whole = client.seen_in_all();
    store
        .counts
        .add_many("streams that continue an earlier one", u64::from(client.kind == RequestKind::Rest));
    if client.legacy.is_some() {
        store.counts.add("streams of legacy clients");
        // A cursor may fit to a run of the same id, of a thread that was deleted and begun again.
        let read = whole.is_readable_by_older();
        assert!(read.is_ok() || store.faults.delete, "{:?}: {read:?}\n{}", client.kind, whole.text);
        return;
    }
    let is_part = |seen: &Seen| {
        let parts: Vec<_> = conversations.iter().map(|whole| seen.is_part_of(whole)).collect();
        if parts.iter().any(Result::is_ok) { Ok(()) } else { Err(parts) }
    };
    // A thread that was deleted may have the same runs again.
    let judged =
        is_part(&whole).or_else(|error| if store.faults.delete { is_part(&seen) } else { Err(error) });
    assert!(judged.is_ok(), "{:?}: {judged:?}\n{}", client.kind, whole.text);
}

/// Checks that a run ended for a reason.
fn judge_ends(store: &Store, place: Place, whole: &Conversation) {
    let asked: BTreeSet<_> = whole.cancelled.difference(&whole.stopped).collect();
    assert!(asked.is_empty() || store.policies.cancel(place), "{asked:?} were cancelled at {place:?}");
    if place.agent == GOES_ON {
        whole.goes_on().unwrap();
    }
}

/// Checks that a legacy client that lost its connections read the same as one that did not: `uncut`.
pub(super) fn judge_older(store: &Store, client: &Client, uncut: &Seen) {
    let whole = client.seen_in_all();
    for (seen, uncut) in whole.frames().zip(uncut.frames()) {
        assert_eq!(seen, uncut, "{:?}: with lost connections\n{}", client.kind, whole.text);
    }
    store.counts.add("streams of legacy clients that equal an uncut one");
}

/// Checks the records that a thread keeps after a run that had no fault.
pub(super) async fn judge_retention(store: &Store, place: Place) -> Result<(), String> {
    let past = store.pasts(&place.key()).pop().unwrap();
    let head = store.log.head(&place.key()).await.unwrap();
    let (mut kept, mut largest, mut run, mut of) = ((0, 0), (0, 0), (0, 0), Value::Null);
    for (seq, record) in &past.records {
        if record.starts_with(br#"{"control":"claimed""#) {
            let claimed: Value = serde_json::from_slice(record).unwrap();
            // A run that goes on is the same run.
            if claimed["run"] != of {
                (of, run) = (claimed["run"].clone(), (0, 0));
            }
        }
        let size = size_of(record);
        run = (run.0 + 1, run.1 + size);
        largest = (largest.0.max(run.0), largest.1.max(run.1));
        if *seq > head.first {
            kept = (kept.0 + 1, kept.1 + size);
        }
    }
    let (records, bytes) = (store.policies.keep_records, store.policies.keep_bytes);
    let most = (2 * records + largest.0, 2 * bytes + largest.1);
    if kept.0 > most.0 || kept.1 > most.1 {
        return Err(format!("{kept:?} records and bytes are kept at {place:?}, at most {most:?}"));
    }
    store.counts.add("threads whose size is bounded");
    Ok(())
}

/// Records for a run's owner count for no run.
fn size_of(record: &Bytes) -> u64 {
    if is_message_to_owner(record) { 0 } else { record.len() as u64 }
}

/// Checks the effects and the answers.
pub(super) fn judge_effects(store: &Store, ledger: &Ledger, conversations: &[Conversation]) {
    let again = ledger.judge(conversations);
    store.counts.add_many("calls that ran again", again as u64);
    let answers: usize = conversations.iter().map(|whole| whole.consumed.len()).sum();
    store.counts.add_many("answers that were used up", answers as u64);
}

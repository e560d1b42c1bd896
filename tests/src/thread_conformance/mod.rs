//! The conformance tests of `ThreadLog`, which every engine passes.
//!
//! Each sentence of the documentation of [`ThreadLog`] has a test here. An engine implements [`Store`] for its tests, and
//! [`thread_conformance!`](macro@crate::thread_conformance) makes the tests.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "test support: what goes wrong here fails the test"
)]

pub mod append;
mod history;
pub mod lease;
pub mod list;
pub mod model;
pub mod names;
pub mod race;
pub mod read;
pub mod wake;

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::{
    AppendError, LogAppend, LogPage, LogPosition, LogReadError, ThreadKey, ThreadLog,
};
use bytes::Bytes;
use futures::channel::oneshot;
use futures::future::{Either, select};

/// A store without threads, for one test.
pub trait Store: Sync {
    /// Returns another node's access to the store: what one writes the others read.
    fn node(&self) -> Arc<dyn ThreadLog>;

    /// Runs a future to its end, on an executor that suits the engine.
    fn block_on<T>(&self, work: impl Future<Output = T>) -> T;
}

/// The time after which a test that waits has failed.
const LIMIT: Duration = Duration::from_secs(20);

/// Resolves after a time, on every executor.
async fn sleep(time: Duration) {
    let (sender, woken) = oneshot::channel();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        let _ = sender.send(());
    });
    let _ = woken.await;
}

/// Waits for a future, and returns `None` if it takes longer.
async fn within<T>(time: Duration, work: impl Future<Output = T>) -> Option<T> {
    match select(Box::pin(work), Box::pin(sleep(time))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("ada", "/desk", thread)
}

fn at(epoch: u64, seq: u64) -> LogPosition {
    LogPosition { epoch, seq }
}

fn records(texts: &[&str]) -> Vec<Bytes> {
    texts.iter().map(|text| Bytes::copy_from_slice(text.as_bytes())).collect()
}

/// An append within an epoch, without note and lease.
fn append(at: LogPosition, texts: &[&str]) -> LogAppend {
    LogAppend { at, epoch: at.epoch, records: records(texts), note: None, lease: None }
}

/// The first append of a thread.
fn claim(epoch: u64, texts: &[&str]) -> LogAppend {
    LogAppend { epoch, ..append(LogPosition::default(), texts) }
}

/// The end of the log that an append met.
fn conflict(appended: Result<LogPosition, AppendError>) -> LogPosition {
    match appended {
        Err(AppendError::Conflict { at }) => at,
        other => panic!("no conflict: {other:?}"),
    }
}

/// All records of a thread, in pages of a few bytes.
async fn all(log: &dyn ThreadLog, key: &ThreadKey) -> Vec<(u64, Bytes)> {
    let mut records: Vec<(u64, Bytes)> = Vec::new();
    loop {
        let after = records.last().map_or(0, |(seq, _)| *seq);
        let page: Result<LogPage, LogReadError> = log.read(key, after, 64).await;
        let page = page.unwrap();
        if page.records.is_empty() {
            return records;
        }
        records.extend(page.records);
    }
}

/// The records as texts with their numbers.
async fn texts(log: &dyn ThreadLog, key: &ThreadKey) -> Vec<(u64, String)> {
    let records = all(log, key).await;
    records.into_iter().map(|(seq, record)| (seq, String::from_utf8(record.into()).unwrap())).collect()
}

/// Makes the tests of an engine from an expression that returns a store without threads, or the program that is missing.
#[macro_export]
macro_rules! thread_conformance {
    ($store:expr) => {
        $crate::thread_conformance! {
            $store =>
            append {
                the_first_append_makes_the_thread,
                an_append_elsewhere_conflicts_and_changes_nothing,
                an_append_of_another_epoch_conflicts,
                a_claim_moves_the_epoch,
                records_are_appended_all_or_none,
                without_records_only_note_and_lease_change,
                without_records_a_thread_is_not_made,
                a_note_stays_until_another_comes,
                a_record_over_the_limit_is_refused,
                records_have_any_bytes,
                many_records_go_at_once,
                a_deleted_thread_does_not_exist,
                a_thread_that_ends_elsewhere_is_not_deleted,
                a_thread_made_again_refuses_the_old_epoch,
                an_append_that_is_not_awaited_happens_or_not,
            }
            read {
                pages_have_the_bytes_that_were_asked_for,
                a_page_has_at_least_one_record,
                beyond_the_end_nothing_is_read,
                a_thread_that_does_not_exist_reads_as_empty,
                a_trimmed_log_begins_with_its_snapshot,
                a_cursor_before_the_snapshot_is_refused,
                a_trim_that_does_not_fit_does_nothing,
                a_log_is_trimmed_again_and_grows,
                a_log_is_trimmed_whole,
                the_head_says_what_is_known,
            }
            lease {
                a_lease_runs_out,
                an_append_sets_or_ends_the_lease,
                a_renewal_is_of_the_epoch,
                a_lease_that_is_over_is_renewed,
                the_longest_over_comes_first,
                idle_threads_have_no_owner,
                extreme_times_are_taken,
            }
            wake {
                an_append_wakes_readers_of_all_nodes,
                a_deletion_wakes_readers,
                records_that_are_there_need_no_wait,
                a_quiet_thread_waits,
                no_wake_is_lost,
                many_readers_are_woken,
                readers_that_leave_do_not_matter,
            }
            list {
                the_last_changed_comes_first,
                pages_go_on_where_they_ended,
                owners_and_agents_are_apart,
                a_deleted_thread_is_not_listed,
                an_entry_has_the_note_and_the_time,
                one_entry_is_the_one_of_the_list,
            }
            names {
                ids_are_any_text,
                the_parts_of_a_key_do_not_run_together,
                long_ids_are_whole,
            }
            race {
                one_append_of_many_wins,
                one_first_append_of_many_wins,
                appends_claims_and_trims_are_linearizable,
                threads_do_not_disturb_each_other,
            }
            model {
                any_operations_do_what_the_model_does,
            }
        }
    };
    ($store:expr => $($module:ident { $($case:ident),* $(,)? })*) => {
        $($(
            #[test]
            fn $case() {
                let store = $crate::need!($store);
                $crate::thread_conformance::$module::$case(&store);
            }
        )*)*
    };
}

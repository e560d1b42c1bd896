//! The history of one thread, as many writers saw it, and the check that it is linearizable.
//!
//! A log gives each append a position of its own. So the order of the appends is known, and no search for an order is needed, as it is
//! for other objects: an operation that returned before another began must come before it. If the acknowledgement of an append was
//! lost, its time of return is unknown: the append took place at any time after it began, or never.

use std::time::Instant;

use agui_runtime::thread::{LogPosition, LogReadError, ThreadLog};
use bytes::Bytes;

use super::key;

/// One operation, as its writer saw it.
pub(super) struct Operation {
    pub(super) began: Instant,
    pub(super) ended: Instant,
    pub(super) saw: Saw,
}

pub(super) enum Saw {
    /// Its records are those after `from`, up to `to`.
    Appended { from: LogPosition, to: LogPosition, records: Vec<Bytes> },
    /// An append without an acknowledgement: it took place at any time after it began, or never.
    Unknown { from: LogPosition, epoch: u64, records: Vec<Bytes> },
    /// The end of the log, which a conflict names.
    End(LogPosition),
    /// The end of the log, and its first record.
    Head { at: LogPosition, first: u64 },
    /// All records, with those that a snapshot stands for.
    Read(Vec<String>),
    /// The records up to here were replaced by a snapshot, if the log was in this epoch and had this number of records.
    Trimmed(LogPosition),
}

/// The numbers of operations of a history.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) appends: usize,
    pub(super) claims: usize,
    /// The appends whose acknowledgement was lost.
    pub(super) unknown: usize,
    /// The distinct first records that were seen.
    pub(super) trims: usize,
}

/// The beginning of the record that stands for others.
const SNAPSHOT: &str = "past: ";

/// Returns the record that stands for others.
pub(super) fn snapshot(texts: &[String]) -> Bytes {
    format!("{SNAPSHOT}{}", serde_json::to_string(texts).unwrap()).into()
}

/// Reads all records that a thread ever had, in small pages.
pub(super) async fn past(log: &dyn ThreadLog) -> Vec<String> {
    'again: loop {
        let (mut texts, mut after) = (Vec::new(), 0);
        loop {
            let page = match log.read(&key("t"), after, 256).await {
                Ok(page) if page.records.is_empty() => return texts,
                Ok(page) => page,
                Err(LogReadError::Trimmed { .. }) => continue 'again,
                Err(error) => panic!("{error}"),
            };
            for (seq, record) in page.records {
                let text = String::from_utf8(record.into()).unwrap();
                match text.strip_prefix(SNAPSHOT) {
                    Some(past) => {
                        assert_eq!(after, 0, "a snapshot is read after a record");
                        texts = serde_json::from_str(past).unwrap();
                    }
                    None => texts.push(text),
                }
                assert_eq!(texts.len() as u64, seq, "a record is missing before {seq}");
                after = seq;
            }
        }
    }
}

/// An append that took place.
struct Effect<'h> {
    began: Instant,
    /// `None` if its acknowledgement was lost.
    ended: Option<Instant>,
    from: LogPosition,
    to: LogPosition,
    records: &'h [Bytes],
}

/// Returns the append of an operation, if the log has it.
fn effect<'h>(operation: &'h Operation, log: &[String]) -> Option<Effect<'h>> {
    let (began, ended) = (operation.began, operation.ended);
    match &operation.saw {
        Saw::Appended { from, to, records } => {
            assert_eq!(to.seq - from.seq, records.len() as u64);
            Some(Effect { began, ended: Some(ended), from: *from, to: *to, records })
        }
        Saw::Unknown { from, epoch, records } => {
            let first = log.iter().position(|text| text.as_bytes() == records[0])?;
            let to = LogPosition { epoch: *epoch, seq: (first + records.len()) as u64 };
            assert_eq!(first as u64, from.seq, "an append that was not acknowledged is elsewhere");
            Some(Effect { began, ended: None, from: *from, to, records })
        }
        _ => None,
    }
}

/// Fails unless the history is linearizable and leads to these records.
pub(super) fn assert_linearizable(history: &[Operation], log: &[String]) -> Counts {
    let mut effects: Vec<_> = history.iter().filter_map(|operation| effect(operation, log)).collect();
    effects.sort_by_key(|effect| effect.from.seq);
    // Each record is of one append, which followed the one before it within its epoch or with a higher one.
    let mut end = LogPosition::default();
    for Effect { from, to, records, .. } in &effects {
        assert_eq!(*from, end, "an append at another end of the log");
        assert!(to.epoch >= from.epoch && to.epoch > 0);
        for (at, record) in (from.seq as usize..).zip(*records) {
            assert_eq!(log.get(at).map(String::as_bytes), Some(&record[..]));
        }
        end = *to;
    }
    assert_eq!(end.seq, log.len() as u64, "records without an append");
    for operation in history {
        assert_in_time(operation, &effects, log);
    }
    let trims = assert_trims(history, &effects);
    Counts {
        appends: effects.len(),
        claims: effects.iter().filter(|effect| effect.from.epoch != effect.to.epoch).count(),
        unknown: effects.iter().filter(|effect| effect.ended.is_none()).count(),
        trims,
    }
}

/// Fails unless an operation sees what ended before it, and nothing that began after it.
fn assert_in_time(operation: &Operation, effects: &[Effect<'_>], log: &[String]) {
    let is_end =
        |at: LogPosition| at == LogPosition::default() || effects.iter().any(|effect| effect.to == at);
    // It takes place after the record `low`, and before the record after `high`.
    let (low, high) = match &operation.saw {
        Saw::Appended { from, to, .. } => (from.seq, to.seq),
        Saw::End(at) | Saw::Head { at, .. } => {
            assert!(is_end(*at), "{at:?} is the end of no append");
            (at.seq, at.seq)
        }
        Saw::Read(texts) => {
            assert_eq!(log.get(..texts.len()), Some(&texts[..]), "other records were read");
            (texts.len() as u64, texts.len() as u64)
        }
        Saw::Unknown { from, .. } => (u64::MAX, from.seq),
        Saw::Trimmed(_) => return,
    };
    for effect in effects {
        let (before, end) = (effect.from.seq, effect.to.seq);
        if effect.ended.is_some_and(|ended| ended < operation.began) {
            assert!(end <= low, "an append that ended at {end} is not seen at {low}");
        }
        if effect.began > operation.ended {
            assert!(before >= high, "an append after {before} is seen at {high} before it began");
        }
    }
}

/// Checks the first record: it moves by trims only, never back, and by each trim that took place. Returns the number of distinct
/// first records that were seen.
fn assert_trims(history: &[Operation], effects: &[Effect<'_>]) -> usize {
    let trims = history.iter().filter_map(|operation| match operation.saw {
        Saw::Trimmed(upto) => Some((operation, upto)),
        _ => None,
    });
    let trims: Vec<_> = trims.collect();
    let claims = || effects.iter().filter(|effect| effect.from.epoch != effect.to.epoch);
    let heads = history.iter().filter_map(|operation| match operation.saw {
        Saw::Head { first, .. } => Some((operation, first)),
        _ => None,
    });
    let heads: Vec<_> = heads.collect();
    let mut seen: Vec<u64> = Vec::new();
    for (head, first) in &heads {
        for (trim, upto) in &trims {
            let is_over = |claim: &Effect<'_>| claim.from.epoch == upto.epoch && claim.began <= trim.ended;
            let must_happen = trim.ended < head.began && upto.seq > 1 && !claims().any(is_over);
            assert!(!must_happen || *first >= upto.seq, "trimmed to {}, and {first} is the first", upto.seq);
        }
        let is_trimmed = |(trim, upto): &(&Operation, LogPosition)| {
            let mut later = claims().filter(|claim| claim.from.epoch == upto.epoch);
            let was_over = later.any(|claim| claim.ended.is_some_and(|ended| ended < trim.began));
            upto.seq == *first && trim.began < head.ended && !was_over
        };
        assert!(*first == 1 || trims.iter().any(is_trimmed), "{first} is the first without a trim");
        let is_back = |(other, later): &(&Operation, u64)| head.ended < other.began && later < first;
        assert!(!heads.iter().any(is_back), "the first record moves back from {first}");
        if *first > 1 && !seen.contains(first) {
            seen.push(*first);
        }
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::LazyLock;
    use std::time::Duration;

    use super::*;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    fn operation(began: u64, ended: u64, saw: Saw) -> Operation {
        let time = |millis| *START + Duration::from_millis(millis);
        Operation { began: time(began), ended: time(ended), saw }
    }

    fn at(epoch: u64, seq: u64) -> LogPosition {
        LogPosition { epoch, seq }
    }

    fn bytes(records: &[&'static str]) -> Vec<Bytes> {
        records.iter().map(|record| Bytes::from(*record)).collect()
    }

    fn appended(from: LogPosition, epoch: u64, records: &[&'static str]) -> Saw {
        let to = at(epoch, from.seq + records.len() as u64);
        Saw::Appended { from, to, records: bytes(records) }
    }

    fn unknown(from: LogPosition, epoch: u64, records: &[&'static str]) -> Saw {
        Saw::Unknown { from, epoch, records: bytes(records) }
    }

    fn head(at: LogPosition, first: u64) -> Saw {
        Saw::Head { at, first }
    }

    fn is_refused(history: &[Operation], log: &[&str]) -> bool {
        let log: Vec<_> = log.iter().map(ToString::to_string).collect();
        catch_unwind(AssertUnwindSafe(|| assert_linearizable(history, &log))).is_err()
    }

    const LOG: [&str; 3] = ["a", "b", "c"];

    /// An append, and a claim with two records.
    fn legal() -> Vec<Operation> {
        let first = operation(0, 10, appended(LogPosition::default(), 1, &["a"]));
        vec![first, operation(20, 30, appended(at(1, 1), 2, &["b", "c"]))]
    }

    fn with(more: impl IntoIterator<Item = Operation>) -> bool {
        let mut history = legal();
        history.extend(more);
        is_refused(&history, &LOG)
    }

    #[test]
    fn histories_of_no_log_are_refused() {
        assert!(!is_refused(&legal(), &LOG));
        // Concurrent, so either is seen.
        assert!(
            !with([operation(5, 25, Saw::End(at(0, 0)))]) && !with([operation(5, 25, Saw::End(at(2, 3)))])
        );
        // A stale head, a head from the future, one of no append, two owners of one position.
        assert!(with([operation(40, 50, Saw::End(at(1, 1)))]));
        assert!(with([operation(11, 12, Saw::End(at(2, 3)))]));
        assert!(
            with([operation(40, 50, Saw::End(at(3, 3)))]) && with([operation(25, 26, Saw::End(at(1, 2)))])
        );
        assert!(with([operation(20, 30, appended(at(1, 1), 1, &["b"]))]));
        // A lost record, a record of no append, and an order against real time.
        assert!(is_refused(&legal(), &LOG[..2]));
        assert!(is_refused(&legal()[..1], &LOG));
        let mut reversed = legal();
        reversed[1].began = *START;
        reversed[1].ended = *START;
        reversed[0].began += Duration::from_millis(5);
        assert!(is_refused(&reversed, &LOG));
        // Other records were read, or too few.
        let read = |texts: &[&str]| Saw::Read(texts.iter().map(ToString::to_string).collect());
        assert!(!with([operation(40, 50, read(&LOG))]));
        assert!(with([operation(40, 50, read(&["a", "x", "c"]))]) && with([operation(40, 50, read(&["a"]))]));
    }

    #[test]
    fn an_append_of_an_epoch_that_is_over_is_refused() {
        let log = ["a", "b", "c", "d"];
        let mut history = legal();
        history.push(operation(40, 50, appended(at(2, 3), 2, &["d"])));
        assert!(!is_refused(&history, &log));
        history[2].saw = appended(at(1, 3), 1, &["d"]);
        assert!(is_refused(&history, &log));
    }

    #[test]
    fn an_append_without_an_acknowledgement_is_there_or_not() {
        assert!(!with([operation(5, 6, unknown(at(1, 1), 1, &["d"]))]));
        let mut history = legal();
        history[1] = operation(5, 6, unknown(at(1, 1), 2, &["b", "c"]));
        // It takes place late, and not before it began.
        history.push(operation(40, 50, Saw::End(at(1, 1))));
        assert!(!is_refused(&history, &LOG));
        history[1].began += Duration::from_millis(60);
        history[2] = operation(40, 50, Saw::End(at(2, 3)));
        assert!(is_refused(&history, &LOG));
        // It is elsewhere, or in part.
        history[1] = operation(5, 6, unknown(at(1, 2), 2, &["b", "c"]));
        assert!(is_refused(&history[..2], &LOG));
        history[1] = operation(5, 6, unknown(at(1, 1), 2, &["b", "x"]));
        assert!(is_refused(&history[..2], &LOG));
    }

    #[test]
    fn trims_that_happen_without_a_cause_or_do_not_are_refused() {
        let trim = |upto| operation(40, 50, Saw::Trimmed(upto));
        let sees = |began, first| operation(began, began + 1, head(at(2, 3), first));
        assert!(!with([trim(at(2, 2)), sees(60, 2)]) && !with([trim(at(2, 2)), sees(45, 1)]));
        // It is not seen, it is seen before it began, its epoch is over, nothing was trimmed, and it is undone.
        assert!(with([trim(at(2, 2)), sees(60, 1)]));
        assert!(with([trim(at(2, 2)), sees(35, 2)]));
        assert!(with([trim(at(1, 2)), sees(60, 2)]) && !with([trim(at(1, 2)), sees(60, 1)]));
        assert!(with([sees(60, 2)]));
        assert!(with([trim(at(2, 2)), sees(45, 2), sees(48, 1)]));
    }
}

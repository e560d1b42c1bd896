//! Resume entries that this process used: each counts once.
//!
//! This memory ends with the process and is not shared: after a restart, and on another machine with the same key, a resume entry
//! counts once more. Only a thread store prevents that.

mod ranked;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use self::ranked::RankedOrigins;
use super::key::CODE_LEN;
use super::place::OriginDigest;
use super::token::millis;
use crate::kernel::Clock;

/// Limit for remembered entries, and for origins with forgotten ones: some 30 MB for both.
const MOST: usize = 100_000;

/// This process's memory.
static USED: Mutex<UsedResumeEntries> = Mutex::new(UsedResumeEntries::new(MOST, MOST));

/// One resume entry for a signed interrupt.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedResumeEntry {
    /// Where the interrupt was raised: agent, thread and subject.
    pub(super) place: OriginDigest,
    /// The code in the interrupt's token, unique to the interrupt.
    pub(super) code: [u8; CODE_LEN],
    /// When the interrupt was raised, in milliseconds since 1970; the earliest time if unknown.
    pub(super) asked_at: i64,
    pub(super) expires_at: Option<i64>,
    /// True if the run is refused when the entry does not count; false if the entry is then ignored, because it only cancels.
    pub(super) must_count: bool,
}

/// Sort key for a remembered entry. Entries with one origin are neighbours, the oldest interrupt first.
type ResumeEntryKey = (OriginDigest, i64, [u8; CODE_LEN]);

impl SignedResumeEntry {
    fn key(&self) -> ResumeEntryKey {
        (self.place, self.asked_at, self.code)
    }

    /// True if the interrupt has expired. Without a clock, every interrupt with an expiry counts as expired.
    pub(super) fn is_expired(&self, now: Option<SystemTime>) -> bool {
        self.expires_at.is_some_and(|at| now.is_none_or(|now| at <= millis(now)))
    }
}

/// True if the interrupt can no longer be resumed.
pub(super) fn is_used(entry: &SignedResumeEntry) -> bool {
    lock().has(entry)
}

/// A resume entry that does not count, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusedResumeEntry {
    /// Used before, or perhaps used before.
    Used(usize),
    /// The interrupt has expired.
    Expired(usize),
}

/// Remembers all resume entries in a run, or none if an entry that must count does not.
pub(super) fn use_up(entries: &[SignedResumeEntry], clock: &Clock) -> Result<(), RefusedResumeEntry> {
    let mut used = lock();
    // Under the lock, because another run forgets the entries that have expired.
    let now = clock.now();
    if let Some(expired) = entries.iter().position(|entry| entry.must_count && entry.is_expired(now)) {
        return Err(RefusedResumeEntry::Expired(expired));
    }
    used.record_use(entries, Clock::system().now()).map_err(RefusedResumeEntry::Used)
}

fn lock() -> MutexGuard<'static, UsedResumeEntries> {
    USED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembered entries, and marks for forgotten ones. Above the limit, the origin with the most entries forgets its oldest, and an
/// interrupt from that origin and age can no longer be resumed: an interrupt counts only if known to be new. So one client cannot
/// close other clients' interrupts while the marks have room: with too many marks, the oldest becomes a mark for all origins.
#[derive(Debug)]
struct UsedResumeEntries {
    most: usize,
    most_marks: usize,
    entries: BTreeMap<ResumeEntryKey, Option<i64>>,
    /// Entries with an expiry.
    expiring: BTreeSet<(i64, ResumeEntryKey)>,
    /// The number of entries per origin. Among origins with equal numbers, the one with the oldest entry comes last.
    counts: RankedOrigins<(usize, Reverse<i64>)>,
    /// The newest forgotten interrupt per origin.
    marks: RankedOrigins<i64>,
    /// The newest forgotten interrupt among origins that no longer have their own mark.
    forgotten_until: Option<i64>,
}

impl UsedResumeEntries {
    const fn new(most: usize, most_marks: usize) -> Self {
        Self {
            most,
            most_marks,
            entries: BTreeMap::new(),
            expiring: BTreeSet::new(),
            counts: RankedOrigins::new(),
            marks: RankedOrigins::new(),
            forgotten_until: None,
        }
    }

    fn has(&self, entry: &SignedResumeEntry) -> bool {
        let forgotten_until = self.forgotten_until.max(self.marks.get(&entry.place));
        forgotten_until.is_some_and(|until| entry.asked_at <= until)
            || self.entries.contains_key(&entry.key())
    }

    fn record_use(&mut self, entries: &[SignedResumeEntry], now: Option<SystemTime>) -> Result<(), usize> {
        if let Some(used) = entries.iter().position(|entry| entry.must_count && self.has(entry)) {
            return Err(used);
        }
        if let Some(now) = now.map(millis) {
            // Expired interrupts are refused anyway.
            while let Some((expires_at, key)) = self.expiring.first().copied()
                && expires_at <= now
            {
                self.remove(&key);
            }
        }
        entries.iter().for_each(|entry| self.insert(entry));
        while self.entries.len() > self.most
            && let Some(oldest) = self.counts.last().and_then(|place| self.oldest_of(place))
        {
            self.forget(&oldest);
        }
        while self.marks.len() > self.most_marks
            && let Some((until, _)) = self.marks.pop_first()
        {
            if self.forgotten_until.is_none() {
                tracing::warn!(
                    most = self.most_marks,
                    "too many threads with too many resume entries: the oldest interrupts of all threads can no longer \
                     be resumed"
                );
            }
            self.forgotten_until = self.forgotten_until.max(Some(until));
        }
        Ok(())
    }

    fn insert(&mut self, entry: &SignedResumeEntry) {
        let key = entry.key();
        if self.entries.contains_key(&key) {
            return;
        }
        self.entries.insert(key, entry.expires_at);
        self.expiring.extend(entry.expires_at.map(|at| (at, key)));
        let count = self.count_of(entry.place);
        self.set_count(entry.place, count + 1);
    }

    fn remove(&mut self, key: &ResumeEntryKey) {
        let Some(expires_at) = self.entries.remove(key) else { return };
        if let Some(at) = expires_at {
            self.expiring.remove(&(at, *key));
        }
        let count = self.count_of(key.0);
        self.set_count(key.0, count.saturating_sub(1));
    }

    fn forget(&mut self, key: &ResumeEntryKey) {
        let (place, asked_at, _) = *key;
        self.remove(key);
        if self.marks.len() == 0 && self.forgotten_until.is_none() {
            tracing::warn!(
                most = self.most,
                "too many resume entries: the oldest interrupts of the thread with the most entries can no longer \
                 be resumed"
            );
        }
        let until = self.marks.get(&place).max(Some(asked_at));
        self.marks.set(place, until);
    }

    fn count_of(&self, place: OriginDigest) -> usize {
        self.counts.get(&place).map_or(0, |(count, _)| count)
    }

    fn set_count(&mut self, place: OriginDigest, count: usize) {
        let oldest = self.oldest_of(place);
        self.counts.set(place, oldest.map(|(_, asked_at, _)| (count, Reverse(asked_at))));
    }

    fn oldest_of(&self, place: OriginDigest) -> Option<ResumeEntryKey> {
        let first = (place, i64::MIN, [0; CODE_LEN]);
        self.entries.range(first..).next().map(|(key, _)| *key).filter(|key| key.0 == place)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    fn entry(number: u8, asked_at: i64) -> SignedResumeEntry {
        entry_at(0, number, asked_at)
    }

    fn entry_at(place: u8, number: u8, asked_at: i64) -> SignedResumeEntry {
        let place = OriginDigest::from([place; 16]);
        SignedResumeEntry { place, code: [number; CODE_LEN], asked_at, expires_at: None, must_count: true }
    }

    #[test]
    fn a_used_entry_refuses_all_entries_of_its_run() {
        let mut used = UsedResumeEntries::new(10, 10);
        let [one, two, three] = [entry(1, 5), entry(2, 5), entry(3, 5)];
        assert_eq!(used.record_use(&[one, two], None), Ok(()));
        assert_eq!(used.record_use(&[three, two], None), Err(1));
        assert!(!used.has(&three), "a refused run uses up no answer");
        assert_eq!(used.record_use(&[three, SignedResumeEntry { must_count: false, ..two }], None), Ok(()));
        assert_eq!(
            used.record_use(&[entry(1, 6)], None),
            Ok(()),
            "the same code at another time is another question"
        );
    }

    #[test]
    fn a_question_as_old_as_one_that_was_forgotten_is_refused() {
        let mut used = UsedResumeEntries::new(3, 10);
        for number in 0..100_u8 {
            assert_eq!(used.record_use(&[entry(number, i64::from(number))], None), Ok(()));
            assert!(used.entries.len() <= 3);
        }
        for number in 0..100_u8 {
            assert!(used.has(&entry(number, i64::from(number))), "{number} was answered");
        }
        assert!(used.has(&entry(200, 96)), "it may be one that was forgotten");
        assert!(!used.has(&entry(200, 97)), "it cannot");
    }

    #[test]
    fn an_entry_that_expires_before_its_use_does_not_count() {
        let millis = millis(SystemTime::now());
        let [open, expired] =
            [entry_at(9, 1, 5), SignedResumeEntry { expires_at: Some(millis - 1), ..entry_at(9, 2, 5) }];
        assert_eq!(use_up(&[open, expired], &Clock::system()), Err(RefusedResumeEntry::Expired(1)));
        assert!(!is_used(&open), "a refused run uses up no answer");
        let later = SignedResumeEntry { expires_at: Some(millis + 60_000), ..expired };
        assert_eq!(use_up(&[open, later], &Clock::system()), Ok(()));
        assert_eq!(use_up(&[later], &Clock::system()), Err(RefusedResumeEntry::Used(0)));
    }

    #[test]
    fn expired_entries_are_removed() {
        let mut used = UsedResumeEntries::new(3, 10);
        for number in 0..100_u8 {
            let at = i64::from(number);
            let now = UNIX_EPOCH + Duration::from_millis(u64::from(number));
            let short = SignedResumeEntry { expires_at: Some(at + 2), ..entry(number, at) };
            assert_eq!(used.record_use(&[short], Some(now)), Ok(()));
        }
        assert_eq!((used.forgotten_until, used.marks.len()), (None, 0), "nothing had to be forgotten");
        assert_eq!((used.entries.len(), used.expiring.len()), (2, 2));
        assert_eq!(used.record_use(&[], Some(UNIX_EPOCH + Duration::from_secs(1))), Ok(()));
        assert_eq!((used.entries.len(), used.expiring.len(), used.counts.len()), (0, 0, 0));
    }

    #[test]
    fn a_thread_with_many_entries_closes_no_interrupt_of_another() {
        let mut used = UsedResumeEntries::new(10, 10);
        let other = entry_at(1, 0, 5);
        assert_eq!(used.record_use(&[other], None), Ok(()));
        for number in 0..100 {
            assert_eq!(used.record_use(&[entry(number, 1_000 + i64::from(number))], None), Ok(()));
            assert!(used.entries.len() <= 10);
        }
        assert!(!used.has(&entry_at(1, 1, 5)) && !used.has(&entry_at(2, 0, 5)), "these are still open");
        assert!(used.has(&other) && used.has(&entry(200, 1_090)), "these are used, or may be");
        assert!(!used.has(&entry(200, 1_091)), "newer than the forgotten ones");
        assert_eq!(used.marks.len(), 1);
    }

    #[test]
    fn with_too_many_threads_the_oldest_questions_of_all_are_refused() {
        let mut used = UsedResumeEntries::new(3, 2);
        for number in 0..100 {
            assert_eq!(used.record_use(&[entry_at(number, number, i64::from(number))], None), Ok(()));
            assert!(used.entries.len() <= 3 && used.counts.len() <= 3 && used.marks.len() <= 2);
        }
        for number in 0..100 {
            assert!(used.has(&entry_at(number, number, i64::from(number))), "{number} was answered");
        }
        assert_eq!(used.forgotten_until, Some(94), "97 were forgotten, and two of them have marks");
        assert!(used.has(&entry_at(200, 0, 94)) && !used.has(&entry_at(200, 0, 95)));
    }
}

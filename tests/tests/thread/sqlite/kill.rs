//! A process that is killed at any point loses no append that it acknowledged.
//!
//! The system keeps what a dead process wrote, so this shows that an acknowledgement comes after the commit, and that
//! the file needs no repair; it cannot show that the disk was synced.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use agui_runtime::thread::{LogAppend, Sqlite, ThreadLog};
use futures::executor::block_on;

use super::child::{Process, file, say};
use super::key;
use crate::folder::Folder;

const THREADS: u64 = 6;
const ROUNDS: u64 = 12;

/// Appends to several threads at once until it is killed: one to three records at a time, each with its number.
#[test]
fn a_process_that_writes() {
    let Some(file) = file() else { return };
    let log = Sqlite::open(file).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let log = &log;
            scope.spawn(move || {
                let name = thread.to_string();
                let mut end = block_on(log.head(&key(&name))).unwrap().at;
                loop {
                    let numbers = end.seq + 1..=end.seq + 1 + end.seq % 3;
                    let records = numbers.map(|seq| format!("{name}/{seq}").into()).collect();
                    let append = LogAppend { at: end, epoch: 1, records, note: None, lease: None };
                    end = block_on(log.append(&key(&name), append)).unwrap();
                    say(&format!("acknowledged {thread} {}", end.seq));
                }
            });
        }
    });
}

#[test]
fn acknowledged_appends_outlive_the_process() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let seed = RandomState::new().hash_one("kill");
    let mut acknowledged: BTreeMap<u64, u64> = BTreeMap::new();
    for round in 0..ROUNDS {
        let mut process = Process::start(&[], "sqlite::kill::a_process_that_writes", &file);
        let lines = 1 + seed.rotate_left(5 * round as u32) % 97;
        let mut said = 0;
        while let Some(line) = process.line() {
            if let Some(numbers) = line.strip_prefix("acknowledged ") {
                let (thread, seq) = numbers.split_once(' ').unwrap();
                acknowledged.insert(thread.parse().unwrap(), seq.parse().unwrap());
                said += 1;
            }
            if said == lines {
                process.child.kill().unwrap();
            }
        }
        assert!(said >= lines, "the process ended by itself after {said} acknowledgements");
        drop(process);

        let log = Sqlite::open(&file).unwrap();
        for thread in 0..THREADS {
            let name = thread.to_string();
            let head = block_on(log.head(&key(&name))).unwrap().at;
            let known = acknowledged.get(&thread).copied().unwrap_or(0);
            // One append of at most three records may have been on its way.
            let context = format!("seed {seed}, round {round}, thread {thread}");
            assert!((known..=known + 3).contains(&head.seq), "{context}: {known} acknowledged, {head:?}");
            let page = block_on(log.read(&key(&name), 0, usize::MAX)).unwrap();
            let expected: Vec<_> = (1..=head.seq).map(|seq| (seq, format!("{name}/{seq}").into())).collect();
            assert_eq!(page.records, expected, "{context}");
        }
    }
    let sum: u64 = acknowledged.values().sum();
    agui_tests::report::report(format_args!(
        "{ROUNDS} kills, {sum} acknowledged records, 0 lost, seed {seed}"
    ));
}

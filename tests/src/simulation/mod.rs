//! Many servers on one log, in virtual time, or on an engine in real time: a schedule of requests and faults for each seed, and its judge.
//!
//! A schedule has some kinds of faults and not others, at rates of its own: a frequent fault hides the effects of a rare
//! one.
//!
//! | file | idea |
//! |---|---|
//! | `random` | numbers of a seed |
//! | `faults` | the kinds of faults of one schedule, and the counts of all |
//! | `store` | the log that all servers share, its clock, and a copy of all records that were ever appended |
//! | `link` | the way of one server to the store |
//! | `node` | a server, and its process |
//! | `policies` | the policies of the servers, which differ by agent |
//! | `client` | a client of one stream |
//! | `world` | the schedule |
//! | `judge` | the checks at its end |
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "test support: what goes wrong here fails the test"
)]

mod client;
mod faults;
mod judge;
mod link;
mod node;
mod policies;
mod random;
mod store;
mod world;

use std::env;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use agui_runtime::thread::ThreadLog;
pub use faults::Counts;
pub use random::Random;
use tokio::runtime::Builder;
use world::World;

use crate::stored::Conversation;

/// The time for which a server owns a thread.
const LEASE: Duration = Duration::from_secs(2);

/// The real time after which a schedule in virtual time hangs: it takes milliseconds.
const HANGS: Duration = Duration::from_secs(60);

/// The number of schedules that run at once in real time.
const AT_ONCE: usize = 20;

/// Returns the number of schedules: `AGUI_SCHEDULES`, or another one.
#[must_use]
pub fn count_or(usual: u64) -> u64 {
    env::var("AGUI_SCHEDULES").map_or(usual, |count| count.parse().unwrap())
}

/// Returns the first seed: another one each time, unless `AGUI_SEED` is set.
#[must_use]
pub fn first_seed() -> u64 {
    let wanted = env::var("AGUI_SEED").ok().map(|seed| seed.parse().unwrap());
    wanted.unwrap_or_else(|| RandomState::new().hash_one("schedules") >> 16)
}

/// Runs the schedule of a seed.
pub fn run(seed: u64) -> Counts {
    live(seed).0
}

/// Runs the schedule of a seed, and returns the events of each of its threads.
pub fn conversations(seed: u64) -> Vec<Vec<serde_json::Value>> {
    live(seed).1.iter().map(Conversation::to_json).collect()
}

/// Runs the schedules of consecutive seeds in real time, some at once, each on the store that `open` returns.
pub fn run_on_engines(
    first: u64,
    count: u64,
    mut open: impl FnMut() -> Arc<dyn ThreadLog>,
) -> (Counts, Vec<Vec<serde_json::Value>>) {
    let seeds: Vec<_> = (first..first + count).collect();
    let outcomes = seeds.chunks(AT_ONCE).flat_map(|seeds| run_at_once(seeds, &mut open));
    let (counts, conversations): (Vec<_>, Vec<_>) = outcomes.unzip();
    let counts = counts.into_iter().fold(Counts::default(), Counts::and);
    assert_eq!(counts.of("schedules"), count);
    assert!(counts.of("events that clients saw") > 10 * count, "{counts}");
    (counts, conversations.iter().flatten().map(Conversation::to_json).collect())
}

fn run_at_once(
    seeds: &[u64],
    open: &mut impl FnMut() -> Arc<dyn ThreadLog>,
) -> Vec<(Counts, Vec<Conversation>)> {
    thread::scope(|scope| {
        let schedules = seeds.iter().map(|&seed| {
            let engine = open();
            scope.spawn(move || {
                let runtime = Builder::new_current_thread().enable_all().build().unwrap();
                caught(seed, || runtime.block_on(World::live_on(seed, Some(engine))))
            })
        });
        let schedules: Vec<_> = schedules.collect();
        let join = |schedule: thread::ScopedJoinHandle<_>| {
            schedule.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        schedules.into_iter().map(join).collect()
    })
}

/// Runs the schedule of a seed in virtual time, on a thread of its own: a schedule that hangs must not keep back the
/// failure that names its seed.
fn live(seed: u64) -> (Counts, Vec<Conversation>) {
    let (sender, outcome) = mpsc::channel();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        sender.send(catch_unwind(AssertUnwindSafe(|| runtime.block_on(World::live(seed)))))
    });
    caught(seed, || {
        let outcome = outcome.recv_timeout(HANGS).unwrap_or_else(|_| panic!("it hangs for {HANGS:?}"));
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Names the seed of a schedule that fails.
fn caught<T>(seed: u64, live: impl FnOnce() -> T) -> T {
    let outcome = catch_unwind(AssertUnwindSafe(live));
    outcome.unwrap_or_else(|panic| {
        eprintln!("the schedule of AGUI_SEED={seed} failed");
        resume_unwind(panic)
    })
}

/// Runs the schedules of consecutive seeds, on as many threads as the machine has processors.
pub fn run_many(first: u64, count: u64) -> Counts {
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    thread::scope(|scope| {
        let parts = (0..threads).map(|part| {
            scope.spawn(move || {
                let seeds = (first..first + count).skip(part as usize).step_by(threads as usize);
                seeds.map(run).fold(Counts::default(), Counts::and)
            })
        });
        let parts: Vec<_> = parts.collect();
        parts
            .into_iter()
            .map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .fold(Counts::default(), Counts::and)
    })
}

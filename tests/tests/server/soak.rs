//! A server under clients that come and go at random, for a long time: its memory stays flat, no task is left, and each
//! run that a client reads to its end has one.
//!
//! `AGUI_SOAK` is the time in seconds, `AGUI_SEED` the choices of the clients:
//! `AGUI_SOAK=3600 cargo test -p agui-tests --test server soak -- --nocapture`.
#![cfg(target_os = "linux")]

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use agui_programs::Processes;
use agui_tests::http::{Answer, Connection, Piece, Request};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::attack::{live, target};
use crate::kitchen::asking;
use crate::waits::number;

/// Clients at the same time.
const CLIENTS: u64 = 24;

/// The threads that are kept: more than clients, so that they rarely meet.
const THREADS: u64 = 64;

/// Bytes that may differ between two quiet servers: buffers that are kept, and threads that were just deleted.
const ROOM: usize = 512 * 1024;

/// The pages that an allocator may keep beyond those that it needed before.
const PAGES: u64 = 32 << 20;

/// Numbers that a seed decides (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % most
    }
}

/// The visits by what the clients did.
#[derive(Default)]
struct Counts([AtomicU64; KINDS.len()]);

const KINDS: [&str; 7] = [
    "read to the end",
    "left",
    "half a body",
    "half a head",
    "slow",
    "never read",
    "kept, stopped or joined",
];

fn body(text: &str, dice: &mut Dice) -> (Value, String) {
    let mut input = asking(text);
    let thread = format!("soak-{}", dice.below(u64::MAX));
    (input["threadId"], input["runId"]) = (json!(thread), json!(format!("run-{}", dice.below(u64::MAX))));
    (input, thread)
}

async fn read_some(answer: &mut Answer, pieces: u64) {
    for _ in 0..pieces {
        if !matches!(answer.next().await, Piece::Bytes(_)) {
            return;
        }
    }
}

async fn to_the_end(answer: Answer) {
    let whole = answer.whole().await;
    assert_eq!(whole.status, 200, "{}", whole.text());
    assert!(!whole.cut, "a run was cut: {}", whole.text());
    let last =
        whole.text().lines().rev().find(|line| line.starts_with("data: ")).unwrap_or_default().to_owned();
    assert!(last.contains("RUN_FINISHED") || last.contains("RUN_ERROR"), "a run without its end: {last}");
}

async fn visit(address: SocketAddr, dice: &mut Dice, counts: &Counts) {
    let kind = dice.below(KINDS.len() as u64);
    let (input, _) = body("talk", dice);
    let run = Request::run("/", input.to_string());
    match kind {
        0 => to_the_end(run.open(address).await).await,
        1 => read_some(&mut run.open(address).await, dice.below(50)).await,
        2 => {
            let mut connection = Connection::open(address).await;
            let half = &input.to_string().into_bytes()[..20];
            connection.send(&[run.head().as_slice(), half].concat()).await;
            sleep(Duration::from_millis(dice.below(30))).await;
        }
        3 => Connection::open(address).await.send(&run.head()[..30]).await,
        4 => {
            let answer = run.open(address).await;
            sleep(Duration::from_millis(100 + dice.below(300))).await;
            to_the_end(answer).await;
        }
        5 => {
            let flood = Request::run("/", body("flood", dice).0.to_string());
            let _unread = flood.open(address).await;
            sleep(Duration::from_millis(dice.below(300))).await;
        }
        _ => kept(address, input, dice).await,
    }
    counts.0[kind as usize].fetch_add(1, Ordering::Relaxed);
}

/// A run that is kept: its client leaves, and the run is stopped, or its thread is joined and read to the end of the run.
async fn kept(address: SocketAddr, mut input: Value, dice: &mut Dice) {
    let thread = format!("kept-{}", dice.below(THREADS));
    input["threadId"] = json!(thread);
    let mut answer = Request::run("/kept", input.to_string()).open(address).await;
    // Another client may run in the thread already.
    if answer.status != 200 {
        return;
    }
    read_some(&mut answer, dice.below(20)).await;
    drop(answer);
    if dice.below(2) == 0 {
        Request::run(&format!("/kept/stop/{thread}"), "{}").send(address).await;
        return;
    }
    input["messages"] = json!([]);
    let joined = Request::run("/kept/connect", input.to_string()).open(address).await;
    if joined.status == 200 {
        to_the_end(joined).await;
    }
}

async fn clients(address: SocketAddr, seed: u64, time: Duration, counts: &'static Counts) {
    let end = Instant::now() + time;
    let mut all = JoinSet::new();
    for client in 0..CLIENTS {
        let mut dice = Dice(seed ^ client.wrapping_mul(0xA076_1D64_78BD_642F));
        all.spawn(async move {
            while Instant::now() < end {
                visit(address, &mut dice, counts).await;
            }
        });
    }
    all.join_all().await;
}

/// Waits until as few tasks and bytes are left as `before`; without, until they no longer change.
async fn quiet(address: SocketAddr, before: Option<(usize, usize)>) -> (usize, usize) {
    let end = Instant::now() + Duration::from_secs(30);
    let mut last = (0, 0);
    loop {
        let tasks = Request::new("GET", "/tasks").send(address).await.text().parse().unwrap();
        let now = (tasks, live(address).await);
        let is_quiet = match before {
            Some((tasks, bytes)) => now.0 <= tasks && now.1 <= bytes + ROOM,
            None => now == last,
        };
        if is_quiet {
            return now;
        }
        assert!(Instant::now() < end, "{now:?} tasks and bytes are left, of {before:?}");
        last = now;
        // Longer than threads are kept.
        sleep(Duration::from_millis(1_500)).await;
    }
}

#[tokio::test]
async fn memory_and_tasks_return_after_clients_that_come_and_go() {
    let time = Duration::from_secs(number("AGUI_SOAK", 4) as u64);
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let seed = number("AGUI_SEED", clock.as_nanos() as usize) as u64;
    println!("AGUI_SEED={seed}");
    let counts: &'static Counts = Box::leak(Box::default());
    let (server, address) = target("-n 1000");
    let own = Processes::of(server.pid());
    clients(address, seed, time / 4, counts).await;
    let warm = (quiet(address, None).await, own.resident_bytes());
    clients(address, !seed, time - time / 4, counts).await;
    let after = (quiet(address, Some(warm.0)).await, own.resident_bytes());
    let visits: Vec<_> =
        KINDS.iter().zip(&counts.0).map(|(kind, count)| format!("{kind} {count:?}")).collect();
    println!("visits: {}; tasks and bytes, and resident: {warm:?}, then {after:?}", visits.join(", "));
    assert!(counts.0.iter().all(|count| count.load(Ordering::Relaxed) > 0), "{visits:?}");
    assert!(after.1 <= warm.1 + PAGES, "the process grew from {} to {}", warm.1, after.1);
}

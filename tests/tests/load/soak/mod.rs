//! A server under clients that come and go at random, over both versions of HTTP, for a long time: its memory stays flat, no
//! task is left, each run that a client reads to its end has one, and every answer has the status that it should have.
//!
//! `AGUI_SOAK` is the time in seconds, `AGUI_SEED` the choices of the clients:
//! `AGUI_SOAK=3600 cargo test -p agui-tests --features optional --test load soak -- --nocapture`.
#![cfg(target_os = "linux")]

mod http2;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Mutex;
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

/// The stored threads: more than clients, so that they rarely meet.
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

/// The number of visits, by what the clients did and the status that they got.
#[derive(Default)]
struct Counts(Mutex<BTreeMap<(&'static str, u16), u64>>);

impl Counts {
    /// Counts an answer, whose status must be one of these.
    fn saw(&self, kind: &'static str, status: u16, expected: &[u16]) {
        assert!(expected.contains(&status), "{kind}: status {status} in place of {expected:?}");
        *self.0.lock().unwrap().entry((kind, status)).or_default() += 1;
    }

    /// Counts a client that left before its answer.
    fn left(&self, kind: &'static str) {
        self.saw(kind, NONE, &[NONE]);
    }

    fn of(&self, kind: &str, status: u16) -> u64 {
        let counts = self.0.lock().unwrap();
        counts.iter().filter(|((of, found), _)| *of == kind && *found == status).map(|(_, count)| count).sum()
    }
}

/// In place of the status of an answer that no client waited for.
const NONE: u16 = 0;

const KINDS: [&str; 9] = [
    "read to the end",
    "left",
    "half a body",
    "half a head",
    "slow",
    "never read",
    "kept",
    "over HTTP/2",
    "left over HTTP/2",
];

fn body(text: &str, dice: &mut Dice) -> Value {
    let mut input = asking(text);
    let of = |name, dice: &mut Dice| json!(format!("{name}-{}", dice.below(u64::MAX)));
    (input["threadId"], input["runId"]) = (of("soak", dice), of("run", dice));
    input
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
    has_its_end(whole.text());
}

fn has_its_end(text: &str) {
    let last = text.lines().rev().find(|line| line.starts_with("data: ")).unwrap_or_default();
    assert!(last.contains("RUN_FINISHED") || last.contains("RUN_ERROR"), "a run without its end: {last}");
}

async fn answered(address: SocketAddr, kind: &'static str, request: Request, counts: &Counts) -> Answer {
    let answer = request.open(address).await;
    counts.saw(kind, answer.status, &[200]);
    answer
}

async fn visit(address: SocketAddr, dice: &mut Dice, counts: &Counts) {
    let which = dice.below(KINDS.len() as u64);
    let kind = KINDS[which as usize];
    let input = body("talk", dice);
    let run = Request::run("/", input.to_string());
    let open = |request: Request| answered(address, kind, request, counts);
    match which {
        0 => to_the_end(open(run).await).await,
        1 => read_some(&mut open(run).await, dice.below(50)).await,
        2 => {
            let mut connection = Connection::open(address).await;
            let half = &input.to_string().into_bytes()[..20];
            connection.send(&[run.head().as_slice(), half].concat()).await;
            sleep(Duration::from_millis(dice.below(30))).await;
            counts.left(kind);
        }
        3 => {
            Connection::open(address).await.send(&run.head()[..30]).await;
            counts.left(kind);
        }
        4 => {
            let answer = open(run).await;
            sleep(Duration::from_millis(100 + dice.below(300))).await;
            to_the_end(answer).await;
        }
        5 => {
            let flood = Request::run("/", body("flood", dice).to_string());
            let _unread = open(flood).await;
            sleep(Duration::from_millis(dice.below(300))).await;
        }
        6 => kept(address, input, dice, counts).await,
        7 => http2::read(address, dice, counts).await,
        _ => http2::leave(address, dice, counts).await,
    }
}

/// A run that is kept: its client leaves, and the run is stopped, or its thread is joined and read to the end of the run.
async fn kept(address: SocketAddr, mut input: Value, dice: &mut Dice, counts: &Counts) {
    let thread = format!("kept-{}", dice.below(THREADS));
    input["threadId"] = json!(thread);
    let mut answer = Request::run("/kept", input.to_string()).open(address).await;
    // Another client may run in the thread already.
    counts.saw("kept", answer.status, &[200, 409]);
    if answer.status != 200 {
        return;
    }
    read_some(&mut answer, dice.below(20)).await;
    drop(answer);
    if dice.below(2) == 0 {
        let stopped = Request::run(&format!("/kept/stop/{thread}"), "{}").send(address).await;
        counts.saw("stopped", stopped.status, &[200]);
        return;
    }
    input["messages"] = json!([]);
    let joined = Request::run("/kept/connect", input.to_string()).open(address).await;
    counts.saw("joined", joined.status, &[200]);
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
        // Longer than the retention time of threads.
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
    println!(
        "visits: {:?}; tasks and bytes, and resident: {warm:?}, then {after:?}",
        counts.0.lock().unwrap()
    );
    for kind in KINDS.into_iter().chain(["stopped", "joined"]) {
        let visits = counts.of(kind, 200) + counts.of(kind, NONE);
        assert!(visits > 0, "nothing of `{kind}`");
    }
    assert!(after.1 <= warm.1 + PAGES, "the process grew from {} to {}", warm.1, after.1);
}

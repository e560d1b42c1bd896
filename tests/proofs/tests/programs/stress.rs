//! Threads: tasks that are left running, agents that panic, clients that leave, at random.
//!
//! `AGUI_PROGRAM_STRESS` sets the number of runs, 1000 by default; `AGUI_PROGRAM_SEED` the seed of the first. A failure
//! names the seed of its run. The seed does not decide the order of threads, so the same one need not fail again; it
//! gives the actions.

use std::collections::{BTreeSet, HashSet};
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use agui_runtime::manifest::AgentSource;
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::testing::{self, Recording};
use agui_runtime::tools::ToolOf;
use agui_runtime::{Emit, FinishedRun, start};
use agui_tests::judge;
use agui_tests::outside::Node;
use futures::future::{Either, select};
use futures::{StreamExt, join};

use super::children::{confirm, look_up, panic, source, what};
use super::{number, say};

/// Longer than any run takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(90);

/// The number of parallel runs.
const ABREAST: usize = 8;

/// SplitMix64.
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, sides: u64) -> u64 {
        self.roll() % sides
    }

    fn another(&mut self) -> Self {
        Self(self.roll())
    }
}

/// An agent with random operations.
struct Crowd {
    dice: Dice,
    depth: u32,
}

impl ToolOf<Crowd> for look_up {}
impl ToolOf<Crowd> for confirm {}

type Saying<'e> = Pin<Box<dyn Future<Output = Result<(), Stop>> + Send + 'e>>;

/// A few events that any part of a run may write.
fn talk(emit: &Emit, mut dice: Dice, depth: u32) -> Saying<'_> {
    Box::pin(async move {
        for _ in 0..=dice.below(5) {
            match dice.below(14) {
                0 | 1 => {
                    let mut text = emit.message().await;
                    for _ in 0..dice.below(12) {
                        text.push("word").await;
                    }
                }
                2 => std::mem::forget(emit.message().await),
                3 => {
                    let _step = emit.step("s").await;
                    emit.say("in a step").await;
                }
                4 => {
                    let think = emit.reasoning().await;
                    let mut thought = think.message().await;
                    thought.push("hm").await;
                    if dice.below(2) == 0 {
                        std::mem::forget(thought);
                    }
                }
                5 => drop(emit.think("hm").await),
                6 => emit.raw("raw").await,
                7 => tokio::task::yield_now().await,
                8 if dice.below(5) == 0 => return Err(Stop::error("no rice")),
                9 if depth > 0 => {
                    let helper = Arc::new(Crowd { dice: dice.another(), depth: depth - 1 });
                    drop(emit.delegate("helper", &helper, []).await);
                }
                10 if depth > 0 => {
                    let [one, two] =
                        [(); 2].map(|()| Arc::new(Crowd { dice: dice.another(), depth: depth - 1 }));
                    drop(join!(emit.delegate("one", &one, []), emit.delegate("two", &two, [])));
                }
                11 if depth > 0 => {
                    // The slower one is dropped.
                    let helper = Arc::new(Crowd { dice: dice.another(), depth: depth - 1 });
                    let other = std::pin::pin!(talk(emit, dice.another(), 0));
                    match select(emit.delegate("racing", &helper, []), other).await {
                        Either::Left(_) | Either::Right(_) => {}
                    }
                }
                12 if depth > 0 => tasks(emit, &mut dice, depth - 1).await,
                13 if dice.below(12) == 0 => panic(),
                _ => drop(emit.say("said").await),
            }
        }
        Ok(())
    })
}

async fn tasks(emit: &Emit, dice: &mut Dice, depth: u32) {
    let mut tasks = emit.tasks();
    for _ in 0..=dice.below(3) {
        let own = dice.another();
        tasks.spawn(async move |emit: Emit| talk(&emit, own, depth).await);
    }
    let meanwhile = talk(emit, dice.another(), 0);
    match dice.below(4) {
        0 => drop(join!(tasks.join(), meanwhile)),
        1 => drop(meanwhile.await),
        2 => {
            drop(meanwhile.await);
            std::mem::forget(tasks);
        }
        _ => drop(tasks.join().await),
    }
}

impl Agent for Crowd {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        let mut dice = self.dice.clone();
        for _ in 0..=dice.below(8) {
            match dice.below(8) {
                0 => {
                    let call = run.call(what()).await?;
                    let (_, said) = join!(call.run(), talk(run, dice.another(), 0));
                    said?;
                }
                1 => {
                    let mut call = run.tool::<look_up>().await;
                    call.push("{").await;
                }
                2 => {
                    let mut call = run.tool::<confirm>().await;
                    call.push(r#"{"total":1}"#).await;
                    if dice.below(3) > 0 {
                        drop(call.end());
                    }
                }
                // In a delegated agent it waits for the open items of the others, and one of them may be leaked.
                3 if self.depth == 2 => run.messages_snapshot([]).await,
                _ => talk(run, dice.another(), self.depth).await?,
            }
        }
        match dice.below(6) {
            0 => Err(Stop::cancelled()),
            1 => Err(Stop::await_frontend(run.call(confirm { total: 1 }).await?)),
            _ => Ok(run.finish(())),
        }
    }

    fn source() -> AgentSource {
        source("crowd")
    }
}

/// The events that the client saw before it left, or all, and the recorded ones.
async fn one(seed: u64) -> (Vec<Event>, Vec<Event>) {
    let mut dice = Dice(seed);
    let recording = Recording::new();
    let room = 1 + usize::try_from(dice.below(9)).unwrap();
    let options = testing::options().unsigned_interrupts(true).room(room).recorder(recording.clone());
    let read = match dice.below(3) {
        0 => usize::try_from(dice.below(30)).unwrap(),
        _ => usize::MAX,
    };
    let mut run = start(Arc::new(Crowd { dice: dice.another(), depth: 2 }), testing::input("Hi"), options);
    // The client leaves during a wait, not after an event.
    let patience = Duration::from_micros(match dice.below(6) {
        0 => dice.below(400),
        _ => 60_000_000,
    });
    let mut seen = Vec::new();
    while seen.len() < read {
        // A reader that is sometimes slow.
        if dice.below(8) == 0 {
            tokio::task::yield_now().await;
        }
        match tokio::time::timeout(patience, run.next()).await {
            Ok(Some(event)) => seen.push(event),
            Ok(None) => break,
            Err(_) if patience.as_secs() > 0 => panic!("nothing comes any more, and the run goes on"),
            Err(_) => break,
        }
    }
    drop(run);
    let recorded = recording.events();
    // Tasks that were left running have no effect.
    tokio::task::yield_now().await;
    assert_eq!(recording.events().len(), recorded.len(), "said after the end");
    (seen, recorded)
}

#[test]
fn threads_change_nothing() {
    let runs = number("AGUI_PROGRAM_STRESS", 1000);
    let first = number("AGUI_PROGRAM_SEED", 1) as u64;
    let begun = Instant::now();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_time().build().unwrap();
    let (done, finished) = mpsc::channel();
    let mut seeds = first..first + runs as u64;
    let mut under_way = BTreeSet::new();
    let start_one = |seed: u64| {
        let done = done.clone();
        runtime.spawn(async move {
            let streams = tokio::spawn(one(seed)).await;
            drop(done.send((seed, streams.map_err(|cause| cause.to_string()))));
        });
    };
    let mut traces: HashSet<String> = HashSet::new();
    let (mut events, mut cut, mut kept) = (0, 0, Vec::new());
    let input = testing::input("Hi");
    loop {
        while under_way.len() < ABREAST
            && let Some(seed) = seeds.next()
        {
            under_way.insert(seed);
            start_one(seed);
        }
        if under_way.is_empty() {
            break;
        }
        let Ok((seed, streams)) = finished.recv_timeout(LIMIT) else {
            // A worker may be blocked, and the runtime would wait for it.
            std::mem::forget(runtime);
            panic!("deadlock: the runs of these seeds do not end: {under_way:?}");
        };
        under_way.remove(&seed);
        let (seen, recorded) = streams.unwrap_or_else(|cause| panic!("seed {seed}: {cause}"));
        assert!(recorded.starts_with(&seen), "seed {seed}: the recorder saw something else than the client");
        cut += usize::from(seen.len() < recorded.len());
        events += recorded.len();
        if recorded.is_empty() {
            continue;
        }
        if let Err(error) = judge::answer(&input, &["confirm"], &recorded) {
            panic!("seed {seed}: {error} ({})\n{}", error.code(), testing::lines(&recorded));
        }
        if traces.insert(testing::lines(&recorded)) {
            kept.push((seed, recorded));
        }
    }
    runtime.shutdown_timeout(LIMIT);
    let judges = match Node::ready() {
        Ok(node) => {
            let verdicts = node.verify_many(kept.iter().map(|(_, trace)| trace));
            for (verdict, (seed, trace)) in verdicts.iter().zip(&kept) {
                if let Err(refused) = verdict {
                    panic!("seed {seed}: the official client: {}\n{}", refused.text, testing::lines(trace));
                }
            }
            "our verifier and the official client"
        }
        Err(missing) => {
            missing.skip("programs: the official client's verdict on threads");
            "our verifier"
        }
    };
    say(&format!(
        "programs: {runs} runs with threads from seed {first}, {cut} left by their client, {} distinct traces, {events} events, 0 \
         rejected by {judges}, no deadlock, {:.1?}",
        traces.len(),
        begun.elapsed(),
    ));
    assert!(cut > runs / 20, "hardly a client left");
}

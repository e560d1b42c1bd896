//! Every well-typed program of a few calls, with every ending, cancelled after every event: nothing illegal on the wire.
//!
//! `AGUI_PROGRAM_CALLS` sets the number of calls over parts of the API, 3 by default; over the whole of it programs
//! have one less, or `AGUI_PROGRAM_WHOLE`. [`Alphabet`] lists the calls of each part; a program has at most three
//! guards at a time.
//!
//! With room for one event a run is never ahead of its reader by more than one call. So a run that is dropped before
//! its last call began equals a shorter program, and a run that is dropped after its agent returned equals the full
//! run: neither is run again. Every program is dropped after each of the events in between.
//!
//! Not covered: fields of single events, which order does not depend on; threads, which the stress test covers.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::thread;
use std::time::Instant;

use agui_runtime::protocol::{Event, RunAgentInput};
use agui_runtime::start;
use agui_runtime::testing::{self, Recording};
use agui_tests::judge;
use agui_tests::outside::Node;

use super::drive;
use super::menu::Held;
use super::player::{Player, input};
use super::program::{Alphabet, Ending, Op};
use super::traces::Traces;
use super::{number, say};

#[test]
fn no_program_puts_an_illegal_stream_on_the_wire() {
    let calls = number("AGUI_PROGRAM_CALLS", 3);
    let node = match Node::ready() {
        Ok(node) => Some(node),
        Err(missing) => {
            missing.skip("programs: the official client's verdict");
            None
        }
    };
    let whole = number("AGUI_PROGRAM_WHOLE", calls - 1);
    for search in [
        Search { alphabet: Alphabet::Core, calls, legacy: false },
        Search { alphabet: Alphabet::ByName, calls, legacy: false },
        Search { alphabet: Alphabet::Forwarding, calls, legacy: false },
        Search { alphabet: Alphabet::Forwarding, calls, legacy: true },
        Search { alphabet: Alphabet::Whole, calls: whole, legacy: false },
        Search { alphabet: Alphabet::Whole, calls: whole, legacy: true },
    ] {
        let begun = Instant::now();
        let Tally { programs, runs, traces, events, chunked } = search.all(node.as_ref());
        let judges = match (&node, chunked) {
            (Some(_), 0) => "our verifier and the official client".to_owned(),
            (Some(_), _) => format!("the official client, all but {chunked} with chunks by our verifier too"),
            (None, _) => format!("our verifier, which did not see the {chunked} with chunks"),
        };
        say(&format!(
            "programs: {search:?}: {programs} programs, {runs} runs, {traces} distinct traces, {events} events, \
             0 rejected by {judges}, {:.1?}",
            begun.elapsed(),
        ));
        assert!(traces > 150, "the search went nowhere");
    }
}

#[derive(Clone, Copy, Debug)]
struct Search {
    alphabet: Alphabet,
    calls: usize,
    /// For a legacy client: nothing that only 1.0 knows, and no order of its tags.
    legacy: bool,
}

#[derive(Default)]
struct Tally {
    programs: usize,
    runs: usize,
    traces: usize,
    events: usize,
    chunked: usize,
}

impl Search {
    /// Divided by first calls among threads; a trace is counted once for each part that has it.
    fn all(self, node: Option<&Node>) -> Tally {
        let parts: Mutex<Vec<_>> =
            Mutex::new(Held::default().menu(self.alphabet).into_iter().map(Some).chain([None]).collect());
        let (total, unasked) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let part = parts.lock().unwrap().pop();
                        let Some(first) = part else { break };
                        let mut walk = Walk::new(self);
                        match first {
                            Some((op, held)) => {
                                walk.ops.push(op);
                                walk.programs(held);
                            }
                            None => walk.endings(),
                        }
                        if let Some(node) = node {
                            let mut waiting = unasked.lock().unwrap();
                            waiting.extend(walk.traces.longest());
                            let batch =
                                if waiting.len() < BATCH { vec![] } else { std::mem::take(&mut *waiting) };
                            drop(waiting);
                            if !batch.is_empty() {
                                ask(node, &batch);
                            }
                        }
                        let mut total = total.lock().unwrap();
                        total.programs += walk.programs;
                        total.runs += walk.runs;
                        total.traces += walk.traces.count;
                        total.events += walk.events;
                        total.chunked += walk.chunked;
                    }
                });
            }
        });
        if let Some(node) = node {
            ask(node, &unasked.into_inner().unwrap());
        }
        total.into_inner().unwrap()
    }
}

struct Walk {
    search: Search,
    input: RunAgentInput,
    ops: Vec<Op>,
    traces: Traces,
    programs: usize,
    runs: usize,
    events: usize,
    /// Traces with chunks, which only the official client judges.
    chunked: usize,
}

impl Walk {
    fn new(search: Search) -> Self {
        let input = if search.legacy { input() } else { input().with_protocol_version("1.0") };
        Self {
            search,
            input,
            ops: vec![],
            traces: Traces::default(),
            programs: 0,
            runs: 0,
            events: 0,
            chunked: 0,
        }
    }

    fn programs(&mut self, held: Held) {
        self.endings();
        if self.ops.len() < self.search.calls {
            for (op, held) in held.menu(self.search.alphabet) {
                self.ops.push(op);
                self.programs(held);
                self.ops.pop();
            }
        }
    }

    fn endings(&mut self) {
        let ops: Arc<[Op]> = self.ops.as_slice().into();
        for ending in Ending::ALL {
            self.programs += 1;
            let begun = self.play(&ops, ending, 1, usize::MAX);
            // The last call belongs to every ending; the first ending's runs cover it.
            let own = if ending == Ending::Ok { ops.len() } else { ops.len() + 1 };
            for (after, _) in
                begun.iter().enumerate().filter(|(_, begun)| begun.is_some_and(|calls| calls >= own))
            {
                self.play(&ops, ending, 1, after + 1);
            }
            if self.programs.is_multiple_of(8) {
                self.play(&ops, ending, 16, usize::MAX);
                self.play(&ops, ending, 16, 1 + self.programs / 8 % begun.len());
            }
        }
    }

    /// Reads `read` events of the program, and drops it. Returns the number of calls that had begun at each event,
    /// unless the agent had ended.
    fn play(&mut self, ops: &Arc<[Op]>, ending: Ending, room: usize, read: usize) -> Vec<Option<usize>> {
        let about = || {
            let left = if read == usize::MAX { String::new() } else { format!(", left after {read} events") };
            format!("{ops:?} {ending:?}, room {room}{left}")
        };
        let (begun, strays) = (Arc::new(AtomicUsize::new(0)), Arc::default());
        let player =
            Player { ops: Arc::clone(ops), ending, begun: Arc::clone(&begun), strays: Arc::clone(&strays) };
        let player = Arc::new(player);
        let running = Arc::downgrade(&player);
        let recording = Recording::new();
        let options = testing::options().unsigned_interrupts(true).room(room).recorder(recording.clone());
        let mut stream = start(player, self.input.clone(), options);
        let mut progress = Vec::new();
        for _ in 0..read {
            match drive::next(&mut stream) {
                Ok(Some(_)) => {
                    progress.push((running.strong_count() > 0).then(|| begun.load(Ordering::Relaxed)));
                }
                Ok(None) => break,
                Err(stuck) => panic!("{stuck:?}: {}", about()),
            }
        }
        drop(stream);
        let events = recording.events();
        // Remaining tasks run on for a while, without effect.
        for stray in strays.lock().unwrap().iter_mut() {
            for _ in 0..3 {
                let mut cx = Context::from_waker(Waker::noop());
                if stray.as_mut().poll(&mut cx).is_ready() {
                    break;
                }
            }
        }
        assert_eq!(recording.events().len(), events.len(), "said after the end: {}", about());
        self.runs += 1;
        self.events += events.len();
        if self.traces.insert(&events) {
            let has_chunks = events.iter().any(is_chunk);
            // A legacy client does not read the tags that tell the chunks of several authors apart.
            let is_tagged = |event: &Event| is_chunk(event) && event.subagent_run_id().is_some();
            assert!(
                !self.search.legacy || !events.iter().any(is_tagged),
                "a legacy client got chunks of others: {}",
                about()
            );
            let verdict = if has_chunks {
                // Our verifier judges expanded streams only, so the official client judges these.
                self.chunked += 1;
                Ok(())
            } else if self.search.legacy {
                judge::client(&events)
            } else {
                judge::answer(&self.input, &["confirm"], &events)
            };
            if let Err(error) = verdict {
                panic!("{error} ({})\n{}\n{}", error.code(), about(), testing::lines(&events));
            }
        }
        progress
    }
}

fn is_chunk(event: &Event) -> bool {
    matches!(event, Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_))
}

/// The number of traces in one call of the official client.
const BATCH: usize = 200_000;

/// The official client's verdict on all of them.
fn ask(node: &Node, traces: &[Vec<Event>]) {
    let mut refused = BTreeMap::new();
    for (verdict, trace) in node.verify_many(traces).into_iter().zip(traces) {
        if let Err(refusal) = verdict {
            refused.entry(refusal.code).or_insert((refusal.text, trace));
        }
    }
    for (code, (text, trace)) in &refused {
        say(&format!("the official client refuses it, {code}: {text}\n{}", testing::lines(trace)));
    }
    assert!(refused.is_empty(), "{} kinds of refusals", refused.len());
}

//! Many agents at once: every state has left the caches by its next turn.

use std::hint::black_box;
use std::time::Instant;

use agui_runtime::State;
use agui_runtime::state::{Shadow, StateChange};

use crate::goal::Goals;
use crate::machine::Yardstick;
use crate::timing::{Effort, median, spelled};
use crate::{tracked, workload};

/// The number of updates a second of each agent.
const PER_SECOND: f64 = 20.0;
const AGENTS: usize = 1000;

/// The goals about many agents: G13, in cores of the machine the goals name.
pub fn measure(effort: Effort, goals: &mut Goals) {
    let machine = Yardstick::new().read(effort);
    println!("\n{AGENTS} agents, {PER_SECOND} flushes a second each, one field changed");
    let plain = per_flush(effort, workload::doc, |doc| doc.sections[117].word_count += 1);
    let marked = per_flush(effort, || tracked::book(1), |book| *book.edit().version += 1);
    for (name, time, most) in [("compared", plain, 0.5), ("remembered", marked, 0.02)] {
        let cores = time * PER_SECOND * AGENTS as f64 / 1e9;
        println!("{name:10} {} a flush, {:.1} % of a core", spelled(time), cores * 100.0);
        goals.at_most(
            "G13",
            format!("cores for {AGENTS} agents, {name}, on that machine"),
            cores / machine,
            most,
        );
    }
}

/// The nanoseconds of a change with its flush, each time of another agent.
fn per_flush<T: State>(effort: Effort, start: impl Fn() -> T, change: impl Fn(&mut T)) -> f64 {
    let agents = AGENTS.min(effort.fast * 10);
    let mut states: Vec<(T, Shadow<T>)> = (0..agents)
        .map(|_| {
            let state = start();
            let (shadow, _) = Shadow::start(&state).unwrap();
            (state, shadow)
        })
        .collect();
    let rounds = (0..=effort.rounds).map(|_| {
        let begin = Instant::now();
        for (state, shadow) in &mut states {
            change(state);
            match black_box(shadow.flush(state).unwrap()) {
                StateChange::Delta(text) => assert!(text.len() < 100, "{text}"),
                other => panic!("{other:?}"),
            }
        }
        begin.elapsed().as_nanos() as f64 / agents as f64
    });
    // The first round allocates the buffers and the records of changes.
    median(rounds.skip(1))
}

//! The cost of typed state, beside the alternatives.
//!
//! `cargo bench -p agui-runtime --bench state`, or with `-- --quick` to check that it runs. The tests assert
//! operations, bytes and allocations exactly; this prints times, as ratios of one round in one process. For profilers
//! `-- --repeat "k everything" Shadow 1000` repeats one thing only.
#![allow(missing_docs, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

mod contender;
mod crowd;
#[allow(dead_code, reason = "each benchmark has goals of some kinds")]
mod goal;
mod machine;
mod timing;
mod tracked;
mod workload;

use std::collections::BTreeMap;
use std::process::ExitCode;

use agui_runtime::__private::engine::{JsonOut, raw};
use agui_runtime::State;
use contender::{Contender, Match};
use goal::Goals;
use timing::{Effort, median, middle, spelled};
use workload::{Case, ON_DOC, ON_KEYED, ON_LIST};

/// The times of one workload, round by round.
struct Row {
    name: &'static str,
    size: (usize, usize),
    /// The number of bytes by which the shadow's event exceeds serde_json's snapshot.
    past_snapshot: usize,
    rounds: Vec<BTreeMap<usize, f64>>,
}

impl Row {
    fn time(&self, contender: Contender) -> f64 {
        median(self.rounds.iter().map(|round| round[&(contender as usize)]))
    }

    /// The factor of `a` over `b`.
    fn ratio(&self, a: Contender, b: Contender) -> f64 {
        median(self.rounds.iter().map(|round| round[&(a as usize)] / round[&(b as usize)]))
    }

    /// The engine against comparing and writing the changes, which is a lower bound.
    fn over_floor(&self) -> f64 {
        let floor = |round: &BTreeMap<usize, f64>| {
            round[&(Contender::Equal as usize)] + round[&(Contender::Changed as usize)]
        };
        median(self.rounds.iter().map(|round| round[&(Contender::Sync as usize)] / floor(round)))
    }
}

fn measure<T: State + PartialEq>(start: T, case: &Case<T>, effort: Effort) -> Row {
    let mut all = Match::new(start, case.edit);
    let (size, past_snapshot) = (all.size(), all.past_snapshot());
    let rounds = (0..effort.rounds).map(|_| {
        let time = |contender: &Contender| {
            let times = if contender.is_slow() { effort.slow } else { effort.fast };
            let prepare = |all: &mut Match<T>| all.prepare(*contender);
            // The first is not counted: then caches are warm for all.
            prepare(&mut all);
            all.run(*contender);
            (*contender as usize, middle(times, &mut all, prepare, |all| all.run(*contender)))
        };
        Contender::ALL.iter().map(time).collect()
    });
    Row { name: case.name, size, past_snapshot, rounds: rounds.collect() }
}

fn table(rows: &[Row]) {
    println!(
        "{:24} {:>5} {:>7} {:>9} {:>9} {:>9} {:>7} {:>7} {:>10} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "case",
        "ops",
        "bytes",
        "sync",
        "shadow",
        "==",
        "/==",
        "/floor",
        "json_patch",
        "x",
        "kept",
        "tree",
        "clone",
        "snap"
    );
    for row in rows {
        use Contender::{Diffed, Equal, JsonPatch, JsonPatchKept, Shadow, Snapshot, Sync, Treediff};
        println!(
            "{:24} {:>5} {:>7} {:>9} {:>9} {:>9} {:>7.2} {:>7.2} {:>10} {:>5.0}x {:>5.0}x {:>5.0}x {:>5.1}x {:>5.1}x",
            row.name,
            row.size.0,
            row.size.1,
            spelled(row.time(Sync)),
            spelled(row.time(Shadow)),
            spelled(row.time(Equal)),
            row.ratio(Sync, Equal),
            row.over_floor(),
            spelled(row.time(JsonPatch)),
            row.ratio(JsonPatch, Sync),
            row.ratio(JsonPatchKept, Sync),
            row.ratio(Treediff, Sync),
            row.ratio(Diffed, Sync),
            row.ratio(Snapshot, Sync),
        );
    }
}

fn judge(rows: &[Row], goals: &mut Goals) {
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    let (a, b) = (row("a nothing"), row("b scalar"));
    goals.at_most("G1", "a nothing: sync / ==", a.ratio(Contender::Sync, Contender::Equal), 1.05);
    goals.exactly("G1", "a nothing: ops and bytes", &a.size, &(0, 2));
    goals.at_most("G2", "b scalar: sync / (== + write)", b.over_floor(), 1.1);
    goals.at_least("G2", "b scalar: json_patch / sync", b.ratio(Contender::JsonPatch, Contender::Sync), 90.0);
    goals.exactly("G2", "b scalar: ops and bytes", &b.size, &(1, 58));
    for (plain, size) in [("c append", (1, 112)), ("d insert at 0", (1, 112)), ("e remove 500", (1, 37))] {
        for name in [plain.to_owned(), format!("{plain}, keyed")] {
            let row = row(&name);
            goals.exactly("G3", format!("{name}: ops and bytes"), &row.size, &size);
            goals.at_most("G3", format!("{name}: sync / (== + write)"), row.over_floor(), 1.3);
            let times = row.ratio(Contender::JsonPatch, Contender::Sync);
            let most = times * row.over_floor();
            let what = format!("{name}: json_patch / sync, of {most:.0} for nothing but == and writing");
            goals.at_least("G3", what, times, 280.0);
        }
    }
    for (plain, size) in
        [("f swap 200, 800", (2, 109)), ("f2 move 900 to 3", (1, 53)), ("l mixed turn", (12, 837))]
    {
        for name in [plain.to_owned(), format!("{plain}, keyed")] {
            let row = row(&name);
            goals.exactly("G4", format!("{name}: ops and bytes"), &row.size, &size);
            let over = row.ratio(Contender::Sync, Contender::Equal);
            goals.at_most("G4", format!("{name}: sync / =="), over, 2.5);
        }
    }
    println!("\na total rewrite, as parts of serde_json's snapshot");
    for name in ["k everything", "m shuffle", "m shuffle, keyed"] {
        let row = row(name);
        let part = |contender| row.ratio(contender, Contender::Snapshot);
        let (shadow, written, copied) =
            (part(Contender::Shadow), part(Contender::Write), part(Contender::CopyInPlace));
        println!(
            "{name:24} shadow {shadow:.2}: our writer {written:.2}, the copy brought up to date {copied:.2}, finding out that \
             operations would be longer {:.2}; == {:.2}",
            shadow - written - copied,
            part(Contender::Equal),
        );
        goals.at_most("G7", format!("{name}: shadow / serde_json's snapshot"), shadow, 1.6);
        goals.exactly("G7", format!("{name}: bytes past the snapshot"), &row.past_snapshot, &0);
    }
    let faster = a.ratio(Contender::Snapshot, Contender::Write);
    goals.at_least("G8", "serde_json / our writer, on the document", faster, 1.8);
    let faster = row("c append").ratio(Contender::Snapshot, Contender::Write);
    goals.at_least("G8", "serde_json / our writer, on the list", faster, 1.8);
}

/// The speed of writing long text.
fn long_text(effort: Effort, goals: &mut Goals) {
    let text = "plain prose, which is most of what agents write. ".repeat(20_000);
    let mut out = JsonOut::default();
    let write = |out: &mut JsonOut| raw::write(&text, out).unwrap().len();
    write(&mut out);
    let time = median((0..effort.rounds).map(|_| middle(effort.slow, &mut out, |_| {}, write)));
    goals.at_least("G8", "GB/s of long text", text.len() as f64 / time, 5.0);
}

/// One contender on one workload, repeated, and nothing else: `name contender times`.
fn repeat(mut args: impl Iterator<Item = String>) {
    let (name, contender, times) = (args.next().unwrap(), args.next().unwrap(), args.next().unwrap());
    let contender = *Contender::ALL.iter().find(|one| format!("{one:?}") == contender).unwrap();
    let times = times.parse().unwrap();
    fn on<T: State + PartialEq>(
        cases: &[Case<T>],
        start: fn() -> T,
        name: &str,
        contender: Contender,
        times: usize,
    ) {
        for case in cases.iter().filter(|case| case.name == name) {
            let mut all = Match::new(start(), case.edit);
            for _ in 0..times {
                all.prepare(contender);
                std::hint::black_box(all.run(contender));
            }
        }
    }
    on(&ON_DOC, workload::doc, &name, contender, times);
    on(&ON_LIST, workload::list, &name, contender, times);
    on(&ON_KEYED, workload::keyed, &name, contender, times);
    tracked::repeat(&name, times);
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip_while(|arg| arg != "--repeat");
    if args.next().is_some() {
        repeat(args);
        return ExitCode::SUCCESS;
    }
    let effort = if std::env::args().any(|arg| arg == "--quick") { Effort::QUICK } else { Effort::FULL };
    let mut rows: Vec<Row> = ON_DOC.iter().map(|case| measure(workload::doc(), case, effort)).collect();
    for (plain, keyed) in ON_LIST.iter().zip(&ON_KEYED) {
        rows.push(measure(workload::list(), plain, effort));
        rows.push(measure(workload::keyed(), keyed, effort));
    }
    table(&rows);
    let mut goals = Goals::default();
    judge(&rows, &mut goals);
    long_text(effort, &mut goals);
    tracked::measure(effort, &mut goals);
    crowd::measure(effort, &mut goals);
    goals.print();
    println!("G6, G11 and G12 are tests; G9 is `cargo run -p agui-programs --bin compile_time -- state`");
    // Times depend on the machine and on other load; exact values do not.
    if goals.has_wrong() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

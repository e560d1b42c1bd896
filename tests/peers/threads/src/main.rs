//! Stored threads beside other ways to resume a stream, with the goals for them.
//!
//! ```console
//! $ cargo run --release --manifest-path tests/peers/Cargo.toml -p agui-peers-threads                   # all rows, ten minutes
//! $ cargo run --release --manifest-path tests/peers/Cargo.toml -p agui-peers-threads -- first attach   # only these
//! $ cargo run --release --manifest-path tests/peers/Cargo.toml -p agui-peers-threads -- quick          # all rows, a minute, rough
//! ```
//!
//! | row | measured | goal |
//! |---|---|---|
//! | `cost` | processor time of an event in the server, with 64 streams | a tenth of a server that makes one `XADD` for each token, and of npm's `resumable-stream` |
//! | `first` | the time to the first token | 5 ms later than without a store on SQLite, 10 ms on Postgres and Redis |
//! | `attach` | the time to the first byte of a run of 10,000 events | 50 ms |
//! | `crowd` | 1,000 runs at once on Postgres for a minute; every client checks that each event comes once | no event lost or repeated |
//! | `memory` | the memory of a server while one thread grows to 100,000 events | 8 MiB of growth |
//! | `copilotkit` | the time to the first token through the route for CopilotKit's pages; time, memory and processor time beside CopilotKit's runtime in Node | 1 ms later than at the agent's route; no more than the runtime |
//! | `cold` | SQLite opens a new file | 20 ms |
//!
//! All servers are processes of their own. Postgres and Redis are started in temporary folders, with the settings that
//! make appends durable. The command fails on a missed goal. Figures depend on the machine and its load; ratios are of one
//! run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command that prints a table")]

mod client;
mod cold;
mod contenders;
mod copilotkit;
mod cost;
mod crowd;
mod latency;
mod load;
mod memory;
mod ours;
mod process;
mod report;
mod xadd;

use std::process::ExitCode;

use crate::contenders::Databases;
use crate::process::Fault;
use crate::report::Report;

const ROWS: [&str; 7] = ["cold", "first", "attach", "memory", "cost", "copilotkit", "crowd"];

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", store, place] => process::serve(store, place).await.map(|()| true),
        ref asked => measure(asked).await,
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

/// Measures the rows that are asked for, or all. Returns false if a goal was missed.
async fn measure(asked: &[&str]) -> Result<bool, Fault> {
    let (quick, asked): (Vec<_>, Vec<_>) = asked.iter().copied().partition(|asked| *asked == "quick");
    let quick = !quick.is_empty();
    if let Some(unknown) = asked.iter().find(|asked| !ROWS.contains(asked)) {
        return Err(format!("no row `{unknown}`; there is: {}, and `quick`", ROWS.join(", ")).into());
    }
    let databases = Databases::start().map_err(|missing| missing.to_string())?;
    let mut report = Report::default();
    for row in ROWS.into_iter().filter(|row| asked.is_empty() || asked.contains(row)) {
        match row {
            "cold" => cold::measure(&mut report, &databases, quick)?,
            "first" => latency::first_token(&mut report, &databases, quick).await?,
            "attach" => latency::attach(&mut report, &databases, quick).await?,
            "memory" => memory::measure(&mut report, &databases, quick).await?,
            "cost" => cost::measure(&mut report, &databases, quick).await?,
            "copilotkit" => copilotkit::measure(&mut report, &databases, quick).await?,
            _ => crowd::measure(&mut report, &databases, if quick { 5 } else { 60 }).await?,
        }
    }
    let missed = report.missed();
    if missed.is_empty() {
        return Ok(true);
    }
    println!("\nmissed: {}", missed.join("; "));
    Ok(false)
}

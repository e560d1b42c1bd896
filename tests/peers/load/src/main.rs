//! Our server under load beside its peers, with the goals for it.
//!
//! ```console
//! $ cargo run --release --manifest-path tests/peers/Cargo.toml -p agui-peers-load                  # all rows, about six minutes
//! $ cargo run --release --manifest-path tests/peers/Cargo.toml -p agui-peers-load -- burst opened  # only these
//! $ cargo run --release --manifest-path tests/peers/Cargo.toml -p agui-peers-load -- --quick       # all rows, rough
//! ```
//!
//! | row | measured | goal |
//! |---|---|---|
//! | `burst` | processor time of an event, 64 connections with one run of 200 deltas after the other | a quarter of axum's with frames that were encoded before |
//! | `paced` | processor time of an event, 1,000 streams with a delta each 50 ms | hyper's with frames that were encoded before |
//! | `first` | the first event of 99 of 100 connections, 1,000 that ask at once | 20 ms |
//! | `opened` | processor time and memory of a stream, 8,000 that are open | 75 us, 13 KiB |
//! | `cold` | the time from the start of a process to the end of its first run, and its memory | 1.1 times axum's |
//!
//! The last column, `floor`, is a program that only writes the bytes of the run to the socket: no server can take less.
//!
//! All servers are processes of their own, with one thread, and make the same runs; this process is the load. The
//! servers take turns, so that other programs of the machine disturb all of them, and each has the best of its rounds. The
//! command fails on a missed goal.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command that prints a table")]

mod client;
mod measure;
mod process;
mod report;
mod servers;
mod shape;

use std::process::ExitCode;
use std::time::Duration;

use crate::process::Fault;
use crate::report::{Goal, Row};
use crate::servers::{ENCODED, HYPER, SERVERS};

const ROWS: [&str; 5] = ["burst", "paced", "first", "opened", "cold"];

/// The files that a process needs for 8,000 streams.
const FILES: u64 = 9_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", server, deltas, pace] => process::serve(server, deltas, pace).await.map(|()| true),
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
    let (quick, asked): (Vec<_>, Vec<_>) = asked.iter().copied().partition(|asked| *asked == "--quick");
    let quick = !quick.is_empty();
    if let Some(unknown) = asked.iter().find(|asked| !ROWS.contains(asked)) {
        return Err(format!("no row `{unknown}`; there is: {}, and `--quick`", ROWS.join(", ")).into());
    }
    let files = rlimit::increase_nofile_limit(u64::MAX)?;
    if files < FILES {
        return Err(format!("a process may have {files} open files here, and needs {FILES}").into());
    }
    let mut rows = Vec::new();
    for row in ROWS.into_iter().filter(|row| asked.is_empty() || asked.contains(row)) {
        eprintln!("measuring: {row}");
        rows.extend(match row {
            "burst" => burst(quick).await?,
            "paced" => paced(quick).await?,
            "first" => first(quick).await?,
            "opened" => opened(quick).await?,
            _ => cold(quick).await?,
        });
    }
    let missed = report::print(&rows);
    if missed.is_empty() {
        return Ok(true);
    }
    println!("\nmissed: {}", missed.join("; "));
    Ok(false)
}

async fn burst(quick: bool) -> Result<Vec<Row>, Fault> {
    let mut row = Row::new("burst, 64 connections, us per event", Goal::Times(0.25, ENCODED));
    for _ in 0..if quick { 3 } else { 7 } {
        for (server, figures) in SERVERS.iter().zip(&mut row.figures) {
            figures.push(measure::burst(server, 64, if quick { 20 } else { 60 }).await?);
        }
    }
    Ok(vec![row])
}

async fn paced(quick: bool) -> Result<Vec<Row>, Fault> {
    let mut row = Row::new("paced, 1,000 streams, us per event", Goal::Times(1.0, HYPER));
    let time = Duration::from_secs(if quick { 1 } else { 4 });
    for _ in 0..if quick { 2 } else { 4 } {
        for (server, figures) in SERVERS.iter().zip(&mut row.figures) {
            figures.push(measure::paced(server, 1_000, Duration::from_millis(50), time).await?);
        }
    }
    Ok(vec![row])
}

async fn first(quick: bool) -> Result<Vec<Row>, Fault> {
    let mut row = Row::new("first event, 99 of 100, 1,000 connections at once, ms", Goal::AtMost(20.0));
    for _ in 0..if quick { 3 } else { 12 } {
        for (server, figures) in SERVERS.iter().zip(&mut row.figures) {
            figures.push(measure::first_event(server, 1_000).await?);
        }
    }
    Ok(vec![row])
}

async fn opened(quick: bool) -> Result<Vec<Row>, Fault> {
    let mut time = Row::new("an opened stream, us", Goal::AtMost(75.0));
    let mut memory = Row::new("an open stream of 8,000, KiB of anonymous memory", Goal::AtMost(13.0));
    for _ in 0..if quick { 1 } else { 4 } {
        for (at, server) in SERVERS.iter().enumerate() {
            let opened = measure::opened(server, 8_000).await?;
            time.figures[at].push(opened.micros);
            memory.figures[at].push(opened.kibibytes);
        }
    }
    Ok(vec![time, memory])
}

async fn cold(quick: bool) -> Result<Vec<Row>, Fault> {
    let mut time = Row::new("cold start to the end of a run, ms", Goal::Times(1.1, ENCODED));
    let mut memory = Row::new("RSS after it, MiB", Goal::Times(1.1, ENCODED));
    for _ in 0..if quick { 10 } else { 40 } {
        for (at, server) in SERVERS.iter().enumerate() {
            let cold = measure::cold(server).await?;
            time.figures[at].push(cold.millis);
            memory.figures[at].push(cold.mebibytes);
        }
    }
    Ok(vec![time, memory])
}

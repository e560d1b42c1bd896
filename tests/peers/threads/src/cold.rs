//! The time in which SQLite opens a file that does not exist yet.

use std::time::Instant;

use agui_runtime::thread::Sqlite;

use crate::contenders::{Databases, unique};
use crate::process::Fault;
use crate::report::{Report, median};

const GOAL: f64 = 20.0;

pub fn measure(report: &mut Report, databases: &Databases, quick: bool) -> Result<(), Fault> {
    report.section("SQLite opens a new file");
    let mut times = Vec::new();
    for _ in 0..if quick { 5 } else { 50 } {
        let file = databases.new_file(&format!("{}.db", unique()));
        let begun = Instant::now();
        let threads = Sqlite::open(&file)?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        drop(threads);
    }
    report.goal("open", median(times), GOAL, "ms");
    Ok(())
}

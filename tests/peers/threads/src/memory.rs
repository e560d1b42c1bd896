//! The memory of a server while one thread grows.

use std::time::Duration;

use tokio::time::sleep;

use crate::client::{self, Asked};
use crate::contenders::{Contender, Databases, STORES, unique};
use crate::load::Load;
use crate::process::Fault;
use crate::report::Report;

/// The tokens of a run of the thread.
const TOKENS: u64 = 1_000;

/// The growth that is not the length of the thread: its conversation, and pages that the allocator keeps.
const GOAL: f64 = 8.0;

pub async fn measure(report: &mut Report, databases: &Databases, quick: bool) -> Result<(), Fault> {
    let runs = if quick { 10 } else { 100 };
    report.section(&format!(
        "Memory of a server while one thread grows from {TOKENS} to {} events",
        runs * TOKENS
    ));
    for store in STORES.into_iter().skip(1) {
        let contender = Contender::start(store, databases).await?;
        let thread = unique();
        let mut sizes = Vec::new();
        for number in 0..runs {
            let load = Load::new(TOKENS, 64, 0);
            let asked = Asked { thread: thread.clone(), run: format!("{thread}-{number}"), load };
            client::run(contender.server.port, &asked, None).await?.to_end(TOKENS).await?;
            // A long thread is trimmed after its run.
            sleep(Duration::from_millis(20)).await;
            sizes.push(contender.server.anonymous_bytes() as f64 / f64::from(1 << 20));
        }
        // The first runs fill the pools of the executor and the allocator: the thread has its full window after three.
        let (Some(first), Some(settled), Some(last)) = (sizes.first(), sizes.get(3), sizes.last()) else {
            continue;
        };
        report.figure(
            store,
            &format!("{first:>8.2} MiB after 1 run, {settled:.2} after 4, {last:.2} after {runs}"),
        );
        report.goal(&format!("{store}: growth"), last - first, GOAL, "MiB");
    }
    Ok(())
}

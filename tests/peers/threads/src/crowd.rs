//! Many runs at once on Postgres, for a minute.

use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use tokio::time::{Instant, sleep};

use crate::client::{self, Asked};
use crate::contenders::{Contender, Databases, unique};
use crate::load::Load;
use crate::process::Fault;
use crate::report::Report;

const RUNS: u64 = 1_000;

/// The tokens of each run in a second.
const RATE: u64 = 5;

/// The seconds by which a run may end late.
const LATE: f64 = 5.0;

pub async fn measure(report: &mut Report, databases: &Databases, seconds: u64) -> Result<(), Fault> {
    report.section(&format!("{RUNS} runs at once on Postgres for {seconds} s, {RATE} tokens a second each"));
    let contender = Contender::start("postgres", databases).await?;
    let port = contender.server.port;
    let load = Load::new(seconds * RATE, 1, 1_000 / RATE);
    let (server, database) = (contender.server.processor_time(), contender.database_time());
    let mut clients: FuturesUnordered<_> = (0..RUNS)
        .map(|number| async move {
            // As many begin at once as a server accepts connections.
            sleep(Duration::from_millis(number * 2)).await;
            let begun = Instant::now();
            let asked = Asked { thread: unique(), run: unique(), load };
            let events = client::run(port, &asked, None).await?.to_end(load.tokens).await?;
            Ok::<_, Fault>((events, begun.elapsed()))
        })
        .collect();
    let (mut events, mut broken, mut late) = (0, Vec::new(), Duration::ZERO);
    while let Some(read) = clients.next().await {
        match read {
            Ok((seen, took)) => {
                events += seen;
                late = late.max(took.saturating_sub(load.planned()));
            }
            Err(fault) => broken.push(fault),
        }
    }
    for fault in broken.iter().take(3) {
        println!("  {fault}");
    }
    let per_event = |time: Duration| time.as_secs_f64() * 1e6 / events.max(1) as f64;
    report.figure("events, each seen once and in order", &format!("{events:>8}"));
    let used = per_event(contender.server.processor_time() - server);
    let stored = per_event(contender.database_time() - database);
    report.figure(
        "processor time of an event",
        &format!("{used:>8.2} us in the server, {stored:.2} in the database"),
    );
    report.goal("streams with a lost or repeated event, or cut off", broken.len() as f64, 0.0, "");
    report.goal("the latest end of a run, beyond its own time", late.as_secs_f64(), LATE, "s");
    Ok(())
}

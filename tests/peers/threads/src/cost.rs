//! The processor time of an event in the server, with 64 streams at once.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::try_join_all;
use tokio::time::sleep;

use crate::client::{self, Asked};
use crate::contenders::{Contender, Databases, PEERS, STORES, unique};
use crate::load::Load;
use crate::process::Fault;
use crate::report::{Report, median};

const STREAMS: u64 = 64;

/// The part of their time that ours may take.
const GOAL: f64 = 0.1;

/// Microseconds of processor time for an event.
#[derive(Default)]
struct Times {
    server: Vec<f64>,
    database: Vec<f64>,
}

pub async fn measure(report: &mut Report, databases: &Databases, quick: bool) -> Result<(), Fault> {
    let (seconds, rounds) = if quick { (1, 1) } else { (4, 5) };
    let mut contenders = Vec::new();
    for name in STORES.into_iter().chain(PEERS) {
        contenders.push(Contender::start(name, databases).await?);
    }
    let loads = [
        ("a token each 10 ms", Load::new(seconds * 100, 1, 10)),
        ("50 tokens at once, each 500 ms", Load::new(seconds * 100, 50, 500)),
        ("as fast as the clients read", Load::new(seconds * 1_000, 64, 0)),
    ];
    for (name, load) in loads {
        let mut times: BTreeMap<&str, Times> = BTreeMap::new();
        for _ in 0..rounds {
            // In turn, so that other programs of the machine disturb all of them.
            for contender in &contenders {
                let (server, database) = once(contender, load).await?;
                let times = times.entry(contender.name).or_default();
                times.server.push(server);
                times.database.push(database);
            }
        }
        print(report, name, times);
    }
    Ok(())
}

fn print(report: &mut Report, name: &str, times: BTreeMap<&str, Times>) {
    report.section(&format!("Processor time of an event, {STREAMS} streams, {name}"));
    let medians: BTreeMap<_, _> = times
        .into_iter()
        .map(|(name, times)| (name, (median(times.server), median(times.database))))
        .collect();
    for contender in STORES.iter().chain(&PEERS) {
        let (server, database) = medians[contender];
        report.figure(contender, &format!("{server:>8.2} us in the server, {database:.2} in the database"));
    }
    for store in STORES.iter().skip(1) {
        for peer in PEERS {
            let ratio = medians[store].0 / medians[peer].0;
            report.goal(&format!("{name}: {store} / {peer}"), ratio, GOAL, "x");
        }
    }
}

/// Returns the microseconds of an event in the server and in the database.
async fn once(contender: &Contender<'_>, load: Load) -> Result<(f64, f64), Fault> {
    let (server, database) = (contender.server.processor_time(), contender.database_time());
    let clients = (0..STREAMS).map(|number| async move {
        // Real streams do not beat in one measure.
        sleep(Duration::from_millis(load.every * number / STREAMS)).await;
        let asked = Asked { thread: unique(), run: unique(), load };
        client::run(contender.server.port, &asked, None).await?.to_end(load.tokens).await
    });
    let events: u64 = try_join_all(clients).await.map_err(|fault| named(contender, &fault))?.iter().sum();
    // What the server does after the end of a run belongs to it.
    sleep(Duration::from_millis(50)).await;
    let per_event = |time: Duration| time.as_secs_f64() * 1e6 / events as f64;
    let used = contender.server.processor_time() - server;
    Ok((per_event(used), per_event(contender.database_time() - database)))
}

fn named(contender: &Contender<'_>, fault: &Fault) -> Fault {
    format!("{}: {fault}", contender.name).into()
}

//! The time to the first token of a run, and to the first byte for a client that comes back to a long one.

use std::collections::BTreeMap;

use tokio::time::Instant;

use crate::client::{self, Asked};
use crate::contenders::{Contender, Databases, STORES, unique};
use crate::load::Load;
use crate::process::Fault;
use crate::report::{Report, median};

/// The milliseconds by which a store may delay the first token.
const LATER: [(&str, f64); 4] = [("memory", 5.0), ("sqlite", 5.0), ("postgres", 10.0), ("redis", 10.0)];

/// The milliseconds to the first byte of a run of [`EVENTS`] events.
const ATTACHED: f64 = 50.0;
const EVENTS: u64 = 10_000;

pub async fn first_token(report: &mut Report, databases: &Databases, quick: bool) -> Result<(), Fault> {
    let rounds = if quick { 5 } else { 100 };
    report.section("Time to the first token");
    let mut contenders = Vec::new();
    for name in STORES {
        contenders.push(Contender::start(name, databases).await?);
    }
    let mut times: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for _ in 0..rounds {
        for contender in &contenders {
            let asked = Asked { thread: unique(), run: unique(), load: Load::new(3, 1, 1) };
            let begun = Instant::now();
            let mut answer = client::run(contender.server.port, &asked, None).await?;
            let first = answer.first_token().await?;
            times.entry(contender.name).or_default().push(millis(begun, first));
            answer.to_end(3).await?;
        }
    }
    let medians: BTreeMap<_, _> = times.into_iter().map(|(name, times)| (name, median(times))).collect();
    report.figure("without a store", &format!("{:>8.2} ms", medians["none"]));
    for (store, goal) in LATER {
        report.goal(&format!("{store}: later than without"), medians[store] - medians["none"], goal, "ms");
    }
    Ok(())
}

pub async fn attach(report: &mut Report, databases: &Databases, quick: bool) -> Result<(), Fault> {
    let rounds = if quick { 3 } else { 30 };
    report.section(&format!("Time to the first byte of a run of {EVENTS} events that goes on"));
    for store in STORES.into_iter().skip(1) {
        let contender = Contender::start(store, databases).await?;
        let port = contender.server.port;
        let load = Load { hold: 3_600_000, ..Load::new(EVENTS, EVENTS, 0) };
        let asked = Asked { thread: unique(), run: unique(), load };
        let mut owner = client::run(port, &asked, None).await?;
        owner.tokens(EVENTS).await?;
        let middle = format!("{}.{}", asked.run, EVENTS / 2);
        let (mut begins, mut continues, mut connects) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let begun = Instant::now();
            let mut answer = client::run(port, &asked, None).await?;
            begins.push(millis(begun, answer.first_byte().await?));
            // It is the whole run.
            answer.tokens(EVENTS).await?;

            let begun = Instant::now();
            continues
                .push(millis(begun, client::run(port, &asked, Some(&middle)).await?.first_byte().await?));

            let begun = Instant::now();
            connects.push(millis(begun, client::connect(port, &asked).await?.first_byte().await?));
        }
        report.goal(&format!("{store}: from the beginning"), median(begins), ATTACHED, "ms");
        report.goal(&format!("{store}: after a cursor in the middle"), median(continues), ATTACHED, "ms");
        report.goal(&format!("{store}: connect without a cursor"), median(connects), ATTACHED, "ms");
    }
    Ok(())
}

/// The milliseconds between two instants.
pub fn millis(begun: Instant, end: Instant) -> f64 {
    (end - begun).as_secs_f64() * 1e3
}

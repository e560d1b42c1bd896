//! The measurements of one server.

use std::time::{Duration, Instant};

use futures::future::try_join_all;
use tokio::task::JoinSet;

use crate::client::Connection;
use crate::process::{Fault, ServerProcess};
use crate::shape::Shape;

/// The deltas of a run.
const DELTAS: u64 = 200;

/// The pace of streams that only wait: longer than any measurement.
const STILL: Duration = Duration::from_secs(600);

/// The events of a stream before it waits: the starts, and the first delta.
const FIRST: u64 = 3;

/// The time in which the streams of one measurement are opened.
const ENOUGH: Duration = Duration::from_secs(30);

/// Connections that are opened at the same time while many are.
const AT_ONCE: usize = 64;

/// Microseconds of processor time for an event: connections that ask for one run after the other, and read as fast as
/// they can.
pub async fn burst(server: &str, connections: usize, runs: u64) -> Result<f64, Fault> {
    let shape = Shape::new(DELTAS, Duration::ZERO);
    let process = ServerProcess::start(server, shape).await?;
    let clients = try_join_all((0..connections).map(|number| Connection::open(process.port, number))).await?;
    let clients = run_each(clients, 1, shape.events()).await?;
    let before = process.processor_time();
    run_each(clients, runs, shape.events()).await?;
    let events = connections as u64 * runs * shape.events();
    Ok(micros(process.processor_time() - before) / events as f64)
}

async fn run_each(clients: Vec<Connection>, runs: u64, events: u64) -> Result<Vec<Connection>, Fault> {
    let mut all = JoinSet::new();
    for mut client in clients {
        all.spawn(async move {
            for _ in 0..runs {
                client.ask().await?;
                client.to_end(events).await?;
            }
            Ok::<_, Fault>(client)
        });
    }
    all.join_all().await.into_iter().collect()
}

/// Microseconds of processor time for an event: streams that say a delta each `pace`.
pub async fn paced(server: &str, streams: usize, pace: Duration, time: Duration) -> Result<f64, Fault> {
    // More deltas than the time has room for: no stream ends meanwhile.
    let deltas = (time + ENOUGH).as_millis() / pace.as_millis();
    let shape = Shape::new(u64::try_from(deltas)?, pace);
    let process = ServerProcess::start(server, shape).await?;
    let mut clients = open(process.port, 0..streams).await?;
    let before = (process.processor_time(), count(&clients));
    let end = Instant::now() + time;
    let mut all = JoinSet::new();
    for mut client in clients.drain(..) {
        all.spawn(async move {
            while Instant::now() < end {
                client.read().await?;
            }
            Ok::<_, Fault>(client)
        });
    }
    let clients: Vec<_> = all.join_all().await.into_iter().collect::<Result<_, _>>()?;
    let after = (process.processor_time(), count(&clients));
    Ok(micros(after.0 - before.0) / (after.1 - before.1) as f64)
}

fn count(clients: &[Connection]) -> u64 {
    clients.iter().map(|client| client.events).sum()
}

/// The milliseconds in which 99 of 100 connections get their first event, if all ask at once.
pub async fn first_event(server: &str, connections: usize) -> Result<f64, Fault> {
    let process = ServerProcess::start(server, Shape::new(DELTAS, STILL)).await?;
    // The first requests of a process load its pages.
    let _warm = open(process.port, 0..AT_ONCE).await?;
    let mut clients = Vec::new();
    for number in 0..connections {
        clients.push(Connection::open(process.port, AT_ONCE + number).await?);
    }
    let begun = Instant::now();
    let mut all = JoinSet::new();
    for mut client in clients {
        all.spawn(async move {
            client.ask().await?;
            client.events(1).await?;
            Ok::<_, Fault>((begun.elapsed(), client))
        });
    }
    let done = all.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut times: Vec<_> = done.iter().map(|(time, _)| micros(*time) / 1e3).collect();
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() * 99 / 100])
}

/// The costs of streams that are open.
pub struct Opened {
    /// Microseconds of processor time for a stream, from its connection to its first delta.
    pub micros: f64,
    /// The anonymous memory of a stream that waits.
    pub kibibytes: f64,
}

pub async fn opened(server: &str, streams: usize) -> Result<Opened, Fault> {
    let process = ServerProcess::start(server, Shape::new(DELTAS, STILL)).await?;
    let _warm = open(process.port, 0..AT_ONCE).await?;
    let before = (process.processor_time(), process.anonymous_bytes());
    let _streams = open(process.port, AT_ONCE..AT_ONCE + streams).await?;
    let after = (process.processor_time(), process.anonymous_bytes());
    Ok(Opened {
        micros: micros(after.0 - before.0) / streams as f64,
        kibibytes: (after.1 - before.1) as f64 / 1024.0 / streams as f64,
    })
}

/// Opens streams, a few at the same time, and reads their first delta.
async fn open(port: u16, numbers: std::ops::Range<usize>) -> Result<Vec<Connection>, Fault> {
    let mut clients = Vec::new();
    let numbers: Vec<_> = numbers.collect();
    for some in numbers.chunks(AT_ONCE) {
        let opened = some.iter().map(|number| async move {
            let mut client = Connection::open(port, *number).await?;
            client.ask().await?;
            client.events(FIRST).await?;
            Ok::<_, Fault>(client)
        });
        clients.extend(try_join_all(opened).await?);
    }
    Ok(clients)
}

/// A server that has just started.
pub struct Cold {
    /// The milliseconds from the start of the process to the end of its first run.
    pub millis: f64,
    /// The resident memory (RSS) after that run.
    pub mebibytes: f64,
}

pub async fn cold(server: &str) -> Result<Cold, Fault> {
    let shape = Shape::new(1, Duration::ZERO);
    let process = ServerProcess::start(server, shape).await?;
    let mut client = Connection::open(process.port, 0).await?;
    client.ask().await?;
    client.to_end(shape.events()).await?;
    let millis = micros(process.started.elapsed()) / 1e3;
    Ok(Cold { millis, mebibytes: process.resident_bytes() as f64 / (1 << 20) as f64 })
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

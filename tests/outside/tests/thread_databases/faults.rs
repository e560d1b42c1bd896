//! Servers that are killed, paused and cut off: no acknowledged record is lost, and none is there twice.
//!
//! `AGUI_KILLS` sets the number of faults of a test, `AGUI_SEED` the seed of their times.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

use agui_runtime::thread::{AppendError, LogAppend, LogError, LogHead, LogPosition, ThreadKey, ThreadLog};
use agui_tests::outside::{Missing, OwnServer};
use agui_tests::report::report;
use agui_tests::simulation::{Random, first_seed};
use agui_tests::stored::engine_kills::{Outlived, talk_until};
use agui_tests::stored::{Gate, Gated, Op, Way};
use futures::FutureExt;
use futures::future::BoxFuture;

use crate::executor::block_on;
use crate::official;
use crate::proxy::Proxy;

/// An engine, and its server for one test, which may break it.
pub(crate) trait Engine {
    fn start() -> Result<OwnServer, Missing>;
    /// Connects through a port, which may be a proxy's.
    fn connect(port: u16) -> Arc<dyn ThreadLog>;
}

#[macro_export]
macro_rules! server_faults {
    ($engine:ty) => {
        $crate::server_faults!(
            $engine:
            acknowledged_records_outlive_kills,
            readers_are_woken_after_a_restart,
            a_lost_acknowledgement_is_unknown,
            a_server_that_does_not_answer_is_an_error,
            conversations_outlive_kills,
            conversations_outlive_lost_acknowledgements,
        );
    };
    ($engine:ty: $($case:ident),* $(,)?) => {
        $(
            #[test]
            fn $case() {
                let server = agui_tests::need!(<$engine as $crate::faults::Engine>::start());
                $crate::faults::$case::<$engine>(&server);
            }
        )*
    };
}

/// The number of faults of a test.
fn faults() -> u64 {
    env::var("AGUI_KILLS").map_or(8, |count| count.parse().unwrap())
}

/// Sleeps for a random time between two numbers of milliseconds.
fn pause(random: &Random, least: u64, most: u64) {
    thread::sleep(Duration::from_millis(least + random.below(most - least)));
}

/// Kills a server and starts it again, at random times.
fn kill_often(server: &OwnServer, random: &Random) {
    for _ in 0..faults() {
        // A server without time to write would be killed for nothing.
        pause(random, 200, 900);
        server.kill();
        pause(random, 0, 500);
        server.start_again();
    }
}

fn key(thread: u64) -> ThreadKey {
    ThreadKey::new("ada", "/", thread.to_string())
}

/// An append of one to three records, each of which says its number.
fn numbered(thread: u64, at: LogPosition) -> LogAppend {
    let numbers = at.seq + 1..=at.seq + 1 + at.seq % 3;
    let records = numbers.map(|seq| format!("{thread}/{seq}").into()).collect();
    LogAppend { at, epoch: 1, records, note: None, lease: None }
}

/// The head, as soon as the server answers.
async fn head(log: &dyn ThreadLog, key: &ThreadKey) -> LogHead {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        match log.head(key).await {
            Ok(head) => return head,
            Err(error) => assert!(Instant::now() < end, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Appends until it is stopped, as an owner does: after each failure it reads where the log ends. Returns the number of the
/// last acknowledged record, and of failures.
async fn write(log: &dyn ThreadLog, thread: u64, stop: &AtomicBool) -> (u64, u64) {
    let (mut at, mut acknowledged, mut failures) = (LogPosition::default(), 0, 0);
    while !stop.load(Ordering::SeqCst) {
        let append = numbered(thread, at);
        let sent = append.records.len() as u64;
        match log.append(&key(thread), append).await {
            Ok(end) => {
                assert_eq!(end.seq, at.seq + sent);
                (at, acknowledged) = (end, end.seq);
            }
            Err(AppendError::Unavailable(_)) => {
                failures += 1;
                let found = head(log, &key(thread)).await.at;
                assert_eq!(found, at, "an append that did not happen is there");
            }
            Err(AppendError::Unknown(_)) => {
                failures += 1;
                // A request that was under way may still arrive.
                tokio::time::sleep(Duration::from_millis(300)).await;
                let found = head(log, &key(thread)).await.at;
                assert!(found.seq == at.seq || found.seq == at.seq + sent, "{found:?} after {at:?}");
                at = found;
            }
            Err(other) => panic!("{other}"),
        }
    }
    (acknowledged, failures)
}

/// Several writers on two nodes, while the server is killed and started again.
pub(crate) fn acknowledged_records_outlive_kills<E: Engine>(server: &OwnServer) {
    const WRITERS: u64 = 6;
    let seed = first_seed();
    let nodes = [E::connect(server.port()), E::connect(server.port())];
    let stop = AtomicBool::new(false);
    let written: Vec<_> = thread::scope(|scope| {
        let writers = (0..WRITERS).map(|thread| {
            let (log, stop) = (&nodes[thread as usize % 2], &stop);
            scope.spawn(move || block_on(write(&**log, thread, stop)))
        });
        let writers: Vec<_> = writers.collect();
        kill_often(server, &Random::new(seed));
        thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::SeqCst);
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    let log = E::connect(server.port());
    block_on(async {
        for (thread, (acknowledged, _)) in (0..).zip(&written) {
            let page = log.read(&key(thread), 0, usize::MAX).await.unwrap();
            assert!(page.at.seq >= *acknowledged, "{acknowledged} acknowledged, {} there", page.at.seq);
            let expected: Vec<_> =
                (1..=page.at.seq).map(|seq| (seq, format!("{thread}/{seq}").into())).collect();
            assert_eq!(page.records, expected);
        }
    });
    let (records, failures): (Vec<u64>, Vec<u64>) = written.into_iter().unzip();
    let (records, failures): (u64, u64) = (records.iter().sum(), failures.iter().sum());
    assert!(records > 10 * faults() && failures > 0, "{records} records, {failures} failures");
    let kills = faults();
    report(format_args!(
        "{kills} kills from AGUI_SEED={seed}, {records} acknowledged records, {failures} failed appends, 0 lost"
    ));
}

/// A reader that waits on one node while the server is away hears of appends of another afterwards.
pub(crate) fn readers_are_woken_after_a_restart<E: Engine>(server: &OwnServer) {
    let [writer, reader] = [E::connect(server.port()), E::connect(server.port())];
    let end = block_on(writer.append(&key(1), numbered(1, LogPosition::default()))).unwrap();
    thread::scope(|scope| {
        let reading = scope.spawn(|| {
            block_on(async {
                let limit = Instant::now() + Duration::from_secs(60);
                loop {
                    // While the server is away, the reader tries again.
                    match reader.read(&key(1), end.seq, 99).await {
                        Ok(page) if !page.records.is_empty() => return page,
                        Ok(_) => reader.changed(&key(1), end.seq).await,
                        Err(error) => {
                            assert!(Instant::now() < limit, "{error}");
                            tokio::time::sleep(Duration::from_millis(50)).await;
                        }
                    }
                }
            })
        });
        thread::sleep(Duration::from_millis(300));
        server.kill();
        thread::sleep(Duration::from_millis(300));
        server.start_again();
        // The first connections may be those that were lost.
        block_on(async {
            let at = head(&*writer, &key(1)).await.at;
            assert_eq!(at, end);
            writer.append(&key(1), numbered(1, at)).await.unwrap();
        });
        let begun = Instant::now();
        assert_eq!(reading.join().unwrap().records[0].0, end.seq + 1);
        assert!(begun.elapsed() < Duration::from_secs(10), "woken after {:?}", begun.elapsed());
    });
}

/// The records are there, and the engine does not say that they are not; nor does it append them again.
pub(crate) fn a_lost_acknowledgement_is_unknown<E: Engine>(server: &OwnServer) {
    let proxy = Proxy::to(server.port());
    let log = E::connect(proxy.port());
    let direct = E::connect(server.port());
    let mut at = block_on(log.append(&key(1), numbered(1, LogPosition::default()))).unwrap();
    for _ in 0..3 {
        // The engine may still send a notice of the append before.
        thread::sleep(Duration::from_millis(200));
        proxy.lose_answers();
        let append = numbered(1, at);
        let next = at.seq + append.records.len() as u64;
        let outcome = thread::scope(|scope| {
            let outcome = scope.spawn(|| block_on(log.append(&key(1), append)));
            let outcome = outcome.join().unwrap();
            proxy.pass_answers();
            outcome
        });
        assert!(matches!(outcome, Err(AppendError::Unknown(_))), "{outcome:?}");
        let found = block_on(async {
            let end = Instant::now() + Duration::from_secs(10);
            while head(&*direct, &key(1)).await.at.seq != next {
                assert!(Instant::now() < end, "the server did not get the append");
            }
            head(&*log, &key(1)).await.at
        });
        assert_eq!(found.seq, next);
        // The engine goes on with a new connection.
        at = block_on(log.append(&key(1), numbered(1, found))).unwrap();
    }
    let page = block_on(direct.read(&key(1), 0, usize::MAX)).unwrap();
    let expected: Vec<_> = (1..=at.seq).map(|seq| (seq, format!("1/{seq}").into())).collect();
    assert_eq!(page.records, expected);
}

/// A server that is paused keeps its connections: calls end with an error, and afterwards all goes on.
pub(crate) fn a_server_that_does_not_answer_is_an_error<E: Engine>(server: &OwnServer) {
    let log = E::connect(server.port());
    let at = block_on(log.append(&key(1), numbered(1, LogPosition::default()))).unwrap();
    server.pause();
    let begun = Instant::now();
    let paused = key(1);
    let (appended, known) = block_on(async {
        let append = log.append(&paused, numbered(1, at));
        let known = log.head(&paused);
        futures::join!(append, known)
    });
    assert!(matches!(appended, Err(AppendError::Unknown(_))), "{appended:?}");
    assert!(known.is_err());
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    server.resume();
    block_on(async {
        let found = head(&*log, &key(1)).await.at;
        let mut at = found;
        let end = loop {
            match log.append(&key(1), numbered(1, at)).await {
                Err(AppendError::Conflict { at: other }) => at = other,
                other => break other.unwrap(),
            }
        };
        let page = log.read(&key(1), 0, usize::MAX).await.unwrap();
        let expected: Vec<_> = (1..=end.seq).map(|seq| (seq, format!("1/{seq}").into())).collect();
        assert_eq!(page.records, expected);
    });
}

/// Has conversations on two servers while their engine has faults.
fn outlived(nodes: &[Arc<dyn ThreadLog>; 2], break_it: impl FnOnce()) -> Outlived {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let talks = scope.spawn(|| block_on(talk_until(nodes, &is_over)));
        break_it();
        thread::sleep(Duration::from_millis(300));
        is_over.store(true, Ordering::SeqCst);
        talks.join().unwrap()
    })
}

/// Conversations on two servers, while the server of the engine is killed and started again.
pub(crate) fn conversations_outlive_kills<E: Engine>(server: &OwnServer) {
    let seed = first_seed();
    let nodes = [E::connect(server.port()), E::connect(server.port())];
    let outlived = outlived(&nodes, || kill_often(server, &Random::new(seed)));
    report(format_args!("{} kills of a database from AGUI_SEED={seed}, {outlived}", faults()));
    assert!(outlived.runs >= 24 && outlived.answers >= 6 && outlived.returns > 0, "{outlived}");
    official::accepts(&outlived.logs);
}

/// Counts the appends of which an engine does not know whether they took place.
#[derive(Debug, Default)]
struct Unknown(AtomicUsize);

impl Gate for Unknown {
    fn enter<'a>(&'a self, _: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async { Ok(Way::Through) }.boxed()
    }

    fn unknown(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Conversations on two servers, while answers of the engine's server are lost on the way to them: no run is lost.
pub(crate) fn conversations_outlive_lost_acknowledgements<E: Engine>(server: &OwnServer) {
    let (seed, unknown) = (first_seed(), Arc::new(Unknown::default()));
    let random = Random::new(seed);
    let proxies = [Proxy::to(server.port()), Proxy::to(server.port())];
    let nodes = proxies.each_ref().map(|proxy| -> Arc<dyn ThreadLog> {
        Arc::new(Gated::new(E::connect(proxy.port()), Arc::clone(&unknown)))
    });
    let outlived = outlived(&nodes, || {
        for _ in 0..3 * faults() {
            pause(&random, 0, 200);
            let proxy = &proxies[random.below(2) as usize];
            proxy.lose_answers();
            proxy.pass_answers();
        }
    });
    let (losses, unknown) = (3 * faults(), unknown.0.load(Ordering::SeqCst));
    report(format_args!(
        "{losses} lost answers of a database from AGUI_SEED={seed}, {unknown} unknown appends, {outlived}"
    ));
    assert!(
        outlived.runs >= 24 && outlived.answers >= 6 && unknown > 0,
        "{outlived}, {unknown} unknown appends"
    );
    assert_eq!((outlived.lost, outlived.went_on), (0, 0), "a run was lost whose server was well");
    official::accepts(&outlived.logs);
}

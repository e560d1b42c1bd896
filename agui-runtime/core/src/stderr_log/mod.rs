//! The log for a program without one: warnings and errors on standard error (feature `server`).
//!
//! A separate subscriber, because the tracing-subscriber crate takes 2 of 100 seconds in a server's cold build, and writes control
//! characters in fields to the terminal.

mod filter;

use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, Event, Metadata, Subscriber, dispatcher};

use self::filter::LogFilter;
use crate::date;
use crate::quoted::quoted_up_to;

/// The environment variable that sets the levels, as in other Rust programs.
const VARIABLE: &str = "RUST_LOG";

/// The maximum number of characters in a line.
const MAX_LINE: usize = 16 << 10;

/// True if the log is to begin when the program runs an agent.
static IS_DUE: AtomicBool = AtomicBool::new(false);

/// Writes warnings and errors to standard error, if the program has no tracing subscriber: for a program with a separate `main`
/// that does not call [`serve`](crate::serve()), which does the same, as does [`#[agui_runtime::main]`](macro@crate::main) when
/// the first run begins.
///
/// Each event is one line, with control characters escaped. `RUST_LOG` chooses other levels: `info`, or `warn,agui_runtime=debug`.
/// A program with another subscriber installs that subscriber before this call.
///
/// ```
/// use agui_runtime::Server;
/// # use agui_runtime::prelude::*;
/// # /// Cooks with you.
/// # #[agent]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// #     Ok(())
/// # }
///
/// agui_runtime::http::log_to_stderr();
/// let app = Server::new().agent("/chef", Chef::new()).router()?; // for `axum::serve`
/// # drop(app);
/// # Ok::<(), agui_runtime::Error>(())
/// ```
pub fn log_to_stderr() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if !dispatcher::get_default(Dispatch::is::<NoSubscriber>) {
            return;
        }
        let wanted = std::env::var(VARIABLE).unwrap_or_default();
        let (filter, unread) = LogFilter::parse(&wanted);
        let log = StderrLog { filter, spans: AtomicU64::new(1) };
        // Another thread may have been first.
        if dispatcher::set_global_default(Dispatch::new(log)).is_ok() && !unread.is_empty() {
            tracing::warn!(unread = %unread.join(","), "{VARIABLE} has parts that name no level: `info`, or `agui_runtime=debug`");
        }
    });
}

/// Begins the log with the first run or request: a program whose `main` is being entered may still install another log.
pub(crate) fn begin_later() {
    IS_DUE.store(true, Ordering::Relaxed);
}

/// Begins the log if due.
pub(crate) fn begin_if_due() {
    if IS_DUE.load(Ordering::Relaxed) {
        log_to_stderr();
    }
}

struct StderrLog {
    filter: LogFilter,
    spans: AtomicU64,
}

impl Subscriber for StderrLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.filter.enables(metadata.target(), *metadata.level())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.filter.highest())
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        // Lines have the ids of their run themselves.
        Id::from_u64(self.spans.fetch_add(1, Ordering::Relaxed).max(1))
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let line = line(SystemTime::now(), event);
        // A closed standard error is no reason to fail.
        drop(io::stderr().lock().write_all(line.as_bytes()));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Returns an event's text: time, level, target, message and fields.
fn line(now: SystemTime, event: &Event<'_>) -> String {
    let (metadata, time) = (event.metadata(), date::write(now).unwrap_or_default());
    let mut fields = FieldText::default();
    event.record(&mut fields);
    let FieldText { message, rest } = fields;
    let (level, target) = (metadata.level(), metadata.target());
    format!("{}\n", quoted_up_to(MAX_LINE, format_args!("{time} {level:>5} {target}: {message}{rest}")))
}

/// An event's fields as text.
#[derive(Default)]
struct FieldText {
    message: String,
    rest: String,
}

impl Visit for FieldText {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing into a text does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.rest, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;

    /// Keeps the lines that would be written.
    struct KeptLines {
        log: StderrLog,
        lines: Arc<Mutex<Vec<String>>>,
    }

    impl Subscriber for KeptLines {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            self.log.enabled(metadata)
        }
        fn new_span(&self, span: &Attributes<'_>) -> Id {
            self.log.new_span(span)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            self.lines.lock().unwrap().push(line(SystemTime::UNIX_EPOCH + Duration::from_millis(1), event));
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    fn lines(levels: &str, act: impl FnOnce()) -> Vec<String> {
        let lines = Arc::default();
        let log = StderrLog { filter: LogFilter::parse(levels).0, spans: AtomicU64::new(1) };
        tracing::subscriber::with_default(KeptLines { log, lines: Arc::clone(&lines) }, act);
        Arc::into_inner(lines).unwrap().into_inner().unwrap()
    }

    #[test]
    fn an_event_is_one_line() {
        let lines = lines("", || {
            let _span = tracing::warn_span!("outer", number = 1).entered();
            tracing::error!(target: "shop", tool = "price", error = %"a\nERROR b\u{1b}[31m", count = 2, "tool {}", "failed");
            tracing::info!(target: "shop", "not written");
        });
        let expected = "1970-01-01T00:00:00.001Z ERROR shop: tool failed tool=\"price\" error=a\\nERROR b\\u{1b}[31m count=2\n";
        assert_eq!(lines, [expected]);
    }

    #[test]
    fn a_long_line_is_cut() {
        let lines = lines("", || tracing::warn!(text = "x".repeat(1 << 20), "long"));
        assert!(lines[0].len() < 2 * MAX_LINE && lines[0].ends_with("…\n"));
    }

    #[test]
    fn levels_are_chosen_by_target() {
        let lines = lines("error,shop=debug", || {
            tracing::debug!(target: "shop::till", "a");
            tracing::trace!(target: "shop::till", "b");
            tracing::warn!(target: "shopping", "c");
            tracing::error!(target: "shopping", "d");
        });
        let messages: Vec<_> = lines.iter().map(|line| line.trim_end().rsplit(' ').next().unwrap()).collect();
        assert_eq!(messages, ["a", "d"]);
    }
}

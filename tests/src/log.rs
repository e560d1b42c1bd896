//! A recorder of a program's `tracing` events.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex, Once};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, Interest};
use tracing::{Event, Level, Metadata, Subscriber};

/// The lines that a program logs, as a plain formatter writes them: level, then `field=value` for each field of the
/// event, or of a new span. Texts are unchanged, so that missing escapes are seen.
///
/// ```
/// use agui_tests::log::Log;
/// use tracing::Level;
///
/// let (log, _recording) = Log::record(Level::WARN);
/// tracing::warn!(dish = "rice", "burnt");
/// assert_eq!(log.take(), ["WARN message=burnt dish=rice "]);
/// ```
#[derive(Clone)]
pub struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    most: Level,
}

impl Log {
    /// Records this thread's events at a level or above, until the guard is dropped.
    pub fn record(most: Level) -> (Self, DefaultGuard) {
        // Without it, tracing may remember of an event that no thread wants it, while this thread begins to record.
        static ASKED_EACH_TIME: Once = Once::new();
        ASKED_EACH_TIME.call_once(|| {
            // A test that has set another is asked about all events too.
            tracing::subscriber::set_global_default(Unheard).ok();
        });
        let log = Self { lines: Arc::default(), most };
        (log.clone(), tracing::subscriber::set_default(log))
    }

    /// Takes the lines so far.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines.lock().expect("no test panics while it logs"))
    }

    fn write(&self, level: Level, fill: impl FnOnce(&mut Line)) {
        let mut line = Line(format!("{level} "));
        fill(&mut line);
        self.lines.lock().expect("no test panics while it logs").push(line.0);
    }
}

struct Line(String);

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, "{field}={value} ").expect("memory takes it");
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, "{field}={value:?} ").expect("memory takes it");
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata) -> bool {
        *metadata.level() <= self.most
    }

    fn new_span(&self, span: &Attributes) -> Id {
        self.write(*span.metadata().level(), |line| span.record(line));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record) {
        self.write(self.most, |line| values.record(line));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event) {
        self.write(*event.metadata().level(), |line| event.record(line));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The subscriber of threads that record nothing. It wants no event, but is asked about each.
struct Unheard;

impl Subscriber for Unheard {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, _: &Metadata) -> bool {
        false
    }

    fn new_span(&self, _: &Attributes) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
